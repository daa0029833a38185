"""An operation on values of several types, as one operation for each of them.

Before:
    %y = any.mul %x, %w : f64[n]|float             # %x : f64[n]|float
After:
    %0 = any.is %x {type = !f64[n]} : bool
    %y = if %0 : f64[n]|float {
      %x.1 = any.narrow %x {type = !f64[n]} : f64[n]
      %1 = multiply %x.1, %w : f64[n]
      region_yield %1
    } {
      %x.2 = any.narrow %x {type = !float} : float
      ...
The largest of numbers of several types is found by comparisons:
    %y = py.max %m, %x : f32|float                 # %m : f32|float, %x : f32
    %1 = any.gt %x, %m : bool                      # which is split, too
    %y = if %1 : f32|float {
      region_yield %x
    } {
      region_yield %m
    }
Where all come to the same but for one operand, only that is chosen:
    %y = any.add %s, %w : f64                      # %s : f64|float, %w : f64
    %1 = if %0 : f64 {
      %s.1 = any.narrow %s {type = !f64} : f64
      region_yield %s.1
    } {
      %s.2 = any.narrow %s {type = !float} : float
      %2 = from_python %s.2 {dtype = f64} : f64
      region_yield %2
    }
    %y = add %1, %w : f64
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    NEVER,
    Block,
    Builder,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    attributes_key,
    builder_before,
    members_of,
    rewriter,
)
from staticpy.ops import dynamic, operators
from staticpy.ops.apply import as_value
from staticpy.ops.builtin_functions import abs_
from staticpy.ops.control import if_, region_yield, undef
from staticpy.ops.python_functions import max_, truth

_TABLES: tuple[tuple[Mapping[str, Any], Callable[..., Any]], ...] = (
    (dynamic.BINARY, operators.binary),
    (dynamic.COMPARE, operators.compare),
    (dynamic.UNARY, operators.unary),
)
_OPERATORS = {
    op.name: (apply, symbol) for table, apply in _TABLES for symbol, op in table.items()
} | {dynamic.UNARY["abs"].name: (lambda _, x: abs_(x), "abs")}
_NUMBERS = (PythonType, ScalarType, TensorType)


def split_by_member(operation: Operation, is_several: Callable[[Value], bool]) -> None:
    """Replace an operation by one for each type of the operands that ``is_several`` holds for. An
    operator of Python becomes what it is on numbers or arrays of these types.
    """
    builder = builder_before(operation)
    with builder.current():
        made = _Splitting(builder, operation, is_several).of(operation.operands)
        for place, (value, result) in enumerate(zip(made, operation.results, strict=True)):
            if value.type != result.type:
                made[place] = builder.emit(dynamic.narrow, [value], {"type": result.type}).result
    rewriter.replace(operation, made)


def compared(extremum: Operation) -> list[Operation]:
    """Replace ``max`` or ``min`` of several numbers by comparisons, which are given: the first of
    equal ones is taken, as Python does.
    """
    builder = builder_before(extremum)
    symbol = ">" if extremum.op is max_ else "<"
    best, *others = extremum.operands
    comparisons = []
    with builder.current():
        for other in others:
            found = as_value(operators.compare(symbol, other, best))
            comparisons += [found.defining_op] if found.defining_op is not None else []
            wins = as_value(truth(found))
            with builder.region() as then:
                builder.emit(region_yield, [other])
            with builder.region() as orelse:
                builder.emit(region_yield, [best])
            best = builder.emit(if_, [wins], {}, [then, orelse]).result
        if best.type != extremum.result.type:
            best = builder.emit(dynamic.narrow, [best], {"type": extremum.result.type}).result
    rewriter.replace(extremum, [best])
    return comparisons


class _Splitting:
    def __init__(
        self, builder: Builder, operation: Operation, is_several: Callable[[Value], bool]
    ) -> None:
        self._builder = builder
        self._operation = operation
        self._is_several = is_several

    def of(self, operands: Sequence[Value]) -> list[Value]:
        """What the operation gives for ``operands``: a branch for each type of the first that is of
        several.
        """
        several = next(filter(self._is_several, operands), None)
        if several is None:
            return self._of_one_type(operands)
        return self._of_members(operands, several, members_of(several.type))

    def _of_members(
        self, operands: Sequence[Value], several: Value, members: Sequence[Type]
    ) -> list[Value]:
        member, *others = members
        if not others:
            return self._of_member(operands, several, member)
        builder = self._builder
        is_it = builder.emit(dynamic.is_, [several], {"type": member}).result
        with builder.region() as then:
            builder.emit(region_yield, self._of_member(operands, several, member))
        with builder.region() as orelse:
            builder.emit(region_yield, self._of_members(operands, several, others))
        end, place = then.block.operations[-2], _only_difference(then.block, orelse.block)
        if place is None:
            return list(builder.emit(if_, [is_it], {}, [then, orelse]).results)
        given = list(end.operands)
        for region in (then, orelse):
            _yield_operand(region.block, place)
        given[place] = builder.emit(if_, [is_it], {}, [then, orelse]).result
        return list(builder.emit(end.op, given, end.attrs).results)

    def _of_member(self, operands: Sequence[Value], several: Value, member: Type) -> list[Value]:
        narrow = self._builder.emit(dynamic.narrow, [several], {"type": member}).result
        return self.of([narrow if each is several else each for each in operands])

    def _of_one_type(self, operands: Sequence[Value]) -> list[Value]:
        operation = self._operation
        apply, symbol = _OPERATORS.get(operation.name, (None, ""))
        kinds = [each for value in operands for each in members_of(value.type)]
        if apply is not None and all(isinstance(each, _NUMBERS) for each in kinds):
            try:
                return [as_value(apply(symbol, *operands))]
            except DiagnosticError:  # Python raises for these
                pass
        made = self._builder.emit(operation.op, operands, operation.attrs).results
        pairs = zip(made, operation.results, strict=True)
        return [self._undefined(known) if each.type == NEVER else each for each, known in pairs]

    def _undefined(self, result: Value) -> Value:
        """What stands for a result that there never is, since the operation raises, where another
        type of operand gives one.
        """
        return self._builder.emit(undef, [], {"type": result.type}).result


def _only_difference(one: Block, other: Block) -> int | None:
    """Which operand alone differs where two blocks yield the result of one kind of operation."""
    ends = one.operations[-2], other.operations[-2]
    for block, end in zip((one, other), ends, strict=True):
        is_one = len(end.results) == 1 and block.terminator.operands == [end.result]
        if end.regions or not is_one:
            return None
    left, right = (end.operands for end in ends)
    if ends[0].op is not ends[1].op or attributes_key(ends[0]) != attributes_key(ends[1]):
        return None
    places = [
        place for place, pair in enumerate(zip(left, right, strict=True)) if pair[0] is not pair[1]
    ]
    place = places[0] if len(places) == 1 else None
    return place if place is not None and left[place].type == right[place].type else None


def _yield_operand(block: Block, place: int) -> None:
    """Let a block yield an operand of what it ends with, which goes."""
    end = block.operations[-2]
    rewriter.set_operand(block.terminator, 0, end.operands[place])
    rewriter.erase(end)
