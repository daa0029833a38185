"""Lists whose items may have one number of axes or another, told apart when the program runs.

    %rows : list[f64[n]|float]
    types_by_rank(rows)        -> [float, f64[n]]
    are_all_of(rows, f64[n])   -> whether each item is such an array
    items_as(rows, f64[n])     -> a list of the same items, of type list[f64[n]]

NumPy makes an array of such a list only where all items have one number of axes.
"""

from __future__ import annotations

from functools import reduce

from staticpy.ir import (
    BOOL,
    INT,
    Block,
    ListType,
    Operation,
    Region,
    Type,
    Value,
    current_builder,
    dims_of,
    members_of,
    union_of,
)
from staticpy.ops import dynamic
from staticpy.ops.apply import as_value, emit
from staticpy.ops.control import for_, region_yield
from staticpy.ops.opdef import REGISTRY
from staticpy.ops.operators import binary
from staticpy.ops.vectorize import is_stackable


def is_list_of_ranks(type_: Type) -> bool:
    """Whether a list holds numbers or arrays, with one number of axes on some paths and another
    one on others.
    """
    if not isinstance(type_, ListType) or not is_stackable(type_.item):
        return False
    return len({len(dims_of(member)) for member in members_of(type_.item)}) > 1


def types_by_rank(items: Value) -> list[Type]:
    """The types that the items of a list may be of, those with one number of axes as one; those
    with the fewest come first.
    """
    assert isinstance(items.type, ListType)
    found: dict[int, list[Type]] = {}
    for member in members_of(items.type.item):
        found.setdefault(len(dims_of(member)), []).append(member)
    return [union_of(found[rank]) for rank in sorted(found)]


def are_all_of(items: Value, type_: Type) -> Value:
    """Emit whether all items of a list are of a type."""
    body = Block([INT, BOOL])
    number, are_so_far = body.args
    with current_builder().inside(body):
        item = emit(REGISTRY["list.getitem"], items, number)
        tests = [emit(dynamic.is_, item, type=each) for each in members_of(type_)]
        emit(region_yield, binary("&", are_so_far, any_of(tests)))
    return _loop(items, body, [as_value(True)]).result


def any_of(tests: list[Value]) -> Value:
    """Emit whether one of several tests is true."""
    return reduce(lambda one, other: as_value(binary("|", one, other)), tests)


def items_as(items: Value, type_: Type) -> Value:
    """Emit a list of the items of another one, all of which are of a type."""
    made: Value = emit(REGISTRY["list.make"], type=ListType(type_))
    body = Block([INT])
    with current_builder().inside(body):
        item = emit(REGISTRY["list.getitem"], items, body.args[0])
        emit(REGISTRY["list.append"], made, emit(dynamic.narrow, item, type=type_))
        emit(region_yield)
    _loop(items, body, [])
    return made


def _loop(items: Value, body: Block, given: list[Value]) -> Operation:
    """A loop over the places of a list."""
    bounds = [as_value(0), emit(REGISTRY["list.len"], items), as_value(1)]
    return current_builder().emit(for_, [*bounds, *given], {"breaks": False}, [Region(body)])
