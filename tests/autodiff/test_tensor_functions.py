"""Operations of one's own, GradientTape, and Tensors beside transforms and compiled functions."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import GradientTape, Tensor
from tests.autodiff.tensor_support import X, by_differences, gradient_of, leaf, refused

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
    staticpy.jit(captures_a_tensor)(X).backward()
    np.testing.assert_array_equal(CAPTURED.grad.numpy(), X)


@staticpy.jit
def unrecorded_in_a_graph(x):
    with staticpy.no_grad():
        y = x * 2
    return (x * y).sum()


@staticpy.jit
def own_operation_in_a_graph(x):
    return ReLU.apply(x).sum()


@pytest.mark.parametrize("function", [unrecorded_in_a_graph, own_operation_in_a_graph])
def test_what_is_for_tensors_means_the_same_in_graphs(function: Any) -> None:
    x = leaf()
    function.__wrapped__(x).backward()
    np.testing.assert_array_equal(staticpy.grad(function)(X), x.grad.numpy())
    y = leaf()
    function(y).backward()
    np.testing.assert_array_equal(y.grad.numpy(), x.grad.numpy())


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


def without_a_record(x):
    with staticpy.no_grad():
        size = (x * x).sum()
    return (x * size).sum()


def kept(x):
    y = Tensor(x)
    return (y * x).sum()


def changed(x):
    y = Tensor(x * 2, requires_grad=True)
    y[0] = 3.0
    y *= x
    return (y * y).sum()


def filled(x):
    y = Tensor(np.zeros(4))
    y[0] = x[0] * x[1]
    y[1:] += x[1:]
    return (y * y).sum()


def of_a_number(x):
    return Tensor(x[0] * x[1]) * x.sum()


FORMS = [lambda function: function, staticpy.jit]


@pytest.mark.parametrize("form", FORMS, ids=["tape", "graph"])
def test_what_is_done_in_no_grad_makes_no_tensors_of_results(form: Any) -> None:
    """Numbers and arrays in, numbers and arrays out."""
    value, found = staticpy.value_and_grad(form(without_a_record))(X)
    assert type(value) is np.float64
    assert type(found) is np.ndarray
    np.testing.assert_array_equal(found, np.full(4, (X * X).sum()))
    if form is not staticpy.jit:
        assert type(staticpy.grad(lambda x: (x.detach() * x).sum())(X)) is np.ndarray
        assert type(staticpy.grad(lambda x: (Tensor(X) * x).sum())(X)) is Tensor


@pytest.mark.parametrize("function", [kept, changed, filled, of_a_number])
@pytest.mark.parametrize("form", FORMS, ids=["tape", "graph"])
def test_tensors_of_what_is_differentiated_by(form: Any, function: Any) -> None:
    """``Tensor(x)`` is a copy that derivatives flow through, in plain Python and compiled."""
    found = staticpy.grad(form(function))(X)
    assert type(found) is Tensor
    np.testing.assert_allclose(found.detach().numpy(), by_differences(function), rtol=1e-7)
    moved = staticpy.jvp(form(function), (X,), (np.ones(4),))[1]
    np.testing.assert_allclose(moved.item(), found.detach().numpy().sum())
    second = staticpy.grad(lambda x: (staticpy.grad(form(function))(x) ** 2).sum())(X)
    twice = by_differences(lambda x: staticpy.grad(function)(x) ** 2)
    np.testing.assert_allclose(second.detach().numpy(), twice, rtol=1e-6)


def large_ones(w, least):
    total, found = 0, None
    for i in range(len(w)):
        if w[i] > least:
            total = total + w[i] ** 2
            found = w * total
    return {"total": total, "sum": w.sum(), "found": found}


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
@pytest.mark.parametrize("least", [0.0, 1.2, 9.0])
def test_results_that_are_tensors_on_some_paths(least: float, backend: str) -> None:
    """A sum that begins with 0, and None, stay what they are where nothing is added."""
    gradients = []
    for function in (large_ones, staticpy.jit(large_ones, backend=backend)):
        w = leaf()
        out = function(w, least)
        assert type(out["total"]) is (int if least == 9.0 else Tensor)
        assert (out["found"] is None) is (least == 9.0)
        loss = out["sum"] + 3 * out["total"]
        if out["found"] is not None:
            loss = loss + (out["found"] * np.arange(4.0)).sum()
        loss.backward(create_graph=True)
        first, w.grad = w.grad, None
        (first**2).sum().backward()
        second = np.zeros(4) if w.grad is None else w.grad.numpy()
        gradients.append((first.detach().numpy(), second))
    for eager, graph in zip(*gradients, strict=True):
        np.testing.assert_allclose(graph, eager, rtol=1e-14)


def test_one_result_that_is_a_tensor_on_some_paths() -> None:
    @staticpy.jit
    def squares(w):
        total = 0
        for each in w:
            total = total + each * each
        return total

    np.testing.assert_array_equal(gradient_of(squares), 2 * X)
    with staticpy.GradientTape() as tape:
        w = leaf()
        loss = squares(w)
    np.testing.assert_array_equal(tape.gradient(loss, w).numpy(), 2 * X)
    assert squares(leaf(X[:0])) == 0
    with staticpy.no_grad():
        assert not squares(leaf()).requires_grad


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


def test_what_is_refused_is_not_caught() -> None:
    """A program that goes on after a refusal would give another result than plain NumPy."""

    def swallowed(x: Any) -> Any:
        y = x * 2.0
        try:
            z = np.zeros(4)
            z += y
        except Exception:
            return y.sum() * 100.0
        return z.sum()

    with pytest.raises(staticpy.CompileError, match="SPY711"):
        staticpy.grad(swallowed)(X)
    with pytest.raises(staticpy.CompileError, match="SPY711"):
        staticpy.grad(lambda x: staticpy.grad(swallowed)(x).sum())(X)
    np.testing.assert_array_equal(staticpy.grad(staticpy.jit(swallowed))(X), np.full(len(X), 2.0))
