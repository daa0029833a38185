"""A reference interpreter: runs a function of the graph by the kernels of its ops, one after the
other.

In: a Module or Function and run-time values. Out: the list of results. It is the simplest thing
that can be right, for tests to compare with. On the way it checks that every value has the type
that the graph gives it: box, dtype, rank, sizes that are numbers, and one size for each symbol.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.ir import (
    UNKNOWN,
    Block,
    Function,
    Module,
    Operation,
    TensorType,
    Type,
    Value,
    dims_of,
    type_of,
)
from staticpy.ops import REGISTRY

Environment = dict[Value, Any]


def run(program: Module | Function, *arguments: Any) -> list[Any]:
    """Run ``program`` (the entry of a module) and return what it returns, always as a list."""
    if isinstance(program, Module):
        return _Interpreter(program).call(program.main, arguments)
    return _Interpreter(None).call(program, arguments)


def check_type(type_: Type, value: Any, symbols: dict[str, int]) -> None:
    """Assert that ``value`` is of ``type_``; ``symbols`` collects the size of each symbol."""
    actual = type_of(value)
    assert type(actual) is type(type_), f"{actual} is not {type_}"
    if not isinstance(type_, TensorType):
        assert actual == type_, f"{actual} is not {type_}"
        return
    sizes = dims_of(actual)
    same = actual.dtype == type_.dtype and len(sizes) == type_.rank
    assert same, f"{actual} is not {type_}"
    for dim, size in zip(type_.dims, sizes, strict=True):
        known = symbols.setdefault(dim, size) if isinstance(dim, str) else dim
        assert dim == UNKNOWN or known == size, f"{actual} is not {type_}"


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
            if value is not None:  # the value of undef
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
        if len(operation.results) == 1:
            return [result[0] if isinstance(result, tuple) else result]
        return result or ()

    def _run_undef(self, operation: Operation, operands: Any, environment: Any) -> list[Any]:
        return [None]

    def _run_call(self, operation: Operation, operands: list[Any], environment: Any) -> list[Any]:
        assert self._module is not None
        return self.call(self._module.functions[operation.attrs["callee"]], operands)

    def _run_if(
        self, operation: Operation, operands: list[Any], environment: Environment
    ) -> list[Any]:
        region = operation.regions[0 if operands[0] else 1]
        return self._block(region.block, (), environment)

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
