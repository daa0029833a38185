"""What stands beside a dict whose keys are differentiated: a dict by the same keys, with a pair of
what stands beside the key, and beside the value.

    dict.setitem %d, %x, %y         %sp = tuple.make %sx, %sy        # %sx is kept where %x is there
                                    dict.setitem %sd, %x, %sp
    %i = dict.items %d              %si = dict.values %sd

As in the dict itself, the key that was put in first stays. Forward mode has tangents in the pairs,
reverse mode shadows.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.ir import (
    INT,
    NEVER,
    Block,
    DictType,
    ObjectType,
    Operation,
    Region,
    TupleType,
    Type,
    UnionType,
    Value,
    current_builder,
)
from staticpy.ops import REGISTRY

Beside = Callable[[Value], Value]
"""Gives what stands beside a value."""


def has_number_keys(type_: Type) -> bool:
    """Whether this is a dict whose keys are, or hold, numbers that derivatives flow through."""
    return isinstance(type_, DictType) and _is_key(type_.key)


def dict_beside(type_: DictType, form: Callable[[Type], Type]) -> DictType:
    """The type of what stands beside a dict; ``form`` gives that of what stands beside a value."""
    value = form(type_.value)
    is_paired = has_number_keys(type_)
    return DictType(type_.key, TupleType((form(type_.key), value)) if is_paired else value)


def _is_key(type_: Type) -> bool:
    parts = list(_parts(type_))
    is_known = not any(isinstance(each, ObjectType) or each == NEVER for each in parts)
    return is_known and any(map(is_differentiable, parts))


def _parts(type_: Type) -> list[Type]:
    if isinstance(type_, TupleType):
        return [part for item in type_.items for part in _parts(item)]
    if isinstance(type_, UnionType):
        return [part for member in type_.members for part in _parts(member)]
    return [type_]


def is_keyed(operation: Operation) -> bool:
    """Whether an operation does to a dict with such keys what ``do`` does to the one beside it."""
    if operation.name not in _DO:
        return False
    made = operation.results[:1] if operation.name == "dict.make" else operation.operands[:1]
    return any(has_number_keys(each.type) for each in made)


def do(operation: Operation, beside: Beside, form: Callable[[Type], Type]) -> Value | None:
    """Do with the dict beside what an operation does with a dict; what stands beside its result, if
    it has one. ``form`` gives the type of what stands beside a value of a type.
    """
    return _DO[operation.name](operation, beside, form)


def begins_to_be_keyed(operation: Operation) -> bool:
    """Whether an operation lets a dict, whose keys were ints or texts so far, have such keys."""
    if operation.name != "object.cast" or not has_number_keys(operation.result.type):
        return False
    given = operation.operands[0].type
    return isinstance(given, DictType) and not has_number_keys(given)


def paired(
    operation: Operation, values: Value | None, zero: Beside, form: Callable[[Type], Type]
) -> Value:
    """What stands beside a dict that ``begins_to_be_keyed``; ``values`` stands beside it so far, if
    anything does, and ``zero`` gives what stands beside what has none.
    """
    (given,) = operation.operands
    made = _emit("dict.make", type=form(operation.result.type))
    keys = _emit("dict.keys", given)

    def put(number: Value) -> None:
        key = _emit("list.getitem", keys, number)
        found = _emit("dict.getitem", given if values is None else values, key)
        pair = _emit("tuple.make", zero(key), zero(found) if values is None else found)
        current_builder().emit(REGISTRY["dict.setitem"], [made, key, pair])

    _for_each(keys, put)
    return made


# --- writing --------------------------------------------------------------------------------------


def _make(operation: Operation, beside: Beside, form: Callable[[Type], Type]) -> Value:
    made = _emit("dict.make", type=form(operation.result.type))
    half = len(operation.operands) // 2
    keys, values = operation.operands[:half], operation.operands[half:]
    for key, value in zip(keys, values, strict=True):
        _put(made, key, beside(key), beside(value))
    return made


def _put(pairs: Value, key: Value, of_key: Value, of_value: Value) -> None:
    kept = _if_there(pairs, key, lambda: _part(_emit("dict.getitem", pairs, key), 0), of_key)
    pair = _emit("tuple.make", kept, of_value)
    current_builder().emit(REGISTRY["dict.setitem"], [pairs, key, pair])


def _setitem(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> None:
    items, key, value = operation.operands
    _put(beside(items), key, beside(key), beside(value))


def _update(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> None:
    pairs, others = map(beside, operation.operands)
    keys = _emit("dict.keys", others)

    def put(number: Value) -> None:
        key = _emit("list.getitem", keys, number)
        pair = _emit("dict.getitem", others, key)
        _put(pairs, key, _part(pair, 0), _part(pair, 1))

    _for_each(keys, put)


def _same(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> Value | None:
    items, *others = operation.operands
    made = current_builder().emit(operation.op, [beside(items), *others], operation.attrs)
    return made.results[0] if made.results else None


# --- reading --------------------------------------------------------------------------------------


def _value(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> Value:
    """``d[key]``, ``d.get(key)`` and ``d.pop(key)``, the last two perhaps with a default."""
    items, key, *default = operation.operands
    pairs = beside(items)
    name = "dict.pop" if operation.name == "dict.pop" else "dict.getitem"
    if operation.name != "dict.get" and not default:
        return _part(_emit(name, pairs, key), 1)
    missing = beside(default[0]) if default else ops.as_value(None)
    return _if_there(pairs, key, lambda: _part(_emit(name, pairs, key), 1), missing)


def _items(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> Value:
    return _emit("dict.values", beside(operation.operands[0]))


def _column(at: int) -> Callable[[Operation, Beside, Callable[[Type], Type]], Value]:
    """The list of one part of all pairs."""

    def column(operation: Operation, beside: Beside, form: Callable[[Type], Type]) -> Value:
        pairs = _emit("dict.values", beside(operation.operands[0]))
        made = _emit("list.make", type=form(operation.result.type))

        def add(number: Value) -> None:
            part = _part(_emit("list.getitem", pairs, number), at)
            current_builder().emit(REGISTRY["list.append"], [made, part])

        _for_each(pairs, add)
        return made

    return column


def _popitem(operation: Operation, beside: Beside, _: Callable[[Type], Type]) -> Value:
    return _part(_emit("dict.popitem", beside(operation.operands[0])), 1)


_DO: dict[str, Callable[[Operation, Beside, Callable[[Type], Type]], Value | None]] = {
    "dict.make": _make,
    "dict.setitem": _setitem,
    "dict.update": _update,
    **dict.fromkeys(("dict.copy", "dict.delitem", "dict.clear"), _same),
    **dict.fromkeys(("dict.getitem", "dict.get", "dict.pop"), _value),
    "dict.items": _items,
    "dict.keys": _column(0),
    "dict.values": _column(1),
    "dict.popitem": _popitem,
}


# --- steps ----------------------------------------------------------------------------------------


def _if_there(pairs: Value, key: Value, found: Callable[[], Value], missing: Value) -> Value:
    builder = current_builder()
    with builder.region() as then:
        builder.emit(ops.region_yield, [found()])
    with builder.region() as orelse:
        builder.emit(ops.region_yield, [missing])
    is_there = _emit("dict.contains", pairs, key)
    return builder.emit(ops.if_, [is_there], {}, [then, orelse]).result


def _for_each(items: Value, do_to: Callable[[Value], None]) -> None:
    """A loop over the numbers of the items of a list."""
    builder = current_builder()
    bounds = [ops.as_value(0), _emit("list.len", items), ops.as_value(1)]
    body = Block([INT])
    with builder.inside(body):
        do_to(body.args[0])
        builder.emit(ops.region_yield, [])
    builder.emit(ops.for_, bounds, {"breaks": False}, [Region(body)])


def _part(pair: Value, at: int) -> Value:
    return current_builder().emit(REGISTRY["tuple.items"], [pair]).results[at]


def _emit(name: str, *operands: Value, **attrs: object) -> Value:
    return current_builder().emit(REGISTRY[name], operands, attrs).result
