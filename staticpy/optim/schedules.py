"""Learning rates that change: functions of the number of the step.

In: what the schedule looks like. Out: an object that is called with the number of the step, from 0
on, and gives the rate as a Python float; a part of compiled functions like any class of the user's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

Schedule = Callable[[Any], Any]


def _require_steps(steps: int) -> None:
    """Check a number of steps that is divided by."""
    if steps < 1:
        raise ValueError(f"a schedule takes at least 1 step, not {steps}")


class Constant:
    """The same rate at each step."""

    def __init__(self, rate: float) -> None:
        self.rate = rate

    def __call__(self, step: Any) -> Any:
        """``rate``."""
        return self.rate


class Step:
    """``rate * gamma ** (step // size)``: times ``gamma`` every ``size`` steps."""

    def __init__(self, rate: float, size: int, gamma: float = 0.1) -> None:
        _require_steps(size)
        self.rate, self.size, self.gamma = rate, size, gamma

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        return self.rate * self.gamma ** float(step // self.size)


class Exponential:
    """``rate * gamma ** step``."""

    def __init__(self, rate: float, gamma: float) -> None:
        self.rate, self.gamma = rate, gamma

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        return self.rate * self.gamma ** float(step)


class Cosine:
    """Half a cosine from ``rate`` down to ``least`` at step ``steps``, and ``least`` from there on
    (Loshchilov and Hutter, arXiv:1608.03983, eq. 5, without restarts).
    """

    def __init__(self, rate: float, steps: int, least: float = 0.0) -> None:
        _require_steps(steps)
        self.rate, self.steps, self.least = rate, steps, least

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        part = min(step, self.steps) / self.steps
        return self.least + 0.5 * (self.rate - self.least) * (1.0 + math.cos(math.pi * part))


class Polynomial:
    """``(rate - least) * (1 - step / steps) ** power + least``, and ``least`` from ``steps`` on."""

    def __init__(self, rate: float, steps: int, power: float = 1.0, least: float = 0.0) -> None:
        _require_steps(steps)
        self.rate, self.steps, self.power, self.least = rate, steps, power, least

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        part = 1.0 - min(step, self.steps) / self.steps
        return (self.rate - self.least) * part**self.power + self.least


class Piecewise:
    """``rates[i]`` before step ``boundaries[i]``, and the last rate from the last one on.

    Raises:
        ValueError: there is not one rate more than there are boundaries, or these don't grow.
    """

    def __init__(self, boundaries: Sequence[int], rates: Sequence[float]) -> None:
        if len(rates) != len(boundaries) + 1:
            raise ValueError(
                f"{len(boundaries)} boundaries need {len(boundaries) + 1} rates, not {len(rates)}"
            )
        if list(boundaries) != sorted(set(boundaries)):
            raise ValueError(f"the boundaries {list(boundaries)} don't grow")
        self.boundaries, self.rates = tuple(boundaries), tuple(rates)

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        rate = self.rates[-1]
        for boundary, before in zip(self.boundaries[::-1], self.rates[-2::-1], strict=True):
            if step < boundary:
                rate = before
        return rate


class WarmUp:
    """From ``start`` times the rate in a straight line to all of it at step ``steps``; then what
    ``after`` says, a number or a schedule that counts from there.
    """

    def __init__(self, steps: int, after: Any, start: float = 0.0) -> None:
        _require_steps(steps)
        self.steps, self.start = steps, start
        self.after: Schedule = after if callable(after) else Constant(after)

    def __call__(self, step: Any) -> Any:
        """The rate of this step."""
        part = min(step, self.steps) / self.steps
        return (self.start + (1.0 - self.start) * part) * self.after(max(step - self.steps, 0))
