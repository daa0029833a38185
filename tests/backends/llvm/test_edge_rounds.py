"""Loops whose first or last round does something else: filters, tables with an edge, rings."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_programs import check
from tests.support.observing import Call, differences
from tests.support.programs import IMPORTS, Program

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def cheapest(x, out):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            if i == 0 and j == 0:
                out[i, j] = x[i, j]
            elif i == 0:
                out[i, j] = x[i, j] + out[i, j - 1]
            elif j == 0:
                out[i, j] = x[i, j] + out[i - 1, j]
            else:
                out[i, j] = x[i, j] + min(out[i - 1, j], out[i, j - 1])
    return i, j


def smoothed(x, out):
    for row in range(len(x)):
        for i in range(1, x.shape[1]):
            before = x[row, i - 2] if i >= 2 else 0
            out[row, i] = before + x[row, i]


def beyond(x, out):
    for i in range(2, len(x) + 2):
        if i > 2:
            out[0, 0] += x[i, 0]
        else:
            out[0, 1] = x[0, 1]


def around(x, out):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = x[i - 1, j] - x[(i + 1) % n, j] + x[i, (j - 1) % m] - x[i, (j + 1) % m]
    return j


def inside(x, out):
    m = x.shape[1]
    for i in range(len(x)):
        for j in range(m):
            if 0 < j < m - 1:
                out[i, j] = x[i, j - 1] + x[i, j + 1]
            elif j == m - 1:
                out[i, j] = out[i, j - 1] + 1


def filtered(x, out):
    for row in range(len(x)):
        for n in range(x.shape[1]):
            out[row, n] = x[row, n] // 2
            if n >= 1:
                out[row, n] += out[row, n - 1]
            if n >= 2:
                out[row, n] -= out[row, n - 2]


def of_several_types(x, out):
    best, n = 1.5, len(x)
    for i in range(2):
        for j in range(1, len(x)):
            if i + 1 >= n:
                best = x[i, 0]
            best = max(best, x[(j + 1) % n, 0])
    return best


def steady(x, out):
    """What is the same in each round, and raises for some tables."""
    n, m = x.shape
    step = 1.0 - 0.25 * (n - 1)
    for i in range(n):
        for j in range(1, m):
            out[i, j] = x[i, j] * 0.25 / step**2 + (7 // (m - 1)) * math.sqrt(m - i)
    return step


def ends(x, out):
    """A round that raises, at either end."""
    for j in range(len(x)):
        out[j, j] = 1
        if j == len(x) - 1:
            out[j + 1, 0] = x[j, 0]


PROGRAMS = (cheapest, smoothed, beyond, around, inside, filtered, of_several_types, steady, ends)


@pytest.mark.parametrize("dtype", ["int64", "float64", "float32", "int8"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_as_cpython(program, dtype):
    native = staticpy.jit(program, backend="llvm")
    table = np.arange(20).reshape(4, 5) % 7 * 20
    calls = [
        Call((x.astype(dtype), np.zeros(x.shape, dtype=dtype)))
        for x in (table, table[:1], table[:, :1], table[:0], table[:, :0], table.T)
    ]
    assert differences(program, calls, {"llvm": native}) == []


# --- random programs ------------------------------------------------------------------------------

RANGES = (
    *("range(len(x))", "range(1, len(x))", "range(0, len(x), 2)", "range(3)", "range(-2, 2)"),
    *("range(1, 1)", "range(i, len(x))", "range(len(x), 0, -1)", "range(0, i)"),
)
CONDITIONS = (
    *("{a} == 0", "{a} != 0", "{a} > 0", "{a} >= 1", "{a} < 1", "{a} <= 0", "{a}", "not {a}"),
    *("0 == {a}", "1 > {a}", "{a} - 1 >= 0", "{a} + 1 > 1", "{a} == 1", "{a} > 1", "{a} != -2"),
    *("{a} > 0 and x[{a}] > 1", "{a} == 0 or x[{a} - 1] < 2", "i == 0 and {a} == 0", "s > 2"),
    *("{a} == len(x) - 1", "{a} < n - 1", "{a} + 1 >= n", "{a} + 1 < len(x)", "{a} != n - 1"),
    *("0 < {a} < n - 1", "n - 1 > {a}", "{a} < n - 2", "{a} == n", "{a} >= 2", "{a} == n - 3"),
)
VALUES = (
    *("x[{a}]", "x[{a} - 1]", "out[{a}]", "out[{a} - 1]", "s", "t", "{a}", "2", "0.5"),
    *(
        "x[({a} + 1) % n]",
        "x[({a} - 1) % len(x)]",
        "({a} + 1) % n",
        "x[{a} - 2]",
        "x[({a} + 2) % n]",
        "{a} % n",
    ),
    *("0.5 / p", "n // q", "x[{a}] * p ** q", "math.sqrt(p)", "n % q + 1 / p", "2 ** q"),
)
CHANGES = (
    *("out[{a}] = {v}", "out[{a}] += {v}", "s += {v}", "s = {v}", "s, t = t, {v}"),
    *("t = max(t, {v})", "s = s * 2 - {v}", "break", "continue"),
)


def generate(seed: int) -> Program:
    """Two loops, and branches in the inner one."""
    rng = random.Random(seed)
    lines = [
        "def program(x, out):",
        f"    s, t = {rng.choice(('0, 0.0', 'x[0], 1.5', '0, 0', 'x[1], x[0]'))}",
        "    j, n = 7, len(x)",
        f"    p, q = {rng.choice(('0.5', '2.0', '0.0', '-1.5', '1e200'))}, {rng.choice('2301')}",
        f"    for i in {rng.choice(('range(len(x))', 'range(2)', 'range(1, 3)'))}:",
        f"        for j in {rng.choice(RANGES)}:",
    ]
    for _ in range(rng.randint(1, 3)):
        name = rng.choice("ijjj")
        lines.append(f"            if {rng.choice(CONDITIONS).format(a=name)}:")
        lines.append("                " + _change(rng, CHANGES))
        if rng.random() < 0.5:
            lines.append("            else:")
            lines.append("                " + _change(rng, CHANGES))
    lines += ["            " + _change(rng, CHANGES[:-2]), "    return s, t, i, j"]
    text = IMPORTS + "\n\n" + "\n".join(lines) + "\n"
    arrays = ("X = np.array([3, 0, -1, 4, 1, 5])", "L = np.array([2**62, 1, 2**62])")
    calls = ("X, np.zeros(6)", "X * 0.5, np.zeros(5)", "L, np.zeros(3)", "X, np.zeros(6, int)")
    return Program(seed, frozenset(), text, arrays, calls)


def _change(rng: random.Random, changes: tuple[str, ...]) -> str:
    name = rng.choice("ijjj")
    return rng.choice(changes).format(a=name, v=rng.choice(VALUES).format(a=name))


def test_random_programs():
    check(range(20), generate)


@pytest.mark.slow
def test_random_programs_long():
    check(range(1000, 1300), generate)
