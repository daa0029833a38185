"""Tensors against PyTorch: the same small programs in both give the same values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'peers')")

pytestmark = pytest.mark.filterwarnings("ignore:Using backward:UserWarning")

RNG = np.random.default_rng(0)
DATA = RNG.normal(size=(6, 4))
TARGET = RNG.normal(size=6)
WEIGHTS = RNG.normal(size=(4, 3))
X = np.array([0.5, -1.0, 1.5, 2.0])


class Ours:
    """What the programs are written with: Tensors and NumPy."""

    xp = np
    no_grad = staticpy.no_grad
    Function = staticpy.Function

    @staticmethod
    def leaf(data: Any) -> Any:
        return staticpy.Tensor(data, requires_grad=True)

    @staticmethod
    def constant(data: Any) -> Any:
        return staticpy.Tensor(data)

    @staticmethod
    def copied(x: Any) -> Any:
        return x.copy()


class Theirs:
    """The same of PyTorch."""

    xp = torch
    no_grad = torch.no_grad
    Function = torch.autograd.Function

    @staticmethod
    def leaf(data: Any) -> Any:
        return torch.tensor(data, dtype=torch.float64, requires_grad=True)

    @staticmethod
    def constant(data: Any) -> Any:
        return torch.tensor(data, dtype=torch.float64)

    @staticmethod
    def copied(x: Any) -> Any:
        return x.clone()


PROGRAMS: list[Callable[[Any], Any]] = []


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PROGRAMS.append(function)
    return function


@program
def training(p: Any) -> Any:
    w, v = p.leaf(WEIGHTS), p.leaf(np.ones(3))
    data, target = p.constant(DATA), p.constant(TARGET)
    losses = []
    for _ in range(20):
        loss = ((p.xp.tanh(data @ w) @ v - target) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with p.no_grad():
            w -= 0.1 * w.grad
            v -= 0.1 * v.grad
        w.grad = v.grad = None
    return w, v, p.constant(losses)


@program
def training_by_data(p: Any) -> Any:
    w = p.leaf(X)
    for _ in range(20):
        loss = ((p.constant(DATA) @ w - p.constant(TARGET)) ** 2).sum()
        loss.backward()
        w.data -= 0.01 * w.grad
        w.grad.data *= 0.5  # momentum, of a kind
    return w, w.grad


@program
def accumulated(p: Any) -> Any:
    x = p.leaf(X)
    for factor in (1.0, 2.0, 3.0):
        (x * x * factor).sum().backward()
    (x.exp() if p is Theirs else np.exp(x)).sum().backward()
    return (x.grad,)


@program
def detached(p: Any) -> Any:
    x = p.leaf(X)
    y = x * x
    (y * y.detach() + x).sum().backward()
    return (x.grad,)


@program
def partly_unrecorded(p: Any) -> Any:
    x = p.leaf(X)
    with p.no_grad():
        scale = p.xp.exp(x)
    (x * scale).sum().backward()
    return (x.grad,)


@program
def retained(p: Any) -> Any:
    x = p.leaf(X)
    y = p.xp.sin(x) * x
    y.sum().backward(retain_graph=True)
    y.backward(p.constant(X))
    return (x.grad,)


@program
def in_place(p: Any) -> Any:
    x = p.leaf(X)
    y = x * 2.0
    y[1:3] = x[:2] * x[2:]
    y += x
    y[0] *= 5.0
    v = y[1:]
    v -= 1.0
    v[-1] = x[0]
    (y * y).sum().backward()
    return y.detach(), x.grad


@program
def in_place_by_itself(p: Any) -> Any:
    x, c = p.leaf(X), p.constant(X)
    y = x * 2.0
    y *= x
    y /= c.detach() + 5.0
    c *= x
    (y * c).sum().backward()
    return c.detach(), x.grad


@program
def detached_ones_are_written_to_apart(p: Any) -> Any:
    x = p.leaf(X)
    y = x * 2.0
    d = y.detach()
    d += x
    (y * 3.0 + d).sum().backward()
    return y.detach(), x.grad


@program
def in_place_seen_by_views(p: Any) -> Any:
    x = p.leaf(X)
    y = (x * 3.0).reshape(2, 2)
    v, w = y.T, y[1]
    y[1] = x[:2] * 7.0
    v[0] *= 2.0
    (v * v).sum().backward(retain_graph=True)
    (w * w * w).sum().backward()
    return y.detach(), v.detach(), w.detach(), x.grad


@program
def written_through_a_detached_one(p: Any) -> Any:
    x = p.leaf(X)
    y = x * 3.0
    y.detach()[0] = 9.0
    (y * y).sum().backward()
    return y.detach(), x.grad


@program
def written_to_unrecorded(p: Any) -> Any:
    x = p.leaf(X)
    y = x * 3.0
    before = y + x
    with p.no_grad():
        y[0] = 9.0
        x[1] = 4.0
    (y * y + before * 2.0 + x * x).sum().backward()
    return y.detach(), x.grad


@program
def second_order(p: Any) -> Any:
    x = p.leaf(X)
    (x**3 * p.xp.sin(x)).sum().backward(create_graph=True)
    first = x.grad
    x.grad = None
    (first * first).sum().backward()
    return first.detach(), x.grad


@program
def own_operation(p: Any) -> Any:
    class ReLU(p.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * (x > 0)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (x,) = ctx.saved_tensors
            grad = p.copied(grad)
            grad[x < 0] = 0
            return grad

    x = p.leaf(X)
    (ReLU.apply(x * 2.0) ** 2).sum().backward()
    return (x.grad,)


def plain(found: Any) -> Any:
    return found.detach().numpy()


@pytest.mark.parametrize("run", PROGRAMS)
def test_values_and_gradients(run: Callable[[Any], Any]) -> None:
    for ours, theirs in zip(run(Ours), run(Theirs), strict=True):
        np.testing.assert_allclose(plain(ours), plain(theirs), rtol=1e-12, atol=1e-12)


# --- what both refuse -----------------------------------------------------------------------------


def leaf_written_to(p: Any) -> None:
    p.leaf(X)[0] = 1.0


def view_of_a_leaf_written_to(p: Any) -> None:
    x = p.leaf(X)
    x[1:][0] = 1.0


def twice(p: Any) -> None:
    y = p.xp.sin(p.leaf(X)).sum()
    y.backward()
    y.backward()


def no_scalar(p: Any) -> None:
    (p.leaf(X) * 2.0).backward()


def of_another_shape(p: Any) -> None:
    (p.leaf(X) * 2.0).backward(p.constant(np.ones(3)))


def nothing_recorded(p: Any) -> None:
    p.constant(X).sum().backward()


def saved_operand(p: Any) -> None:
    y = p.leaf(X) * 2.0
    z = y * y
    y[0] = 1.0
    z.sum().backward()


def saved_result(p: Any) -> None:
    y = p.xp.exp(p.leaf(X))
    y += 1.0
    y.sum().backward()


def saved_and_written_to_unrecorded(p: Any) -> None:
    x = p.leaf(X)
    z = x * x
    with p.no_grad():
        x[0] = 1.0
    z.sum().backward()


def saved_by_a_view(p: Any) -> None:
    y = p.leaf(X) * 2.0
    z = y * y
    y[1:][0] = 1.0
    z.sum().backward()


def saved_before_and_used_after(p: Any) -> None:
    x = p.leaf(X)
    before = x * x
    with p.no_grad():
        x[0] = 1.0
    (x * 2.0 + before).sum().backward()


def saved_after_and_used_before(p: Any) -> None:
    x = p.leaf(X)
    after = x * 2.0
    before = x * x
    with p.no_grad():
        x[0] = 1.0
    (after + x * 3.0 + before).sum().backward()


@pytest.mark.parametrize(
    "run",
    [
        saved_before_and_used_after,
        saved_after_and_used_before,
        leaf_written_to,
        view_of_a_leaf_written_to,
        twice,
        no_scalar,
        of_another_shape,
        nothing_recorded,
        saved_operand,
        saved_result,
        saved_and_written_to_unrecorded,
        saved_by_a_view,
    ],
)
def test_both_refuse(run: Callable[[Any], Any]) -> None:
    with pytest.raises(RuntimeError):
        run(Theirs)
    with pytest.raises((RuntimeError, CompileError)):
        run(Ours)
