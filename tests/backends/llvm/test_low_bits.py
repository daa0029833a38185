"""Ints that leave 64 bits where nobody sees more than their low bits: hashes and random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

Program = Callable[..., Any]
LARGE = (0, 1, -1, 2**63 - 1, -(2**63), 0x1234_5678_9ABC_DEF0, -0x7654_3210_FEDC_BA98)


def xorshift(x, y, n):
    total = 0
    for _ in range(n):
        x ^= (x << 13) & 0x7FFF_FFFF_FFFF_FFFF
        x ^= x >> 7
        x ^= (x << 17) & 0x7FFF_FFFF_FFFF_FFFF
        total += x & 1
    return x, total


def linear(x, y, n):
    for i in range(n):
        x = (6364136223846793005 * x + i * y - 1442695040888963407) % 2**48
    return x


def hashed(x, y, n):
    for i in range(n):
        x = (x ^ (y * i)) * 1099511628211 & 0xFFFF_FFFF
    return x


def on_one_side(x, y, n):
    for _ in range(n):
        even = (~x << 5) & 0xFFFF_FFFF_FFFF
        x = (-x * 3 + y) & 0x3FFF_FFFF_FFFF_FFFF if x & 1 else even
    return x


def seen_whole(x, y, n):
    """The product is read by a comparison, too."""
    larger = 0
    for i in range(n):
        product = x * y
        if product > 2**62:
            larger += 1
        x = (product + i) & 0xFFFF_FFFF
    return x, larger


PROGRAMS = [xorshift, linear, hashed, on_one_side, seen_whole]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: Program) -> None:
    native = staticpy.jit(program, backend="llvm")
    for x in LARGE:
        for y in LARGE:
            for n in (0, 1, 4):
                assert native(x, y, n) == program(x, y, n), (x, y, n)


@pytest.mark.parametrize("program", [xorshift, linear, hashed, on_one_side])
def test_a_call_that_can_not_be_done_again(program: Program) -> None:
    """What leaves 64 bits would be an OverflowError after something that others can see."""

    def noted(counts, x, y, n):
        counts[0] += 1
        return program(x, y, n)

    native = staticpy.jit(noted, backend="llvm")
    counts = np.zeros(1, np.int64)
    for calls, x in enumerate(LARGE, 1):
        assert native(counts, x, 2**62 + 1, 3) == program(x, 2**62 + 1, 3)
        assert counts[0] == calls


def expression(generator: random.Random, depth: int) -> str:
    if depth == 0:
        return generator.choice(["x", "y", "h", "i", "-3", "2862933555777941757", str(2**63 - 1)])
    one, other = (expression(generator, depth - 1) for _ in range(2))
    operator = generator.choice(["+", "-", "*", "&", "|", "^", "<<", "& mask", "%", "-", "~", ">>"])
    if operator == "<<":
        return f"({one} << {generator.choice([0, 1, 31, 62, 63])})"
    if operator == ">>":
        return f"(({one} & {2**63 - 1}) >> {generator.choice([1, 7, 33])})"
    if operator == "& mask":
        return f"({one} & {generator.choice([1, 255, 2**32 - 1, 2**63 - 1])})"
    if operator == "%":
        return f"({one} % {2 ** generator.choice([0, 1, 31, 62])})"
    return f"(~{one})" if operator == "~" else f"({one} {operator} {other})"


@pytest.mark.parametrize("seed", range(12))
def test_random_expressions(seed: int, tmp_path: Any, monkeypatch: Any) -> None:
    generator = random.Random(seed)
    lines = ["def run(x, y, n):", "    h = x", "    for i in range(n):"]
    for _ in range(2):
        mask = generator.choice([2**63 - 1, 2**62 - 1, 2**32 - 1])
        lines.append(f"        h = {expression(generator, 4)} & {mask}")
    (tmp_path / f"low_bits_{seed}.py").write_text("\n".join([*lines, "    return h", ""]))
    monkeypatch.syspath_prepend(tmp_path)
    plain = __import__(f"low_bits_{seed}").run
    native = staticpy.jit(plain, backend="llvm")
    for x in LARGE:
        for y in LARGE[2:5]:
            assert native(x, y, 3) == plain(x, y, 3), (x, y)
