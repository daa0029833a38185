"""Functions, lists and dicts where paths meet. Lists become memory of the running program.

Memory is shared: whatever else leads to such a list must see it, too. So what was there before the
paths parted becomes memory before that, and what a path has made may be held in one place only.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.memory import Memory
from staticpy.frontend.paths import (
    ListPlace,
    ObjectPlace,
    Side,
    seen_from,
)
from staticpy.frontend.state import ABSENT, Cell, Cells
from staticpy.frontend.values import (
    DEAD,
    BoundFunction,
    Closure,
    Conflict,
    DictRef,
    ListRef,
    Partial,
    Ref,
)
from staticpy.frontend.widths import wider_memory
from staticpy.ir import OBJECT, TupleType, Type, Value


class FunctionMerging:
    """Keeps what nested functions read that are still reachable where paths meet."""

    memory: Memory
    sides: tuple[Side, Side]
    start: int
    merged: dict[Cell, Any]
    _pending: list[Callable[[], None]]
    _frames: set[Cells]
    """The variables of frames of one path that are kept."""

    def _is_inner(self, value: Value) -> bool:
        raise AssertionError("defined by Merger")

    def _content_on(self, content: Any, is_left: bool) -> Any:
        raise AssertionError("defined by Merger")

    def _keep_frames(self, closure: Closure) -> None:
        """A nested function that is still reachable: so are the frames around it, which may be of
        a call on one path.
        """
        frame = closure.frame
        while frame is not None:
            if frame.env.serial >= self.start and frame.env not in self._frames:
                self._frames.add(frame.env)
                self._pending.append(lambda env=frame.env: self._keep_variables(env))  # type: ignore[misc]
            frame = frame.parent

    def _keep_variables(self, env: Cells) -> None:
        for side in self.sides:
            for (cells, key), value in side.ends.items():
                if cells is env and not key.startswith("%"):
                    self.merged[cells, key] = self._content_on(value, side is self.sides[0])

    def _may_outlive(self, cell: Cell) -> bool:
        """Whether a nested function may read a variable when the call of its frame is over."""
        memory, (group, key) = self.memory, cell
        is_own = group is memory.env and bool(memory.frames)
        return is_own and key in memory.frame.prepared.captured

    def _holds_inner(self, option: Any) -> bool:
        """Whether a function has been given arguments that only one path has."""
        given: Any = ()
        if isinstance(option, Closure):
            given = tuple(option.defaults.values())
        elif isinstance(option, Partial):
            given = (option.args, tuple(value for _, value in option.kwargs))
        elif isinstance(option, BoundFunction):
            given = option.self_value
        return any(
            self._is_inner(leaf) if isinstance(leaf, Value) else _is_new(leaf, self.start)
            for leaf in tree_leaves(given)
        )


def _is_new(leaf: Any, start: int) -> bool:
    return isinstance(leaf, Ref) and leaf.serial >= start


class MemoryMerging(FunctionMerging):
    """Makes lists and dicts memory where they have to be."""

    lefts: list[Any]
    rights: list[Any]
    _pairs: dict[tuple[Any, Any], Ref]
    _fresh: dict[Ref, None]
    in_memory: dict[Ref, Any]

    def _handle_of(self, left: Ref, right: Ref, *, needed: bool = False) -> Any:
        raise AssertionError("defined by Merger")

    def _slot(self, left: Any, right: Any, type_: Type) -> Any:
        raise AssertionError("defined by Merger")

    def _read(self, side: Side, ref: Ref) -> Any:
        raise AssertionError("defined by Merger")

    def _become_memory(self, trees: tuple[Any, Any], *, skip: bool = False) -> bool:
        """Make the lists and dicts in what becomes one Value memory, which every name of theirs
        then shares: those from outside before the paths part, or at the ends of the paths where
        one has written to them. With ``skip`` those that ``trees`` themselves are need not. False
        where that can't be.
        """
        for side, tree in zip(self.sides, trees, strict=True):
            if side.is_dead:
                continue
            for ref in self._lists_in(side, tree, skip=skip):
                if ref.serial >= self.start:
                    self._fresh[ref] = None
                elif self.memory.type_of_content(ref) is None:
                    return False
                elif not self._is_written(ref):
                    self.memory.held_value(ref)
                elif not self._memory_at_ends(ref):
                    return False
        return True

    def _memory_at_ends(self, ref: Ref) -> bool:
        """Make a list or dict that a path has written to memory where the paths end."""
        if ref in self.in_memory:
            return True
        types = self._types_on(ref, ref)
        if None in types or self.memory.aliases_of(ref):
            return False
        type_ = self.memory.compilation.widths.of(wider_memory([each for each in types if each]))
        self.memory.compilation.widths.unify(type_)
        slot = self._slot(ListPlace(ref, type_), ListPlace(ref, type_), type_)
        self.in_memory[ref] = self.merged[self.memory.heap, ref] = slot
        return self._become_memory((ref, ref), skip=True)

    def _become_at_the_ends(self, trees: tuple[Any, Any]) -> None:
        """Make the lists and dicts that ``trees`` themselves hold, and that were written to on a
        path, memory at the ends of both.
        """
        for side, tree in zip(self.sides, trees, strict=True):
            refs = [leaf for leaf in tree_leaves(tree) if isinstance(leaf, ListRef | DictRef)]
            for ref in () if side.is_dead else refs:
                if ref.serial < self.start and self._is_written(ref):
                    self._memory_at_ends(ref)

    def _type_at_the_end(self, item: Any) -> Type:
        """The type of ``to_value(item)``, with what becomes memory at the end of the path."""
        if isinstance(item, ListRef | DictRef) and item in self.in_memory:
            return self.in_memory[item].type  # type: ignore[no-any-return]
        if type(item) is tuple:
            return TupleType(tuple(map(self._type_at_the_end, item)))
        return self.memory.value_type(item)

    def _lists_in(self, side: Side, tree: Any, *, skip: bool) -> list[Ref]:
        """The lists and dicts in a structure that are not memory yet at the end of a path."""
        found: dict[Ref, None] = {}
        pending = [(tree, skip)]
        with seen_from(self.memory, side):
            while pending:
                item, is_skipped = pending.pop()
                for leaf in tree_leaves(item):
                    if not isinstance(leaf, ListRef | DictRef) or leaf in found:
                        continue
                    if leaf in self.in_memory:
                        continue
                    content = self._read(side, leaf)
                    if isinstance(content, tuple | dict):
                        if not is_skipped:
                            found[leaf] = None
                        pending.append((content, False))
        return list(found)

    def _require_unshared_memory(self) -> None:
        """Refuse where something that a path has made becomes memory at its end, and is also held
        elsewhere: it would be two.
        """
        if not self._fresh:
            return
        for tree in self.merged.values():
            for leaf in tree_leaves(tree):
                if isinstance(leaf, Ref) and leaf in self._fresh:
                    labels = (Label(leaf.span, "made here"),) if leaf.span is not None else ()
                    raise DiagnosticError(catalog.ALIAS_UNDECIDED, leaf.span, labels)

    def _share_handles(self) -> None:
        """What becomes an object at the end of a path takes with it all that it holds: the other
        names of that stand for the same objects.
        """
        for position in itertools.count():  # more places are found on the way
            if position == len(self.lefts):
                return
            for side, places in zip(self.sides, (self.lefts, self.rights), strict=True):
                if side.is_dead:
                    continue
                place = places[position]
                if isinstance(place, ObjectPlace) and self._is_static_on(side, place.ref):
                    self._share_own_handle(place.ref)
                for ref in self._made_into_objects(side, place):
                    self._share_handle(ref)

    def _made_into_objects(self, side: Side, place: Any) -> Iterator[Ref]:
        """What becomes an object along with what is yielded at ``place``."""
        if isinstance(place, ObjectPlace):
            pending = [place.ref] if self._is_static_on(side, place.ref) else []
        elif isinstance(place, ListPlace):
            pending = [place.ref]
        else:
            pending = [leaf for leaf in tree_leaves(place) if isinstance(leaf, Ref)]
            yield from (leaf for leaf in pending if self._is_static_on(side, leaf))
        seen = set(pending)
        while pending:
            with seen_from(self.memory, side):
                held = self._read(side, pending.pop())
            for leaf in tree_leaves(held):
                if isinstance(leaf, Ref) and leaf not in seen and self._is_static_on(side, leaf):
                    seen.add(leaf)
                    pending.append(leaf)
                    yield leaf

    def _is_static_on(self, side: Side, ref: Ref) -> bool:
        """Whether there is no object yet for ``ref`` at the end of a path."""
        if side.is_dead or ref.path is not None:
            return False
        with seen_from(self.memory, side):
            known = self.memory.compilation.handles.get(ref), self.memory.heap.get(ref)
        return not any(isinstance(each, Value) for each in known)

    def _share_own_handle(self, ref: Ref) -> None:
        """What was there before the paths parted, and becomes one with another at their end, is
        the same object under its own name.
        """
        handles = self.memory.compilation.handles
        if ref.serial < self.start and (handles, ref) not in self.merged:
            self.merged[handles, ref] = self._handle_of(ref, ref, needed=True)

    def _share_handle(self, ref: Ref) -> None:
        handles = self.memory.compilation.handles
        pair, target = self._pair_of(ref)
        if self.merged.get((handles, target), ABSENT) is not ABSENT:
            return
        if ref.serial < self.start or pair != (ref, ref):
            self.merged[handles, target] = self._handle_of(*pair, needed=True)
        elif (self.memory.heap, ref) in self.merged:  # one path has made it
            is_left = (self.memory.heap, ref) in self.sides[0].ends
            left, right = (ObjectPlace(ref), DEAD) if is_left else (DEAD, ObjectPlace(ref))
            self.merged[handles, ref] = self._slot(left, right, OBJECT)

    def _pair_of(self, ref: Ref) -> tuple[tuple[Ref, Ref], Ref]:
        """The two that became one, ``ref`` among them, and that one; else ``ref`` itself."""
        for pair, made in self._pairs.items():
            if ref in pair:
                return pair, made
        return (ref, ref), ref

    def _may_be_memory(self, left: Ref, right: Ref) -> bool:
        """Whether to try memory first: not for dicts of the same keys, nor for lists of one length,
        which stay known as long as none is written to.
        """
        if self.memory.compilation.pairs_in_memory or not isinstance(left, ListRef | DictRef):
            return isinstance(left, ListRef | DictRef)
        heap = self.memory.heap
        one, other = (s.value((heap, r)) for s, r in zip(self.sides, (left, right), strict=True))
        if isinstance(one, tuple) and isinstance(other, tuple):
            return len(one) != len(other)
        both = isinstance(one, dict) and isinstance(other, dict)
        return not both or list(one) != list(other)

    def _pair_memory(self, made: Ref, left: Ref, right: Ref) -> bool:
        """Whether two lists, or two dicts, are one in memory, whichever it is: those that were
        there before the paths parted become that, too, before that or, if one has written to them,
        at their ends.
        """
        outer = [ref for ref in (left, right) if ref.serial < self.start]
        if not outer or any(self.memory.aliases_of(ref) for ref in (left, right)):
            return False  # it may be a third one, which would not become that
        written = [ref for ref in outer if self._is_written(ref)]
        pairs = {made: (left, right), **{ref: (ref, ref) for ref in written}}
        types = [type_ for pair in pairs.values() for type_ in self._types_on(*pair)]
        if None in types or not all(self._become_memory(x, skip=True) for x in pairs.values()):
            return False
        type_ = self.memory.compilation.widths.of(wider_memory([each for each in types if each]))
        for ref in outer:
            if ref not in written:
                self.memory.list_value(ref, type_)
                self.memory.held_value(ref)
        for ref, (one, other) in pairs.items():
            slot = self._slot(ListPlace(one, type_), ListPlace(other, type_), type_)
            self.in_memory[ref] = self.merged[self.memory.heap, ref] = slot
        return True

    def _part_from_aliases(self, made: Ref) -> None:
        """What has become memory is not seen any more by the names that lead to known items."""
        memory = self.memory
        for other in memory.aliases_of(made):
            is_there = other in memory.heap or other.path is not None
            if is_there and not isinstance(memory.heap.get(other), Value):
                self.in_memory[other] = memory.alias_conflict(made, other)
                self.merged[memory.heap, other] = self.in_memory[other]

    def _is_written(self, ref: Ref) -> bool:
        return any((self.memory.heap, ref) in side.ends for side in self.sides)

    def _types_on(self, left: Ref, right: Ref) -> list[Type | None]:
        """The types as memory at the ends of the two paths."""
        refs = zip(self.sides, (left, right), strict=True)
        return [self._type_on(side, ref) for side, ref in refs]

    def _type_on(self, side: Side, ref: Ref) -> Type | None:
        """The type of a list as memory at the end of a path."""
        with seen_from(self.memory, side), self.memory.builder.inside(side.region.block):
            return self.memory.type_of_content(ref)

    def _memory(self, left: Ref, right: Ref) -> Any:
        """Lists of different lengths, or dicts of different keys, are one in memory."""
        types = self._types_on(left, right)
        if None in types or not self._become_memory((left, right), skip=True):
            what = "list" if isinstance(left, ListRef) else "dict"
            return Conflict(catalog.STRUCTURE_UNDECIDED, (), (("what", f"this {what}"),))
        type_ = wider_memory([each for each in types if each])
        if self.in_memory:
            self.memory.compilation.widths.unify(type_)
        return self._slot(ListPlace(left, type_), ListPlace(right, type_), type_)
