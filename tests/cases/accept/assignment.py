"""Assignment: names, chains, tuples of targets, augmented assignment to a name."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

ROW = np.array([1.0, -2.0, 0.5])


# A name keeps what was assigned last.
@case((3,), (-3,))
def rebinds_a_name(n: int):
    value = n + 1
    value = value * 2
    return value


# The target is bound after the right side is evaluated.
@case((5,), (-1,))
def reads_the_old_value_on_the_right(n: int):
    n = n * n - n
    return n


# A chain evaluates its right side once, and binds each target to it.
@case((2.5,), (-0.0,))
def chained_assignment(x: float):
    a = b = c = x * 2.0
    return a, b, c


# A chain of targets over an array binds one array to two names.
@case((ROW,))
def chained_assignment_of_an_array(x: f64["n"]):
    a = b = x + 1.0
    return a, b


# A tuple on both sides swaps.
@case((1, 2), (7, 7))
def swaps_two_numbers(a: int, b: int):
    a, b = b, a
    return a, b


# Arrays are swapped as objects: no element moves.
@case((ROW, ROW + 1.0))
def swaps_two_arrays(x: f64["n"], y: f64["n"]):
    x, y = y, x
    return x, y


# All of the right side is evaluated before the first target is bound.
@case((1, 2, 3), (0, 0, 5))
def rotates_three(a: int, b: int, c: int):
    a, b, c = b, c, a + b
    return a, b, c


# Targets nest as the value does.
@case(
    (1, 2.0, 3),
)
def nested_targets(a: int, b: float, c: int):
    (x, y), z = (a, b), c
    return x, y, z


# A list of targets is a tuple of targets.
@case(
    (4, 5),
)
def list_of_targets(a: int, b: int):
    [x, y] = a, b
    return x - y


# A tuple that is an argument comes apart.
@case(((1, 2.0),), ((-4, 0.25),))
def unpacks_an_argument(pair: tuple[int, float]):
    count, scale = pair
    return count * scale


# An array comes apart along its first axis: NumPy scalars out of a vector.
@case((np.array([3.0, 4.0]),), (np.array([0.0, -0.0]),))
def unpacks_a_vector(x: f64["n"]):
    a, b = x
    return a, b


# Rows come out of a matrix, as views.
@case((np.array([[1, 2], [3, 4]]),))
def unpacks_a_matrix(x: i64["m", "n"]):
    top, bottom = x
    return top, bottom


# Too few or too many elements: ValueError.
@case((np.array([1.0, 2.0, 3.0]),), (np.array([1.0]),), (np.array([1.0, 2.0]),))
def unpacks_a_vector_of_the_wrong_length(x: f64["n"]):
    a, b = x
    return a + b


# Names bound by a chain with a tuple among its targets.
@case(
    (1, 2),
)
def chain_with_a_tuple_of_targets(a: int, b: int):
    pair = x, y = a + b, a - b
    return pair, x, y


# Augmented assignment of Python ints, by every operator that gives an int.
@case((13, 4), (-13, 4), (13, -4))
def augmented_assignment_of_ints(n: int, k: int):
    a = b = c = d = n
    a += k
    b -= k
    c *= k
    d //= k
    n %= k
    return a, b, c, d, n


# The operators on bits, as augmented assignment.
@case((0b1100, 0b1010), (-1, 7))
def augmented_assignment_of_bits(n: int, mask: int):
    a = b = c = d = e = n
    a &= mask
    b |= mask
    c ^= mask
    d <<= 3
    e >>= 1
    return a, b, c, d, e


# Augmented assignment of floats.
@case((7.5, 2.0), (-7.5, 2.0))
def augmented_assignment_of_floats(x: float, y: float):
    a = b = c = d = e = x
    a += y
    b -= y
    c *= y
    d /= y
    e //= y
    x %= y
    return a, b, c, d, e, x


# On a NumPy scalar, augmented assignment rebinds: the other name keeps its value.
@case((np.float64(1.5),), (np.float64(-0.0),))
def augmented_assignment_rebinds_a_scalar(x: np.float64):
    y = x
    y += 1
    return x, y


# On a Python number too.
@case((10,), (0,))
def augmented_assignment_leaves_the_other_name(n: int):
    m = n
    m += 1
    m *= 2
    return n, m


# An annotation on a local variable changes nothing.
@case((3,))
def annotated_assignment(n: int):
    half: float = n / 2
    count: int = n
    return half, count


# An underscore is a name like any other.
@case(
    (1, 2),
)
def underscore_is_a_name(a: int, b: int):
    _, b = a, a + b
    return _ + b


# A name may take a value of another type where its old value is not read any more.
@case((7,), (-7,))
def rebinds_with_another_type(n: int):
    value = n + 1
    value = value / 2
    value = (value, n)
    return value


# A parameter is a local variable.
@case(
    (ROW, 2.0),
)
def rebinds_a_parameter(x: f64["n"], scale: float):
    x = x * scale
    x = x - x.mean()
    return x
