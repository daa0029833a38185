"""Arrays made of lists that loops fill with rows, and of numbers that are ints or floats by the
path: as NumPy makes them, with derivatives of both modes and of second order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import grad, jit
from tests.autodiff.test_gradients import slope

X = np.array([0.5, 1.5, 2.5])
BACKENDS = ("python_source", "llvm")
Program = Callable[[Any], Any]


def design_matrix(x):
    rows = np.array([[1, v, v * v] for v in x])
    return np.linalg.solve(rows.T @ rows + np.eye(3), rows.T @ x).sum()


def table_of_lists(x):
    table = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            table[i][j] = x[i] * x[j] + i
    return np.linalg.det(np.array(table) + np.eye(3))


def half_a_table_of_ints(x):
    table = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i):
            table[i][j] = x[i] * x[j]
    return (np.array(table) ** 2).sum()


def pairs(x):
    return (np.array([(v, v * v) for v in x]) ** 3)[:, 1].sum()


def pairs_of_lists(x):
    return (np.array([([v, v * x[0]], (x[0], 2.0)) for v in x]) ** 2).sum()


def rows_that_change(x):
    rows = [[v, v * x[0]] for v in x]
    rows[0][1] = x[2]
    made = np.array(rows)
    rows[1].append(3.0)
    return (made**2).sum() + rows[1][1] * rows[1][2]


def rows_of_arrays(x):
    return (np.array([[v * x, x] for v in x], dtype="f8") ** 2)[:, 0].sum()


def joined_rows(x):
    rows = [[v, v * v] for v in x]
    total = (np.vstack(rows) ** 2).sum() + (np.stack(rows, axis=1)[0] * x).sum()
    return total + (np.concatenate(rows) * np.arange(6)).sum() + (np.column_stack(rows)[1] ** 3)[0]


def sums_that_begin_with_an_int(x):
    sums = [0]
    for v in x:
        sums.append(sums[-1] * v + v if v > 1 else sums[-1])
    return (np.stack(sums) ** 2).sum() + np.hstack(sums)[-1]


def arrays_of_ints_or_floats(x):
    parts = []
    for i, v in enumerate(x):
        if v > 1:
            parts.append(v * x[:i])
        else:
            parts.append(np.arange(2))
    return (np.concatenate(parts) ** 3 * np.arange(5)).sum()


def columns_of_ints_or_floats(x):
    parts = []
    for v in x:
        if v > 1:
            parts.append(v * x[:, None])
        else:
            parts.append(np.ones((3, 1), int))
    return (np.concatenate(parts, axis=1) * np.arange(3)).sum() ** 2


PROGRAMS = [
    design_matrix,
    table_of_lists,
    half_a_table_of_ints,
    pairs,
    pairs_of_lists,
    rows_that_change,
    rows_of_arrays,
    joined_rows,
    sums_that_begin_with_an_int,
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "function", [*PROGRAMS, arrays_of_ints_or_floats, columns_of_ints_or_floats]
)
def test_first_order(function: Program, backend: str) -> None:
    compiled = jit(function, backend=backend)
    value, found = staticpy.value_and_grad(compiled)(X)
    assert value == pytest.approx(function(X), rel=1e-14)
    np.testing.assert_allclose(found, slope(function, (X,)), rtol=1e-6, atol=1e-7)
    direction = np.array([1.0, -2.0, 0.5])
    tangent = staticpy.jvp(compiled, (X,), (direction,))[1]
    np.testing.assert_allclose(tangent, found @ direction, rtol=1e-12)


@pytest.mark.parametrize("function", PROGRAMS)
def test_second_order(function: Program) -> None:
    def total(x):
        return (grad(function)(x) * np.array([1.0, -2.0, 0.5])).sum()

    found = grad(jit(total))(X)
    np.testing.assert_allclose(found, slope(jit(total), (X,), 1e-5), rtol=1e-5, atol=1e-6)


def in_plain_python(x):
    sums = [0]
    for v in x:
        sums.append(sums[-1] * v + v if v > 1 else sums[-1])
    return (np.stack(sums) ** 2).sum()


def test_stacks_as_on_a_tape() -> None:
    for x in (X, X + 1, X - 1):
        found, expected = grad(jit(in_plain_python))(x), grad(in_plain_python)(x)
        assert found.tobytes() == expected.tobytes()


def of_lengths(x, n):
    return np.array([[x[0]] * k for k in range(1, n)]).sum()


def mixed_of_lengths(x, n):
    return np.array([[j or x[0] for j in range(k)] for k in range(1, n)]).sum()


@pytest.mark.parametrize("function", [of_lengths, mixed_of_lengths])
def test_rows_of_other_lengths(function: Callable[..., Any]) -> None:
    """NumPy's exception, with its text; and an empty list is no table."""
    assert grad(jit(function))(X, 2).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="inhomogeneous") as expected:
        function(X, 3)
    with pytest.raises(ValueError, match="inhomogeneous") as found:
        grad(jit(function))(X, 3)
    assert str(found.value) == str(expected.value)
    with pytest.raises(staticpy.CompileError, match="SPY626"):
        grad(jit(function))(X, 1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_many_examples(backend: str) -> None:
    batch = np.stack([X, X + 0.25, X - 0.25])
    for function in (design_matrix, pairs, joined_rows):
        compiled = jit(function, backend=backend)
        found = staticpy.vmap(grad(compiled))(batch)
        np.testing.assert_allclose(found, [grad(compiled)(x) for x in batch], rtol=1e-12)
