"""Optimisers against PyTorch's: 100 steps from the same weights end at the same weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy import nn, optim
from staticpy.optim import schedules

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'peers')")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(32, 5))
Y = np.sin(X).sum(axis=1, keepdims=True)

TOLERANCE = {"rtol": 1e-6, "atol": 1e-8}
"""Of float64: where gradients are near zero, Adam and RMSprop make much of their last bits."""

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.05}),
    ("SGD", {"lr": 0.02, "momentum": 0.9, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.02, "momentum": 0.9, "dampening": 0.3}),
    ("SGD", {"lr": 0.02, "momentum": 0.9, "weight_decay": 0.01, "nesterov": True}),
    ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "betas": (0.8, 0.99), "eps": 1e-6, "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.01, "weight_decay": 0.1}),
    ("RMSprop", {"lr": 0.01, "weight_decay": 0.01}),
    ("RMSprop", {"lr": 0.01, "momentum": 0.5}),
    ("RMSprop", {"lr": 0.01, "centered": True, "momentum": 0.5, "alpha": 0.9}),
    ("RMSprop", {"lr": 0.01, "centered": True}),
    ("Adagrad", {"lr": 0.05}),
    ("Adagrad", {"lr": 0.05, "lr_decay": 0.01, "weight_decay": 0.01, "eps": 1e-8}),
]


def networks() -> tuple[Any, Any]:
    """The same network in both."""
    rng = np.random.default_rng(1)
    ours = nn.SequentialCell(
        nn.Dense(5, 7, dtype=np.float64, rng=rng),
        nn.Tanh(),
        nn.Dense(7, 1, dtype=np.float64, rng=rng),
    )
    theirs = torch.nn.Sequential(torch.nn.Linear(5, 7), torch.nn.Tanh(), torch.nn.Linear(7, 1))
    theirs = theirs.double()
    state = {
        name: torch.tensor(each.detach().numpy()) for name, each in ours.parameters_and_names()
    }
    theirs.load_state_dict(state)
    return ours, theirs


def train_ours(net: Any, optimizer: Any, steps: int, clip: float | None = None) -> None:
    loss = nn.MSELoss()
    for _ in range(steps):
        loss(net(X), Y).backward()
        grads = [parameter.grad for parameter in optimizer.parameters]
        if clip is not None:
            grads, _ = optim.clip_by_global_norm(grads, clip)
        optimizer.step(grads)
        optimizer.zero_grad()


def train_theirs(
    net: Any, optimizer: Any, steps: int, after: Callable[[], None] = lambda: None
) -> None:
    loss, x, y = torch.nn.MSELoss(), torch.tensor(X), torch.tensor(Y)
    for _ in range(steps):
        optimizer.zero_grad()
        loss(net(x), y).backward()
        after()
        optimizer.step()


def assert_same(ours: Any, theirs: Any) -> None:
    state = theirs.state_dict()
    for name, each in ours.parameters_and_names():
        wanted = state[name].numpy()
        np.testing.assert_allclose(each.detach().numpy(), wanted, **TOLERANCE)


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_agrees_over_100_steps(name: str, settings: dict[str, Any]) -> None:
    weights = [np.linspace(-1.0, 1.0, 5).reshape(5, 1), np.zeros(1)]
    leaves = [torch.tensor(each, requires_grad=True) for each in weights]
    ours = getattr(optim, name)(weights, **settings)
    theirs = getattr(torch.optim, name)(leaves, **settings)
    x, y = torch.tensor(X), torch.tensor(Y)
    for _ in range(100):
        error = X @ weights[0] + weights[1] - Y
        ours.step([X.T @ error / len(Y), error.mean(axis=0)])
        theirs.zero_grad()
        (((x @ leaves[0] + leaves[1] - y) ** 2).mean() / 2).backward()
        theirs.step()
    for mine, other in zip(weights, leaves, strict=True):
        np.testing.assert_allclose(mine, other.detach().numpy(), **TOLERANCE)


def test_network_with_adam() -> None:
    ours, theirs = networks()
    train_ours(ours, optim.Adam(ours, 0.01), 100)
    train_theirs(theirs, torch.optim.Adam(theirs.parameters(), 0.01), 100)
    assert_same(ours, theirs)


def test_clipped() -> None:
    ours, theirs = networks()
    train_ours(ours, optim.SGD(ours, 0.1), 30, clip=0.1)
    train_theirs(
        theirs,
        torch.optim.SGD(theirs.parameters(), 0.1),
        30,
        lambda: torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.1),
    )
    assert_same(ours, theirs)


@pytest.mark.parametrize(
    ("schedule", "name", "settings"),
    [
        (schedules.Step(0.1, 5, 0.5), "StepLR", {"step_size": 5, "gamma": 0.5}),
        (schedules.Exponential(0.1, 0.9), "ExponentialLR", {"gamma": 0.9}),
        (schedules.Cosine(0.1, 20, 0.01), "CosineAnnealingLR", {"T_max": 20, "eta_min": 0.01}),
        (schedules.Polynomial(0.1, 20, 2.0), "PolynomialLR", {"total_iters": 20, "power": 2.0}),
        (
            schedules.WarmUp(4, 0.1, 0.25),
            "LinearLR",
            {"start_factor": 0.25, "total_iters": 4},
        ),
    ],
)
def test_schedules(schedule: Any, name: str, settings: dict[str, Any]) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1)], 0.1)
    theirs = getattr(torch.optim.lr_scheduler, name)(optimizer, **settings)
    for step in range(20):
        np.testing.assert_allclose(schedule(step), theirs.get_last_lr()[0], rtol=1e-12)
        optimizer.step()
        theirs.step()
