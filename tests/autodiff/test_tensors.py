"""Tensors in PyTorch's way, judged by hand-made and numerical derivatives."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from tests.autodiff.tensor_support import X, gradient_of, leaf, line_of, refused

# --- values ---------------------------------------------------------------------------------------


def test_it_holds_a_copy_of_what_it_is_given() -> None:
    data = X.copy()
    x = Tensor(data)
    data[0] = 9.0
    assert x.tolist() == X.tolist()
    assert (x.shape, x.ndim, x.dtype, x.size, len(x)) == ((4,), 1, np.dtype(float), 4, 4)
    assert not x.requires_grad
    assert x.is_leaf
    assert Tensor([1.0, 2.0]).shape == (2,)
    assert Tensor(2.0).shape == ()
    assert Tensor(2.0).item() == 2.0
    assert type(Tensor(2.0).item()) is float
    with pytest.raises(TypeError, match="holds real or complex numbers, not int64"):
        Tensor([1, 2])


def test_arrays_go_with_tensors_and_plain_things_come_out_plain() -> None:
    x = leaf()
    for made in (x * X, X * x, np.sin(x), x.reshape(2, 2), x[1:], x @ X, np.stack([x, x]), x.T):
        assert type(made) is Tensor
        assert made.requires_grad
        assert not made.is_leaf
    assert type(x > 1.0) is np.ndarray
    assert type(np.argmax(x)) is np.int64
    assert repr(x) == "Tensor(array([0.5, 1. , 1.5, 2. ]), requires_grad=True)"
    assert f"{x.sum():.3f}" == "5.000"
    assert bool(x.sum() > 1.0)


def test_ways_out_never_lose_a_derivative_in_silence() -> None:
    x = leaf()
    for lossy in (x.numpy, x.tolist):
        with pytest.raises(RuntimeError, match="detach"):
            lossy()
    for convert in (float, np.asarray, lambda t: np.array([t, t])):
        with pytest.raises(TypeError, match=r"np\.sin for math\.sin"):
            convert(x.sum())
    shown = x.detach().numpy()
    assert not shown.flags.writeable
    assert float(x.detach()[0]) == 0.5
    with pytest.raises(TypeError):
        np.vectorize(lambda v: v)(x)
    array = np.zeros(4)
    with pytest.raises((TypeError, ValueError)):
        array[0] = x[0]
    with pytest.raises(TypeError, match="changed in place"):
        array += x


def test_kinds_of_arrays_that_are_refused() -> None:
    for other in (np.ma.array(X, mask=X > 1), X.astype(object)):
        with pytest.raises(TypeError, match="does not go together with Tensors"):
            leaf() * other


def test_an_error_that_is_caught_leaves_nothing_behind() -> None:
    def f(x):
        try:
            np.linalg.inv(np.outer(x, x) * 0)
        except np.linalg.LinAlgError:
            return (x * x).sum()
        return x.sum()

    np.testing.assert_array_equal(staticpy.grad(f)(X), 2 * X)
    np.testing.assert_array_equal(gradient_of(f), 2 * X)


def test_copies_and_pickles_of_leaves() -> None:
    x = leaf()
    for made in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert made.requires_grad
        assert made is not x
        assert made.detach().tolist() == X.tolist()
    assert {x: 1}[x] == 1
    with pytest.raises(RuntimeError, match="only leaves"):
        copy.deepcopy(x * 2)


# --- backward -------------------------------------------------------------------------------------


def test_gradients_accumulate() -> None:
    x = leaf()
    assert x.grad is None
    (x * x).sum().backward()
    known = x.grad
    (x * 3).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * X + 3)
    assert known is x.grad  # in place, as PyTorch does
    x.grad = None
    x.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.ones(4))


def test_numbers_in_boxes() -> None:
    """An array without axes is one on the way back, too, also where cotangents are added up."""
    x = leaf(2.0)
    for _ in range(2):
        (x * x + x * np.ones(1)).sum().backward()
        assert type(x.grad.content) is np.ndarray
    assert x.grad.item() == 10.0
    found = staticpy.grad(lambda x: x * x + x)(np.array(2.0))
    assert type(found) is np.ndarray
    y = leaf(np.ones(2, np.float32))
    (y.astype(np.float64) * X[:2] + y).sum().backward()
    assert y.grad.dtype == np.float32


def test_a_shared_value_and_several_leaves() -> None:
    w, b = leaf(np.ones((4, 2))), leaf(np.zeros(2))
    hidden = np.tanh(X @ w + b)
    (hidden * hidden + hidden).sum().backward()
    h = np.tanh(X @ np.ones((4, 2)))
    flowing = (2 * h + 1) * (1 - h * h)
    np.testing.assert_allclose(w.grad.numpy(), np.outer(X, flowing), rtol=1e-12)
    np.testing.assert_allclose(b.grad.numpy(), flowing, rtol=1e-12)


def test_what_flows_in() -> None:
    x = leaf()
    (x * x).backward(np.arange(4.0))
    np.testing.assert_array_equal(x.grad.numpy(), 2 * X * np.arange(4))
    (x * 1.0).backward(Tensor(np.ones(4)))
    x.sum(keepdims=True).backward()  # one number counts as a scalar
    with pytest.raises(RuntimeError, match="needs a gradient"):
        (x * x).backward()
    with pytest.raises(RuntimeError, match="of shape"):
        (x * x).backward(np.ones(3))
    with pytest.raises(RuntimeError, match="needs a gradient"):
        (x.sum() * 1j).backward()
    with pytest.raises(RuntimeError, match="does not require grad"):
        Tensor(X).sum().backward()
    y = leaf(2.0)
    y.backward()
    assert y.grad.item() == 1.0


def test_the_record_is_freed() -> None:
    x = leaf()
    y = np.exp(x)
    z = y.sum()
    z.backward(retain_graph=True)
    z.backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * np.exp(X))
    for again in (z, y.sum()):
        with pytest.raises(RuntimeError, match="retain_graph"):
            again.backward()
    assert y.detach().tolist() == np.exp(X).tolist()


def test_detached_and_unrecorded() -> None:
    x = leaf()
    np.testing.assert_array_equal(gradient_of(lambda x: x * x.detach()), X)
    with staticpy.no_grad():
        assert not (x * 2).requires_grad

    @staticpy.no_grad()
    def double(t):
        return t * 2

    assert not double(x).requires_grad
    assert (x * double(x)).requires_grad
    x.requires_grad = False
    assert not (x * 2).requires_grad
    with pytest.raises(RuntimeError, match="leaves alone"):
        (leaf() * 2).requires_grad = False


def test_second_derivatives() -> None:
    x = leaf()
    (x**3).sum().backward(create_graph=True)
    first, x.grad = x.grad, None
    assert first.requires_grad
    (first * X).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * X * X)


def test_of_complex_numbers_as_jax_does() -> None:
    z = leaf(np.array([1 + 2j]))
    (z * z).real.sum().backward()
    np.testing.assert_array_equal(z.grad.numpy(), [2 + 4j])


def test_of_an_operation_without_derivative() -> None:
    def run() -> None:
        y = leaf() * 2
        np.nextafter(y, 1.0).sum().backward()

    diagnostic = refused(run)
    assert diagnostic.code == "SPY701"
    assert diagnostic.span.line == line_of(run, 2)


# --- memory ---------------------------------------------------------------------------------------


def test_what_nobody_holds_is_freed() -> None:
    x = leaf(np.ones(10_000))
    y = np.exp(x)
    known = weakref.ref(y.memory.array)
    z = y.sum()
    del y
    assert known() is not None
    z.backward()
    assert known() is None  # by the way back
    y = np.exp(x)
    known = weakref.ref(y.memory.array)
    z = y * 2
    del y, z
    assert known() is None  # without one, and without the garbage collector


def test_forward_passes_without_backward_do_not_grow() -> None:
    x = leaf(np.ones(1000))

    def forward(times: int) -> None:
        for _ in range(times):
            (np.tanh(x * 2.0) * x).sum()

    def objects() -> int:
        gc.collect()
        return len(gc.get_objects())

    forward(10)
    before = objects()
    forward(1000)
    assert objects() - before < 50
    tracemalloc.start()
    forward(50)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000  # a pass holds 32,000 bytes in arrays, which go without the collector


def test_long_records() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(1000):
        y = y * 1.0001
    y.backward()
    assert x.grad.item() == pytest.approx(1.0001**1000)
    for _ in range(1000):
        y = y * 1.0001
    del y


def test_threads_record_for_themselves() -> None:
    found: list[Any] = []

    def work() -> None:
        found.append((leaf() * 2).requires_grad)
        found.append(gradient_of(np.sin))

    with staticpy.no_grad():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert found[0] is True
    np.testing.assert_allclose(found[1], np.cos(X))


class Beside:
    """What knows itself how to stand beside an array, and in the place of an index."""

    __array_ufunc__ = None

    def __radd__(self, other: Any) -> Any:
        return other.sum() * 2

    def __index__(self) -> int:
        return 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * [1, 2, 3, 4]).sum() + ([1, 2, 3, 4] - x).sum(),
        lambda x: (x + Beside()) * x[Beside()] + x[: Beside()].sum(),
        lambda x: round(x[0], 1) * x[1] + round(x[2]) * x[3] + int(x[3]) * x[0],
        lambda x: math.floor(x[3]) * x[0] + math.ceil(x[0]) * x[1] + math.trunc(x[2]) * x[2],
        lambda x: sum((part * x).sum() for part in divmod(x, 0.4)),
        lambda x: divmod(x[2], 0.4)[1] * x[1] + divmod(2.0, x[0])[1],
        lambda x: x.sum() if (x < [1, 1, 1, 1]).any() and x.flags.c_contiguous else x[0],
    ],
)
def test_what_stands_beside_arrays_stands_beside_tensors(function: Callable[..., Any]) -> None:
    x = X + 0.03  # away from where it jumps
    value, slope = staticpy.value_and_grad(function)(x)
    assert value == function(x)
    steps = np.eye(4) * 1e-6
    found = [(function(x + step) - function(x - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(slope, found, atol=1e-6)


def test_what_is_no_number_is_not_equal_to_a_tensor() -> None:
    x = leaf()
    assert not (x == None).any()  # noqa: E711 - item by item, as NumPy does
    assert x.sum() != "a text"
    with pytest.raises(TypeError, match="unsupported operand"):
        x + None
    with pytest.raises(TypeError, match="unsupported operand"):
        Tensor(2.0) + {}


def test_windows_and_what_is_summed_over_them() -> None:
    """A convolution: the sizes of windows are known when they are computed, and not before."""
    x = Tensor(np.arange(72.0).reshape(2, 1, 6, 6), requires_grad=True)
    w = Tensor(np.arange(18.0).reshape(2, 1, 3, 3), requires_grad=True)
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    found = np.moveaxis(np.tensordot(windows, w, axes=((1, 4, 5), (1, 2, 3))), -1, 1)
    (found**2).sum().backward()

    def loss(x, w):
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
        return (np.einsum("nchwij,ocij->nohw", windows, w) ** 2).sum()

    expected = staticpy.grad(loss, (0, 1))(x.detach().numpy(), w.detach().numpy())
    np.testing.assert_allclose(x.grad.numpy(), expected[0])
    np.testing.assert_allclose(w.grad.numpy(), expected[1])
