"""Points where functions are not smooth, and the derivative there: ours, JAX's and PyTorch's.

In: a function of NumPy and a point. Out: a row of the table in ``docs/derivatives.md``, which the
tests compare with what staticpy, JAX and PyTorch say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

SAME = "the same"


@dataclass(frozen=True)
class Point:
    """A function, as a program of NumPy, and a point.

    Attributes:
        program, at: what is differentiated, by all names in ``at``.
        ours: the derivative by each name, as ``shown``. jax, torch: theirs, or SAME; empty where
            they have no such function.
        for_jax, for_torch: the function as they write it, if it isn't the same.
        older_torch: what PyTorch 2.13 gives, if that is something else.
    """

    program: str
    at: dict[str, Any]
    ours: str
    jax: str = SAME
    torch: str = SAME
    for_jax: str = ""
    for_torch: str = ""
    older_torch: str = ""

    def text(self, library: str) -> str:
        """The program for ``numpy``, ``jax`` or ``torch``."""
        own = {"numpy": "", "jax": self.for_jax, "torch": self.for_torch}[library]
        return f"lambda {', '.join(self.at)}: {own or self.program}"

    def expected(self, library: str) -> str:
        """The derivative by ``numpy`` (ours), ``jax`` or ``torch``."""
        found = {"numpy": SAME, "jax": self.jax, "torch": self.torch}[library]
        return self.ours if found == SAME else found

    def __str__(self) -> str:
        return f"{self.program} at {_place(self.at)}"


def shown(gradients: Iterable[Any]) -> str:
    """Derivatives by each operand, as the table has them."""
    return ", ".join(_shown(np.asarray(each)) for each in gradients)


def _shown(x: np.ndarray) -> str:
    if x.ndim:
        return f"[{' '.join(map(_shown, x))}]"
    return f"{np.round(x, 4) + 0.0:.3g}"


def _place(at: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {_shown(np.asarray(value))}" for name, value in at.items())


def table() -> str:
    """The table of the docs."""
    rows = ["| Function | At | Derivative | JAX | PyTorch |", "|---|---|---|---|---|"]
    for point in POINTS:
        cells = [f"`{point.program}`", _place(point.at), point.ours, point.jax, point.torch]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


_INF, _NAN = float("inf"), float("nan")
_ARRAY = np.array
_SINGULAR = _ARRAY([[1.0, 2.0], [2.0, 4.0]])

POINTS = [
    Point("np.abs(x)", {"x": 0.0}, "0", jax="1"),
    Point("np.angle(x)", {"x": 0.0}, "0", jax="nan"),
    Point("np.sign(x)", {"x": 0.0}, "0"),
    Point("np.floor(x)", {"x": 1.0}, "0"),
    Point("np.maximum(x, y)", {"x": 1.0, "y": 1.0}, "0.5, 0.5"),
    Point("np.minimum(x, y)", {"x": 1.0, "y": 1.0}, "0.5, 0.5"),
    Point("np.fmax(x, y)", {"x": 1.0, "y": 1.0}, "0.5, 0.5", jax="0, 1", older_torch="1, 0"),
    Point("np.fmax(x, y)", {"x": 1.0, "y": _NAN}, "1, 0"),
    Point("np.max(x)", {"x": _ARRAY([2.0, 1.0, 2.0])}, "[0.5 0 0.5]", for_torch="torch.amax(x)"),
    Point("np.min(x)", {"x": _ARRAY([1.0, 1.0, 2.0])}, "[0.5 0.5 0]", for_torch="torch.amin(x)"),
    Point(
        "np.ptp(x)",
        {"x": _ARRAY([1.0, 1.0])},
        "[0 0]",
        for_torch="torch.amax(x) - torch.amin(x)",
    ),
    Point(
        "np.sort(x)[1]",
        {"x": _ARRAY([2.0, 1.0, 2.0])},
        "[1 0 0]",
        for_torch="torch.sort(x, stable=True)[0][1]",
    ),
    Point("np.unique(x)[1]", {"x": _ARRAY([2.0, 1.0, 2.0])}, "[1 0 0]", jax="[0 0 0]", torch=""),
    Point("np.vander(x)[0, 1]", {"x": _ARRAY([0.0, 1.0])}, "[0 0]", jax="[nan 0]", torch=""),
    Point(
        "np.median(x)",
        {"x": _ARRAY([1.0, 2.0, 2.0, 3.0])},
        "[0 0.5 0.5 0]",
        for_torch="torch.quantile(x, 0.5)",
    ),
    Point(
        "np.maximum.accumulate(x).sum()",
        {"x": _ARRAY([1.0, 1.0])},
        "[1 1]",
        jax="[1.5 0.5]",
        for_jax="jax.lax.cummax(x).sum()",
        for_torch="torch.cummax(x, 0)[0].sum()",
    ),
    Point("np.clip(x, 0, 1)", {"x": 0.0}, "0.5", torch="0", older_torch="1"),
    Point("np.clip(x, 0, 1)", {"x": 1.0}, "0.5", torch="0", older_torch="1"),
    Point("np.sqrt(x)", {"x": 0.0}, "inf"),
    Point("np.log(x)", {"x": 0.0}, "inf"),
    Point("np.arcsin(x)", {"x": 1.0}, "inf"),
    Point("np.arccosh(x)", {"x": 1.0}, "inf"),
    Point("x**y", {"x": 0.0, "y": 0.0}, "0, 0", jax="nan, 0"),
    Point("x**y", {"x": 0.0, "y": 1.0}, "1, 0"),
    Point("x**y", {"x": 0.0, "y": 2.0}, "0, 0"),
    Point("x**y", {"x": 0.0, "y": 0.5}, "inf, 0"),
    Point("x**y", {"x": 2.0, "y": 0.0}, "0, 0.693"),
    Point("np.hypot(x, y)", {"x": 0.0, "y": 0.0}, "0, 0", jax="0.5, 0.5", torch="nan, nan"),
    Point("np.arctan2(x, y)", {"x": 0.0, "y": 0.0}, "nan, nan", torch="0, 0"),
    Point("np.arctan2(x, y)", {"x": 0.0, "y": -1.0}, "-1, 0"),
    Point("np.remainder(x, y)", {"x": 4.0, "y": 2.0}, "1, -2"),
    Point("np.copysign(x, y)", {"x": 0.0, "y": 1.0}, "1, 0", torch="0, 0"),
    Point("np.heaviside(x, y)", {"x": 0.0, "y": 0.5}, "0, 1", torch=""),
    Point(
        "np.logaddexp(x, y)", {"x": -_INF, "y": -_INF}, "0.5, 0.5", jax="nan, nan", torch="nan, nan"
    ),
    Point("np.sinc(x)", {"x": 0.0}, "0"),
    Point(
        "np.where(x > 0, np.log(x), 0)",
        {"x": -1.0},
        "0",
        for_torch="torch.where(x > 0, torch.log(x), 0.0)",
    ),
    Point(
        "np.where(x > 0, np.log(x), 0)",
        {"x": 0.0},
        "nan",
        for_torch="torch.where(x > 0, torch.log(x), 0.0)",
    ),
    Point("np.prod(x)", {"x": _ARRAY([2.0, 0.0, 3.0])}, "[0 6 0]"),
    Point("np.prod(x)", {"x": _ARRAY([2.0, 0.0, 0.0])}, "[0 0 0]"),
    Point(
        "np.cumprod(x).sum()",
        {"x": _ARRAY([2.0, 0.0, 3.0])},
        "[1 8 0]",
        for_torch="torch.cumprod(x, 0).sum()",
    ),
    Point(
        "np.std(x)",
        {"x": _ARRAY([2.0, 2.0])},
        "[0 0]",
        jax="[nan nan]",
        for_torch="torch.std(x, correction=0)",
    ),
    Point("np.var(x)", {"x": _ARRAY([2.0, 2.0])}, "[0 0]", for_torch="torch.var(x, correction=0)"),
    Point("np.linalg.norm(x)", {"x": _ARRAY([0.0, 0.0])}, "[0 0]", jax="[nan nan]"),
    Point("np.linalg.norm(x, 1)", {"x": _ARRAY([0.0, 1.0])}, "[0 1]", jax="[1 1]"),
    Point("np.linalg.norm(x, np.inf)", {"x": _ARRAY([1.0, -1.0])}, "[0.5 -0.5]"),
    Point("np.linalg.det(x)", {"x": _SINGULAR}, "[[4 -2] [-2 1]]", torch="[[0 0] [0 0]]"),
    Point(
        "np.linalg.slogdet(x)[1]",
        {"x": _SINGULAR},
        "[[nan nan] [nan nan]]",
        jax="[[inf -inf] [-inf inf]]",
        torch="[[-inf inf] [inf -inf]]",
    ),
    Point("np.linalg.eigvalsh(x)[0]", {"x": np.eye(2)}, "[[1 0] [0 0]]"),
]
"""What is not smooth. Where the others differ, ours is what is 0 where a direction is as good as
its opposite, and what shares between equals.
"""
