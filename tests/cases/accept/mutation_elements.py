"""Assignment to elements of arrays: one element, two at once, in branches, before an exception."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64, u8
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0, 3.0])
K = np.array([4, 1, 3, 2])
M = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


# One element is written: the caller sees it.
@case((X, 9.0), (X, -0.0))
def writes_one_element(x: f64["n"], value: float):
    x[0] = value
    return x


# A function may only write, and return nothing.
@case((X,))
def writes_and_returns_none(x: f64["n"]):
    x[1] = 5.0


# A negative index counts from the end; one too far is an IndexError.
@case((X, -1), (X, -4), (X, 3), (X, 4), (X, -5))
def writes_at_a_given_index(x: f64["n"], i: int):
    x[i] = 7.0
    return x


# The value is cast to the dtype of the array.
@case((K, 2.9), (K, -2.9))
def writes_a_float_into_ints(k: i64["n"], value: float):
    k[0] = value
    return k


# A bool and an int into floats.
@case((X, True, 3))
def writes_other_numbers_into_floats(x: f64["n"], flag: bool, n: int):
    x[0] = flag
    x[1] = n
    return x


# A Python int that does not fit: OverflowError.
@case((np.array([1, 2], dtype=np.uint8), 255), (np.array([1, 2], dtype=np.uint8), 256))
def writes_an_int_that_may_not_fit(x: u8["n"], value: int):
    x[0] = value
    return x


# Two elements swap, because an element of a vector is a scalar.
@case((X, 0, 2), (X, -1, 0), (X, 1, 1))
def swaps_two_elements(x: f64["n"], i: int, j: int):
    x[i], x[j] = x[j], x[i]
    return x, x.copy()


# Two rows do not: both are views.
@case((M,))
def swaps_two_rows_through_views(m: f64["m", "n"]):
    m[0], m[1] = m[1], m[0]
    return m


# A copy makes it a swap.
@case((M,))
def swaps_two_rows_with_a_copy(m: f64["m", "n"]):
    m[0], m[1] = m[1].copy(), m[0].copy()
    return m, m * 1.0


# Rows swap through an index list.
@case((M,))
def swaps_two_rows_by_an_index_list(m: f64["m", "n"]):
    m[[0, 1]] = m[[1, 0]]
    return m, m[0, 0]


# Targets are assigned from left to right: the last one stands.
@case((X, 0), (X, 1))
def assigns_one_element_twice(x: f64["n"], i: int):
    x[0], x[i] = 10.0, 20.0
    return x


# The index of the second target is read after the first was written.
@case((np.array([1, 0, 2]),), (np.array([2, 2, 2]),))
def an_index_that_changes_between_targets(k: i64["n"]):
    k[0], k[k[0]] = 2, 9
    return k


# A chain writes its value into each target.
@case((X, 4.5))
def chain_of_elements(x: f64["n"], value: float):
    x[0] = x[2] = y = value
    return x, y


# Augmented assignment to an element.
@case((X, 2), (X, 0), (X, -9))
def augments_an_element(x: f64["n"], i: int):
    x[i] += 10.0
    x[i] *= x[i]
    x[i] -= 0.5
    return x


# Augmented assignment to elements of ints: //, %, <<, |, **.
@case((K,))
def augments_elements_of_ints(k: i64["n"]):
    k[0] //= 3
    k[1] <<= 4
    k[2] **= 3
    k[3] |= 8
    k[0] %= 2
    return k


# A float is cast when it comes back into an element of ints.
@case((K,))
def augments_an_int_element_by_a_float(k: i64["n"]):
    k[0] += 0.75
    k[1] *= 2.5
    return k


# The index of an augmented assignment is evaluated once.
@case((X,))
def index_with_an_effect(x: f64["n"]):
    calls = []

    def where():
        calls.append(len(calls))
        return len(calls)

    x[where()] += 100.0
    return x, calls


# The value is computed before the index.
@case((X,))
def value_before_index(x: f64["n"]):
    order = []

    def noted(what, value):
        order.append(what)
        return value

    x[noted("index", 0)] = noted("value", 8.0)
    return x, order


# An element of a matrix by two numbers.
@case((M, 1, 2), (M, -1, -3), (M, 2, 0), (M, 0, 3))
def writes_in_a_matrix(m: f64["m", "n"], i: int, j: int):
    m[i, j] = -1.0
    m[i][j] -= 1.0
    return m


# A row of a matrix by one number: the value is broadcast.
@case((M, 0, 3.0), (M, 1, -3.0))
def writes_a_row(m: f64["m", "n"], i: int, value: float):
    m[i] = value
    return m, m.sum()


# An element that is read before and after.
@case((X,))
def reads_around_a_write(x: f64["n"]):
    before = x[0]
    x[0] = before + 1.0
    after = x[0]
    x[0] += after
    return before, after, x[0]


# A sum that is taken before a write keeps its value.
@case((X, 5.0))
def reduces_around_a_write(x: f64["n"], value: float):
    before = x.sum()
    x[-1] = value
    return before, x.sum()


# A branch writes, or does not.
@case((X, 1), (X, -1), (X, 0))
def writes_in_a_branch(x: f64["n"], n: int):
    if n > 0:
        x[0] = 100.0
    elif n < 0:
        x[-1] = -100.0
    return x * 2.0


# A condition reads what a branch before it wrote.
@case((X,), (-X,))
def conditions_read_what_was_written(x: f64["n"]):
    if x[0] > 0:
        x[1] = 50.0
    if x[1] > 10:
        x[2] = x[1] * 2
    else:
        x[2] = 0.0
    return x


# A write before an exception stays.
@case((X, 1), (X, 0), (X, 99))
def writes_before_an_exception(x: f64["n"], i: int):
    x[0] = 11.0
    if i == 0:
        raise ValueError("zero")
    x[i] = 12.0
    x[2] = 13.0
    return x


# A write after an early return does not happen.
@case((X, 1.0), (X, 0.0))
def returns_before_a_write(x: f64["n"], limit: float):
    if x[0] < limit:
        return x
    x[0] = -1.0
    return x


# A new array is filled, an argument is left alone.
@case((X,), (np.array([]),))
def fills_a_copy(x: f64["n"]):
    y = x.copy()
    for i in range(len(y)):
        y[i] = y[i] * i
    return y


# A conditional expression chooses the value, the index, or the array.
@case((X, 1), (X, 0))
def conditional_parts_of_a_write(x: f64["n"], n: int):
    y = np.zeros(4)
    x[1 if n else 2] = 5.0 if n else 6.0
    (x if n else y)[0] = 77.0
    return x, y


# An array of no dimensions is written through an empty index.
@case((np.array(1.5),))
def writes_a_0d_array(a: f64[()]):
    a[()] = 2.0
    a[...] += 1.0
    return a


# The element type is kept in single precision.
@case((np.array([1.0, 2.0], dtype=np.float32), 0.1))
def writes_in_single_precision(x: f32["n"], value: float):
    x[0] = value
    x[1] += value
    return x, x[0] == value


# Keyword arguments are written as well.
@case(call(x=X.copy(), i=1), call(X.copy()))
def writes_a_keyword_argument(x, i=0):
    x[i] = i
    return x


# A NumPy scalar is a value, not a view.
@case((X,))
def a_scalar_does_not_follow(x: f64["n"]):
    first = x[0]
    x[0] = 42.0
    return first, x[0]


# A walrus in an index and in a value.
@case((X, 1), (X, 2))
def walrus_in_a_write(x: f64["n"], n: int):
    x[(i := n - 1)] = (v := x[n] * 2.0)
    x[i] += (i := 0)
    return x, i, v


# The value comes before the index that binds its name: UnboundLocalError.
@case((X, 1))
def walrus_that_comes_too_late(x: f64["n"], n: int):
    x[(i := n + 1)] = x[i] * 2.0
    return x


# Complex numbers into complex arrays.
@case((np.array([1 + 1j, 2.0]), 3 - 4j))
def writes_complex_numbers(z, c):
    z[0] = c
    z[1] += 1j
    return z, z[0].real
