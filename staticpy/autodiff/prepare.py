"""What is spelled out in a block before it is differentiated, so that less has to be known of it.

Operators on what is an array on some paths become one for each path (``members``). What joins the
arrays of a list becomes an op of lists, through which their cotangents find their way:

    %y = numpy.call %l {function = "vstack", …}       # %l : list[f64[n]]
    %y = list.stack %l {axis = 0, type = !f64[?, n]}
"""

from __future__ import annotations

from collections.abc import Iterable

from staticpy.autodiff.members import split_operators
from staticpy.ir import Block, Builder, ListType, Operation, TensorType, Value, rewriter, walk
from staticpy.ops import REGISTRY, constant, is_inexact

_SAID = ("function", "results", "axis")


def prepare(block: Block, sources: Iterable[Value]) -> None:
    """Spell out what ``block`` does to what depends on ``sources``."""
    split_operators(block, sources)
    for operation in [each for each in walk(block) if each.name == "numpy.call"]:
        _spell_out_join(operation)


def _spell_out_join(operation: Operation) -> None:
    found = _join_of(operation)
    if found is None:
        return
    name, axis = found
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    builder.span = operation.span
    attrs = {"axis": axis, "type": operation.result.type}
    made = builder.emit(REGISTRY[name], operation.operands[:1], attrs)
    rewriter.replace(operation, [made.result])


def _join_of(operation: Operation) -> tuple[str, int] | None:
    """The op of lists that does the same, and its axis; None where there is none."""
    function, (items, *more) = operation.attrs["function"], operation.operands
    made = [each.defining_op for each in more]
    known = [each.attrs["value"] for each in made if each is not None and each.op is constant]
    axis = operation.attrs.get("axis", known[0] if known else 0)
    options = {name: each for name, each in operation.attrs.items() if name not in _SAID}
    is_plain = options in ({}, {"casting": "same_kind"}) and len(known) == len(more) <= 1
    if not is_plain or type(axis) is not int or not isinstance(items.type, ListType):
        return None
    item = items.type.item
    if not isinstance(item, TensorType) or not item.rank or not is_inexact(item):
        return None
    stack, concatenate = "list.stack", "list.concatenate"
    is_row = item.rank == 1
    return {
        "stack": (stack, axis),
        "concatenate": (concatenate, axis),
        "vstack": (stack if is_row else concatenate, 0),
        "hstack": (concatenate, 0 if is_row else 1),
        "column_stack": (stack if is_row else concatenate, 1),
    }.get(function)
