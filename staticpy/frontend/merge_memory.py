"""Lists and dicts where paths meet, which become memory of the running program.

Memory is shared: whatever else leads to such a list must see it, too. So what was there before the
paths parted becomes memory before that, and what a path has made may be held in one place only.
"""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.memory import Memory
from staticpy.frontend.paths import (
    ListPlace,
    Side,
    seen_from,
)
from staticpy.frontend.state import Cell
from staticpy.frontend.values import (
    Conflict,
    DictRef,
    ListRef,
    Ref,
)
from staticpy.frontend.widths import wider_memory
from staticpy.ir import (
    Type,
)


class MemoryMerging:
    """Makes lists and dicts memory where they have to be."""

    memory: Memory
    sides: tuple[Side, Side]
    start: int
    merged: dict[Cell, Any]
    _fresh: dict[Ref, None]

    def _slot(self, left: Any, right: Any, type_: Type) -> Any:
        raise AssertionError("defined by Merger")

    def _read(self, side: Side, ref: Ref) -> Any:
        raise AssertionError("defined by Merger")

    def _become_memory(self, trees: tuple[Any, Any], *, skip: bool = False) -> bool:
        """Make the lists and dicts in what becomes one Value memory, which every name of theirs
        then shares: those from outside before the paths part. False where one has been written to
        on a path. With ``skip`` those that ``trees`` themselves are need not.
        """
        for side, tree in zip(self.sides, trees, strict=True):
            if side.is_dead:
                continue
            for ref in self._lists_in(side, tree, skip=skip):
                if ref.serial >= self.start:
                    self._fresh[ref] = None
                elif self._is_fixed(ref):
                    return False
                else:
                    self.memory.list_value(ref)
        return True

    def _is_fixed(self, ref: Ref) -> bool:
        """Whether a list or dict can't become memory before the paths part."""
        is_written = any((self.memory.heap, ref) in each.ends for each in self.sides)
        return is_written or self.memory.type_of_content(ref) is None

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

    def _pair_memory(self, made: Ref, left: Ref, right: Ref) -> bool:
        """Whether two lists, or two dicts, are one in memory, whichever it is: those that were
        there before the paths parted become that now, if neither path has written to them.
        """
        outer = [ref for ref in (left, right) if ref.serial < self.start]
        if not outer or any((self.memory.heap, ref) in s.ends for s in self.sides for ref in outer):
            return False
        types = [
            self._type_on(side, ref) for side, ref in zip(self.sides, (left, right), strict=True)
        ]
        if None in types:
            return False
        type_ = wider_memory([each for each in types if each])
        for ref in outer:
            self.memory.list_value(ref, type_)
        self.merged[self.memory.heap, made] = self._slot(
            ListPlace(left, type_), ListPlace(right, type_), type_
        )
        return True

    def _type_on(self, side: Side, ref: Ref) -> Type | None:
        """The type of a list as memory at the end of a path."""
        with seen_from(self.memory, side), self.memory.builder.inside(side.region.block):
            return self.memory.type_of_content(ref)

    def _memory(self, left: Ref, right: Ref) -> Any:
        """Lists of different lengths, or dicts of different keys, are one in memory."""
        types = [
            self._type_on(side, ref) for side, ref in zip(self.sides, (left, right), strict=True)
        ]
        if None in types or not self._become_memory((left, right), skip=True):
            what = "list" if isinstance(left, ListRef) else "dict"
            return Conflict(catalog.STRUCTURE_UNDECIDED, (), (("what", f"this {what}"),))
        type_ = wider_memory([each for each in types if each])
        return self._slot(ListPlace(left, type_), ListPlace(right, type_), type_)
