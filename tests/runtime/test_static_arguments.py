"""Arguments whose values are compiled in, of compiled functions and of what transforms make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy

X = np.arange(6.0).reshape(2, 3)


@staticpy.jit(static_argnames=("axis", "how"))
def loss(x, axis=0, *, how="sum"):  # type: ignore[no-untyped-def]
    reduced = x.sum(axis=axis) if how == "sum" else x.mean(axis=axis)
    return (reduced * reduced).sum()


class Model:
    @staticpy.jit(static_argnames="axis")
    def loss(self, x, axis):  # type: ignore[no-untyped-def]
        total = x.sum(axis=axis)
        return (total * total).sum()


def plain(x, axis):  # type: ignore[no-untyped-def]
    return (x.sum(axis=axis) ** 2).sum()


def slope(axis: int, count: int = 1) -> Any:
    return np.broadcast_to(2 * X.sum(axis=axis, keepdims=True), X.shape) / count**2


TRANSFORMS: dict[str, Callable[[Any, int], Any]] = {
    "grad": staticpy.grad(loss),
    "by name": lambda x, axis: staticpy.grad(loss)(x, axis=axis),
    "argnames": lambda x, axis: staticpy.grad(loss, argnames="x")(axis=axis, x=x),
    "value_and_grad": lambda x, axis: staticpy.value_and_grad(loss)(x, axis)[1],
    "jacfwd": staticpy.jacfwd(loss),
    "jacrev": staticpy.jacrev(loss),
    "vmap": lambda x, axis: staticpy.vmap(staticpy.grad(loss), in_axes=(0, None))(x[None], axis)[0],
    "jit": staticpy.jit(staticpy.grad(loss)),
    "checkpoint": staticpy.grad(staticpy.checkpoint(loss)),
    "method": staticpy.grad(Model().loss),
    "of the class": lambda x, axis: staticpy.grad(Model.loss, argnums=1)(Model(), x, axis),
    "of a plain gradient": lambda x, axis: staticpy.jit(
        staticpy.grad(plain), static_argnames="axis"
    )(x, axis=axis),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_compile_them_in(name: str) -> None:
    for axis in (0, 1, 0):
        np.testing.assert_allclose(TRANSFORMS[name](X, axis), slope(axis), rtol=1e-15)


def test_forward_mode_and_second_derivatives() -> None:
    for axis in (0, 1):
        for function, before in ((loss, ()), (Model().loss, ()), (Model.loss, (Model(),))):
            given, moved = (*before, X, axis), (*[None for _ in before], X, None)
            value, found = staticpy.jvp(function, given, moved)
            assert (value, found) == (plain(X, axis), 2 * plain(X, axis))
        np.testing.assert_array_equal(staticpy.hvp(loss, (X, axis), (X, None)), slope(axis))
        assert staticpy.hessian(loss)(X, axis).shape == (2, 3, 2, 3)


def test_each_value_is_compiled_for_itself() -> None:
    gradient = staticpy.grad(loss)
    for axis, how in ((0, "sum"), (1, "sum"), (1, "mean"), (0, "sum"), (1, "mean")):
        found = gradient(X, axis, how=how)
        count = X.shape[axis] if how == "mean" else 1
        np.testing.assert_allclose(found, slope(axis, count), rtol=1e-15)
    assert gradient.cache_size == 3
    np.testing.assert_array_equal(gradient(X), slope(0))


def test_they_stay_when_something_else_is_asked_for() -> None:
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    first = staticpy.jit(plain, static_argnames="axis", backend="python_source")
    again = staticpy.jit(first, backend="llvm")
    assert again is not first
    assert again(X, 1) == plain(X, 1)
    np.testing.assert_array_equal(staticpy.grad(again)(X, 1), slope(1))


def test_what_a_function_cannot_be_given() -> None:
    with pytest.raises(ValueError, match="plain has no other"):
        staticpy.jit(plain, static_argnames="other")
