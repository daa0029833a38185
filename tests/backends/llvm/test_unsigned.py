"""Ints of all of 64 bits, without a sign: hashes and generators of random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import host

MASK = 0xFFFF_FFFF_FFFF_FFFF
SEEDS = (0, 1, 88172645463325252, 2**63 - 1, -3)


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """What it gives, with the type of each number, or raises."""
    try:
        found = function(*arguments)
    except Exception as error:
        return type(error), str(error)
    parts = found.tolist() if isinstance(found, np.ndarray) else found
    parts = parts if isinstance(parts, tuple | list) else [parts]
    return type(found), [(type(each), each) for each in parts]


def xorshift(x, n):
    total = 0
    for _ in range(n):
        x ^= (x << 13) & 0xFFFF_FFFF_FFFF_FFFF
        x ^= x >> 7
        x ^= (x << 17) & 0xFFFF_FFFF_FFFF_FFFF
        total += x & 255
    return x, total


def xoroshiro(x, n):
    y, out = x ^ 0x9E37_79B9_7F4A_7C15, 0
    for _ in range(n):
        out ^= (x + y) & MASK
        y ^= x
        x = (((x << 24) | (x >> 40)) & MASK) ^ y ^ ((y << 16) & MASK)
        y = ((y << 37) | (y >> 27)) & MASK
    return out


def splitmix(x, n):
    out = np.zeros(n)
    for i in range(n):
        x = (x + 0x9E37_79B9_7F4A_7C15) % 2**64
        z = ((x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) % 2**64
        out[i] = ((z ^ (z >> 31)) >> 11) / 2**53
    return out


def shares_of_a_circle(x, n):
    hits = 0
    for _ in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        one = x / 2**64
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        hits += one * one + (x * 2.0**-64) ** 2 < 1
    return hits


def permuted(x, n):
    total = 0
    for _ in range(n):
        old = x
        x = (old * 6364136223846793005 + 1442695040888963407) & MASK
        low, turn = (((old >> 18) ^ old) >> 27) & 0xFFFF_FFFF, old >> 59
        total += ((low >> turn) | (low << ((-turn) & 31))) & 0xFFFF_FFFF
    return total


def turned(x, n):
    """By distances that are not known, and more than there are bits."""
    for i in range(n):
        x = ((x << i) | (x >> (64 - i))) & MASK if i <= 64 else (x >> i) & MASK
        x ^= i
    return x


def compared(x, n):
    counts = [0] * 6
    for i in range(n):
        x = (x * 6364136223846793005 + i) & MASK
        counts[0] += x > 2**63
        counts[1] += x <= -1
        counts[2] += x == i - 5
        counts[3] += i - 5 < x
        counts[4] += bool(x)
        counts[5] += not x & 1
    return counts


def divided(x, n):
    total, quotient = 0, 0
    for i in range(n):
        x = (x * 6364136223846793005 + 1) & MASK
        total += x % (i + 1)
        quotient = x // (i + 2)
        total += x % 10 + (x // 1000) % 7
    return x, total, quotient


def branching(x, n):
    while n > 0:
        n -= 1
        if x & 1:
            x = (x * 3 + 1) & MASK
        elif x > 2**63:
            x ^= n
        else:
            x |= 1
    return x


PROGRAMS = [
    *(xorshift, xoroshiro, splitmix, shares_of_a_circle, permuted, turned, compared, divided),
    branching,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs(program: Callable[..., Any]) -> None:
    native = staticpy.jit(program, backend="llvm")
    for seed in SEEDS:
        for n in (0, 1, 5, 70):
            assert outcome(native, seed, n) == outcome(program, seed, n)


@pytest.mark.parametrize("program", [xorshift, xoroshiro, splitmix, permuted, branching])
def test_nothing_is_left_to_the_twin(program: Callable[..., Any], monkeypatch: Any) -> None:
    """What would do it again in Python is never compiled."""
    asked: list[str] = []
    monkeypatch.setattr(host.HostFunctions, "__call__", lambda _, name: asked.append(name))
    native = staticpy.jit(program, backend="llvm")
    assert outcome(native, 88172645463325252, 100) == outcome(program, 88172645463325252, 100)
    assert not asked


def fowler_noll_vo(data, hashes):
    h = 14695981039346656037
    for i in range(len(data)):
        h = ((h ^ int(data[i])) * 1099511628211) & MASK
        hashes[i] = h
    return h


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.int64])
def test_of_arrays_and_to_arrays(dtype: type) -> None:
    data = np.random.default_rng(0).integers(0, 100, 200).astype(dtype)
    native = staticpy.jit(fowler_noll_vo, backend="llvm")
    for each in (data, data[::-1], data * 0 - 1 if dtype != np.uint64 else data + 2**63):
        found, expected = np.zeros(200, np.uint64), np.zeros(200, np.uint64)
        assert native(each, found) == fowler_noll_vo(each, expected)
        assert (found == expected).all()


def read_with_a_sign(x, seen, n):
    """A sum of more than 64 bits after a write that others see."""
    total = 0
    for _ in range(n):
        seen[0] = x & MASK
        x = (x * 6364136223846793005 + 1) & MASK
        total += x
    return total


def test_a_call_that_can_not_be_done_again() -> None:
    """It is left to Python at its begin."""
    native = staticpy.jit(read_with_a_sign, backend="llvm")
    for seed in SEEDS:
        found, expected = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
        assert native(seed, found, 5) == read_with_a_sign(seed, expected, 5)
        assert found == expected


def sums(x, n):
    total = 0
    for _ in range(n):
        x = (x * 6364136223846793005 + 1) & MASK
        total += x
    return total


def test_an_int_of_more_bits_is_computed_by_python() -> None:
    native = staticpy.jit(sums, backend="llvm")
    assert [native(1, n) for n in range(9)] == [sums(1, n) for n in range(9)]


def a_negative_distance(x, n):
    return ((x & MASK) << n) & MASK, (x & MASK) >> n


def test_errors() -> None:
    native = staticpy.jit(a_negative_distance, backend="llvm")
    for n in (3, 64, 100, -1):
        assert outcome(native, 2**62 + 5, n) == outcome(a_negative_distance, 2**62 + 5, n)
    native = staticpy.jit(divided_by, backend="llvm")
    for n in (1, 2, 10, -3, 0):
        assert outcome(native, -5, n) == outcome(divided_by, -5, n)


def divided_by(x, n):
    return (x & MASK) // n, (x & MASK) % n, (x & MASK) / n


def expression(generator: random.Random, depth: int) -> str:
    if depth == 0:
        large = 0x9E37_79B9_7F4A_7C15
        numbers = ("1", "255", "2**63", "2**64 - 1", "-1", "-7", f"{large}", f"(~{large})")
        return generator.choice(["x", "y", "x", "y", "i", "k", generator.choice(numbers)])
    one, other = (expression(generator, depth - 1) for _ in range(2))
    forms = [
        *(f"({one} {symbol} {other})" for symbol in "+-*&|^"),
        *(f"({one} >> {n})" for n in ("0", "7", "63", "(k & 63)", "(i % 70)")),
        *(f"({one} << {n})" for n in ("1", "13", "63", "(k & 31)")),
        *(f"({one} & {mask})" for mask in (MASK, MASK, 2**63 - 1, 2**63 + 5)),
        *(f"({one} % {n})" for n in ("2**64", "2**32", "10", "(i + 1)", "(i - 1)")),
        *(f"({one} // {n})" for n in ("2", "10", "(i + 1)")),
        *(f"(~{one})", f"(-{one})", "int(u[i % 5])"),
    ]
    return generator.choice(forms)


def statements(generator: random.Random, depth: int, indent: str) -> list[str]:
    kind, name = generator.random(), generator.choice("xy")
    if kind < 0.5 or depth == 0:
        if generator.random() < 0.3:
            symbol = generator.choice(["^=", "|=", "&="])
            return [f"{indent}{name} {symbol} {expression(generator, 1)}"]
        return [f"{indent}{name} = {expression(generator, 2)} & {MASK}"]
    if kind < 0.6:
        return [f"{indent}t += {expression(generator, 1)} & 255"]
    if kind < 0.7:
        return [f"{indent}f += {generator.choice(['x / 2**64', 'float(x)', 'x * 0.5', 'y / 3'])}"]
    symbol = generator.choice(["<", "<=", ">", ">=", "==", "!="])
    condition = f"{expression(generator, 1)} {symbol} {expression(generator, 1)}"
    lines = [f"{indent}if {condition}:", *statements(generator, depth - 1, indent + "    ")]
    if generator.random() < 0.5:
        lines += [f"{indent}else:", *statements(generator, depth - 1, indent + "    ")]
    return lines


@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed: int, tmp_path: Any, monkeypatch: Any) -> None:
    generator = random.Random(seed)
    lines = ["def run(x, y, k, u):", "    t, f = 0, 0.0", "    for i in range(k):"]
    for _ in range(generator.randint(2, 4)):
        lines += statements(generator, 2, "        ")
    (tmp_path / f"unsigned_{seed}.py").write_text("\n".join([*lines, "    return x, y, t, f", ""]))
    monkeypatch.syspath_prepend(tmp_path)
    plain = __import__(f"unsigned_{seed}").run
    native = staticpy.jit(plain, backend="llvm")
    u = np.random.default_rng(seed).integers(0, 2**64, 5, dtype=np.uint64)
    for x in SEEDS:
        for y in SEEDS[1:4]:
            assert outcome(native, x, y, 6, u) == outcome(plain, x, y, 6, u)
