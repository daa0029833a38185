"""NumPy's functions and methods that change a Tensor in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from tests.autodiff.tensor_support import leaf, refused

X = np.array([0.3, 0.9, 0.7, 1.4])
MASK = np.array([[True, True], [True, False]])

CHANGES: dict[str, Callable[[Any, Any], object]] = {
    "put, one place twice": lambda y, x: np.put(y, [0, 3, 0], x[:3]),
    "put too many": lambda y, x: np.put(y, [-1, 2], x),
    "put too few": lambda y, x: np.put(y, [0, 1, 3], x[2:]),
    "put wrapped": lambda y, x: np.put(y, [5, -6], x[:2], mode="wrap"),
    "put a number": lambda y, x: np.put(y, [5], x[0], mode="clip"),
    "put, the method": lambda y, x: y.put([1], x[1]),
    "put itself": lambda y, x: np.put(y, [0], y[1]),
    "place": lambda y, x: np.place(y, y > 1, x[:2]),
    "place again and again": lambda y, x: np.place(y, MASK, x[:2]),
    "putmask": lambda y, x: np.putmask(y, y > 0.5, x),
    "putmask again and again": lambda y, x: np.putmask(y, y > 0.5, x[:1]),
    "copyto": lambda y, x: np.copyto(y, x[:2]),
    "copyto where": lambda y, x: np.copyto(y, x.reshape(2, 2), where=[True, False]),
    "copyto by name": lambda y, x: np.copyto(dst=y, src=x[0], casting="unsafe"),
    "copyto a constant": lambda y, x: np.copyto(y, 2.0),
    "copyto of itself": lambda y, x: np.copyto(y, y.T),
    "fill_diagonal": lambda y, x: np.fill_diagonal(y, x[:2]),
    "fill_diagonal by a number": lambda y, x: np.fill_diagonal(y, x[0]),
    "put_along_axis": lambda y, x: np.put_along_axis(y, np.array([[1], [0]]), x[:2][:, None], 1),
    "put_along_axis a number": lambda y, x: np.put_along_axis(y, np.array([[1], [0]]), 5.0, axis=1),
    "fill": lambda y, x: y.fill(x[1]),
    "fill a constant": lambda y, x: y.fill(2),
    "sort": lambda y, x: y.sort(),
    "sort columns": lambda y, x: y.sort(axis=0),
    "sort a view": lambda y, x: y[::-1].sort(0),
    "partition": lambda y, x: y.T.partition(1),
    "out of a ufunc": lambda y, x: np.add(y, x[:2], out=y),
    "out, with a view": lambda y, x: np.multiply(y, y.T, out=y),
    "out that is not read": lambda y, x: np.exp(x.reshape(2, 2), out=y),
    "out where": lambda y, x: np.log(y, out=y, where=y > 0.5),
    "out that is a view": lambda y, x: np.multiply(y, x[:2], out=y.T, where=[[True], [False]]),
    "out of other functions": lambda y, x: np.cumsum(y, axis=1, out=y),
    "out of a product": lambda y, x: np.matmul(y, y, out=y),
    "out of dot": lambda y, x: np.dot(y, np.ones((2, 2)), out=y),
    "out of clip": lambda y, x: np.clip(y, 0.5, 2.0, out=y),
    "out of clip, the method": lambda y, x: y.clip(0.5, 1.0, out=y),
    "out of reduce": lambda y, x: np.add.reduce(y, axis=1, out=y[:, 0]),
    "out of outer": lambda y, x: np.multiply.outer(x[:2], x[:2], out=y),
    "out of concatenate": lambda y, x: np.concatenate([y[:1], y[1:] * 2], out=y),
    "out of take": lambda y, x: np.take(x, [0, 1], out=y[0]),
    "add.at": lambda y, x: np.add.at(y, ([0, 0, 1], [0, 0, 1]), x[:3]),
    "add.at, rows": lambda y, x: np.add.at(y, [0, 0], x[0]),
    "add.at, columns": lambda y, x: np.add.at(y, (slice(None), [0, 0]), x.reshape(2, 2)),
    "subtract.at": lambda y, x: np.subtract.at(y, 0, x[:2]),
    "no place": lambda y, x: np.put(y, [0, 9], x),
    "another shape": np.copyto,
    "no number": lambda y, x: y.fill(x),
}
each_change = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())


def changing(change: Callable[[Any, Any], object]) -> Callable[[Any], Any]:
    def f(x):
        y = (x * np.array([2.0, 3.0, 4.0, 5.0])).reshape(2, 2)
        view = y[:, ::-1]
        try:
            change(y, x)
        except (IndexError, ValueError):
            return (y * y).sum()
        return (y * view * np.arange(4.0).reshape(2, 2)).sum() + (y**3).sum()

    return f


@each_change
def test_as_numpy_and_as_the_graph(change: Callable[[Any, Any], object]) -> None:
    f = changing(change)
    if change is CHANGES["no place"]:  # NumPy has put one item when it finds the other place
        assert refused(lambda: staticpy.grad(f)(X)).code == "SPY701"
        return
    value, found = staticpy.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_array_equal(found, staticpy.grad(staticpy.jit(f))(X))

    def slope(x):
        return staticpy.grad(f)(x) @ X

    expected = staticpy.grad(lambda x: staticpy.grad(staticpy.jit(f))(x) @ X)(X)
    np.testing.assert_allclose(staticpy.grad(slope)(X), expected, rtol=1e-12)


@each_change
def test_backward(change: Callable[[Any, Any], object]) -> None:
    """The gradient, and what is written where nothing is recorded."""
    f = changing(change)
    if change is CHANGES["no place"]:
        return
    x = Tensor(X, requires_grad=True)
    f(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), staticpy.grad(staticpy.jit(f))(X), rtol=1e-12)
    with staticpy.no_grad():
        assert f(x).item() == f(X)


def test_out_of_another_shape() -> None:
    t = Tensor(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="non-broadcastable output"):
        np.exp(leaf().reshape(2, 1, 2), out=t)
    with pytest.raises(ValueError, match="could not be broadcast"):
        np.add(leaf(), t, out=t)
    with pytest.raises(np.exceptions.AxisError):
        (leaf() * 1).sort(axis=3)
    assert t.tolist() == [[0, 0], [0, 0]]


def test_who_may_not_be_changed() -> None:
    x, y = leaf(), np.zeros(4)
    for change in (np.copyto, lambda t, v: np.exp(v, out=t), lambda t, v: t.sort()):
        with pytest.raises(RuntimeError, match="a leaf Tensor that requires grad"):
            change(x, np.ones(4))
    for change in (np.copyto, lambda t, v: np.exp(v, out=t), lambda t, v: np.add.at(t, 0, v[0])):
        assert refused(lambda: change(y, x)).code == "SPY711"  # noqa: B023 - at once
        assert refused(lambda: staticpy.grad(lambda x: change(x, x * 2))(X)).code == "SPY711"  # noqa: B023


def test_what_the_way_back_reads_is_not_replaced() -> None:
    def run(change: Callable[[Any], object]) -> None:
        x = leaf()
        y = np.exp(x)
        change(y)
        y.sum().backward()

    changes: list[Callable[[Any], object]] = [
        lambda y: y.sort(),
        lambda y: np.copyto(y, 1.0),
        lambda y: np.add(y, 1, out=y),
    ]
    for change in changes:
        assert refused(lambda: run(change)).code == "SPY708"  # noqa: B023 - at once


def test_what_out_is_given_comes_back() -> None:
    x, t = leaf(), Tensor(np.zeros(4))
    assert np.exp(x, out=t) is t
    assert np.sum(x.reshape(1, 4), axis=0, out=t) is t
    assert x.clip(0.0, 1.0, out=t) is t
    t.sum().backward()
    assert x.grad is not None
