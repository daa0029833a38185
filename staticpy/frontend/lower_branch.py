"""Lowering of decisions that are made at run time, and of errors.

Each side is lowered in a scope of the journal; where the sides meet, the cells that either of them
wrote are merged (``merge``). What a test says about a value holds on its side: after ``x is None``
the other side sees ``x`` as what else it can be.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.inputs import Variant
from staticpy.frontend.lower_expr import Expressions
from staticpy.frontend.merge import Merger
from staticpy.frontend.paths import FLAGS, SharedObject, Side, fill
from staticpy.frontend.state import ABSENT, Cell, Cells, next_serial
from staticpy.frontend.values import PENDING, Conflict, PathEnds, Pending, is_scalar
from staticpy.frontend.variants import position_of
from staticpy.ir import NONE, OBJECT, Region, Type, UnionType, Value
from staticpy.source import SourceSpan

_UNBOUND_MESSAGE = "cannot access local variable '{}' where it is not associated with a value"


_UNBOUND_FREE = (
    "cannot access free variable '{}' where it is not associated with a value in enclosing scope"
)


class Branches(Expressions):
    """Emits ``if`` operations: for expressions (``choose``) and for statements (``branch``)."""

    def choose(
        self, condition: Value, then: Callable[[], Any], orelse: Callable[[], Any], what: str
    ) -> Any:
        """The value of one of two expressions, each evaluated only where it is chosen."""
        env = self.frame.env
        saved = env.get("%value", ABSENT)

        def keep(run: Callable[[], Any]) -> Callable[[], None]:
            def side() -> None:
                try:
                    env["%value"] = run()
                except Pending:
                    env["%value"] = PENDING

            return side

        self.branch(condition, keep(then), keep(orelse), None)
        value = env.get("%value", ABSENT)
        env.put("%value", saved)
        if self.is_dead():
            raise PathEnds
        if value is PENDING:
            self.compilation.search.pending = True
            raise Pending
        if isinstance(value, Conflict):
            args = {**dict(value.args), "name": what}
            raise DiagnosticError(value.spec, None, value.labels, **args)
        return value

    def branch(
        self,
        condition: Value,
        then: Callable[[], None],
        orelse: Callable[[], None],
        live: frozenset[str] | None,
    ) -> None:
        """Run one of two pieces of the program; of the variables, those in ``live`` survive."""
        start = next_serial()
        sides = (
            self.side(lambda: self._assuming(condition, True, then)),
            self.side(lambda: self._assuming(condition, False, orelse)),
        )
        emit = lambda regions: self.builder.emit(ops.if_, [condition], {}, regions).results  # noqa: E731
        self.meet(sides, start, live, emit)

    def meet(
        self,
        sides: tuple[Side, Side],
        start: int,
        live: frozenset[str] | None,
        emit: Callable[[tuple[Region, ...]], tuple[Value, ...]],
    ) -> None:
        """Emit the operation whose regions two paths are, and merge what they have written."""
        merger = self.merged(sides, start, self.cells_to_merge(sides, live, start))
        for number, side in enumerate(sides):
            with self.builder.inside(side.region.block):
                self.builder.emit(ops.region_yield, merger.yields(number))
        self.take_over(merger, emit(tuple(side.region for side in sides)))
        if all(side.is_dead for side in sides):
            self.compilation.path["dead"] = True

    def merged(self, sides: tuple[Side, Side], start: int, cells: list[Cell]) -> Merger:
        """The cells of two paths, merged."""
        shared: set[Any] = set()
        while True:
            merger = Merger(self, sides, start, shared=frozenset(shared))
            try:
                merger.merge_cells(cells)
            except SharedObject as error:
                shared.add(error.ref)
            else:
                return merger

    def side(self, run: Callable[[], None], types: tuple[Type, ...] = ()) -> Side:
        """Lower one path in a region of its own, and undo what it did to the state."""
        with self.journal.scope() as log:
            with self.builder.region(list(types)) as region:
                try:
                    run()
                except PathEnds:
                    self.compilation.path["dead"] = True
            ends, is_dead = log.ends(), self.is_dead()
        return Side(region, ends, is_dead)

    def is_dead(self) -> bool:
        """Whether the path has ended in an exception."""
        return self.compilation.path.get("dead", False) is True

    def take_over(self, merger: Merger, results: tuple[Value, ...]) -> None:
        """Write the merged state, with the results of the operation in their places."""
        for (group, key), tree in merger.merged.items():
            value = fill(tree, results)
            group.put(key, value)
            if isinstance(value, Value) and group is self.heap:
                held = self.compilation.held
                ends = [side.value((group, key)) for side in merger.sides]
                is_shared = key.name == "%merged" or key in merger.in_memory
                if is_shared or any(e in held for e in ends if isinstance(e, Value)):
                    held.add(value)
            if isinstance(value, Value) and isinstance(key, str) and not value.name:
                value.name = "" if key == "%value" else key.lstrip("%")

    def cells_to_merge(
        self, sides: tuple[Side, ...], live: frozenset[str] | None, start: int
    ) -> list[Cell]:
        """The written cells that are still of use; the flags of unbound variables follow these."""
        found: dict[Cell, None] = {}
        for side in sides:
            for group, key in side.ends:
                if group.kind == "memory":
                    if key.serial < start:
                        found[group, key] = None
                elif group.kind == "variables":
                    if group.serial > start:
                        continue  # of a call that has ended
                    name = key.removeprefix("%bound:")
                    if group is self.env and self._is_unused(name, live):
                        group.drop(name)
                    else:
                        found[group, name] = None
                elif group.kind == "spans":
                    found[group, key] = None
        return list(found)

    def _is_unused(self, name: str, live: frozenset[str] | None) -> bool:
        if live is None or name.startswith("%") or name in live:
            return False
        return name not in self.frame.prepared.captured

    @contextmanager
    def hidden(self, *names: str) -> Iterator[list[str]]:
        """Hidden variables of the current frame for a while, one for each name."""
        env, self.depth = self.frame.env, self.depth + 1
        made = [f"%{name}{self.depth}" for name in names]
        try:
            yield made
        finally:
            self.depth -= 1
            for name in made:
                env.drop(name)

    # --- what a test says -------------------------------------------------------------------------

    def _assuming(self, condition: Value, truth: bool, run: Callable[[], None]) -> None:
        """Run one side of a branch, with what its condition says of the values."""
        saved = dict(self.assumed)
        known: list[tuple[Cells, Any, Value, Any]] = []
        for value, type_ in self.facts_of(condition, truth):
            narrowed = self.assumed[value] = self.narrow(value, type_)
            cells = self.replace(value, narrowed)
            if not isinstance(narrowed, Value):
                known += [(group, key, held, narrowed) for group, key, held in cells]
        try:
            run()
        finally:
            self.assumed = saved
        for group, key, held, narrowed in known:  # the paths meet: it is what it was
            if group.get(key, ABSENT) is narrowed:
                group[key] = held

    def narrowed(self, value: Value) -> Any:
        """``value`` as it is known to be on this path."""
        return self.assumed.get(value, value)

    def facts_of(self, condition: Value, truth: bool) -> list[tuple[Value, Type]]:
        """What the truth of a condition says of the types of values."""
        compilation = self.compilation
        found = []
        pending = [(condition, truth)]
        while pending:
            test, expected = fact = pending.pop()
            if fact in compilation.implied:
                pending.extend(reversed(compilation.implied[fact]))
                continue
            known = compilation.tests.get(test)
            if known is not None:
                found.append((self._origin(known[0]), known[1] if expected else known[2]))
        return found

    def _origin(self, value: Value) -> Value:
        """The Value that a narrowed one is."""
        while value in self.compilation.origins:
            value = self.compilation.origins[value]
        return value

    def narrow(self, value: Value, type_: Type) -> Any:
        """``value`` where it is known to be of ``type_``."""
        if type_ == NONE:
            return None
        made = self.builder.emit(ops.REGISTRY["any.narrow"], [value], {"type": type_}).results[0]
        made.name = value.name
        self.compilation.origins[made] = value
        return self.open(made)

    def replace(self, value: Value, narrowed: Any) -> list[tuple[Cells, Any, Value]]:
        """Bind the variables that hold ``value``, as it was known, to what is known of it here;
        which these are, and what they held.
        """

        def is_held(item: Any) -> bool:
            return isinstance(item, Value) and self._origin(item) is value

        cells: list[tuple[Cells, Any, Value]] = []
        frame: Any = self.frame
        while frame is not None:
            for name, held in list(frame.env.items()):
                if is_held(held):
                    frame.env[name] = narrowed
                    cells.append((frame.env, name, held))
            frame = frame.parent
        for ref, content in list(self.heap.items()):
            if isinstance(content, dict) and any(map(is_held, content.values())):
                self.heap[ref] = {
                    name: narrowed if is_held(held) else held for name, held in content.items()
                }
        return cells

    def dispatch(self, value: Any, run: Callable[[Any], Any], node: Any) -> Any:
        """``run`` for each type that ``value`` can have, or each option of a Variant, chosen at
        run time.
        """
        if isinstance(value, Variant):
            with self.at(node):
                return self._each_option(value, run, 0)
        members = value.type.members

        def level(position: int) -> Any:
            type_ = members[position]
            if position == len(members) - 1:
                return run(self.narrow(value, type_))
            return self.choose(
                self.is_type(value, type_),
                lambda: run(self.narrow(value, type_)),
                lambda: level(position + 1),
                "this value",
            )

        with self.at(node):
            return level(0)

    def index_among(self, value: Any, options: tuple[Any, ...]) -> Value:
        """Which of some options a value, or a Variant, is."""
        if not isinstance(value, Variant):
            return ops.as_value(position_of(value, options))
        positions = [position_of(option, options) for option in value.options]
        if positions == list(range(len(positions))):
            return ops.as_value(value.index)
        moved = Variant(tuple(positions), value.index)
        return ops.as_value(self._each_option(moved, lambda position: position, 0))

    def _each_option(self, variant: Variant, run: Callable[[Any], Any], position: int) -> Any:
        option = variant.options[position]
        if position == len(variant.options) - 1:
            return run(option)
        return self.choose(
            ops.as_value(ops.compare("==", variant.index, position)),
            lambda: run(option),
            lambda: self._each_option(variant, run, position + 1),
            "this value",
        )

    # --- exits ------------------------------------------------------------------------------------

    def exited(self, flags: tuple[str, ...] = FLAGS) -> Any:
        """Whether the path has left by one of ``flags``: a bool, or a Value where that depends."""
        if self.is_dead():
            return True
        values = [self.env.get(flag, False) for flag in flags]
        if any(value is True for value in values):
            return True
        exit_: Any = False
        for value in values:
            if isinstance(value, Value):
                exit_ = ops.binary("|", exit_, value) if exit_ is not False else value
        return exit_

    def unless_exited(self, exit_: Value, rest: Callable[[], None], live: frozenset[str]) -> None:
        """Run ``rest`` where the path has not left: by a flag, or another way that ``exit_`` is
        true as well.
        """
        dynamic = [flag for flag in FLAGS if isinstance(self.env.get(flag), Value)]

        def left() -> None:
            if len(dynamic) == 1 and self.env.get(dynamic[0]) is exit_:
                self.env[dynamic[0]] = True

        def stayed() -> None:
            for flag in dynamic:
                self.env[flag] = False
            rest()

        self.branch(exit_, left, stayed, live)

    # --- run-time errors --------------------------------------------------------------------------

    def require(self, condition: Value, fail: Callable[[], None]) -> None:
        """Run ``fail``, which raises, where ``condition`` is false."""
        with self.builder.region() as then_region:
            self.builder.emit(ops.region_yield)
        with self.builder.region() as else_region:
            fail()
            self.builder.emit(ops.region_yield)
        self.builder.emit(ops.if_, [condition], {}, (then_region, else_region))

    def require_position(self, length: Any, index: Any, message: str, node: Any) -> None:
        """IndexError, in the words of the sequence that the program has, if it has no such item."""
        with self.at(node):
            first = ops.binary("-", 0, length)
            inside = self.both(ops.compare("<=", first, index), ops.compare("<", index, length))
            self.require(ops.as_value(inside), lambda: self.emit_raise("IndexError", (message,)))

    def refuse_unbound(self, name: str, node: Any, *, is_free: bool) -> None:
        """Raise what CPython raises for a variable that no path has bound."""
        exception = "NameError" if is_free else "UnboundLocalError"
        self.fails(exception, (_UNBOUND_FREE if is_free else _UNBOUND_MESSAGE).format(name), node)

    def require_bound(self, bound: Value, name: str, *, is_free: bool = False) -> None:
        exception = "NameError" if is_free else "UnboundLocalError"
        message = (_UNBOUND_FREE if is_free else _UNBOUND_MESSAGE).format(name)
        self.require(bound, lambda: self.emit_raise(exception, (message,)))

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        self.builder.emit(ops.raise_, operands, {"exception": exception, "args": args})

    def fails(self, exception: str, message: Any, node: Any) -> Any:
        """What always raises: emit that, and end the path."""
        with self.at(node):
            if is_scalar(message) or isinstance(message, str):
                self.emit_raise(exception, (message,))
            else:
                self.emit_raise(exception, (), self.to_object(message))
        self.end_path()

    def refuse_unless_certain(self, value: Any, node: Any) -> None:
        """Refuse a value of which the type is known at run time only: it may be the right one."""
        if isinstance(value, Value) and (value.type == OBJECT or isinstance(value.type, UnionType)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the type of this value")

    def fails_with(self, class_: type, message: str, node: Any) -> Any:
        """As ``fails``, with a class that is not one of Python's builtins."""
        if getattr(builtins, class_.__name__, None) is class_:
            return self.fails(class_.__name__, message, node)
        with self.at(node):
            operands = [self.static_object(class_, class_.__name__), self.to_value(message)]
            made = self.emit("object.construct", operands, names=())
            self.builder.emit(ops.REGISTRY["raise_value"], [made], {})
        return self.end_path()

    def end_path(self) -> Any:
        """Nothing that follows on this path runs."""
        self.compilation.path["dead"] = True
        raise PathEnds

    def span_of(self, name: str) -> SourceSpan | None:
        """Where a variable was last assigned."""
        found = self.frame.spans.get(name)
        assert found is None or isinstance(found, SourceSpan)
        return found
