"""Comparisons of arrays of integers with an int that is known only when the program runs."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import staticpy
from staticpy.ir import copy_module, verify, walk
from staticpy.ops import COMPARE_INT
from staticpy.passes import compare_elements
from tests.support.observing import Call, differences

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


def compared(x, k):
    return x < k, x <= k, x == k, x != k, x >= k, x > k, k < x, k >= x


def counted(x, k):
    y = np.where(x == k, 1.5, 0.0)
    y[x > k] = 2.0
    return y.sum(), (k > x.T).sum(axis=0), np.count_nonzero(x != k)


def compared_with_large_ones(x, k):
    return x < 300, x == -(10**30), x <= 2**64, x > -129, x != 2**63, x >= k * 2**62


CRASH = "import numpy as np\nfor _ in range(100): np.zeros((2, 4), np.int8)[:, ::-2] < 300"


@pytest.fixture(scope="module")
def steps():
    """Steps of the last axis. NumPy 2.0 dies of the comparison where it isn't contiguous."""
    died = subprocess.run([sys.executable, "-c", CRASH], check=False, stderr=subprocess.DEVNULL)
    return [1] if died.returncode else [1, -2]


PROGRAMS = [compared, counted, compared_with_large_ones]


@pytest.mark.parametrize("dtype", DTYPES)
def test_none_is_left(dtype):
    x = np.arange(6, dtype=dtype)
    module = copy_module(staticpy.jit(compared).lower(x, 3).module)
    compare_elements(module)
    verify(module)
    assert not any(each.op in COMPARE_INT.values() for each in walk(module.main.block))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_same_as_numpy(dtype, program, steps):
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    limits = np.iinfo(dtype)
    x = np.array([[limits.min, limits.max, 0, 1], [3, 2, 1, limits.max - 1]], dtype=dtype)
    ends = (int(limits.min), int(limits.max), 2**63 - 1, -(2**63), 0, 2)
    numbers = {end + more for end in ends for more in (-1, 0, 1)} | {10**30, -(10**30)}
    calls = [Call((x, k)) for k in sorted(numbers)] + [Call((x[:0], 3))]
    calls += [Call((x[:, ::step], 3)) for step in steps]
    native = staticpy.jit(program, backend="llvm")
    assert differences(program, calls, {"llvm": native}) == []


def test_one_loop_compares_and_chooses():
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    native = staticpy.jit(counted, backend="llvm")
    kernels = native.lower(np.ones((3, 4), np.int32), 3).compile().kernels
    assert any({"equal", "where"} <= set(each.operations) for each in kernels)
