"""Sizes that are read from the arguments that have them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import copy_module, verify, walk
from staticpy.passes import sizes_of_arguments


def mean_square(x, y):
    error = 2.0 * x - y
    return (error * error).sum() / error.shape[0]


def row_by_row(x, y):
    total = 0.0
    for i in range(len(x)):
        part = x[i:] + 1.0
        total += (part.shape[0] + (x * 2.0).shape[0]) * float(y[i])
    return total


def sizes(module):
    return [each.operands[0] for each in walk(module.main.block) if each.op.name == "dim"]


@pytest.mark.parametrize(("program", "others"), [(mean_square, 0), (row_by_row, 1)])
def test_they_are_read_from_arguments(program, others):
    """That of a slice is its own."""
    x, y = np.arange(5.0), np.ones(5)
    module = copy_module(staticpy.jit(program).lower(x, y).module)
    sizes_of_arguments(module)
    verify(module)
    found = [each for each in sizes(module) if each not in module.main.args]
    assert len(found) == others


@pytest.mark.parametrize("program", [mean_square, row_by_row])
def test_they_are_right_in_native_code(program):
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    native = staticpy.jit(program, backend="llvm")
    for n in (5, 1, 9):
        x, y = np.arange(float(n)), np.linspace(1.0, 2.0, n)
        assert native(x, y) == program(x, y)


def test_what_is_only_asked_for_its_size_is_never_in_memory():
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    native = staticpy.jit(mean_square, backend="llvm")
    (kernel,) = native.lower(np.ones(5), np.ones(5)).compile().kernels
    assert "16 bytes read, 0 written" in str(kernel)
