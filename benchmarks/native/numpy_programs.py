"""The workloads in plain NumPy: whole arrays where that is how it is done, else CPython's loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.native import arrays, loops, networks
from benchmarks.native.peers import Peer

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "small": arrays.affine,
    "count_10": loops.counter,
    "count_10000": loops.counter,
    "mandelbrot": arrays.mandelbrot,
    "affine": arrays.affine,
    "gelu": arrays.gelu,
    "adam": arrays.adam,
    "softmax_norm": arrays.softmax_norm,
    "attention": arrays.attention,
    "perceptron": networks.perceptron,
    "train": networks.train,
    "rnn": networks.rnn,
    "rnn_gradient": networks.rnn_gradient,
    "line": networks.line_step,
    "stencil_1d": arrays.stencil_1d,
    "jacobi_2d": arrays.jacobi_2d,
    "fdtd_2d": arrays.fdtd_2d,
    "triangular_solve": arrays.triangular_solve,
    "lu": arrays.lu,
    "floyd_warshall": arrays.floyd_warshall,
    "edit_distance": loops.edit_distance,
    "crc32": loops.crc32,
    "n_body": arrays.n_body,
}


def _copy() -> Callable[[Any], None]:
    target = None

    def copy(x: Any) -> None:
        nonlocal target
        if target is None:
            target = np.empty_like(x)
        np.copyto(target, x)

    return copy


def peer(variant: str) -> Peer:
    """NumPy, or (``copy``) the bound."""
    return Peer({"affine": _copy()} if variant == "copy" else FUNCTIONS)
