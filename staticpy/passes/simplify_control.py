"""Simplification of control flow: results and carried values that are known from outside.

Before:
    %r, %s = if %c : bool, f64 {
      region_yield %true, %x
    } {
      region_yield %false, %x
    }
    %t, %u = for %start, %stop, %step, %x, %y {breaks = false} : f64, f64
        (%i: int, %a: f64, %b: f64) {
      %0 = add %a, %b : f64
      region_yield %0, %b
    }
After, with %r replaced by %c, %s by %x, and both %b and %u by %y:
    %t = for %start, %stop, %step, %x {breaks = false} : f64 (%i: int, %a: f64) {
      %0 = add %a, %y : f64
      region_yield %0
    }

A result of a ``try`` or ``errstate`` that every region yields alike, from outside, is that value.
The rules replace results and block arguments; ``dce`` then narrows the operation.
"""

from __future__ import annotations

from staticpy.ir import (
    BOOL,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Value,
    attributes_key,
    builder_before,
    rewriter,
)
from staticpy.ops import REGISTRY, constant, constant_value, is_undef
from staticpy.passes.aliasing import AliasAnalysis


def simplify_if(operation: Operation, _: AliasAnalysis) -> dict[Value, Value]:
    """Results that are the same in both branches, or that are the condition itself."""
    replacements: dict[Value, Value] = {}
    condition = operation.operands[0]
    ends = [region.block.terminator for region in operation.regions]
    for number, end in enumerate(ends):
        _resolve_condition(operation, end, number == 0)
    for i, result in enumerate(operation.results):
        if not result.uses:
            continue
        value = _common_value(operation, condition, *(end.operands[i] for end in ends))
        if value is not None:
            replacements[result] = value
    return replacements


def _resolve_condition(operation: Operation, end: Operation, known: bool) -> None:
    """Within a branch the condition is known: yield that."""
    condition = operation.operands[0]
    for position, value in enumerate(end.operands):
        if value is condition:
            builder = builder_before(end)
            resolved = builder.emit(constant, (), {"value": known}).result
            rewriter.set_operand(end, position, resolved)


def _common_value(
    operation: Operation, condition: Value, then: Value, orelse: Value
) -> Value | None:
    if then is orelse:
        return then
    for number, (value, unread) in enumerate(((then, orelse), (orelse, then))):
        if is_undef(unread) and not _is_defined_in(value, operation.regions[number].block):
            return value
    one, other = then.defining_op, orelse.defining_op
    if one is None or other is None or one.op is not constant or other.op is not constant:
        return None
    builder = builder_before(operation)
    if attributes_key(one) == attributes_key(other):
        return builder.emit(constant, (), one.attrs).result
    if then.type != BOOL or orelse.type != BOOL:
        return None
    if constant_value(then):
        return condition
    return builder.emit(REGISTRY["py.not"], [condition]).result


def simplify_guard(operation: Operation, _: AliasAnalysis) -> dict[Value, Value]:
    """Results of a ``try`` or ``errstate`` that are one value from outside, whatever happens."""
    replacements: dict[Value, Value] = {}
    blocks = [region.block for region in operation.regions]
    for i, result in enumerate(operation.results):
        values = dict.fromkeys(block.terminator.operands[i] for block in blocks)
        known = [value for value in values if not is_undef(value)]
        if len(known) == 1 and not any(_is_defined_in(known[0], block) for block in blocks):
            replacements[result] = known[0]
    return replacements


def simplify_for(operation: Operation, _: AliasAnalysis) -> dict[Value, Value]:
    """Carried values that each round hands on as they are."""
    replacements: dict[Value, Value] = {}
    body = operation.regions[0].block
    yielded = body.terminator.operands[int(operation.attrs["breaks"]) :]
    slots = zip(operation.operands[3:], yielded, body.args[1:], operation.results, strict=True)
    for initial, value, argument, result in slots:
        if value is argument or value is initial:
            replacements[argument] = initial
            replacements[result] = initial
    return replacements


def simplify_while(operation: Operation, _: AliasAnalysis) -> dict[Value, Value]:
    """Carried values that each round hands on as they are, and forwarded values from outside."""
    before, after = (region.block for region in operation.regions)
    forwarded = before.terminator.operands[1:]
    carried = zip(operation.operands, after.terminator.operands, before.args, strict=True)
    replacements: dict[Value, Value] = {
        argument: initial
        for initial, value, argument in carried
        if value is initial or _forwarded(value, after, forwarded) is argument
    }
    for value, argument, result in zip(forwarded, after.args, operation.results, strict=True):
        known = replacements.get(value, value)
        if not _is_defined_in(known, before):
            replacements[argument] = known
            replacements[result] = known
    return replacements


def _forwarded(value: Value, after: Block, forwarded: list[Value]) -> Value | None:
    """What ``before`` forwards as ``value``, an argument of ``after``."""
    is_argument = isinstance(value, BlockArgument) and value.block is after
    return forwarded[value.index] if is_argument else None  # type: ignore[attr-defined]


def _is_defined_in(value: Value, block: Block) -> bool:
    if isinstance(value, BlockArgument):
        return value.block is block
    assert isinstance(value, OpResult)
    return value.owner.block is block
