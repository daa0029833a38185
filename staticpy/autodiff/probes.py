"""What a change to memory would raise, found out without making it: a read in its place, or the
same change of a copy.

    list.setitem %l, %v, %i                  %0 = list.getitem %l, %i
    iadd %y, %v                              %0 = copy %y
                                             iadd %0, %v

That works for changes that are made as a whole or not at all.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import IN_PLACE_OPS
from staticpy.ir import (
    COMPLEX,
    FLOAT,
    NONE,
    OBJECT,
    DictType,
    ListType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    current_builder,
)
from staticpy.ops import REGISTRY, Handlers, parts_of_type

_SURE = (
    *("list.append", "list.insert", "list.clear", "list.reverse"),
    *("dict.setitem", "dict.update", "dict.clear"),
    *("object.setattr", "object.set_slot", "print"),
)
"""The ops that change something and raise nothing."""
_NO_PLACE = "list assignment index out of range"
_READS = {
    "list.setitem": ("list.getitem", _NO_PLACE),
    "list.delitem": ("list.getitem", _NO_PLACE),
    "list.delslice": ("list.getslice", None),
    "list.pop": ("list.getitem", "pop index out of range"),
    "dict.delitem": ("dict.getitem", None),
    "dict.pop": ("dict.getitem", None),
    "dict.popitem": ("dict.len", None),
}
"""The ops that read where others write, and raise what these raise, or an IndexError that says
something else.
"""
_STORES = ("store", "fill", "copyto")
_WHOLE = (*_STORES, "ufunc.at", *(op.name for op in IN_PLACE_OPS))
"""The ops that write to an array once it is sure that there are such places and sizes. After that
NumPy may still raise what is wrong with the numbers.
"""


def is_sure(operation: Operation) -> bool:
    """Whether a change raises nothing."""
    name, operands = operation.name, operation.operands
    if name.startswith("dict.") and not _is_plain_key(operands[0].type):
        return False
    if name == "list.extend":
        return isinstance(operands[1].type, ListType | TupleType | TensorType)
    if name == "list.setslice":
        return isinstance(operands[1].type, ListType | TupleType) and _is_none(operands[4])
    if name == "list.sort":
        return _is_of_plain_items(operands[0].type)
    return name in _SURE or is_box(operation) or (name == "dict.pop" and len(operands) == 3)


def _is_none(value: Value) -> bool:
    made = value.defining_op
    return made is not None and made.op is ops.constant and made.attrs["value"] is None


def is_box(operation: Operation) -> bool:
    """Whether an operation writes to a list of one item, which is there."""
    if operation.name != "list.setitem":
        return False
    box, place = operation.operands[:2]
    made, known = box.defining_op, place.defining_op
    is_first = known is not None and known.op is ops.constant and known.attrs["value"] == 0
    is_made = made is not None and made.name == "list.make" and len(made.operands) == 1
    return is_first and is_made and all(_is_of_box(each, box) for each in box.users)


def _is_of_box(operation: Operation, box: Value) -> bool:
    is_put = operation.name == "list.setitem" and operation.operands[2] is not box
    return is_put or operation.name == "list.getitem"


def can_be_probed(operation: Operation, handlers: Handlers) -> bool:
    """Whether it can be found out what a change raises, in a ``try`` with these ``handlers``."""
    name, target = operation.name, operation.operands[0].type if operation.operands else None
    if name in _READS:
        return not isinstance(target, DictType) or _is_plain_key(target)
    if not isinstance(target, TensorType) or name not in _WHOLE:
        return False
    is_store = name in _STORES
    if is_store and _fits(operation.operands[1].type, target):
        return True
    return not any(_is_of_numbers(each, is_store) for names in handlers for each in names)


def _is_of_numbers(name: str | int, is_store: bool) -> bool:
    """Whether a handler catches what NumPy raises of numbers when it has written them: errors of
    ``errstate``, and warnings. Those that are no builtins come from casts alone.
    """
    if isinstance(name, int):
        return is_store
    known = getattr(builtins, name)
    return any(issubclass(each, known) for each in (FloatingPointError, RuntimeWarning))


def probe(operation: Operation, values: Mapping[Value, Value]) -> None:
    """Raise what ``operation`` would, whose operands are ``values``."""
    operands = [values.get(each, each) for each in operation.operands]
    if operation.name in _READS:
        _read(operation, operands)
        return
    if operation.name != "ufunc.at":  # which asks for nothing of the kind
        text = "assignment destination" if operation.name in _STORES else "output array"
        _require_writable(operands[0], f"{text} is read-only")
    if operation.name == "store":
        _store(operation, operands)
    else:
        target, *others = operands
        ops.emit(REGISTRY[operation.name], _copy(target), *others, **operation.attrs)


def _require_writable(array: Value, text: str) -> None:
    """Raise what a write to an array does that is not to be written to, which a copy never is."""
    is_writable = ops.emit(REGISTRY["flag"], array, name="writeable")
    _unless(is_writable, _raising(text, "ValueError"))


def _read(operation: Operation, operands: list[Value]) -> None:
    name, text = _READS[operation.name]
    items, *places = operands
    if operation.name == "list.pop":
        _unless(ops.as_value(ops.compare(">", _length(items), 0)), _raising("pop from empty list"))
        places = places or [ops.as_value(-1)]
    if operation.name == "dict.popitem":
        count = ops.emit(REGISTRY[name], items)
        empty = _raising("popitem(): dictionary is empty", "KeyError")
        _unless(ops.as_value(ops.compare(">", count, 0)), empty)
        return
    if text is None:
        ops.emit(REGISTRY[name], items, *places)
        return
    builder = current_builder()
    with builder.region() as body:
        ops.emit(REGISTRY[name], items, places[0])
        builder.emit(ops.region_yield)
    with builder.region([OBJECT]) as handler:
        _raising(text)()
        builder.emit(ops.region_yield)
    builder.emit(ops.try_, [], {"handlers": (("IndexError",),)}, [body, handler])


def _length(items: Value) -> Value:
    return ops.emit(REGISTRY["list.len"], items)  # type: ignore[no-any-return]


def _raising(text: str, exception: str = "IndexError") -> Callable[[], None]:
    return lambda: ops.emit(ops.raise_, exception=exception, args=(text,))


def _unless(condition: Value, run: Callable[[], None]) -> None:
    """Emit a branch that is taken where the condition doesn't hold."""
    builder = current_builder()
    with builder.region() as then:
        builder.emit(ops.region_yield)
    with builder.region() as orelse:
        run()
        builder.emit(ops.region_yield)
    builder.emit(ops.if_, [condition], {}, [then, orelse])


def _store(operation: Operation, operands: list[Value]) -> None:
    target, value, *more = operands
    spec = operation.attrs["spec"]
    assert isinstance(target.type, TensorType)
    is_fitting = _fits(value.type, target.type) and not isinstance(value.type, TensorType)
    if is_fitting or "array" not in spec:
        part = ops.emit(ops.index, target, *more, spec=spec)
        if not is_fitting and isinstance(part.type, TensorType):
            ops.emit(ops.store, _copy(part), value, spec=("ellipsis",))
            return
    if not is_fitting:
        ops.emit(ops.store, _copy(target), value, *more, spec=spec)


def _copy(array: Value) -> Value:
    return ops.emit(ops.copy, array, order="K")  # type: ignore[no-any-return]


def _fits(value: Type, array: TensorType) -> bool:
    """Whether the numbers of a value are put into an array as they are."""
    if value == FLOAT:
        return array.dtype == np.float64
    return isinstance(value, ScalarType | TensorType) and value.dtype == array.dtype


def _is_plain_key(type_: Type) -> bool:
    """Whether the keys of a dict are values of Python's own, which have a hash."""
    return isinstance(type_, DictType) and _is_plain(type_.key)


def _is_plain(type_: Type) -> bool:
    kinds = PythonType | ScalarType | TupleType
    return all(isinstance(each, kinds) for each in parts_of_type(type_))


def _is_of_plain_items(type_: Type) -> bool:
    """Whether the items of a list have an order."""
    if not isinstance(type_, ListType) or type_.item in (NONE, COMPLEX):
        return False
    return isinstance(type_.item, PythonType | ScalarType)
