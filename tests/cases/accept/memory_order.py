"""How arrays lie in memory: row by row or column by column, and bytes read as another dtype."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

M = np.arange(6.0).reshape(2, 3)
F = np.asfortranarray(M)
PART = np.arange(24.0).reshape(4, 6)[::2, ::-3]
LAYOUTS = ((M,), (F,), (PART,), (M[:0],), (M[:, :1],))


# Every order that a copy can have, whatever the order of what is copied.
@case(*LAYOUTS)
def copies_in_an_order(m: f64["m", "n"]):
    copies = (m.copy("F"), m.copy(order="C"), m.copy("A"), np.copy(m, order="F"), np.copy(m))
    return copies, [each.strides for each in copies]


# The strides of axes of size 1 in front, of what lies in both orders.
@case((np.arange(4.0),), (np.arange(8.0)[::-2],), (np.zeros(0),))
def axes_in_front_in_an_order(x: f64["n"]):
    rows = np.array(x, order="C", ndmin=3), np.array(x, order="K", ndmin=3)
    columns = np.array(x, order="F", ndmin=3), np.array([x[:0], x[:0]], order="F", ndmin=3)
    return [each.strides for each in (*rows, *columns)]


# The array itself is returned where it lies as it is asked to; a write to it is then seen.
@case(*LAYOUTS)
def itself_or_a_copy(m: f64["m", "n"]):
    columns, rows = np.asarray(m, order="F"), np.asarray(m, order="C")
    same = m.astype(m.dtype, order="F", copy=False)
    columns += 1.0
    same *= 2.0
    return columns, rows, same, columns.strides, rows.strides, np.asanyarray(m, order="A")


@case(*LAYOUTS)
def arrays_in_an_order(m: f64["m", "n"]):
    made = np.array(m, order="F"), np.array(m, order="C", ndmin=3), np.array(m, order="A")
    cast = m.astype("f4", order="F"), m.astype("i4", "C"), np.array(m, "f4", order="F")
    return made, cast, [each.strides for each in (*made, *cast)]


# Where a copy would be needed and is not allowed, NumPy raises.
@case(*LAYOUTS)
def never_a_copy(m: f64["m", "n"]):
    return np.array(m, order="F", copy=False)


@case((2,), (0,))
def new_arrays_by_columns(n: int):
    made = np.zeros((n, 3), order="F"), np.ones((3, n), "i4", "F"), np.full((n, 3), 1.5, order="F")
    lists = np.array([[1, 2], [3, 4]], order="F"), np.asarray([[1.5, 2.0]], order="F")
    return made, lists, np.eye(n, 3, order="F"), [each.strides for each in (*made, *lists)]


# The order of a result comes from that of its operands, as does the order that a sum runs along.
@case(*LAYOUTS)
def orders_meet(m: f64["m", "n"]):
    columns = np.zeros(m.shape, order="F")
    both = (columns + 1.0) * 3.0
    mixed = (columns + 1.0) * (m + 2.0)
    cast = m.astype("f4", order="F") + np.float32(1)
    return both, mixed, cast, both.strides, mixed.strides, cast.strides, both.flags.f_contiguous


@case(*LAYOUTS)
def like_another_array(m: f64["m", "n"]):
    made = (
        np.zeros_like(m), np.zeros_like(m, order="F"), np.ones_like(m, int, "C", subok=False),
        np.full_like(m, 7, order="A"), np.zeros_like(m, shape=(3, 2)), np.ones_like(m, shape=4),
        np.full_like(m, 2, shape=m.shape[::-1]), np.zeros_like(m, shape=(), dtype="i2"),
    )  # fmt: skip
    return made, [each.strides for each in made], np.empty_like(prototype=m, shape=(5, 1)).shape


@case((M, 4), (F, 0), (M, -1))
def like_another_array_of_run_time_sizes(m: f64["m", "n"], k: int):
    return np.zeros_like(m, shape=(k, m.shape[1]), order="F")


@case(*LAYOUTS)
def flags_and_strides(m: f64["m", "n"]):
    columns = m.T
    known = m.flags["C_CONTIGUOUS"], m.flags["F"], m.flags.writeable, m.flags.forc, m.flags.fnc
    if columns.flags["F_CONTIGUOUS"]:
        columns = columns + 1.0
    return known, columns, columns.strides[0], np.broadcast_to(m[:1], m.shape).flags.writeable


@case(*LAYOUTS)
def contiguous_of_a_dtype(m: f64["m", "n"]):
    rows, columns = np.ascontiguousarray(m, dtype="f4"), np.asfortranarray(m, "f8")
    columns[...] = 0.0
    return rows, columns, rows.strides, columns.strides, np.require(m, "f4", ["F", "W"]).strides


# The bytes of an array as numbers of another kind: one memory, so that writes are seen through both.
@case(*LAYOUTS)
def bits_of_floats(m: f64["m", "n"]):
    bits = m.view(np.int64)
    signs = bits >> 63
    bits &= 0x7FFF_FFFF_FFFF_FFFF
    back = bits.view("f8")
    back += 1.0
    return m, bits, signs, back


@case((M,), (PART,), (M[:, :1],), (M[:0],))
def bits_of_other_sizes(m: f64["m", "n"]):
    halves = m.view("u4")
    halves[..., 0] = 7
    return m, halves


@case((np.arange(4.0),), (np.arange(5.0),), (np.arange(8.0)[::2],), (np.zeros(0),))
def pairs_as_complex_numbers(x: f64["n"]):
    z = x.view(np.complex128)
    z *= 1j
    return x, z, z.view(float)


# The famous root: the bits of a float as an int.
def _inverse_root(x):
    bits = x.view(np.int32)
    guess = (0x5F3759DF - (bits >> 1)).view(np.float32)
    return guess * (1.5 - 0.5 * x * guess * guess)


@case((np.float32([1.0, 4.0, 0.25]),), (np.float32(16.0),))
def fast_inverse_root(x):
    return _inverse_root(x)


@case((np.array(2.5), np.array([3, 4])), (np.array(-0.0), np.array([1, 0])))
def views_of_other_boxes(x: f64[()], counts: i64["n"]):
    return x.view("i8"), x[()].view("i8"), counts.view(np.ndarray), counts.view(type=np.ndarray)


@case((M,), (F,))
def casts_by_a_rule(m: f64["m", "n"]):
    return m.astype("f4", casting="same_kind"), m.astype("c16", casting="safe", subok=False)


@case((M,), (np.arange(3),))
def dtype_in_words(x):
    return x.dtype.str, x.dtype.byteorder, x.dtype.isnative
