"""Control flow and the ops that only a graph needs.

%r = if %condition { ... region_yield %a } { ... region_yield %b }
%r = while %init (before: |%s| ... region_yield %condition, %s) (after: |%s| ... region_yield %s)
%r = for %start, %stop, %step, %init { |%i, %s| ... region_yield %s }
%r = for ... {breaks = True} { |%i, %s| ... region_yield %stop, %s }
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    Operation,
    PythonType,
    Region,
    ScalarType,
    Type,
    Value,
    is_mutable_memory,
    join,
    type_of,
)
from staticpy.ops.control_verify import (
    verify_for,
    verify_if,
    verify_in_function,
    verify_in_region,
    verify_while,
)
from staticpy.ops.opdef import Attrs, Effect, defop


def _no_results(*_: Type, **__: Any) -> tuple[Type, ...]:
    return ()


def is_constant(value: object) -> bool:
    """Whether a constant of the graph can hold a compile-time value."""
    known = type_of(value)
    return isinstance(known, PythonType | ScalarType)


def _infer_constant(*, value: object) -> Type:
    known = type_of(value)
    if known is None:
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{value!r} is no constant")
    return known


def _infer_undef(*, type: Type) -> Type:  # noqa: A002
    return type


def _infer_if(condition: Type, *, regions: Sequence[Region]) -> tuple[Type, ...]:
    then, orelse = (region.block.terminator.operands for region in regions)
    if condition != BOOL or len(then) != len(orelse):
        raise DiagnosticError(catalog.INVALID_IR, detail="the branches of an if don't fit")
    return tuple(join(a.type, b.type) for a, b in zip(then, orelse, strict=True))


def _infer_while(*_: Type, regions: Sequence[Region]) -> tuple[Type, ...]:
    return tuple(argument.type for argument in regions[1].block.args)


def _infer_for(*_: Type, regions: Sequence[Region], **__: Any) -> tuple[Type, ...]:
    return tuple(argument.type for argument in regions[0].block.args[1:])


def _infer_call(*_: Type, result_types: tuple[Type, ...], **__: Any) -> tuple[Type, ...]:
    return result_types


constant = defop("constant", infer=_infer_constant, kernel=lambda *, value: value)
"""``constant {value = 2}``: a Python or NumPy scalar, None or a str, immutable."""

undef = defop("undef", infer=_infer_undef)
"""``undef {type}``: stands for the value of a variable on a path on which nothing reads it."""


def constant_value(value: Value) -> object | None:
    """The Python or NumPy scalar that ``value`` is known to be; None where it is not known."""
    operation = value.defining_op
    is_known = operation is not None and operation.op is constant
    return operation.attrs["value"] if operation is not None and is_known else None


def constant_range(loop: Operation) -> range | None:
    """The indices of a ``for`` whose bounds are known; None where they are not, or are wrong."""
    bounds = [constant_value(bound) for bound in loop.operands[:3]]
    start, stop, step = (bound if isinstance(bound, int) else None for bound in bounds)
    return None if start is None or stop is None or not step else range(start, stop, step)


def is_undef(value: Value) -> bool:
    """Whether a value is an ``undef``."""
    return value.defining_op is not None and value.defining_op.op is undef


if_ = defop("if", infer=_infer_if, verify=verify_if)
"""One of two regions, by a Python bool. Each yields as many values as there are results."""

while_ = defop("while", infer=_infer_while, verify=verify_while)
"""``before`` gets the carried values and yields a Python bool and the values that it forwards, to
``after`` where the bool is true and as results where it is false; ``after`` yields the next carried
values."""

for_ = defop("for", infer=_infer_for, effects=Effect.RAISES, verify=verify_for)
"""A loop over ``range(start, stop, step)``, three Python ints (ValueError if step is 0). The region
gets the index and the carried values and yields the next ones; with ``breaks`` it yields a Python
bool before them, and the loop ends where that is true."""


def _call_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    """A function reaches no other memory than that of its arguments; ``writes`` says whether it
    writes to that, if it is known.
    """
    writes = attrs.get("writes", any(map(is_mutable_memory, operands)))
    return Effect.RAISES | Effect.WARNS | (Effect.WRITES if writes else Effect.NONE)


call = defop("call", infer=_infer_call, effects=_call_effects)
"""A call of another function of the module, by name."""


def _raise(*operands: Any, exception: str, args: tuple[Any, ...]) -> None:
    raise getattr(builtins, exception)(*args, *operands)


raise_ = defop("raise", infer=_no_results, kernel=_raise, effects=Effect.RAISES)
"""``raise {exception = "AssertionError", args = ("text",)}``: raises the builtin exception of that
name with ``args`` and then the operands as its arguments."""

region_yield = defop("region_yield", infer=_no_results, is_terminator=True, verify=verify_in_region)
"""Ends a region of an operation and hands values to it."""

return_ = defop("return", infer=_no_results, is_terminator=True, verify=verify_in_function)
"""Ends a function."""
