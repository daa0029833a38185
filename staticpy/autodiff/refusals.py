"""What is said where there is no derivative (SPY701): of what, where, why, and what to do instead.

An operation of the graph is named in the words of the program: ``iadd`` is its ``+=``, and what a
``region_yield`` hands on, its branch or loop does.
"""

from __future__ import annotations

from staticpy import ops
from staticpy.autodiff.held import is_array_sometimes
from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.ir import Operation, Value
from staticpy.ops import IN_PLACE, NoRuleError, NotKnownError

CHANGES_OTHERS = ", since it changes what others read: write to a copy, or give them one (np.copy)"
"""Why there is no derivative of a write to memory of which there are views that have no shadow."""
CHANGES_OUTSIDE = ", since it changes what is from outside: let the function make it, or a copy"
"""Why there is none of a write to memory that is there before, whose derivatives nobody knows."""
ENDS_HALF_WAY = (
    ", in a 'try', since it may end half way through what it changes: write to a copy, or behind it"
)
"""Why there is none of a change that a handler may see a part of."""
FROM_OUTSIDE = (
    ", since it reads what is, or may be, from outside of the function, where something that is "
    "differentiated was put: keep that in a variable, or let the function make what holds it"
)
"""Why there is none of what is read of memory that has no shadow."""
HANDS_ON_CAUGHT = (
    ", since it hands on an exception that was caught: let it hand on what is read of the exception"
)
"""Why there is no tangent of what a handler or a loop gives."""
_MADE = (
    "let the function make it, or put into it what is computed when that has been differentiated"
)
_ALWAYS = "let it be an array on all of them, np.asarray(...)"
_DRAWN = (
    ": it draws. Scale what a standard distribution gives, m + s * rng.normal(size=n), and "
    "pick by indexes that are drawn, x[rng.permutation(n)]"
)
_WORDS = {
    "for": "a loop",
    "while": "a loop",
    "if": "a branch",
    "try": "a 'try'",
    "call": "a call of a function that calls itself",
    "store": "a write to 'x[...]'",
    "index": "'x[...]'",
    "tuple.items": "a tuple that is taken apart",
    "list.getitem": "an item of a list",
    "list.setitem": "a write to an item of a list",
    "dict.getitem": "an item of a dict",
    "dict.setitem": "a write to an item of a dict",
    "object.getattr": "an attribute of an object",
    "object.setattr": "an attribute that is given to an object",
    "object.set_slot": "an attribute that is given to an object",
    "object.call": "a call of an object or a class",
    "exception.getattr": "an attribute of an exception",
}
_READERS = ("list.", "dict.", "tuple.", "object.")
_SYMBOLS = {op.name: symbol for symbol, op in IN_PLACE.items()}


def refusal(
    operation: Operation | None, why: str, labels: tuple[Label, ...] = ()
) -> DiagnosticError:
    """What to say where there is no derivative of an operation."""
    what, span = "a write", None
    if operation is not None:
        what, span = words_for(operation), operation.span
        if operation.name == "random.draw":
            why = _DRAWN
        elif not why and operation.name.startswith(_READERS):
            why = FROM_OUTSIDE
    return DiagnosticError(catalog.NO_DERIVATIVE, span, labels, what=what, why=why)


def refusal_to_hold(holder: Operation, value: Value) -> DiagnosticError:
    """What to say where something holds, or hands on, what can't have a shadow made for it; what
    may stand in its place is shown.
    """
    if is_array_sometimes(value.type):
        why = f", since it hands on an array on some paths only, {value.type}: {_ALWAYS}"
    else:
        why = f", since it hands on {value.type} that is, or may be, from outside: {_MADE}"
    made = (_made_by(each, holder) for each in _instead(holder, value))
    spans = dict.fromkeys(each.span for each in made if each is not None)
    labels = [Label(span, "this may be in its place") for span in spans]
    return refusal(holder, why, tuple(labels))


def shown_view(value: Value) -> tuple[Label, ...]:
    """Where a view was made that others write to the memory of."""
    made = value.defining_op
    is_placed = made is not None and made.span.line
    return (Label(made.span, "this sees the same memory, or may"),) if made and is_placed else ()


def _instead(holder: Operation, value: Value) -> list[Value]:
    """What a branch may yield for a value, or a later round of a loop."""
    around = holder.parent if holder.op.is_terminator else holder
    if around is None or value not in holder.operands:
        return []
    place = holder.operands.index(value)
    ends = [region.block.terminator.operands for region in around.regions]
    if around.op is ops.for_ and holder is around:
        place += int(around.attrs["breaks"]) - 3
    return [end[place] for end in ends if 0 <= place < len(end) and end[place] is not value]


def _made_by(value: Value, holder: Operation) -> Operation | None:
    """What has made a value, at another place than where something holds it."""
    made = value.defining_op
    while made is not None and made.span == holder.span:
        made = made.operands[0].defining_op if made.operands else None
    return made


def words_for(operation: Operation) -> str:
    """What an operation is in the program."""
    name, method = operation.name, operation.attrs.get("method", "__call__")
    if name == "object.call" and not method.startswith("__"):
        return f"'{method}' of an object"
    if operation.op.is_terminator and operation.parent is not None:
        return words_for(operation.parent)
    if name in _SYMBOLS:
        return f"'{_SYMBOLS[name]}=' on an array"
    if name in _WORDS:
        return _WORDS[name]
    family, _, method = name.partition(".")
    return f"'{method}' of a {family}" if family in ("list", "dict") else f"'{name}'"


def refusal_by(operation: Operation, error: Exception) -> DiagnosticError:
    """What to say where a rule has refused an operation."""
    if isinstance(error, NoRuleError):
        return DiagnosticError(catalog.NO_RULE, operation.span, name=str(error))
    if isinstance(error, NotKnownError):
        what = f"an argument of '{error}', through which a gradient goes,"
        return DiagnosticError(catalog.NEEDS_COMPILE_TIME, operation.span, what=what)
    return refusal(operation, f": {error}")
