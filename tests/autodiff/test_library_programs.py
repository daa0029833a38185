"""Derivatives through NumPy's functions that take sequences of arrays or lists that have grown,
through series, and through what is real or complex by its numbers: compiled and plain, both ways,
beside central differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError, grad, hvp, jacfwd, jit
from tests.autodiff.test_gradients import slope

X = np.array([1.3, 0.7, 2.1, 0.4])
Program = Callable[[Any], Any]

_WEIGHTS = np.linspace(1.0, 2.0, 64)


def weighted(x: Any) -> Any:
    return np.sum(np.ravel(x) * _WEIGHTS[: x.size])


def blocks(x):
    return weighted(np.block([[np.outer(x, x), x[:, None]], [x * x, x[:1]]]))


def columns(x):
    return weighted(np.column_stack([x, np.outer(x, x), np.arange(4)]))


def depths(x):
    return weighted(np.dstack((np.outer(x, x), np.ones((4, 4)))))


def chosen(x):
    return weighted(np.choose(np.array([5, 1, 0, -1]), [x, x * x], mode="wrap"))


def selected(x):
    return weighted(np.select([x > 2, x > 0.5], [x * x, x], 3 * x))


def product_of_several(x):
    return np.linalg.multi_dot([x, np.outer(x, x), np.diag(x), x])


def arrays_in_place_of_lists(x):
    table = np.outer(x, np.sin(x))
    cube = np.stack([table, table.T, table * x])
    deep = np.outer(x, table).reshape((2, 2, 4, 4))
    total = weighted(np.concatenate(table)) + weighted(np.concatenate(cube, axis=-1))
    total += weighted(np.concatenate(deep, axis=None)[::-2]) + weighted(np.concat(deep, 1)[1])
    total += weighted(np.stack(table, axis=1)) + weighted(np.stack(cube, axis=-1)[0] ** 2)
    total += weighted(np.vstack(x)) + weighted(np.vstack(table)) + weighted(np.vstack(cube))
    total += weighted(np.hstack(x)) + weighted(np.hstack(table)) + weighted(np.hstack(cube) ** 2)
    return total


def arrays_in_place_of_lists_beside_each_other(x):
    table = np.outer(x, np.sin(x))
    cube = np.stack([table, table.T, table * x])
    deep = np.outer(x, table).reshape((2, 2, 4, 4))
    total = weighted(np.column_stack(x)) + weighted(np.column_stack(table))
    total += weighted(np.column_stack(cube)) + weighted(np.column_stack(deep)[1])
    total += weighted(np.dstack(x)) + weighted(np.dstack(table)) + weighted(np.dstack(cube) ** 2)
    return total + weighted(np.dstack(deep)[:, 1])


def chosen_of_rows(x):
    table = np.outer(x, np.sin(x))
    total = weighted(np.choose(np.array([[3, 1, 0, 2], [0, 0, 3, 1]]), table))
    total += weighted(np.choose(np.array([[5], [-1]]), table, mode="wrap")) + np.choose(2, x)
    return total + weighted(np.choose(np.array([0, 1, 2]), table[:, :1]))


def selected_of_rows(x):
    table = np.outer(x, np.sin(x))
    total = weighted(np.select(table > 0.5, table * x, 3.0 * x))
    total += weighted(np.select([table[0] > 1, table[1] > 0.2], table[2:]))
    return total + weighted(np.select(table[:2] > 0.5, [x * x, x]))


def list_that_is_a_variable(x):
    parts = [x, x * x]
    parts.append(np.sin(x))
    return weighted(np.column_stack(parts))


def windows(x):
    rows = np.lib.stride_tricks.sliding_window_view(x, 2)
    return weighted(rows.sum(axis=1) * x[1:])


def windows_of_sizes_found_by_running(x):
    table, size = np.outer(x, x * x), len(x) // 2
    window = np.lib.stride_tricks.sliding_window_view
    some = window(table, (size, size), axis=(0, 1))
    return weighted(np.einsum("abij,ij->a", some, table[:size, :size])) + weighted(
        window(x, (size,)).sum(axis=1)
    )


def numbers_side_by_side(x):
    total, squares, first = 0.0, [], []
    for t in range(len(x)):
        squares.append(x[t] ** 2)
        first.append(float(x[t]))
        total += np.sum(np.stack(squares) * np.hstack(first))
    return total + weighted(np.stack(squares, axis=-1))


def least_squares_by_one_side(x):
    table = np.vander(np.arange(1.0, 5.0), 2)
    line, residuals, _, _ = np.linalg.lstsq(table, x, rcond=None)
    of_table = np.linalg.lstsq(np.outer(x, [1.0, 2.0]) + table, np.ones(4))[0]
    return weighted(line) + residuals[0] + weighted(of_table)


def inserted(x):
    return weighted(np.insert(x, [1, 3], x[:2] * x[2]))


def counted(x):
    return weighted(np.histogram(np.arange(4.0), 3, weights=x * x)[0])


def bessel(x):
    return weighted(np.i0(5 * x))


def polynomial_of_roots(x):
    return weighted(np.poly(x)) + weighted(np.polymul(x, x[:2]))


def recurrent_states(x):
    states, h = [], x
    for _ in range(len(x)):
        h = np.tanh(1.1 * h)
        states.append(h)
    return weighted(np.stack(states)) + np.sum(np.vstack(states) ** 2)


def pieces_of_growing_sizes(x):
    pieces = []
    for t in range(len(x)):
        pieces.append(x[: t + 1] * t)  # noqa: PERF401 - a list that grows
    return weighted(np.concatenate(pieces))


def tables_side_by_side(x):
    tables = [np.outer(x, x[:2]) * t for t in range(len(x))]
    wide = np.hstack(tables) * 2 + np.concatenate(tables, axis=-1)
    return np.sum(wide**2) + np.sum(np.stack(tables, -1) ** 3) + np.sum(np.column_stack(tables))


def layers_of_lists(x):
    numbers, rows, tables, cubes = [], [], [], []
    for t in range(len(x)):
        numbers.append(x[t] * t)
        rows.append(x * x[t])
        tables.append(np.outer(x, x[: t + 1]))
        cubes.append(np.ones((2, 2, t + 1)) * x[t])
    squares = [np.outer(x, x) * t for t in range(len(x))]
    total = weighted(np.dstack(numbers)[0, 0]) + weighted(np.dstack(rows)[0, 2])
    total += np.sum(np.dstack(squares) ** 2) + weighted(np.dstack(cubes)[1, 1])
    total += weighted(np.block(numbers)) + weighted(np.block(rows) ** 2)
    return total + np.sum(np.block(tables) ** 2) + weighted(np.block(cubes)[0, 1])


def states_in_a_dict(x):
    states = {t: x * t for t in range(len(x))}
    return np.sum(np.stack(list(states.values()), axis=1) ** 2)


def states_that_are_written_to(x):
    states = []
    for t in range(len(x)):
        states.append(x * t)
        states[0][0] = x[1]
    kept = np.stack(states)
    states[1] *= 2
    return np.sum(kept**2) + np.sum(states[1] ** 2)


def items_of_an_array(x):
    items = list(x)
    items[0] = items[1] * items[2]
    last = items.pop()
    first, *rest = x
    return items[0] * last + first * rest[0] + sum(rest) + x.tolist()[1] ** 2


def rows_of_an_array(x):
    rows = list(np.outer(x, x))
    rows.reverse()
    return np.sum(rows[0] * rows[2]) + weighted(np.array(rows))


def in_order(x):
    return sum(v * i for i, v in enumerate(sorted(x))) * 1.0


def sorted_in_place(x):
    squares = [v * v for v in x]
    squares.sort(reverse=True)
    return squares[0] * squares[1]


def smallest_two(x):
    kept = []
    for v in x:
        kept.append(v)
        kept.sort()
        if len(kept) > 2:
            kept.pop()
    return kept[0] * kept[1] ** 2


def root_in_loop(x):
    y = np.emath.sqrt(x - 1)
    for _ in range(3):
        y = y * x
    return np.abs(y).sum()


def root_on_a_path(x):
    y = np.emath.sqrt(x - 0.1) if x[0] > 0 else x
    return (y.real**2).sum()


def root_of_root(x):
    def half(v, n):
        return v if n == 0 else half(np.emath.sqrt(v), n - 1)

    return np.abs(half(x - 1, 3)).sum()


def root_and_logarithm(x):
    y = np.emath.sqrt(x - 1)
    z = np.emath.log(x) + y * y
    return (z.real * x).sum()


def one_number(x):
    return np.emath.sqrt(x[0] - 1.0).imag + np.emath.sqrt(x[1] - 1.0).imag


def largest_root(x):
    return np.abs(np.roots(x)).max()


def eigenvalues(x):
    return np.sort(np.linalg.eigvals(np.outer(x, x) + np.diag(x)).real)[1]


def eigenvectors(x):
    values, vectors = np.linalg.eig(np.outer(x, x[::-1]) + np.diag(x))
    return np.sum(np.abs(vectors) * np.abs(values))


def rotating(x):
    _, vectors = np.linalg.eig(np.array([[0.3, -1.0], [1.0, 0.3]]) * x[:2] + np.diag(x[2:]))
    return np.sum(vectors.real * vectors.imag) + np.sum(vectors.imag**2)


def numbers_in_lists(x):
    chosen = np.choose([0, 1, 1, 0], [x, x * x])  # a list is no array to Python's ==
    total = weighted(chosen) + weighted(np.correlate(x, [1.0, 2.0]))
    total += weighted(np.compress((1, 0, 1, 1), x)) + np.trapezoid(x * x, [0.0, 1.0, 3.0, 4.0])
    return total + weighted(np.histogram(x, [0.0, 1.0, 3.0], weights=x)[0])


def null_vector(x):
    table = np.outer(x[:3], x) + np.vander(np.arange(3.0), 4)
    return weighted(np.linalg.svd(table)[2][-1] ** 2)


def inverse_by_all_vectors(x):
    u, s, vh = np.linalg.svd(np.outer(x, x[:2]) + np.vander(np.arange(4.0), 2))
    return weighted(vh.T @ (u[:, : len(s)] / s).T)


def counted_along_two_axes(x):
    places = np.arange(4.0)
    counts, _, edges = np.histogram2d(places, places[::-1], 2, density=True, weights=x * x)
    cells, _ = np.histogramdd((x, x * x, x), 2, density=True)
    return weighted(counts) + edges[0] + np.sum(cells**2)


def common_elements(x):
    return weighted(np.intersect1d(np.append(x, 3.0), x[1:]))


def put_together(x):
    sums = np.add.reduceat(x * x, [0, 2, 1]) + np.multiply.reduceat(x, [1, 3, 0])
    lengths = np.hypot.reduce(np.outer(x, x), axis=1) + np.logaddexp.accumulate(x)
    return weighted(sums) + weighted(lengths)


def beside_itself(x):
    sides = [np.pad(x, (3, 2), mode, stat_length=3) for mode in ("maximum", "mean", "median")]
    ramps = np.pad(np.outer(x, x), ((1, 2), (2, 0)), "linear_ramp", end_values=((2, 3), (4, 5)))
    odd = np.pad(x * x, (2, 9), "reflect", reflect_type="odd")
    return weighted(np.stack(sides)) + weighted(ramps) + weighted(odd)


def small_values_taken_for_zero(x):
    table = np.vander(x, 3)
    inverse = np.linalg.pinv(table, rcond=0.05)
    solution, _, rank, _ = np.linalg.lstsq(table, x * x, rcond=0.05)
    assert rank < 3
    return weighted(inverse) + weighted(solution)


def lists_in_place_of_arrays(x):
    a, b, c, d = x
    table = [[a, 1.0, b], [c, d, 0.5], [1.0, 2.0, a * b]]
    products = np.linalg.multi_dot([[[1.0, 2.0, 3.0]], table]) + np.linalg.solve(table, [a, b, 1.0])
    made = np.kron([a, b], [c, 1.0]) @ np.linalg.inv([[a, 1.0], [b, c]]).ravel()
    series = weighted(np.poly([a, b, c])) + np.abs(np.roots([a, b, c])).sum()
    powers = weighted(np.polynomial.legendre.legvander([a, b], 2))
    chain = np.linalg.multi_dot([[[1.0, 2.0, a]], np.outer(x[:3], x), [[a], [b], [c], [d]]])
    return weighted(products) + made + np.linalg.norm(table) + series + powers + chain[0, 0]


def weighted_parts(x):
    table, shares = np.outer(x, x * x), np.array([0.3, 0.8])
    steps = np.quantile(table, 0.31, axis=1, method="averaged_inverted_cdf")
    parts = np.quantile(table, shares, axis=0, weights=x, method="inverted_cdf")
    return (
        weighted(steps)
        + weighted(parts)
        + np.nanpercentile(x, 40.0, weights=x * x, method="inverted_cdf")
    )


def fitted(x):
    line, residuals, _, values, _ = np.polyfit(x, np.sin(x), 1, full=True)
    return weighted(line) + residuals[0] + weighted(values)


def columns_that_are_added(x):
    q, r = np.linalg.qr(np.outer(x, x[:2]) + np.vander(x, 2), mode="complete")
    return weighted(q) + weighted(r)


def reflections(x):
    h, factors = np.linalg.qr(np.outer(x, x[:2]) + np.vander(x, 2), mode="raw")
    return weighted(h) + weighted(factors)


def elements_one_after_the_other(x):
    table, total = np.outer(x, x), 0.0
    for k, element in enumerate(table.flat):
        total = total + k * element * table.T.flat[k]
    changed = table * 2
    changed.flat[1] = x[2] ** 2
    changed.T.flat[[2, 7]] = x[0] * x[2:]
    changed[1:].flat[::3] = x[:2]  # which begins again
    return total + weighted(changed) + (table.flat[::2] * table.flat[1::2]).sum()


def unwrapped(x):
    return weighted(np.unwrap(np.array([0.0, 3.0, 6.0, 9.0]) + x, period=4 + x[0]))


PLAIN: list[Program] = [
    *(beside_itself, small_values_taken_for_zero, weighted_parts, fitted),
    *(columns_that_are_added, reflections, unwrapped, elements_one_after_the_other),
    numbers_in_lists,
    *(null_vector, inverse_by_all_vectors, counted_along_two_axes, common_elements, put_together),
    *(blocks, columns, depths, chosen, selected, product_of_several, list_that_is_a_variable),
    *(arrays_in_place_of_lists, arrays_in_place_of_lists_beside_each_other),
    *(chosen_of_rows, selected_of_rows),
    *(
        windows,
        windows_of_sizes_found_by_running,
        least_squares_by_one_side,
        inserted,
        counted,
        bessel,
        polynomial_of_roots,
    ),
    *(root_in_loop, root_on_a_path, root_of_root, root_and_logarithm, one_number),
    *(largest_root, eigenvalues, eigenvectors, rotating),
]


def as_series(module: Any, prefix: str) -> Program:
    val, vander = getattr(module, f"{prefix}val"), getattr(module, f"{prefix}vander")
    der, integral = getattr(module, f"{prefix}der"), getattr(module, f"{prefix}int")
    add, mul, div = (getattr(module, f"{prefix}{name}") for name in ("add", "mul", "div"))
    power, of_roots = getattr(module, f"{prefix}pow"), getattr(module, f"{prefix}fromroots")
    companion = getattr(module, f"{prefix}companion")

    def series(x):
        terms = weighted(val(x, x * x)) + weighted(vander(x, 2))
        quotient, rest = div(x * x, x[1:3])
        made = weighted(mul(x, quotient)) + weighted(power(x[:2], 3)) + weighted(of_roots(x))
        return (
            terms
            + weighted(add(der(x * x), integral(x, 2)))
            + (made + weighted(rest) + weighted(companion(x)))
        )

    return series


def sums_and_distances(x):
    p, q = [], []
    for i in range(len(x)):
        p.append(x[i] * i)
        q.append(float(x[i]) ** 2)
    apart = math.dist(p, q) + math.dist(x[:2], x[2:]) * math.dist(x, np.arange(4))
    return apart + math.fsum(x * x) * math.fsum(p) + math.dist(x, x)


IN_LISTS: list[Program] = [
    sums_and_distances,
    lists_in_place_of_arrays,
    *(recurrent_states, pieces_of_growing_sizes, tables_side_by_side),
    *(
        numbers_side_by_side,
        layers_of_lists,
        states_in_a_dict,
        states_that_are_written_to,
        items_of_an_array,
        rows_of_an_array,
    ),
]
IN_ORDER: list[Program] = [in_order, sorted_in_place, smallest_two]
SERIES = [
    as_series(np.polynomial.polynomial, "poly"),
    as_series(np.polynomial.chebyshev, "cheb"),
    as_series(np.polynomial.legendre, "leg"),
    as_series(np.polynomial.hermite, "herm"),
    as_series(np.polynomial.hermite_e, "herme"),
    as_series(np.polynomial.laguerre, "lag"),
]
"""NumPy's functions of series are written in Python, and take no Tensors."""


@pytest.mark.parametrize("program", [*PLAIN, *IN_LISTS, *SERIES])
def test_both_ways_beside_differences(program: Program) -> None:
    expected = slope(program, (X,))
    np.testing.assert_allclose(grad(jit(program))(X), expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(jacfwd(jit(program))(X), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("program", IN_ORDER)
def test_back_through_lists_that_are_sorted(program: Program) -> None:
    found = grad(jit(program))(X)
    np.testing.assert_allclose(found, slope(program, (X,)), rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(found, grad(program)(X))


@pytest.mark.parametrize("program", PLAIN)
def test_plain_python_gives_the_same_bits(program: Program) -> None:
    np.testing.assert_array_equal(grad(program)(X), grad(jit(program))(X))


@pytest.mark.parametrize("program", [*PLAIN, *IN_LISTS, *SERIES])
def test_second_derivatives(program: Program) -> None:
    direction = np.array([0.3, -0.2, 0.5, 0.1])
    gradient = grad(jit(program))
    step = 1e-6 * direction
    expected = (gradient(X + step) - gradient(X - step)) / 2e-6
    found = hvp(jit(program), (X,), (direction,))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_what_has_no_rule_says_so() -> None:
    @jit
    def overlapping(x, out):
        out[0] = 1.0
        return np.lib.stride_tricks.as_strided(x, (2, 2), (8, 8)).sum()

    with pytest.raises(CompileError) as caught:
        grad(overlapping)(X, np.ones(3))
    assert caught.value.codes == ("SPY709",)
    assert "as_strided()" in str(caught.value)


def test_what_as_strided_sees_besides_is_refused() -> None:
    @jit
    def between(x, step):
        return np.lib.stride_tricks.as_strided(np.sin(x)[::step], (2,), (8,)).sum()

    np.testing.assert_array_equal(grad(between)(X, 1), [*np.cos(X[:2]), 0.0, 0.0])
    with pytest.raises(CompileError, match="SPY701"):
        grad(between)(X, 2)


def test_a_product_of_as_many_arrays_as_the_run_has() -> None:
    cube = np.outer(X, X)[:3].reshape((3, 2, 2))
    expected = grad(lambda a: np.linalg.multi_dot([a[0], a[1], a[2]])[0, 1])(cube)
    np.testing.assert_array_equal(grad(lambda a: np.linalg.multi_dot(a)[0, 1])(cube), expected)
    with pytest.raises(CompileError, match="SPY701"):  # compiled for any number of them
        grad(jit(lambda a: np.linalg.multi_dot(a)[0, 1]))(cube)


def test_a_sequence_is_made_of_operands() -> None:
    lowered = staticpy.jit(columns).lower(X)
    assert "nesting" in str(lowered.ir)
    np.testing.assert_array_equal(jit(columns)(X), columns(X))
