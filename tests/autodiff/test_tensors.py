"""Tensors, in PyTorch's way and in TensorFlow's, judged by hand-made and numerical derivatives."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import GradientTape, Tensor
from staticpy.diagnostics import CompileError

X = np.array([0.5, 1.0, 1.5, 2.0])


def leaf(data: Any = X) -> Any:
    return Tensor(data, requires_grad=True)


def gradient_of(function: Callable[[Any], Any], data: Any = X) -> np.ndarray:
    """By ``backward``, of the sum of what a function gives."""
    x = leaf(data)
    function(x).sum().backward()
    assert x.grad is not None
    assert not x.grad.requires_grad
    return x.grad.numpy()


def by_differences(function: Callable[[Any], Any], data: Any = X, step: float = 1e-6) -> np.ndarray:
    found = np.zeros_like(data)
    for place in np.ndindex(data.shape):
        change = np.zeros_like(data)
        change[place] = step
        with staticpy.no_grad():
            up, down = (function(Tensor(data + sign * change)).sum() for sign in (1, -1))
        found[place] = (up - down).item() / (2 * step)
    return found


def refused(run: Callable[[], Any]) -> Any:
    with pytest.raises(CompileError) as caught:
        run()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.file == __file__
    return diagnostic


def line_of(function: Callable[..., Any], offset: int) -> int:
    return function.__code__.co_firstlineno + offset


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
    for convert in (float, int, np.asarray, lambda t: np.array([t, t])):
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


def test_sizes_that_do_not_fit_are_said_at_their_line() -> None:
    assert refused(lambda: leaf() + np.ones(3)).code == "SPY606"


# --- arrays that are written to later -------------------------------------------------------------


def test_an_array_may_be_written_to_after_its_use() -> None:
    def by_backward() -> Any:
        x, w = leaf(), np.ones(4)
        y = x * w
        w[0] = 5.0
        y.sum().backward()
        return x.grad.numpy()

    def plain(x: Any, w: Any) -> Any:
        y = x * w
        w[0] = 5.0
        return y.sum()

    np.testing.assert_array_equal(by_backward(), np.ones(4))
    np.testing.assert_array_equal(staticpy.grad(plain)(X, np.ones(4)), np.ones(4))

    places = np.array([0, 1])
    x = leaf()
    y = x[places]
    places[:] = 3
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1, 1, 0, 0])


# --- writes in place ------------------------------------------------------------------------------


def set_by_a_number(x: Any) -> Any:
    y = x * 2
    y[1] = 7.0
    return y * y


def set_by_itself(x: Any) -> Any:
    y = x * 2
    y[1:] = y[:-1] * 3
    return y * y


def set_by_a_mask(x: Any) -> Any:
    y = x * 2
    y[X > 0.8] = x[X > 0.8] * x[X > 0.8]
    return y * y


def set_twice_by_indexes(x: Any) -> Any:
    y = x * 2
    y[[0, 0, 2]] = x[:3] * 5
    return y * y


def set_a_stretched_row(x: Any) -> Any:
    y = np.outer(x, x)
    y[:, 1:3] = x[:2]
    y[0] = 1.0
    return y * y


def set_with_axes_of_size_one(x: Any) -> Any:
    y = x * 2
    y[1:3] = x[None, :2]
    return y * y


def through_a_view(x: Any) -> Any:
    y = x * 2
    v = y[1:]
    v *= 3
    w = y.reshape(2, 2).T
    w[0] += x[:2]
    return y * v.sum() + w.sum()


def seen_by_a_view(x: Any) -> Any:
    y = np.outer(x, x)
    v, w = y.T[::-1, 1], y[2]
    y[1] = 3 * x
    return v * w * y


def of_a_transposed_copy(x: Any) -> Any:
    y = np.copy(np.outer(x, 2 * x).T, order="K")
    v = y[1:, ::-2]
    v[0] = x[:2] * x[:2]
    return y * y


def into_a_constant(x: Any) -> Any:
    y = Tensor(np.zeros(4))
    for i in range(3):
        y[i] = x[i] * x[i + 1]
    return y * y


def augmented(x: Any) -> Any:
    y = x * 2
    y += x
    y -= 1.0
    y /= 3.0
    y @= np.outer(X, X)
    return y * y


def empty_part(x: Any) -> Any:
    y = x * 2
    y[4:] = 3.0
    return y * y


WRITES = [
    set_by_a_number,
    set_by_itself,
    set_by_a_mask,
    set_twice_by_indexes,
    set_a_stretched_row,
    set_with_axes_of_size_one,
    through_a_view,
    seen_by_a_view,
    of_a_transposed_copy,
    into_a_constant,
    augmented,
    empty_part,
]


@pytest.mark.parametrize("function", WRITES)
def test_derivatives_go_through_writes(function: Callable[[Any], Any]) -> None:
    found = gradient_of(function)
    np.testing.assert_allclose(found, by_differences(function), rtol=1e-6, atol=1e-7)
    if function is not into_a_constant:  # plain NumPy runs the same program
        made = function(X)
        with staticpy.no_grad():
            np.testing.assert_array_equal(function(Tensor(X)).numpy(), made)
        np.testing.assert_array_equal(function(leaf()).detach().numpy(), made)


@pytest.mark.parametrize("function", WRITES)
def test_second_derivatives_go_through_writes(function: Callable[[Any], Any]) -> None:
    def slope(data: Any) -> Any:
        x = leaf(data)
        function(x).sum().backward(create_graph=True)
        return x, (x.grad * np.arange(1.0, 5.0)).sum()

    x, weighted = slope(X)
    x.grad = None
    if weighted.requires_grad:
        weighted.backward()
    found = np.zeros(4) if x.grad is None else x.grad.numpy()
    for place in range(4):
        step = 1e-6 * (np.arange(4) == place)
        up, down = (slope(X + sign * step)[1].item() for sign in (1, -1))
        np.testing.assert_allclose(found[place], (up - down) / 2e-6, rtol=1e-5, atol=1e-6)


def test_what_numpy_refuses_changes_nothing() -> None:
    y = leaf() * 2
    with pytest.raises(ValueError, match="broadcast"):
        y[1:] = np.ones(7)
    with pytest.raises(IndexError):
        y[9] = 1.0
    with pytest.raises(TypeError):
        y += 1j
    with pytest.raises(TypeError, match="no array"):
        y[0][...] = 1.0
    y.sum().backward()


def test_leaves_are_written_to_unrecorded_only() -> None:
    x = leaf()
    view = x[1:]
    for write in (
        lambda: x.__setitem__(0, 1.0),
        lambda: x.__iadd__(1.0),
        lambda: view.__setitem__(0, 1.0),
    ):
        with pytest.raises(RuntimeError, match="leaf Tensor that requires grad"):
            write()
    with staticpy.no_grad():
        x -= 0.5
    x.data -= 0.5
    assert x.is_leaf
    assert x.requires_grad
    np.testing.assert_array_equal(x.detach().numpy(), X - 1)
    x.data = X
    np.testing.assert_array_equal(x.detach().numpy(), X)
    with pytest.raises(ValueError, match="shape"):
        x.data = 1.0


def test_a_saved_value_that_is_written_to() -> None:
    def by_result() -> None:
        y = np.exp(leaf())
        y += 1.0
        y.sum().backward()

    def by_operand() -> None:
        y = leaf() * 2
        z = y * y
        y[0] = 1.0
        z.sum().backward()

    def by_view() -> None:
        y = leaf() * 2
        v = y[2:]
        z = y * y
        v[0] = 1.0
        z.sum().backward()

    def unrecorded() -> None:
        x = leaf()
        z = x * x
        with staticpy.no_grad():
            x[0] = 1.0
        z.sum().backward()

    def detached() -> None:
        x = leaf()
        z = x * x
        x.detach()[0] = 1.0
        z.sum().backward()

    def of_a_constant() -> None:
        c = Tensor(X)
        z = leaf() * c
        c[0] = 1.0
        z.sum().backward()

    lines = {by_result: 2, by_operand: 3, by_view: 4, unrecorded: 4, detached: 3, of_a_constant: 3}
    for run, offset in lines.items():
        diagnostic = refused(run)
        assert diagnostic.code == "SPY708"
        assert diagnostic.span.line == line_of(run, offset)


def test_what_is_not_read_later_may_be_written_to() -> None:
    def linear(x: Any) -> Any:
        y = X * x  # reads X alone on the way back
        z = y + 1.0
        y *= 2.0
        return z + y.sum() + y.reshape(2, 2)[0, 0]

    np.testing.assert_allclose(gradient_of(linear), by_differences(linear), rtol=1e-6)


def test_what_is_used_in_several_versions() -> None:
    def before_and_after() -> None:
        x = leaf()
        z = x * x
        with staticpy.no_grad():
            x[0] = 3.0
        (x * 2 + z + x).sum().backward()

    assert refused(before_and_after).code == "SPY708"
    x = leaf()
    z = x * 2
    with staticpy.no_grad():
        x[0] = 3.0
    (x * x + z).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * np.array([3.0, *X[1:]]) + 2)

    def f(x):
        y = x * 3
        y.detach()[0] = 3.0
        return (y * y).sum()

    np.testing.assert_array_equal(staticpy.grad(f)(X), 6 * np.array([3.0, *X[1:] * 3]))


def test_a_view_that_repeats_elements_is_not_written_to() -> None:
    y = leaf() * 2
    with pytest.raises((TypeError, ValueError)):
        np.broadcast_arrays(y, np.ones((2, 4)))[0][0, 0] = 5.0
    y.sum().backward()


def test_parts_of_complex_numbers() -> None:
    z = leaf(np.array([1 + 2j, 3.0])) * 2
    with pytest.raises(TypeError, match=r"\.real"):
        z.real[0] = 1.0
    with pytest.raises(TypeError):
        (leaf() * 2)[0] = z[0]


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


# --- operations of one's own ----------------------------------------------------------------------


class ReLU(staticpy.Function):
    """Its backward writes to its own copy."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return np.maximum(x, 0.0)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        grad = grad.copy()
        grad[x < 0] = 0
        return grad


class Exp(staticpy.Function):
    """It saves its result."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = np.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (y,) = ctx.saved_tensors
        return grad * y


class Scaled(staticpy.Function):
    """Several arguments and results, of which not all are differentiated."""

    @staticmethod
    def forward(ctx: Any, x: Any, factor: Any, count: int) -> Any:
        ctx.count = count
        ctx.save_for_backward(x, factor)
        return x * factor * count, x.sum()

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        assert ctx.needs_input_grad == (True, False, False)
        _, factor = ctx.saved_tensors
        return g * factor * ctx.count + h, None, None


def test_a_function_with_its_own_backward() -> None:
    data = np.array([-1.0, 2.0, -3.0])
    relu = lambda x: ReLU.apply(x * 2) ** 2
    expected = np.where(data < 0, 0, 8 * data)
    np.testing.assert_array_equal(gradient_of(relu, data), expected)
    np.testing.assert_array_equal(staticpy.grad(lambda x: relu(x).sum())(data), expected)
    assert not ReLU.apply(Tensor(data)).requires_grad


def test_its_second_derivatives() -> None:
    def third(x: Any) -> Any:
        with GradientTape() as outer:
            with GradientTape() as inner:
                y = (Exp.apply(x) * ReLU.apply(x) ** 3).sum()
            first = inner.gradient(y, x)
        return outer.gradient(first, x)

    x = leaf()
    expected = np.exp(X) * (X**3 + 6 * X**2 + 6 * X)
    np.testing.assert_allclose(third(x).numpy(), expected)
    first = staticpy.grad(lambda x: (Exp.apply(x) * ReLU.apply(x) ** 3).sum())
    second = staticpy.grad(lambda x: first(x).sum())
    np.testing.assert_allclose(second(X), expected)


def test_several_arguments_and_results() -> None:
    x = leaf()
    scaled, total = Scaled.apply(x, Tensor(X), 3)
    (scaled.sum() + 2 * total).backward()
    np.testing.assert_array_equal(x.grad.numpy(), 3 * X + 2)
    x = leaf()
    Scaled.apply(x, Tensor(X), 3)[1].backward()
    np.testing.assert_array_equal(x.grad.numpy(), np.ones(4))


def test_what_a_function_does_wrong() -> None:
    class Writes(Exp):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x += 1
            return x

    class Inner(Exp):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = np.exp(x)
            ctx.save_for_backward(y)
            return y * 2

    class Short(Exp):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, None

    class Wide(Exp):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return np.ones(7)

    with pytest.raises(RuntimeError, match="changes an argument in place"):
        Writes.apply(leaf() * 1)
    with pytest.raises(RuntimeError, match="gives 2 gradients for 1"):
        Short.apply(leaf()).sum().backward()
    with pytest.raises(RuntimeError, match="another shape"):
        Wide.apply(leaf()).sum().backward()
    Inner.apply(leaf()).sum().backward()
    with pytest.raises(RuntimeError, match="neither an argument nor a result"):
        Inner.apply(leaf()).sum().backward(create_graph=True)

    def written() -> None:
        y = leaf() * 1
        z = ReLU.apply(y)
        y[0] = 3.0
        z.sum().backward()

    assert refused(written).code == "SPY708"


# --- GradientTape ---------------------------------------------------------------------------------


def test_gradients_by_a_tape() -> None:
    w, b, other = leaf(), leaf(2.0), leaf()
    with GradientTape() as tape:
        loss = (w * w * b).sum()
    found = tape.gradient(loss, {"w": w, "rest": [b, other]})
    np.testing.assert_array_equal(found["w"].numpy(), 4 * X)
    assert found["rest"][0].item() == (X * X).sum()
    assert found["rest"][1] is None
    assert w.grad is None
    with pytest.raises(RuntimeError, match="not persistent"):
        tape.gradient(loss, w)


def test_only_what_is_done_inside_counts() -> None:
    w = leaf()
    before = w * 2
    with GradientTape(persistent=True) as tape:
        inside = before * 3
    after = inside * 5
    assert tape.gradient(inside, w) is None
    assert tape.gradient(after, before) is None
    np.testing.assert_array_equal(tape.gradient(inside, before).numpy(), np.full(4, 3.0))
    np.testing.assert_array_equal(tape.gradient(w, w).numpy(), np.ones(4))


def test_watched_tensors_and_inner_values() -> None:
    x = Tensor(X)
    with GradientTape(persistent=True) as tape:
        unseen = (x * x).sum()
        tape.watch(x)
        y = x * x
        z = (y * y).sum()
    assert tape.gradient(unseen, x) is None
    by_x, by_y = tape.gradient(z, (x, y))
    np.testing.assert_allclose(by_x.numpy(), 4 * X**3)
    np.testing.assert_allclose(by_y.numpy(), 2 * X**2)
    np.testing.assert_allclose(
        tape.gradient([y, z], x, output_gradients=[np.ones(4), 0.5]).numpy(), 2 * X + 2 * X**3
    )
    with pytest.raises(TypeError, match=r"Tensor\(x\)"):
        tape.watch(X)
    with pytest.raises(TypeError, match=r"Tensor\(x\)"):
        tape.gradient(z, X)
    assert not (x * 2).requires_grad


def test_tapes_nest() -> None:
    x = leaf()
    with GradientTape() as outer:
        with GradientTape() as inner:
            y = (x**3).sum()
        first = inner.gradient(y, x)
    np.testing.assert_allclose(outer.gradient(first, x).numpy(), 6 * X)
    assert not inner._watch.recorded


# --- with transforms and compiled functions -------------------------------------------------------


@staticpy.jit
def compiled(x, w):
    y = x * w
    for _ in range(2):
        y = np.tanh(y) + w
    return (y * y).sum()


def test_compiled_functions_are_recorded() -> None:
    w = leaf()
    compiled(X, w).backward()
    np.testing.assert_array_equal(w.grad.numpy(), staticpy.grad(compiled, argnums=1)(X, X))
    assert type(compiled(X, X)) is np.float64

    @staticpy.jit
    def of_a_list(tensors):
        return (tensors[0] * tensors[1]["b"]).sum()

    v = leaf()
    of_a_list([X, {"b": v}]).backward()
    np.testing.assert_array_equal(v.grad.numpy(), X)
    with pytest.raises(CompileError):
        staticpy.jit(captures_a_tensor)(X)


@staticpy.jit
def unrecorded_in_a_graph(x):
    with staticpy.no_grad():
        y = x * 2
    return (x * y).sum()


@staticpy.jit
def own_operation_in_a_graph(x):
    return ReLU.apply(x).sum()


@pytest.mark.parametrize("function", [unrecorded_in_a_graph, own_operation_in_a_graph])
def test_what_is_for_tensors_is_refused_in_graphs(function: Any) -> None:
    with pytest.raises(CompileError) as caught:
        staticpy.grad(function)(X)
    assert caught.value.diagnostics[0].span.file == __file__
    x = leaf()
    function(x).backward()
    assert x.grad is not None


CAPTURED = leaf()


def captures_a_tensor(x):
    return (x * CAPTURED).sum()


@pytest.mark.parametrize("is_compiled", [False, True])
def test_transforms_of_tensors_give_tensors(is_compiled: bool) -> None:
    def cube(x):
        return (x**3).sum()

    x = leaf()
    found = staticpy.grad(staticpy.jit(cube) if is_compiled else cube)(x)
    assert found.requires_grad
    found.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * X)
    constant = staticpy.grad(cube)(Tensor(X))
    assert type(constant) is Tensor
    assert not constant.requires_grad
    with staticpy.no_grad():
        assert not staticpy.grad(cube)(x).requires_grad


def test_gradients_flow_to_what_a_function_captures() -> None:
    w = leaf()
    found = staticpy.grad(lambda x: (x * w**2).sum())(X)
    found.sum().backward()
    np.testing.assert_allclose(w.grad.numpy(), 2 * X)
    with GradientTape() as tape:
        found = staticpy.grad(lambda x: (x * w**2).sum())(X)
    np.testing.assert_allclose(tape.gradient(found, w).numpy(), 2 * X)


def test_unrecorded_parts_of_what_is_differentiated() -> None:
    def f(x):
        with staticpy.no_grad():
            factor = x * 2
        return (x * factor).sum()

    np.testing.assert_array_equal(staticpy.grad(f)(X), 2 * X)
    np.testing.assert_array_equal(staticpy.grad(lambda x: (x * x.detach()).sum())(X), X)

    def inner(x):
        with staticpy.no_grad():
            slope = staticpy.grad(lambda y: (y**3).sum())(x)
        return (x * slope).sum()

    np.testing.assert_allclose(staticpy.grad(inner)(X), 3 * X**2)


def test_tensors_of_a_transform_stay_in_its_thread() -> None:
    def f(x):
        made: list[Any] = []

        def work() -> None:
            try:
                made.append(x * 2)
            except RuntimeError as error:
                made.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        if isinstance(made[0], RuntimeError):
            raise made[0]
        return (made[0] * x).sum()

    with pytest.raises(RuntimeError, match="in another one"):
        staticpy.grad(f)(X)


def test_backward_inside_of_a_transform() -> None:
    def f(x):
        y = (x * 2).sum()
        y.backward()
        return y

    with pytest.raises(RuntimeError, match="use grad"):
        staticpy.grad(f)(X)
