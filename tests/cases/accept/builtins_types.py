"""What is known of a value while compiling: `isinstance`, `type`, `hasattr`, `callable`, `is`."""

from __future__ import annotations

import numbers

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Shape:
    sides = 0

    def __init__(self, size):
        self.size = size

    def area(self):
        return 0.0


class Square(Shape):
    sides = 4

    def area(self):
        return self.size * self.size


def kind_of(value):
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "real"
    if isinstance(value, complex):
        return "complex"
    if isinstance(value, np.ndarray):
        return f"array of {value.ndim}"
    if isinstance(value, tuple | list):
        return [kind_of(item) for item in value]
    if value is None or isinstance(value, str):
        return "other"
    return type(value).__name__


# isinstance takes a branch while compiling.
@case((1, 2.5, 1j, X), (0, -0.0, 0j, X[:0]))
def kinds_of_values(n: int, x: float, z: complex, a: f64["n"]):
    kinds = [kind_of(value) for value in (n, n > 0, a, None, a.sum())]
    return kinds, kind_of([x, (z,)])


# Classes of NumPy's scalars.
@case((X, 2))
def kinds_of_numpy_scalars(x: f64["n"], n: int):
    value = x[0]
    return (
        isinstance(value, float),
        isinstance(value, np.floating),
        isinstance(np.int64(n), int),
        isinstance(np.int64(n), np.integer),
        isinstance(np.float32(n), float),
        isinstance(x > 0, np.generic),
    )


# Abstract numbers.
@case((2, 2.5))
def abstract_numbers(n: int, x: float):
    return (
        isinstance(n, numbers.Integral),
        isinstance(x, numbers.Integral),
        isinstance(x, numbers.Real),
        isinstance(n > 1, numbers.Number),
    )


# A value whose class depends on a run-time value.
@case((4,), (-3,))
def class_known_at_run_time(n: int):
    value = n if n > 0 else n / 2
    if isinstance(value, int):
        return value << 2
    return value + 0.25


# type(x) is, and type(x).__name__.
@case((2, 2.5, X))
def types_of_values(n: int, x: float, a: f64["n"]):
    same = type(n) == type(x)
    return type(n) is int, type(x).__name__, type(n > 1) is int, type(a) is np.ndarray, same


# A class is made by the class of a value.
@case((2, 2.5))
def same_class_again(n: int, x: float):
    return type(x)(n), type(n)(x), type((n,))([x])


# issubclass and attributes of classes.
@case((2.0,))
def classes_are_known(x: float):
    names = Square.sides, Shape.__name__
    return issubclass(Square, Shape), issubclass(bool, int), names, Square(x).area()


# hasattr and getattr.
@case((2.0, X))
def attributes_by_name(x: float, a: f64["n"]):
    shape = Square(x)
    found = getattr(shape, "size", -1.0)
    missing = getattr(shape, "colour", "none")
    return hasattr(shape, "area"), hasattr(shape, "colour"), found, missing, getattr(a, "sum")()


# A loop over names of attributes.
@case((X,))
def attributes_in_a_loop(x: f64["n"]):
    return [getattr(np, name)(x) for name in ("sum", "max", "argmin")]


# An attribute that is not there.
@case((2.0,))
def missing_attribute(x: float):
    shape = Shape(x)
    try:
        return shape.colour
    except AttributeError:
        return -1.0


# setattr and attributes made at run time.
@case((2.0,), (-1.0,))
def attributes_set_by_name(x: float):
    shape = Square(x)
    setattr(shape, "size", x + 1.0)
    if x > 0.0:
        shape.size *= 2.0
    return shape.area(), shape.size


# callable.
@case((1,))
def what_can_be_called(n: int):
    return callable(len), callable(lambda: n), callable(n), callable(Square), callable("x")


# Identity with None, with classes, of one object.
@case((1, X))
def identity(n: int, x: f64["n"]):
    y = x
    items = [n]
    other = items
    return x is y, x is not y.copy(), items is other, items is [n], None is None, y is None


# None or a value, at run time.
def first_above(x, limit):
    for value in x:
        if value > limit:
            return value
    return None


@case((X, 0.0), (X, 7.0))
def none_at_run_time(x: f64["n"], limit: float):
    found = first_above(x, limit)
    if found is None:
        return -1.0
    return found * 2.0


@case((X, 0.0), (X, 7.0))
def none_is_returned(x: f64["n"], limit: float):
    found = first_above(x, limit)
    return found, found is not None


@case((X, 7.0), (X, 1.0))
def error_of_none(x: f64["n"], limit: float):
    return first_above(x, limit) + 1.0


# Truth of None or a number.
@case((X, 0.0), (X, 7.0), (X - 2.0, -0.5))
def truth_of_none(x: f64["n"], limit: float):
    found = first_above(x, limit)
    if found:
        return found
    return found or -2.0


# Methods by kind: a function for one class, another for the other.
def doubled(value):
    match value:
        case np.ndarray():
            return value * 2.0
        case list():
            return value + value
        case _:
            return (value, value)


@case((2, X))
def function_by_kind(n: int, x: f64["n"]):
    return doubled(x), doubled([n]), doubled(n)


# Dtypes and sizes are known while compiling.
@case((X,), (X.astype(np.float32),), (X.astype(np.int16),))
def branch_on_a_dtype(x):
    if x.dtype == np.float64:
        return x * 2
    if np.issubdtype(x.dtype, np.integer):
        return x // 2
    return x


@case((X,), (X.reshape(1, 3),), (np.array(2.0),))
def branch_on_a_rank(x):
    if x.ndim == 0:
        return x.item()
    if x.ndim == 1:
        return x[0]
    return x[0, 1]


# str and repr of numbers.
@case((3, 2.5, 1 - 2j), (-1, 1e22, 0j), (0, float("nan"), 1j))
def texts_of_numbers(n: int, x: float, z: complex):
    return str(n), repr(x), str(z), str(n > 0), repr(None), str((n, x)), repr([n])


# bool is an int.
@case((2, 3), (3, 2))
def bools_are_ints(a: int, b: int):
    return (
        (a < b) + (a > 0),
        [10, 20][a < b],
        (a < b) * 2.5,
        sum([a < b, a == 2]),
        -(a < b),
        (a < b) is True,
    )


# id-less equality of structures.
@case((1, 2), (2, 2))
def equal_structures(a: int, b: int):
    return (
        (a, b) == (b, a),
        [a, [b]] == [a, [b]],
        {"k": a} == {"k": b},
        (a,) != (a, b),
        (a, b) < (b, a),
    )


# Membership in tuples, lists, ranges, texts, dicts.
@case((2, 5), (7, 7))
def memberships(a: int, b: int):
    return (
        a in (1, 2, b),
        b not in [a],
        a in range(b),
        "k" in {"k": a},
        "ab" in "cabs",
        (a, b) in [(2, 5)],
    )


# hash, ord, chr, bin, hex and the like of compile-time values.
@case((2,))
def functions_of_compile_time_values(n: int):
    return ord("a") + n, chr(98), bin(5), hex(255), oct(8), ascii("é"), n


# The names of a class, of NumPy's as well.
@case((np.arange(3, dtype=np.int16),))
def names_of_classes(x):
    return (
        type(x[0]).__name__,
        type(x).__name__,
        np.float32.__name__,
        int.__name__,
        float.__module__,
    )


# A range of run-time bounds is a range.
@case((3,), (0,))
def class_of_a_range(n: int):
    places = range(n)
    known = isinstance(places, range), isinstance(places, list), isinstance(range(3), range)
    return known, type(places) is range, type(places).__name__


# An instance has the attributes of its class, not those of the class of that.
@case((2, 0.5, X))
def attributes_of_a_metaclass(n: int, v: float, x: f64["n"]):
    found = hasattr(n, "__call__"), hasattr(v, "mro"), hasattr(x, "__call__")  # noqa: B004
    return found, hasattr(x[0], "__name__"), hasattr([n], "mro"), hasattr("text", "__bases__")


@case((2,))
def classes_that_are_none(n: int):
    found = []
    try:
        found.append(isinstance(n, None))
    except TypeError:
        found.append("not a class")
    try:
        found.append(issubclass(n, int))
    except TypeError:
        found.append("not a class either")
    return found, isinstance(None, int | None)


# What is no mapping is none for `**`, even where `dict()` would take its pairs.
@case((2, X))
def pairs_are_no_mapping(n: int, x: f64["n"]):
    found = [{**{"n": n}, "m": 1}]
    for pairs in (zip([n], [n]), enumerate([n]), [(n, n)], "", range(0), x):
        try:
            found.append({**pairs})
        except TypeError:
            found.append("no mapping")
    return found


# A class is subscriptable where it says so.
@case((2,))
def subscripts_of_classes(n: int):
    try:
        return Shape[n]
    except TypeError:
        return "not subscriptable"


@case((2, X))
def arrays_have_no_hash(n: int, x: f64["n"]):
    try:
        return x in {1, 2}
    except TypeError:
        return n in {1, 2}, x[2] in {1, 2}


APPEND = [1].append
NAMES = {"a": 1, "b": 2}


# Methods of objects from outside can be called, numbers can't.
@case((2.0,))
def what_is_callable(x: float):
    return callable(APPEND), callable(np.sin), callable(x), callable(NAMES.get)


# Views of a dict have its length.
@case((0,), (3,))
def length_of_views(n: int):
    squares = {}
    for i in range(n):
        squares[i] = i * i
    return len(squares.keys()), len(squares.values()), len(squares.items()), len(NAMES.keys())


# Beside a number of NumPy, a text is not equal, says a bool of NumPy.
@case((np.int64(3),), (np.float32(1.0),))
def numbers_beside_texts(x):
    return x == "ab", x != "ab", "ab" == x, 3 == "ab", x == None, x == {1}


class Scaled:
    def __class_getitem__(cls, factor):
        return factor * 2


# A class with its parameters is called as the class, and is another object.
@case((3,))
def classes_with_parameters(n: int):
    made = list[int]((n, 1)), dict[str, int](a=n), Scaled[n]
    try:
        return made, list[int] is list, isinstance(made, list[int])
    except TypeError:
        return made, list[int] is list, list[int] == list[int]


# The dtypes of results, of arrays, numbers and dtypes.
@case((X,), (np.float32(1.5),), (np.arange(3),))
def dtypes_of_results(x):
    return np.result_type(x), np.result_type(x, np.int8), np.can_cast(x.dtype, "f4")
class Checked:
    def __init__(self, kinds, after):
        self.kinds = kinds
        self.after = after


# The class to compare with is chosen at run time.
@case((3,), (0,))
def class_chosen_at_run_time(n: int):
    kind = int if n > 1 else float
    return isinstance(n, kind), isinstance(n / 2, kind)


# ... is in an object in memory.
@case((3,), (0,))
def classes_in_linked_objects(n: int):
    first = None
    for i in range(n):
        first = Checked((ValueError, int) if i % 2 else (KeyError, str), first)
    found = []
    while first is not None:
        found.append((isinstance(n, first.kinds), issubclass(KeyError, first.kinds)))
        first = first.after
    return found
