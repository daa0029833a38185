"""What a loop carries from one round to the next, and how that is found.

A round of the body is lowered in a scope of the journal, which tells what cells it wrote. Of these,
what is the same before and after stays as it is; what differs is carried: a number or an array as a
value of the loop (Carry), a list or an object as a new one with a carried content (CarryRef). The
first round starts with what holds before the loop, so it is the first iteration; each further one
starts with what the last one has found, until that no longer changes. A type only gets wider, so
this ends.

A list or dict that grows, or that a variable is bound to anew in each round, becomes memory of the
running program before the loop (``memory``): then only the object itself is carried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from staticpy import ops
from staticpy.frontend.findings import Carried, Carry, CarryRef, Findings, is_absent
from staticpy.frontend.inputs import RunTimeTuple, Variant, map_tree, tree_leaves
from staticpy.frontend.kinds import range_bounds
from staticpy.frontend.lengths import as_list
from staticpy.frontend.lower_base import Frame
from staticpy.frontend.state import ABSENT, Cell
from staticpy.frontend.unify import Unifying
from staticpy.frontend.values import (
    BoundFunction,
    DictRef,
    ListRef,
    ObjectRef,
    Partial,
    RangeIterable,
    Ref,
)
from staticpy.ir import OBJECT, DictType, ListType, Type, Value


class BecameMemory(Exception):
    """Raised where a list or dict is memory that was to be carried item by item: a Ref from before
    the loop, or what a CarryRef stands for.
    """

    def __init__(self, place: Ref | CarryRef, type_: Type) -> None:
        super().__init__(place, type_)
        self.place = place
        self.type = type_


class Carrying(Unifying):
    """Finds what a loop carries."""

    # --- entering and leaving ---------------------------------------------------------------------

    def enter(self, carried: Carried, values: Sequence[Value]) -> dict[int, Ref]:
        """Write what is carried into the state, with ``values`` in the places; the new Refs."""
        entered: dict[int, Ref] = {}
        rest = iter(values)
        for (group, key), tree in carried.items():
            value = self._instantiate(tree, rest, entered)
            if isinstance(value, Value) and isinstance(key, str):
                value.name = value.name or key.lstrip("%").replace("bound:", "bound_")
            group.put(key, value)
        return entered

    def _instantiate(self, tree: Any, rest: Iterator[Value], entered: dict[int, Ref]) -> Any:
        def leaf(item: Any) -> Any:
            if isinstance(item, Carry):
                return next(rest)
            if not isinstance(item, CarryRef):
                return item
            if item.number not in entered:
                made = item.kind(self.builder.span, name="%merged")
                if issubclass(item.kind, ObjectRef):
                    made.class_ = item.class_
                entered[item.number] = made
                content = self._instantiate(item.content, rest, entered)
                self.heap[made] = content
                if isinstance(content, Value):
                    self.compilation.held.add(content)
                if item.has_handle:
                    self.compilation.handles[made] = next(rest)
            return entered[item.number]

        return map_tree(leaf, tree)

    def types_of(self, carried: Carried) -> list[Type]:
        """The types of the places, in order."""
        found: list[Type] = []
        seen: set[int] = set()

        def leaf(item: Any) -> None:
            if isinstance(item, Carry):
                found.append(item.type)
            elif isinstance(item, CarryRef) and item.number not in seen:
                seen.add(item.number)
                map_tree(leaf, item.content)
                if item.has_handle:
                    found.append(OBJECT)

        for tree in carried.values():
            map_tree(leaf, tree)
        return found

    def leaves(self, carried: Carried) -> list[Value]:
        """The Values of the places, as the state is now; ``undef`` where there is none."""
        values: list[Value] = []
        seen: set[int] = set()
        for cell, tree in carried.items():
            group, key = cell
            if isinstance(key, str) and key.startswith("%bound:"):
                name = key.removeprefix("%bound:")
                self._collect(
                    tree, self._bound(group, name, self.before((group, name))), values, seen
                )
            else:
                self._collect(tree, self._current(cell, tree), values, seen)
        return values

    def _current(self, cell: Cell, tree: Any) -> Any:
        group, key = cell
        return self._content_as(tree, key, key) if group is self.heap else self.before(cell)

    def _content_as(self, tree: Any, ref: Any, place: Ref | CarryRef) -> Any:
        content = self.full_content(ref)
        if isinstance(content, Value) and isinstance(tree, tuple | dict):
            raise BecameMemory(place, content.type)
        return content

    def _collect(self, tree: Any, value: Any, values: list[Value], seen: set[int]) -> None:
        if isinstance(tree, Carry):
            values.append(self._place(tree.type, value))
        elif isinstance(tree, CarryRef):
            if tree.number not in seen:
                seen.add(tree.number)
                self._collect_ref(tree, value, values, seen)
        elif isinstance(tree, dict):
            for key, item in tree.items():
                self._collect(item, self._part(value, key), values, seen)
        elif isinstance(tree, RunTimeTuple):
            held = ABSENT if is_absent(value) else self._items_of(value, tree)
            self._collect(tree.items, held, values, seen)
        elif isinstance(tree, RangeIterable):
            bounds = ABSENT if is_absent(value) else range_bounds(value)
            self._collect(tree.parts(), bounds, values, seen)
        elif isinstance(tree, tuple):
            items = [ABSENT] * len(tree) if is_absent(value) else value
            for item, part in zip(tree, items, strict=True):
                self._collect(item, part, values, seen)

    def _items_of(self, value: Any, tree: RunTimeTuple) -> ListRef:
        """The items of a tuple, as the list that they are where their number is not known."""
        if isinstance(value, tuple | RunTimeTuple):
            return as_list(self, value)
        type_, node = tree.items.content.type, self.frame.prepared.node
        held = self.dispatch(value, lambda each: self.list_value(self.new_list(each), type_), node)
        return self.new_list(held)

    def _part(self, value: Any, key: Any) -> Any:
        """An item of a dict or an attribute of an object, or its flag, where there is one."""
        if is_absent(value):
            return ABSENT
        if key not in value and isinstance(key, str) and key.startswith("%bound:"):
            return key.removeprefix("%bound:") in value
        return value.get(key, ABSENT)

    def _place(self, type_: Type, value: Any) -> Value:
        if is_absent(value):
            return ops.emit(ops.undef, type=type_)  # type: ignore[no-any-return]
        if isinstance(value, ListRef | DictRef) and isinstance(type_, ListType | DictType):
            return self.list_value(value, type_)
        return self.to_value(value)

    def _collect_ref(self, tree: CarryRef, ref: Any, values: list[Value], seen: set[int]) -> None:
        if is_absent(ref):
            self._collect(tree.content, ABSENT, values, seen)
        elif isinstance(tree.content, Carry):
            values.append(self.list_value(ref, tree.content.type))
        else:
            content = self._content_as(tree.content, ref, tree)
            self._collect(tree.content, content, values, seen)
        if tree.has_handle:
            values.append(self._place(OBJECT, ABSENT) if is_absent(ref) else self.object_of(ref))

    # --- aliases ----------------------------------------------------------------------------------

    def mark_aliases(self, findings: Findings, entered: dict[int, Ref], carried: Carried) -> None:
        """Note which of the entered Refs may be one with each other, or with others still held."""
        numbers = {
            leaf.number: leaf
            for tree in carried.values()
            for leaf in tree_leaves(tree)
            if isinstance(leaf, CarryRef) and not isinstance(leaf.content, Carry)
        }
        table = self.compilation.ambiguous
        partners = {number: self._partners(findings, number) for number in numbers}
        for number, made in entered.items():
            if number not in numbers:
                continue
            others = {
                entered[other]
                for other in numbers
                if other != number and other in entered and partners[other] & partners[number]
            }
            others |= {
                ref
                for ref in partners[number]
                if ref.serial < findings.start and self._is_held(ref)
            }
            for other in others:
                table.setdefault(made, set()).add(other)
                table.setdefault(other, set()).add(made)

    def _partners(self, findings: Findings, number: int) -> set[Ref]:
        """What a carried Ref may be, and what each of these may be by the path taken."""
        found = findings.partners.get(number, set())
        return found.union(*map(self.aliases_of, found))

    def _is_held(self, ref: Ref) -> bool:
        """Whether a cell that is not carried leads to ``ref``, so that a write is seen there."""
        if ref.path is not None:
            return True
        return any(holds(tree, ref) for tree in [*self._variables(), *self.heap.values()])

    def _variables(self) -> Iterator[Any]:
        seen: set[Frame] = set()
        pending = [self.frame, *self.frames]
        while pending:
            frame = pending.pop()
            if frame in seen:
                continue
            seen.add(frame)
            yield from frame.env.values()
            if frame.parent is not None:
                pending.append(frame.parent)


def holds(tree: Any, ref: Ref) -> bool:
    """Whether a structure leads to ``ref`` without another Ref between."""
    if isinstance(tree, BoundFunction):
        return holds(tree.self_value, ref)
    if isinstance(tree, Partial):
        return holds((tree.function, tree.args, tree.kwargs), ref)
    if not isinstance(tree, tuple | dict | Variant):
        return tree is ref
    leaves = tree_leaves(tree)
    return any(leaf is ref or (leaf is not tree and holds(leaf, ref)) for leaf in leaves)
