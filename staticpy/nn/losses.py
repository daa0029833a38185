"""Losses: how far predictions are from what is wanted, as one number.

In: predictions and labels. Out: a number, or the loss of each element or row.

Each loss takes ``reduction``: ``"mean"``, ``"sum"``, or ``"none"`` for what is not reduced.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn.cell import Cell
from staticpy.nn.checks import require_alike, require_labels
from staticpy.nn.functional import log_softmax, softplus


def reduced(losses: Any, reduction: str) -> Any:
    """The mean or sum of ``losses: f[...]``, or the losses themselves."""
    if reduction == "mean":
        return np.mean(losses)
    if reduction == "sum":
        return np.sum(losses)
    return losses


class Loss(Cell):
    """The base of losses.

    Args:
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.

    Raises:
        ValueError: ``reduction`` is something else.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"reduction is 'mean', 'sum' or 'none', not {reduction!r}")
        self.reduction = reduction

    def extend_repr(self) -> str:
        """The reduction."""
        return f"reduction={self.reduction!r}"


class MSELoss(Loss):
    """``(logits - labels)**2``."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]`` to ``f[]``, or ``f[...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("MSELoss", logits, labels)
        return reduced((logits - labels) ** 2, self.reduction)


class L1Loss(Loss):
    """``abs(logits - labels)``, whose slope at zero is 0."""

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]`` to ``f[]``, or ``f[...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("L1Loss", logits, labels)
        return reduced(np.abs(logits - labels), self.reduction)


class HuberLoss(Loss):
    """``d**2 / 2`` up to ``delta``, then ``delta * (d - delta / 2)`` (Huber 1964), of the distance
    ``d = abs(logits - labels)``.
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]`` to ``f[]``, or ``f[...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("HuberLoss", logits, labels)
        distance = np.abs(logits - labels)
        near = np.minimum(distance, self.delta)
        return reduced(near * (distance - 0.5 * near), self.reduction)


class SmoothL1Loss(Loss):
    """``d**2 / (2 beta)`` up to ``beta``, then ``d - beta / 2``, of the distance ``d``; not
    reduced by default, as MindSpore has it, and PyTorch not.
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]`` to ``f[]``, or ``f[...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("SmoothL1Loss", logits, labels)
        distance = np.abs(logits - labels)
        near = np.minimum(distance, self.beta)
        return reduced(near * (distance - 0.5 * near) / self.beta, self.reduction)


class NLLLoss(Loss):
    """``-logits[i, labels[i]]``, of logarithms of probabilities.

    Args:
        weight: ``f[classes]``, how much the rows of each class count; 1 if None.
        ignore_index: a label whose rows don't count.
        reduction: the mean is over the rows that count, each with its weight.
    """

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.ignore_index = ignore_index
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits: f[n, classes, ...]``, ``labels: i[n, ...]`` to ``f[]``, or ``f[n, ...]``.

        Raises:
            IndexError: a label is no class, and not ``ignore_index``.
            TypeError, ValueError: the labels are no ints, or have another shape.
        """
        return self.picked(logits, labels, 0.0)

    def picked(self, logits: Any, labels: Any, smoothing: float) -> Any:
        """The loss of labels of which ``smoothing`` is spread over all classes."""
        require_labels(type(self).__name__, logits, labels)
        counts = labels != self.ignore_index
        safe = np.where(counts, labels, 0)
        if np.any(safe < 0) or np.any(safe >= logits.shape[1]):
            raise IndexError(
                "a label is no class: they are from 0 to the number of classes - 1, or "
                f"{self.ignore_index}, which is ignored"
            )
        losses = -_of_class(logits, safe)
        weights = counts.astype(logits.dtype)
        if self.weight is not None:
            weights = weights * self.weight[safe]
        losses = losses * weights
        if smoothing > 0:
            losses = (1 - smoothing) * losses + smoothing * self._spread(logits, counts)
        if self.reduction == "mean":
            return np.sum(losses) / np.sum(weights)
        return reduced(losses, self.reduction)

    def _spread(self, logits: Any, counts: Any) -> Any:
        """The mean over all classes, each with its weight."""
        if self.weight is None:
            spread = -np.mean(logits, axis=1)
        else:
            shape = (1, -1) + (1,) * (logits.ndim - 2)
            spread = -np.mean(logits * self.weight.reshape(shape), axis=1)
        return np.where(counts, spread, 0)


def _of_class(logits: Any, labels: Any) -> Any:
    """The item of the class: ``f[n, classes, ...]`` and ``i[n, ...]`` to ``f[n, ...]``."""
    if logits.ndim == 2:
        return logits[np.arange(logits.shape[0]), labels]
    taken = np.take_along_axis(logits, np.expand_dims(labels, 1), axis=1)
    return np.squeeze(taken, axis=1)


class CrossEntropyLoss(NLLLoss):
    """The cross entropy of the softmax of ``logits`` and the labels, which are class numbers, or
    the probabilities of the classes.

    Args:
        weight: ``f[classes]``, how much the rows of each class count; 1 if None.
        ignore_index: a label whose rows don't count.
        reduction: the mean is over the rows that count, each with its weight.
        label_smoothing: which part of the label is spread over all classes, from 0 to 1 (Szegedy
            et al., arXiv:1512.00567).
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, ignore_index, reduction)
        if not 0.0 <= label_smoothing <= 1.0:
            raise ValueError(f"label_smoothing is from 0 to 1, not {label_smoothing}")
        self.label_smoothing = label_smoothing

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits: f[n, classes, ...]``, ``labels: i[n, ...]``, or of the shape of ``logits`` and
        floats, to ``f[]``, or ``f[n, ...]`` without a reduction.

        Raises:
            IndexError: a label is no class, and not ``ignore_index``.
            TypeError, ValueError: the labels are no ints, or have another shape.
        """
        scores = log_softmax(logits, 1)
        if labels.dtype.kind == "f":
            return self._of_probabilities(scores, labels)
        return self.picked(scores, labels, self.label_smoothing)

    def _of_probabilities(self, scores: Any, labels: Any) -> Any:
        require_alike("CrossEntropyLoss", scores, labels)
        smoothing = self.label_smoothing
        wanted = (1 - smoothing) * labels + smoothing / scores.shape[1]
        if self.weight is not None:
            wanted = wanted * self.weight.reshape((1, -1) + (1,) * (scores.ndim - 2))
        return reduced(-np.sum(wanted * scores, axis=1), self.reduction)


_LEAST = math.exp(-100.0)


class BCELoss(Loss):
    """The cross entropy of probabilities and labels from 0 to 1; the logarithms are not taken below
    -100, as PyTorch does it.

    Args:
        weight: what the loss of each element is multiplied by, of a shape that can be stretched.
        reduction: see ``Loss``.
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]``, from 0 to 1, to ``f[]``, or ``f[...]``.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("BCELoss", logits, labels)
        of_one = np.log(np.maximum(logits, _LEAST))
        of_zero = np.log(np.maximum(1 - logits, _LEAST))
        losses = -(labels * of_one + (1 - labels) * of_zero)
        return reduced(losses if self.weight is None else losses * self.weight, self.reduction)


class BCEWithLogitsLoss(Loss):
    """The cross entropy of ``sigmoid(logits)`` and labels from 0 to 1, which can't overflow.

    Args:
        reduction: see ``Loss``.
        weight: what the loss of each element is multiplied by, of a shape that can be stretched.
        pos_weight: the same of the part for labels of 1.
    """

    def __init__(self, reduction: str = "mean", weight: Any = None, pos_weight: Any = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[...]`` to ``f[]``, or ``f[...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("BCEWithLogitsLoss", logits, labels)
        if self.pos_weight is None:
            losses = softplus(logits) - logits * labels
        else:
            of_one = self.pos_weight * labels * softplus(-logits)
            losses = of_one + (1 - labels) * softplus(logits)
        return reduced(losses if self.weight is None else losses * self.weight, self.reduction)


class KLDivLoss(Loss):
    """``labels * (log(labels) - logits)``, of logarithms of probabilities and probabilities.

    Args:
        reduction: also ``"batchmean"``: the sum over the number of rows.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__("sum" if reduction == "batchmean" else reduction)
        self.is_batchmean = reduction == "batchmean"

    def construct(self, logits: Any, labels: Any) -> Any:
        """``logits, labels: f[n, ...]`` to ``f[]``, or ``f[n, ...]`` without a reduction.

        Raises:
            ValueError: they have other shapes.
        """
        require_alike("KLDivLoss", logits, labels)
        is_there = labels > 0
        logs = np.log(np.where(is_there, labels, 1))
        losses = reduced(labels * (logs - logits), self.reduction)
        return losses / logits.shape[0] if self.is_batchmean else losses
