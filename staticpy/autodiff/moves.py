"""Which operations move numbers and arrays in and out of containers, and compute nothing: what
stands beside a container, for tangents or for cotangents, is moved in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from staticpy.ir import OBJECT, DictType, ListType, Operation, Type, Value, current_builder, walk
from staticpy.ops import COPIED, REGISTRY, object_call, try_

_ORDERED = {"list.sorted_by": 0, "list.nlargest": 1, "list.nsmallest": 1}
"""The ops that put items in order by keys, and which operand holds the items."""

_MOVED: dict[str, tuple[int, ...]] = {
    "tuple.items": (0,),
    "any.narrow": (0,),
    "object.cast": (0,),
    "list.copy": (0,),
    "list.concat": (0, 1),
    "list.repeat": (0,),
    "list.getitem": (0,),
    "list.getslice": (0,),
    "list.setitem": (0, 2),
    "list.delitem": (0,),
    "list.delslice": (0,),
    "list.setslice": (0, 1),
    "list.append": (0, 1),
    "list.extend": (0, 1),
    "list.insert": (0, 2),
    "list.pop": (0,),
    "list.clear": (0,),
    "list.reverse": (0,),
    **{name: (place,) for name, place in _ORDERED.items()},
    "list.from_array": (0,),
    "dict.copy": (0,),
    "dict.getitem": (0,),
    "dict.get": (0, 2),
    "dict.keys": (0,),
    "dict.values": (0,),
    "dict.items": (0,),
    "dict.setitem": (0, 2),
    "dict.delitem": (0,),
    "dict.pop": (0, 2),
    "dict.popitem": (0,),
    "dict.update": (0, 1),
    "dict.clear": (0,),
}
"""The ops that move, and which of their operands are containers, or go into them."""

SETTERS = ("object.setattr", "object.set_slot")
"""The ops that give an object an attribute."""

_RAISING = ("raise", "raise_value", "reraise", "call")
"""The ops that raise what they are given, or what is made of it."""
_BY_KEY = ("dict.getitem", "dict.delitem", "dict.pop")
"""The ops that may raise a KeyError, which holds their key."""

_SUMMED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(COPIED, (0,)),
    "list.sum": (0, 1),
    "math.fsum_of": (0,),
}
"""The ops on lists that are linear: a tangent of theirs is what they give for tangents."""


def places_moved(operation: Operation) -> range | tuple[int, ...]:
    """Which operands of an operation are containers, or go into them; none of other operations."""
    count = len(operation.operands)
    if operation.name in ("tuple.make", "list.make"):
        return range(count) or (0,)
    if operation.name == "dict.make":
        return range(count // 2, count) or (0,)
    return _MOVED.get(operation.name, ())


def places_linear(operation: Operation) -> range | tuple[int, ...]:
    """As ``places_moved``, also of the ops that are linear in their containers."""
    return _SUMMED.get(operation.name) or places_moved(operation)


def begins_to_hold(operation: Operation, holds: Callable[[Type], bool]) -> bool:
    """Whether an operation lets a list or dict hold what it did not, as ``[None] * n`` does before
    a number is put in. Such a container can't stand beside itself, as what stays without numbers
    does: what is put beside one of them would be put into it.
    """
    if operation.name != "object.cast" or not holds(operation.result.type):
        return False
    given = operation.operands[0].type
    return isinstance(given, ListType | DictType) and not holds(given)


def copied_beside(operation: Operation, form: Callable[[Type], Type]) -> Value:
    """What stands beside a container that ``begins_to_hold`` numbers; ``form`` gives its type."""
    builder, (given,) = current_builder(), operation.operands
    name = "list.copy" if isinstance(given.type, ListType) else "dict.copy"
    copied = builder.emit(REGISTRY[name], [given]).result
    return builder.emit(operation.op, [copied], {"type": form(operation.result.type)}).result


def makes_object(operation: Operation) -> bool:
    """Whether an operation makes a container of which the graph reads nothing."""
    is_maker = operation.name in ("list.make", "dict.make")
    return is_maker and operation.attrs["type"] == OBJECT


def is_unread(value: Value) -> bool:
    """Whether a value is a container of which the graph reads nothing."""
    return value.defining_op is not None and makes_object(value.defining_op)


def holds_operands(operation: Operation) -> bool:
    """Whether an operation puts an operand into something, from where it may be read later."""
    places = places_moved(operation)
    is_put = len(places) > 1 or operation.name in ("tuple.make", "list.make", "dict.make")
    return is_put or operation.name in SETTERS


def results_of(operation: Operation) -> list[Value]:
    """The results of an operation; of a call that tells what it has raised without those that are
    exceptions, through which nothing flows.
    """
    count = len(operation.attrs.get("caught", ())) if operation.name == "call" else 0
    return [*operation.results[:1], *operation.results[1 + count :]]


def exception_of(operation: Operation) -> Value | None:
    """The exception of the user's that an operation makes, or a part of it, if that is raised, or
    would be where it is not tried alone. It does nothing else; and no derivative flows by way of an
    exception.
    """
    if operation.name == "object.construct" or _method(operation) == "__new__":
        users = operation.result.users
        is_raised = any(user.name in ("raise_value", "exception.identity") for user in users)
        return operation.result if is_raised else None
    place = 1 if _method(operation) == "__init__" else 0
    is_part = place == 1 or operation.name in ("object.cast", *SETTERS)
    made = operation.operands[place].defining_op if is_part else None
    return None if made is None else exception_of(made)


def raised(operation: Operation) -> Iterator[tuple[Value, Value]]:
    """The exceptions that a ``try`` may catch, or what they may be made of, and where they are."""
    if operation.op is not try_:
        return
    body, *handlers = (region.block for region in operation.regions)
    for each in walk(body):
        made_of = each.operands if each.name in _RAISING else []
        if each.name in _BY_KEY:
            made_of = each.operands[1:2]
        yield from product(made_of, [block.args[0] for block in handlers])


def changes_caught(operation: Operation) -> bool:
    """Whether an operation gives an attribute to an exception that a handler has caught."""
    return operation.name in SETTERS and caught_by(operation.operands[0]) is not None


def caught_by(known: Value) -> Value | None:
    """What a handler has caught, of which this is what is known, be it asked for its class."""
    made = known.defining_op
    while made is not None and made.name == "any.narrow":
        made = made.operands[0].defining_op
    is_known = made is not None and made.name == "exception.known"
    return made.operands[0] if made is not None and is_known else None


def unheld_by(operation: Operation) -> list[Value]:
    """What an operation reads that has nothing to do with what it holds: the keys by which it puts
    items in order, if they aren't the items, and the classes of the exception that it makes.
    """
    if operation.name in _ORDERED:
        items = operation.operands[_ORDERED[operation.name]]
        return [each for each in operation.operands if each is not items]
    is_call = operation.op is object_call or operation.name == "object.construct"
    if not is_call or exception_of(operation) is None:
        return []
    return operation.operands[: 2 if _method(operation) == "__new__" else 1]


def _method(operation: Operation) -> str | None:
    is_call = operation.op is object_call and len(operation.operands) > 1
    return operation.attrs["method"] if is_call else None
