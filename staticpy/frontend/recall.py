"""What is known of a loop from the last time that it was lowered.

A loop is lowered once for each round of the loop around it, until that has found what it carries.
What the inner one has found then, it finds again: it begins with that, so that its first round is
its last one. Otherwise each level of nested loops would double the work.

Only what exists at the same place is found again: a variable of the same frame, or what the same
piece of the program has made last. What is remembered is joined with what holds now.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from staticpy.frontend.carry_variants import CarryingVariants
from staticpy.frontend.findings import Carry, Findings
from staticpy.frontend.inputs import make_tuple, tree_leaves
from staticpy.frontend.lower_base import Frame
from staticpy.frontend.memory import NoValue
from staticpy.frontend.state import ABSENT, Cell
from staticpy.frontend.values import Ref, is_liftable, is_scalar, same_static
from staticpy.frontend.widths import wider_memory
from staticpy.ir import DictType, ListType, Type, join

_BOUND = "%bound:"


class Recalling(CarryingVariants):
    """Remembers what loops carry."""

    def recall(self, key: Any, found: Findings) -> None:
        """Let the first round of a loop carry what its last one did the last time."""
        for place, tree in self.compilation.loop_types.get(key, {}).items():
            cell = self._cell_at(place)
            if cell is None:
                continue
            group, name = cell
            is_flag = isinstance(name, str) and name.startswith(_BOUND)
            if is_flag and (group, name.removeprefix(_BOUND)) in found.carried:
                found.carried[cell] = tree
            elif not is_flag:
                joined = self._joined(tree, self.before(cell))
                if joined is not ABSENT:
                    found.carried[cell] = joined

    def recall_memory(self, key: Any) -> dict[Ref, Type]:
        """The lists and dicts that had to be memory before a loop, and of which type."""
        found: dict[Ref, Type] = {}
        for place, type_ in self.compilation.loop_memory.get(key, {}).items():
            ref = self.compilation.made.get(place)
            content = self.heap.get(ref, ABSENT)
            if ref is not None and isinstance(content, tuple | dict):
                try:
                    found[ref] = wider_memory([self.memory_type(ref), type_])
                except NoValue:
                    continue
        return found

    def remember(self, key: Any, found: Findings) -> None:
        """Keep what a loop carries for the next time that it is lowered."""
        places = ((self._place_of(cell), tree) for cell, tree in found.carried.items())
        known = {place: tree for place, tree in places if place is not None}
        self.compilation.loop_types[key] = known

    def remember_memory(self, key: Any, promoted: dict[Ref, Type]) -> None:
        """Keep what must be memory before a loop."""
        known = self.compilation.loop_memory.setdefault(key, {})
        known.update((ref.place, type_) for ref, type_ in promoted.items())

    def place_of(self, node: Any) -> Any:
        """Where a loop stands, to know it again when it is lowered once more."""
        return (node, self.frame.chain, self.graph.function.name, *self.unrolled)

    # --- places -----------------------------------------------------------------------------------

    def _place_of(self, cell: Cell) -> Any:
        """What finds a cell again when the program is lowered from an earlier place once more."""
        group, key = cell
        if group is self.heap:
            place = key.place
            return place if self.compilation.made.get(place) is key else None
        for position, frame in self._frames():
            if frame.env is group:
                return position, frame.prepared.node, key
        return None

    def _cell_at(self, place: Any) -> Cell | None:
        if isinstance(place[0], type):
            ref = self.compilation.made.get(place)
            return (self.heap, ref) if ref in self.heap else None
        position, node, key = place
        frames = dict(self._frames())
        frame = frames.get(position)
        return (frame.env, key) if frame and frame.prepared.node is node else None

    def _frames(self) -> Iterator[tuple[int, Frame]]:
        return enumerate([*self.frames, self.frame])

    # --- structures -------------------------------------------------------------------------------

    def _joined(self, tree: Any, now: Any) -> Any:
        """The structure that holds what was carried and what is there now; ABSENT if there is
        nothing of the kind.
        """
        if now is ABSENT:
            return tree if all(map(_is_plain, tree_leaves(tree))) else ABSENT
        if isinstance(tree, Carry):
            return self._joined_leaf(tree, now)
        if isinstance(tree, dict) and isinstance(now, dict) and list(tree) == list(now):
            parts = {name: self._joined(part, now[name]) for name, part in tree.items()}
            return ABSENT if any(part is ABSENT for part in parts.values()) else parts
        is_tuple = isinstance(tree, tuple) and type(tree) is type(now) and len(tree) == len(now)
        if is_tuple:
            items = [self._joined(part, item) for part, item in zip(tree, now, strict=True)]
            return ABSENT if any(item is ABSENT for item in items) else make_tuple(now, items)
        return now if _is_plain(now) and same_static(tree, now) else ABSENT

    def _joined_leaf(self, tree: Carry, now: Any) -> Any:
        if is_liftable(now) and not isinstance(self._type(now), ListType | DictType):
            return Carry(join(self._type(now), tree.type))
        is_text = now is None or isinstance(now, str)
        return Carry(join(self.value_type(now), tree.type)) if is_text else ABSENT


def _is_plain(leaf: Any) -> bool:
    """Whether a leaf is a place for a run-time value, or a compile-time number or text."""
    return isinstance(leaf, Carry) or leaf is None or isinstance(leaf, str) or is_scalar(leaf)
