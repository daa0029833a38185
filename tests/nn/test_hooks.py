"""Hooks on the way back: of Tensors and of Cells, as PyTorch calls them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn
from staticpy.diagnostics import CompileError


def squares(x: Any, hook: Any) -> Any:
    h = x * 2
    total = (h * h).sum()
    h.register_hook(hook)  # of all uses, those before as well
    return total + (h * 3).sum()


class TestTensors:
    def test_sees_all_of_the_gradient_and_changes_it(self) -> None:
        seen: list[Any] = []
        x = Tensor([1.0, 2.0], requires_grad=True)
        total = squares(x, lambda g: (seen.append(g.tolist()), g * 10)[1])
        x.register_hook(lambda g: seen.append(g.tolist()))
        handle = x.register_hook(lambda g: g + 1)
        total.backward(retain_graph=True)
        assert seen == [[7.0, 11.0], [140.0, 220.0]]
        assert x.grad.tolist() == [141.0, 221.0]
        handle.remove()
        handle.remove()
        x.grad = None
        total.backward()
        assert x.grad.tolist() == [140.0, 220.0]

    def test_what_is_written_to_is_its_own(self) -> None:
        x = Tensor([1.0, 2.0], requires_grad=True)
        h = x * 2

        def clear(g: Any) -> None:
            g[...] = 0.0

        h.register_hook(clear)
        (h + x).sum().backward()
        assert x.grad.tolist() == [3.0, 3.0]

    def test_in_functions_that_are_differentiated(self) -> None:
        x = np.array([1.0, 2.0])
        gradient = staticpy.grad(lambda x: squares(x, lambda g: g * 10))
        assert gradient(x).tolist() == [140.0, 220.0]
        out, back = staticpy.vjp(lambda x: squares(x, lambda g: g * 10), x)
        assert out == 38.0
        assert back(np.float64(2.0))[0].tolist() == [280.0, 440.0]

        def with_argument(x: Any) -> Any:
            x.register_hook(lambda g: g * 10)
            return (x * x).sum()

        assert staticpy.grad(with_argument)(x).tolist() == [20.0, 40.0]

    def test_second_derivatives_go_through(self) -> None:
        w = Tensor([3.0], requires_grad=True)
        h = w * 1
        h.register_hook(lambda g: g * g)
        (h**2).sum().backward(create_graph=True)
        first = w.grad
        w.grad = None
        first.sum().backward()
        assert (first.item(), w.grad.item()) == (36.0, 576.0)  # which PyTorch gives

    def test_around_a_compiled_function(self) -> None:
        w = Tensor([1.0, 2.0], requires_grad=True)
        w.register_hook(lambda g: g * 5)
        out = staticpy.jit(lambda w: (w * w).sum())(w)
        out.register_hook(lambda g: g * 2)
        out.backward()
        assert w.grad.tolist() == [20.0, 40.0]

    def test_of_a_tape(self) -> None:
        w = Tensor([3.0], requires_grad=True)
        with staticpy.GradientTape() as tape:
            h = w * 2
            h.register_hook(lambda g: g * 7)
            out = (h * h).sum()
        assert tape.gradient(out, w).tolist() == [168.0]

    def test_refused(self) -> None:
        with pytest.raises(RuntimeError, match="a Tensor that requires grad"):
            Tensor([1.0]).register_hook(print)
        x = Tensor([1.0, 2.0], requires_grad=True)
        x.register_hook(lambda g: g[:1])
        with pytest.raises(RuntimeError, match=r"of the shape \(1,\) for one of \(2,\)"):
            x.sum().backward()
        with pytest.raises(CompileError, match="SPY305"):
            staticpy.jit(lambda x: squares(x, print))(x)
        with pytest.raises(AttributeError, match="register_hook"):
            staticpy.jit(lambda x: squares(x, print))(np.ones(2))


def dense() -> nn.Cell:
    weight = np.array([[1.0, 2.0], [3.0, 4.0]])
    return nn.Dense(2, 2, weight, "zeros", dtype=np.float64)


class TestCells:
    def test_gradients_by_inputs_and_outputs(self) -> None:
        seen: list[Any] = []
        net = dense()
        net.register_backward_hook(lambda *given: seen.append(given))
        x = Tensor([[1.0, 2.0]])
        (net(x) ** 2).sum().backward()
        assert seen[0][0] is net
        assert (seen[0][1], seen[0][2][0].tolist()) == ((None,), [[10.0, 22.0]])
        x.requires_grad = True
        (net(x) ** 2).sum().backward()
        assert seen[1][1][0].tolist() == x.grad.tolist() == [[76.0, 108.0]]

    def test_may_give_another_gradient(self) -> None:
        net = nn.SequentialCell(dense(), dense())
        handle = net[1].register_full_backward_hook(lambda cell, grads, _: grads[0] * 10)
        x = Tensor([[1.0, 2.0]], requires_grad=True)
        net(x).sum().backward()
        changed = x.grad.tolist()
        handle.remove()
        x.grad = None
        net(x).sum().backward()
        assert changed == (x.grad * 10).tolist()

    def test_tuples_and_two_inputs(self) -> None:
        seen: list[Any] = []
        cell = nn.LSTMCell(3, 2)
        cell.register_backward_hook(lambda _, *grads: seen.append([len(each) for each in grads]))
        x = Tensor(np.ones((1, 3), np.float32), requires_grad=True)
        state = tuple(Tensor(np.ones((1, 2), np.float32)) for _ in range(2))
        h, c = cell(x, state)
        (h.sum() + c.sum()).backward()
        assert seen == [[2, 2]]

    def test_in_functions_that_are_differentiated(self) -> None:
        net = dense()
        plain = staticpy.grad(lambda net, x: net(x * 1).sum())(net, np.ones((1, 2)))
        seen: list[Any] = []
        net.register_backward_hook(lambda cell, by_x, by_y: seen.append(by_y[0].tolist()))
        hooked = staticpy.grad(lambda net, x: net(x * 1).sum())(net, np.ones((1, 2)))
        assert seen == [[[1.0, 1.0]]]
        assert (hooked["weight"].asnumpy() == plain["weight"].asnumpy()).all()

    def test_refused_in_graphs(self) -> None:
        net = dense()
        x = np.ones((1, 2))
        compiled = staticpy.jit(lambda net, x: net(x))
        compiled(net, x)
        handle = net.register_backward_hook(lambda *_: None)
        for call in (compiled, staticpy.jit(staticpy.grad(lambda net, x: net(x).sum()))):
            with pytest.raises(CompileError, match="SPY713"):
                call(net, x)
        handle.remove()
        assert compiled(net, x).shape == (1, 2)

    def test_in_graph_mode(self) -> None:
        """There the hooks stand around what is compiled."""
        seen: list[Any] = []
        net = dense()
        net.register_backward_hook(lambda cell, by_x, by_y: seen.append(by_x[0].tolist()))
        x = Tensor([[1.0, 2.0]], requires_grad=True)
        staticpy.set_context(mode=staticpy.GRAPH_MODE)
        try:
            (net(x) ** 2).sum().backward()
        finally:
            staticpy.set_context(mode=staticpy.PYNATIVE_MODE)
        assert seen == [[[76.0, 108.0]]]

    def test_too_few_gradients(self) -> None:
        net = dense()
        net.register_backward_hook(lambda *_: ())
        with pytest.raises(RuntimeError, match="of a Dense gives 0 gradients for 1 inputs"):
            net(np.ones((1, 2))).sum().backward()
