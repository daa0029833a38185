"""What is run a second time (the way back of ``vjp``, ``linearize``, ``checkpoint``) writes to no
memory from outside: what a program makes itself, it may write to, also where a loop hands it on in
the place of an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import checkpoint, grad, jit
from staticpy.diagnostics import CompileError
from tests.autodiff.test_gradients import slope

X = np.array([0.5, 1.5, -0.7, 2.0])
TANGENT = np.array([1.0, -0.5, 0.25, 2.0])
GLOBAL = np.ones(4)


def copied_in_each_round(u):
    for _ in range(3):
        new = u.copy()
        new[1:-1] = 0.25 * (u[2:] + u[:-2]) + u[1:-1] ** 2
        u = new
    return (u**2).sum()


def written_before_it_is_copied_again(u):
    new = u
    for _ in range(3):
        new = new.copy()
        new[0] = new[1] * 2
        new[1:] += new[:-1] * u[0]
    return (new**2).sum()


def two_that_take_turns(u):
    old, new = u, u * 0
    for _ in range(4):
        new = new.copy()
        new[1:-1] = old[2:] + old[:-2] - new[1:-1]
        old, new = new, old
    return (old * new).sum()


def made_in_a_while(u):
    i = 0
    while i < 3:
        v = np.empty_like(u)
        v[:] = u[::-1] * (i + 1)
        v[0] += 1
        u, i = v, i + 1
    return (u**2).sum()


def list_of_numbers(u):
    y = list(u)
    for i in range(len(y) - 1):
        y[i], y[i + 1] = y[i + 1] * 2, y[i] * y[0]
    return sum(v * v for v in y) * 1.0


def numbers_of_a_seed(u):
    rng = np.random.default_rng(3)
    kept = np.where(rng.random(4) < 0.7, u / 0.7, 0.0)
    for _ in range(2):
        kept = kept * rng.normal(size=4)
    return (kept * u).sum()


@pytest.mark.parametrize(
    "program",
    [
        numbers_of_a_seed,
        copied_in_each_round,
        written_before_it_is_copied_again,
        two_that_take_turns,
        made_in_a_while,
        list_of_numbers,
    ],
)
def test_own_memory_is_written_to(program: Callable[..., Any]) -> None:
    expected, x = slope(program, (X,)), X.copy()
    _, back = staticpy.vjp(jit(program), x)
    _, push = staticpy.linearize(jit(program), x)
    x[:] = 7.0  # which neither reads
    np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(push(TANGENT), TANGENT @ expected, rtol=1e-6)
    repeated = jit(lambda u: checkpoint(program)(u) * u[0])
    by_hand = grad(jit(lambda u: program(u) * u[0]))(X)
    np.testing.assert_allclose(grad(repeated)(X), by_hand, rtol=1e-12, atol=1e-12)


def the_argument(u):
    for _ in range(3):
        u[0] = u[1] * 2
    return u.sum()


def the_argument_until_it_is_copied(u):
    v = u
    for i in range(3):
        if i == 1:
            v = v.copy()
        v[0] = v[1] * 2
    return v.sum()


def a_view_that_turns(u):
    w = u[1:]
    for i in range(3):
        w[i] = w[i - 1] * 2
        w = w[::-1]
    return w.sum()


def one_of_a_list(u):
    both = [u, u.copy()]
    for i in range(2):
        both[i][0] = 3.0
    return both[0].sum() + both[1].sum()


def handed_on_by_recursion(u):
    def doubled(v, n):
        if n == 0:
            return v
        v[0] *= 2
        return doubled(v, n - 1)

    return doubled(u, 3).sum()


def a_global(u):
    g = GLOBAL
    for i in range(2):
        g[i] = u[i]
    return (g * u).sum()


def numbers_of_no_seed(u):
    return (u * np.random.default_rng().normal(size=4)).sum()


@pytest.mark.parametrize(
    "program",
    [
        numbers_of_no_seed,
        the_argument,
        the_argument_until_it_is_copied,
        a_view_that_turns,
        one_of_a_list,
        handed_on_by_recursion,
        a_global,
    ],
)
def test_memory_from_outside_is_not(program: Callable[..., Any]) -> None:
    for transform, code in (
        (lambda: staticpy.vjp(jit(program), X.copy()), "SPY706"),
        (lambda: staticpy.linearize(jit(program), X.copy()), "SPY706"),
        (lambda: grad(jit(checkpoint(program)))(X.copy()), "SPY707"),
    ):
        GLOBAL[:] = 1.0
        with pytest.raises(CompileError, match=code):
            transform()[1](1.0)
