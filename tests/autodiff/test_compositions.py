"""Transforms of transforms: in any order, of plain and of compiled functions, and inside of one.

Each composition gives the same for all of these, and its derivatives are those that central
differences give. The long test draws other compositions at each turn (``STATICPY_TURN``).
"""

from __future__ import annotations

import linecache
import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

Function = Callable[[Any], Any]
TURN = int(os.environ.get("STATICPY_TURN", "0"))
V = np.array([0.3, -0.2, 0.5])


# --- functions of three numbers that give three ---------------------------------------------------


def smooth(x):
    return np.exp(-x * x) + x[::-1] * np.sin(x)


def branching(x):
    y = x * x if x[0] > 0 else x**3
    return y + np.cos(x)


def looping(x):
    y = x
    for _ in range(3):
        y = y * x + 0.1 * np.sin(y)
    return y


def converging(x):
    y, n = x, 0
    while np.abs(y).max() > 0.5 and n < 4:
        y = 0.6 * y * np.cos(y)
        n += 1
    return y


def storing(x):
    y = np.zeros_like(x)
    y[0] = x[1] * x[2]
    y[1:] = np.sin(x[:2])
    y[2] += x[0] * y[1]
    return y


def pairing(x):
    y = np.zeros_like(x)
    for i in range(3):
        for j in range(3):
            if i != j:
                far = x * x[j] - x[i]
                y[i] += (far * far).sum() * x[j]
    return y


def stepping(x):
    step = x * 1
    for _ in range(2):
        x, made = x + step, np.zeros_like(x)
        for i in range(3):
            made[i] += x[i] * x[0]
        step = made
    return x


FUNCTIONS = (smooth, branching, looping, converging, storing)


# --- transforms that make such a function of another one ------------------------------------------


def weighted(f: Function) -> Function:
    return lambda x: (f(x) * V).sum()


def by_grad(f: Function) -> Function:
    return staticpy.grad(weighted(f))


def by_value_and_grad(f: Function) -> Function:
    both = staticpy.value_and_grad(weighted(f))

    def run(x):
        value, slope = both(x)
        return value * slope

    return run


def by_jvp(f: Function) -> Function:
    def run(x):
        out, tangent = staticpy.jvp(f, (x,), (V,))
        return out * tangent

    return run


def by_vjp(f: Function) -> Function:
    def run(x):
        out, back = staticpy.vjp(f, x)
        (flowing,) = back(V)
        return out + flowing

    return run


def by_linearize(f: Function) -> Function:
    def run(x):
        out, push = staticpy.linearize(f, x)
        return out + push(V)

    return run


def by_jacrev(f: Function) -> Function:
    jacobian = staticpy.jacrev(f)
    return lambda x: jacobian(x) @ V


def by_jacfwd(f: Function) -> Function:
    jacobian = staticpy.jacfwd(f)
    return lambda x: V @ jacobian(x)


def by_hessian(f: Function) -> Function:
    hessian = staticpy.hessian(weighted(f))
    return lambda x: hessian(x) @ V


def by_hvp(f: Function) -> Function:
    return lambda x: staticpy.hvp(weighted(f), (x,), (V,))


def by_vmap(f: Function) -> Function:
    rows = staticpy.vmap(f)
    return lambda x: rows(np.stack([x, 2 * x])).sum(axis=0)


TRANSFORMS: dict[str, Callable[[Function], Function]] = {
    "grad": by_grad,
    "value_and_grad": by_value_and_grad,
    "jvp": by_jvp,
    "vjp": by_vjp,
    "linearize": by_linearize,
    "jacrev": by_jacrev,
    "jacfwd": by_jacfwd,
    "hessian": by_hessian,
    "hvp": by_hvp,
    "vmap": by_vmap,
    "checkpoint": staticpy.checkpoint,
}


def composed(f: Function, names: list[str]) -> Function:
    for name in names:
        f = TRANSFORMS[name](f)
    return f


def check(f: Function, names: list[str], x: np.ndarray) -> None:
    """Compare the composition in all forms, and its derivative with differences."""
    plain = composed(f, names)
    expected = plain(x)
    whole = staticpy.jit(composed(f, names))
    np.testing.assert_allclose(whole(x), expected, 1e-9, 1e-9)
    np.testing.assert_allclose(composed(staticpy.jit(f), names)(x), expected, 1e-9, 1e-9)
    step = 1e-6 * V
    slope = (plain(x + step) - plain(x - step)) / 2e-6
    _, tangent = staticpy.jvp(whole, (x,), (V,))
    np.testing.assert_allclose(tangent, slope, 1e-4, 1e-6)  # third derivatives are rough
    (flowing,) = staticpy.vjp(whole, x)[1](np.ones(3))
    np.testing.assert_allclose(flowing @ V, slope.sum(), 1e-4, 1e-6)


_HIGHEST = 4
"""The highest order that is drawn: the graph of a loop grows several times with each, and ``check``
takes one derivative more."""


def drawn(seed: int) -> tuple[Function, list[str], np.ndarray]:
    draw = random.Random(seed)
    signs = [draw.choice((1, 1, -1)) for _ in V]
    x = np.array([sign * draw.uniform(0.2, 1.2) for sign in signs])
    f, names = draw.choice(FUNCTIONS), draw.choices(list(TRANSFORMS), k=3)
    while sum(2 if name in ("hessian", "hvp") else 1 for name in names) > _HIGHEST:
        names = draw.choices(list(TRANSFORMS), k=3)
    return f, names, x


X = np.array([0.3, 0.4, 0.9])


@pytest.mark.parametrize(
    ("f", "names"),
    [
        # A way back appends to lists what it saves: that is no write to the arrays.
        (looping, ["vjp", "vjp"]),
        (looping, ["vjp", "linearize"]),
        (looping, ["hessian", "jvp"]),
        (converging, ["vjp", "checkpoint", "jacrev"]),
        # What a branch alone has is undefined where another derivative makes zeros like it.
        (branching, ["vjp", "hessian", "grad"]),
        (branching, ["vjp", "jacrev", "hessian"]),
        # The rows of ``np.eye(n).reshape(…)``, which loops begin with.
        (looping, ["grad", "jacfwd", "jacrev"]),
        # So it is where loops in loops have saved it: on lists in lists.
        (pairing, ["grad", "grad"]),
        (pairing, ["vjp", "hvp"]),
        # What tangents begin with, a constant, is handed to a loop that gives it a shadow.
        (stepping, ["jvp", "grad"]),
        (stepping, ["jvp", "hvp"]),
    ],
)
def test_found_compositions(f: Function, names: list[str]) -> None:
    check(f, names, X)
    if f is branching:
        check(f, names, -X)


@pytest.mark.parametrize("number", range(6))
def test_some_in_any_order(number: int) -> None:
    check(*drawn(number))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_in_any_order(number: int) -> None:
    check(*drawn(1000 * (TURN + 1) + number))


def test_what_is_refused_says_what_to_do() -> None:
    @staticpy.jit
    def written_to_behind_windows_to_write_to(x, n):
        y = x * 2
        seen = np.lib.stride_tricks.sliding_window_view(y, n, writeable=True)
        y[0] = 5.0
        return seen.sum()

    @staticpy.jit
    def written_to_by_a_stretched_view(x, n):
        y = x * 2
        seen = np.broadcast_arrays(y, np.ones((n, 1)))[0]
        y[0] = 5.0
        seen[0, 1] = x[0]
        return seen.sum()

    def changed_by_who_gets_it_and_a_view(y, seen, n):
        if n == 0:
            return seen.sum()
        y[0] = seen[0, 1] * y[2]
        return (seen * seen).sum() + changed_by_who_gets_it_and_a_view(y, seen, n - 1)

    @staticpy.jit
    def handed_on_beside_a_stretched_view(x, n):
        y = x * 2
        return changed_by_who_gets_it_and_a_view(y, np.broadcast_arrays(y, np.ones((2, 1)))[0], n)

    for function in (
        written_to_behind_windows_to_write_to,
        written_to_by_a_stretched_view,
        handed_on_beside_a_stretched_view,
    ):
        with pytest.raises(staticpy.CompileError, match=r"SPY701.*\(np\.copy\)") as caught:
            staticpy.grad(function)(X, 2)
        if function is not handed_on_beside_a_stretched_view:  # the view is shown, too
            (label,) = caught.value.diagnostics[0].labels
            assert "seen = " in linecache.getline(label.span.file, label.span.line)
    rule = staticpy.custom_vjp(smooth)
    rule.defvjp(lambda x: (x, None), lambda _, g: (g,))
    for form in (staticpy.jit, lambda f: f):
        with pytest.raises(staticpy.CompileError, match=r"SPY707.*define it by custom_jvp"):
            staticpy.jvp(form(lambda x: rule(x) * 2), (X,), (V,))
