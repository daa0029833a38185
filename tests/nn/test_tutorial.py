"""MindSpore's tutorial with its import lines changed, in its six forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import staticpy as ms
from staticpy import Tensor, nn
from staticpy.diagnostics import CompileError
from tests.nn.test_cells import Network

IMAGES = Tensor(np.ones([64, 1, 28, 28]).astype(np.float32))


class Compiled(Network):
    @ms.jit
    def construct(self, x):
        x = self.flatten(x)
        return self.dense_relu_sequential(x)


def call(class_, x):
    return class_()(x)


def run(x):
    model = Network()
    return model(x)


@ms.jit
def run_as_graph(x):
    model = Network()
    return model(x)


run_with_jit = ms.jit(run)

FORMS = {
    "a network": partial(call, Network),
    "a function that makes it": run_as_graph,
    "jit of a function": run_with_jit,
    "jit of construct": partial(call, Compiled),
}


@pytest.fixture(autouse=True)
def _mode() -> Iterator[None]:
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_same_in_each_form(form, mode) -> None:
    ms.set_context(mode=mode)
    ms.set_seed(0)
    expected = run(IMAGES)
    ms.set_seed(0)
    found = form(IMAGES)
    assert (type(found), found.shape, found.dtype) == (Tensor, (64, 10), np.float32)
    np.testing.assert_allclose(found.detach().numpy(), expected.detach().numpy(), rtol=1e-6)


def test_made_anew_at_each_call() -> None:
    assert (run_as_graph(IMAGES) != run_as_graph(IMAGES)).any()


def test_the_undecorated_rest_stays_eager() -> None:
    seen = []
    net = nn.SequentialCell(lambda x: (seen.append(type(x)), x)[1], Compiled())
    net(IMAGES)
    net(IMAGES)
    assert seen == [Tensor, Tensor]


class Evaluating(nn.Cell):
    def construct(self, x):
        return eval("x * 2")


def test_the_mode_says_whether_cells_are_graphs() -> None:
    assert Evaluating()(IMAGES).shape == IMAGES.shape
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(CompileError):
        Evaluating()(IMAGES)


def test_networks_in_graph_mode_are_gone_back_through() -> None:
    net = Network()
    grads = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net.clear_grads()
        net(IMAGES).sum().backward()
        grads.append([each.grad.numpy() for each in net.trainable_params()])
    for found, expected in zip(*grads, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
