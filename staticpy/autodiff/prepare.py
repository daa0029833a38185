"""What is spelled out in a block before it is differentiated, so that less has to be known of it.

Operators on what is an array on some paths become one for each path (``members``). What joins the
arrays of a list becomes an op of lists, through which their cotangents find their way:

    %y = numpy.call %l {function = "vstack", …}       # %l : list[f64[n]]
    %y = list.stack %l {axis = 0, type = !f64[?, n]}

``np.array(l)`` of a list of lists or tuples becomes one of a list of arrays (``rows``).
``x[:] = [a, b]`` and its like, which write a list to an array, write an array of it.
What ``as_strided`` sees becomes elements of the array, ``x.ravel()[places]``.
``l.remove(x)`` becomes ``del l[l.index(x)]``, ``insort(l, x)`` becomes
``l.insert(bisect(l, x), x)``, ``list(x)`` becomes a loop that reads one item after the other,
``math.prod(x)`` one that multiplies by them, ``l.sort()`` becomes ``l[:] = sorted(l, key=...)``,
and a ``while`` whose test does more than to test is ``rotation``'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable
from staticpy.autodiff.boxes import by_member
from staticpy.autodiff.exports import export_attributes
from staticpy.autodiff.held import has_structure
from staticpy.autodiff.members import split_operators
from staticpy.autodiff.outside import own_lists
from staticpy.autodiff.rotation import is_rotated, rotate
from staticpy.autodiff.rows import arrays_of_rows, has_rows, joins_rows, spell_out_rows
from staticpy.autodiff.stacking import is_stack_of_ranks, spell_out_stack
from staticpy.ir import (
    INT,
    Block,
    Builder,
    ListType,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    builder_before,
    dims_of,
    members_of,
    rewriter,
    union_of,
    walk,
)
from staticpy.ops import REGISTRY, Traced, call_traced, constant, is_inexact, is_stackable, untrace

_STRIDED = "lib.stride_tricks.as_strided"
_SAID = ("function", "results", "axis")
NUMBERED = {"put": 2, "putmask": 2, "place": 2, "fill_diagonal": 1, "flat.setitem": 1}
NUMBERED |= {"put_along_axis": 2, "set_array_attribute": 1}
"""The ops that write values where the op alone knows, and the position of the values."""

_WRITING = {**NUMBERED, "store": 1, "copyto": 1, "ufunc.at": 1}
"""The ops that write to an array what may be a list, and its position."""


def prepare(block: Block, sources: Iterable[Value]) -> None:
    """Spell out what ``block`` does to what depends on ``sources``."""
    sources = list(sources)
    export_attributes(block)
    _spell_out(block, sources, _is_join, {"numpy.call": _spell_out_join})
    _spell_out(block, sources, _is_strided(block, sources), {"numpy.view": _spell_out_strided})
    _spell_out(block, sources, _writes_list, dict.fromkeys(_WRITING, _spell_out_list))
    _spell_out(block, sources, is_stack_of_ranks, {"list.stack": spell_out_stack})
    _spell_out(block, sources, has_rows, {"list.array": spell_out_rows})
    own_lists(block, sources)
    split_operators(block, sources)
    _spell_out(block, sources, _is_spelled_out, _SPELLED_OUT)


def find_places(block: Block, sources: Iterable[Value]) -> None:
    """Let each ``remove`` and ``insort`` of what depends on ``sources`` find its place first."""
    _spell_out(block, sources, lambda each: each.name in _PLACED, _PLACED)


def _spell_out(
    block: Block,
    sources: Iterable[Value],
    is_meant: Callable[[Operation], bool],
    spell_out: Mapping[str, Callable[[Builder, Operation], None]],
) -> None:
    """Replace the operations that are meant, if they depend on ``sources``, each by the function
    for its name.
    """
    found = [each for each in walk(block) if is_meant(each)]
    varied = Activity(block.operations[:-1], sources).varied if found else set()
    for operation in found:
        if not varied.isdisjoint(operation.operands):
            builder = builder_before(operation)
            with builder.current():
                spell_out[operation.name](builder, operation)


def prepare_to_go_back(block: Block, sources: Iterable[Value]) -> None:
    """As ``prepare``, with what the way back alone needs: loops whose tests do nothing else, inner
    ones first.
    """
    for operation in reversed([each for each in walk(block) if each.op is ops.while_]):
        if is_rotated(operation):
            builder = builder_before(operation)
            rotate(builder, operation)
    prepare(block, sources)


def _is_spelled_out(operation: Operation) -> bool:
    return operation.name in _SPELLED_OUT


def _is_join(operation: Operation) -> bool:
    return operation.name == "numpy.call" and (joins_rows(operation) or bool(_join_of(operation)))


# --- x[:] = [a, b], x.flat = [a, b] ---------------------------------------------------------------


def _writes_list(operation: Operation) -> bool:
    """Whether an operation writes a list or tuple to an array that has cotangents."""
    attrs = operation.attrs
    writes = operation.name in _WRITING and attrs.get("name", "flat") == "flat"
    if not writes or attrs.get("count") == 0 or not is_inexact(operation.operands[0].type):
        return False
    value = operation.operands[_WRITING[operation.name]]
    return isinstance(value.type, ListType | TupleType)


def _spell_out_list(_: Builder, operation: Operation) -> None:
    """NumPy makes an array of it, too, of the dtype of the one that is written to; what is added
    to that has its own.
    """
    target, place = operation.operands[0].type, _WRITING[operation.name]
    assert isinstance(target, TensorType)
    dtype = None if operation.name == "ufunc.at" else target.dtype
    made = ops.FUNCTIONS[np.asarray](_items_of(operation.operands[place]), dtype)
    rewriter.set_operand(operation, place, ops.as_value(made))


def _items_of(value: Value) -> Any:
    """What a list or tuple holds that is made for one operation; another value itself."""
    made = value.defining_op
    if made is None or made.name not in ("list.make", "tuple.make") or len(value.uses) > 1:
        return value
    return list(map(_items_of, made.operands))


# --- as_strided(x) --------------------------------------------------------------------------------


def _is_strided(block: Block, sources: Iterable[Value]) -> Callable[[Operation], bool]:
    """Tells which operations see the memory of an array in another way, to which nobody writes."""
    views = (each for each in walk(block) if each.name == "numpy.view")
    found = {each for each in views if each.attrs["function"] == _STRIDED}
    activity = Activity(block.operations[:-1] if found else (), sources)
    return lambda each: each in found and not activity.is_changed(each.operands[0])


def _spell_out_strided(builder: Builder, operation: Operation) -> None:
    attrs = {name: each for name, each in operation.attrs.items() if name != "results"}
    attrs["rank"] = len(dims_of(operation.result.type))
    places = builder.emit(REGISTRY["strided_places"], operation.operands, attrs).result
    made = np.ravel(Traced(operation.operands[0]))[Traced(places)]
    rewriter.replace(operation, [ops.as_value(untrace(made))])


# --- np.stack(l) ----------------------------------------------------------------------------------


def _spell_out_join(builder: Builder, operation: Operation) -> None:
    if joins_rows(operation):
        rewriter.set_operand(operation, 0, arrays_of_rows(builder, operation.operands[0]))
    found = _join_of(operation)
    if found is None:
        return
    name, axis = found
    items, type_ = operation.operands[0], operation.result.type
    assert isinstance(items.type, ListType)
    more = _rank(type_) - _rank(items.type.item) - (name == "list.stack")  # of size 1 in front
    arrays = [each for each in members_of(type_) if isinstance(each, TensorType)]
    kinds = (TensorType(each.dtype, each.dims[more:]) for each in arrays)
    attrs = {"axis": axis, "type": union_of(kinds)}
    made: Value = builder.emit(REGISTRY[name], [items], attrs).result
    if more:
        made = by_member(made, lambda array: ops.as_value(untrace(Traced(array)[(None,) * more])))
    rewriter.replace(operation, [made])


def _rank(type_: Type) -> int:
    """The number of axes, which all members of a type have."""
    return len(dims_of(members_of(type_)[0]))


def _join_of(operation: Operation) -> tuple[str, int] | None:
    """The op of lists that does the same, but for axes of size 1 in front, and its axis; None where
    there is none.
    """
    type_ = operation.operands[0].type if operation.operands else None
    if not isinstance(type_, ListType):
        return None
    function, item, more = operation.attrs["function"], type_.item, operation.operands[1:]
    made = [each.defining_op for each in more]
    known = [each.attrs["value"] for each in made if each is not None and each.op is constant]
    axis = operation.attrs.get("axis", known[0] if known else 0)
    options = {name: each for name, each in operation.attrs.items() if name not in _SAID}
    is_plain = options in ({}, {"casting": "same_kind"}) and len(known) == len(more) <= 1
    if not is_plain or type(axis) is not int:
        return None
    if not is_stackable(item) or ops.is_list_of_ranks(type_) or not is_differentiable(item):
        return None
    stack, concatenate = "list.stack", "list.concatenate"
    rank = _rank(item)
    if not rank:
        return (stack, 0) if function in ("stack", "hstack", "dstack", "block") else None
    is_row = rank == 1
    return {
        "stack": (stack, axis),
        "concatenate": (concatenate, axis),
        "vstack": (stack if is_row else concatenate, 0),
        "hstack": (concatenate, 0 if is_row else 1),
        "column_stack": (stack if is_row else concatenate, 1),
        "dstack": (stack, rank) if rank < 3 else (concatenate, 2),
        "block": (concatenate, rank - 1),
    }.get(function)


# --- list(x) --------------------------------------------------------------------------------------


def _spell_out_items(builder: Builder, operation: Operation) -> None:
    (array,), made = operation.operands, operation.result
    assert isinstance(made.type, ListType)
    if not is_inexact(made.type.item):
        return
    items = builder.emit(REGISTRY["list.make"], [], {"type": made.type}).result
    count, body = ops.as_value(ops.shape_of(array)[0]), Block([INT])
    with builder.inside(body):
        item = ops.as_value(untrace(_item(Traced(array)[Traced(body.args[0])], made.type.item)))
        builder.emit(REGISTRY["list.append"], [items, item])
        builder.emit(ops.region_yield, [])
    bounds = [ops.as_value(0), count, ops.as_value(1)]
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])
    rewriter.replace(operation, [items])


def _item(item: Any, type_: Type) -> Any:
    """An item of ``list(x)``, or of ``x.tolist()``, which is a number of Python's."""
    if not isinstance(type_, PythonType):
        return item
    return call_traced(complex if type_.kind == "complex" else float, item)


# --- l.remove(x) ----------------------------------------------------------------------------------


def _spell_out_remove(builder: Builder, operation: Operation) -> None:
    items, item = operation.operands
    is_there = builder.emit(REGISTRY["list.contains"], [items, item], {}).result
    with builder.region() as then:
        place = builder.emit(REGISTRY["list.index"], [items, item], {}).result
        builder.emit(REGISTRY["list.delitem"], [items, place])
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        attrs = {"exception": "ValueError", "args": ("list.remove(x): x not in list",)}
        builder.emit(ops.raise_, [], attrs)
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [is_there], {}, [then, orelse])
    rewriter.replace(operation, [])


# --- insort(l, x) ---------------------------------------------------------------------------------


def _spell_out_insort(builder: Builder, operation: Operation) -> None:
    items, item, *_ = operation.operands
    name = operation.name.replace("insort", "bisect")
    place = builder.emit(REGISTRY[name], operation.operands, {}).result
    builder.emit(REGISTRY["list.insert"], [items, place, item])
    rewriter.replace(operation, [])


_PLACED = {
    "list.remove": _spell_out_remove,
    "list.insort_left": _spell_out_insort,
    "list.insort_right": _spell_out_insort,
}
"""The functions of what finds the place of what it changes."""


# --- math.prod(x), math.dist(p, q) ----------------------------------------------------------------


def _spell_out_prod(builder: Builder, operation: Operation) -> None:
    sequence, start = operation.operands
    body = Block([INT, operation.result.type])
    number, total = body.args
    with builder.inside(body):
        item = _read(builder, sequence, number)
        builder.emit(ops.region_yield, [ops.as_value(ops.binary("*", total, item))])
    bounds = [ops.as_value(0), _length(builder, sequence), ops.as_value(1)]
    attrs = {"breaks": False}
    made = builder.emit(ops.for_, [*bounds, start], attrs, [Region(body)])
    rewriter.replace(operation, made.results)


def _length(builder: Builder, sequence: Value) -> Value:
    if isinstance(sequence.type, ListType):
        return builder.emit(REGISTRY["list.len"], [sequence]).result
    return ops.as_value(ops.shape_of(sequence)[0])


def _read(builder: Builder, sequence: Value, number: Value) -> Value:
    """An item of a list or an array of rank 1."""
    if isinstance(sequence.type, ListType):
        return builder.emit(REGISTRY["list.getitem"], [sequence, number]).result
    return ops.as_value(untrace(Traced(sequence)[Traced(number)]))


def _spell_out_dist(builder: Builder, operation: Operation) -> None:
    """The points are arrays, which the rule is for."""
    if not all(map(_is_row, operation.operands)):
        return
    points = [_as_array(builder, each) for each in operation.operands]
    rewriter.set_operands(operation, points)


def _is_row(point: Value) -> bool:
    return isinstance(point.type, TensorType) or is_inexact(_item_of(point.type))


def _item_of(type_: Type) -> Type:
    assert isinstance(type_, ListType)
    return type_.item


def _as_array(builder: Builder, point: Value) -> Value:
    if isinstance(point.type, TensorType):
        return point
    item = _item_of(point.type)
    dtype = item.dtype if isinstance(item, ScalarType) else np.dtype(np.float64)
    attrs = {"axis": 0, "type": TensorType(dtype, ("?",))}
    return builder.emit(REGISTRY["list.stack"], [point], attrs).result


# --- l.sort() -------------------------------------------------------------------------------------


def _spell_out_sort(builder: Builder, operation: Operation) -> None:
    (items,) = operation.operands
    assert isinstance(items.type, ListType)
    item = items.type.item
    if not (any(map(is_inexact, members_of(item))) or has_structure(item)):
        return
    keys = builder.emit(REGISTRY["list.copy"], [items]).result
    found = builder.emit(REGISTRY["list.sorted_by"], [items, keys], operation.attrs).result
    nothing = ops.as_value(None)
    builder.emit(REGISTRY["list.setslice"], [items, found, nothing, nothing, nothing])
    rewriter.replace(operation, [])


_SPELLED_OUT = {
    "list.from_array": _spell_out_items,
    "list.sort": _spell_out_sort,
    "math.prod_of": _spell_out_prod,
    "math.dist_of": _spell_out_dist,
}
