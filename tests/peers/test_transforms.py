"""Transforms have the parameters of JAX's, and of complex functions give what JAX gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import staticpy

Z = np.array([0.3 + 0.4j, 1.1 - 0.2j, -0.5 + 1j])
TRANSFORMS = (
    *("grad", "value_and_grad", "vjp", "jvp", "linearize"),
    *("jacrev", "jacfwd", "hessian", "vmap"),
    *("custom_vjp", "custom_jvp"),
)
OF_MACHINES = {"reduce_axes", "axis_name", "spmd_axis_name", "sum_match"}
"""Parameters of JAX's for programs that run on many machines."""


@pytest.fixture(scope="module")
def jax() -> ModuleType:
    jax = pytest.importorskip("jax", reason="the extra 'peers' is not installed")
    jax.config.update("jax_enable_x64", True)
    return jax  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", TRANSFORMS)
def test_parameters(jax: ModuleType, name: str) -> None:
    """In the same order, but for those that JAX has not, which are behind and given by name."""
    theirs = inspect.signature(getattr(jax, name)).parameters
    ours = inspect.signature(getattr(staticpy, name)).parameters
    wanted = [(each.name, each.kind) for each in theirs.values() if each.name not in OF_MACHINES]
    found = [(each.name, each.kind) for each in ours.values()]
    assert found[: len(wanted)] == wanted
    assert all(kind is inspect.Parameter.KEYWORD_ONLY for _, kind in found[len(wanted) :])


def number(xp, z):
    return (xp.sin(z) * z**2).prod()


def array(xp, z):
    return xp.exp(z[:2]) * z[2]


CASES = [("grad", number), ("jacrev", array), ("jacfwd", array), ("hessian", number)]


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
@pytest.mark.parametrize(("name", "function"), CASES)
def test_holomorphic(
    jax: ModuleType, name: str, function: Callable[..., Any], form: Callable[..., Any]
) -> None:
    def of_numpy(z):
        return function(np, z)

    def of_jax(z: Any) -> Any:
        return function(jax.numpy, z)

    found = getattr(staticpy, name)(form(of_numpy), holomorphic=True)(Z)
    expected = getattr(jax, name)(of_jax, holomorphic=True)(Z)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    with pytest.raises(TypeError, match="complex"):
        getattr(jax, name)(of_jax, holomorphic=True)(Z.real)
    with pytest.raises(staticpy.CompileError, match="complex"):
        getattr(staticpy, name)(form(of_numpy), holomorphic=True)(Z.real)
