"""The optimisers: what each one remembers, and how it is set.

In: parameters and settings. Out: an Optimizer; the maths is in ``updates``. Defaults are PyTorch's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.optim import updates
from staticpy.optim.optimizer import Optimizer


class SGD(Optimizer):
    """Steps against the gradient, with momentum if there is any.

    Args:
        parameters: as Optimizer takes them.
        lr: the learning rate, a number or a schedule.
        momentum: how much of the velocity is kept.
        dampening: how much of the gradient does not go into the velocity, after the first step.
        weight_decay: what times the parameter is added to the gradient.
        nesterov: look one step ahead.

    Raises:
        ValueError: ``nesterov`` without momentum, or with dampening.
    """

    def __init__(
        self,
        parameters: Any,
        lr: Any = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("nesterov needs momentum, and no dampening")
        super().__init__(parameters, lr, ("velocity",) if momentum else (), weight_decay)
        self.momentum = momentum
        self.dampening = dampening
        self.nesterov = nesterov

    def rule(self, rate: float, count: int, decay: float) -> tuple[updates.Rule, tuple[Any, ...]]:
        """``updates.sgd``, ``updates.momentum`` or ``updates.nesterov``."""
        if self.momentum == 0.0:
            return updates.sgd, (rate,)
        gain = 1.0 if count == 1 else 1.0 - self.dampening
        rule = updates.nesterov if self.nesterov else updates.momentum
        return rule, (rate, self.momentum, gain)


class Adam(Optimizer):
    """Means of the gradient and of its square (Kingma and Ba, arXiv:1412.6980).

    Args:
        parameters: as Optimizer takes them.
        lr: the learning rate, a number or a schedule.
        betas: how much of the two means is kept at each step.
        eps: what is added to the root of the mean square.
        weight_decay: what times the parameter is added to the gradient.
    """

    def __init__(
        self,
        parameters: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters, lr, ("mean", "square"), weight_decay)
        self.betas = betas
        self.eps = eps

    def rule(self, rate: float, count: int, decay: float) -> tuple[updates.Rule, tuple[Any, ...]]:
        """``updates.adam``."""
        first, second = self.betas
        corrections = (1.0 - first**count, 1.0 - second**count)
        return updates.adam, (rate, (first, second), corrections, self.eps)


class AdamW(Adam):
    """Adam whose weight decay does not go through the means (Loshchilov and Hutter,
    arXiv:1711.05101): ``p *= 1 - lr * weight_decay`` comes first.

    Args:
        parameters: as Optimizer takes them.
        lr: the learning rate, a number or a schedule.
        betas: how much of the two means is kept at each step.
        eps: what is added to the root of the mean square.
        weight_decay: how fast parameters shrink.
    """

    decay_is_apart = True

    def __init__(
        self,
        parameters: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ) -> None:
        super().__init__(parameters, lr, betas, eps, weight_decay)

    def rule(self, rate: float, count: int, decay: float) -> tuple[updates.Rule, tuple[Any, ...]]:
        """``updates.adamw``."""
        _, numbers = super().rule(rate, count, decay)
        return updates.adamw, (*numbers, decay)


class RMSprop(Optimizer):
    """Steps by the gradient over the root of the mean of its square.

    Args:
        parameters: as Optimizer takes them.
        lr: the learning rate, a number or a schedule.
        alpha: how much of the mean is kept at each step.
        eps: what is added to the root.
        weight_decay: what times the parameter is added to the gradient.
        momentum: how much of the velocity is kept.
        centered: divide by the deviation in place of the root of the mean square.
    """

    def __init__(
        self,
        parameters: Any,
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
    ) -> None:
        slots: tuple[str, ...] = ("square",)
        if momentum or centered:
            slots = ("square", "velocity", "mean") if centered else ("square", "velocity")
        super().__init__(parameters, lr, slots, weight_decay)
        self.alpha = alpha
        self.eps = eps
        self.momentum = momentum
        self.centered = centered

    def rule(self, rate: float, count: int, decay: float) -> tuple[updates.Rule, tuple[Any, ...]]:
        """``updates.rmsprop``, ``rmsprop_with_momentum`` or ``centered_rmsprop``."""
        numbers = (rate, self.alpha, self.eps)
        if self.centered:
            return updates.centered_rmsprop, (*numbers, self.momentum)
        if self.momentum:
            return updates.rmsprop_with_momentum, (*numbers, self.momentum)
        return updates.rmsprop, numbers


class Adagrad(Optimizer):
    """Steps by the gradient over the root of the sum of its squares (Duchi et al. 2011).

    Args:
        parameters: as Optimizer takes them.
        lr: the learning rate, a number or a schedule.
        lr_decay: the rate is ``lr / (1 + step * lr_decay)``, from step 0 on.
        weight_decay: what times the parameter is added to the gradient.
        initial_accumulator_value: what the sum starts with.
        eps: what is added to the root.
    """

    def __init__(
        self,
        parameters: Any,
        lr: Any = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
    ) -> None:
        super().__init__(parameters, lr, ("total",), weight_decay)
        self.lr_decay = lr_decay
        self.eps = eps
        for (total,) in self.memories:
            np.copyto(total, initial_accumulator_value)

    def rule(self, rate: float, count: int, decay: float) -> tuple[updates.Rule, tuple[Any, ...]]:
        """``updates.adagrad``."""
        return updates.adagrad, (rate / (1.0 + (count - 1) * self.lr_decay), self.eps)


RMSProp = RMSprop
