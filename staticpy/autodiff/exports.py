"""Attributes that a program gives to objects from outside, of which it reads none again.

Before:
    object.setattr %s, %u {name = "u"}
After:
    %name = constant {value = "u"} : str
    object.call %s, %name, %u {method = "__setattr__"}

What the graph reads of an object from outside are inputs and what it has put there itself, known as
values. So where no operation reads the attribute, nothing flows through the object: it gets what
others are to see, as a list from outside does by ``append``, and derivatives go on past it.
"""

from __future__ import annotations

from staticpy import ops
from staticpy.ir import (
    OBJECT,
    Block,
    BlockArgument,
    Operation,
    Value,
    builder_before,
    rewriter,
    walk,
)
from staticpy.ops import object_call

_SETTER = "object.setattr"
_READERS = ("object.getattr", "object.delattr")


def export_attributes(block: Block) -> None:
    """Let objects from outside get their attributes by calls, in the region of a transform."""
    operations = list(walk(block))
    is_transform = block.parent is not None
    if not is_transform or any(map(_may_read_any, operations)):
        return
    read = {each.attrs["name"] for each in operations if each.name in _READERS}
    for operation in operations:
        is_unread = operation.name == _SETTER and operation.attrs["name"] not in read
        if is_unread and _is_only_set(operation.operands[0]):
            _export(operation)


def is_exported(operation: Operation) -> bool:
    """Whether an operation is what becomes of one that gives an object an attribute."""
    return operation.op is object_call and operation.attrs["method"] == "__setattr__"


def _may_read_any(operation: Operation) -> bool:
    """Whether an operation may read attributes of objects that it does not name."""
    return operation.op is ops.call or (operation.op is object_call and "result" in operation.attrs)


def _is_only_set(handle: Value) -> bool:
    """Whether a value is an object from outside to which nothing is done but to set attributes."""
    if handle.type != OBJECT or not isinstance(handle, BlockArgument):
        return False
    is_of_function = handle.block.parent is None
    return is_of_function and all(_sets(user, handle) for user in handle.users)


def _sets(operation: Operation, handle: Value) -> bool:
    is_setter = operation.name == _SETTER or is_exported(operation)
    return is_setter and handle not in operation.operands[1:]


def _export(operation: Operation) -> None:
    handle, item = operation.operands
    builder = builder_before(operation)
    with builder.current():
        name = ops.as_value(operation.attrs["name"])
    builder.emit(object_call, [handle, name, item], {"method": "__setattr__"})
    rewriter.erase(operation)
