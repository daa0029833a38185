"""Operators on numbers of several types become one operator for each type.

In: a Module, and which types of numbers a backend tells apart quickly. Out: the same Module
without operators that Python has to find when the program runs, where it can be
(``ops/by_member.py`` shows it). No pass of the pipeline: Python itself finds them faster than a
branch does.

What is of one type, and was of several only before its loop was unrolled or its branch was taken,
is read as that one:

Before:
    %1 = any.narrow %x {type = !i64|int} : i64|int       # %x : i64
    %2 = any.add %1, %y : i64|int
    %3 = py.max %2, %y : i64|int
After:
    %2 = add %x, %y : i64
    %3 = py.max %2, %y : i64
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    Block,
    Builder,
    Module,
    Operation,
    ScalarType,
    Type,
    UnionType,
    Value,
    members_of,
    rewriter,
)
from staticpy.ops import (
    REGISTRY,
    compared,
    dynamic,
    if_,
    is_inexact,
    return_,
    split_by_member,
    store,
)
from staticpy.passes.dce import dce
from staticpy.passes.fold import fold
from staticpy.passes.simplify import simplify

_OPERATORS = frozenset(
    op for table in (dynamic.BINARY, dynamic.COMPARE, dynamic.UNARY) for op in table.values()
) | {store}

_EXTREMA = (REGISTRY["py.max"], REGISTRY["py.min"])

_MOST = 9
"""How many combinations of types there may be."""


def split_unions(module: Module, is_number: Callable[[Type], bool]) -> None:
    """Split the operators of ``module`` on numbers of types for which ``is_number`` holds."""
    splitter = _Splitter(is_number)
    for function in module.functions.values():
        splitter.go_through(function.block)
    if splitter.has_learned:  # which way the tests for a type go
        simplify(module)
        fold(module)
        dce(module)


class _Splitter:
    """Goes through blocks.

    Attributes:
        has_learned: whether a value has turned out to be of one type.
    """

    def __init__(self, is_number: Callable[[Type], bool]) -> None:
        self._is_one = is_number
        self.has_learned = False

    def go_through(self, block: Block) -> None:
        """Split the operators of a block, what is read before what reads it."""
        for operation in list(block.operations):
            for region in operation.regions:
                self.go_through(region.block)
            self._read_one_type(operation)
            if self._is_compared(operation):
                for comparison in compared(operation):
                    self._split(comparison)
            elif operation.op not in _OPERATORS:
                self._give_one_type(operation)
            else:
                self._split(operation)

    def _split(self, operation: Operation) -> None:
        if operation.op in _OPERATORS and self._is_split(operation):
            self.has_learned |= not any(map(self._is_several, operation.operands))
            split_by_member(operation, self._is_several)

    def _is_compared(self, operation: Operation) -> bool:
        """Whether it is the largest or smallest of floats of several types, or of float32 and
        others: these are compared with Python's numbers as float32.
        """
        if operation.op not in _EXTREMA or len(operation.operands) < 2:
            return False
        if not all(map(self._is_number, operation.operands)):
            return False
        members = {each for value in operation.operands for each in members_of(value.type)}
        has_float32 = ScalarType(np.dtype(np.float32)) in members
        return len(members) > 1 and (has_float32 or all(map(is_inexact, members)))

    def _is_several(self, value: Value) -> bool:
        return isinstance(value.type, UnionType) and all(map(self._is_one, value.type.members))

    def _is_number(self, value: Value) -> bool:
        return all(map(self._is_one, members_of(value.type)))

    def _read_one_type(self, operation: Operation) -> None:
        """Let an operation read what a value of several types was made of, if that is known."""
        values = (*operation.operands, *operation.results)
        is_sink = operation.op.is_terminator or operation.op is store
        is_able = is_sink or all(map(self._is_number, values))
        if operation.op in (dynamic.narrow, return_) or not is_able:
            return
        for position, value in enumerate(operation.operands):
            made = value.defining_op
            if not self._is_several(value) or made is None or made.op is not dynamic.narrow:
                continue
            (source,) = made.operands
            if set(members_of(source.type)) <= set(members_of(value.type)):  # None isn't left out
                rewriter.set_operand(operation, position, source)
                if not value.uses:
                    rewriter.erase(made)

    def _give_one_type(self, operation: Operation) -> None:
        """Let an operation give what it does give of several types; others read it as before."""
        has_types = operation.op is if_ or not operation.regions
        if operation.op is dynamic.narrow or not has_types:
            return
        if not any(map(self._is_several, operation.results)):
            return
        operands = [value.type for value in operation.operands]
        try:
            types = operation.op.result_types(operands, operation.attrs, operation.regions)
        except DiagnosticError:  # Python raises for these
            return
        assert operation.block is not None
        builder = Builder(operation.block)
        builder.after(operation)
        for result, type_ in zip(operation.results, types, strict=True):
            if self._is_several(result) and set(members_of(type_)) < set(members_of(result.type)):
                old, result.type = result.type, type_
                self.has_learned = True
                as_before = builder.emit(dynamic.narrow, [result], {"type": old}).result
                for user, position in list(result.uses):
                    if user is not as_before.owner:
                        rewriter.set_operand(user, position, as_before)

    def _is_split(self, operation: Operation) -> bool:
        several = [value for value in operation.operands if self._is_several(value)]
        combinations = 1
        for value in dict.fromkeys(several):
            combinations *= len(members_of(value.type))
        can_be = bool(several) or all(map(self._is_number, operation.operands))
        return can_be and combinations <= _MOST and all(map(self._is_number, operation.results))
