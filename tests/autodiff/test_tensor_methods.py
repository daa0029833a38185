"""The methods of PyTorch's and MindSpore's that Tensors have: in plain Python and in graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from staticpy.ops import TENSOR_METHODS

Program = Callable[[Any, Any], Any]

METHODS: dict[str, tuple[Program, Program]] = {
    "abs": (lambda x, w: x.abs(), lambda x, w: np.abs(x)),
    "add": (lambda x, w: x.add(w.T), lambda x, w: x + w.T),
    "broadcast_to": (
        lambda x, w: x.broadcast_to((4, -1, 3)),
        lambda x, w: np.broadcast_to(x, (4, 2, 3)),
    ),
    "clamp": (lambda x, w: x.clamp(min=0.5), lambda x, w: np.clip(x, 0.5, None)),
    "clone": (lambda x, w: x.clone(), lambda x, w: x.copy()),
    "cos": (lambda x, w: x.cos(), lambda x, w: np.cos(x)),
    "dim": (lambda x, w: x * x.dim(), lambda x, w: x * 2),
    "div": (lambda x, w: x.div(2), lambda x, w: x / 2),
    "double": (lambda x, w: x.double(), lambda x, w: x),
    "exp": (lambda x, w: x.exp(), lambda x, w: np.exp(x)),
    "expand": (lambda x, w: x[0].expand(4, -1), lambda x, w: np.broadcast_to(x[0], (4, 3))),
    "expand_as": (lambda x, w: x[0].expand_as(x), lambda x, w: np.broadcast_to(x[0], x.shape)),
    "expand_dims": (lambda x, w: x.expand_dims(-1), lambda x, w: x[..., None]),
    "float": (lambda x, w: x.float(), lambda x, w: x.astype(np.float32)),
    "half": (lambda x, w: x.half(), lambda x, w: x.astype(np.float16)),
    "log": (lambda x, w: x.square().add(1).log(), lambda x, w: np.log(np.square(x) + 1)),
    "matmul": (lambda x, w: x.matmul(w), lambda x, w: x @ w),
    "mm": (lambda x, w: x.mm(w) + w[0], lambda x, w: x @ w + w[0]),
    "mul": (lambda x, w: x.mul(w.T), lambda x, w: x * w.T),
    "neg": (lambda x, w: x.neg(), lambda x, w: -x),
    "numel": (lambda x, w: x * x.numel(), lambda x, w: x * 6),
    "permute": (lambda x, w: x.permute(1, 0), lambda x, w: x.T),
    "pow": (lambda x, w: x.pow(2), lambda x, w: x**2),
    "sin": (lambda x, w: x.sin(), lambda x, w: np.sin(x)),
    "sqrt": (lambda x, w: x.abs().sqrt(), lambda x, w: np.sqrt(np.abs(x))),
    "square": (lambda x, w: x.square(), lambda x, w: x * x),
    "sub": (lambda x, w: x.sub(w.T), lambda x, w: x - w.T),
    "t": (lambda x, w: x.t(), lambda x, w: x.T),
    "tanh": (lambda x, w: x.tanh(), lambda x, w: np.tanh(x)),
    "to": (lambda x, w: x.to(staticpy.float32), lambda x, w: x.astype(np.float32)),
    "type_as": (lambda x, w: x.type_as(w.float()), lambda x, w: x.astype(np.float32)),
    "unsqueeze": (lambda x, w: x.unsqueeze(1), lambda x, w: x[:, None]),
    "view": (lambda x, w: x.view(w.shape[0], -1), lambda x, w: x.reshape(3, 2)),
    "view of a tuple": (lambda x, w: x.view((6,)), lambda x, w: x.reshape(6)),
}
X = np.array([[1.5, -2.0, 0.25], [3.0, 0.5, -0.75]])
W = np.arange(6.0).reshape(3, 2)


def ran(program: Program) -> tuple[Any, list[Any]]:
    """What a program gives of leaves, and the gradients of the sum of its squares."""
    leaves = [Tensor(X, requires_grad=True), Tensor(W, requires_grad=True)]
    out = program(*leaves)
    (out * out).sum().backward()
    return out.asnumpy(), [None if each.grad is None else each.grad.numpy() for each in leaves]


def test_all_are_there() -> None:
    assert {name for name in METHODS if " " not in name} == {*TENSOR_METHODS, "view"}


@pytest.mark.parametrize("name", METHODS)
def test_as_numpy(name: str) -> None:
    program, plain = METHODS[name]
    expected, wanted = ran(plain)
    for run in (program, staticpy.jit(program)):
        out, grads = ran(run)
        assert (out.dtype, out.shape) == (expected.dtype, expected.shape)
        assert out.tobytes() == expected.tobytes()
        for one, other in zip(grads, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", METHODS)
def test_arrays_have_none_of_them(name: str) -> None:
    """As in plain Python, also beside Tensors."""
    program, _ = METHODS[name]
    calls = [lambda: staticpy.jit(program)(X, W), lambda: program(X, W)]
    if name not in ("add", "mul", "sub", "mm", "matmul"):  # where one is first a Tensor
        calls += [lambda: staticpy.jit(lambda t, x, w: program(x, w))(Tensor(X), X, W)]
    for call in calls:
        with pytest.raises((AttributeError, TypeError, ValueError, staticpy.CompileError)) as error:
            call()
        assert name.startswith("view") or type(error.value) is AttributeError


def test_memory_is_shared() -> None:
    t = Tensor(X)
    t.view(6)[0] = 9.0
    t.t()[2, 1] = 8.0
    assert (t[0, 0].item(), t[1, 2].item()) == (9.0, 8.0)
    assert t.view(np.int64).dtype == np.int64
    assert t.zero_() is t
    assert t.requires_grad_() is t
    assert t.requires_grad
    assert t.asnumpy().sum() == 0.0


def test_refused() -> None:
    t = Tensor(np.zeros((2, 3, 4)))
    with pytest.raises(ValueError, match="more than two axes"):
        t.t()
    with pytest.raises(ValueError, match="of two matrices"):
        t.mm(t)
    with pytest.raises(staticpy.CompileError, match="SPY710"):
        staticpy.grad(lambda x: (x * x).asnumpy().sum())(np.ones(2))
    with pytest.raises(staticpy.CompileError, match="SPY305"):
        staticpy.jit(lambda x: x.asnumpy())(t)
    assert not t.numpy().flags.writeable
    assert not t.asnumpy().flags.writeable


class MyReLU(staticpy.Function):
    """The custom autograd function of PyTorch's tutorial."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        grad = grad.clone()
        grad[x < 0] = 0
        return grad


@pytest.mark.parametrize("run", [lambda f: f, staticpy.jit])
def test_tutorial(run: Any) -> None:
    x, w, b = (Tensor(item, requires_grad=True) for item in (X, W, [0.5, -10.0]))
    out = run(lambda x, w, b: MyReLU.apply(x.mm(w) + b))(x, w, b)
    out.backward(staticpy.ones_like(out))
    passed = (X @ W + [0.5, -10.0] >= 0).astype(float)
    np.testing.assert_allclose(x.grad.numpy(), passed @ W.T)
    np.testing.assert_allclose(w.grad.numpy(), X.T @ passed)
    np.testing.assert_allclose(b.grad.numpy(), passed.sum(axis=0))
