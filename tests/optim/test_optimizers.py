"""Optimisers: ways to give them gradients, what they keep, what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn, optim
from staticpy.diagnostics import CompileError
from staticpy.optim import schedules

MAKES = {
    "sgd": lambda p: optim.SGD(p, 0.1),
    "momentum": lambda p: optim.SGD(p, 0.1, momentum=0.9, dampening=0.2, weight_decay=0.1),
    "nesterov": lambda p: optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    "adam": lambda p: optim.Adam(p, 0.1, weight_decay=0.1),
    "adamw": lambda p: optim.AdamW(p, 0.1),
    "rmsprop": lambda p: optim.RMSprop(p, 0.1),
    "rmsprop_momentum": lambda p: optim.RMSprop(p, 0.1, momentum=0.5),
    "rmsprop_centered": lambda p: optim.RMSprop(p, 0.1, centered=True, momentum=0.5),
    "adagrad": lambda p: optim.Adagrad(p, 0.1, lr_decay=0.1, initial_accumulator_value=0.5),
}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3))
Y = X @ np.array([1.0, -2.0, 0.5]) + 0.3


def linear(dtype: Any = np.float64) -> nn.Cell:
    return nn.Dense(3, 1, "zeros", "zeros", dtype=dtype)


def loss_of(cell: nn.Cell) -> Any:
    return nn.MSELoss()(cell(X)[:, 0], Y)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_ways_to_give_gradients(make: Any) -> None:
    found = []
    for way in ("grad", "list", "dict", "arrays"):
        cell = linear()
        optimizer = make(cell)
        for _ in range(5):
            loss_of(cell).backward()
            grads = [parameter.grad for parameter in optimizer.parameters]
            if way == "grad":
                optimizer.step()
            elif way == "list":
                optimizer(grads)
            elif way == "dict":
                optimizer.step(dict(zip(optimizer.names, grads, strict=True)))
            else:
                optimizer.step(tuple(grad.numpy() for grad in grads))
            optimizer.zero_grad()
        found.append([each.detach().tolist() for each in cell.get_parameters()])
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_float32_stays(make: Any) -> None:
    cell = linear(np.float32)
    optimizer = make(cell)
    loss_of(cell).backward()
    optimizer.step()
    assert {each.dtype for each in cell.get_parameters()} == {np.dtype(np.float32)}
    arrays = [array for memory in optimizer.memories for array in memory]
    assert {each.dtype for each in arrays} <= {np.dtype(np.float32)}


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_graph_as_plain_python(make: Any) -> None:
    def trained(is_plain: bool) -> Any:
        weights = [np.zeros(3), np.zeros(())]
        optimizer = make(weights)
        with staticpy.disable_jit(is_plain):
            for _ in range(10):
                error = X @ weights[0] + weights[1] - Y
                optimizer.step([X.T @ error / len(Y), np.asarray(error.mean())])
        return np.append(weights[0], weights[1])

    np.testing.assert_allclose(trained(True), trained(False), rtol=1e-14)


@pytest.mark.parametrize("kind", [np.array, nn.Parameter])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_whole_step_is_a_graph(make: Any, kind: Any) -> None:
    """Forward, backward and update in one compiled function, of ndarrays and of Parameters."""

    def loss(weights: Any) -> Any:
        return ((X @ weights[0] + weights[1] - Y) ** 2).mean()

    weights, others = [kind(np.zeros(3)), kind(0.0)], [np.zeros(3), np.zeros(())]
    optimizer, other = make(weights), make(others)

    @staticpy.jit
    def step() -> Any:
        value, grads = staticpy.value_and_grad(loss)(optimizer.parameters)
        optimizer.step(grads)
        return value

    compiled = [float(step().item()) for _ in range(10)]
    assert int(optimizer.step_count) == 10
    for expected in compiled:
        value, grads = staticpy.value_and_grad(loss)(others)
        other.step(grads)
        np.testing.assert_allclose(value, expected, rtol=1e-12)
    trained = weights[0].detach().numpy() if kind is nn.Parameter else weights[0]
    np.testing.assert_allclose(trained, others[0], rtol=1e-12)


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_gradients_are_left_alone(make: Any) -> None:
    """In either layout: those that lie otherwise than the parameter are copied first."""
    weights = [np.ones((3, 2)), np.ones((3, 2))]
    optimizer = make(weights)
    values = np.arange(6.0).reshape(3, 2)
    grads = [values.copy(), np.asfortranarray(values)]
    optimizer.step(grads)
    assert grads[0].tolist() == grads[1].tolist() == values.tolist()
    np.testing.assert_array_equal(weights[0], weights[1])


def test_parameter_without_gradient_stays() -> None:
    first, second = nn.Parameter(np.ones(2)), nn.Parameter(np.ones(2))
    optimizer = optim.Adam([first, second], 0.1)
    optimizer.step([np.ones(2), None])
    assert second.detach().tolist() == [1.0, 1.0]
    assert optimizer.memories[1][0].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(first.detach().numpy(), [0.9, 0.9])


def test_rate_may_be_set() -> None:
    weight = np.zeros(1)
    optimizer = optim.SGD([weight], 0.1)
    optimizer.step([np.ones(1)])
    optimizer.lr = 1.0
    optimizer.step([np.ones(1)])
    optimizer.lr = schedules.Exponential(2.0, 1.0)
    optimizer.step([np.ones(1)])
    np.testing.assert_allclose(weight, [-3.1])


def test_names() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1, has_bias=False))
    net[1].weight.requires_grad = False
    assert optim.SGD(net).names == ["0.weight", "0.bias"]
    assert optim.SGD(net.get_parameters()).names == ["0", "1", "2"]
    assert optim.SGD(net.parameters_and_names()).names == ["0.weight", "0.bias", "1.weight"]
    assert optim.SGD([nn.Parameter([1.0], "a"), nn.Parameter([1.0], "b")]).names == ["a", "b"]
    assert optim.SGD({"w": Tensor([1.0])}).names == ["w"]


def test_way_back_knows_of_the_write() -> None:
    weight = nn.Parameter(np.ones(2))
    loss = (weight * weight).sum()
    optim.SGD([weight], 0.1).step([np.ones(2)])
    with pytest.raises(CompileError, match="SPY708"):
        loss.backward()


def test_state_continues_bit_for_bit() -> None:
    cell, again = linear(), linear()
    optimizer = optim.Adam(cell, schedules.Cosine(0.1, 20))
    for _ in range(10):
        loss_of(cell).backward()
        optimizer.step()
        optimizer.zero_grad()
    for mine, other in zip(again.get_parameters(), cell.get_parameters(), strict=True):
        mine.data = other.detach()
    resumed = optim.Adam(again, schedules.Cosine(0.1, 20))
    resumed.load_state_dict(optimizer.state_dict())
    for _ in range(10):
        for each, net in ((optimizer, cell), (resumed, again)):
            loss_of(net).backward()
            each.step()
            each.zero_grad()
    assert cell.weight.detach().tolist() == again.weight.detach().tolist()
    assert list(optimizer.state_dict()) == [
        "step",
        "mean.weight",
        "square.weight",
        "mean.bias",
        "square.bias",
    ]


def test_state_of_another_changes_nothing() -> None:
    optimizer = optim.SGD(linear(), 0.1, momentum=0.9)
    good = optimizer.state_dict()
    good["step"][()] = 7
    for name, wrong in (("velocity.weight", np.zeros(2)), ("velocity.bias", np.zeros(1, "f4"))):
        with pytest.raises(ValueError, match=name):
            optimizer.load_state_dict(good | {name: wrong})
    with pytest.raises(ValueError, match=r"'velocity\.bias' is missing; 'other' is not known"):
        optimizer.load_state_dict(
            {"step": good["step"], "velocity.weight": good["velocity.weight"], "other": 1}
        )
    assert int(optimizer.step_count) == 0


def test_refusals() -> None:
    with pytest.raises(ValueError, match="no parameters"):
        optim.SGD([])
    weight = nn.Parameter([1.0])
    with pytest.raises(ValueError, match="twice"):
        optim.SGD([weight, weight])
    with pytest.raises(TypeError, match="several parameters"):
        optim.SGD(nn.Parameter([1.0]))
    with pytest.raises(TypeError, match="complex128"):
        optim.SGD([np.ones(2, complex)])
    with pytest.raises(TypeError, match="is float: an optimiser"):
        optim.SGD([1.0])
    with pytest.raises(ValueError, match="momentum"):
        optim.SGD([np.ones(2)], nesterov=True)
    optimizer = optim.SGD([np.ones(2)])
    with pytest.raises(ValueError, match="2 gradients for 1 parameters"):
        optimizer.step([np.ones(2), np.ones(2)])
    with pytest.raises(ValueError, match=r"has the shape \(1,\)"):
        optimizer.step([np.ones(1)])
    with pytest.raises(ValueError, match=r"of \['w'\]"):
        optimizer.step({"w": np.ones(2)})
    with pytest.raises(NotImplementedError, match="Optimizer has no rule"):
        optim.Optimizer([np.ones(2)], 0.1).step([np.ones(2)])


def test_repr() -> None:
    assert repr(optim.SGD([np.ones(2)], 0.1)) == (
        "SGD(1 parameters, lr=0.1, weight_decay=0.0, momentum=0.0, dampening=0.0, nesterov=False)"
    )


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies(copied: Any) -> None:
    weight = np.ones(2)
    optimizer = optim.Adam([weight], 0.1)
    optimizer.step([np.ones(2)])
    other = copied(optimizer)
    for each in (optimizer, other):
        each.step([np.ones(2)])
    assert other.parameters[0].tolist() == weight.tolist()
    assert other.parameters[0] is not weight


def test_many_settings_are_compiled_once() -> None:
    """Of one structure, whatever the numbers; with warnings as errors."""
    for number in range(80):
        optim.AdamW([np.ones(2)], 0.1, weight_decay=0.01 * number).step([np.ones(2)])
        optim.SGD([np.ones(2)], 0.1, weight_decay=0.01 * number).step([np.ones(2)])


def test_rates_are_checked() -> None:
    for rate, error in ((-0.1, ValueError), (float("nan"), ValueError), ("0.1", TypeError)):
        with pytest.raises(error, match="a learning rate is"):
            optim.SGD([np.ones(2)], rate)
        with pytest.raises(error, match="a learning rate is"):
            optim.SGD([{"params": [np.ones(2)], "lr": rate}])
    with pytest.raises(ValueError, match="at least 1 step, not 0"):
        schedules.Cosine(0.1, 0)


@pytest.mark.parametrize("run", [lambda f: f, staticpy.jit])
def test_clipping_of_dicts(run: Any) -> None:
    grads = {"a": np.array([3.0, 4.0]), "b": np.zeros(2)}
    clipped, norm = run(lambda g: optim.clip_by_global_norm(g, 1.0))(grads)
    assert norm == 5.0
    np.testing.assert_allclose(clipped["a"], [0.6, 0.8], rtol=1e-6)
    assert run(lambda g: optim.clip_by_value(g, 3.5))(grads)["a"].tolist() == [3.0, 3.5]
