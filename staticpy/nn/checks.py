"""What layers and losses demand of the shapes that they are given, in plain Python and in graphs.

In: arrays. Out: nothing, or a ValueError that says what is wrong.
"""

from __future__ import annotations

from typing import Any


def require_size(layer: str, x: Any, axis: int, size: int, what: str) -> None:
    """Check the size of an axis of ``x``.

    Raises:
        ValueError: it is not ``size``.
    """
    if x.shape[axis] != size:
        place = "last axis" if axis == -1 else f"axis {axis}"
        raise ValueError(
            f"{layer} of {size} {what} was given {x.shape[axis]}: they are the {place} of the "
            f"shape {x.shape}"
        )


def require_alike(loss: str, logits: Any, labels: Any) -> None:
    """Check that two arrays have one shape; a single number goes with every shape.

    Raises:
        ValueError: they differ, and would be stretched to each other.
    """
    if labels.ndim != 0 and labels.shape != logits.shape:
        raise ValueError(
            f"{loss} was given logits of the shape {logits.shape} and labels of the shape "
            f"{labels.shape}: they have one shape"
        )


def require_labels(loss: str, logits: Any, labels: Any) -> None:
    """Check that there is a label for each row of ``logits: f[n, classes, ...]``.

    Raises:
        TypeError: the labels are no ints.
        ValueError: they have another shape than ``[n, ...]``.
    """
    if labels.dtype.kind not in "iu":
        raise TypeError(f"{loss} takes the numbers of classes for labels, and not {labels.dtype}")
    if labels.shape != logits.shape[:1] + logits.shape[2:]:
        raise ValueError(
            f"{loss} was given logits of the shape {logits.shape} and labels of the shape "
            f"{labels.shape}: they have a label for each row of classes, which are axis 1"
        )
