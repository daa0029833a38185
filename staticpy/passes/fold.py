"""Constant folding: what is known while compiling is computed while compiling.

Before:
    %0 = constant {value = 2} : int
    %1 = py.mul %0, %0 : int
    %2 = py.lt %1, %0 : bool
    %r = if %2 : f64[n] {
      region_yield %x
    } {
      region_yield %y
    }
    return %r
After (``dce`` drops the constants that nobody reads):
    return %y

Only numbers and strs are folded: they are immutable; an array must be a fresh one at each call. The
result is the one of the op's own kernel; where the kernel raises or warns, the operation stays and
does so at run time. An ``if`` on a known condition is replaced by its branch; a loop that never
runs is replaced by its initial values; a ``try`` or ``errstate`` by its body, where that can
neither raise nor warn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.ir import (
    NEVER,
    Function,
    Module,
    Operation,
    Value,
    accepts,
    builder_before,
    dims_of,
    is_mutable_memory,
    rewriter,
    type_of,
    walk,
)
from staticpy.ops import (
    REGISTRY,
    Effect,
    constant,
    constant_range,
    constant_value,
    dim,
    for_,
    if_,
    is_constant,
    is_guard,
    results_of,
    while_,
)
from staticpy.passes.effects import definition, own_effects

_MAX_BITS = 4096
"""Ints longer than this are left to the run: compiling must not take longer than running."""

_GROW_FAST = ("math.factorial", "math.comb", "math.perm")
_MAX_COUNT = 1000
"""Up to here these are folded, whose results have many more bits than their operands."""

_POWERS = ("py.pow", "any.pow")
_SHIFTS = ("py.lshift", "any.lshift")
_QUIET_CONVERSIONS = ("cast", "convert", "from_python")
_UNARY = ("any.neg", "any.pos", "any.invert")
_OPERATORS = {
    (op.symbol, 1 if name in _UNARY else 2): op.kernel
    for name, op in REGISTRY.items()
    if name.startswith("any.") and op.symbol
}
_INVERT = (REGISTRY["py.invert"], REGISTRY["any.invert"])


def fold(module: Module) -> None:
    """Fold all functions of ``module``."""
    for function in module.functions.values():
        _fold_function(function)


def _fold_function(function: Function) -> None:
    """Go through the operations in order; those of a branch that is chosen come next in line."""
    folded: list[Operation] = []
    pending = [iter(list(function.block.operations))]
    while pending:
        for operation in pending[-1]:
            if operation.regions:
                taken = _taken_region(operation)
                if taken is not None:
                    pending.append(iter(taken))
                    folded.append(operation)
                else:
                    regions = reversed(operation.regions)
                    pending.extend(iter(list(region.block.operations)) for region in regions)
                break
            if _fold_operation(operation):
                folded.append(operation)
        else:
            pending.pop()
    rewriter.erase_all(folded)


# --- operations without regions ------------------------------------------------------------------


def _fold_operation(operation: Operation) -> bool:
    """Replace the results of an operation by constants, if they are known."""
    values = _known_results(operation)
    if values is None:
        return False
    builder = builder_before(operation)
    for result, value in zip(operation.results, values, strict=True):
        rewriter.replace_all_uses(result, builder.emit(constant, (), {"value": value}).result)
    return True


def _known_results(operation: Operation) -> Sequence[Any] | None:
    if not operation.operands or not operation.results:
        return None
    if operation.op is dim:
        size = dims_of(operation.operands[0].type)[operation.attrs["axis"]]
        return [size] if isinstance(size, int) else None
    operands: list[Any] = []
    for operand in operation.operands:
        known = constant_value(operand)
        if known is None:
            return None
        operands.append(known)
    if any(is_mutable_memory(result.type) for result in operation.results):
        return None
    return _computed(operation, operands) if _is_quiet(operation, operands) else None


def _computed(operation: Operation, operands: Sequence[Any]) -> Sequence[Any] | None:
    """What the kernel gives; None where it raises or warns, or where its result is no constant of
    the type that the graph has for it.
    """
    op = definition(operation)
    kernel = op.kernel
    if op.ufunc is not None and op.symbol:  # the operator of scalars warns where a ufunc doesn't
        kernel = _OPERATORS[op.symbol, len(operands)]
    if kernel is None:
        return None
    try:
        with np.errstate(all="raise"):
            computed = kernel(*operands, **operation.attrs)
    except Exception:
        # Whatever the kernel raises, it must raise at run time.
        return None
    values = results_of(computed, [result.type for result in operation.results])
    fits = all(
        is_constant(value) and accepts(result.type, type_of(value) or NEVER)
        for value, result in zip(values, operation.results, strict=True)
    )
    return values if fits else None


def _is_quiet(operation: Operation, operands: Sequence[Any]) -> bool:
    """Whether the kernel can only warn by NumPy's floating-point state, which ``_computed`` sees,
    and is quick. Python's own warnings can't be caught without changing other threads' filters.
    """
    op = definition(operation)
    effects = own_effects(operation)
    if Effect.WRITES in effects or _is_huge(op.name, operands):
        return False
    if op in _INVERT and type(operands[0]) is bool:
        return False
    if Effect.WARNS not in effects or op.ufunc is not None:
        return True
    is_complex = any(isinstance(operand, complex | np.complexfloating) for operand in operands)
    is_operator = op.name.startswith("any.")
    return is_operator or (op.name in _QUIET_CONVERSIONS and not is_complex)


def _is_huge(name: str, operands: Sequence[Any]) -> bool:
    bits = [operand.bit_length() for operand in operands if isinstance(operand, int)]
    if any(count > _MAX_BITS for count in bits):
        return True
    if name in _GROW_FAST:
        return any(operand > _MAX_COUNT for operand in operands)
    if len(bits) < 2 or name not in _POWERS + _SHIFTS:
        return False
    exponent = operands[1]
    return exponent > _MAX_BITS or (name in _POWERS and bits[0] * exponent > _MAX_BITS)


# --- control flow --------------------------------------------------------------------------------


def _taken_region(operation: Operation) -> list[Operation] | None:
    """Replace control flow whose way is known; return the operations that took its place."""
    if operation.op is if_:
        condition = constant_value(operation.operands[0])
        if condition is None:
            return None
        return _take(operation, 0 if condition else 1, ())
    if operation.op is for_ and constant_range(operation) == range(0):
        for result, value in zip(operation.results, operation.operands[3:], strict=True):
            rewriter.replace_all_uses(result, value)
        return []
    if operation.op is while_:
        goes_on = operation.regions[0].block.terminator.operands[0]
        if constant_value(goes_on) is False:
            return _take(operation, 0, operation.operands)
    if is_guard(operation) and not any(map(own_effects, walk(operation.regions[0].block))):
        return _take(operation, 0, ())
    return None


def _take(operation: Operation, number: int, arguments: Sequence[Value]) -> list[Operation]:
    """Put region ``number`` in the place of ``operation``."""
    region = operation.regions[number]
    taken = region.block.operations[:-1]
    yielded = rewriter.inline_region(region, arguments, operation)
    values = yielded[1:] if operation.op is while_ else yielded
    for result, value in zip(operation.results, values, strict=True):
        rewriter.replace_all_uses(result, value)
    return taken
