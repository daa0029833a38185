"""Functions that NumPy lacks: values and dtypes as they run, compiled, and their derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import ops
from staticpy.diagnostics import CompileError

_X = np.array([[-np.inf, -6.5, -1.0, -0.25], [0.0, 1e-300, 2.0, np.inf]])


def erf(x: Any) -> Any:
    return ops.erf(x)


def total(x: Any) -> Any:
    return ops.erf(x).sum()


def exact(x: Any) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def slope(x: Any) -> Any:
    return 2 / np.sqrt(np.pi) * np.exp(-x * x)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_dtype_is_kept(dtype: str) -> None:
    x = _X.astype(dtype)
    assert np.array_equal(ops.erf(x), exact(x).astype(dtype))
    assert ops.erf(x).dtype == dtype
    assert type(ops.erf(x[1, 2])) is x.dtype.type


def test_numbers_ints_and_lists_are_taken_as_numpy_takes_them() -> None:
    assert ops.erf(0.5) == math.erf(0.5)
    assert type(ops.erf(1)) is np.float64
    assert np.array_equal(ops.erf([0, 1]), exact([0, 1]))
    assert ops.erf(np.array([True])).dtype == np.cbrt(np.array([True])).dtype
    assert np.isnan(ops.erf(np.nan))
    assert np.signbit(ops.erf(-0.0))


def test_a_subclass_of_ndarray_is_taken_as_an_array() -> None:
    class Named(np.ndarray):
        pass

    assert np.array_equal(ops.erf(_X.view(Named)), exact(_X))
    assert type(ops.erf(_X.view(Named))) is np.ndarray


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(TypeError):
        ops.erf(1j)
    with pytest.raises(CompileError) as raised:
        staticpy.jit(erf)(np.ones(2, complex))
    assert raised.value.diagnostics[0].code == "SPY601"
    assert "erf" in str(raised.value)


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
def test_compiled_it_is_the_same(backend: str, dtype: str) -> None:
    """But for the last place: one unit, two of float32."""
    compiled = staticpy.jit(erf, backend=backend)
    with np.errstate(all="raise", under="ignore"):
        x = np.random.default_rng(0).normal(size=(7, 30)).astype(dtype)
        special = x if dtype == "int64" else _X.astype(dtype)
        for each in (x, x.T[::2, ::-1], x[:0], special):
            expected, got = ops.erf(each), compiled(each)
            assert got.dtype == expected.dtype
            np.testing.assert_array_max_ulp(got, expected, 2 if dtype == "float32" else 1)
        for number in (0.5, 2, np.float32(0.5), x[0, 0]):
            assert type(compiled(number)) is type(ops.erf(number))
            assert abs(compiled(number) - ops.erf(number)) <= 1.2e-7


def test_derivatives_as_it_runs_and_compiled() -> None:
    x = np.linspace(-4, 4, 33)
    for function in (total, staticpy.jit(total)):
        np.testing.assert_allclose(staticpy.grad(function)(x), slope(x), rtol=1e-14)
        second = staticpy.grad(lambda x, f=function: staticpy.grad(f)(x).sum())(x)
        np.testing.assert_allclose(second, -2 * x * slope(x), rtol=1e-13)
        assert staticpy.jvp(function, (x,), (np.ones(33),))[1] == pytest.approx(slope(x).sum())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_derivative_far_out_is_zero_without_a_warning(dtype: str) -> None:
    x = np.array([-np.inf, -np.finfo(dtype).max, 300.0, np.finfo(dtype).max, np.inf], dtype)
    with np.errstate(all="raise", under="ignore"):
        for function in (total, staticpy.jit(total)):
            found = staticpy.grad(function)(x)
            assert found.dtype == dtype
            assert not found.any()
            assert not staticpy.grad(lambda x, f=function: staticpy.grad(f)(x).sum())(x).any()
    assert np.isnan(staticpy.grad(total)(np.array([np.nan], dtype))).all()


def test_tensors_and_batches() -> None:
    x = staticpy.Tensor(np.array([-1.0, 0.5]), requires_grad=True)
    ops.erf(x).sum().backward()
    np.testing.assert_allclose(x.grad, slope(np.array([-1.0, 0.5])), rtol=1e-15)
    rows = np.arange(6.0).reshape(2, 3) / 4
    assert np.array_equal(staticpy.vmap(erf)(rows), exact(rows))
