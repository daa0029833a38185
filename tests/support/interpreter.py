"""A reference interpreter: runs a function of the graph by the kernels of its ops, one after the
other.

In: a Module or Function and run-time values. Out: the list of results. It is the simplest thing
that can be right, for tests to compare with. On the way it checks that every value has the type
that the graph gives it: box, dtype, rank, sizes that are numbers, and one size for each symbol.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    OBJECT,
    UNKNOWN,
    Block,
    DictType,
    Function,
    ListType,
    Module,
    Operation,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    type_of,
)
from staticpy.ops import REGISTRY, results_of

Environment = dict[Value, Any]

_UNDEFINED = object()
"""The value of ``undef``."""


def run(program: Module | Function, *arguments: Any) -> list[Any]:
    """Run ``program`` (the entry of a module) and return what it returns, always as a list."""
    if isinstance(program, Module):
        return _Interpreter(program).call(program.main, arguments)
    return _Interpreter(None).call(program, arguments)


def check_type(type_: Type, value: Any, symbols: dict[str, int]) -> None:
    """Assert that ``value`` is of ``type_``; ``symbols`` collects the size of each symbol."""
    if isinstance(type_, UnionType):
        fitting = [member for member in type_.members if _is_of_kind(member, value)]
        assert fitting, f"{type(value)} is not {type_}"
        # Lists of several types can't be told apart; one of them must fit.
        _check_one(fitting, value, symbols)
        return
    assert _is_of_kind(type_, value), f"{type(value)} is not {type_}"
    if isinstance(type_, TensorType):
        for dim, size in zip(type_.dims, value.shape, strict=True):
            known = symbols.setdefault(dim, size) if isinstance(dim, str) else dim
            assert dim == UNKNOWN or known == size, f"{value.shape} is not {type_}"
    elif isinstance(type_, TupleType):
        for item_type, item in zip(type_.items, value, strict=True):
            check_type(item_type, item, symbols)
    elif isinstance(type_, ListType):
        for item in value:
            check_type(type_.item, item, symbols)
    elif isinstance(type_, DictType):
        for key, item in value.items():
            check_type(type_.key, key, symbols)
            check_type(type_.value, item, symbols)


def _check_one(types: Sequence[Type], value: Any, symbols: dict[str, int]) -> None:
    for type_ in types[:-1]:
        tried = dict(symbols)
        try:
            check_type(type_, value, tried)
        except AssertionError:
            continue
        symbols.update(tried)
        return
    check_type(types[-1], value, symbols)


def _is_of_kind(type_: Type, value: Any) -> bool:
    """Whether ``value`` is of ``type_``, as far as its class, dtype, rank and length tell."""
    if isinstance(type_, TensorType):
        is_array = type(value) is np.ndarray
        return is_array and (value.dtype, value.ndim) == (type_.dtype, type_.rank)
    if isinstance(type_, TupleType):
        return type(value) is tuple and len(value) == len(type_.items)
    if isinstance(type_, ListType | DictType):
        return type(value) is (list if isinstance(type_, ListType) else dict)
    return type_ == OBJECT or type_of(value) == type_


class _Interpreter:
    def __init__(self, module: Module | None) -> None:
        self._module = module
        self._symbols: dict[str, int] = {}

    def call(self, function: Function, arguments: Sequence[Any]) -> list[Any]:
        saved, self._symbols = self._symbols, {}
        try:
            return self._block(function.block, arguments, {})
        finally:
            self._symbols = saved

    def _block(self, block: Block, arguments: Sequence[Any], outer: Environment) -> list[Any]:
        """Run a block and return what its terminator hands on."""
        environment = outer | self._bound(block.args, arguments)
        for operation in block.operations:
            operands = [environment[operand] for operand in operation.operands]
            if REGISTRY[operation.name].is_terminator:
                return operands
            results = self._operation(operation, operands, environment)
            environment |= self._bound(operation.results, results)
        raise AssertionError("a block without a terminator")

    def _bound(self, targets: Sequence[Value], values: Sequence[Any]) -> Environment:
        bound = dict(zip(targets, values, strict=True))
        for target, value in bound.items():
            if value is not _UNDEFINED:
                check_type(target.type, value, self._symbols)
        return bound

    def _operation(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> Sequence[Any]:
        special = getattr(self, f"_run_{operation.name}", None)
        if special is not None:
            return special(operation, operands, environment)
        kernel = REGISTRY[operation.name].kernel
        assert kernel is not None, operation.name
        result = kernel(*operands, **operation.attrs)
        if not operation.results:
            return ()
        return results_of(result, [value.type for value in operation.results])

    def _run_undef(self, operation: Operation, operands: Any, environment: Any) -> list[Any]:
        return [_UNDEFINED]

    def _run_call(self, operation: Operation, operands: list[Any], environment: Any) -> list[Any]:
        assert self._module is not None
        return self.call(self._module.functions[operation.attrs["callee"]], operands)

    def _run_if(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        region = operation.regions[0 if operands[0] else 1]
        return self._block(region.block, (), environment)

    def _run_try(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        body, *others = (region.block for region in operation.regions)
        try:
            return self._block(body, (), environment)
        except DiagnosticError:
            raise
        except BaseException as error:
            for caught, block in zip(operation.attrs["handlers"], others, strict=True):
                if isinstance(error, _caught_classes(caught, operands)):
                    return self._block(block, [error], environment)
            raise

    def _run_errstate(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        with np.errstate(**dict(operation.attrs["options"])):
            return self._block(operation.regions[0].block, (), environment)

    def _run_while(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        before, after = operation.regions
        carried = operands
        while True:
            goes_on, *forwarded = self._block(before.block, carried, environment)
            if not goes_on:
                return forwarded
            carried = self._block(after.block, forwarded, environment)

    def _run_for(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        start, stop, step, *carried = operands
        for i in range(start, stop, step):
            carried = self._block(operation.regions[0].block, [i, *carried], environment)
            if operation.attrs["breaks"]:
                stops, *carried = carried
                if stops:
                    break
        return carried


def _caught_classes(caught: Sequence[str | int], operands: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(
        operands[each] if isinstance(each, int) else getattr(builtins, each) for each in caught
    )
