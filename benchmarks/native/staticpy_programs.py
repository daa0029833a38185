"""The workloads as graphs: the programs of NumPy, and gradients of losses instead of those by hand.

Where a program is there both as whole arrays and as loops, the form is compiled that is faster, as
each peer has it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import staticpy
from benchmarks.native import loops, networks, numpy_programs
from benchmarks.native.peers import Peer

LOOPS = ("mandelbrot", "lu", "n_body")
"""The others are as fast or faster as whole arrays, as the project's users write them."""


def adam(p: Any, m: Any, v: Any, g: Any) -> Any:
    """In place, as such an optimizer is written."""
    m[...] = 0.9 * m + 0.1 * g
    v[...] = 0.999 * v + 0.001 * (g * g)
    p[...] = p - 0.001 * m / (np.sqrt(v) + 1e-8)
    return p, m, v


def train(weights: Any, x: Any, labels: Any) -> Any:
    """A step of gradient descent, and what was lost before it."""
    lost, grads = staticpy.value_and_grad(networks.loss)(weights, x, labels)
    updated = tuple(
        (w - networks.RATE * dw, b - networks.RATE * db)
        for (w, b), (dw, db) in zip(weights, grads, strict=True)
    )
    return updated, lost


def rnn_gradient(w: Any, u: Any, x: Any) -> Any:
    """Of both matrices."""
    return staticpy.grad(networks.rnn_loss, argnums=(0, 1))(w, u, x)


def line_step(w: Any, b: Any, x: Any, y: Any) -> Any:
    """One step of gradient descent."""
    dw, db = staticpy.grad(networks.line_loss, argnums=(0, 1))(w, b, x, y)
    return w - networks.RATE * dw, b - networks.RATE * db


def peer(variant: str) -> Peer:
    """The graph, run by the backend ``variant``."""
    compiled = partial(staticpy.jit, backend=variant)
    programs = dict(numpy_programs.FUNCTIONS)
    programs |= {name: getattr(loops, name) for name in LOOPS}
    programs |= {"adam": adam, "train": train, "rnn_gradient": rnn_gradient, "line": line_step}
    return Peer({name: compiled(program) for name, program in programs.items()})
