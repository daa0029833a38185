"""What rounds of a loop begin and end with, as one structure.

In: the state where a round of the body begins and where it ends. Out: for each cell that differs
the structure that holds both, with places for what is carried (``carry``); and what must become
memory before the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.findings import Carry, CarryRef, Findings, is_absent
from staticpy.frontend.inputs import RunTimeTuple, make_tuple, map_tree, tree_leaves
from staticpy.frontend.kinds import range_bounds
from staticpy.frontend.lengths import never_ends, tuple_types
from staticpy.frontend.lower_base import NeedsSteps
from staticpy.frontend.lower_function import Functions
from staticpy.frontend.memory import NoValue
from staticpy.frontend.paths import FLAGS, describe, undecided_iterator
from staticpy.frontend.state import ABSENT, Cell, Log
from staticpy.frontend.values import (
    Conflict,
    DictRef,
    Generator,
    ListRef,
    ObjectRef,
    RangeIterable,
    Ref,
    is_liftable,
    leaf_type,
    same_static,
)
from staticpy.frontend.widths import join_all, wider_memory
from staticpy.ir import BOOL, DictType, ListType, Type, Value, join


class Unifying(Functions):
    """Finds what a loop carries."""

    def written_cells(
        self, log: Log, start: int, live: frozenset[str] | None
    ) -> Iterator[tuple[Cell, Any]]:
        """The cells that a round wrote and that exist outside of it, with their values now."""
        for cell, end in log.ends().items():
            group, key = cell
            if group.kind == "memory":
                if key.serial < start:
                    yield cell, end
            elif group.kind == "variables" and group.serial < start:
                name = key.removeprefix("%bound:")
                if name != key and (group, name) in log:
                    continue
                if self.is_carried(group, name, live):
                    yield (group, name), group.get(name, ABSENT)

    def is_carried(self, group: Any, key: str, live: frozenset[str] | None) -> bool:
        """Whether a variable is of use after the round that wrote it."""
        if group is not self.env:
            return True
        if key in ("%continue", "%break"):
            return False
        if live is None or key.startswith("%") or key in live:
            return True
        return key in self.frame.prepared.captured

    def before(self, cell: Cell) -> Any:
        """The value of a cell, as a loop begins with it."""
        group, key = cell
        value = group.get(key, ABSENT)
        return False if value is ABSENT and key in FLAGS else value

    def find(self, findings: Findings, log: Log, live: frozenset[str] | None) -> None:
        """Fill ``findings`` at the end of a round, whose writes are still in the state."""
        findings.log = log
        compared: dict[Cell, Any] = {}
        while True:  # to compare two objects may make memory of the lists that they hold
            ends = {
                cell: end
                for cell, end in self.written_cells(log, findings.start, live)
                if compared.get(cell, self) is not end
            }
            if not ends:
                break
            for cell, end in ends.items():
                self._find_cell(findings, log, cell, end)
            compared |= ends
        for cell, tree in findings.carried.items():
            if cell not in findings.following:
                findings.following[cell] = self._resolved(tree)

    def _find_cell(self, findings: Findings, log: Log, cell: Cell, end: Any) -> None:
        group, key = cell
        known = findings.carried.get(cell, ABSENT)
        before = known if known is not ABSENT else log.get(cell, end)
        if before is ABSENT and key in FLAGS:
            before = False
        if group is self.heap:
            self._find_content(findings, cell, before, end)
        elif group is self.compilation.handles:
            if before is ABSENT:
                findings.handles.append(key)
        else:
            self._find_variable(findings, cell, before, end, log)

    def _find_variable(
        self, findings: Findings, cell: Cell, before: Any, end: Any, log: Log
    ) -> None:
        group, key = cell
        if not is_absent(end) or end is ABSENT:
            tree = self._unify(findings, before, end)
            if self._is_new(tree, before):
                findings.following[cell] = tree
        flag = (group, f"%bound:{key}")
        if key.startswith("%") or is_absent(before) is is_absent(end) is True:
            return
        first = log.get(flag, group.get(flag[1], ABSENT))
        was_bound = before is not ABSENT and first is ABSENT
        if flag in findings.carried or not was_bound or self._bound(group, key, end) is not True:
            findings.following[flag] = Carry(BOOL)

    def _bound(self, group: Any, key: str, value: Any) -> Any:
        if value is ABSENT:
            return False
        return group.get(f"%bound:{key}", True)

    def _is_new(self, tree: Any, before: Any) -> bool:
        """Whether the cell holds something that it did not hold before the loop."""
        return tree is not before and not (tree is ABSENT and before is ABSENT)

    def _find_content(self, findings: Findings, cell: Cell, before: Any, end: Any) -> None:
        ref = cell[1]
        if isinstance(before, Conflict):
            findings.following[cell] = before
            return
        if before is ABSENT:
            before = self.compilation_content(ref)
        tree = self._unify_content(findings, ref, before, end)
        if tree is not before:
            findings.following[cell] = tree

    def compilation_content(self, ref: Ref) -> Any:
        """What an object from outside held before anything was written to it."""
        return self.graph.reads.get(ref, {})

    def _unify_content(self, findings: Findings, ref: Ref, before: Any, end: Any) -> Any:
        """The content of one list, dict or object in all rounds."""
        if isinstance(end, Conflict):
            return end
        if isinstance(ref, ObjectRef):
            return self._unify_attributes(findings, ref, before, end)
        if isinstance(before, tuple) and isinstance(end, tuple) and len(before) == len(end):
            return self._unify(findings, before, end)
        if isinstance(before, dict) and isinstance(end, dict) and list(before) == list(end):
            return {key: self._unify(findings, item, end[key]) for key, item in before.items()}
        if before is end:
            return before
        if isinstance(ref, ListRef | DictRef):
            return self._promote(findings, ref, before)
        if before == end and type(before) is type(end) is frozenset:
            return before
        if isinstance(ref, Generator) and ref.steps is not None and ref.span is not None:
            raise NeedsSteps(ref.span)
        kind = type(ref).__name__.removesuffix("Ref").lower()
        return Conflict(catalog.STRUCTURE_UNDECIDED, (), (("what", f"the {kind}"),))

    def _promote(self, findings: Findings, ref: Ref, before: Any) -> Any:
        """Ask for ``ref`` to be memory before the loop, of a type for all that it ever holds."""
        try:
            type_ = wider_memory([self.memory_type(ref), *self._types_before(before)])
        except NoValue:
            args = (("what", "the list" if isinstance(ref, ListRef) else "the dict"),)
            return Conflict(catalog.STRUCTURE_UNDECIDED, (), args)
        if ref.serial >= findings.start:  # one of those that the rounds make
            return Carry(type_)
        findings.promote[ref] = type_
        return before

    def _types_before(self, content: Any) -> list[Type]:
        """The type of what a list or dict holds where a round begins."""
        if isinstance(content, Carry | Value):
            return [content.type]
        if isinstance(content, tuple):
            return [ListType(join_all([self._shape_type(item) for item in content]))]
        keys = join_all([self.value_type(key) for key in content])
        values = join_all([self._shape_type(item) for item in content.values()])
        return [DictType(keys, values)]

    def _unify_attributes(
        self, findings: Findings, ref: ObjectRef, before: Any, end: dict[str, Any]
    ) -> Any:
        result: dict[str, Any] = {}
        before, end = self._completed(ref, before, end), self._completed(ref, end, before)
        for name in dict.fromkeys(key.removeprefix("%bound:") for key in [*before, *end]):
            flag = f"%bound:{name}"
            bounds = [content.get(flag, name in content) for content in (before, end)]
            if bounds != [False, False]:
                first, last = before.get(name, ABSENT), end.get(name, ABSENT)
                result[name] = self._unify(findings, first, last)
            if bounds == [False, False]:
                result[flag] = False
            elif bounds != [True, True]:
                result[flag] = Carry(BOOL)
        same = list(result) == list(before) and all(result[k] is before[k] for k in result)
        return before if same else result

    def _completed(self, ref: ObjectRef, content: dict[str, Any], other: Any) -> dict[str, Any]:
        """``content`` with what an object from outside holds under the names of the other."""
        if ref.path is None:
            return content
        completed = dict(content)
        for name in dict.fromkeys(key.removeprefix("%bound:") for key in other):
            if name not in content and f"%bound:{name}" not in content:
                value = self.captured_attribute(ref, name)
                if value is not ABSENT:
                    completed[name] = value
        return completed

    def _unify(self, findings: Findings, before: Any, end: Any) -> Any:
        """The structure that holds both what rounds begin and what they end with."""
        before = self._resolved(before)
        if is_absent(before) and is_absent(end):
            return before
        if is_absent(before) or is_absent(end):
            present = end if is_absent(before) else before
            return self._shape(findings, present) if is_absent(before) else before
        if before is end or isinstance(before, Conflict):
            return before
        if isinstance(end, Conflict):
            return end
        if isinstance(before, CarryRef) or isinstance(end, Ref):
            found = self._unify_refs(findings, before, end)
            if found is not None:
                return found
        if never_ends(before, end):
            return self._unify_lengths(findings, before, end)
        is_number = isinstance(before, Carry) or is_liftable(before)
        if is_number and is_liftable(end):
            return self._unify_leaf(before, end)
        if same_static(before, end):
            return before
        structure = self._unify_parts(findings, before, end)
        return self._unify_types(findings, before, end) if structure is None else structure

    def _unify_parts(self, findings: Findings, before: Any, end: Any) -> Any:
        """Two tuples or two ranges, part by part; None for what has no parts in common."""
        if isinstance(before, RunTimeTuple) and isinstance(end, RunTimeTuple):
            found = self._unify(findings, before.items, end.items)
            if isinstance(found, Conflict):
                return found
            return before if found is before.items else RunTimeTuple(found)
        is_tuple = isinstance(before, tuple) and type(before) is type(end)
        if is_tuple and len(before) == len(end):
            pairs = zip(before, end, strict=True)
            items = [self._unify(findings, left, right) for left, right in pairs]
            same = all(new is old for new, old in zip(items, before, strict=True))
            return before if same else make_tuple(end, items)
        bounds = range_bounds(before), range_bounds(end)
        if None in bounds:
            return None
        parts = self._unify(findings, *bounds)
        return before if parts is bounds[0] else RangeIterable(*parts)

    def _unify_lengths(self, findings: Findings, before: Any, end: Any) -> Any:
        """One tuple of a run-time length for two that differ in it."""
        try:
            type_ = ListType(join(self._item_type(before), self._item_type(end)))
        except NoValue:
            return self._unify_types(findings, before, end)
        for leaf in tree_leaves((before, end)):
            if isinstance(leaf, ListRef | DictRef):
                self._require_memory(findings, leaf, self.value_type(leaf))
        findings.lengthens = True
        if isinstance(before, RunTimeTuple) and isinstance(before.items, CarryRef):
            return RunTimeTuple(replace(before.items, content=Carry(type_)))
        number = len(findings.numbers)
        return RunTimeTuple(
            CarryRef(ListRef, None, Carry(type_), findings.number_of(("tuple", number)))
        )

    def _item_type(self, side: Any) -> Type:
        """The type of all items of a tuple."""
        if isinstance(side, RunTimeTuple) and isinstance(side.items, CarryRef):
            return side.items.content.type.item  # type: ignore[no-any-return]
        if isinstance(side, RunTimeTuple):
            return self.list_type(self.content(side.items)).item
        if isinstance(side, tuple):
            return join_all([self._shape_type(item) for item in side])
        types = tuple_types(side.type) or []
        return join_all([item for each in types for item in each.items])

    def _unify_leaf(self, before: Any, end: Any) -> Any:
        if not isinstance(before, Carry) and same_static(before, end):
            return before
        return Carry(join(self._type(before), self._type(end)))

    def _type(self, leaf: Any) -> Type:
        type_ = leaf.type if isinstance(leaf, Carry) else leaf_type(leaf)
        return self.builder.facts.resolve_type(type_)

    def _unify_types(self, findings: Findings, before: Any, end: Any) -> Any:
        """One run-time value for two things that have no structure in common."""
        try:
            type_ = join(self._shape_type(before), self.value_type(end))
            for leaf in tree_leaves((before, end)):
                if isinstance(leaf, ListRef | DictRef):
                    self._require_memory(findings, leaf, self.value_type(leaf))
            return Carry(type_)
        except NoValue:
            args = (("name", "this value"), ("before", describe(before)), ("after", describe(end)))
            changes = Conflict(catalog.LOOP_TYPE_CHANGE, (), args)
            return undecided_iterator(before, end) or changes

    def _shape_type(self, tree: Any) -> Type:
        """The type of one Value that holds a carried structure."""
        if isinstance(tree, Carry):
            return tree.type
        if isinstance(tree, CarryRef):
            if isinstance(tree.content, Carry):
                return tree.content.type
            raise NoValue(tree)
        return self.value_type(map_tree(self._sample, tree))

    def _sample(self, leaf: Any) -> Any:
        if isinstance(leaf, Carry):
            return ops.emit(ops.undef, type=leaf.type)
        if isinstance(leaf, CarryRef):
            raise NoValue(leaf)
        return leaf

    def _resolved(self, tree: Any) -> Any:
        if not any(isinstance(leaf, Carry) for leaf in tree_leaves(tree)):
            return tree
        resolve = self.builder.facts.resolve_type
        return map_tree(lambda x: Carry(resolve(x.type)) if isinstance(x, Carry) else x, tree)

    def _unify_refs(self, findings: Findings, before: Any, end: Any) -> Any:
        """A CarryRef; None where the two can only be one Value."""
        if not isinstance(end, Ref):
            return None
        if isinstance(before, CarryRef):
            if before.kind is not type(end) or before.class_ is not getattr(end, "class_", None):
                return None
            return self._grown(findings, before, end)
        if not isinstance(before, Ref) or type(before) is not type(end):
            return None
        if isinstance(before, ObjectRef):
            if before.class_ is not end.class_:  # type: ignore[attr-defined]
                return None
            return self._carry_object(findings, before, end)
        if isinstance(before, ListRef | DictRef):
            return self._carry_memory(findings, before, end)
        this_set = Conflict(catalog.STRUCTURE_UNDECIDED, (), (("what", "this set"),))
        return undecided_iterator(before, end) or this_set

    def _carry_memory(self, findings: Findings, before: Ref, end: Ref) -> Any:
        """A list or dict that each round makes anew: memory, whichever it is."""
        contents = [self.content(ref) for ref in (before, end)]
        are_known = all(isinstance(each, dict) for each in contents)
        may_stay = are_known and not self.compilation.pairs_in_memory
        if may_stay and list(contents[0]) == list(contents[1]):
            return self._carry_object(findings, before, end)
        try:
            type_ = join(self.value_type(before), self.value_type(end))
        except NoValue:
            return self._carry_object(findings, before, end)
        if not isinstance(type_, ListType | DictType):
            if not isinstance(before, ListRef):
                return None
            held = [self.list_type(self.content(ref)).item for ref in (before, end)]
            type_ = ListType(join_all(held))
        first = self.first_content(findings, before)
        type_ = wider_memory([type_, *self._types_before(first)])
        for ref in (before, end):
            self._require_memory(findings, ref, type_)
        number = findings.number_of((before, end))
        findings.partners.setdefault(number, set()).update((before, end))
        return CarryRef(type(before), None, Carry(type_), number)

    def _carry_object(self, findings: Findings, before: Ref, end: Ref) -> Any:
        """An object that each round makes anew, with its content carried part by part."""
        class_ = getattr(before, "class_", None)
        first = self.first_content(findings, before)
        content = self._unify_content(findings, end, first, self.full_content(end))
        if isinstance(content, Carry):
            findings.promote[before] = content.type
        number = findings.number_of((before, end))
        findings.partners.setdefault(number, set()).update((before, end))
        handle = self.handle_of(before) is not None or self.handle_of(end) is not None
        return CarryRef(type(before), class_, content, number, handle)

    def first_content(self, findings: Findings, ref: Ref) -> Any:
        """The full content of a Ref where a round begins."""
        cell = (self.heap, ref)
        if cell not in findings.log:
            return self.full_content(ref)
        first = findings.carried.get(cell, findings.log[cell])
        return self._completed_content(
            ref, self.compilation_content(ref) if first is ABSENT else first
        )

    def full_content(self, ref: Ref) -> Any:
        """The content of a Ref, with the attributes of one from outside that nobody has read."""
        return self._completed_content(ref, self.content(ref))

    def _completed_content(self, ref: Ref, content: Any) -> Any:
        if not isinstance(ref, ObjectRef) or ref.path is None:
            return content
        held = [
            x for x in getattr(ref.live, "__dict__", ()) if content.get(f"%bound:{x}") is not False
        ]
        names = dict.fromkeys([*held, *content])
        return {
            name: content[name] if name in content else self.captured_attribute(ref, name)
            for name in names
        }

    def _grown(self, findings: Findings, before: CarryRef, end: Ref) -> Any:
        """A CarryRef that also holds what a round ended with."""
        number = findings.number_at_end(before.number, end)
        partners = findings.partners.setdefault(number, set())
        partners |= findings.partners.get(before.number, set())
        if end is not findings.entered.get(before.number):
            partners.add(end)
        if isinstance(before.content, Carry):
            try:
                type_ = join(before.content.type, self.value_type(end))
            except NoValue:
                return None
            if not isinstance(type_, ListType | DictType):
                type_ = wider_memory([before.content.type, self.value_type(end)])
            self._require_memory(findings, end, type_)
            content: Any = Carry(type_)
        else:
            content = self._unify_content(findings, end, before.content, self.full_content(end))
            if isinstance(content, Carry):
                self._promote_partners(findings, number, content.type)
        handle = before.has_handle or self.handle_of(end) is not None
        return CarryRef(before.kind, before.class_, content, number, handle)

    def _promote_partners(self, findings: Findings, number: int, type_: Type) -> None:
        """What a CarryRef is in the first round must be memory as well."""
        for ref in findings.partners.get(number, ()):
            self._require_memory(findings, ref, type_)

    def _require_memory(self, findings: Findings, ref: Ref, type_: Type) -> None:
        """A list or dict from before the loop must be memory there, not only in a round."""
        if ref.serial < findings.start:
            content = self.content(ref)
            if not isinstance(content, Value) or content.type != type_:
                findings.promote[ref] = type_

    def _shape(self, findings: Findings, value: Any) -> Any:
        """The structure of something that only rounds make: Values become places."""

        def leaf(item: Any) -> Any:
            if isinstance(item, Value):
                return Carry(self._type(item))
            if isinstance(item, Ref) and item.serial >= findings.start:
                return self._shape_ref(findings, item)
            return item

        return map_tree(leaf, value)

    def _shape_ref(self, findings: Findings, ref: Ref) -> Any:
        if not isinstance(ref, ListRef | DictRef | ObjectRef):
            return ref
        number = findings.number_of(("made", ref))
        content = self.content(ref)
        if isinstance(content, Value):
            tree: Any = Carry(self._type(content))
        elif isinstance(content, dict):
            tree = {key: self._shape(findings, item) for key, item in content.items()}
        else:
            tree = self._shape(findings, content)
        handle = self.handle_of(ref) is not None
        findings.partners.setdefault(number, set()).add(ref)
        return CarryRef(type(ref), getattr(ref, "class_", None), tree, number, handle)
