"""Writes to views of one array: which are the same elements is not for the names to say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy

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
