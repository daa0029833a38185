"""Forward mode: tangents pushed through a block, beside the values that they belong to.

In: a block, and the tangents of what it is differentiated by. Out: behind each operation those that
compute the tangents of its results:

    %h = sin %x : f64[n]                     %h = sin %x : f64[n]
                                             %0 = cos %x : f64[n]
                                             %1 = multiply %tx, %0 : f64[n]

A value without a tangent depends on nothing that is differentiated by: its tangent is zero. Where
an operation has no derivative, its results are ``unknown``, which is an error as soon as a tangent
depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity, is_differentiable, may_be_view
from staticpy.autodiff.cotangents import as_cotangent, widest
from staticpy.autodiff.refusals import FROM_OUTSIDE, refusal, refusal_by
from staticpy.autodiff.tangents import holds_tangents, tangent_type
from staticpy.autodiff.zero_tangents import zero_tangent
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    NEVER,
    Block,
    Builder,
    ObjectType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    accepts,
    members_of,
)
from staticpy.ops import REGISTRY, RULES, NoDerivativeError, Traced, untrace

Derive = Callable[[Operation, tuple[int, ...], bool], str]
"""The name of the function with tangents, for a call, the places of arguments that have some, and
whether memory that goes into the call, or comes out of it, may be written to by others."""


class Forward:
    """Pushes tangents through operations, in their order.

    Attributes:
        derive: makes functions with tangents; None where nothing is called.
        tangents: the tangents that are not zero; of memory that is written to, all of them.
        unknown: the values whose tangent can't be told, and the error that says why.
        order: the operations of each block that was entered, as they stood.
        places: the position of each of these in its block.
    """

    def __init__(self, activity: Activity, builder: Builder, derive: Derive | None = None) -> None:
        self.activity = activity
        self.builder = builder
        self.derive = derive
        self.tangents: dict[Value, Value] = {}
        self.unknown: dict[Value, DiagnosticError] = {}
        self.order: dict[Block, list[Operation]] = {}
        self.places: dict[Operation, int] = {}

    def tangent(self, value: Value) -> Value | None:
        """The tangent of a value; None for zero.

        Raises:
            DiagnosticError: NO_DERIVATIVE, where it is unknown.
        """
        if value in self.unknown:
            raise self.unknown[value]
        return self.tangents.get(value)

    def held(self, value: Value, target: Type | None = None) -> Value:
        """The tangent of a value, zero or not, to be held where a value of type ``target`` is."""
        target = tangent_type(target or value.type)
        found = self.tangent(value) or zero_tangent(value)
        if found is None:
            raise refusal(value.defining_op, f", since it gives {value.type}")
        if accepts(target, found.type):
            return found
        if not _differ_in_sizes(target, found.type):
            raise refusal(value.defining_op, f", since it gives {value.type}")
        return self.builder.emit(REGISTRY["any.narrow"], [found], {"type": target}).result

    def is_memory(self, value: Value) -> bool:
        """Whether a value is an array that is written to: its tangent is one array, too, which is
        written to with it.
        """
        is_array = isinstance(value.type, TensorType) and is_differentiable(value.type)
        is_varied = is_array and value in self.activity.varied
        return is_varied and self.activity.writes_to(value) is not None

    def by_rule(self, operation: Operation) -> None:
        """The tangents of what an operation gives, by its rule."""
        rule = RULES.get(operation.name)
        always_raises = any(result.type == NEVER for result in operation.results)
        if always_raises or (rule is not None and rule.is_flat):
            return
        given = [self.tangents.get(operand) for operand in operation.operands]
        errors = [self.unknown[each] for each in operation.operands if each in self.unknown]
        if errors:
            self.forget(operation, errors[0])
            return
        if all(tangent is None for tangent in given):
            if self._is_out_of_an_object(operation):
                self.forget(operation, refusal(operation, FROM_OUTSIDE))
            return
        if rule is None or rule.jvp is None:
            why = f": {rule.reason}" if rule and rule.reason else ""
            self.forget(operation, refusal(operation, why))
            return
        out = tuple(map(Traced, operation.results))
        operands = map(Traced, operation.operands)
        tangents = tuple(None if each is None else Traced(each) for each in given)
        single = len(out) == 1
        try:
            made = rule.jvp(tangents, out[0] if single else out, *operands, **operation.attrs)
        except (NoDerivativeError, DiagnosticError) as error:
            self.forget(operation, refusal_by(operation, error))
            return
        self.put(operation, [made] if single else made or [None] * len(out))

    def put(self, operation: Operation, items: Sequence[Any]) -> None:
        """Take over what a rule gives for the results of an operation."""
        for result, item in zip(operation.results, items, strict=True):
            if item is None or not is_differentiable(result.type):
                continue
            found = ops.as_value(untrace(as_cotangent(item, result.type)))
            if not _fits(result.type, found.type) and _is_number(found.type):
                number = as_cotangent(Traced(found), widest(result.type))
                found = ops.as_value(untrace(number))
            if not _fits(result.type, found.type):
                why = f", since it gives {result.type}"
                self.forget(operation, refusal(operation, why))
            else:
                self.tangents[result] = self._apart(operation, found)

    def forget(self, operation: Operation, error: DiagnosticError) -> None:
        """Note that the tangents of what an operation gives are unknown, and why."""
        for result in operation.results:
            if holds_tangents(result.type):
                self.unknown[result] = error

    def _is_out_of_an_object(self, operation: Operation) -> bool:
        """Whether an operation may read a number that was put into an object: objects have no
        tangents.
        """
        return any(
            operand in self.activity.varied
            and any(isinstance(member, ObjectType) for member in members_of(operand.type))
            for operand in operation.operands
        )

    def _apart(self, operation: Operation, tangent: Value) -> Value:
        """The tangent as an array of its own, where it or what it was made of is written to: a rule
        may give the tangent that it got, or a view.
        """
        values = (*operation.operands, *operation.results)
        is_written = isinstance(tangent.type, TensorType) and any(map(self.is_memory, values))
        if not is_written or self.shares(operation):
            return tangent
        made = tangent.defining_op
        is_fresh = made is not None and not made.regions and not may_be_view(made)
        known = {*values, *map(self.tangents.get, operation.operands)}
        if is_fresh and tangent not in known:
            return tangent
        return self.builder.emit(ops.copy, [tangent], {"order": "K"}).result

    def shares(self, operation: Operation) -> bool:
        """Whether the tangents of the results share memory as the results do."""
        raise AssertionError("defined by MemoryForward")


def _fits(target: Type, source: Type) -> bool:
    """Whether the tangent of a value of several types is of those that have tangents."""
    if not isinstance(target, UnionType):
        return True
    wanted = [member for member in members_of(target) if is_differentiable(member)]
    return all(any(accepts(each, member) for each in wanted) for member in members_of(source))


def _is_number(type_: Type) -> bool:
    """Whether a value is a number, whichever of its types it has: the tangent of what began as an
    int may be the int 0.
    """
    kinds = ("bool", "int", "float", "complex")
    return all(
        isinstance(each, ScalarType) or (isinstance(each, PythonType) and each.kind in kinds)
        for each in members_of(type_)
    )


def _differ_in_sizes(target: Type, source: Type) -> bool:
    return (
        isinstance(target, TensorType)
        and isinstance(source, TensorType)
        and (target.dtype, target.rank) == (source.dtype, source.rank)
    )
