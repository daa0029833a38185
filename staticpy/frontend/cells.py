"""Cells from outside as trees: what a call is differentiated by, where it is given a network.

In: an object whose class says that it is a Cell. Out: the arrays of its parameters that require
grad, by name, each as one Value of the graph, wherever it stands in the Cell. Guards say that at
each call the Cell is made of the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from staticpy.diagnostics import catalog
from staticpy.frontend.classes import is_cell_class, is_tensor_class
from staticpy.frontend.inputs import Path, map_tree
from staticpy.frontend.transformed_calls import TransformedCalls
from staticpy.frontend.values import ObjectRef
from staticpy.ir import Value, rewriter, walk


class Cells(TransformedCalls):
    """Finds the parameters of Cells."""

    def cell_parameters(self, tree: Any) -> dict[str, Value] | None:
        """The parameters of a Cell from outside that require grad; None of anything else."""
        is_cell = isinstance(tree, ObjectRef) and is_cell_class(tree.class_)
        if not is_cell or tree.path is None:
            return None
        places = {id(tensor): path for path, tensor in self._tensors_in(tree.path, tree.live)}
        named = {
            name: (places[id(tensor)], tensor)
            for name, tensor in tree.live.parameters_and_names()
            if tensor.requires_grad
        }
        self.compilation.inputs.keep_apart(named.values())
        return {name: self.outside(path, tensor, name) for name, (path, tensor) in named.items()}

    def _tensors_in(self, path: Path, live: Any) -> Iterator[tuple[Path, Any]]:
        """The Tensors in a Cell, with guards of what leads to them. Of one that is there twice, the
        first place comes last.
        """
        inputs = self.compilation.inputs
        pending, seen = [(path, live)], set[int]()
        found: list[tuple[Path, Any]] = []
        while pending:
            path, item = pending.pop()
            if is_tensor_class(type(item)):
                inputs.guard_class(path, type(item))
                inputs.guard(path.attr("_is_wanted_leaf"), "equals", item.requires_grad)
                found.append((path, item))
            elif id(item) not in seen:
                seen.add(id(item))
                pending += self._held_by(path, item)[::-1]
        return iter(found[::-1])

    def _held_by(self, path: Path, item: Any) -> list[tuple[Path, Any]]:
        """What a Cell or a container in it holds."""
        inputs = self.compilation.inputs
        if is_cell_class(type(item)):
            inputs.guard_class(path, type(item))
            inputs.guard(path.attr("__dict__"), "size", len(vars(item)))
            return [(path.attr(name), each) for name, each in vars(item).items()]
        if type(item) is dict:
            inputs.guard(path, "dict", tuple(item))
            return [(path.item(key), each) for key, each in item.items()]
        if type(item) in (list, tuple):
            inputs.guard(path, type(item).__name__, len(item))
            return [(path.item(place), each) for place, each in enumerate(item)]
        return []

    def each(self, tree: Any, change: Callable[[Any], Any], *, opens_cells: bool = False) -> Any:
        """As before; with ``opens_cells`` a Cell becomes a dict of its parameters, by name."""

        def opened(leaf: Any) -> Any:
            parameters = self.cell_parameters(leaf)
            if parameters is None:
                return change(leaf)
            return self.new_dict({name: change(value) for name, value in parameters.items()})

        return super().each(tree, opened if opens_cells else change)

    def _opened_tree(self, _node: Any, tree: Any) -> Any:
        """``opened(tree)``."""
        return self.each(tree, lambda leaf: leaf, opens_cells=True)

    def _backward_pass(self, node: Any, _cell: Any, hooks: Any) -> None:
        """``backward_pass(cell, hooks)``: hooks of Cells, for which graphs have no place."""
        if hooks:
            self.error(catalog.BACKWARD_HOOK, node)

    TRANSFORMS: ClassVar = {
        **TransformedCalls.TRANSFORMS,
        "opened": _opened_tree,
        "backward_pass": _backward_pass,
    }

    # --- calls with other parameters --------------------------------------------------------------

    def call_exchanged(
        self,
        trees: Sequence[Any],
        change: Callable[[Any], Any],
        call: Callable[[list[Any]], Any],
    ) -> Any:
        """What ``call`` gives of trees with other leaves. A Cell stays itself: what is emitted in
        this block reads what ``change`` gives in the place of its parameters.
        """
        others: dict[Value, Value] = {}

        def given(leaf: Any) -> Any:
            parameters = self.cell_parameters(leaf)
            if parameters is None:
                return change(leaf)
            others.update({value: change(value) for value in parameters.values()})
            return leaf

        result = call([self.each(tree, given) for tree in trees])
        return self._reading(others, result) if others else result

    def _reading(self, others: Mapping[Value, Value], result: Any) -> Any:
        """Let what was emitted in this block read others in the place of some Values; so does the
        result.
        """
        for operation in walk(self.builder.block):
            for position, operand in enumerate(operation.operands):
                if operand in others:
                    rewriter.set_operand(operation, position, others[operand])
        return map_tree(lambda leaf: others.get(leaf, leaf), result)
