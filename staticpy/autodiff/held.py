"""Which memory of a piece of the graph has a shadow with boxes (``boxes``): what holds numbers that
are read again, unless it is a list of numbers or arrays of which all that is done has a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from itertools import compress

from staticpy.autodiff.cotangents import may_be_array
from staticpy.ir import (
    NEVER,
    DictType,
    ListType,
    ObjectType,
    Operation,
    TensorType,
    TupleType,
    Type,
    Value,
    members_of,
)
from staticpy.ops import COPIED, always_array, constant, is_inexact, parts_of_type

_PLAIN = ("list.make", "list.append", "list.getitem", "list.setitem", *COPIED)
"""The ops on a list of numbers or arrays that have rules, which need no boxes."""
_SECOND = {"list.nlargest": 1, "list.nsmallest": 1}
"""The ops whose list is not their first operand, and where it is."""
_COUNTS = ("list.len", "list.contains", "list.index", "list.count", "list.eq")
_READERS = (
    *("tuple.items", "object.getattr", "list.from_array"),
    *("dict.getitem", "dict.get", "dict.pop", "dict.popitem"),
    *("dict.keys", "dict.values", "dict.items"),
)


def homes_with_boxes(
    operations: Iterable[Operation],
    varied: set[Value],
    home_of: Callable[[Value], Value],
    changed: Container[Value],
    boxed: Iterable[Value] = (),
) -> tuple[set[Value], set[Value]]:
    """What stands for the memory whose shadow has boxes, by ``home_of``, and for that which would
    have some if anything was read of it. A tuple without memory stands for itself. ``changed``
    stands for the memory of which arrays have shadows of their own; what is ``boxed`` is so anyway.
    Of what goes into a function, or comes out of it, something may be read there; what is a number
    or an array without axes may be what is differentiated.
    """
    structured = set(map(home_of, boxed))
    read = set(structured)
    for operation in operations:
        for value in (*operation.operands, *operation.results):
            if has_structure(value.type):
                structured.add(home_of(value))
            if value in varied and _is_without_axes(value.type):
                read.add(home_of(value))
        if not operation.operands:
            continue
        if operation.name == "call":
            passed = (*operation.operands, *operation.results)
            read.update(home_of(each) for each in passed if each in varied)
            lists, more = operation.attrs.get("boxed", ((), ()))
            structured.update(map(home_of, compress(operation.operands, lists)))
            structured.update(map(home_of, compress(operation.results, more)))
        first = operation.operands[_SECOND.get(operation.name, 0)]
        is_beyond = _goes_beyond_lists(operation, first, home_of(first) in changed)
        if is_beyond or _begins_to_hold_numbers(operation):
            structured.add(home_of(first))
        if operation.name.startswith("any.") and not _tells_class(operation):
            read.update(home_of(each) for each in operation.operands if each in varied)
        is_read = operation.name in _READERS or _is_of_lists(operation)
        if is_read and first in varied and any(result in varied for result in operation.results):
            read.add(home_of(first))
    return structured & read, structured - read


def _tells_class(operation: Operation) -> bool:
    """Whether an operation on a value of several types says which it is of, or that it is an object
    of one class, of which nothing is read so far.
    """
    is_narrow = operation.name == "any.narrow"
    return operation.name == "any.is" or (
        is_narrow and isinstance(operation.result.type, ObjectType)
    )


def is_array_sometimes(type_: Type) -> bool:
    """Whether a value of this type is an array on some paths, and something else on others."""
    members = members_of(type_)
    return len(members) > 1 and may_be_array(type_) and not always_array(type_)


def _is_without_axes(type_: Type) -> bool:
    """Whether a value of this type is a number, or an array of one number."""
    members = members_of(type_)
    arrays = [each for each in members if isinstance(each, TensorType)]
    is_mixed = 0 < len(arrays) < len(members)
    return is_mixed and all(map(is_inexact, members)) and not any(each.rank for each in arrays)


def has_structure(type_: Type) -> bool:
    """Whether values of this type hold numbers in another way than as a list of numbers or arrays
    does, or may be an array or something else.
    """
    members = members_of(type_)
    if any(isinstance(x, TensorType) and is_inexact(x) for x in members):
        return is_array_sometimes(type_)
    return any(map(_is_structured, members))


def _is_structured(type_: Type) -> bool:
    if isinstance(type_, TupleType):
        return any(is_inexact(part) or _holds(part) for part in parts_of_type(type_))
    if isinstance(type_, ListType):
        return has_structure(type_.item)
    return isinstance(type_, DictType | ObjectType)


def _holds(type_: Type) -> bool:
    return isinstance(type_, ListType | DictType | ObjectType)


def _goes_beyond_lists(operation: Operation, items: Value, is_changed: bool) -> bool:
    """Whether an operation does something to a list for which the list needs boxes. ``is_changed``
    says whether an array in it may have a shadow of its own.
    """
    if not isinstance(items.type, ListType):
        return False
    if operation.name == "list.pop":
        item = operation.result.type
        is_of_lists = isinstance(item, ListType) and not is_inexact(item.item)
        return is_of_lists or not takes_last(operation)
    if operation.name == "list.setitem":
        item = operation.operands[2].type
        return isinstance(item, ListType) or (is_changed and isinstance(item, TensorType))
    return _is_of_lists(operation) and operation.name not in (*_PLAIN, *_COUNTS)


def _begins_to_hold_numbers(operation: Operation) -> bool:
    """Whether an operation lets a list hold numbers of more types than so far, or all items of it
    are something else so far: of these there are no zeros beside them.
    """
    given, *_ = (each.type for each in operation.operands)
    if operation.name != "object.cast" or given in (operation.result.type, ListType(NEVER)):
        return False
    return isinstance(given, ListType) and _lists_numbers(operation.result.type)


def _lists_numbers(type_: Type) -> bool:
    return isinstance(type_, ListType) and any(map(is_inexact, members_of(type_.item)))


def _is_of_lists(operation: Operation) -> bool:
    return operation.name.startswith("list.") or operation.name == "math.fsum_of"


def takes_last(operation: Operation) -> bool:
    """Whether ``list.pop`` takes the last item."""
    place = operation.operands[1].defining_op if len(operation.operands) > 1 else None
    is_known = place is not None and place.op is constant
    return len(operation.operands) == 1 or (is_known and place.attrs["value"] == -1)  # type: ignore[union-attr]
