"""Products of the steps of a loop in one stack: where it is done, and that nobody can tell."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from staticpy.passes import optimize, with_stacked_products

X = np.random.default_rng(0).standard_normal((5, 4, 3)).astype("f")
W = np.random.default_rng(1).standard_normal((3, 3)).astype("f")


def state(x, w):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ w)
    return h


def by_dot(x, w):
    h = np.zeros_like(x[0])
    for t in range(len(x)):
        h = h + np.dot(x[t], w)
    return h


def from_the_left(x, w):
    h = np.zeros((3, 3), x.dtype)
    for t in range(x.shape[0]):
        h = h + w @ x[t][:3]
    return h


def on_the_right(x, w):
    h, rows = np.zeros((2, 3), x.dtype), np.ones((2, 4), x.dtype)
    for t in range(x.shape[0]):
        h = h @ w + rows @ x[t]
    return h


def over_the_items(x, w):
    h = np.zeros_like(x[0])
    for item in x:
        h = h + item @ w
    return h


def used_twice(x, w):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        item = x[t]
        h = h + item @ w + item
    return h


def saved(x, w):
    h, states = np.zeros_like(x[0]), []
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h)
        states.append(h)
    return states


STACKED = [state, by_dot, on_the_right, over_the_items, used_twice, saved]


def some_steps(x, w):
    h = np.zeros_like(x[0])
    for t in range(1, x.shape[0]):
        h = h + x[t] @ w
    return h


def until(x, w):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = h + x[t] @ w
        if h[0, 0] > 1:
            break
    return h


def in_a_branch(x, w):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        if t % 2:
            h = h + x[t] @ w
    return h


def of_the_state(x, w):
    h = w.copy()
    for t in range(x.shape[0]):
        h = x[t][:3] @ w * 0.1 + h
    return h


def that_changes(x, w):
    w = w.copy()
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = h + x[t] @ w
        w[0, 0] = t
    return h


def of_a_stack_that_changes(x, w):
    x = x.copy()
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        x[2, 0, 0] = t
        h = h + x[t] @ w
    return h


def written_to(x, w):
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        p = x[t] @ w
        p[0, 0] = 1
        h = h + p
    return h


def perhaps_unbound(x, w):
    if x.shape[0] > 99:
        u = w + 1
    h = np.zeros((4, 3), x.dtype)
    for t in range(x.shape[0]):
        h = h + x[t] @ u
    return h


def given_away(x, w):
    products = []
    for t in range(x.shape[0]):
        product = x[t] @ w
        products.append(product)
    return products


def of_vectors(x, w):
    total = np.zeros(3, x.dtype)
    rows = x[:, 0]
    for t in range(rows.shape[0]):
        total = total + rows[t] @ w
    return total


OTHERS = [
    some_steps,
    until,
    in_a_branch,
    from_the_left,
    of_the_state,
    that_changes,
    of_a_stack_that_changes,
    written_to,
    given_away,
    of_vectors,
]


def is_stacked(function):
    module = staticpy.jit(function).lower(X, W).module
    optimize(module)
    return with_stacked_products(module) is not module


@pytest.mark.parametrize("function", STACKED)
def test_where_it_is_done(function):
    assert is_stacked(function)


@pytest.mark.parametrize("function", OTHERS)
def test_where_it_is_not(function):
    assert not is_stacked(function)


@pytest.mark.parametrize("function", [*STACKED, *OTHERS])
def test_results_are_those_of_the_steps(function):
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    x = np.random.default_rng(2).standard_normal((5, 40, 3)).astype("f")
    compiled = staticpy.jit(function, backend="llvm")
    for stack in (X, x[:, :4], x[::-1, 8:16:2]):
        expected, found = function(stack, W), compiled(stack, W)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_matrix_that_may_be_unbound():
    assert not is_stacked(perhaps_unbound)
    with pytest.raises(UnboundLocalError):
        staticpy.jit(perhaps_unbound)(X, W)


def test_no_step():
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    compiled = staticpy.jit(on_the_right, backend="llvm")
    np.testing.assert_array_equal(compiled(X[:0], W), np.zeros((2, 3), "f"))


@pytest.mark.parametrize("function", [state, saved])
def test_what_raises_or_warns_does_so_as_before(function):
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    compiled = staticpy.jit(function, backend="llvm")
    large = X.copy()
    large[3] = 3e38
    for each in (function, compiled):
        with pytest.warns(RuntimeWarning, match="overflow encountered in matmul"):
            each(large, 3e38 * abs(W))
        with pytest.raises(IndexError):
            each(X[:0], W)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(X, W)
