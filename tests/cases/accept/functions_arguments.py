"""Parameters and arguments: defaults, `*args`, `**kwargs`, `/`, `*`, partial, reduce."""

from __future__ import annotations

import functools
import operator
from functools import partial, reduce

import numpy as np

from staticpy import f64
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([1.0, 2.0, 3.0])


def line(x, a=2.0, b=1.0):
    return x * a + b


def total_of(*numbers):
    total = 0
    for number in numbers:
        total = total + number
    return total


def described(**options):
    return options


def everything(a, /, b, *rest, c, d=4, **more):
    return a, b, rest, c, d, more


# Any number of arguments.
@case((1, 2, 3))
def variable_arguments(a: int, b: int, c: int):
    return total_of(), total_of(a), total_of(a, b, c), total_of(a, 0.5)


# The number of arguments is known while compiling.
def mean_of(*items):
    if not items:
        return 0.0
    return sum(items) / len(items)


@case((1, 2.5))
def number_of_arguments(a: int, b: float):
    return mean_of(), mean_of(a), mean_of(a, b, b)


# A tuple and a list are unpacked at a call.
@case((1, 2, 3))
def unpacked_arguments(a: int, b: int, c: int):
    pair = (a, b)
    items = [c, a]
    return total_of(*pair), total_of(*pair, *items), total_of(a, *items, b)


# An array is unpacked at a call: each element is an argument.
@case((X,))
def unpacked_array_of_arguments(x: f64[3]):
    return line(*x)


# Keywords are collected in order.
@case((1, 2))
def collected_keywords(a: int, b: int):
    return described(z=a, y=b), described(), described(**{"k": a + b}, m=a)


# A dict is unpacked at a call.
@case((3.0,))
def unpacked_keywords(x: float):
    options = {"b": 10.0, "a": 0.5}
    return line(x, **options), line(**{"x": x}), line(x, **{}, b=2.0)


# All kinds of parameters at once.
@case((1, 2, 3))
def all_kinds_of_parameters(a: int, b: int, c: int):
    return (
        everything(a, b, c=c),
        everything(a, b, c, a, c=b, d=b, e=a, f=c),
        everything(a, b=b, c=c, a=7),
    )


# Keywords are handed on.
def outer(x, **options):
    return line(x, **options)


def outer_most(*args, **kwargs):
    return outer(*args, **kwargs)


@case((2.0, X))
def keywords_handed_on(k: float, x: f64["n"]):
    return outer_most(k), outer_most(x, a=k), outer_most(x=k, b=k, a=3.0)


# A keyword with a default taken out of the dict.
def scaled(x, **options):
    scale = options.get("scale", 2.0)
    shift = options["shift"] if "shift" in options else 0.0
    return x * scale + shift


@case((X,))
def options_with_defaults(x: f64["n"]):
    return scaled(x), scaled(x, shift=1.0), scaled(x, scale=0.5, shift=-1.0)


# `*args` of the program itself.
@case(call(1), call(1, 2), call(1, 2, 3.5))
def variable_arguments_of_the_entry(first, *rest):
    for item in rest:
        first = first * 10 + item
    return first, len(rest)


# `**kwargs` of the program itself.
@case(call(X), call(X, shift=1.0), call(X, power=2, shift=0.5))
def keywords_of_the_entry(x, **options):
    if "power" in options:
        x = x ** options["power"]
    for name, value in options.items():
        if name == "shift":
            x = x + value
    return x


# A default that reads a global when the function is made.
FACTOR = 3


def with_default_from_a_global(x, factor=FACTOR * 2):
    return x * factor


@case((5,))
def default_from_a_global(n: int):
    return with_default_from_a_global(n), with_default_from_a_global(n, 1)


# A mutable default is one object for all calls of one function.
@case((4,))
def default_is_shared_between_calls(n: int):
    def collect(item, into=[]):
        into.append(item)
        return len(into)

    return collect(n), collect(n), collect(n, []), collect(n)


# A default of a nested function is evaluated once, when the `def` is reached.
@case((4,), (0,))
def default_of_a_nested_function(n: int):
    def step(x, size=10 // (n + 1)):
        return x + size

    n = 100
    return step(n), step(n, 1)


# A default that raises, where the `def` is.
@case((0,), (2,))
def default_that_raises(n: int):
    def step(x, size=10 // n):
        return x + size

    return step(1)


# Keyword-only parameters of a nested function.
@case((4,))
def keyword_only_of_a_nested_function(n: int):
    def step(x, *, size=2, sign=1):
        return x + size * sign

    return step(n), step(n, sign=-1), step(n, sign=-1, size=n)


# Arguments are evaluated in the order in which they stand.
def noted(log, name, value):
    log.append(name)
    return value


@case((1, 2))
def order_of_evaluation(a: int, b: int):
    log = []
    result = line(b=noted(log, "b", b), x=noted(log, "x", a), a=noted(log, "a", a))
    return result, log


# --- partial --------------------------------------------------------------------------------------

halved = partial(line, a=0.5)


@case((X, 3.0))
def partial_of_a_keyword(x: f64["n"], k: float):
    shifted = functools.partial(line, b=k)
    return halved(x), shifted(x), shifted(x, 1.0), partial(shifted, x)(b=0.0)


@case((7, 2))
def partial_of_positions(a: int, b: int):
    divide = partial(divmod, a)
    power = partial(pow, b)
    return divide(b), power(3), partial(partial(everything, a), b, c=a)(d=b)


@case((X,))
def partial_in_a_map(x: f64["n"]):
    return [f(x) for f in (partial(np.add, 1.0), partial(line, a=0.0), np.negative)]


@case((3,))
def attributes_of_a_partial(n: int):
    add = partial(line, n, b=2.0)
    return add.func is line, add.args, add.keywords, add(1.0)


@case((X, 2.0))
def partial_made_in_a_with(x: f64["n"], k: float):
    with np.errstate(all="ignore"):
        shifted = partial(line, x * 2, b=[k * 3.0][0])
    return shifted(k), shifted.args


# --- reduce ---------------------------------------------------------------------------------------


@case((1, 2, 3))
def reduce_of_a_tuple(a: int, b: int, c: int):
    items = (a, b, c)
    return (
        reduce(lambda x, y: x * 10 + y, items),
        reduce(operator.mul, items, 0.5),
        reduce(operator.add, [], a),
    )


@case((5,), (0,))
def reduce_of_a_range(n: int):
    return functools.reduce(lambda x, y: x + y * y, range(n), 0)


@case((X, Y))
def reduce_of_arrays(x: f64["n"], y: f64["n"]):
    return reduce(np.maximum, [x, y, x * y]), reduce(lambda a, b: a @ b, (x, y))


@case((X,), (X[:0],))
def reduce_of_an_array(x: f64["n"]):
    return reduce(lambda total, value: total * 0.5 + value, x, 1.0)


# Function composition by reduce.
@case((4.0,))
def composition(x: float):
    steps = [lambda v: v + 1.0, lambda v: v * 2.0, np.sqrt, float]
    run = reduce(lambda f, g: lambda v: g(f(v)), steps)
    return run(x)


# --- functions as values --------------------------------------------------------------------------


@case((6, 4))
def table_of_operators(a: int, b: int):
    table = {
        "+": operator.add,
        "-": operator.sub,
        "%": operator.mod,
        "max": max,
        "pair": lambda x, y: (x, y),
    }
    return [function(a, b) for function in table.values()]


@case((3,), (-3,))
def function_chosen_by_a_table(n: int):
    by_name = {"double": lambda x: x * 2, "square": lambda x: x * x}
    total = 0
    for name in ("square", "double", "square"):
        total = total * 7 + by_name[name](n)
    return total


# A function that gives a function and a value.
def tracked(f):
    calls = []

    def run(x):
        calls.append(1)
        return f(x)

    return run, calls


@case((3,))
def function_with_a_record(n: int):
    run, calls = tracked(lambda x: x + 1)
    return run(n) * run(n + 1), len(calls)


# A bound method of a list as a value.
@case((3,))
def bound_method_as_a_value(n: int):
    items = []
    add = items.append
    add(n)
    add(n + 1)
    return items


# A function is called through two names and compared.
@case((2.0,))
def functions_are_compared(x: float):
    f = line
    g = halved
    if f is line and g is not f and f == line:
        return f(x)
    return g(x)


# A method of a str as a key function; a class as a function.
@case((2,))
def classes_as_functions(n: int):
    return [make(n) for make in (float, complex, bool, np.float32, lambda v: [v])]


# An IIFE: a lambda that is called where it stands.
@case((3, 4))
def lambda_called_where_it_stands(a: int, b: int):
    return (lambda x, y=b: x * y)(a), (lambda *xs: sum(xs))(a, b, a), (lambda: a)()


# None and conditional expressions as arguments.
def maybe(x, offset=None, scale=None):
    if offset is not None:
        x = x + offset
    return x if scale is None else x * scale


@case((1.0, 2.0))
def optional_arguments(x: float, y: float):
    return maybe(x), maybe(x, y), maybe(x, None, y), maybe(x, scale=None, offset=y)


# A function that returns several values, of which some are dropped.
def statistics(x, *, full=False):
    mean = x.sum() / len(x)
    if full:
        return mean, np.max(x), np.min(x)
    return mean


@case((X,))
def results_that_depend_on_an_option(x: f64["n"]):
    mean = statistics(x)
    again, top, _ = statistics(x, full=True)
    return mean == again, top


# The attributes of a function, and of one that is nested.
@case((1,))
def name_of_a_function(n: int):
    return line.__name__, callable(line), line.__defaults__, n


@case((1,))
def names_of_a_nested_function(n: int):
    def inner(m):
        """Doubles."""
        return m * 2

    names = inner.__name__, inner.__qualname__, inner.__module__, inner.__doc__
    return names, line.__kwdefaults__, line.__doc__, (lambda: n).__name__


# --- calls that don't fit -------------------------------------------------------------------------


@case((1.0,))
def what_is_said_of_bad_calls(x: float):
    def strict(v, /, *, k):
        return v, k

    def many(p, q=1, *args, r, s=2, **others):
        return p, q, args, r, s, others

    def nothing():
        return None

    texts = []
    calls = (
        lambda: strict(x),
        lambda: strict(v=x, k=1),
        lambda: strict(x, x, k=1),
        lambda: many(),
        lambda: many(1, p=2, r=3),
        lambda: nothing(x, x),
        lambda: line(x, gradient=2.0),
        lambda: (lambda q: q)(),
    )
    for call_it in calls:
        try:
            call_it()
        except TypeError as error:
            texts.append(str(error))
    return texts


# The arguments are evaluated, and then it fails.
@case((1.0,), (-1.0,))
def bad_call_on_one_path(x: float):
    def shown(value):
        print(value)
        return value

    if x < 0:
        line(shown(x), shown(2), nope=shown(3))
    return line(x, x)


# As many as the function takes, or a TypeError.
@case((X,), (X[:2],), (np.append(X, 1.0),))
def unpacked_rest_of_an_array(x: f64["n"]):
    return line(x[0], *x[1:])


# ... and to a function of NumPy that takes so many numbers.
@case((np.array([3.0, 4.0]), 2.0), (np.array([3.0]), 2.0), (np.array([]), 1.0), (np.ones(3), 1.0))
def unpacked_to_a_ufunc(x: f64["n"], y: float):
    length = np.hypot(*x) if len(x) > 1 else 0.0
    return length, np.arctan2(y, *x), np.maximum(*x[:2])


@case(([1, 2],), ([1.5, 2],))
def unpacked_list_to_a_ufunc(numbers):
    numbers.append(numbers.pop())
    return np.hypot(*numbers), np.sqrt(*numbers[1:])
