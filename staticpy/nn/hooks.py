"""Hooks of Cells: functions that are called before and after a Cell, and on the way back.

In: a Cell and its hooks. Out: inputs and outputs that tell when their gradients are known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy.autodiff import each, leaves_of
from staticpy.frontend import lowered_as
from staticpy.runtime import Function, Tensor

Hook = Callable[..., Any]


class HookHandle:
    """What takes a hook away again."""

    def __init__(self, cell: Any, kind: str, hook: Hook) -> None:
        self._cell, self._kind, self._hook = cell, kind, hook

    def remove(self) -> None:
        """Don't call the hook any more; the second time does nothing."""
        kept = list(getattr(self._cell, self._kind))
        if self._hook in kept:
            kept.remove(self._hook)
        setattr(self._cell, self._kind, tuple(kept))


class BackwardPass:
    """One call of a Cell, whose hooks are called on the way back."""

    def __init__(self, cell: Any, hooks: tuple[Hook, ...]) -> None:
        self._cell, self._hooks = cell, hooks
        self._places: list[int] = []
        self._count = 0
        self._grad_output: tuple[Any, ...] = ()

    def entered(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs, of which those that require grad tell their gradients."""
        self._count = len(inputs)
        self._places = [
            place
            for place, item in enumerate(inputs)
            if isinstance(item, Tensor) and item.requires_grad
        ]
        watched = iter(_Watched.apply(self._went_in, *(inputs[place] for place in self._places)))
        return tuple(
            next(watched) if place in self._places else item for place, item in enumerate(inputs)
        )

    def left(self, output: Any) -> Any:
        """The output, of which all Tensors tell their gradients."""
        tensors = [leaf for leaf in leaves_of(output) if isinstance(leaf, Tensor)]
        watched = iter(_Watched.apply(self._came_out, *tensors))
        return each(output, lambda leaf: next(watched) if isinstance(leaf, Tensor) else leaf)

    def _came_out(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        self._grad_output = grads
        if not self._places:  # nothing flows to an input, and nobody else will call the hooks
            self._went_in(())
        return grads

    def _went_in(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        known = dict(zip(self._places, grads, strict=True))
        grad_input = tuple(known.get(place) for place in range(self._count))
        for hook in self._hooks:
            changed = hook(self._cell, grad_input, self._grad_output)
            if changed is not None:
                grad_input = changed if isinstance(changed, tuple) else (changed,)
                self._require_all(grad_input, hook)
        return tuple(grad_input[place] for place in self._places)

    def _require_all(self, grad_input: tuple[Any, ...], hook: Hook) -> None:
        if len(grad_input) != self._count:
            name = getattr(hook, "__name__", hook)
            raise RuntimeError(
                f"the backward hook {name} of a {type(self._cell).__name__} gives "
                f"{len(grad_input)} gradients for {self._count} inputs"
            )


@lowered_as("backward_pass")
def backward_pass(cell: Any, hooks: tuple[Hook, ...]) -> BackwardPass | None:
    """What a call of a Cell goes through for its backward hooks; None where there are none.

    Raises:
        CompileError: SPY713, in a compiled function there are some.
    """
    return BackwardPass(cell, hooks) if hooks else None


class _Watched(Function):
    """Tensors as they are, whose gradients a function gets, and may change."""

    @staticmethod
    def forward(ctx: Any, seen: Callable[..., Any], *tensors: Any) -> Any:
        ctx.seen = seen
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return (None, *ctx.seen(grads))
