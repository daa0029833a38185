"""Pieces of the program that an exception may leave half-way: the bodies of ``try`` and ``with``.

In: functions that lower the body and what is done with an exception. Out: a ``try`` operation with
one handler, which catches everything that somebody catches, and the state where its two ways meet.
What the handler begins with is what the body had done when it raised, wherever that was. So what
the body writes, and somebody reads then, is kept in memory that each write updates: lists and
objects become objects of the running program before the body, and a variable gets a box, a list of
one item. Whether a variable is bound may need a box of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.own_attributes import read_own
from staticpy.frontend.paths import Side
from staticpy.frontend.state import ABSENT, Cell, next_serial
from staticpy.frontend.values import (
    PENDING,
    POISON,
    Conflict,
    DictRef,
    ListRef,
    ObjectRef,
    Ref,
    SetRef,
)
from staticpy.frontend.watching import Watch, Watching, flag_of
from staticpy.frontend.widths import join_all, wider_memory
from staticpy.ir import BOOL, NEVER, OBJECT, ListType, TupleType, Type, Value, accepts, join
from staticpy.ops import Effect, operation_effects

Make = Callable[[dict[Any, Value]], object]
"""Makes memory before the body; gets the boxes that there are."""


class Guards(Watching):
    """Lowers guarded bodies."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.known_boxes: dict[Any, dict[Any, Type]] = {}
        """The boxes that a body needed when it was last lowered: one in another is lowered again
        for each way in which the outer one is tried."""

    def guarded(
        self,
        body: Callable[[], None],
        handle: Callable[[Value], None],
        classes: tuple[type, ...],
        read: frozenset[str],
        safe: frozenset[str] = frozenset(),
        *,
        is_final: bool = False,
    ) -> None:
        """A body, and what is done with an exception of ``classes``, where the two ways meet.

        ``read`` are the variables that somebody may read after it, or in the handler; those of
        ``safe`` are bound only where nothing can raise any more. ``is_final``: the handler does
        what is done after the body in any case.
        """
        diagnostics, notes = self.compilation.diagnostics, self.compilation.notes
        key = (
            self.builder.span,
            self.frame.chain,
            self.graph.function.name,
            classes,
            self.unrolled,
        )
        boxes = self._boxes_of(key)
        while True:
            mark, noted = diagnostics.mark(), notes.mark()
            length = len(self.builder.block.operations)
            closing = _closing(classes, is_final=is_final)
            watch = Watch(next_serial(), self.frame, closing, classes, safe, boxes=boxes)
            side = self.watched(watch, body)
            if not boxes and _is_quiet(side):
                self._without_handler(side)
                return
            more = self._memory_before(watch, read - safe)
            if not more:
                self._keep_boxes(key, boxes)
                self._operation(side, handle, classes, watch, safe)
                return
            del self.builder.block.operations[length:]
            diagnostics.rollback(mark)
            notes.rollback(noted)
            for make in more:
                make(boxes)

    def watched(self, watch: Watch, body: Callable[[], None]) -> Side:
        """Lower a body, and note in ``watch`` what it writes."""
        self.watches.append(watch)
        try:
            return self.side(body)
        finally:
            self.watches.pop()

    def _without_handler(self, side: Side) -> None:
        """A body that can't raise stands by itself."""
        for operation in side.region.block.operations:
            operation.block = self.builder.block
            self.builder.block.operations.append(operation)
        for (group, key), value in side.ends.items():
            group.put(key, value)

    # --- boxes ------------------------------------------------------------------------------------

    def _boxes_of(self, key: Any) -> dict[Any, Value]:
        """The boxes that a body needed before, where there can be such ones."""
        boxes: dict[Any, Value] = {}
        for name, type_ in self.known_boxes.get(key, {}).items():
            held = self.box_type(self.env.get(name, ABSENT))
            if held is not None:
                self._make_box(boxes, (self.env, name), join(type_, held), is_bound=False)
        return boxes

    def _keep_boxes(self, key: Any, boxes: dict[Any, Value]) -> None:
        kept: dict[Any, Type] = {}
        for (group, name), box in boxes.items():
            if group is self.env and not name.startswith("%"):
                assert isinstance(box.type, ListType)
                kept[name] = box.type.item
        self.known_boxes[key] = kept

    def _memory_before(self, watch: Watch, read: frozenset[str]) -> list[Make]:
        """What must be in memory before the body, so that a handler sees what was written."""
        new = [ref for ref in watch.handles if ref not in self.compilation.handles]
        found: list[Make] = [lambda _, ref=ref: self.materialize(ref) for ref in new]  # type: ignore[misc]
        for ref, types in watch.refs.items():
            found += self._container_before(ref, types)
        for cell, types in watch.types.items():
            group, name = cell
            if isinstance(group, Ref):
                found += self._attribute_before(watch, cell)
            elif cell not in self.boxes and (group is not self.env or name in read):
                found += self._variable_before(watch, cell, types)
        return found

    def _variable_before(self, watch: Watch, cell: Cell, types: list[Type | None]) -> list[Make]:
        group, name = cell
        known = [*types, self.box_type(group.get(name, ABSENT))]
        if None in known:
            return []
        type_ = join_all([each for each in known if each])
        if type_ == NEVER:
            return []  # it is unbound, and stays so
        is_bound = self._is_bound(cell) and NEVER not in types
        box = watch.boxes.get(cell)
        is_wide = box is not None and accepts(getattr(box.type, "item", NEVER), type_)
        if is_wide and (is_bound or flag_of(cell) in watch.boxes):
            return []
        return [lambda boxes: self._make_box(boxes, cell, type_, is_bound=is_bound)]

    def _is_bound(self, cell: Cell) -> bool:
        group, name = cell
        return name in group and group.get(f"%bound:{name}", True) is True

    def _make_box(
        self, boxes: dict[Any, Value], cell: Cell, type_: Type, *, is_bound: bool
    ) -> None:
        group, name = cell
        before = group.get(name, ABSENT)
        first = self._blank(type_) if before is ABSENT else self.to_value(before)
        boxes[cell] = self.emit("list.make", [first], type=ListType(join(type_, first.type)))
        if not is_bound:
            flag = group.get(f"%bound:{name}", before is not ABSENT)
            boxes[flag_of(cell)] = self._flag_box(flag)

    def _flag_box(self, flag: Any) -> Value:
        return self.emit("list.make", [ops.as_value(flag)], type=ListType(BOOL))

    def _blank(self, type_: Type) -> Value:
        """What stands for a value that nobody reads, and can be taken apart as one can."""
        if isinstance(type_, TupleType):
            return self.emit("tuple.make", [self._blank(item) for item in type_.items])
        return ops.emit(ops.undef, type=type_)  # type: ignore[no-any-return]

    def _attribute_before(self, watch: Watch, cell: Any) -> list[Make]:
        """A box for whether an object holds an attribute, where that may change."""
        ref, name = cell
        bound = self.attribute_bound(ref, name)
        if flag_of(cell) in watch.boxes or (bound is True and NEVER not in watch.types[cell]):
            return []

        def make(boxes: dict[Any, Value]) -> None:
            boxes[flag_of(cell)] = self._flag_box(bound)

        return [make]

    def _container_before(self, ref: Ref, types: list[Type | None]) -> list[Make]:
        if isinstance(ref, ObjectRef):
            return [lambda _: self.materialize(ref)] if self.handle_of(ref) is None else []
        types = [*types, self.type_of_content(ref)]
        known = [type_ for type_ in types if type_ is not None]
        if not isinstance(ref, ListRef | DictRef) or len(known) < len(types):
            return []
        wanted = wider_memory(known)
        content = self.content(ref)
        if isinstance(content, Value) and content.type == wanted:
            return []
        return [lambda _: self.list_value(ref, wanted)]

    # --- the operation ----------------------------------------------------------------------------

    def _operation(
        self,
        side: Side,
        handle: Callable[[Value], None],
        classes: tuple[type, ...],
        watch: Watch,
        safe: frozenset[str],
    ) -> None:
        """Lower the handler, and emit the ``try``."""

        def handler() -> None:
            self._interrupted(side.ends, watch, safe)
            handle(self.builder.block.args[0])

        sides = (side, self.side(handler, (OBJECT,)))
        operands: list[Value] = []
        caught = tuple(self._caught(each, operands) for each in classes)
        self.meet(
            sides,
            watch.start,
            None,
            lambda regions: (
                self.builder.emit(ops.try_, operands, {"handlers": (caught,)}, regions).results
            ),
        )

    def _caught(self, class_: type, classes: list[Value]) -> Any:
        if class_.__module__ == "builtins":
            return class_.__name__
        classes.append(self.static_object(class_, class_.__name__))
        return len(classes) - 1

    # --- after an exception -----------------------------------------------------------------------

    def _interrupted(self, ends: dict[Cell, Any], watch: Watch, safe: frozenset[str]) -> None:
        """Take over the state that the body had when it raised."""
        for ref in watch.refs:
            self._read_container(ref, watch)
        variables = [cell for cell in ends if cell[0].kind == "variables"]
        written = [cell for cell in watch.types if not isinstance(cell[0], Ref)]
        for cell in dict.fromkeys([*variables, *written]):
            group, key = cell
            is_kept = group.is_state or cell in watch.types or not key.startswith("%")
            is_safe = group is self.env and key in safe
            if group.serial < watch.start and is_kept and not is_safe:
                self._read_box(cell, watch, ends.get(cell))

    def _read_box(self, cell: Cell, watch: Watch, end: Any) -> None:
        group, name = cell
        if cell in self.boxes:
            self.open_box(group, name, self.boxes[cell])
            return
        box, flag = watch.boxes.get(cell), watch.boxes.get(flag_of(cell))
        if box is not None:
            group[name] = self.open(self._first(box))
            if flag is not None:
                group[f"%bound:{name}"] = self._first(flag)
            return
        before = group.get(name, ABSENT)
        if POISON in (before, end):
            group[name] = POISON
        elif PENDING in (before, end) or cell in watch.pending:
            group[name] = PENDING
        elif before is not ABSENT or set(watch.types.get(cell, [None])) != {NEVER}:
            what = "the result" if name.startswith("%") else f"'{name}'"
            group[name] = _changed("this iterator" if group.is_state else what)

    def _first(self, box: Value) -> Value:
        return self.emit("list.getitem", [box, ops.as_value(0)])

    def _read_container(self, ref: Ref, watch: Watch) -> None:
        content = self.heap.get(ref, ABSENT)
        if isinstance(content, Value):
            return
        handle = self.handle_of(ref)
        if isinstance(ref, ObjectRef) and handle is not None:
            known = dict(content) if isinstance(content, dict) else {}
            for cell in watch.types:
                if cell[0] is ref:
                    known |= self._read_attribute(handle, cell, watch)
            self.heap[ref] = known
            return
        self.heap[ref] = _changed("this " + _KINDS.get(type(ref), "iterator or generator"))

    def _read_attribute(self, handle: Value, cell: Any, watch: Watch) -> dict[str, Any]:
        """An attribute after an exception, with the flag that says whether there is one."""
        ref, name = cell
        if isinstance(self.content(ref).get(name), Conflict):
            return {}
        known = [*watch.types[cell], self.box_type(self.own_attribute(ref, name, None))]
        if None in known:
            return {name: _changed(f"the attribute '{name}'")}
        type_ = join_all([each for each in known if each])

        def read() -> Value:
            return read_own(self.builder, handle, ref.class_, name, type_)

        box = watch.boxes.get(flag_of(cell))
        if box is None:
            return {name: self.open(read())}
        flag = self._first(box)
        found = self.choose(flag, read, lambda: self._blank(type_), f"the attribute '{name}'")
        return {name: self.open(found), f"%bound:{name}": flag}


_KINDS: dict[type, str] = {ListRef: "list", DictRef: "dict", SetRef: "set", ObjectRef: "object"}


def _changed(what: str) -> Conflict:
    return Conflict(catalog.CHANGED_IN_TRY, (), (("what", what),))


def _is_quiet(side: Side) -> bool:
    """Whether a path can't raise, whatever NumPy's error state is."""
    operations = side.region.block.operations
    return not side.is_dead and all(operation_effects(op) is Effect.NONE for op in operations)


def _closing(classes: tuple[type, ...], *, is_final: bool) -> str:
    """Whether a handler sees that a generator is closed in its body."""
    if not any(issubclass(GeneratorExit, class_) for class_ in classes):
        return ""
    return "final" if is_final else "seen"
