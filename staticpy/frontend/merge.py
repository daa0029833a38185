"""Where paths meet: one state out of two.

In: for each path, the cells it has written with their values at its end. Out: one value for each
cell. What is the same on both paths stays as it is; leaves that differ become a Slot, a value that
each region yields. Tuples merge item by item, lists and objects content by content, and what
has no structure in common becomes one run-time value of a union type.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from staticpy.diagnostics import Label, catalog
from staticpy.frontend.inputs import RunTimeTuple, make_tuple, map_tree
from staticpy.frontend.kinds import range_bounds
from staticpy.frontend.lengths import as_list, differ_in_length
from staticpy.frontend.memory import Memory, NoValue
from staticpy.frontend.merge_memory import MemoryMerging
from staticpy.frontend.paths import (
    FLAGS,
    IndexPlace,
    ListPlace,
    ObjectPlace,
    SharedObject,
    Side,
    Slot,
    describe,
    seen_from,
    undecided_iterator,
    with_arguments,
)
from staticpy.frontend.state import ABSENT, Cell, Cells
from staticpy.frontend.values import (
    DEAD,
    PENDING,
    POISON,
    AttributesRef,
    Closure,
    Conflict,
    DictRef,
    ListRef,
    ObjectRef,
    Partial,
    RangeIterable,
    Ref,
    is_liftable,
    leaf_type,
    same_static,
)
from staticpy.frontend.variants import Variant, joined_options
from staticpy.ir import INT, OBJECT, BlockArgument, OpResult, Type, Value, join
from staticpy.ops import undef as UNDEF  # noqa: N812


@dataclass(slots=True)
class Merger(MemoryMerging):
    """Merges the cells of two paths and collects what each path must yield.

    ``memory`` reads contents and emits, at the end of a region, what turns a structure into a
    Value. ``start`` is the serial number from which on cells and Refs were made on one of the
    paths. ``lefts`` and ``rights`` are the yields, DEAD where nothing is read.
    """

    memory: Memory
    sides: tuple[Side, Side]
    start: int
    lefts: list[Any] = field(default_factory=list)
    rights: list[Any] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    merged: dict[Cell, Any] = field(default_factory=dict)
    shared: frozenset[Ref] = frozenset()
    """Objects that were found to be reachable in several ways; they don't become one."""
    _pairs: dict[tuple[Any, Any], Ref] = field(default_factory=dict)
    _pending: list[Callable[[], None]] = field(default_factory=list)
    _unordered: set[Ref] = field(default_factory=set)
    """Objects whose attributes were made in an order of each path: real ones keep it."""
    _known: set[Ref] = field(default_factory=set)
    _frames: set[Cells] = field(default_factory=set)
    _fresh: dict[Ref, None] = field(default_factory=dict)
    """The lists and dicts made on a path that become memory at its end."""
    in_memory: dict[Ref, Any] = field(default_factory=dict)
    """The Slots of the lists and dicts that are memory from the ends of the paths on."""

    # --- cells ------------------------------------------------------------------------------------

    def merge_cells(self, cells: list[Cell]) -> None:
        """Merge the cells, and what becomes reachable through them."""
        for cell in cells:
            self.merge_cell(cell)
        while self._pending:
            self._pending.pop()()
        self._share_handles()
        self._require_unshared_memory()

    def merge_cell(self, cell: Cell) -> None:
        compilation = self.memory.compilation
        group, key = cell
        if group.kind == "variables":
            self._merge_variable(cell)
        elif group.kind == "spans":
            left, right = (side.value(cell) for side in self.sides)
            self.merged[cell] = right if left is ABSENT else left
        elif group is compilation.heap:
            self.merged[cell] = self.in_memory.get(key) or self._content_of(key, key)
            if key in self._unordered and key.path is None:
                self.merged[compilation.handles, key] = self._handle_of(key, key, needed=True)
        else:
            self.merged[cell] = self._handle_of(key, key)

    def _merge_variable(self, cell: Cell) -> None:
        group, key = cell
        left, right = (self._end(side, cell) for side in self.sides)
        merged = self.merge(left, right, self._labels(cell))
        self.merged[cell] = ABSENT if merged is DEAD else merged
        if not key.startswith("%"):
            bound = self.merge(*(self._bound(side, cell) for side in self.sides))
            known = bound is True or merged is ABSENT or bound is DEAD
            self.merged[group, f"%bound:{key}"] = ABSENT if known else bound

    def _end(self, side: Side, cell: Cell) -> Any:
        """The value of a variable at the end of a path; DEAD where the path has left for good."""
        group, key = cell
        if side.is_dead:
            return DEAD
        value = side.value(cell)
        if key in FLAGS:
            return False if value is ABSENT else value
        has_left = side.ends.get((group, "%return")) is True and not key.startswith("%")
        has_left = has_left and not self._may_outlive(cell)
        is_over = has_left and not self.memory.compilation.finals.get(group)
        return DEAD if is_over else value

    def _bound(self, side: Side, cell: Cell) -> Any:
        group, key = cell
        value = self._end(side, cell)
        if value is DEAD:
            return DEAD
        bound = side.value((group, f"%bound:{key}"))
        return False if value is ABSENT else (True if bound is ABSENT else bound)

    def _labels(self, cell: Cell) -> Callable[[str, str], Conflict]:
        """Makes the Conflict of a cell whose sides can't be one, from their descriptions."""

        def make(left: str, right: str) -> Conflict:
            cells, key = cell
            shown = "the returned value" if key == "%result" else f"'{key}'"
            if not isinstance(key, str) or (key.startswith("%") and key != "%result"):
                shown = "this value"
            labels = []
            for side, text in zip(self.sides, (left, right), strict=True):
                span: Any = ABSENT if cells.spans is None else side.value((cells.spans, key))
                if span is not ABSENT:
                    labels.append(Label(span, f"{text} here"))
            args = (("name", shown), ("left", left), ("right", right))
            return Conflict(catalog.BRANCH_TYPE_MISMATCH, tuple(labels), args)

        return make

    # --- values -----------------------------------------------------------------------------------

    def merge(self, left: Any, right: Any, conflict: Any = None) -> Any:
        """The merged value, with Slots for what must be yielded; a Conflict where there is none."""
        if self._widest(left) is self._widest(right):
            return self._widest(left)
        if left is POISON or right is POISON:
            return POISON
        if left is right:
            return left
        if _is_absent(left) or _is_absent(right):
            return self._one_sided(left, right)
        if isinstance(left, Conflict) or isinstance(right, Conflict):
            return left if isinstance(left, Conflict) else right
        if is_liftable(left) and is_liftable(right):
            return self._leaf(left, right)
        if same_static(left, right):
            return left
        structure = self._structure(left, right, conflict)
        if structure is not None:
            return structure
        options = joined_options(left, right)
        if options is not None and not self._is_clean(left, right):
            return self._variant(left, right, options, conflict)
        if isinstance(left, Ref) and type(left) is type(right) and self._can_pair(left, right):
            return self._pair(left, right)
        return self._union(left, right, conflict)

    def _structure(self, left: Any, right: Any, conflict: Any) -> Any:
        """Two tuples or two ranges, part by part; None for what has no parts in common."""
        if _same_tuple(left, right):
            pairs = zip(left, right, strict=True)
            return make_tuple(left, [self.merge(a, b, conflict) for a, b in pairs])
        if differ_in_length(left, right):
            one, other = (as_list(self.memory, side) for side in (left, right))
            items = self.merge(one, other, conflict)
            return items if isinstance(items, Conflict) else RunTimeTuple(items)
        bounds = range_bounds(left), range_bounds(right)
        return None if None in bounds else RangeIterable(*self.merge(*bounds, conflict))

    def _widest(self, value: Any) -> Any:
        """A Value narrowed by a test of the path is again what it was before the test."""
        origins = self.memory.compilation.origins
        while isinstance(value, Value) and value in origins and self._is_inner(value):
            value = origins[value]
        return value

    def _is_clean(self, left: Any, right: Any) -> bool:
        """Whether two objects can become one: each was made on its path, and nothing but what
        merges here leads to it.
        """
        if not (isinstance(left, ObjectRef) and isinstance(right, ObjectRef)):
            return False
        is_new = left.serial >= self.start and right.serial >= self.start
        return is_new and left.class_ is right.class_ and not self.shared & {left, right}

    def _variant(self, left: Any, right: Any, options: tuple[Any, ...], conflict: Any) -> Any:
        if any(map(self._holds_inner, options)):
            return (conflict or _no_name)(describe(left), describe(right))
        indexes = IndexPlace(left, options), IndexPlace(right, options)
        for option in options:
            if isinstance(option, Ref):
                self._keep(option)
            if isinstance(option, Closure):
                self._keep_frames(option)
        return Variant(options, self._slot(indexes[0], indexes[1], INT))

    def _leaf(self, left: Any, right: Any) -> Any:
        if same_static(left, right):
            return left
        return self._slot(left, right, join(self._type(left), self._type(right)))

    def _union(self, left: Any, right: Any, conflict: Any) -> Any:
        """One run-time value for two things that have no structure in common."""
        self._become_at_the_ends((left, right))
        try:
            types = [
                self._at(side, item) for side, item in zip(self.sides, (left, right), strict=True)
            ]
        except NoValue:
            undecided = undecided_iterator(left, right)
            return undecided or (conflict or _no_name)(describe(left), describe(right))
        if not self._become_memory((left, right)):
            return (conflict or _no_name)(describe(left), describe(right))
        return self._slot(left, right, join(*types))

    def _at(self, side: Side, item: Any) -> Type:
        """The type of ``to_value(item)`` at the end of a path."""
        with self.seen_from(side):
            return self._type_at_the_end(item)

    def seen_from(self, side: Side) -> Any:
        """The state as it is at the end of a path, for a while."""
        return seen_from(self.memory, side)

    def _one_sided(self, left: Any, right: Any) -> Any:
        """A value that only one path has, or that both have."""
        present = right if _is_absent(left) else left
        both = left is right

        def each(leaf: Any) -> Any:
            if isinstance(leaf, Ref):
                self._keep(leaf)
                return leaf
            if isinstance(leaf, Closure):
                self._keep_frames(leaf)
            if isinstance(leaf, Partial) and self._holds_inner(leaf):
                return with_arguments(leaf, each)
            if not isinstance(leaf, Value) or not self._is_inner(leaf):
                return leaf
            if both:
                raise AssertionError("a value of one path at the end of the other")
            if present is right:
                return self._slot(DEAD, leaf, self._type(leaf))
            return self._slot(leaf, DEAD, self._type(leaf))

        return map_tree(each, present)

    def _slot(self, left: Any, right: Any, type_: Type) -> Slot:
        for index, (a, b, known) in enumerate(
            zip(self.lefts, self.rights, self.types, strict=True)
        ):
            is_same = a is left and b is right and known == type_
            if is_same and (isinstance(a, Value) or (a is DEAD and isinstance(b, Value))):
                return Slot(index, type_)
        self.lefts.append(left)
        self.rights.append(right)
        self.types.append(type_)
        return Slot(len(self.types) - 1, type_)

    def _type(self, leaf: Any) -> Type:
        return self.memory.builder.facts.resolve_type(leaf_type(leaf))

    def _is_inner(self, value: Value) -> bool:
        block = value.block if isinstance(value, BlockArgument) else None
        if isinstance(value, OpResult):
            block = value.owner.block
        return any(block is side.region.block for side in self.sides)

    # --- what can change --------------------------------------------------------------------------

    def _keep(self, ref: Ref) -> None:
        """A Ref that was made on one path and is still reachable: its content is kept, too."""
        if ref.serial < self.start or ref in self._known:
            return
        self._require_unshared(ref, None)
        self._known.add(ref)
        memory = self.memory
        side = next((s for s in self.sides if (memory.heap, ref) in s.ends), None)
        if side is None:
            return
        is_left = side is self.sides[0]

        def keep() -> None:
            for cells in (memory.heap, memory.compilation.handles):
                value = side.ends.get((cells, ref), ABSENT)
                if value is not ABSENT:
                    self.merged[cells, ref] = self._content_on(value, is_left)

        self._pending.append(keep)

    def _content_on(self, content: Any, is_left: bool) -> Any:
        """A content that only one path has."""
        if isinstance(content, dict):
            return {key: self._content_on(item, is_left) for key, item in content.items()}
        return self._one_sided(*((content, DEAD) if is_left else (DEAD, content)))

    def _can_pair(self, left: Ref, right: Ref) -> bool:
        if isinstance(left, ObjectRef):
            return left.class_ is right.class_  # type: ignore[attr-defined]
        return isinstance(left, ListRef | DictRef) and not isinstance(left, AttributesRef)

    def _pair(self, left: Ref, right: Ref) -> Ref:
        """The Ref that is ``left`` on one path and ``right`` on the other."""
        known = self._pairs.get((left, right))
        if known is not None:
            return known
        for ref, other in ((left, right), (right, left)):
            self._require_unshared(ref, other)
        made = type(left)(left.span or right.span, name="%merged")
        if isinstance(made, ObjectRef):
            made.class_ = left.class_  # type: ignore[attr-defined]
        self._pairs[left, right] = made
        if self._may_be_memory(left, right) and self._pair_memory(made, left, right):
            return made
        partners = [pair for pair in self._pairs if left in pair or right in pair]
        is_clean = left.serial >= self.start and right.serial >= self.start and len(partners) == 1
        if not is_clean:
            self._mark_ambiguous(made, [ref for pair in partners for ref in pair])
        self._pending.append(lambda: self._merge_pair(made, left, right, is_clean))
        return made

    def _require_unshared(self, ref: Ref, partner: Ref | None) -> None:
        """An object that has become one with another must not be reached in another way."""
        others = [pair for pair in self._pairs if ref in pair and partner not in pair]
        is_kept = partner is not None and ref in self._known
        if isinstance(ref, ObjectRef) and ref not in self.shared and (others or is_kept):
            raise SharedObject(ref)

    def _mark_ambiguous(self, made: Ref, others: list[Ref]) -> None:
        table = self.memory.compilation.ambiguous
        for other in others:
            table.setdefault(made, set()).add(other)
            table.setdefault(other, set()).add(made)

    def _merge_pair(self, made: Ref, left: Ref, right: Ref, is_clean: bool) -> None:
        memory = self.memory
        content = self.merged[memory.heap, made] = self._content_of(left, right)
        if isinstance(content, Slot):
            self._part_from_aliases(made)
        is_needed = not is_clean or left in self._unordered
        handle = self._handle_of(left, right, needed=is_needed)
        if handle is not ABSENT:
            self.merged[memory.compilation.handles, made] = handle

    def _handle_of(self, left: Ref, right: Ref, *, needed: bool = False) -> Any:
        """The object that is ``left`` on one path and ``right`` on the other, if it is one."""
        handles = self.memory.compilation.handles
        refs = (left, right)
        live = [(side, ref) for side, ref in zip(self.sides, refs, strict=True) if not side.is_dead]
        found = [
            ref.path is not None or side.value((handles, ref)) is not ABSENT for side, ref in live
        ]
        if not any(found) and not needed:
            return ABSENT
        return self._slot(ObjectPlace(left), ObjectPlace(right), OBJECT)

    def _content_of(self, left: Ref, right: Ref) -> Any:
        """The content of ``left`` on one path and ``right`` on the other."""
        contents: list[Any] = []
        for side, ref in zip(self.sides, (left, right), strict=True):
            with seen_from(self.memory, side):
                contents.append(DEAD if side.is_dead else self._read(side, ref))
        if isinstance(left, ObjectRef) and not (left is right and left.path is None):
            self._complete_attributes(contents, (left, right))
        return self.merge_content(contents[0], contents[1], left, right)

    def _read(self, side: Side, ref: Ref) -> Any:
        value = self.memory.heap.get(ref, ABSENT)
        if isinstance(value, Conflict):
            return value
        with self.memory.builder.inside(side.region.block):
            return self.memory.content(ref)

    def _complete_attributes(self, contents: list[Any], refs: tuple[Any, Any]) -> None:
        """Read what an object from outside has and nobody has written."""
        memory = self.memory
        names: dict[str, None] = {}
        for content, ref in zip(contents, refs, strict=True):
            written = content if isinstance(content, dict) else ()
            names.update(dict.fromkeys(str(name).removeprefix("%bound:") for name in written))
            if refs[0] is not refs[1]:
                names.update(dict.fromkeys(getattr(ref.live, "__dict__", ())))
        for position, (side, ref) in enumerate(zip(self.sides, refs, strict=True)):
            if ref.path is None or not isinstance(contents[position], dict):
                continue
            content = contents[position] = dict(contents[position])
            for name in names:
                if name in content or f"%bound:{name}" in content:
                    continue
                with seen_from(memory, side), memory.builder.inside(side.region.block):
                    value = memory.captured_attribute(ref, name)
                if value is not ABSENT:
                    content[name] = value

    def merge_content(self, left: Any, right: Any, left_ref: Ref, right_ref: Ref) -> Any:
        """The merged content of a Ref, or of a pair of them."""
        if _is_absent(left) or _is_absent(right):
            is_left = _is_absent(right)
            return self._content_on(left if is_left else right, is_left)
        for content in (left, right):
            if isinstance(content, Conflict):
                return content
        if isinstance(left, dict) and isinstance(right, dict):
            if list(left) == list(right):
                return {key: self.merge(left[key], right[key]) for key in left}
            if isinstance(left_ref, ObjectRef):
                self._unordered.add(left_ref)
                return self._attributes(left, right)
        if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
            return tuple(self.merge(a, b) for a, b in zip(left, right, strict=True))
        if isinstance(left_ref, ListRef | DictRef):
            return left if left is right else self._memory(left_ref, right_ref)
        return self.merge(left, right)

    def _attributes(self, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
        """The attributes of an object, with a flag for what only one path has."""
        merged: dict[str, Any] = {}
        for name in dict.fromkeys(key.removeprefix("%bound:") for key in [*left, *right]):
            merged[name] = self.merge(left.get(name, DEAD), right.get(name, DEAD))
            flag = f"%bound:{name}"
            bounds = [side.get(flag, name in side) for side in (left, right)]
            bound = self.merge(*bounds)
            if bound is False:
                del merged[name]
            if bound is not True:
                merged[flag] = bound
        return merged

    def yields(self, number: int) -> list[Value]:
        """What the path of this number yields, emitted at the end of its region."""
        memory, side = self.memory, self.sides[number]
        leaves = (self.lefts, self.rights)[number]
        with seen_from(memory, side):
            return [
                self._yield(leaf, type_) for leaf, type_ in zip(leaves, self.types, strict=True)
            ]

    def _yield(self, leaf: Any, type_: Type) -> Value:
        memory = self.memory
        if _is_absent(leaf):
            return memory.builder.emit(UNDEF, [], {"type": type_}).results[0]
        if isinstance(leaf, ObjectPlace):
            return memory.object_of(leaf.ref)
        if isinstance(leaf, IndexPlace):
            return memory.index_among(leaf.value, leaf.options)
        if isinstance(leaf, ListPlace):
            made = memory.list_value(leaf.ref, leaf.type)
            if leaf.ref.serial < self.start:  # it keeps its own name beside the new one
                memory.compilation.held.add(made)
            return made
        return memory.to_value(leaf)


def _is_absent(value: Any) -> bool:
    return value is ABSENT or value is DEAD or value is PENDING


def _same_tuple(left: Any, right: Any) -> bool:
    return isinstance(left, tuple) and type(left) is type(right) and len(left) == len(right)


def _no_name(left: str, right: str) -> Conflict:
    args = (("name", "this value"), ("left", left), ("right", right))
    return Conflict(catalog.BRANCH_TYPE_MISMATCH, (), args)
