"""Random loops over ints that conditions bound, which count, divide and index with them: results,
writes and exceptions are CPython's.
"""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

NAMES = ("i", "j", "k")
STARTS = ("0", "0", "1", "2", "len(x)", "len(x) - 1", "a", "b", "a - 1", "abs(a)", "a & 3", "a % 4")
EDGES = (2**63 - 1, -(2**63), 2**62, -(2**62))


def _int(rng: random.Random) -> str:
    one, other = rng.choice(NAMES), rng.choice([*NAMES, "1", "2", "3", "len(x)"])
    form = rng.choice((
        *("{0} + {1}", "{0} - {1}", "{0} - 1", "{0} + 1", "{0} * {1}", "{0} // {1}", "{0} % {1}"),
        *("{0} & {1}", "{0} & ({0} - 1)", "{0} | {1}", "{0} ^ {1}", "-{0}", "~{0}", "abs({0})"),
        *("min({0}, {1})", "max({0}, {1})", "{0} >> 1", "{0} << 1", "({0} + {1}) // 2"),
        *("x[{0}].item()", "{1}", "{0} if {0} > {1} else {1}"),
    ))  # fmt: skip
    return form.format(one, other)


def _condition(rng: random.Random, depth: int = 0) -> str:
    one, other = rng.choice(NAMES), rng.choice([*NAMES, "0", "0", "-1", "1", "len(x)"])
    plain = f"{one} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {other}"
    kind = rng.random()
    if depth > 1 or kind < 0.5:
        return plain
    if kind < 0.6:
        return one
    if kind < 0.7:
        return f"not ({_condition(rng, depth + 1)})"
    if kind < 0.8:
        return f"0 <= {one} < {other}"
    joined = f" {rng.choice(('and', 'and', 'or'))} "
    return f"({_condition(rng, depth + 1)}{joined}{_condition(rng, depth + 1)})"


def _statements(rng: random.Random, depth: int) -> list[str]:
    found = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        kind = rng.random()
        if kind < 0.3:
            found.append(f"{rng.choice(NAMES)} = {_int(rng)}")
        elif kind < 0.5:
            found.append(f"{rng.choice(NAMES)} {rng.choice(('+=', '-=', '-='))} 1")
        elif kind < 0.65:
            found.append(f"total = total * 3 % 1000003 + x[{rng.choice(NAMES)}].item()")
        elif kind < 0.72:
            found.append(f"y[{rng.choice(NAMES)}] = steps")
        elif kind < 0.76 and depth:
            found += [f"if {_condition(rng)}:", f"    {rng.choice(('break', 'continue'))}"]
        elif depth < 2:
            found.append(f"if {_condition(rng)}:")
            if rng.random() < 0.3:
                found[-1] = f"while {_condition(rng)} and steps < 30:"
                found.append("    steps += 1")
            found += [f"    {line}" for line in _statements(rng, depth + 1)]
    return found or ["total += 1"]


def _program(seed: int):
    rng = random.Random(seed)
    lines = [f"{name} = {rng.choice(STARTS)}" for name in NAMES]
    lines += ["total = 0", "steps = 0"]
    if rng.random() < 0.3:
        step = rng.choice((1, 2, -1, -2))
        lines.append(f"for i in range({_int(rng)}, {rng.choice(['8', '-3', '-1', 'k'])}, {step}):")
        lines += ["    steps += 1", "    if steps > 12:", "        break"]
    else:
        lines.append(f"while {_condition(rng)} and steps < 12:")
        lines.append("    steps += 1")
    lines += [f"    {line}" for line in _statements(rng, 1)]
    lines.append("return i, j, k, total, steps")
    text = "\n    ".join(["def program(x, y, a, b):", *lines]) + "\n"
    name = f"<signs {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, object] = {}
    exec(compile(text, name, "exec"), names)
    return names["program"], text


def _outcome(function, x, a, b):
    y = np.zeros(len(x), np.int64)
    try:
        result = function(x, y, a, b)
    except (IndexError, ZeroDivisionError, OverflowError) as error:
        result = type(error), str(error)
    return result, y.tolist()


def _check(seed: int) -> None:
    function, text = _program(seed)
    native = staticpy.jit(function, backend="llvm")
    rng = random.Random(seed)
    writes = "y[" in text
    for _ in range(12):
        x = np.array([rng.randrange(-3, 9) for _ in range(rng.choice((0, 1, 3, 5, 8)))], np.int64)
        a, b = (rng.choice((*range(-4, 7), *(() if writes else EDGES))) for _ in range(2))
        if rng.random() < 0.2:
            x = np.repeat(x, 2)[::2]
        wanted, found = _outcome(function, x, a, b), _outcome(native, x, a, b)
        is_beyond = isinstance(found[0], tuple) and found[0][0] is OverflowError
        assert found == wanted or (writes and is_beyond), (text, x, a, b)


@pytest.mark.parametrize("seed", range(60))
def test_random_loops(seed):
    _check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_more_random_loops(seed):
    _check(seed)
