"""What no optimisation may change: buffers used again, merged and moved computations, folding."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f32, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0, 4.0])
M = np.arange(6.0).reshape(2, 3)
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 1.0])


# A buffer that a view still shows can't be written again.
@case((X,))
def view_of_a_temporary(x: f64["n"]):
    y = x * 2.0
    z = y[1:]
    w = y + 1.0
    return z, w * 3.0


# ... also where the view is a transpose, a row, or a reshape.
@case((M,))
def views_of_a_temporary_matrix(m: f64["m", "n"]):
    y = m * 2.0
    row, turned, flat = y[0], y.T, y.reshape(-1)
    z = y + 1.0
    return row + 0.5, turned * 2.0, flat - 1.0, z


# A temporary that is returned later on keeps its values.
@case((X,))
def temporary_that_is_returned(x: f64["n"]):
    y = x + 1.0
    z = y * 2.0
    w = z - y
    return w, y


# An argument is never a buffer.
@case((X, X + 1.0))
def arguments_are_not_buffers(x: f64["n"], y: f64["n"]):
    z = x * y
    z = z + x
    z = np.tanh(z)
    return z - y


# A result may be smaller than what it is broadcast to.
@case((np.array([1.0, 2.0]), np.array([3.0])), (np.array([3.0]), np.array([1.0, 2.0])))
def broadcast_decides_about_buffers(x: f64["n"], y: f64["m"]):
    a = x + 1.0
    b = y * 2.0
    c = a * b
    return c + a


# A comparison needs another buffer than its operands; a cast too.
@case((X,))
def buffers_of_other_dtypes(x: f64["n"]):
    y = x + 1.0
    positive = y > 0.0
    small = y.astype(np.float32)
    return positive, small * 2, y - 1.0, (y * 2.0).astype(np.int64)


# Integer and float temporaries of one size.
@case((np.array([3, 4, 5]),))
def buffers_of_one_size_and_two_kinds(n: i64["n"]):
    a = n + 1
    b = a / 2
    c = a * 3
    return b + c, c // 2


# The old value of a carried array is still needed.
@case((X, 3), (X, 1), (X, 0))
def previous_value_of_a_carried_array(x: f64["n"], steps: int):
    previous = x * 0.0
    for _ in range(steps):
        previous = x
        x = x * 0.5 + 1.0
    return previous, x


# A history of three.
@case((X, 5), (X, 2))
def history_of_carried_arrays(x: f64["n"], steps: int):
    a, b, c = x, x * 2.0, x * 3.0
    for i in range(steps):
        a, b, c = b, c, a - b * 0.5 + i
    return a, b, c


# A view of what the loop carried before.
@case((X, 3), (X, 0))
def view_of_a_carried_array(x: f64["n"], steps: int):
    first = x[:1]
    for _ in range(steps):
        first = x[:1]
        x = x + 1.0
    return first, x


# An invariant of a loop is computed in each trip: two trips give two arrays.
@case((X, 3), (X, 2))
def invariant_array_of_a_loop(x: f64["n"], steps: int):
    before = x * 0.0
    y = x * 0.0
    for _ in range(steps):
        before = y
        y = x + 1.0
    return before, y


# An array that is made in each trip is new in each trip.
@case((4,), (2,))
def constructor_in_a_loop(steps: int):
    a = np.zeros(2)
    b = np.zeros(2)
    for _ in range(steps):
        a = b
        b = np.ones(2)
    return a, b


# A function of the same operands twice, once to be returned and once to be used.
@case((X,))
def merged_computations(x: f64["n"]):
    a = np.exp(x) + 1.0
    b = np.exp(x) * 2.0
    c = np.exp(x)
    return a, b, c, np.exp(x)


# A scalar may be computed once.
@case((X,))
def merged_scalars(x: f64["n"]):
    return x.sum() * x.sum(), x / x.sum(), x.sum()


# Identities that hold for numbers and not for floats.
@case((SPECIAL,), (X,))
def float_identities(x: f64["n"]):
    return x - x, x * 0.0, x / x, x + 0.0, 0.0 - x, -x, x == x, x * 1.0


@case((SPECIAL,))
def more_float_identities(x: f64["n"]):
    return -(-x), x + x, x * 2.0, (x + 1.0) - 1.0, x**1, x**0, np.maximum(x, x), abs(abs(x))


# The negation of a comparison is not the opposite comparison.
@case((SPECIAL, 0.0), (X, 0.5))
def negated_comparisons(x: f64["n"], y: float):
    return ~(x < y), x >= y, ~(x == y), x != y


@case((float("nan"), 1.0), (2.0, 1.0))
def negated_scalar_comparisons(x: float, y: float):
    if not x < y:
        return not x >= y, x < y
    return x >= y, not x < y


# Identities of ints change the type of a bool.
@case((True,), (7,), (2**70,))
def int_identities(n):
    return n + 0, n * 1, n - 0, n // 1, n | 0, n ^ 0, +n, n << 0, n * 0


# Identities of small integers keep the dtype.
@case(
    (np.array([1, 200], dtype=np.uint8),),
    (np.array([True, False]),),
    (np.array([1.5], np.float32),),
)
def array_identities(x):
    return x + 0, x * 1, x + x * 0, x**1


# Constants are folded as Python computes them.
@case((1.0,))
def folded_python_constants(x: float):
    return 0.1 + 0.2 + x, 1 / 3, -7 // 2, -7 % 3, 10**20 + 1, 1 << 70, 2**-1, True + True, 7 & -2


# ... and as NumPy does.
@case((np.float32(1.0),))
def folded_numpy_constants(x: np.float32):
    small = np.float32(0.1)
    return small + 1, small + x, np.float64(0.1) + 0.2, np.int8(100) // 7, np.pi * x, np.sqrt(2)


# A constant expression that raises does so only where it is reached.
@case((0,), (1,))
def constant_that_raises(n: int):
    if n:
        return 1 // 0
    return 2


# Operations on constants keep their box.
@case((X.astype(np.float32),))
def constants_and_arrays(x: f32["n"]):
    scale = 2
    scale = scale * 0.5
    return x * scale, x * np.float64(scale), x * (scale + 1j)


# A branch on a constant after folding.
@case((3,), (5,))
def folded_branches(n: int):
    total = 0
    for k in (1, 2, 3):
        if k % 2 == 0:
            total += n
        elif k > 2 and n > 4:
            total += 100
    return total


# A computation that only one branch needs.
@case((X, 0), (X, 1))
def computation_for_one_branch(x: f64["n"], n: int):
    y = np.sqrt(np.abs(x))
    z = y * 2.0
    if n:
        return z + y
    return x - 1.0


# A long chain of operations.
@case((X,), (X[:0],))
def long_chain(x: f64["n"]):
    y = x + 1.0
    for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
        y = np.sin(y) * k + np.cos(y) / k - y * 0.25
    return y


# Overlapping slices of one array.
@case((X,), (X[:2],))
def overlapping_slices(x: f64["n"]):
    y = x * 2.0
    return y[1:] - y[:-1] + x[1:], y[::-1] + y


# The same array twice as operand.
@case((X,))
def one_array_as_both_operands(x: f64["n"]):
    y = x + 1.0
    y = y * y
    y = y - y / (y + y)
    return np.where(y > 1.0, y, y * y)


# Temporaries of operands in another order of memory.
@case((M.T,), (np.asfortranarray(M),))
def operands_in_another_order(m: f64["m", "n"]):
    y = m * 2.0
    z = y + np.ones((1, 1))
    return z.sum(axis=0), z.ravel(), (z @ z.T).sum(), z.T.reshape(-1)


# Where both sides of a condition compute the same.
@case((X, 1), (X, 0))
def the_same_in_both_branches(x: f64["n"], n: int):
    if n:
        y = x * 2.0
        z = y + 1.0
    else:
        y = x * 2.0
        z = y - 1.0
    return y, z


# A mask that is used three times.
@case((X, X > 0.0))
def mask_used_again(x: f64["n"], mask: b1["n"]):
    y = np.where(mask, x, 0.0)
    z = np.where(mask, -x, y)
    return y.sum(), z, mask & (z < 0.0), ~mask


# Nobody reads the product, but sizes that don't fit are an error all the same.
@case((np.ones(3), np.ones(3)), (np.ones(2), np.ones(3)), (np.ones(1), np.ones(3)))
def unread_product(x: f64["n"], y: f64["m"]):
    for _ in range(2):
        z = x * y
    z = x + 1.0
    return z
