"""The variables around a nested function that is a graph function of its own.

What such a function reads of the frames around it is an argument. What it, or a function that it
calls, rebinds by ``nonlocal`` is a box: a list of one item in memory, which the caller makes before
the call. The callee writes to it at each assignment, and whoever called it reads the variable from
there when it is back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from staticpy import ops
from staticpy.frontend.lower_base import NeedsInPlace
from staticpy.frontend.resolve import resolve
from staticpy.frontend.state import ABSENT, Cell
from staticpy.frontend.unbound_methods import UnboundMethods
from staticpy.frontend.values import PENDING, Closure, ListRef, Pending
from staticpy.ir import NEVER, ListType, Type, Value
from staticpy.ops import REGISTRY
from staticpy.source import SourceSpan


class BoxRef(ListRef):
    """The box of a variable: a list that holds its value."""

    __slots__ = ()


class Unboxed(NeedsInPlace):
    """Raised where a variable can't be in a box: it holds what has an identity of its own, or
    several handlers read it.
    """


class Nonlocals(UnboundMethods):
    """Keeps the variables that graph functions share."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.boxes: dict[Cell, BoxRef] = {}
        """The boxes of variables in the frames of a graph function, which its caller reads."""

    def free_variables(self, closures: list[Closure]) -> dict[Any, Any]:
        """What nested functions read of the functions around them, by frame and name, with a box
        for each variable that they rebind.

        Raises:
            Unboxed: that can't be.
        """
        found: dict[Any, Any] = {}
        rebound: dict[Any, None] = {}
        pending = list(closures)
        seen: set[Any] = set()
        while pending:
            closure = pending.pop()
            if (closure.node, closure.frame) in seen:
                continue
            seen.add((closure.node, closure.frame))
            names = resolve(closure.node)
            for name in sorted(names.free):
                frame = closure.frame
                while frame is not None and name not in frame.prepared.assigned:
                    frame = frame.parent
                if frame is None:
                    continue
                value = frame.env.get(name, ABSENT)
                found[frame, name] = value
                if name in names.rebinds:
                    rebound[frame, name] = None
                if isinstance(value, Closure):
                    pending.append(value)
        return found | {(frame, name): self._box_of(frame, name) for frame, name in rebound}

    def _box_of(self, frame: Any, name: str) -> BoxRef:
        """The box of a variable: the one that this graph function was given, or a new one."""
        env = frame.env
        known = self.boxes.get((env, name))
        if known is not None:
            return known
        value = env.get(name, ABSENT)
        if value is PENDING:
            self.compilation.search.pending = True
            raise Pending
        if self.box_type(value) in (None, NEVER) or f"%bound:{name}" in env:
            raise Unboxed
        made = BoxRef(self.builder.span)
        box = self.box_of_handler((env, name))
        self.heap[made] = (value,) if box is None else box
        return made

    def open_box(self, env: Any, name: str, box: BoxRef) -> None:
        """Read a variable from its box."""
        item = self.emit("list.getitem", [self.list_value(box), ops.as_value(0)])
        env[name] = self.open(item)

    def keep_box(self, env: Any, name: str, box: BoxRef) -> None:
        """From here on a variable of a graph function's frame is in a box of its caller's."""
        self.boxes[env, name] = box
        self.open_box(env, name, box)

    @contextmanager
    def boxes_given(self, free: dict[Any, Any]) -> Iterator[None]:
        """Emit a call that is given ``free``, and read the variables back after it."""
        boxes = {key: box for key, box in free.items() if isinstance(box, BoxRef)}
        try:
            yield
        finally:  # a handler reads them, where it always raises
            for (frame, name), box in boxes.items():
                type_ = self.value_type(box)
                assert isinstance(type_, ListType)
                self.note_written((frame.env, name), type_.item)
        for (frame, name), box in boxes.items():
            self.open_box(frame.env, name, box)

    def assign_name(self, name: str, value: Any, span: SourceSpan) -> None:
        super().assign_name(name, value, span)
        env = self.owner(name).env
        box = self.boxes.get((env, name))
        if box is not None:
            self._write_box(box, env[name])

    def _write_box(self, box: BoxRef, value: Any) -> None:
        type_ = self.box_type(value)
        if type_ is None:
            raise Unboxed
        memory = self.widen_list(box, type_)
        operands = [memory, ops.as_value(0), self.to_value(value)]
        self.builder.emit(REGISTRY["list.setitem"], operands, {})

    # --- what the parts of the lowerer ask of each other ------------------------------------------

    def box_type(self, value: Any) -> Type | None:
        raise AssertionError("defined by Watching")

    def is_guarded(self) -> bool:
        raise AssertionError("defined by Watching")

    def box_of_handler(self, cell: Cell) -> Value | None:
        raise AssertionError("defined by Watching")

    def note_written(self, cell: Cell, type_: Type) -> None:
        raise AssertionError("defined by Watching")
