"""What a call of a graph function gives it, and how the callee knows that.

In: the arguments of a call, and what the callee reads around it. Out: the arguments of the graph
function in their place, its own names for the lists and dicts that it gets as memory, and copies of
the frames around nested functions. A list or dict from outside that it is given is known by that
name however the callee comes upon it.
"""

from __future__ import annotations

from typing import Any

from staticpy.frontend.inputs import map_tree, tree_leaves
from staticpy.frontend.lower_base import Frame, Graph
from staticpy.frontend.nonlocals import BoxRef, Nonlocals
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import Closure, DictRef, ListRef, ObjectRef, Ref
from staticpy.ir import DictType, ListType, Type, Value


class Lift:
    """Gives a graph function its own arguments in place of the caller's Values and memory."""

    def __init__(self, lowerer: Nonlocals, graph: Graph, memory_types: tuple[Type, ...]) -> None:
        self._lowerer = lowerer
        self._graph = graph
        self._block = graph.function.block
        self._memory_types = memory_types
        self._refs: dict[Ref, Ref] = {}
        self._copies: dict[Any, Frame] = {}

    def tree(self, tree: dict[Any, Any]) -> dict[Any, Any]:
        return {key: map_tree(self._leaf, item) for key, item in tree.items()}

    def _leaf(self, leaf: Any) -> Any:
        if isinstance(leaf, ListRef | DictRef):
            if leaf not in self._refs:
                self._refs[leaf] = type(leaf)(leaf.span)
                self._stand_in(leaf, self._refs[leaf])
            return self._refs[leaf]
        if not isinstance(leaf, Value):
            return leaf
        facts = self._lowerer.builder.facts
        return self._block.add_arg(facts.resolve_type(leaf.type), leaf.name)

    def _stand_in(self, ref: Ref, made: Ref) -> None:
        """Where the callee comes upon this list or dict from outside by itself, it is ``made``."""
        originals = self._lowerer.compilation.originals
        original = originals.get(ref, ref)
        if original.path is not None:
            self._graph.stand_ins[original] = made
            originals[made] = original

    def refs(self) -> list[Ref]:
        """The callee's names for the memory it gets, whose arguments follow the others."""
        made = list(self._refs.values())
        for ref, type_ in zip(made, self._memory_types, strict=True):
            assert isinstance(type_, ListType | DictType)
            self._lowerer.heap[ref] = self._block.add_arg(type_, "memory")
        return made

    def rebuild_frames(self, outer: dict[Any, Any]) -> None:
        """Copy the frames around nested functions, with the arguments in their variables."""
        for (frame, name), value in outer.items():
            if frame is None:
                continue  # a container from outside
            if isinstance(value, BoxRef):
                self._lowerer.keep_box(self._copy(frame).env, name, value)
            elif value is not ABSENT:
                self._copy(frame).env[name] = self.rebased(value)

    def rebased(self, tree: Any) -> Any:
        """A structure whose nested functions stand in the copies of their frames."""

        def leaf(value: Any) -> Any:
            if isinstance(value, Closure):
                return Closure(value.node, self._copy(value.frame), value.defaults)
            return value

        return map_tree(leaf, tree)

    def _copy(self, frame: Any) -> Any:
        if frame is None:
            return None
        if frame not in self._copies:
            around = self._copy(frame.parent)
            made = Frame(frame.prepared, frame.scope, frame.env.journal, around)
            made.method_class, made.origin = frame.method_class, frame.origin
            self._copies[frame] = made
        return self._copies[frame]


def memory_of(*trees: Any) -> list[Ref]:
    """The lists and dicts of some arguments, each once."""
    leaves = tree_leaves(list(trees))
    return list(dict.fromkeys(leaf for leaf in leaves if isinstance(leaf, ListRef | DictRef)))


def typed(tree: dict[Any, Any], types_: list[Type], memory: list[Ref]) -> dict[str, Any]:
    """A structure with what stands for its memory and its nested functions in a key."""

    def leaf(item: Any) -> Any:
        if isinstance(item, ListRef | DictRef):
            position = memory.index(item)
            return f"{position}: {types_[position]}"
        if isinstance(item, ObjectRef):
            return f"object {id(item)}"
        return f"function {id(item.node)}" if isinstance(item, Closure) else item

    def name_of(key: Any) -> str:
        if isinstance(key, str):
            return key
        frame, name = key
        return f"{frame.prepared.unit.qualname}.{name}" if frame else f"outside {id(name)}"

    return {name_of(key): map_tree(leaf, item) for key, item in tree.items()}
