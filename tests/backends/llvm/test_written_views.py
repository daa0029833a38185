"""Writes to views of arrays: which of them are the same elements, and which only look alike."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import staticpy
from tests.backends.llvm.test_programs import check
from tests.support.programs import IMPORTS, Program

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")


def parts(x):
    a, b, c = np.split(x, 3)
    a += 10.0
    b[:] = a
    c[:] = b * 2.0 + a
    return a, b, c


def copies(x):
    a, b = x.T.reshape(-1), x.T.reshape(-1)
    a[0] = 50.0
    b[...] = a
    return a, b


def views_or_copies(x):
    a, b = x.reshape(-1), np.ravel(x)
    a[0] = 50.0
    b[...] = a + 1.0
    a += b
    return a, b


def itself_and_another(x):
    a, b = np.ravel(x)[:12], np.flip(x)[:3].reshape(-1)
    c = a * b
    a[:] = a
    b[1:] = b[1:]
    return a, b, c


def items(x):
    arrays = [x[:2].copy(), x[2:4]]
    a = arrays[0]
    arrays[0] = arrays[1]
    b = arrays[0]
    a[...] = b
    b += a
    return a, b


def entries(x):
    arrays = {"a": x[:2].copy()}
    a = arrays["a"]
    arrays["a"] = x[2:4]
    arrays["a"][...] = a * 2.0
    a[...] = arrays["a"]
    return a


PROGRAMS = (parts, copies, views_or_copies, itself_and_another, items, entries)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_same_as_cpython(program):
    compiled = staticpy.jit(program, backend="llvm")
    for order, step in itertools.product("CF", (1, -1)):
        outcomes = []
        for function in (program, compiled):
            x = np.array(np.arange(24.0).reshape(6, 4), order=order)[::step]
            results = function(x)
            outcomes.append([np.array(each).tolist() for each in (x, *results)])
        assert outcomes[0] == outcomes[1]


# --- random programs ------------------------------------------------------------------------------

FLAT = (
    *("{x}.T.reshape(-1)[:12]", "{x}.reshape(-1)[:12]", "np.ravel({x})[:12]", "{x}.flatten()[:12]"),
    *("np.ravel({x}.T)[12:]", "np.split({x}, 2)[0].reshape(-1)", "np.split({x}, 2)[1].ravel()"),
    *("{x}[:2].reshape(-1)", "{x}[2:].reshape(12)", "np.asarray({x})[1:3].reshape(-1)"),
    *("np.ascontiguousarray({x})[:2].reshape(-1)", "np.asfortranarray({x}).T[:3].reshape(-1)"),
    *("l[0][:2].ravel()", "l[1][:2].ravel()", "t['a'][2:].ravel()", "{x}.view()[:2].reshape(12)"),
    *("np.flip({x})[:2].reshape(-1)", "{x}[::-1][:2].reshape(-1)"),
)
RECTANGULAR = (
    *("{x}[:2]", "{x}[2:]", "np.split({x}, 2)[0]", "np.split({x}, 2)[1]", "np.flip({x})[:2]"),
    *("{x}[::-1][:2]", "np.fliplr({x})[2:]", "l[0][:2]", "l[1][2:]", "t['a'][1:3]"),
    *("np.reshape({x}, (6, 4)).T.reshape(4, 6)[:2]", "np.reshape({x}, (2, 2, 6))[0]"),
    *("np.reshape({x}, (2, 2, 6))[1]", "{x}.T[:, :2].T", "np.squeeze(np.expand_dims({x}, 0))[:2]"),
    *("np.rot90({x}, 2)[:2]", "np.roll({x}, 1)[:2]", "np.vsplit({x}, 2)[1]", "{x}.view()[2:]"),
    *("np.moveaxis({x}, 0, 1).T[1:3]", "np.ascontiguousarray({x})[:2]"),
    "np.array_split({x}, 2)[1]",
)
MOVES = ("l[0] = y", "l[1] = x", "t['a'] = y", "l.reverse()", "l[0], l[1] = l[1], l[0]")
WRITES = (
    *("{a}[...] = {b}", "{a}[:] = {b}", "{a} += {b}", "{a}[...] = {b} + {c}", "{a} *= 2.0"),
    *("{a}[1:] += 1.0", "{a}[1:] = {b}[1:]", "{a}[0] = 5.0", "{a}[...] = {b} * 2.0 + {c}"),
    *("{a} = {b} * {c}", "{a}[{a} > 3.0] = 1.0"),
)


def generate(seed: int) -> Program:
    """Two to four views of two matrices, in lists, too, and what is written to them."""
    rng = random.Random(seed)
    views = rng.choice((FLAT, RECTANGULAR))
    names = "abcd"[: rng.randint(2, 4)]
    lines = ["def program(x, y):", "l, t = [x, y], {'a': x}"]
    if views is RECTANGULAR and rng.random() < 0.4:
        lines.append("a, b = np.split(x, 2)")
    for name in names[2:] if lines[2:] else names:
        lines += rng.sample(MOVES, rng.random() < 0.15)
        lines.append(f"{name} = {rng.choice(views).format(x=rng.choice('xxy'))}")
    for _ in range(rng.randint(2, 6)):
        a, b, c = (rng.choice(names) for _ in range(3))
        lines.append(rng.choice((*WRITES, *MOVES[-1:])).format(a=a, b=b, c=c))
    lines.append(f"return x, y, {', '.join(names)}")
    arrays = ("X = np.arange(24.0).reshape(4, 6)", "Y = 3.0 - X / 2")
    text = IMPORTS + "\n\n" + "\n    ".join(lines) + "\n"
    calls = ("X, Y", "X, X", "X, X[::-1]")
    return Program(seed, frozenset(), text, arrays, calls)


def test_random_programs():
    check(range(20), generate)


@pytest.mark.slow
def test_random_programs_long():
    check(range(1000, 2000), generate)
