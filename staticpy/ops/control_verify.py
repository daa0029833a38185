"""What the verifier checks of control flow: how the regions of an ``if``, a ``while``, a ``for``, a
``try`` and an ``errstate`` fit their operands, their results and each other.

In: an operation whose blocks are known to end in a terminator. Out: nothing, or a DiagnosticError
(INVALID_IR) that says what doesn't fit. Where a value flows from one place to another, the type of
the target must accept the type of the source.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import BOOL, INT, Block, Operation, Value, accepts

_ERRSTATE_NAMES = ("all", "divide", "over", "under", "invalid")
_ERRSTATE_VALUES = ("ignore", "warn", "raise", "call", "print", "log")


def verify_if(operation: Operation) -> None:
    """``if``: a bool; two regions without arguments; each yields the results."""
    _require(len(operation.operands) == 1, "an if takes its condition and nothing else")
    _require(operation.operands[0].type == BOOL, "the condition of an if must be a bool")
    for name, block in zip(("then", "else"), _blocks(operation, 2), strict=True):
        _require(not block.args, f"the {name} region takes no arguments")
        yields = block.terminator.operands
        _require_flow(yields, operation.results, f"what the {name} region yields", "the results")


def verify_while(operation: Operation) -> None:
    """``while``: carried values to ``before``; bool and values from it to ``after`` and results."""
    before, after = _blocks(operation, 2)
    yields = before.terminator.operands
    _require(
        bool(yields) and yields[0].type == BOOL,
        "the before region must yield a bool first",
    )
    _require_flow(operation.operands, before.args, "the operands", "the before region")
    _require_flow(yields[1:], after.args, "what the before region yields", "the after region")
    _require_flow(yields[1:], operation.results, "what the before region yields", "the results")
    next_values = after.terminator.operands
    _require_flow(next_values, before.args, "what the after region yields", "the before region")


def verify_for(operation: Operation) -> None:
    """``for``: three ints and carried values; the region takes the index and the carried values."""
    (body,) = _blocks(operation, 1)
    bounds, carried = operation.operands[:3], operation.operands[3:]
    _require(
        len(bounds) == 3 and all(bound.type == INT for bound in bounds),
        "start, stop and step of a for must be ints",
    )
    _require(bool(body.args) and body.args[0].type == INT, "the index of a for must be an int")
    yields = body.terminator.operands
    if operation.attrs["breaks"]:
        _require(
            bool(yields) and yields[0].type == BOOL,
            "the region of a for with breaks must yield a bool first",
        )
        yields = yields[1:]
    _require_flow(carried, body.args[1:], "the carried operands", "the arguments of the region")
    _require_flow(yields, body.args[1:], "what the region yields", "its arguments")
    _require_flow(carried, operation.results, "the carried operands", "the results")
    _require_flow(yields, operation.results, "what the region yields", "the results")


def verify_try(operation: Operation) -> None:
    """``try``: a body without arguments, and for each handler a region that takes the exception."""
    handlers = operation.attrs["handlers"]
    body, *others = _blocks(operation, 1 + len(handlers))
    _require(bool(handlers), "a try needs a handler")
    _require(not body.args, "the body of a try takes no arguments")
    for caught in handlers:
        _require(bool(caught), "a handler must catch something")
        for each in caught:
            _require(_is_exception(each, operation.operands), f"a handler can't catch {each!r}")
    for block in others:
        fits = [str(argument.type) for argument in block.args] == ["object"]
        _require(fits, "a handler takes one object, the exception")
    for block in (body, *others):
        yields = block.terminator.operands
        _require_flow(yields, operation.results, "what a region of the try yields", "the results")


def _is_exception(caught: object, operands: Sequence[Value]) -> bool:
    """Whether a handler names a builtin exception, or the number of an operand with a class."""
    if isinstance(caught, int):
        return 0 <= caught < len(operands) and str(operands[caught].type) == "object"
    known = getattr(builtins, caught, None) if isinstance(caught, str) else None
    return isinstance(known, type) and issubclass(known, BaseException)


def verify_errstate(operation: Operation) -> None:
    """``errstate``: one region without arguments, and options that NumPy knows."""
    (block,) = _blocks(operation, 1)
    _require(not operation.operands, "an errstate takes no operands")
    _require(not block.args, "the region of an errstate takes no arguments")
    for name, value in operation.attrs["options"]:
        _require(name in _ERRSTATE_NAMES, f"np.errstate has no option {name!r}")
        _require(value in _ERRSTATE_VALUES, f"np.errstate has no value {value!r}")
    yields = block.terminator.operands
    _require_flow(yields, operation.results, "what the region yields", "the results")


def verify_in_region(operation: Operation) -> None:
    """``region_yield`` ends a region of an operation."""
    _require(operation.parent is not None, "region_yield ends a region, not a function")


def verify_in_function(operation: Operation) -> None:
    """``return`` ends a function."""
    _require(operation.parent is None, "return ends a function, not a region")


def _blocks(operation: Operation, count: int) -> list[Block]:
    given = len(operation.regions)
    _require(given == count, f"it needs {count} regions, but has {given}")
    return [region.block for region in operation.regions]


def _require_flow(
    sources: Sequence[Value], targets: Sequence[Value], source: str, target: str
) -> None:
    _require(
        len(sources) == len(targets),
        f"{source} and {target} must be as many, not {len(sources)} and {len(targets)}",
    )
    for position, (value, place) in enumerate(zip(sources, targets, strict=True)):
        _require(
            accepts(place.type, value.type),
            f"{source} and {target} don't fit at {position}: {value.type} for {place.type}",
        )


def _require(condition: bool, detail: str) -> None:
    if not condition:
        raise DiagnosticError(catalog.INVALID_IR, detail=detail)
