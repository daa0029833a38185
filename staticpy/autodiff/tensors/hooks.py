"""Hooks of Tensors: functions that see a gradient when all of it has come in, and may change it.

In: what is noted on a tape beside its values. Out: cotangents that have gone through it, on the
way back over the tape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.autodiff.cotangents import Cotangents, as_cotangent
from staticpy.autodiff.tensors.tape import Source, Tape
from staticpy.ir import Value
from staticpy.ops import Traced, untrace

Hook = Callable[[Tape, Value], Any]
"""Gives what stands for a cotangent on a tape: a Value."""


class HookedCotangents(Cotangents):
    """Cotangents that go through the hooks of the values that they are for."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape

    def take(self, value: Value) -> Any:
        """As before, behind the hooks of ``value``, in the order in which they were registered."""
        item = super().take(value)
        for hook in () if item is None else tuple(self._tape.hooks.get(value, ())):
            made = hook(self._tape, ops.as_value(untrace(as_cotangent(item, value.type))))
            item = as_cotangent(Traced(made), value.type)
        return item


def hooks_of(source: Source) -> list[Hook] | None:
    """The hooks of a leaf, or of a value on another tape."""
    return source.leaf.hooks if source.tape is None else source.tape.hooks.get(source.value)


class HookHandle:
    """What takes a hook away again."""

    def __init__(self, hooks: list[Hook], hook: Hook) -> None:
        self._hooks, self._hook = hooks, hook

    def remove(self) -> None:
        """Don't call the hook any more; the second time does nothing."""
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)
