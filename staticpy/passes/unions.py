"""Operators on numbers of several types become one operator for each type.

In: a Module, and which types of numbers a backend tells apart quickly. Out: the same Module
without operators that Python has to find when the program runs, where it can be
(``ops/by_member.py`` shows it). No pass of the pipeline: Python itself finds them faster than a
branch does.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.ir import Module, Operation, Type, UnionType, Value, members_of, walk
from staticpy.ops import dynamic, split_by_member, store

_OPERATORS = frozenset(
    op for table in (dynamic.BINARY, dynamic.COMPARE, dynamic.UNARY) for op in table.values()
) | {store}

_MOST = 9
"""How many combinations of types there may be."""


def split_unions(module: Module, is_number: Callable[[Type], bool]) -> None:
    """Split the operators of ``module`` on numbers of types for which ``is_number`` holds."""

    def is_several(value: Value) -> bool:
        return isinstance(value.type, UnionType) and all(map(is_number, value.type.members))

    for function in module.functions.values():
        for operation in list(walk(function.block)):
            if operation.op in _OPERATORS and _is_split(operation, is_several, is_number):
                split_by_member(operation, is_several)


def _is_split(
    operation: Operation, is_several: Callable[[Value], bool], is_number: Callable[[Type], bool]
) -> bool:
    several = [value for value in operation.operands if is_several(value)]
    combinations = 1
    for value in dict.fromkeys(several):
        combinations *= len(members_of(value.type))
    results = [each for result in operation.results for each in members_of(result.type)]
    return bool(several) and combinations <= _MOST and all(map(is_number, results))
