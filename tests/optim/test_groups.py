"""Groups of parameters, and runs that are interrupted and go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import nn, optim
from staticpy.optim import schedules

MAKES = {
    "sgd": lambda p: optim.SGD(p, 0.1, momentum=0.9, weight_decay=0.1),
    "adam": lambda p: optim.Adam(p, 0.1, weight_decay=0.1),
    "adamw": lambda p: optim.AdamW(p, 0.1, weight_decay=0.1),
    "adagrad": lambda p: optim.Adagrad(p, 0.1),
}
RNG = np.random.default_rng(0)
GRADS = [[RNG.normal(size=3) for _ in range(2)] for _ in range(10)]


def weights(kind: Any = np.array) -> list[Any]:
    return [kind([1.0, 2.0, 3.0]), kind([-1.0, 0.5, 2.0])]


def groups(first: Any, second: Any) -> list[dict[str, Any]]:
    return [{"params": [first], "lr": 0.01}, {"params": [second], "weight_decay": 0.5}]


@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_as_two_optimisers(make: Any) -> None:
    """With the settings of each group."""
    together, apart = weights(), weights()
    optimizer = make(groups(*together))
    alone = make([apart[0]]), make([apart[1]])
    alone[0].lr, alone[1].weight_decay = 0.01, 0.5
    for number, grads in enumerate(GRADS):
        if number == 5:
            optimizer.groups[0].lr = alone[0].lr = 0.2
            optimizer.lr = alone[1].lr = 0.3
        optimizer.step(grads)
        for each, grad in zip(alone, grads, strict=True):
            each.step([grad])
    for one, other in zip(together, apart, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("kind", [np.array, nn.Parameter])
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES)
def test_in_a_graph(make: Any, kind: Any) -> None:
    def trained(is_graph: bool) -> Any:
        learned = weights(kind)
        optimizer = make(groups(*learned))
        optimizer.groups[1].lr = schedules.Cosine(0.1, 8)

        def step() -> Any:
            def loss(given: Any) -> Any:
                return (given[0] ** 2).sum() + ((given[1] - given[0]) ** 2).sum()

            value, grads = staticpy.value_and_grad(loss)(optimizer.parameters)
            optimizer.step(grads)
            return value

        run = staticpy.jit(step) if is_graph else step
        losses = [float(run().item()) for _ in range(10)]
        return losses, [np.array(getattr(each, "content", each)) for each in learned]

    np.testing.assert_allclose(trained(True)[0], trained(False)[0], rtol=1e-12)
    np.testing.assert_allclose(trained(True)[1], trained(False)[1], rtol=1e-12)


def test_cells_and_names() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    optimizer = optim.SGD(
        [
            {"params": net[0], "lr": 0.5},
            {"params": {"w": net[1].weight, "b": net[1].bias}},
        ],
        0.1,
    )
    assert optimizer.names == ["weight", "bias", "w", "b"]
    assert [group.places for group in optimizer.groups] == [(0, 1), (2, 3)]
    net(np.ones((1, 2), np.float32)).sum().backward()
    optimizer.step()
    optimizer.step([None, None, np.ones((1, 2), np.float32), None])
    optimizer.zero_grad()


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ([{"params": []}], ValueError, "no parameters"),
        ([{"lr": 0.1}], ValueError, r"this one has \['lr'\]"),
        ([{"params": weights(), "betas": 1}], ValueError, "'betas'.*other settings"),
        ([{"params": weights()}, weights()[0]], TypeError, "and not a ndarray"),
        ([{"params": weights()[0]}], TypeError, "takes several parameters"),
    ],
)
def test_refused(given: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        optim.SGD(given)
    same = weights()[0]
    with pytest.raises(ValueError, match="twice"):
        optim.SGD(groups(same, same))


class Run:
    """A network with Dropout, groups, a schedule and shuffled minibatches."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(1)
        self.drop = np.random.default_rng(2)
        self.net = nn.SequentialCell(
            nn.Dense(3, 4, rng=self.rng), nn.Dropout(0.5, self.drop), nn.Dense(4, 1, rng=self.rng)
        ).set_train()
        self.optimizer = optim.AdamW(
            [
                {"params": self.net[0], "weight_decay": 0.1},
                {"params": self.net[2], "lr": schedules.WarmUp(5, 0.1)},
            ],
            schedules.Cosine(0.05, 20),
        )

    def parts(self) -> dict[str, Any]:
        names = ("rng", "drop", "net", "optimizer")
        return {name: getattr(self, name) for name in names}

    def train(self, steps: int, is_graph: bool) -> list[float]:
        x = np.random.default_rng(3).normal(size=(12, 3)).astype(np.float32)
        loss = nn.MSELoss()
        forward = staticpy.jit(lambda net, x: net(x)) if is_graph else lambda net, x: net(x)
        found: list[float] = []
        while len(found) < steps:
            for rows in nn.batches(x, batch_size=6, shuffle=True, rng=self.rng):
                error = loss(forward(self.net, rows), rows[:, :1])
                error.backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
                found.append(error.item())
        return found


@pytest.mark.parametrize("is_graph", [False, True])
@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_goes_on_bit_for_bit(tmp_path: Path, ending: str, is_graph: bool) -> None:
    if ending == "safetensors":
        pytest.importorskip("safetensors", reason="extra 'safetensors'")
    whole, first, second = Run(), Run(), Run()
    losses = whole.train(16, is_graph)
    before = first.train(8, is_graph)
    nn.save(tmp_path / f"run.{ending}", first.parts())
    nn.load(tmp_path / f"run.{ending}", second.parts())
    assert before + second.train(8, is_graph) == losses
    for name, array in whole.net.state_dict().items():
        assert array.tobytes() == second.net.state_dict()[name].tobytes()
    states = whole.optimizer.state_dict(), second.optimizer.state_dict()
    assert all(states[0][name].tobytes() == states[1][name].tobytes() for name in states[0])


@pytest.mark.parametrize("name", ["SGD", "AdamW"])
def test_as_pytorch(name: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'peers')")
    ours = weights()
    theirs = [torch.tensor(each, requires_grad=True) for each in weights()]
    mine = getattr(optim, name)(groups(*ours), 0.1, weight_decay=0.2)
    other = getattr(torch.optim, name)(groups(*theirs), 0.1, weight_decay=0.2)
    for grads in GRADS:
        mine.step(grads)
        for tensor, grad in zip(theirs, grads, strict=True):
            tensor.grad = torch.tensor(grad)
        other.step()
    for one, tensor in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, tensor.detach().numpy(), rtol=1e-12)
