"""Binding names: walrus, `del`, starred and nested targets, annotations, imports, globals."""

from __future__ import annotations

import sys

import numpy as np

from staticpy import f64
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0, 4.0])
RATE = 0.25
LIMITS = (1, 10)
USE_SQUARES = True
TABLE = {"low": -1.0, "high": 1.0}

try:
    import a_package_that_does_not_exist as fast
except ImportError:
    fast = None


# A walrus in an `if`, read afterwards.
@case((10,), (3,))
def walrus_in_an_if(n: int):
    if (half := n // 2) > 2:
        return half
    return -half


# A walrus in one branch of a conditional expression only.
@case((1,), (-1,))
def walrus_in_a_conditional_expression(n: int):
    result = (twice := n * 2) if n > 0 else 0
    return result + twice


# A walrus behind `and`: bound only where the left side is true.
@case((4,), (0,))
def walrus_behind_and(n: int):
    if n > 0 and (root := n**0.5) > 1.0:
        return root
    return root


# Several walruses in one expression, in order.
@case((3,))
def walruses_in_order(n: int):
    total = (a := n + 1) * 100 + (b := a + 1) * 10 + (a := b + 1)
    return total, a, b


# A walrus among the arguments of a call.
@case((X,))
def walrus_in_a_call(x: f64["n"]):
    low = np.minimum(y := x * 2.0, 1.0)
    return low, y


# A walrus in an index and in a tuple.
@case((X, 1))
def walrus_in_an_index(x: f64["n"], n: int):
    first = x[(k := n + 1)]
    return first, (k, m := k + 1), m


# Assignments in a chain bind from left to right.
@case((5,))
def chained_assignment(n: int):
    a = b = c = n + 1
    b += 1
    return a, b, c


# A chain of a name and a pattern.
@case((1, 2))
def chained_targets(a: int, b: int):
    pair = first, second = a + b, a - b
    return pair, second, first


# The right side is evaluated before anything is bound.
@case((1, 2, 3))
def rotation(a: int, b: int, c: int):
    a, b, c = b, c, a
    a, b = b, a
    return a, b, c


# Targets are bound from left to right.
@case((1,))
def targets_from_left_to_right(n: int):
    i, j = n, n + 1
    i, (j, i) = j + 10, (i + 20, 7)
    return i, j


# A starred target at each place.
@case((1, 2, 3, 4))
def starred_targets(a: int, b: int, c: int, d: int):
    first, *rest = a, b, c, d
    *most, last = a, b, c, d
    head, *middle, tail = a, b, c, d
    x, *empty = (a,)
    return first, rest, most, last, head, middle, tail, x, empty


# A starred target nested in another.
@case((1, 2, 3))
def nested_starred_target(a: int, b: int, c: int):
    (first, *others), *outer = (a, b, c), b, c
    return first, others, outer


# A list is unpacked, a list of targets.
@case((1, 2))
def unpacked_list(a: int, b: int):
    [x, y] = [a + 1, b + 1]
    (z,) = [x * y]
    return z, x, y


# An array is unpacked into its elements.
@case((X[:3],))
def unpacked_array(x: f64[3]):
    a, b, c = x
    return a + b * c


# A shape is unpacked.
@case((X.reshape(2, 2),), (X.reshape(4, 1),))
def unpacked_shape(x: f64["m", "n"]):
    rows, columns = x.shape
    return rows * 10 + columns


# Too many values, too few values: ValueError.
@case((1,), (2,), (3,))
def unpacking_of_a_wrong_length(n: int):
    x = np.zeros(n)
    a, b = x
    return a + b


# Annotations of locals, with a value and without.
@case((2, 0.5))
def annotated_locals(n: int, x: float):
    count: int = n + 1
    scale: float
    scale = x * count
    total: "float" = scale + 1
    return total, count


# A name that is annotated only has no value.
@case((1,), (0,))
def annotated_without_a_value(n: int):
    result: int
    if n:
        result = n
    return result


# `del` of a parameter, of several names, of a tuple of names.
@case((1, 2, 3))
def del_of_names(a: int, b: int, c: int):
    d = a + b + c
    del a
    del (b, c)
    a = d * 2
    return a, d


# Read after `del`: UnboundLocalError.
@case((1,))
def read_after_del(n: int):
    value = n
    del value
    return value


# `del` in a branch.
@case((1,), (0,))
def del_in_a_branch(n: int):
    value = n + 1
    if n:
        del value
    return value


# `del` of what has no value.
@case((1,), (0,))
def del_of_an_unbound_name(n: int):
    if n:
        value = n
    del value
    return n


# A name bound again after `del`.
@case((3,))
def bound_again_after_del(n: int):
    value = n
    del value
    value = n * 0.5
    return value


# Imports inside, plain, by another name, and from a module.
@case((2.25,), (0.0,))
def imports_inside(x: float):
    import math
    import math as m
    from math import floor as down, pi

    return math.sqrt(x), m.ceil(x), down(x) + pi


# A dotted import inside.
@case((X,))
def dotted_import_inside(x: f64["n"]):
    import numpy.linalg

    return numpy.sum(x), numpy.linalg is np.linalg


# An import in a branch that a compile-time condition takes.
@case((4.0,))
def conditional_import(x: float):
    if sys.version_info >= (3, 8):
        from math import sqrt as root
    else:
        from cmath import sqrt as root
    return root(x)


# What Python says of its own numbers.
@case((4.0,), (-0.0,))
def numbers_of_python(x: float):
    info = sys.float_info
    return min(x, info.max), x + sys.float_info.epsilon, info[3], len(info), sys.int_info


@case((4.0,))
def numbers_that_python_has_not(x: float):
    return x + sys.float_info.eps


# A module that is there or not, decided when the file was imported.
@case((4.0,), (-4.0,))
def optional_module(x: float):
    if fast is not None:
        return fast.run(x)
    return abs(x)


# An import in a branch that a run-time condition takes.
@case((1,), (0,))
def import_in_a_run_time_branch(n: int):
    if n:
        import math

        return math.factorial(n + 3)
    return n


# Globals are read, in nested functions too.
@case((3,))
def reads_of_globals(n: int):
    low, high = LIMITS

    def inside(value):
        return low <= value <= high

    return inside(n), inside(n * 5), n * RATE + TABLE["high"]


# A `global` statement for a name that is only read.
@case((3.0,))
def global_statement(x: float):
    global RATE, USE_SQUARES
    if USE_SQUARES:
        return x * x * RATE
    return x * RATE


# A local name hides a global, in all of the function.
@case((1,), (0,))
def local_hides_a_global(n: int):
    if n:
        RATE = 2.0
    return RATE * n


# Chained comparison evaluates its middle once.
def bumped(values):
    values.append(len(values))
    return values[-1]


@case((0, 2), (1, 0), (-1, 5))
def middle_is_evaluated_once(a: int, b: int):
    calls = []
    inside = a <= bumped(calls) + bumped(calls) < b
    return inside, calls


# A chain stops at the first that is false.
@case((3, 0), (0, 0), (3, 2))
def chain_stops_early(a: int, b: int):
    return a < 2 < 10 // b


# A chain of mixed comparisons.
@case((1, 2, 2), (2, 2, 1), (1, 1, 1))
def chain_of_mixed_comparisons(a: int, b: int, c: int):
    return a <= b == c, a < b >= c != a, not a < b < c


# Augmented assignment of every operator.
@case((13, 3), (-13, 4))
def augmented_assignments(a: int, b: int):
    a += b
    a -= 1
    a *= b
    a //= 2
    a %= 1000
    a <<= b
    a >>= 1
    a |= 64
    a &= 0xFFF
    a ^= b
    c = float(a)
    c /= b
    c **= 2
    return a, c


# An expression that stands alone may raise.
@case((0,), (2,))
def expression_statement_raises(n: int):
    10 // n
    return n


# Statements on one line.
@case((2,))
def several_statements_on_a_line(n: int):
    a = n
    b = a + 1
    c = b * 2
    if a < b:
        c += 1
    for i in range(n):
        c += i
    return a, b, c


# A parameter is bound again with another type.
@case(call(3), call(n=4))
def parameter_bound_again(n: int):
    n = n * 0.5
    n = np.full(2, n)
    n = n.sum()
    return n


# Names that differ only in case, and names of other alphabets.
@case((1.5,))
def names_of_other_alphabets(x: float):
    α = x * 2.0
    X = α + 1.0
    größe = X - x
    return α, X, größe


# Underscores are ordinary names.
@case((1, 2, 3))
def underscores(a: int, b: int, c: int):
    _, middle, _ = a, b, c
    __ = _ + middle
    return _, __
