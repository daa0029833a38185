"""Every program of ``examples/`` runs, and gives as graph what it gives in plain Python."""

from __future__ import annotations

import functools
import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import autodiff
from tests.support.describing import compare_trees

os.environ.setdefault("MPLBACKEND", "Agg")  # plots are drawn where nobody sees them

EXAMPLES = Path(__file__).parent.parent / "examples"
PROGRAMS = sorted(
    path.stem
    for path in EXAMPLES.glob("[a-z]*.py")
    if path.stem not in ("rejected", "embed_frontend")
)
REQUIRED = {
    "autoencoder",
    "characters",
    "conjugate_gradient",
    "counters",
    "digits",
    "gradient_descent",
    "graph_and_source",
    "implicit_layer",
    "k_means",
    "linear_regression",
    "logistic_regression",
    "mandelbrot",
    "network_six_ways",
    "neural_ode",
    "newton",
    "per_example_gradients",
    "perceptron",
    "recurrent",
}


QUICK: dict[str, dict[str, Any]] = {
    "autoencoder": {"steps": 60},
    "characters": {"steps": 20, "count": 10},
    "digits": {"epochs": (3, 1), "live": True},
    "linear_regression": {"steps": 100},
}
"""What is given to ``main`` where the whole run takes long."""
OTHER_ORDER = {"characters"}
"""Where cotangents are added up in another order, so that the last bits of float32 differ."""
NEEDED = {
    "autoencoder": ("tqdm",),
    "characters": ("tqdm",),
    "digits": ("matplotlib", "sklearn", "tqdm"),
}
"""Packages of the extra ``examples``."""


def program(name: str) -> Callable[..., Any]:
    """The ``main`` of an example, which prints its results and returns them."""
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package, reason=f"{package} is not installed (extra 'examples')")
    main: Callable[..., Any] = runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]
    return main


def test_no_example_is_missing() -> None:
    assert set(PROGRAMS) >= REQUIRED


@pytest.mark.parametrize("name", PROGRAMS)
def test_graph_equals_eager(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main = functools.partial(program(name), **QUICK.get(name, {}))
    with staticpy.disable_jit():
        eager = main()
    eager_text = capsys.readouterr().out
    graph = main()
    assert eager is not None
    if name in OTHER_ORDER:
        eager, graph = rounded(eager), rounded(graph)
    assert list(compare_trees(eager, graph, "result")) == []
    assert capsys.readouterr().out == eager_text


def rounded(tree: Any) -> Any:
    """A tree whose floats have 16 bits."""
    if isinstance(tree, tuple | list | dict):
        return autodiff.each(tree, rounded)
    if not np.issubdtype(np.asarray(tree).dtype, np.floating):
        return tree
    fraction, exponent = np.frexp(tree)
    return np.ldexp(np.rint(fraction * 2.0**16), exponent - 16)


def test_graph_and_source_shows_every_stage(capsys: pytest.CaptureFixture[str]) -> None:
    program("graph_and_source")()
    text = capsys.readouterr().out
    for stage in ("graph as written", "generated source", "memory plan", "error[SPY"):
        assert stage in text
    assert text.count("rejected.py:") >= 3
