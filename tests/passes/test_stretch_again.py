"""Operands that are stretched for operations far from each other."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import copy_module, verify, walk
from staticpy.passes import is_elementwise, stretch_again


def rectified(x, w, b):
    y = x + b
    z = np.maximum(y, 0.0)
    return z @ w, np.where(y == 0.0, 0.5, y)


def summed_and_given(x, w, b):
    y = np.broadcast_to(b, x.shape)
    return x * b, y.sum(), (x - b) * (x @ w).sum()


def gradient(x, w, b):
    return staticpy.grad(lambda b: (np.maximum(x + b, 0.0) @ w).sum())(b)


PROGRAMS = [rectified, summed_and_given, gradient]


def stretched(module):
    return [each for each in walk(module.main.block) if each.op.name == "broadcast"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_reads_its_own(program):
    x, w, b = np.arange(-6.0, 6).reshape(3, 4), np.ones((4, 2)), np.arange(4.0)
    module = copy_module(staticpy.jit(program).lower(x, w, b).module)
    stretch_again(module)
    verify(module)
    for operation in stretched(module):
        users = {user for value in operation.results for user in value.users}
        assert len([user for user in users if is_elementwise(user)]) <= 1
    count = len(stretched(module))
    stretch_again(module)
    assert len(stretched(module)) == count


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_the_same(program, backend):
    x, w, b = np.arange(-6.0, 6).reshape(3, 4), np.ones((4, 2)), np.arange(4.0)
    found, wanted = staticpy.jit(program, backend=backend)(x, w, b), program(x, w, b)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_gradient_stretches_nothing_outside_of_loops():
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    x, w, b = np.ones((3, 4)), np.ones((4, 2)), np.ones(4)
    with staticpy.profile() as measured:
        staticpy.jit(gradient, backend="llvm")(x, w, b)
    names = {kernel.name for each in measured.functions for kernel in each.kernels}
    assert "broadcast" not in names
