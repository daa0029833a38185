"""The verifier: what every graph must satisfy between any two stages.

In: a Module. Out: nothing, or a DiagnosticError (INVALID_IR) that names the function and the
operation. Checked are: each value is defined once, before its readers, and visible to them; uses
are recorded in both directions; the links between operation, block and region hold; each block ends
in its one terminator; each operation has the types that its op's rule gives, and what else its op
demands; calls name a function of the module and fit it; the entry exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Any, NoReturn

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir.core import Function, Module, Operation, Region, Value
from staticpy.ir.inference import infer_types
from staticpy.ir.types import Type, accepts
from staticpy.source import NO_SPAN, SourceSpan


def verify(module: Module) -> None:
    """Check that ``module`` is valid.

    Raises:
        DiagnosticError: INVALID_IR, at the span of the first operation that is not.
    """
    if module.entry not in module.functions:
        _refuse(f"there is no function @{module.entry} to enter by")
    for name, function in module.functions.items():
        if name != function.name:
            _refuse(f"the function @{function.name} is filed as @{name}")
        _FunctionVerifier(module, function).run()


class _Step(Enum):
    ENTER = auto()
    """Begin a block: its arguments become visible."""
    GO_ON = auto()
    """Check the operations that are left of a block; stop at one with regions, to go into these."""
    DEFINE = auto()
    """After the regions of an operation: check it by its rules, its results become visible."""
    LEAVE = auto()
    """End a block: what it defined is visible no more."""


class _FunctionVerifier:
    """Checks one function, in the order of its text."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._visible: set[Value] = set()
        self._values: list[Value] = []
        self._seen: set[Operation] = set()

    def run(self) -> None:
        """Check everything of this function."""
        region = self._function.body
        if region.parent is not None:
            _refuse(f"the body of @{self._function.name} belongs to an operation")
        self._check_region(region, None)
        self._check_structure()
        self._check_uses()

    def _check_structure(self) -> None:
        pending: list[tuple[_Step, Any]] = [(_Step.ENTER, self._function.block)]
        while pending:
            step, item = pending.pop()
            if step is _Step.ENTER:
                self._define(item.args)
                pending.append((_Step.LEAVE, item))
                pending.append((_Step.GO_ON, iter(item.operations)))
            elif step is _Step.GO_ON:
                entered = self._check_plain(item)
                if entered is not None:
                    pending += ((_Step.GO_ON, item), (_Step.DEFINE, entered))
                    regions = reversed(entered.regions)
                    pending += [(_Step.ENTER, region.block) for region in regions]
            elif step is _Step.DEFINE:
                # The regions are known to be sound by now, so that the rules may look into them.
                self._check_rules(item)
                self._define(item.results)
            else:
                self._visible.difference_update(item.args)
                for operation in item.operations:
                    if operation.results:
                        self._visible.difference_update(operation.results)

    def _check_plain(self, operations: Iterator[Operation]) -> Operation | None:
        """Check operations until one with regions comes, and return that one; its rules are left
        to be checked.
        """
        for operation in operations:
            self._check_links(operation)
            self._check_operands(operation)
            if operation.regions:
                return operation
            self._check_rules(operation)
            if operation.results:
                self._define(operation.results)
        return None

    def _define(self, values: Iterable[Value]) -> None:
        self._visible.update(values)
        self._values.extend(values)

    def _check_region(self, region: Region, parent: Operation | None) -> None:
        block = region.block
        if region.parent is not parent or block.region is not region:
            self._refuse(parent, "a region belongs to something else")
        if any(arg.block is not block or arg.index != i for i, arg in enumerate(block.args)):
            self._refuse(parent, "an argument of a block doesn't know its place")
        if not block.operations or not block.operations[-1].op.is_terminator:
            self._refuse(parent, "a block doesn't end in a terminator")
        for operation in block.operations[:-1]:
            if operation.op.is_terminator:
                self._refuse(operation, "a terminator stands in the middle of a block")
        for operation in block.operations:
            if operation.block is not block:
                self._refuse(operation, "it doesn't know its block")

    def _check_links(self, operation: Operation) -> None:
        if operation in self._seen:
            self._refuse(operation, "it stands in the graph twice")
        self._seen.add(operation)
        for index, result in enumerate(operation.results):
            if result.owner is not operation or result.index != index:
                self._refuse(operation, f"result {index} doesn't know its place")
        for region in operation.regions:
            self._check_region(region, operation)

    def _check_operands(self, operation: Operation) -> None:
        for position, operand in enumerate(operation.operands):
            if operand not in self._visible:
                name = f" (%{operand.name})" if operand.name else ""
                self._refuse(operation, f"operand {position}{name} is not defined before it")
            if (operation, position) not in operand.uses:
                self._refuse(operation, f"operand {position} doesn't know that it is used here")

    def _check_uses(self) -> None:
        for value in self._values:
            for user, position in value.uses:
                if user not in self._seen:
                    self._refuse(user, "it uses a value, but is not in the function")
                operands = user.operands
                if position >= len(operands) or operands[position] is not value:
                    self._refuse(user, f"it is noted as a user of what is not operand {position}")

    def _check_rules(self, operation: Operation) -> None:
        operands = [operand.type for operand in operation.operands]
        try:
            ruled = infer_types(operation.op, operands, operation.attrs, operation.regions)
            operation.op.verify_operation(operation)
        except DiagnosticError as error:
            self._refuse(operation, _message(error))
        except Exception as error:
            # A rule may fail in any way on operands that it was never meant for.
            self._refuse(operation, f"its type rule fails: {type(error).__name__}: {error}")
        types = [result.type for result in operation.results]
        if len(types) != len(ruled) or not all(map(accepts, types, ruled)):
            self._refuse(operation, f"it gives {_listed(types)}, but its rule {_listed(ruled)}")
        if "callee" in operation.attrs:
            self._check_call(operation, operands, types)

    def _check_call(
        self, operation: Operation, operands: Sequence[Type], results: Sequence[Type]
    ) -> None:
        callee = self._module.functions.get(operation.attrs["callee"])
        if callee is None:
            self._refuse(operation, f"there is no function @{operation.attrs['callee']}")
        takes = callee.arg_types
        if len(takes) != len(operands) or not all(map(accepts, takes, operands)):
            given = _listed(operands)
            self._refuse(operation, f"@{callee.name} takes {_listed(takes)}, not {given}")
        gives = callee.result_types if callee.block.operations else ()
        if len(gives) != len(results) or not all(map(accepts, results, gives)):
            self._refuse(
                operation, f"@{callee.name} gives {_listed(gives)}, not {_listed(results)}"
            )

    def _refuse(self, operation: Operation | None, detail: str) -> NoReturn:
        place = f"in @{self._function.name}"
        if operation is None:
            _refuse(f"{place}: {detail}", self._function.span)
        named = [f"%{result.name}" for result in operation.results if result.name]
        results = f" (giving {', '.join(named)})" if named else ""
        _refuse(f"{place}, '{operation.name}'{results}: {detail}", operation.span)


def _message(error: DiagnosticError) -> str:
    diagnostic = error.diagnostic(NO_SPAN)
    detail = diagnostic.args.get("detail")
    return str(detail) if error.spec is catalog.INVALID_IR else diagnostic.message


def _listed(types: Sequence[Type]) -> str:
    return f"({', '.join(map(str, types))})"


def _refuse(detail: str, span: SourceSpan = NO_SPAN) -> NoReturn:
    raise DiagnosticError(catalog.INVALID_IR, span if span != NO_SPAN else None, detail=detail)
