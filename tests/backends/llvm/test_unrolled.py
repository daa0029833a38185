"""Loops of a few known rounds in others: windows, and coordinates."""

from __future__ import annotations

import random

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_programs import check
from tests.support.observing import Call, differences
from tests.support.programs import IMPORTS, Program

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def window(x, out):
    for i in range(1, len(x) - 1):
        total = 0
        for a in range(-1, 2):
            total += x[i + a]
        out[i] = total


def neighbours(x, out):
    for i in range(len(x)):
        count = 0
        for a in (-1, 0, 1):
            if a != 0 and 0 <= i + a < len(x) and x[i + a] > 2:
                count += 1
        out[i] = count


def beyond(x, out):
    for i in range(len(x)):
        for a in range(3):
            out[i] += x[i + a]


def backwards(x, out):
    best = 0
    for i in range(len(x) - 2):
        for a in range(2, -1, -1):
            for b in range(a):
                best = max(best, x[i + a] - x[i + b])
        out[i] = best
    return best


def never(x, out):
    total = 0
    for i in range(len(x)):
        for a in range(2, 2):
            total += x[a]
        out[i] = total
    return total


def powers(x, out):
    n = 1
    for i in range(len(x)):
        for _ in range(7):
            n *= 1000
        out[i] = x[i]
    return n


PROGRAMS = (window, neighbours, beyond, backwards, never, powers)


@pytest.mark.parametrize("dtype", ["int64", "float64", "float32", "int8", "uint64"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_as_cpython(program, dtype):
    native = staticpy.jit(program, backend="llvm")
    large = np.iinfo(dtype).max if dtype[0] in "iu" else 3e38
    calls = [
        Call((np.array(x, dtype=dtype), np.zeros(len(x), dtype=dtype)))
        for x in ([3, 1, 4, 1, 5, 9], [1], [], [large, large, 1, large])
    ]
    assert differences(program, calls, {"llvm": native}) == []


def test_what_is_unrolled():
    """The rounds are there one after the other; what the user sees of the graph has the loop."""
    x = np.arange(6)
    compiled = staticpy.jit(window, backend="llvm").lower(x, x.copy()).compile()
    assert compiled.source.count("for ") == 2
    assert compiled.llvm_ir.count("sadd.with.overflow.i64(") >= 2


# --- random programs ------------------------------------------------------------------------------

RANGES = ("range(3)", "range(-1, 2)", "range(2, -1, -1)", "range(1, 6, 2)", "range(1)", "range(0)")
NUMBERS = (
    *("x[i + {a}]", "x[i - {a}]", "x[i]", "y[i, {a}]", "y[i, {a} - 1]", "y[{a}, i]", "{a}", "i"),
    *("s", "t", "2", "0.5", "x[i] * {a}", "w[{a}]", "i * {a}", "x[{a}]"),
)
CONDITIONS = (
    *("{a} != 0", "{a} == 1", "x[i] > {a}", "{a} > 0 or s > t", "i + {a} < len(x)"),
    *("0 <= i - {a} < len(x) and x[i - {a}] > 0", "s == 3", "{a} and x[i + {a}]"),
)
CHANGES = (
    *("{n} += {v}", "{n} -= {v}", "{n} = max({n}, {v})", "{n} = {v}", "s, t = t, {v}"),
    *("out[i] += {v}", "out[i] = {v}", "{n} = {n} * 0.5 + {v}", "z[i, {a}] = {v}", "{n} *= {v}"),
)


def generate(seed: int) -> Program:
    """A loop along an array, and one to three of a few rounds in it."""
    rng = random.Random(seed)
    lines = [
        "def program(x, y, w, out):",
        "    z = np.zeros((len(x), 3), dtype=x.dtype)",
        f"    s, t = {rng.choice(('0, 0.0', '0, x[0]', '1.5, 0', 'x[0], x[1]', '0, 0'))}",
        f"    for i in range({rng.choice(('len(x)', 'len(x) - 2', '1, len(x) - 1', '3'))}):",
    ]
    if rng.random() < 0.5:
        lines.append(f"        s = {rng.choice(('0', '0.0', 'x[i]'))}")
    indexes: list[str] = []
    for name in "abc"[: rng.randint(1, 3)]:
        indent = "    " * (2 + len(indexes))
        lines.append(f"{indent}for {name} in {rng.choice(RANGES)}:")
        indexes.append(name)
        lines += _changes(rng, indent + "    ", indexes, rng.randint(0, 1))
    lines += _changes(rng, "    " * (2 + len(indexes)), indexes, rng.randint(1, 3))
    lines += ["        out[i] = s", "    return s, t, z"]
    text = IMPORTS + "\n\n" + "\n".join(lines) + "\n"
    arrays = (
        "X = np.array([3, 0, -1, 4, 1, 5])",
        "Y = np.arange(18).reshape(6, 3)",
        "W = np.array([2, -1, 3, 0, 1, 7])",
        "L = np.array([2**62, 1, 2**62, -5, 2**62, 2**62])",
    )
    calls = (
        "X, Y, W, np.zeros(6)",
        "X * 0.5, Y * 1.5, W, np.zeros(6)",
        "L, Y.T[:, :3], W, np.zeros(6)",
        "X.astype('f4'), Y.astype('f4'), W * 0.1, np.zeros(6, 'f4')",
    )
    return Program(seed, frozenset(), text, arrays, calls)


def _changes(rng: random.Random, indent: str, indexes: list[str], count: int) -> list[str]:
    lines = []
    for _ in range(count):
        if rng.random() < 0.4:
            lines.append(f"{indent}if {rng.choice(CONDITIONS).format(a=rng.choice(indexes))}:")
            inner = indent + "    "
        else:
            inner = indent
        value = rng.choice(NUMBERS).format(a=rng.choice(indexes))
        change = rng.choice(CHANGES)
        lines.append(inner + change.format(n=rng.choice("st"), v=value, a=rng.choice(indexes)))
    return lines


def test_random_programs():
    check(range(20), generate)


@pytest.mark.slow
def test_random_programs_long():
    check(range(1000, 1400), generate)


def test_what_is_read_after_an_unrolled_loop_is_of_one_type():
    """No call of Python is left of ``np.sqrt(d + 0.01)``."""

    @staticpy.jit(backend="llvm")
    def energy(places):
        total = 0.0
        for i in range(len(places)):
            for j in range(i + 1, len(places)):
                d = 0.0
                for k in range(3):
                    d += (places[i, k] - places[j, k]) ** 2
                total += 1.0 / np.sqrt(d + 0.01)
        return total

    places = np.random.default_rng(0).random((9, 3))
    np.testing.assert_allclose(energy(places), energy.__wrapped__(places), rtol=1e-14)
    assert not energy.lower(places).compile().kernels
