"""Random loops over elements at sums of indexes, some of them behind an ``if`` that says where they
are: results, writes and exceptions are CPython's.
"""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

NAMES = ("k", "m", "n")


def _index(rng: random.Random, loops: list[str]) -> str:
    names = [*loops, *NAMES]
    first = rng.choice([*loops, *loops, *names])
    terms = [first if rng.random() < 0.85 else f"n - {first}"]
    if rng.random() < 0.2:
        terms = [f"{rng.choice((2, 2, 3))} * {first}"]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        term = rng.choice([*names, "1", "1", "2"])
        if rng.random() < 0.2:
            term = f"w[{rng.choice(['k', 'k', *names])}]"
        terms += [rng.choice("+-"), term]
    return " ".join(terms)


def _element(rng: random.Random, loops: list[str]) -> str:
    if rng.random() < 0.5:
        return f"{rng.choice('ab')}[{_index(rng, loops)}]"
    return f"t[{_index(rng, loops)}, {_index(rng, loops)}]"


def _statements(rng: random.Random, loops: list[str], depth: int) -> list[str]:
    found = []
    for _ in range(rng.choice((1, 1, 2))):
        if depth < 2 and rng.random() < 0.55:
            left, right = _index(rng, loops), rng.choice((_index(rng, loops), "0", "n", "k"))
            found.append(f"if {left} {rng.choice(('<', '<=', '>', '>='))} {right}:")
            found += [f"    {line}" for line in _statements(rng, loops, depth + 1)]
            if rng.random() < 0.3:
                found.append("else:")
                found += [f"    {line}" for line in _statements(rng, loops, depth + 1)]
        elif rng.random() < 0.3:
            found.append(f"s += {_element(rng, loops)}")
        elif rng.random() < 0.3:
            found.append(f"{_element(rng, loops)} {rng.choice('+-')}= {_element(rng, loops)}")
        else:
            value = f"{_element(rng, loops)} + {_element(rng, loops)} * 2"
            if rng.random() < 0.3:
                value = f"max({_element(rng, loops)}, {_element(rng, loops)})"
            found.append(f"{_element(rng, loops)} = {value}")
    return found


def program(seed: int) -> str:
    """A function of two vectors, a matrix, a vector of indexes, and three ints."""
    rng = random.Random(seed)
    lines = ["def f(a, b, t, w, k, m, n):", "    s = a[0] * 0"]
    if rng.random() < 0.4:
        lines += ["    a, b, t = a.copy(), b.copy(), t.copy()"]
    pad, loops = "    ", []
    for name in ("i", "j")[: rng.choice((1, 2, 2))]:
        start = rng.choice(("0", "0", "1", "k", *loops, "n - 1"))
        last = "-1" if start == "n - 1" else "n - k"
        stop = rng.choice(("n", "n", "n - 1", "m", "n + 1", last, "3"))
        step = ", -1" if start == "n - 1" else rng.choice(("", "", "", ", 2"))
        lines.append(f"{pad}for {name} in range({start}, {stop}{step}):")
        loops.append(name)
        pad += "    "
    lines += [pad + line for line in _statements(rng, loops, 0)]
    lines.append("    return a, b, t, w, s")
    return "\n".join(lines) + "\n"


def arguments(seed: int) -> tuple:
    """What to call a program with."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    dtype = rng.choice([np.int64, np.float64])
    a, b, t = (rng.integers(-9, 9, size).astype(dtype) for size in (n, n + 1, (n, n + 2)))
    if rng.random() < 0.2:
        a = rng.integers(-9, 9, 2 * n).astype(dtype)[::2]
    if rng.random() < 0.2:
        b = a
    w = rng.integers(-1, 4, n + 1)
    if rng.random() < 0.2 and dtype == np.int64:
        w = b
    numbers = [int(rng.integers(0, 4)), int(rng.integers(0, n + 2)), n + int(rng.integers(-1, 1))]
    kinds = [np.int64 if rng.random() < 0.3 else int for _ in numbers]
    return a, b, t, w, *(kind(number) for kind, number in zip(kinds, numbers, strict=True))


def function(seed: int):
    """The function of a program."""
    text, name = program(seed), f"<indexes {seed}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names: dict = {}
    exec(compile(text, name, "exec"), names)
    return names["f"]


def outcome(function, given):
    """What a call gives or raises, and what it leaves in the arrays; no warning counts."""
    try:
        with np.errstate(all="ignore"):
            found = function(*given)
    except (IndexError, OverflowError) as error:
        found = type(error), str(error)
    return found, [each.tobytes() for each in given[:4]]


def equal(one, other) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    return type(one) is type(other) and (one == other or one != one)


def check(seeds):
    for seed in seeds:
        plain = function(seed)
        native = staticpy.jit(plain, backend="llvm")
        for number in range(4):
            given, expected = arguments(4 * seed + number), arguments(4 * seed + number)
            (found, left), (wanted, kept) = outcome(native, given), outcome(plain, expected)
            assert left == kept, (seed, number)
            assert equal(found, wanted), (seed, number)


@pytest.mark.parametrize("first", range(0, 60, 20))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_random_indexes(first):
    check(range(first, first + 20))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 340, 40))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_more_random_indexes(first):
    check(range(first, first + 40))
