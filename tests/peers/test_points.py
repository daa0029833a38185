"""The table of points at which functions are not smooth is true, and stands in the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.peers.points import POINTS, Point, shown, table

DOCS = Path(__file__).resolve().parents[2] / "docs" / "derivatives.md"


def _function(point: Point, library: str, **names: Any) -> Any:
    return eval(point.text(library), {"np": np, **names})


def test_the_docs_have_the_table() -> None:
    assert table() in DOCS.read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_ours(point: Point) -> None:
    slope = staticpy.grad(_function(point, "numpy"), argnums=tuple(range(len(point.at))))
    assert shown(slope(*point.at.values())) == point.ours


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("point", [each for each in POINTS if each.jax], ids=str)
def test_jax(point: Point) -> None:
    jax = pytest.importorskip("jax", reason="the extra 'peers' is not installed")
    jax.config.update("jax_enable_x64", True)
    function = _function(point, "jax", np=jax.numpy, jax=jax)
    slope = jax.grad(lambda *args: function(*args) * 1.0, argnums=tuple(range(len(point.at))))
    assert shown(slope(*map(jax.numpy.asarray, point.at.values()))) == point.expected("jax")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("point", [each for each in POINTS if each.torch], ids=str)
def test_torch(point: Point) -> None:
    torch = pytest.importorskip("torch", reason="the extra 'peers' is not installed")
    at = [
        torch.tensor(np.asarray(value), dtype=torch.float64, requires_grad=True)
        for value in point.at.values()
    ]
    _function(point, "torch", np=torch, torch=torch)(*at).backward()
    found = [np.zeros(x.shape) if x.grad is None else x.grad.numpy() for x in at]
    allowed = {point.expected("torch")}
    if point.older_torch and tuple(map(int, torch.__version__.split(".")[:2])) < (2, 15):
        allowed.add(point.older_torch)
    assert shown(found) in allowed
