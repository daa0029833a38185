"""Vectorisation: a call for one example, lowered into a region of its own, for all of them.

In: a function and the arguments of a call, of which some are arrays of examples. Out: a ``vmap``
operation whose region is the call for one example, and its results, in the structure of what the
function returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import library
from staticpy.frontend.differentiation import Differentiation
from staticpy.frontend.inputs import RunTimeTuple, Variant, make_tuple
from staticpy.frontend.lowered_as import lowered_as
from staticpy.frontend.paths import describe_result
from staticpy.frontend.state import Cell
from staticpy.frontend.transformed_calls import Arguments, inexact_type, is_sometimes_inexact
from staticpy.frontend.values import DictRef, ListRef, Partial, is_liftable, leaf_type
from staticpy.ir import (
    INT,
    DictType,
    ListType,
    TupleType,
    Type,
    UnionType,
    Value,
    dims_of,
    members_of,
)
from staticpy.ops import vmap_texts as texts
from staticpy.source import SourceSpan

Leaf = Callable[[Any, "int | None"], Any]
"""What is made of a leaf of a tree, which has examples along an axis, or has none (None)."""


@lowered_as("stacked_of_type")
def _stacked_of_type(*_: Any) -> None:
    """``np.stack(rows, axis)`` of numbers and arrays, which may be of several types: each array is
    of what NumPy makes of those in it. Nobody calls it but while compiling.
    """
    raise AssertionError("a call of this is lowered")


@dataclass(eq=False, slots=True)
class _Call:
    """A call of a vectorised function: the arrays of examples and their axes."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    in_axes: Any
    arrays: list[Value] = field(default_factory=list)
    axes: list[int] = field(default_factory=list)


class Vectorization(Differentiation):
    """Lowers calls of ``vectorize``, by which ``staticpy.vmap`` is written."""

    def _vectorize(self, node: Any, fun: Any, options: Any, args: Any, kwargs: Any) -> Any:
        """``vectorize(fun, (in_axes, out_axes, axis_size), args, kwargs)``."""
        in_axes, out_axes, axis_size = options
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        named = self.named(kwargs)
        call = _Call(tuple(args), named, in_axes)

        several: list[Value] = []

        def given(leaf: Any, axis: int | None) -> Any:
            if axis is not None and isinstance(leaf, Value) and isinstance(leaf.type, UnionType):
                several.append(leaf)
            elif axis is not None:
                call.arrays.append(self._array(leaf, axis, node))
                call.axes.append(axis)
            return leaf

        self._arguments(call, given, node)
        if several:
            return self._of_each_type(several[0], call, (fun, options), node)
        size = self._size(call, axis_size, node)
        self._require(library.require_examples, size, node=node)
        return self._for_each(call, fun, ops.as_value(size), out_axes, node)

    def _of_each_type(self, several: Value, call: _Call, called: tuple[Any, Any], node: Any) -> Any:
        """The call for each of the types that an array of examples may be of."""

        def run(array: Any) -> Any:
            args, kwargs = self._arguments(
                call, lambda leaf, _: array if leaf is several else leaf, node
            )
            return self._vectorize(node, *called, args, kwargs)

        return self.dispatch(several, run, node)

    def _stacked_of_type(
        self, _node: Any, item: Type, axis: int, span: SourceSpan, rows: Any
    ) -> Any:
        """``stacked_of_type(item, axis, span, rows)``, where ``item`` is the type of the numbers
        and ``span`` where they come from.
        """
        values = self.list_value(rows, ListType(item))
        with self.builder.at(span):
            type_ = ops.stacked_type(item, axis)
            return ops.emit(ops.REGISTRY["list.stack"], values, axis=axis, type=type_)

    TRANSFORMS: ClassVar = {
        **Differentiation.TRANSFORMS,
        "vectorize": _vectorize,
        "stacked_of_type": _stacked_of_type,
    }

    def _for_each(self, call: _Call, fun: Any, size: Value, out_axes: Any, node: Any) -> Any:
        """Emit the call for each example; its results, stacked."""
        span = self.definition_of(fun, node)
        outputs: list[Value] = []
        opened: list[Callable[[Value], Any]] = []
        attrs: dict[str, Any] = {"axes": tuple(call.axes), "outs": ()}

        def output(leaf: Any, axis: int | None) -> int:
            is_memory = isinstance(leaf, ListRef | DictRef | RunTimeTuple)
            make = self._rows_of if is_memory else self._output_of
            value, kept_axis, open_ = make(leaf, axis, span, node)
            outputs.append(value)
            opened.append(open_)
            attrs["outs"] += (kept_axis,)
            return len(outputs) - 1

        with self.hidden("results") as (kept,):

            def run() -> None:
                examples = iter(list(self.builder.block.args))
                take: Leaf = lambda leaf, axis: leaf if axis is None else next(examples)  # noqa: E731
                args, kwargs = self._arguments(call, take, node)
                result = self.call_function(fun, args, kwargs, node)
                self.env[kept] = self._along(out_axes, result, output, texts.OUT_AXES, node)

            given = self._examples(call)
            self.in_region(ops.vmap, run, given, outputs, lambda: [size, *call.arrays], attrs)
            return self.each(self.env[kept], lambda number: opened[number](outputs[number]))

    def _examples(self, call: _Call) -> Arguments:
        pairs = list(zip(call.arrays, call.axes, strict=True))
        types = tuple(ops.example_type(array.type, axis) for array, axis in pairs)
        return Arguments(types, lambda: [ops.example(array, 0, axis) for array, axis in pairs])

    def check_effects(self, op: ops.OpDef, cells: Sequence[Cell]) -> None:
        """The examples are independent of each other: none changes what the next one reads."""
        super().check_effects(op, cells)
        for group, key in cells:
            if op is ops.vmap and not (group is self.env and str(key).startswith("%results")):
                name = f"'{key}'" if group.kind == "variables" else "a list, dict or object"
                what = f"it changes {name}, which is around it"
                raise DiagnosticError(catalog.NOT_VECTORIZED, None, what=what)

    # --- arguments --------------------------------------------------------------------------------

    def _arguments(self, call: _Call, change: Leaf, node: Any) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with other leaves; those by name are batched along their first axis."""
        axes = call.in_axes
        axes = self.content(axes) if isinstance(axes, ListRef) else axes
        args = self._along(axes, call.args, change, texts.IN_AXES, node)
        named = {
            name: self.each(x, lambda leaf: change(leaf, 0)) for name, x in call.kwargs.items()
        }
        return list(args), named

    def _along(self, axes: Any, tree: Any, change: Leaf, what: str, node: Any) -> Any:
        """A tree with other leaves, each of which is given the axis of the prefix that holds it."""
        if axes is None and what == texts.IN_AXES:
            return tree
        if axes is None or type(axes) is int:
            return self.each(tree, lambda leaf: change(leaf, axes))
        if isinstance(axes, Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="an axis of vmap")
        parts, items = self._parts_of(axes), self._parts_of(tree)
        if items is None and _is_of_the_run(tree):
            self._no_examples(f"{what.split()[1]} has parts for {describe_result(tree)}", node)
        if parts is None or items is None or parts.keys() != items.keys():
            return self.fails("ValueError", what, node)
        changed = {k: self._along(parts[k], x, change, what, node) for k, x in items.items()}
        if isinstance(tree, tuple):
            return make_tuple(tree, list(changed.values()))
        made = self.new_dict if isinstance(tree, DictRef) else self.new_list
        return made(changed if isinstance(tree, DictRef) else changed.values())

    def _parts_of(self, tree: Any) -> dict[Any, Any] | None:
        """What a tuple, list or dict holds, by place or key; None for anything else."""
        content = self.content(tree) if isinstance(tree, ListRef | DictRef) else tree
        if isinstance(content, tuple):
            return dict(enumerate(content))
        return content if isinstance(content, dict) else None

    def _array(self, leaf: Any, axis: int, node: Any) -> Value:
        """An array of examples."""
        if self.cell_parameters(leaf) is not None:
            return self.fails("ValueError", texts.CELL, node)  # type: ignore[no-any-return]
        if _is_of_the_run(leaf):
            shown = describe_result(leaf)
            self._no_examples(f"in_axes has an axis for what is {shown}: give None for it", node)
        type_ = leaf_type(leaf) if is_liftable(leaf) else None
        rank, least = (0 if type_ is None else len(dims_of(type_))), texts.least_rank(axis)
        if rank < least:
            message = texts.RANK.format(axis=axis, least=least, rank=rank)
            return self.fails("ValueError", message, node)  # type: ignore[no-any-return]
        return ops.as_value(leaf)

    def _size(self, call: _Call, axis_size: Any, node: Any) -> Any:
        """The number of examples, in which all arrays agree."""
        if axis_size is not None and not _is_int(axis_size):
            self.fails("TypeError", texts.AXIS_SIZE, node)
        sizes = [] if axis_size is None else [axis_size]
        pairs = zip(call.arrays, call.axes, strict=True)
        with self.at(node):
            sizes += [ops.shape_of(array)[axis] for array, axis in pairs]
        if not sizes:
            return self.fails("ValueError", texts.NO_SIZE, node)
        for other in sizes[1:]:
            self._require(library.require_same_size, sizes[0], other, node=node)
        return sizes[0]

    def _require(self, function: Any, *args: Any, node: Any) -> None:
        self.call_function(self.user_function(function), list(args), {}, node)

    # --- results ----------------------------------------------------------------------------------

    def _rows_of(
        self, leaf: Any, axis: int | None, span: SourceSpan, node: Any
    ) -> tuple[Value, str | None, Callable[[Value], Any]]:
        """A list, dict or tuple of which the run alone knows what it holds: it is handed on as it
        is, and stacked item by item when all examples have run.
        """
        is_tuple = isinstance(leaf, RunTimeTuple)
        value = self.to_value(leaf.items if is_tuple else leaf)
        ops.require_rows(value.type, span)
        stack = _Stacking(axis, span, self.user_function).of(value.type)

        def stacked(found: Value) -> Any:
            opened = self.open(found)
            rows = self.new_list([opened]) if axis is None else opened
            return _as_tuple(self.call_function(stack, [rows], {}, node), is_tuple)

        return value, None if axis is None else ops.ROWS, stacked

    def _output_of(
        self, leaf: Any, axis: int | None, span: SourceSpan, node: Any
    ) -> tuple[Value, int | None, Callable[[Value], Any]]:
        """A number or array, which is stacked with those of the other examples."""
        type_: Type | None = leaf_type(leaf) if is_liftable(leaf) else None
        ops.require_stackable(type_, span, describe_result(leaf))
        assert type_ is not None
        if self.compilation.derivatives and is_sometimes_inexact(leaf):
            with self.builder.at(span):
                leaf = ops.emit(ops.dynamic.inexact, leaf, type=inexact_type(leaf), of="example")
            type_ = leaf.type
        ranks = [len(dims_of(member)) for member in members_of(type_)]
        least = 0 if axis is None else texts.least_rank(axis)
        if least > max(ranks) + 1:
            self.fails("ValueError", texts.OUT_RANK.format(axis=axis, rank=ranks[0]), node)
        if least > min(ranks) + 1:
            what = f"out_axes is {axis}, and what it returns may be of the types {type_}"
            raise DiagnosticError(catalog.NOT_VECTORIZED, span, what=what)
        return ops.as_value(leaf), axis, lambda value: value

    def _no_examples(self, what: str, node: Any) -> None:
        self.error(catalog.NOT_VECTORIZED, node, what=what)


@dataclass(frozen=True, slots=True)
class _Stacking:
    """Makes functions that make one value of a list of those that the examples gave."""

    axis: int | None
    span: SourceSpan
    known: Callable[[Any], Any]
    """Makes a function in the graph of one of ``library``."""

    def of(self, type_: Type) -> Partial:
        """The function for values of this type."""
        if isinstance(type_, ListType):
            return self._partial(library.stacked_lists, self.of(type_.item))
        if isinstance(type_, DictType):
            return self._partial(library.stacked_dicts, self.of(type_.value))
        if isinstance(type_, TupleType):
            return self._partial(library.stacked_tuples, tuple(map(self.of, type_.items)))
        if self.axis is None:
            return self._partial(library.first_row)
        of_type = Partial(_stacked_of_type, (type_, self.axis, self.span), ())
        least = texts.least_rank(self.axis)
        return self._partial(library.stacked_numbers, self.axis, least, of_type)

    def _partial(self, function: Any, *args: Any) -> Partial:
        return Partial(self.known(function), args, ())


def _as_tuple(items: Any, is_tuple: bool) -> Any:
    return RunTimeTuple(items) if is_tuple else items


def _is_of_the_run(leaf: Any) -> bool:
    """Whether the run alone knows what numbers and arrays a leaf holds."""
    return isinstance(leaf, ListRef | DictRef | RunTimeTuple | Variant)


def _is_int(size: Any) -> bool:
    return is_liftable(size) and leaf_type(size) == INT
