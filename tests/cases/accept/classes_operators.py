"""Operators of classes: arithmetic, reflected, in place, comparisons, calls, contexts."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Vector:
    """Two numbers."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __sub__(self, other):
        return self + -other

    def __abs__(self):
        return (self @ self) ** 0.5

    def __eq__(self, other):
        return isinstance(other, Vector) and self.x == other.x and self.y == other.y

    def __bool__(self):
        return self.x != 0 or self.y != 0


class Amount:
    """Reflected and in-place operators note that they were used."""

    def __init__(self, value, log=()):
        self.value = value
        self.log = log

    def __add__(self, other):
        return Amount(self.value + other, (*self.log, "add"))

    def __radd__(self, other):
        return Amount(other + self.value, (*self.log, "radd"))

    def __iadd__(self, other):
        self.value += other
        self.log += ("iadd",)
        return self

    def __rsub__(self, other):
        return Amount(other - self.value, (*self.log, "rsub"))

    def __rtruediv__(self, other):
        return other / self.value

    def __pow__(self, n):
        return self.value**n

    def __mod__(self, n):
        return divmod(self.value, n)

    def __lshift__(self, item):
        self.log += (item,)
        return self

    def __invert__(self):
        return Amount(-self.value, (*self.log, "invert"))

    def __float__(self):
        return float(self.value)

    def __int__(self):
        return int(self.value)


class Version:
    """Ordered."""

    def __init__(self, major, minor):
        self.key = (major, minor)

    def __lt__(self, other):
        return self.key < other.key

    def __le__(self, other):
        return not other < self

    def __eq__(self, other):
        return self.key == other.key

    def __hash__(self):
        return hash(self.key)


class Polynomial:
    """Is called."""

    def __init__(self, *coefficients):
        self.coefficients = coefficients

    def __call__(self, x, *, scale=1):
        value = 0
        for c in self.coefficients:
            value = value * x + c
        return value * scale

    def derivative(self):
        n = len(self.coefficients) - 1
        return Polynomial(*[c * (n - i) for i, c in enumerate(self.coefficients[:-1])])

    def __repr__(self):
        return f"Polynomial{self.coefficients}"

    def __str__(self):
        return " ".join(str(c) for c in self.coefficients)


class Dual:
    """A number with its derivative."""

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    __rmul__ = __mul__


class Timer:
    """A context that counts what happens in it."""

    def __init__(self):
        self.depth = 0
        self.events = []

    def __enter__(self):
        self.depth += 1
        self.events.append("in")
        return self

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        self.events.append("out" if kind is None else kind.__name__)
        return kind is KeyError


# Arithmetic.
@case((1.0, 2.0), (0.0, -0.0))
def vector_arithmetic(x: float, y: float):
    a, b = Vector(x, y), Vector(y, x)
    return a + b, a - b, 2 * a, a * 0.5, a @ b, abs(a), -b


# Comparison and truth.
@case((1.0, 2.0), (0.0, 0.0))
def vector_comparison(x: float, y: float):
    a = Vector(x, y)
    return a == Vector(x, y), a != Vector(y, x), a == 3, bool(a), not a, a is a


# The truth of an object on a run-time value in a condition, `and`, `or`.
@case((1.0,), (0.0,))
def truth_in_conditions(x: float):
    a = Vector(x, 0.0)
    if a:
        a = a * 3.0
    b = a or Vector(9.0, 9.0)
    return b.x, (a and b).x, [1 if a else 2]


# Reflected operators.
@case((5, 2))
def reflected_operators(n: int, k: int):
    a = Amount(n)
    return a + k, k + a, k - a, k / a, a**k, a % k


# sum begins with 0 + the first.
@case((1, 2))
def sum_of_objects(a: int, b: int):
    return sum([Amount(a), b]), sum([Amount(a), b], 10)


# In place: the same object, also through another name.
@case((5,))
def in_place_operator(n: int):
    a = Amount(n)
    b = a
    a += 1
    a += n
    return a, a is b


# `-=` without a method for it makes another object.
@case((5.0, 2.0))
def in_place_without_a_method(x: float, y: float):
    a = Vector(x, y)
    b = a
    a -= Vector(1.0, 1.0)
    a *= 2.0
    return a, b, a is b


# << chains, ~, conversions.
@case((5,))
def other_operators(n: int):
    a = Amount(n)
    a << "x" << "y"
    return a, ~a, float(a), int(~a)


# An object with no method for it: TypeError, in a handler.
@case((1.0,))
def unsupported_operand(x: float):
    try:
        return Vector(x, x) + 3
    except TypeError:
        return "no"


# Ordering: sorted, min, max, and reflected comparisons.
@case((1, 2), (2, 1))
def ordering(a: int, b: int):
    one, two = Version(a, b), Version(b, a)
    first = sorted([two, one, Version(1, 1)])[0]
    return one < two, one > two, one <= two, max(one, two).key, first.key, one == two


# Calls.
@case((2.0,))
def calls(x: float):
    p = Polynomial(1, -3, x)
    return p(x), p(x, scale=10), p.derivative()(x), [p(i) for i in range(3)]


# Calls with arrays.
@case((X, 2.0))
def calls_with_arrays(x: f64["n"], c: float):
    p = Polynomial(c, 1.0)
    return p(x), p.derivative()(x), list(map(p, (1.0, c)))


# repr and str, in f-strings.
@case((2,))
def texts(n: int):
    p = Polynomial(1, 2)
    return repr(p), str(p), f"{p}", f"{p!r}:{n}"


# Newton's method on an object that is called.
@case((1.0, 20), (-3.0, 0))
def newton(x: float, steps: int):
    p = Polynomial(1.0, 0.0, -2.0)
    slope = p.derivative()
    for _ in range(steps):
        change = p(x) / slope(x)
        x = x - change
        if abs(change) < 1e-12:
            break
    return x


# Dual numbers through a function that doesn't know them.
def cubic(x):
    return x * x * x + 2.0 * x + 1.0


@case((3.0,), (0.0,))
def dual_numbers(x: float):
    result = cubic(Dual(x, 1.0))
    return result.value, result.slope, cubic(x)


# ... through a run-time loop.
@case((1.1, 4), (1.1, 0))
def dual_numbers_in_a_loop(x: float, n: int):
    power = Dual(1.0)
    for _ in range(n):
        power = power * Dual(x, 1.0)
    return power.value, power.slope


# Contexts, nested, one name for both.
@case((1,))
def contexts(n: int):
    timer = Timer()
    with timer as same:
        with timer:
            n += same.depth
        n += timer.depth
    return n, timer, same is timer


# A context that swallows KeyError.
@case(("a", 1), ("b", 1))
def context_that_swallows(key, n):
    timer = Timer()
    found = 0
    with timer:
        found = {"a": n}[key]
    return found, timer.events


# A context around a run-time error: it is left, and the error goes on.
@case((4, 2), (4, 0))
def context_around_an_error(a: int, b: int):
    timer = Timer()
    try:
        with timer:
            return a // b, timer
    except ZeroDivisionError:
        return -1, timer


# NumPy arrays within operators of one's own.
class Scaled:
    def __init__(self, array):
        self.array = array

    def __imul__(self, factor):
        self.array *= factor
        return self

    def __add__(self, other):
        return Scaled(self.array + other.array)


@case((X, X * 2.0), (X, X))
def operators_on_arrays(x: f64["n"], y: f64["n"]):
    a, b = Scaled(x), Scaled(y)
    a *= 3.0
    c = a + b
    c *= 0.5
    return a.array, c.array, a.array is x


# An object with '__index__' stands where an int does.
class Place:
    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


@case((1,), (0,), (2,))
def objects_as_indexes(n: int):
    place, first = Place(n), Place(1)
    counted = [i for i in range(place)]
    return counted, float(place), complex(place), hex(first), "abc"[first:], (1, 2, n)[:first]


class Measured:
    def __init__(self, value):
        self.value = value

    def __round__(self, ndigits=None):
        return self.value, ndigits


# The digits of round(), by place and by name.
@case((3,), (-1,))
def digits_by_name(n: int):
    measured = Measured(n)
    return round(measured), round(measured, n), round(measured, ndigits=2)


class Told:
    """Says of itself what it is given."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value

    def __index__(self):
        return self.value

    def __len__(self):
        return self.value

    def __float__(self):
        return self.value


# Python looks at what special methods give: a number of NumPy is no bool and no int.
@case((True,), (2,), (2.0,), (np.int64(2),), (np.bool_(True),), (np.float64(2.0),))
def truth_that_is_none(value):
    return 1 if Told(value) else 0


@case((2,), (2.0,), (np.int64(2),), (np.float64(2.0),))
def index_that_is_none(value):
    return [1, 2, 3][Told(value)]


@case((2,), (2.0,), (np.int64(2),), (np.float64(2.0),))
def index_of_an_array_that_is_none(value):
    return np.arange(3.0)[Told(value)]


@case((2,), (2.0,), (np.int64(2),), (np.float64(2.0),))
def length_that_is_none(value):
    return len(Told(value))


@case((2,), (2.0,), (np.int64(2),))
def float_that_is_none(value):
    return float(Told(value))
