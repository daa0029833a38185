"""Compiled functions that are called with Tensors: as graphs, and as plain Python has it."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from staticpy.diagnostics import CompileError
from tests.autodiff.test_case_table import CALLS
from tests.support.cases import Case
from tests.support.observing import Call
from tests.support.tensors import compared, with_tensors
from tests.support.walking import copied
from tests.support.world import World

X = np.array([1.0, 2.0, 3.0])


@dataclass
class Pair:
    left: Any
    right: Any


class Layer:
    """A weight from outside, and what a call leaves in it."""

    def __init__(self, weight: Any) -> None:
        self.weight = weight
        self.last: Any = None

    def __call__(self, x: Any) -> Any:
        return x * self.weight


LAYER = Layer(Tensor(X, requires_grad=True))
"""What ``captures`` reads."""


# --- programs -------------------------------------------------------------------------------------


def several_kinds(x, y):
    return x * 2, y + 1, x > 1, x.shape, x, x[1:], x.sum()


def in_containers(x, y):
    return {"a": x, "b": [y, x - y]}, (x.max(), None, "text"), Pair(x * y, y)


def control_flow(x, y):
    total = x * 0.0
    for i in range(len(y)):
        if y[i] > 1.5:
            total = total + x * y[i]
    while total.sum() < 100:
        total = total * 2
    return total


def stored_into_an_array(x, y):
    found = np.zeros(3)
    found[0] = y[1]
    return found, x


def texts(x, y):
    print("x", x, y, x.sum())
    return f"{x} {x[0]:.2f} {x!r} {y}", str(x.sum())


def captures(x, y):
    return LAYER(x) + y


def with_own_contexts(x, y):
    with staticpy.no_grad():
        scale = x * 2
    return scale * x + staticpy.stop_gradient(y) * x


def custom(x, y):
    return square(x) * y


@staticpy.custom_vjp
def square(x):
    return x * x


def _square_forward(x):
    return x * x, x


def _square_backward(x, g):
    return (g * 7.0 * x,)


square.defvjp(_square_forward, _square_backward)


def made_in_it(x, y):
    scale = Tensor([[1.0, 2.0, 3.0]])
    layer = Layer(Tensor(np.ones(3)))
    print(scale, layer(y))
    return scale * y, layer.weight, np.ones(2), layer(x)


PROGRAMS = [
    made_in_it,
    *(several_kinds, in_containers, control_flow, texts, captures),
    *(with_own_contexts, custom),
]
KINDS = {
    "arrays": (X.copy, lambda: X + 1),
    "tensors": (lambda: Tensor(X), lambda: Tensor(X + 1)),
    "a tensor beside an array": (lambda: Tensor(X), lambda: X + 1),
    "an array beside a tensor": (X.copy, lambda: Tensor(X + 1)),
    "leaves": (
        lambda: Tensor(X, requires_grad=True),
        lambda: Tensor(X + 1, requires_grad=True),
    ),
    "a leaf": (lambda: Tensor(X, requires_grad=True), lambda: X + 1),
}


def observed(function: Callable[..., Any], arguments: list[Any]) -> tuple[Any, str]:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        found = function(*arguments)
    return found, shown.getvalue()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_plain_python(program: Callable[..., Any], kind: str) -> None:
    plain, compiled = ([make() for make in KINDS[kind]] for _ in range(2))
    expected = observed(program, plain)
    found = observed(staticpy.jit(program), compiled)
    assert list(compared(found, expected)) == []


@pytest.mark.parametrize("kind", ["leaves", "a leaf"])
@pytest.mark.parametrize("program", [control_flow, captures, with_own_contexts, custom])
def test_same_gradients(program: Callable[..., Any], kind: str) -> None:
    grads = []
    for function in (program, staticpy.jit(program)):
        arguments = [make() for make in KINDS[kind]]
        LAYER.weight.grad = None
        (function(*arguments) * X).sum().backward()
        tensors = [each for each in arguments if isinstance(each, Tensor)]
        grads.append([each.grad for each in (*tensors, LAYER.weight)])
    assert list(compared(*grads)) == []


def test_an_array_that_tensors_are_stored_into() -> None:
    """Plain Python refuses it where a derivative would be lost; a graph does not lose it."""
    found, _ = staticpy.jit(stored_into_an_array)(Tensor(X), Tensor(X))
    assert type(found) is np.ndarray
    leaf = Tensor(X, requires_grad=True)
    found, _ = staticpy.jit(stored_into_an_array)(leaf, leaf)
    found.sum().backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), [0, 1, 0])


# --- identity and memory --------------------------------------------------------------------------


@staticpy.jit
def itself_and_views(x):
    return x, x[1:], x.T, [x]


def test_arguments_are_given_back_and_views_share_memory() -> None:
    x = Tensor(X)
    same, part, turned, (held,) = itself_and_views(x)
    assert same is x
    assert turned is not x
    assert held is x
    part[0] = 9.0
    np.testing.assert_array_equal(x.numpy(), [1, 9, 3])


@staticpy.jit
def scaled(x):
    x *= 2
    return x.sum()


def test_writes_are_counted() -> None:
    x = Tensor(X)
    assert scaled(x).item() == 12
    np.testing.assert_array_equal(x.numpy(), 2 * X)
    leaf = Tensor(X, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Tensor"):
        scaled(leaf)
    y = np.exp(leaf)
    with staticpy.no_grad():
        scaled(leaf)
        scaled(y)
    with pytest.raises(CompileError, match="SPY708"):
        y.sum().backward()


def test_the_way_back_reads_what_was_read() -> None:
    @staticpy.jit
    def product(x, y):
        return (x * y).sum()

    leaf, array = Tensor(X, requires_grad=True), X.copy()
    found = product(leaf, array)
    array[:] = 0
    found.backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), X)
    found = product(leaf, leaf)
    with staticpy.no_grad():
        leaf += 1
    with pytest.raises(CompileError, match="SPY708"):
        found.backward()


def test_arrays_that_are_written_to_are_kept_as_they_were() -> None:
    @staticpy.jit
    def doubled(x, array, other):
        array *= 2
        return (x * array).sum() + other.sum()

    leaf, array = Tensor(X, requires_grad=True), X.copy()
    found = doubled(leaf, array, np.ones(1))
    found.backward(retain_graph=True)
    found.backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), 4 * X)
    np.testing.assert_array_equal(array, 2 * X)
    with pytest.raises(CompileError, match="shares memory"):
        doubled(leaf, array, array[1:])


def test_attributes_that_become_tensors() -> None:
    layer = Layer(Tensor(X, requires_grad=True))

    @staticpy.jit
    def run(x):
        layer.last = layer(x)
        return layer.last.sum()

    found = run(Tensor(X))
    assert isinstance(layer.last, Tensor)
    assert layer.last.requires_grad
    with pytest.raises(CompileError, match="SPY706"):  # it would be put there again
        found.backward()
    with staticpy.no_grad():
        assert not run(Tensor(X)).requires_grad
    assert isinstance(layer.weight, Tensor)


def test_attributes_are_updated_in_place() -> None:
    layer = Layer(Tensor(X, requires_grad=True))
    weight = layer.weight

    @staticpy.jit
    def step(x):
        loss, gradient = staticpy.value_and_grad(lambda w: ((w * x) ** 2).sum())(layer.weight)
        with staticpy.no_grad():
            layer.weight -= 0.1 * gradient
        return loss

    assert isinstance(step(X), Tensor)
    assert layer.weight is weight
    np.testing.assert_allclose(weight.detach().numpy(), X - 0.1 * 2 * X**3)


# --- derivatives of derivatives -------------------------------------------------------------------


@staticpy.jit
def cubes(x):
    return (x**3).sum()


def test_gradients_know_their_history() -> None:
    x = Tensor(X, requires_grad=True)
    cubes(x).backward(create_graph=True)
    first, x.grad = x.grad, None
    np.testing.assert_allclose(first.detach().numpy(), 3 * X**2)
    first.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * X)


def doubled_if_large(x):
    result = x
    if x > 0.5:
        result = x * 2.0
    return result


def root(x):
    guess = x
    while abs(guess * guess - x) > 1e-6:
        guess = 0.5 * (guess + x / guess)
    return guess


@pytest.mark.parametrize("content", [0.7, np.float32(0.3), np.array(0.4), [0.6]])
@pytest.mark.parametrize("function", [doubled_if_large, root])
def test_results_that_may_be_the_argument_itself(
    function: Callable[..., Any], content: Any
) -> None:
    """Which is an array without axes, where what is computed is a number of NumPy's."""
    found = []
    for each in (function, staticpy.jit(function)):
        x = Tensor(content, requires_grad=True)
        each(x).backward()
        found.append(x.grad.numpy())
    assert found[0].dtype == found[1].dtype
    np.testing.assert_array_equal(*found)


def test_gradients_of_transforms() -> None:
    x = Tensor(X, requires_grad=True)
    staticpy.grad(cubes)(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * X)
    with staticpy.GradientTape() as outer:
        with staticpy.GradientTape() as inner:
            y = cubes(x)
        slope = inner.gradient(y, x)
    np.testing.assert_allclose(outer.gradient(slope, x).numpy(), 6 * X)


def test_gradients_by_trees() -> None:
    def loss(pair, x):
        return ((pair.left * x + pair.right) ** 2).sum()

    pair = Pair(Tensor(X, requires_grad=True), Tensor(X, requires_grad=True))
    found = [staticpy.grad(each)(pair, X) for each in (loss, staticpy.jit(loss))]
    assert list(compared(*found)) == []
    found[1].left.sum().backward()
    np.testing.assert_allclose(pair.left.grad.numpy(), 2 * X**2)


def test_transforms_of_compiled_functions_by_tensors() -> None:
    x = Tensor(X, requires_grad=True)
    assert staticpy.linearize(cubes, x)[1](X).item() == (3 * X**3).sum()
    (found,) = staticpy.vjp(cubes, x)[1](1.0)
    np.testing.assert_array_equal(found.detach().numpy(), 3 * X**2)
    with pytest.raises(CompileError, match="SPY706"):
        staticpy.vjp(staticpy.jit(captures), X, X)


def test_the_way_back_draws_what_was_drawn() -> None:
    rng = np.random.default_rng(5)

    @staticpy.jit
    def dropped(x):
        own = np.random.default_rng(3).random(3)
        return (x * (rng.random(3) < 0.5) * own).sum()

    x = Tensor(X, requires_grad=True)
    first, second = dropped(x), dropped(x)
    second.backward()
    again = np.random.default_rng(5)
    again.random(3)
    kept = (again.random(3) < 0.5) * np.random.default_rng(3).random(3)
    np.testing.assert_array_equal(x.grad.numpy(), kept)
    first.backward(retain_graph=True)
    first.backward()


def test_what_was_written_without_a_record_is_written_once() -> None:
    seen = Tensor(np.zeros(3))

    @staticpy.jit
    def counted(x):
        with staticpy.no_grad():
            seen[...] = seen + x
        return (x * x).sum()

    x = Tensor(X, requires_grad=True)
    counted(x).backward()
    np.testing.assert_array_equal(seen.numpy(), X)
    np.testing.assert_array_equal(x.grad.numpy(), 2 * X)
    np.testing.assert_array_equal(staticpy.jit(staticpy.grad(counted))(X), 2 * X)
    np.testing.assert_array_equal(seen.numpy(), 2 * X)


def test_what_is_written_without_a_record_is_not_read() -> None:
    scale = Tensor(np.ones(3))

    @staticpy.jit
    def scaled_by(x):
        with staticpy.no_grad():
            scale[...] = scale * 2
        return (x * scale).sum()

    found = scaled_by(Tensor(X, requires_grad=True))
    with pytest.raises(CompileError, match="SPY708"):
        found.backward()
    before = scale.numpy().copy()
    np.testing.assert_array_equal(staticpy.jit(staticpy.grad(scaled_by))(X), 2 * before)

    @staticpy.jit
    def written_to(x):
        y = x * 2
        with staticpy.no_grad():
            y[0] = 5.0
        return (y * y).sum()

    with pytest.raises(CompileError, match="SPY707"):
        staticpy.grad(written_to)(X)


def test_detached_in_a_graph() -> None:
    x = Tensor(X, requires_grad=True)
    found = staticpy.jit(lambda t: (t.detach() * t).sum())(x)
    found.backward()
    np.testing.assert_array_equal(x.grad.numpy(), X)


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ask", [lambda x: isinstance(x, np.ndarray), lambda x: isinstance(x, Tensor), type]
)
def test_classes_are_not_told(ask: Callable[..., Any]) -> None:
    @staticpy.jit
    def asked(x):
        return ask(x)

    with pytest.raises(CompileError, match="SPY712"):
        asked(Tensor(X))


@pytest.mark.parametrize("name", ["requires_grad", "grad", "backward", "numpy", "is_leaf"])
def test_what_only_tensors_have(name: str) -> None:
    @staticpy.jit
    def asked(x):
        return getattr(x * 2, name)

    with pytest.raises(CompileError, match="SPY305"):
        asked(Tensor(X))


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize(("item", "number"), CALLS[::40])
def test_of_some(item: Case, number: int, requires_grad: bool) -> None:
    assert differences(item, item.calls[number], requires_grad) == []


@pytest.mark.slow
@pytest.mark.parametrize("requires_grad", [False, True])
@pytest.mark.parametrize(("item", "number"), CALLS)
def test_of_all(item: Case, number: int, requires_grad: bool) -> None:
    assert differences(item, item.calls[number], requires_grad) == []


OTHERWISE = {
    # In plain Python np.asarray and its kin copy Tensors, and NumPy's is one of ndarrays alone.
    *("memory_order.itself_or_a_copy", "memory_order.contiguous_of_a_dtype"),
    "view_writes_shapes.wrapping_functions",
    # Whether two names are one object, or something is a scalar, they answer as for an ndarray.
    *("numpy_library.questions_about_types", "numpy_with_functions.stretched_already"),
    *("standard_arrays.the_device", "standard_arrays.to_the_device"),
    "standard_arrays.differences_at_the_ends",
    # In plain Python all arrays of np.broadcast_arrays are Tensors if one is.
    "numpy_with_functions.stretched_with_numbers",
}


def differences(item: Case, call: Call, requires_grad: bool) -> list[str]:
    """What a case gives otherwise as a graph, of Tensors in the place of its arrays. A graph has a
    Tensor where plain Python may have an array of NumPy's: where NumPy makes one of a Tensor, as
    ``np.array([t, t])`` does, and of what depends on one by a loop that has had no round.
    """
    world = World(item.function)
    outcomes = []
    for function in (item.function, staticpy.jit(item.function)):
        arguments = with_tensors(copied(call.args), requires_grad)
        world.restore()
        try:
            outcomes.append((*observed(function, list(arguments)), arguments))
        except Exception as error:
            outcomes.append(error)
    world.restore()
    plain, graph = outcomes
    if isinstance(graph, CompileError):
        return [str(graph)] if "SPY902" in str(graph) else []
    if isinstance(plain, Exception) or call.kwargs or item.id in OTHERWISE:
        return []
    if isinstance(graph, RuntimeError) and "leaf Tensor" in str(graph):
        return []  # written to by a view that plain Python does not know of
    if isinstance(graph, Exception):
        return [repr(graph)]
    return list(compared(graph, plain, may_keep=True))
