"""Algebraic simplification: only what Python, NumPy and IEEE 754 allow to the last bit.

Before:
    %0 = py.not %c : bool
    %1 = py.not %0 : bool
    %2 = transpose %x {axes = (1, 0)} : f64[k, n]
    %3 = transpose %2 {axes = (1, 0)} : f64[n, k]
    %4 = matmul %3, %y : f64[n]
    %r = if %1 : f64[n] {
      region_yield %4
    } {
      region_yield %4
    }
    return %r
After (with what nobody reads dropped by ``dce``):
    %r = matmul %x, %y : f64[n]
    return %r

Not here are ``x * 0`` (NaN, -0.0), ``x + 0`` (-0.0), and what would give the caller an array that
isn't a fresh one. A copy of an array stays too: its layout in memory decides in which order NumPy
adds it up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from staticpy.ir import (
    BOOL,
    UNKNOWN,
    DictType,
    Function,
    ListType,
    Module,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    builder_before,
    dims_of,
    members_of,
    rewriter,
    walk,
)
from staticpy.ops import (
    REGISTRY,
    OpDef,
    SymbolicShapes,
    constant,
    constant_value,
    dim,
    errstate,
    for_,
    if_,
    transpose,
    try_,
    while_,
)
from staticpy.passes.aliasing import AliasAnalysis
from staticpy.passes.effects import KEPT, own_effects
from staticpy.passes.simplify_control import (
    simplify_for,
    simplify_guard,
    simplify_if,
    simplify_while,
)
from staticpy.passes.simplify_stretching import (
    STRETCHING,
    operation_that_stretches,
    sum_over_axes,
)

Replacements = Mapping[Value, Value]
Rule = Callable[[Operation, AliasAnalysis], Replacements]
ShapeRule = Callable[[Operation, AliasAnalysis, SymbolicShapes], Replacements]


def simplify(module: Module) -> None:
    """Apply the rules to all functions of ``module`` until none fits any more."""
    for function in module.functions.values():
        _Simplifier(function).run()


class _Simplifier:
    """Keeps the operations of one function that are still to be looked at."""

    def __init__(self, function: Function) -> None:
        self._aliases = AliasAnalysis(function)
        self._shapes = SymbolicShapes()
        self._pending = [each for each in walk(function.block) if _has_rule(each)][::-1]
        self._waiting = set(self._pending)
        self._replaced: set[Operation] = set()

    def run(self) -> None:
        while self._pending:
            operation = self._pending.pop()
            self._waiting.discard(operation)
            if operation in self._replaced:
                continue
            rule, shape_rule = RULES.get(operation.name), SHAPE_RULES.get(operation.name)
            if rule is not None:
                self._replace(operation, rule(operation, self._aliases))
            elif shape_rule is not None:
                found = shape_rule(operation, self._aliases, self._shapes)
                self._replace(operation, found)
        rewriter.erase_all(self._replaced)

    def _replace(self, operation: Operation, replacements: Replacements) -> None:
        for old, new in replacements.items():
            if not old.uses:
                continue
            for user in list(old.users):
                self._revisit(user)
            self._aliases.note_replacement(new, old)
            rewriter.replace_all_uses(old, new)
            if new.defining_op is not None:
                self._revisit(new.defining_op)
        covered = all(result in replacements for result in operation.results)
        if covered and replacements and not operation.regions:
            self._replaced.add(operation)

    def _revisit(self, operation: Operation) -> None:
        """Look at an operation again: at the one around it, where it ends a region."""
        target = operation.parent if operation.op.is_terminator else operation
        if target is not None and target not in self._waiting and _has_rule(target):
            self._waiting.add(target)
            self._pending.append(target)


def _has_rule(operation: Operation) -> bool:
    return operation.op.name in _RULED


# --- Python's numbers ----------------------------------------------------------------------------

_NOT = REGISTRY["py.not"]
_OPPOSITE = {"py.eq": "py.ne", "py.ne": "py.eq"}
_OPPOSITE_OF_INTS = {"py.lt": "py.ge", "py.ge": "py.lt", "py.gt": "py.le", "py.le": "py.gt"}


def _simplify_not(operation: Operation, _: AliasAnalysis) -> Replacements:
    """``not not b`` is ``b``; ``not x == y`` is ``x != y``; ``not i < j`` is ``i >= j`` for
    ints.
    """
    inner = operation.operands[0].defining_op
    if inner is None:
        return {}
    if inner.op is _NOT and inner.operands[0].type == BOOL:
        return {operation.result: inner.operands[0]}
    kinds = {
        operand.type.kind for operand in inner.operands if isinstance(operand.type, PythonType)
    }
    opposite = _OPPOSITE.get(inner.name)
    if opposite is None and kinds <= {"int", "bool"}:
        opposite = _OPPOSITE_OF_INTS.get(inner.name)
    if opposite is None:
        return {}
    return {operation.result: _emit(operation, REGISTRY[opposite], inner.operands)}


def _simplify_conversion(operation: Operation, _: AliasAnalysis) -> Replacements:
    """A number that is converted to the type it has already."""
    operand = operation.operands[0]
    is_same = operand.type == operation.result.type and not isinstance(operand.type, TensorType)
    return {operation.result: operand} if is_same else {}


def _identity(neutral: int, *, commutes: bool = False) -> Rule:
    """``x op neutral`` is ``x`` for integers (and, if it commutes, ``neutral op x``)."""

    def rule(operation: Operation, _: AliasAnalysis) -> Replacements:
        left, right = operation.operands
        if _is_integer(left) and _is_number(right, neutral):
            kept = left
        elif commutes and _is_integer(right) and _is_number(left, neutral):
            kept = right
        else:
            return {}
        return {operation.result: kept} if kept.type == operation.result.type else {}

    return rule


def _is_integer(value: Value) -> bool:
    type_ = value.type
    if isinstance(type_, PythonType):
        return type_.kind == "int"
    return isinstance(type_, ScalarType) and type_.dtype.kind in "iu"


def _is_number(value: Value, number: int) -> bool:
    known = constant_value(value)
    return isinstance(known, int | np.integer) and known == number


# --- views ---------------------------------------------------------------------------------------


def _simplify_transpose(operation: Operation, aliases: AliasAnalysis) -> Replacements:
    """A transpose of a transpose is one transpose, and one that changes nothing is its operand."""
    source = operation.operands[0]
    axes = operation.attrs["axes"]
    inner = source.defining_op
    is_nested = inner is not None and inner.op is transpose
    if inner is not None and is_nested:
        source = inner.operands[0]
        axes = tuple(inner.attrs["axes"][axis] for axis in axes)
    if axes == tuple(range(len(axes))):
        # The caller could tell the view, an array object of its own, from its base.
        return {} if aliases.escapes(operation.result) else {operation.result: source}
    if not is_nested:
        return {}
    return {operation.result: _emit(operation, transpose, [source], axes=axes)}


# --- shapes --------------------------------------------------------------------------------------


def _simplify_broadcast(
    operation: Operation, aliases: AliasAnalysis, shapes: SymbolicShapes
) -> Replacements:
    """Operands that have the shape already: each result is a view of its operand, which nobody can
    tell from it unless it gets out. Nothing is written to the results.
    """
    pairs = list(zip(operation.operands, operation.results, strict=True))
    found: dict[Value, Value] = {
        result: operand
        for operand, result in pairs
        if _is_as_it_was(operand, result, shapes) and not aliases.escapes(result)
    }
    is_open = any(UNKNOWN in dims_of(result.type) for result in operation.results)
    # A size that only the broadcast tells stays with all that it is the size of.
    return {} if is_open and len(found) < len(pairs) else found


def _simplify_stretched(
    operation: Operation, aliases: AliasAnalysis, shapes: SymbolicShapes
) -> Replacements:
    """An operand that has the shape already."""
    operand, result = operation.operands[0], operation.result
    is_same = _is_as_it_was(operand, result, shapes) and aliases.is_private(result)
    return {result: operand} if is_same else {}


def _simplify_sum_to(
    operation: Operation, aliases: AliasAnalysis, shapes: SymbolicShapes
) -> Replacements:
    """An operand that has the shape already, or one that is summed over axes that are known."""
    found = _simplify_stretched(operation, aliases, shapes)
    if found:
        return found
    summed = sum_over_axes(operation)
    return {} if summed is None else {operation.result: summed}


def _of_stretched(rule: Rule | None) -> Rule:
    """``rule``, and that operands need not be stretched before."""

    def either(operation: Operation, aliases: AliasAnalysis) -> Replacements:
        found = {} if rule is None else rule(operation, aliases)
        made = None if found else operation_that_stretches(operation)
        return found if made is None else {operation.result: made}

    return either


def _is_as_it_was(operand: Value, result: Value, shapes: SymbolicShapes) -> bool:
    return operand.type == result.type and shapes.are_same(operand, result)


def _simplify_dim(operation: Operation, _: AliasAnalysis, shapes: SymbolicShapes) -> Replacements:
    """The size of what is computed for its size only is that of an operand of the same shape."""
    value = operation.operands[0]
    made = value.defining_op
    if made is None or any(user.op is not dim for user in value.users):
        return {}
    for operand in made.operands if value in _of_no_effect(made) else ():
        if isinstance(operand.type, TensorType) and shapes.are_same(operand, value):
            return {operation.result: _emit(operation, dim, [operand], **operation.attrs)}
    return {}


def _of_no_effect(operation: Operation) -> list[Value]:
    """The results of an operation that goes where nobody reads them."""
    is_kept = operation.regions or own_effects(operation) & KEPT
    return [] if is_kept else list(operation.results)


# --- helpers and the table -----------------------------------------------------------------------


def _emit(operation: Operation, op: OpDef, operands: list[Value], **attrs: object) -> Value:
    """Emit what takes the place of ``operation``, just before it."""
    builder = builder_before(operation)
    return builder.emit(op, operands, attrs).result


def _simplify_is(operation: Operation, _: AliasAnalysis) -> Replacements:
    """A test for a member of a union where the answer is in the type."""
    operand, asked = operation.operands[0].type, operation.attrs["type"]
    kinds = [_kind(member) for member in members_of(operand)]
    if len(kinds) > 1 and _kind(asked) in kinds:
        return {}
    return {operation.result: _emit(operation, constant, [], value=_kind(asked) in kinds)}


def _kind(type_: Type) -> object:
    """What two types share that can't be told apart at run time, sizes and items aside."""
    if isinstance(type_, TensorType):
        return TensorType, type_.dtype, type_.rank
    if isinstance(type_, TupleType):
        return TupleType, len(type_.items)
    return type(type_) if isinstance(type_, ListType | DictType) else type_


def _simplify_narrow(operation: Operation, _: AliasAnalysis) -> Replacements:
    """What is of the type already, or was before it was taken for one of several."""
    operand = operation.operands[0]
    made = operand.defining_op
    while (
        made is not None and made.op.name == "any.narrow" and operand.type != operation.result.type
    ):
        operand = made.operands[0]
        made = operand.defining_op
    return {operation.result: operand} if operand.type == operation.result.type else {}


RULES: dict[str, Rule] = {
    "any.is": _simplify_is,
    "any.narrow": _simplify_narrow,
    "py.not": _simplify_not,
    "py.bool": _simplify_conversion,
    "py.int": _simplify_conversion,
    "py.float": _simplify_conversion,
    "py.complex": _simplify_conversion,
    "py.pos": _simplify_conversion,
    "truth": _simplify_conversion,
    "cast": _simplify_conversion,
    "py.add": _identity(0, commutes=True),
    "py.sub": _identity(0),
    "py.mul": _identity(1, commutes=True),
    "py.floordiv": _identity(1),
    "add": _identity(0, commutes=True),
    "subtract": _identity(0),
    "multiply": _identity(1, commutes=True),
    "transpose": _simplify_transpose,
    if_.name: simplify_if,
    for_.name: simplify_for,
    while_.name: simplify_while,
    try_.name: simplify_guard,
    errstate.name: simplify_guard,
}
"""The rule of each op: what may take the place of which result."""
RULES |= {name: _of_stretched(RULES.get(name)) for name in STRETCHING}

SHAPE_RULES: dict[str, ShapeRule] = {
    "broadcast": _simplify_broadcast,
    "broadcast_to": _simplify_stretched,
    "sum_to": _simplify_sum_to,
    "dim": _simplify_dim,
}
"""The rules of ops for which sizes count that types leave open."""
_RULED = frozenset((*RULES, *SHAPE_RULES))
