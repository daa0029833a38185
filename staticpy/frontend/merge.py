"""Where paths meet: one structure out of two.

Two bindings of a variable become one: what is the same on both paths stays as it is, and run-time
leaves that differ become a Slot, a value that each region yields. Structures merge leaf by leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from staticpy.frontend.inputs import map_tree
from staticpy.frontend.values import (
    DEAD,
    PENDING,
    POISON,
    UNBOUND,
    is_liftable,
    leaf_type,
    same_static,
)
from staticpy.ir import Block, BlockArgument, OpResult, ShapeFacts, Type, Value, join


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a merged leaf: the number of the result that takes it, and its type."""

    index: int
    type: Type


class Mismatch(Exception):
    """Two paths bind what no single value can hold; says what each of them is."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(left, right)
        self.left = left
        self.right = right


def describe(value: Any) -> str:
    """What a binding is, in words: its type for a run-time value."""
    if is_liftable(value):
        return str(leaf_type(value))
    if value is None:
        return "None"
    if isinstance(getattr(value, "type", None), Type):  # the place of a run-time leaf
        return str(value.type)
    if isinstance(value, tuple | list):
        items = ", ".join(map(describe, value))
        return f"({items})" if isinstance(value, tuple) else f"[{items}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items()) + "}"
    return f"the {type(value).__name__} {value!r}" if isinstance(value, str) else "an object"


class Merger:
    """Merges bindings of two paths and collects what each path must yield.

    ``blocks`` are the two blocks that end there: a Value made in one of them must be yielded, one
    made before them need not be. ``lefts`` and ``rights`` are the yields, DEAD where nothing is
    read.
    """

    def __init__(self, facts: ShapeFacts, blocks: tuple[Block, Block]) -> None:
        self._facts = facts
        self._blocks = blocks
        self.lefts: list[Any] = []
        self.rights: list[Any] = []
        self.types: list[Type] = []

    def merge(self, left: Any, right: Any) -> Any:
        """The merged binding, with Slots for what must be yielded.

        Raises:
            Mismatch: there is no type that holds both.
        """
        if left is POISON or right is POISON:
            return POISON
        if left is right:
            return left
        if _is_absent(left) or _is_absent(right):
            return self._one_sided(left, right)
        if is_liftable(left) and is_liftable(right):
            return self._leaf(left, right)
        if _same_shape(left, right):
            return self._structure(left, right)
        if same_static(left, right):
            return left
        raise Mismatch(describe(left), describe(right))

    def _leaf(self, left: Any, right: Any) -> Any:
        if same_static(left, right):
            return left
        type_ = join(self._type(left), self._type(right))
        if type_ is None:
            raise Mismatch(describe(left), describe(right))
        return self._slot(left, right, type_)

    def _one_sided(self, left: Any, right: Any) -> Any:
        present = right if _is_absent(left) else left

        def each(leaf: Any) -> Any:
            if not isinstance(leaf, Value) or not self._is_inner(leaf):
                return leaf
            if present is right:
                return self._slot(DEAD, leaf, self._type(leaf))
            return self._slot(leaf, DEAD, self._type(leaf))

        return map_tree(each, present)

    def _structure(self, left: Any, right: Any) -> Any:
        if isinstance(left, dict):
            return {key: self.merge(left[key], right[key]) for key in left}
        return type(left)(self.merge(a, b) for a, b in zip(left, right, strict=True))

    def _slot(self, left: Any, right: Any, type_: Type) -> Slot:
        self.lefts.append(left)
        self.rights.append(right)
        self.types.append(type_)
        return Slot(len(self.types) - 1, type_)

    def _type(self, leaf: Any) -> Type:
        return self._facts.resolve_type(leaf_type(leaf))

    def _is_inner(self, value: Value) -> bool:
        if isinstance(value, BlockArgument):
            return value.block in self._blocks
        assert isinstance(value, OpResult)
        return value.owner.block in self._blocks


def fill(tree: Any, results: Any) -> Any:
    """``tree`` with the result of its number for each Slot."""
    return map_tree(lambda leaf: results[leaf.index] if isinstance(leaf, Slot) else leaf, tree)


def _is_absent(value: Any) -> bool:
    return value is UNBOUND or value is DEAD or value is PENDING


def _same_shape(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right)
    return isinstance(left, tuple | list) and len(left) == len(right)
