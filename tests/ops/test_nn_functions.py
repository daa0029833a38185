"""The functions that NumPy lacks, against their formulas; dtype kept, no overflow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.ops import gelu, log_softmax, relu, sigmoid, softmax
from tests.support.proxy import check

_X = np.array([[-1000.0, -2.5, -0.0], [0.5, 3.0, 1000.0]])


def _plain(np: Any, py: Any, x: Any) -> Any:
    """The composition that ``softmax`` is, as a program of the ops."""
    weights = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return weights / np.sum(weights, axis=-1, keepdims=True)


@pytest.mark.parametrize("function", [relu, sigmoid, softmax, log_softmax, gelu])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtype_and_shape_are_kept(function: Any, dtype: str) -> None:
    with np.errstate(over="raise", invalid="raise"):
        result = function(_X.astype(dtype))
    assert result.dtype == dtype
    assert result.shape == _X.shape


def test_relu() -> None:
    np.testing.assert_array_equal(relu(_X), np.where(_X > 0, _X, 0))
    assert np.isnan(relu(np.array([np.nan])))[0]


def test_sigmoid() -> None:
    inside = np.clip(_X, -700, 700)
    # 2 ulp: one division and one sum more than the formula.
    np.testing.assert_allclose(sigmoid(inside), 1 / (1 + np.exp(-inside)), rtol=5e-16)
    np.testing.assert_array_equal(sigmoid(np.array([-1e4, 0, 1e4])), [0, 0.5, 1])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax(axis: int) -> None:
    result = softmax(_X / 100, axis)
    np.testing.assert_allclose(result.sum(axis=axis), 1, rtol=1e-15)
    # The logarithm of small weights loses what the shifted sum keeps: 1e-12 relative.
    np.testing.assert_allclose(np.log(result), log_softmax(_X / 100, axis), rtol=1e-12, atol=1e-15)


def test_softmax_as_a_graph() -> None:
    check(_plain, _X)


def test_gelu() -> None:
    assert gelu(np.array(0.0)) == 0
    # Its tanh form is within 5e-4 of x * Phi(x); Phi(1) = 0.841344746...
    assert abs(gelu(np.float64(1)) - 0.8413447460685429) < 5e-4
    np.testing.assert_array_equal(gelu(np.array([-1e3, 1e3])), [-0.0, 1e3])
