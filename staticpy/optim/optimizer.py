"""Optimizer: what holds parameters and what is remembered of them, and does steps.

In: parameters once, gradients at each step. Out: parameters that were changed in place, all of them
by one compiled function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from staticpy.optim.groups import Group, array_of, grouped
from staticpy.optim.updates import Rule, compiled_update
from staticpy.runtime import no_grad


class Optimizer:
    """The base of optimisers.

    Args:
        parameters: a Cell, of which those that require grad are taken; or Parameters, Tensors or
            ndarrays, alone, with names in pairs ``(name, parameter)``, or in a dict; or a list of
            groups: dicts with such parameters as ``params``, and perhaps ``lr`` and
            ``weight_decay`` of their own.
        lr: the learning rate: a number, or a schedule that gives it for the number of a step, from
            0 on.
        slots: the names of what is remembered of each parameter.
        weight_decay: what times the parameter is added to the gradient.

    Raises:
        TypeError: a parameter is no array of real floats, a group no dict, a learning rate neither
            a number nor a function.
        ValueError: a learning rate is below 0; there are no parameters, one is there twice, or a
            group has other keys.

    Attributes:
        parameters: the parameters, in order.
        names: their names; their places as text where they have none that tell them apart.
        groups: the groups, of which ``lr`` and ``weight_decay`` may be set; one, if none are given.
        lr: as above; it may be set at any time. Groups with a rate of their own keep that.
        step_count: how many steps were done: ``i64[]``, an array that is counted up in place.
        memories: the arrays that are remembered of each parameter, one for each slot.
        decay_is_apart: whether the rule sees to the weight decay, and it is not in the gradient.
    """

    decay_is_apart = False

    def __init__(
        self, parameters: Any, lr: Any, slots: tuple[str, ...] = (), weight_decay: float = 0.0
    ) -> None:
        self.names, self.parameters, self.groups = grouped(parameters)
        self._update = self._compiled_update()
        for rate in (lr, *(group.lr for group in self.groups)):
            _require_rate(rate)
        self.lr = lr
        self.weight_decay = weight_decay
        self.slots = slots
        self.step_count = np.zeros((), np.int64)
        self.memories = [[np.zeros_like(array_of(each)) for _ in slots] for each in self.parameters]

    def _compiled_update(self) -> Any:
        arrays = map(array_of, self.parameters)
        return compiled_update(tuple((each.dtype, each.ndim) for each in arrays))

    def __getstate__(self) -> dict[str, Any]:
        return {name: item for name, item in vars(self).items() if name != "_update"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._update = self._compiled_update()

    def __call__(self, grads: Any = None) -> None:
        """As ``step``."""
        self.step(grads)

    def step(self, grads: Any = None) -> None:
        """Change the parameters by their gradients, in place.

        Args:
            grads: Tensors or arrays in the order of the parameters, or a dict of them by name; a
                parameter whose gradient is None stays as it is. By default what ``backward`` has
                left in ``grad`` of the parameters.

        Raises:
            ValueError: there is not one gradient for each parameter, or one has another shape.
        """
        found = self._grads(grads)
        count = int(self.step_count)
        for group in self.groups:
            self._change(group, found, count)
        self.step_count[()] = count + 1

    def _change(self, group: Group, found: list[Any], count: int) -> None:
        """Change the parameters of a group."""
        chosen = [place for place in group.places if found[place] is not None]
        lr = self.lr if group.lr is None else group.lr
        decay = self.weight_decay if group.weight_decay is None else group.weight_decay
        rate = float(lr(count) if callable(lr) else lr)
        rule, numbers = self.rule(rate, count + 1, decay)
        with no_grad():
            self._update(
                rule,
                () if self.decay_is_apart or decay == 0.0 else (decay,),
                [array_of(self.parameters[place]) for place in chosen],
                [array_of(found[place]) for place in chosen],
                [self.memories[place] for place in chosen],
                numbers,
            )
        for place in chosen:
            _note_write(self.parameters[place])

    def rule(self, rate: float, count: int, decay: float) -> tuple[Rule, tuple[Any, ...]]:
        """What is done with each parameter in a step, and the numbers it takes.

        Args:
            rate: the learning rate of the step.
            count: the number of the step, from 1 on.
            decay: the weight decay, which is in the gradient unless ``decay_is_apart``.

        Returns:
            A function of ``(parameter, grad, *memory, *numbers)`` that writes to the parameter and
            to what is remembered of it, and the numbers.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rule(): define what a step does")

    def zero_grad(self) -> None:
        """Set ``grad`` of the parameters to None."""
        for parameter in self.parameters:
            parameter.grad = None

    def _grads(self, grads: Any) -> list[Any]:
        if grads is None:
            grads = [parameter.grad for parameter in self.parameters]
        elif isinstance(grads, dict):
            unknown = [name for name in grads if name not in self.names]
            if unknown:
                raise ValueError(f"there are gradients of {unknown}, which are no parameters")
            grads = [grads.get(name) for name in self.names]
        if len(grads) != len(self.names):
            raise ValueError(
                f"{len(grads)} gradients for {len(self.parameters)} parameters: "
                "give one for each, in the order of 'parameters', or None"
            )
        for name, parameter, grad in zip(self.names, self.parameters, grads, strict=True):
            if grad is not None and grad.shape != parameter.shape:
                raise ValueError(
                    f"the gradient of {name!r} has the shape {grad.shape}, "
                    f"and the parameter {parameter.shape}"
                )
        return list(grads)

    # --- what is saved ----------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of all that is remembered: ``"step"``, and ``"slot.name"`` for each parameter."""
        return {name: place.copy() for name, place in self._places().items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what ``state_dict`` gave.

        Raises:
            ValueError: a name is missing or not known, or an array has another shape or dtype;
                nothing has changed then.
        """
        places = self._places()
        wrong = _mismatches(places, state)
        if wrong:
            raise ValueError(
                f"the state is not that of this {type(self).__name__}: {'; '.join(wrong)}"
            )
        for name, place in places.items():
            np.copyto(place, state[name])

    def _places(self) -> dict[str, Any]:
        """The arrays that are remembered, by name."""
        places = {"step": self.step_count}
        for name, memory in zip(self.names, self.memories, strict=True):
            for slot, array in zip(self.slots, memory, strict=True):
                places[f"{slot}.{name}"] = array
        return places

    def __repr__(self) -> str:
        settings = {name: value for name, value in vars(self).items() if name not in _NOT_SHOWN}
        shown = ", ".join(f"{name}={value!r}" for name, value in settings.items())
        return f"{type(self).__name__}({len(self.parameters)} parameters, {shown})"


def _mismatches(places: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """What keeps ``state`` from being copied to ``places``."""
    wrong = [f"{name!r} is missing" for name in places if name not in state]
    wrong += [f"{name!r} is not known" for name in state if name not in places]
    for name, place in places.items():
        if name in state:
            given = np.asarray(state[name])
            if (given.shape, given.dtype) != (place.shape, place.dtype):
                kinds = f"{given.dtype}{list(given.shape)}, not {place.dtype}{list(place.shape)}"
                wrong.append(f"{name!r} is {kinds}")
    return wrong


_NOT_SHOWN = ("names", "parameters", "groups", "step_count", "slots", "memories", "_update")


def _require_rate(rate: Any) -> None:
    """Check a learning rate; None is none."""
    if rate is None or callable(rate):
        return
    if isinstance(rate, str | bytes) or np.ndim(rate):
        raise TypeError(f"a learning rate is a number, or a function of the step, not {rate!r}")
    if not rate >= 0:
        raise ValueError(f"a learning rate is at least 0, not {rate}")


def _note_write(parameter: Any) -> None:
    """Let what was recorded of a Tensor know that it has changed."""
    memory = getattr(parameter, "memory", None)
    if memory is not None:
        memory.write()
