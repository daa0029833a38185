"""What is written in a piece of the program that an exception may leave half-way.

In: every write to a variable, a container or an object, and every object that begins to exist at
run time. Out: for each guarded body that is being lowered, a Watch: which cells it writes, with
which types, also on paths that end in an exception. Where a cell has a box, each write goes there
as well, at its place in the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.assignment import Assignment
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.memory import NoValue
from staticpy.frontend.nonlocals import Unboxed
from staticpy.frontend.state import ABSENT, next_serial
from staticpy.frontend.values import (
    PENDING,
    Conflict,
    Generator,
    IteratorRef,
    PathEnds,
    Ref,
)
from staticpy.ir import (
    NEVER,
    Operation,
    OpResult,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
)
from staticpy.ops import REGISTRY, Effect
from staticpy.source import SourceSpan

_QUIET = ("list.append", "list.insert", "list.clear", "list.reverse", "list.make")
"""Ops that are said to raise, as everything that changes memory is, but never do."""


EXITS = "%exits"
"""What stands for the hidden variables that say how the body of a ``with`` has ended."""


def flag_of(cell: Any) -> Any:
    """The cell that says whether a variable or an attribute is bound."""
    owner, name = cell
    return owner, f"%bound:{name}"


@dataclass(slots=True)
class Watch:
    """What a guarded body writes: the types of the values by cell, a variable of a frame or an
    attribute of an object; NEVER where it is deleted, None for what no box can hold. ``boxes``
    follow the cells at run time. ``frame`` is the one that the body stands in, and ``inner`` those
    whose ``with`` stands where it yields; ``closing`` says what a generator does that is closed in
    it: nothing, ``"final"`` for what it does in any case, or ``"seen"`` where it can tell.
    """

    start: int
    frame: Any
    closing: str = ""
    classes: tuple[type, ...] = ()
    """What is caught where it ends."""
    safe: frozenset[str] = frozenset()
    """The variables of ``frame`` that are bound only where nothing can raise any more; EXITS, if
    it yields there."""
    inner: list[Any] = field(default_factory=list)
    types: dict[Any, list[Type | None]] = field(default_factory=dict)
    boxes: dict[Any, Value] = field(default_factory=dict)
    pending: set[Any] = field(default_factory=set)
    """The cells that get a value whose type an enclosing loop has yet to find."""
    refs: dict[Ref, list[Type | None]] = field(default_factory=dict)
    """What it writes to, other than variables, with the types as memory; None for none."""
    handles: dict[Ref, None] = field(default_factory=dict)
    """What becomes an object of the running program in it."""


class Watching(Assignment):
    """Notes the writes of guarded bodies."""

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        raise AssertionError("defined by Statements")

    watches: list[Watch]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.watches = []
        self._generator_at: Any = None
        """The graph function that the innermost generator is lowered in, and how many bodies of
        ``try`` are around it; None in what its consumer does."""
        self.caught: dict[Any, int] = {}
        """The names of the exceptions being handled, and since when: whatever happens to them,
        they are unbound where an exception leaves the handler."""

    # --- variables --------------------------------------------------------------------------------

    def assign_name(self, name: str, value: Any, span: SourceSpan) -> None:
        super().assign_name(name, value, span)
        if self.watches:
            env = self.owner(name).env
            self._watch((env, name), env[name], env.serial)

    def put_hidden(self, name: str, value: Any, since: int, *, is_last: bool = False) -> None:
        """Write a hidden variable that has been there ``since``, and is read after an exception.

        ``is_last``: it is the last that is done where a generator yields.
        """
        self.env.put(name, value)
        for watch in self.watches:
            if not (is_last and EXITS in watch.safe):
                self._watch_in(watch, (self.env, name), value, since)

    def state_written(self, cells: Any, name: str) -> None:
        if self.watches:
            self._watch((cells, name), cells[name], cells.serial)

    def delete(self, target: Any) -> None:
        super().delete(target)
        if isinstance(target, gast.Name) and (self.owner(target.id).env, target.id) in self.boxes:
            raise Unboxed
        if self.watches and isinstance(target, gast.Name):
            env = self.owner(target.id).env
            self._watch((env, target.id), ABSENT, env.serial)

    @contextmanager
    def name_of_caught(self, name: str, exception: Value, span: SourceSpan) -> Iterator[None]:
        """``except … as name``: the variable is deleted however the handler ends."""
        env = self.owner(name).env
        cell = env, name
        if cell in self.boxes:
            raise Unboxed
        outer, self.caught[cell] = self.caught.get(cell), next_serial()
        self.assign_name(name, exception, span)
        try:
            yield
        finally:
            del self.caught[cell]
            if outer is not None:
                self.caught[cell] = outer
        env.put(name, ABSENT)
        env.drop(f"%bound:{name}")
        self._watch(cell, ABSENT, env.serial)

    # --- what can change --------------------------------------------------------------------------

    def write(self, ref: Ref, content: Any) -> None:
        super().write(ref, content)
        self._watch_ref(ref)

    def become_memory(self, ref: Ref, made: Value) -> None:
        super().become_memory(ref, made)
        self._watch_ref(ref)

    def materialize(self, ref: Ref) -> Value:
        handles = self.compilation.handles
        before = ref in handles
        made = super().materialize(ref)
        if ref in handles and not before:
            for watch in self.watches:
                if ref.serial < watch.start:
                    watch.handles[ref] = None
        return made

    def store_attribute(self, ref: Any, name: str, value: Any) -> None:
        super().store_attribute(ref, name, value)
        if isinstance(ref, Value):
            return
        self._watch((ref, name), value, ref.serial)

    def drop_attribute(self, ref: Any, name: str) -> None:
        super().drop_attribute(ref, name)
        if isinstance(ref, Value):
            return
        self._watch((ref, name), ABSENT, ref.serial)

    # --- the watches ------------------------------------------------------------------------------

    def is_guarded(self) -> bool:
        """Whether an exception that is raised here may be handled in this function."""
        return bool(self.watches)

    def is_caught_in(self, frames: list[Any], class_: type) -> bool:
        """Whether a handler in one of these frames catches an exception that is raised here."""
        return any(
            watch.frame in frames and watch.closing != "final" and issubclass(class_, watch.classes)
            for watch in self.watches
        )

    def box_of_handler(self, cell: Any) -> Value | None:
        """The box of a variable that a handler reads, if there is one."""
        watches = [watch for watch in self.watches if cell[0].serial < watch.start]
        if len(watches) > 1:
            raise Unboxed
        return watches[0].boxes.get(cell) if watches else None

    def note_written(self, cell: Any, type_: Type) -> None:
        """Note that a variable may have got a value of this type."""
        for watch in self.watches:
            if cell[0].serial < watch.start:
                watch.types.setdefault(cell, []).append(type_)

    def _watch_ref(self, ref: Ref) -> None:
        for watch in self.watches:
            if ref.serial < watch.start:
                watch.refs.setdefault(ref, []).append(self.type_of_content(ref))

    def _watch(self, cell: Any, value: Any, serial: int) -> None:
        for watch in self.watches:
            self._watch_in(watch, cell, value, serial)

    def _watch_in(self, watch: Watch, cell: Any, value: Any, serial: int) -> None:
        if serial >= watch.start:
            return
        is_over = self.caught.get(cell, 0) > watch.start
        held = ABSENT if is_over else value
        if held is PENDING:
            watch.pending.add(cell)
        watch.types.setdefault(cell, []).append(self.box_type(held))
        self._store(watch, cell, held)

    def _store(self, watch: Watch, cell: Any, value: Any) -> None:
        """Keep the boxes of a cell up to date."""
        box, flag = watch.boxes.get(cell), watch.boxes.get(flag_of(cell))
        if box is not None and value is not ABSENT:
            self._set_box(box, value)
        if flag is not None:
            self._set_box(flag, value is not ABSENT)

    def _set_box(self, box: Value, value: Any) -> None:
        operands = [box, ops.as_value(0), self.to_value(value)]
        self.builder.emit(REGISTRY["list.setitem"], operands, {})

    def box_type(self, value: Any) -> Type | None:
        """The type of a value in a box; None for what can change, or is known while compiling."""
        if value is ABSENT:
            return NEVER
        if any(isinstance(leaf, Ref | Conflict) for leaf in tree_leaves(value)):
            return None
        try:
            return self.value_type(value)
        except NoValue:
            return None

    # --- generators -------------------------------------------------------------------------------

    @contextmanager
    def inside_generator(self, node: Any, deepest: int = 12) -> Iterator[None]:
        """Lower the body of a generator, which may be in itself up to ``deepest`` times; or, where
        ``node`` is None, what its consumer does.
        """
        if node is not None and self.generators.count(node) >= deepest:
            self.error(catalog.RECURSION, node, name=self.frame.prepared.unit.name)
        outer = self._generator_at
        self.generators.append(node)
        self._generator_at = node and (self.graph, len(self.watches))
        try:
            yield
        finally:
            self.generators.pop()
            self._generator_at = outer

    def stops_generator(self) -> bool:
        """Whether an exception that is raised here leaves the body of a generator."""
        return bool(self._generator_at == (self.graph, len(self.watches)))

    def new_generator(
        self,
        start: Callable[[Any], None],
        name: str,
        steps: Callable[[], IteratorRef] | None = None,
    ) -> Generator | IteratorRef:
        """A generator whose guards don't reach what its consumer does."""

        def guarded(consume: Callable[[Any], Any]) -> None:
            assert isinstance(made, Generator)
            is_closed_at_once = self._is_temporary(made)
            start(lambda item: self._hand_over(item, consume, is_closed_at_once))

        made = super().new_generator(guarded, name, steps)
        if isinstance(made, Generator):
            made.run_around = start
        return made

    def _is_temporary(self, made: Generator) -> bool:
        """Whether nothing but the statement that goes through a generator holds it."""
        holders = [self.frame, *self.frames]
        is_held = any(value is made for frame in holders for value in frame.env.values())
        return not is_held and made.span is not None and _contains(self.builder.span, made.span)

    def _hand_over(self, item: Any, consume: Callable[[Any], Any], is_closed_at_once: bool) -> Any:
        """What becomes of an item that a generator yields.

        What its consumer does happens outside of the ``try`` that the ``yield`` stands in. It can
        stand inside where it raises nothing, and where nobody sees when a generator that is left
        in the middle is closed.
        """
        frame = self.frame
        around = [w.closing for w in self.watches if w.frame is frame or frame in w.inner]
        if not around:
            return consume(item)
        prepared, block = self.frame.prepared, self.builder.block
        length = len(block.operations)
        try:
            left = consume(item)
        except PathEnds:
            left = True
            around.append("seen")
        is_exact = left is False or left is None
        if not is_exact:
            is_exact = "seen" not in around and (is_closed_at_once or "final" not in around)
        if not is_exact or any(map(self._may_raise, block.operations[length:])):
            self.error(catalog.YIELD_IN_TRY, prepared.node, name=prepared.unit.name)
        return left

    def _may_raise(self, operation: Operation) -> bool:
        """Whether an operation may raise, or something in its regions."""
        boxes = [box for watch in self.watches for box in watch.boxes.values()]
        pending = [operation]
        while pending:
            current = pending.pop()
            for region in current.regions:
                pending += region.block.operations
            if not self._stays_quiet(current, boxes):
                return True
        return False

    def _stays_quiet(self, operation: Operation, boxes: list[Value]) -> bool:
        """Whether an operation itself never raises."""
        operands = operation.operands
        if operation.op is ops.for_:
            return isinstance(operands[2], OpResult) and operands[2].owner.op is ops.constant
        types = [operand.type for operand in operands]
        if operation.name in _QUIET or any(box is operand for box in boxes for operand in operands):
            return True
        if operation.name == "print":
            return all(isinstance(type_, PythonType | ScalarType | TensorType) for type_ in types)
        effects = REGISTRY[operation.name].effects_of(types, operation.attrs)
        return not effects & (Effect.RAISES | Effect.WARNS)


def _contains(outer: SourceSpan, inner: SourceSpan) -> bool:
    """Whether a stretch of text holds another, both reached through the same calls."""
    if (outer.file, outer.inlined_at) != (inner.file, inner.inlined_at):
        return False
    begins = (outer.line, outer.col) <= (inner.line, inner.col)
    return begins and (inner.end_line, inner.end_col) <= (outer.end_line, outer.end_col)
