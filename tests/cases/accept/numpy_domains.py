"""NumPy's functions whose type depends on the numbers, polynomials, and rarer arguments."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev, legendre, polynomial

from staticpy import f32, f64, i64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])
M = np.arange(12.0).reshape(3, 4) % 5 - 1
K = np.array([3, -1, 2])


# --- numbers that may be complex ------------------------------------------------------------------


# One negative number makes all of them complex.
@case((X,), (np.abs(X),), (X[:0],))
def roots_of_any_sign(x: f64["n"]):
    root = np.emath.sqrt(x)
    return root, (root * 2).sum(), np.emath.log(x * x), root.real


@case((X.astype("f4"),), (np.abs(X).astype("f4"),))
def roots_in_single_precision(x: f32["n"]):
    return np.emath.sqrt(x), np.emath.log2(x), np.emath.arccos(x / 8)


@case((K, 2.0), (K, -2.0), (np.abs(K), 0.5))
def powers_and_logarithms(k: i64["n"], base: float):
    return np.emath.power(k, base), np.emath.power(k, 2), np.emath.logn(2, k), np.emath.log10(-100)


@case((-1.0,), (4.0,), (-0.0,))
def root_of_a_number(x: float):
    return np.emath.sqrt(x), np.lib.scimath.sqrt(x) + 1, np.emath.arctanh(x / 8)


# --- polynomials, by the modules of numpy.polynomial ----------------------------------------------


@case((X, K), (X, np.array([1, 0, 1])))
def polynomials_of_modules(x: f64["n"], c: i64["k"]):
    return (
        polynomial.polyval(x, c), polynomial.polyder(c), polynomial.polyint(c, k=[1]),
        polynomial.polymul(c, [1, 2]), polynomial.polydiv(c, [1, 2]), polynomial.polyroots(c),
        polynomial.polyvander(x, 2), polynomial.polyfit(x, x * x, 2), chebyshev.chebval(x, c),
    )  # fmt: skip


# The nodes and weights of Gauss's rule, which integrates polynomials exactly.
@case((2,), (5,))
def integral_by_a_rule(n: int):
    nodes, weights = legendre.leggauss(n)
    return nodes, weights, np.sum(weights * nodes**2)


# --- rarer arguments ------------------------------------------------------------------------------


@case((M, X))
def sums_of_products(m: f64["m", "n"], x: f64["n"]):
    return (
        np.einsum(m, [0, 1], x, [1], [0]), np.einsum(m, [..., 0], x, [0]),
        np.einsum("ij,j->ij", m, x, order="F"), np.einsum("ij->j", m, dtype=np.float32, casting="unsafe"),
        np.vecdot(m, x, keepdims=True), np.vecdot(m, m, axis=0),
    )  # fmt: skip


# As many items as are asked for are taken, and no more.
@case((3,), (0,), (9,), (-1,), (-2,))
def items_that_are_counted(count: int):
    source = (k * k for k in range(5))
    return np.fromiter(source, dtype=float, count=count), list(source)


@case((M,), (np.asfortranarray(M),))
def parts_by_slices(m: f64["m", "n"]):
    return (
        np.delete(m, slice(None, None, 2), axis=1), np.delete(m, np.s_[1:], axis=0),
        np.insert(m, slice(0, 2), 7.0, axis=1), np.pad(m, {-1: (1, 2)}), np.pad(m, {0: 1}, mode="edge"),
    )  # fmt: skip


@case((M,), (M[:, ::-1],))
def one_axis_after_the_other(m: f64["m", "n"]):
    sums = np.apply_over_axes(np.sum, m, [0, 1])
    return sums, np.apply_over_axes(np.median, m, -1), np.apply_over_axes(np.max, m, (1,))


@case((M,))
def counts_in_boxes(m: f64["m", "n"]):
    counts, edges = np.histogramdd((m[0], m[1], m[2]), bins=(2, 3, 2))
    weighed, _ = np.histogramdd(m, bins=[2, 2, 2, 2], weights=m[:, 0])
    return counts, edges, weighed.sum(), edges[1][0]


# The place of an element, as an index.
@case((M,), (M - 10,))
def at_the_first_place(m: f64["m", "n"]):
    places = np.argwhere(m > 1)
    if len(places) == 0:
        return None
    m[tuple(places[0])] += 100.0
    return m, m[tuple(places[-1])]


@case((M,), (M[:, ::2],))
def bytes_turned_in_place(m: f64["m", "n"]):
    row = m[0]
    same = m.byteswap(inplace=True)
    return same is m, row.byteswap()


# What is drawn goes into the array.
@case((3,))
def drawn_into_an_array(seed: int):
    rng = np.random.default_rng(seed)
    out = np.zeros((2, 3))
    row = rng.standard_normal(out=out[0])
    rng.random(out=out[1])
    row += 1.0
    return out, rng.permuted(out, axis=1, out=out), rng.random()


# A list of arrays of several ranks and dtypes stays one of these, in this order.
@case((K, M, X), (np.abs(K), M, X))
def sequences_of_several_types(k: i64["m"], m: f64["m", "n"], x: f64["n"]):
    return np.linalg.multi_dot([k, m, x]), np.lexsort([x[:3], k]), np.linalg.multi_dot((m.T, m, x))


# Lists of numbers of the run stand for arrays, of other sizes than those beside them.
@case((M, X), (M * 2, X[::-1]))
def lists_of_other_sizes(m: f64["m", 4], x: f64["n"]):
    a, b = x[0], float(x[1])
    chain = np.linalg.multi_dot([[[1.0, a, b]], m, [[a], [b], [0.5], [2.0]]])
    weights = [[a, 1.0, 2.0, 3.0], [4.0, 5.0, b, 6.0], [1.0, 1.0, 1.0, 1.0]]
    return chain, np.linalg.inv([[a, 1.0], [b, 4.0]]), np.average(m, weights=weights)
