"""Three boxes: a Python scalar, a NumPy scalar and a 0-d array are three different things."""

from __future__ import annotations

import numpy as np

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.array([1.5, -2.0, 4.0])
ZERO_D = np.array(2.5)


# Each box comes back as it went in.
@case(
    (2.5,), (np.float64(2.5),), (np.array(2.5),), (np.array([2.5]),), (3,), (np.int64(3),), (True,)
)
def identity(x):
    return x


# Arithmetic on a 0-d array gives a NumPy scalar.
@case((ZERO_D,))
def arithmetic_unboxes(x: f64[()]):
    return x + 1, -x, x * x, np.sqrt(x), x > 1


# Copies and views of a 0-d array are 0-d arrays.
@case((ZERO_D,))
def views_of_a_0d_array(x: f64[()]):
    return x[...], x.copy(), x.T, x.reshape(()), x.astype(np.float32), np.asarray(x)


# Indexing with () gives a NumPy scalar.
@case((ZERO_D,))
def empty_index_unboxes(x: f64[()]):
    return x[()]


# A NumPy scalar and a Python scalar.
@case((np.float64(2.5), 2), (np.float64(-0.0), 0))
def numpy_and_python_scalars(x: np.float64, n: int):
    return x + n, n + x, x * n, n - x


# A Python scalar with a Python scalar stays one.
@case((2.5, 2))
def python_scalars(x: float, n: int):
    return x + n, n * n, n / 2, x > n


# Reductions of arrays give NumPy scalars, with keepdims arrays.
@case((X,))
def reductions_give_numpy_scalars(x: f64["n"]):
    return x.sum(), x.max(), x.mean(), x.argmax(), x.any(), x.sum(keepdims=True)


# A reduction of a 0-d array too.
@case((ZERO_D,))
def reductions_of_a_0d_array(x: f64[()]):
    return x.sum(), x.max(), np.mean(x)


# float(), int(), bool() and item() give Python scalars, whatever the box.
@case((np.float64(2.5),), (np.array(2.5),), (2.5,))
def conversion_to_python(x):
    return float(x), int(x), bool(x)


@case((np.float32(2.5),), (np.array(7),), (np.array([[True]]),))
def item_gives_python_scalars(x):
    return x.item()


# An array of one element converts where it is 0-d; else TypeError or a value, as in NumPy.
@case((X, 1), (X, 2))
def elements_to_python(x: f64["n"], i: int):
    return int(x[i]), float(x[i]), bool(x[i])


# np.float32() and the like make NumPy scalars.
@case((2.7, 300), (-1.5, -1))
def numpy_types_as_functions(x: float, n: int):
    return np.float32(x), np.float64(n), np.int64(n), np.complex128(x), np.bool_(n)


# array() of a scalar is a 0-d array.
@case((2.5, 3))
def array_of_a_scalar(x: float, n: int):
    return np.array(x), np.asarray(n), np.array(np.float32(1.5))


# Functions of Python scalars give NumPy scalars.
@case((0.5, 2))
def functions_of_python_scalars(x: float, n: int):
    return np.sin(x), np.sqrt(n), np.maximum(x, n), np.add(n, n), np.abs(-n)


# A comparison gives a bool in the box of its operands.
@case((1, np.float64(1.0), ZERO_D))
def comparisons_by_box(n: int, x: np.float64, a: f64[()]):
    return n < 2, x < 2, a < 2, n == x


# `not` always gives Python's bool, and `and` one of its operands.
@case((np.float64(0.0),), (np.float64(3.0),))
def logic_by_box(x: np.float64):
    return not x, x and x + 1.0


# Booleans of NumPy add up to ints only when made so; `+` of two is a logical or.
@case((np.True_, np.True_), (np.True_, np.False_))
def numpy_bools(p: np.bool_, q: np.bool_):
    return p + q, p * q, p & q, p ^ q, p + 1, int(p) + int(q)


# A NumPy scalar has the attributes of an array.
@case((np.float64(2.5),))
def attributes_of_a_numpy_scalar(x: np.float64):
    return x.shape, x.ndim, x.size, x.T, x.sum()


# where() of scalars gives a 0-d array.
@case((True, 1.0, 2.0), (False, 1.0, 2.0))
def where_of_scalars(p: bool, x: float, y: float):
    return np.where(p, x, y)


# matmul of two vectors is a NumPy scalar.
@case((X, X + 1.0))
def product_of_vectors(x: f64["n"], y: f64["n"]):
    return x @ y, np.dot(x, y), x.dot(y)


# A 0-d array broadcasts like a scalar and promotes like an array.
@case((np.array(2.5), X.astype(np.float32)), (np.array(1e40), X.astype(np.float32)))
def a_0d_array_promotes(a: f64[()], x: f32["n"]):
    return a * x, x + a, a * 2


# A Python scalar doesn't.
@case((2.5, X.astype(np.float32)))
def a_python_scalar_is_weak(a: float, x: f32["n"]):
    return a * x, x + a, x * 2


# An array with one element is neither scalar nor 0-d.
@case((np.array([2.5]),))
def one_element(x: f64["n"]):
    return x + 1, x[0] + 1, x.sum(), x.reshape(())


# An integer 0-d array.
@case((np.array(7),))
def integer_0d_array(n: i64[()]):
    return n + 1, n // 2, n / 2, n[()], int(n)


# min and max of Python on NumPy scalars give one of them.
@case((np.float64(2.0), np.float64(-1.0)))
def builtin_min_of_numpy_scalars(x: np.float64, y: np.float64):
    return min(x, y), max(x, y), abs(y)


# round() of a NumPy scalar.
@case((np.float64(2.5),), (np.float64(-3.7),))
def round_of_a_numpy_scalar(x: np.float64):
    return round(x), round(x, 1)
