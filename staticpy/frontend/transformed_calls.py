"""What transforms of functions share: the call in a region of its own, and trees of numbers.

In: a function that is called by a transform (``grad``, say), and its arguments. Out: an operation
whose region is the call. What the call does besides is done once, as in any call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend import library
from staticpy.frontend.classes import instance_class, is_object
from staticpy.frontend.decorations import Decorations
from staticpy.frontend.inputs import make_tuple
from staticpy.frontend.lowered_as import transform_name
from staticpy.frontend.paths import Side
from staticpy.frontend.state import ABSENT, Cell, next_serial
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    DictRef,
    ListRef,
    Partial,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.ir import Block, Region, Type, UnionType, Value, members_of, rewriter, union_of
from staticpy.source import SourceSpan


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a region gets: the types, and what makes the values of the first time that it runs."""

    types: tuple[Type, ...]
    first: Callable[[], Sequence[Value]]


class TransformedCalls(Decorations):
    """Lowers calls of transforms; the parts that follow say how, by ``TRANSFORMS``."""

    def _call_outside(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        name = transform_name(function)
        if name is not None:
            return self.TRANSFORMS[name](self, node, *args, **kwargs)
        return super()._call_outside(function, args, kwargs, node)

    def in_region(
        self,
        op: ops.OpDef,
        run: Callable[[], None],
        arguments: Arguments,
        outputs: list[Value],
        operands: Callable[[], Sequence[Value]],
        attrs: Mapping[str, Any] | None = None,
    ) -> tuple[Value, ...]:
        """Emit ``op`` with a region, which gets ``arguments`` and holds what ``run`` emits; ``run``
        puts into ``outputs`` what the region is to yield.

        The operation gets what ``operands`` gives once the outputs are known, and ``attrs`` with
        the number of ``outputs``. In ``outputs`` its results take the place of what was yielded;
        what ``run`` has bound, made and written to is taken over. Gives the further results.
        """
        start = next_serial()
        order = self.compilation.derivatives + (op.name in ops.DIFFERENTIATING)
        with self.of_order(order):
            side = self.side(run, arguments.types)
        if side.is_dead:
            self._run_to_its_end(side, arguments.first())
        sides = (side, Side(Region(Block()), {}, is_dead=True))
        cells = self.cells_to_merge((side,), None, start)
        self.check_effects(op, [cell for cell in cells if is_changed(side, cell)])
        merger = self.merged(sides, start, cells)
        with self.builder.inside(side.region.block):
            taken = merger.yields(0)
            self.builder.emit(ops.region_yield, [*outputs, *taken])
        attrs = {"outputs": len(outputs), **(attrs or {})}
        made = self.builder.emit(op, list(operands()), attrs, (side.region,)).results
        count = len(outputs)
        self.take_over(merger, made[count : count + len(taken)])
        outputs[:] = made[:count]
        return made[count + len(taken) :]

    @contextmanager
    def of_order(self, order: int) -> Iterator[None]:
        """Lower what so many derivatives are taken of."""
        compilation = self.compilation
        saved, compilation.derivatives = compilation.derivatives, order
        try:
            yield
        finally:
            compilation.derivatives = saved

    def check_effects(self, op: ops.OpDef, cells: Sequence[Cell]) -> None:
        """Refuse an operation whose region changes what it must not; ``cells`` are what it has
        written to of the state around it.
        """

    def _run_to_its_end(self, side: Side, given: Sequence[Value]) -> None:
        """Put a path that ends in an exception where the builder stands, and end this one."""
        block = side.region.block
        for argument, value in zip(block.args, given, strict=True):
            rewriter.replace_all_uses(argument, value)
        for operation in block.operations:
            operation.block = self.builder.block
        self.builder.block.operations += block.operations
        self.end_path()

    # --- trees ------------------------------------------------------------------------------------

    def each(self, tree: Any, change: Callable[[Any], Any]) -> Any:
        """A tuple, list, dict or dataclass of the same structure with other leaves; None has
        none.
        """
        if isinstance(tree, tuple):
            return make_tuple(tree, [self.each(item, change) for item in tree])
        if isinstance(tree, ListRef | DictRef):
            content = self.content(tree)
            if isinstance(content, tuple):
                return self.new_list([self.each(item, change) for item in content])
            if isinstance(content, dict):
                return self.new_dict({k: self.each(item, change) for k, item in content.items()})
        names = ops.tree_fields(instance_class(tree)) if is_object(tree) else None
        if names is None:
            return None if tree is None else change(tree)
        node = self.frame.prepared.node
        made = self.new_object(instance_class(tree), node)
        for name in names:
            item = self.each(self.object_attribute(tree, name, node), change)
            self.store_attribute(made, name, item)
        return made

    def leaves_of(self, tree: Any) -> list[Any]:
        """The leaves of a tree, in the order in which ``each`` goes through them."""
        leaves: list[Any] = []
        self.each(tree, leaves.append)
        return leaves

    def _tree_leaves(self, _node: Any, tree: Any) -> tuple[Any, ...]:
        """``tree_leaves(tree)``."""
        return tuple(self.leaves_of(tree))

    def _tree_like(self, node: Any, tree: Any, leaves: Any) -> Any:
        """``tree_like(tree, leaves)``."""
        content = self.content(leaves) if isinstance(leaves, ListRef) else leaves
        if isinstance(content, Value):  # a list that is filled at run time
            what = "how many axes each number or array of the result has"
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
        items = iter(content)
        return self.each(tree, lambda _: next(items))

    TRANSFORMS: ClassVar[Mapping[str, Callable[..., Any]]] = {
        "is_recording": lambda _self, _node: False,  # which plain Python alone does
        "tree_leaves": _tree_leaves,
        "tree_like": _tree_like,
    }
    """For each transform the method that lowers a call of it: ``method(self, node, *args)``."""

    # --- calls ------------------------------------------------------------------------------------

    def named(self, kwargs: Any) -> dict[str, Any]:
        """The keyword arguments of a call."""
        return dict(self.content(kwargs)) if isinstance(kwargs, DictRef) else dict(kwargs)

    # --- functions --------------------------------------------------------------------------------

    def definition_of(self, fun: Any, node: Any) -> SourceSpan:
        """Where ``fun`` is defined: what is wrong with its derivative is said there."""
        function = fun
        while isinstance(function, BoundFunction | Partial):
            function = function.function
        if not isinstance(function, UserFunction | Closure):
            return self.span(node)
        prepared = self.prepared(function, node)
        return prepared.unit.span(prepared.node)

    def with_derivatives(self, result: Any, span: SourceSpan) -> Any:
        """A result, of which what has a derivative on some paths only is required to have one."""
        with self.builder.at(span):
            return self.inexact(result)

    def float_like(self, primal: Any, number: Any) -> Any:
        """A tangent or cotangent of what is a number of float64 or one of Python's: the same."""
        type_ = leaf_type(primal)
        if not isinstance(type_, UnionType) or not ops.are_of_float64(type_):
            return number
        like = self.user_function(library.float_like)  # type: ignore[arg-type]
        return self.call_function(like, [primal, number], {}, self.frame.prepared.node)

    def inexact(self, tree: Any, **attrs: str) -> Any:
        """A tree, of which what has a derivative on some paths only is required to have one;
        ``attrs`` say what it is, or what to raise (``ops.dynamic.inexact``).
        """
        if not any(map(is_sometimes_inexact, self.leaves_of(tree))):
            return tree
        return self.each(tree, lambda leaf: _inexact(leaf, attrs))


def _inexact(leaf: Any, attrs: dict[str, str]) -> Any:
    if not is_sometimes_inexact(leaf):
        return leaf
    return ops.emit(ops.dynamic.inexact, leaf, type=inexact_type(leaf), **attrs)


def inexact_type(leaf: Any) -> Type:
    """The types of a leaf that have a derivative."""
    return union_of(each for each in members_of(leaf_type(leaf)) if ops.is_inexact(each))


def is_inexact_leaf(leaf: Any) -> bool:
    """Whether a leaf of a tree is a real or complex number, or an array of them."""
    return is_liftable(leaf) and ops.is_inexact(leaf_type(leaf))


def is_sometimes_inexact(leaf: Any) -> bool:
    """Whether a leaf is a number that has a derivative on some paths only: ``0`` and ``0.5``."""
    return is_liftable(leaf) and len(set(map(ops.is_inexact, members_of(leaf_type(leaf))))) > 1


def is_changed(side: Side, cell: Cell) -> bool:
    """Whether a path has left something else in a cell than there was before."""
    cells, key = cell
    return cells.kind != "spans" and side.value(cell) is not cells.get(key, ABSENT)
