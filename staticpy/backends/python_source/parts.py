"""The function of blocks of a chain.

In: a chain, the names of its variables, and what is read after it. Out: the function, a line for
each ufunc, among the globals of the source; the expression that calls it; and the statements that
give what it made to the variables of the program:

    @in_blocks(arrays=2, written=1, made=(), spare=(np.float32,))
    def part(m, g, r, block):
        np.multiply(m, 0.9, out=m)
        np.multiply(0.1, g, out=block)
        np.add(m, block, out=m)

What the program makes and reads no more becomes a spare block, which the next operation uses again.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterable

import numpy as np

from staticpy.backends.python_source.calls import definition
from staticpy.backends.python_source.chains import IN_PLACE_UFUNCS, Chain
from staticpy.backends.python_source.folding import Operand, constant_of
from staticpy.backends.python_source.in_blocks import LARGE, in_blocks
from staticpy.backends.python_source.literals import (
    Globals,
    call,
    dtype_expression,
    function_definition,
    load,
    numpy_name,
)
from staticpy.backends.python_source.naming import Naming
from staticpy.backends.python_source.nesting import Nesting, written_target
from staticpy.backends.python_source.statements import Delete
from staticpy.ir import Operation, TensorType, Value
from staticpy.passes import MemoryPlan


class Part:
    """The function of blocks of one chain.

    Attributes:
        made: the values that the function makes for the program, in order.
    """

    def __init__(
        self,
        chain: Chain,
        nesting: Nesting,
        naming: Naming,
        plan: MemoryPlan,
        is_live: Callable[[Value], bool],
    ) -> None:
        self._chain, self._plan = chain, plan
        self._folding, self._naming = nesting.folding, naming
        self._homes: dict[Value, Value] = {}
        """The value in whose memory each result is: itself, or what is written to."""
        for operation in chain.operations:
            self._homes[operation.result] = self._home(operation)
        homes = dict.fromkeys(self._homes.values())
        arrays = [v for v in self._inputs() if isinstance(v.type, TensorType)]
        written = [home for home in homes if home not in self._homes]
        self._arrays = [*written, *(v for v in arrays if v not in written)]
        self._written = len(written)
        self._numbers = [v for v in self._inputs() if not isinstance(v.type, TensorType)]
        live = [result for result in self._homes if is_live(result)]
        kept = {self._homes[result] for result in live}
        self.made = [home for home in homes if home in self._homes and home in kept]
        self._live = live

    def _home(self, operation: Operation) -> Value:
        target = written_target(operation)
        reuse = self._plan.reuses.get(operation.result)
        if target is None and reuse is not None and reuse.buffer not in self._homes:
            target = reuse.buffer
        return operation.result if target is None else self._homes.get(target, target)

    def _operands(self, operation: Operation) -> list[Value]:
        """The operands but for what is known."""
        operands = self._folding.operands(operation)
        return [v for v in operands if isinstance(v, Value) and constant_of(v) is None]

    def _inputs(self) -> list[Value]:
        """The variables that the chain reads, each once."""
        found: dict[Value, None] = {}
        for operation in self._chain.operations:
            reads = self._operands(operation)
            found.update((value, None) for value in reads if value not in self._homes)
        return list(found)

    # --- around the call --------------------------------------------------------------------------

    def call(self, globals_: Globals, expression: Callable[[Value], ast.expr]) -> ast.expr:
        """``part(x, y, 0.1) if x.nbytes >= 524288 else None``: what it makes, as a tuple."""
        make = functools.partial(self._definition, globals_)
        name = globals_.define("part", make, self._naming.is_taken)
        arguments = [expression(value) for value in (*self._arrays, *self._numbers)]
        sized = max(self._arrays, key=lambda value: _dtype(value).itemsize)
        size = ast.Attribute(load(self._naming[sized]), "nbytes", ast.Load())
        is_large = ast.Compare(size, [ast.GtE()], [ast.Constant(LARGE)])
        return ast.IfExp(is_large, call(load(name), *arguments), ast.Constant(None))

    def results(self, made: ast.expr) -> list[tuple[str, ast.expr]]:
        """What the variables of the program become, of the tuple that the function gives."""
        pairs: dict[str, ast.expr] = {}
        for result in self._live:
            name, home = self._naming[result], self._homes[result]
            if home in self.made:
                place = ast.Constant(self.made.index(home))
                pairs[name] = ast.Subscript(made, place, ast.Load())
            elif self._naming[home] != name:
                pairs[name] = load(self._naming[home])
        return list(pairs.items())

    def gone(self) -> list[str]:
        """The variables that are let go: of what the chain has made itself, there are none."""
        assigned = {self._naming[result] for result in self._live}
        read = {self._naming[value] for value in self._arrays}
        named = {
            self._naming[result]
            for result in self._homes
            if result in self._naming and self._naming[result] not in read
        }
        names: Iterable[str] = (
            name
            for each in self._chain.statements
            if isinstance(each, Delete)
            for name in each.names
        )
        return [name for name in dict.fromkeys(names) if name not in assigned | named]

    # --- the function -----------------------------------------------------------------------------

    def _definition(self, globals_: Globals, name: str) -> ast.stmt:
        """The function, with the names of its parameters and a line for each operation."""
        names: dict[Value, str] = {}
        for value in (*self._arrays, *self._numbers):
            names[value] = _unique(self._naming.get(value, "number"), names.values())
        for value in self.made:
            names[value] = _unique("made", names.values())
        spare = self._spare_blocks(names)
        lines = [self._line(operation, names, globals_) for operation in self._chain.operations]
        parameters = [*map(names.__getitem__, (*self._arrays, *self._numbers, *self.made)), *spare]
        decorator = call(
            load(globals_.name(in_blocks, "in_blocks")),
            arrays=ast.Constant(len(self._arrays)),
            written=ast.Constant(self._written),
            made=_dtypes(map(_dtype, self.made)),
            spare=_dtypes(spare.values()),
        )
        return function_definition(name, parameters, lines, decorator)

    def _spare_blocks(self, names: dict[Value, str]) -> dict[str, np.dtype]:
        """Give a block to each result that nobody reads after the chain; their dtypes by name."""
        blocks: dict[str, np.dtype] = {}
        free: list[str] = []
        for operation, ending in zip(self._chain.operations, self._ending(), strict=True):
            free += [names[home] for home in ending if names.get(home) in blocks]
            home = self._homes[operation.result]
            if home not in names:
                dtype = _dtype(home)
                fitting = (name for name in free if blocks[name] == dtype)
                name = next(fitting, None) or _unique("block", [*names.values(), *blocks])
                names[home], blocks[name] = name, dtype
                free = [each for each in free if each != name or home in ending]
        return blocks

    def _ending(self) -> list[list[Value]]:
        """For each operation, the results that no later one reads or writes to."""
        operations = self._chain.operations
        last: dict[Value, int] = {}
        for place, operation in enumerate(operations):
            used = [*self._operands(operation), operation.result]
            last.update((self._homes[each], place) for each in used if each in self._homes)
        ending: list[list[Value]] = [[] for _ in operations]
        for home, place in last.items():
            ending[place].append(home)
        return ending

    def _line(self, operation: Operation, names: dict[Value, str], globals_: Globals) -> ast.stmt:
        ufunc = IN_PLACE_UFUNCS.get(operation.name) or definition(operation).numpy
        operands = self._folding.operands(operation)
        args = [self._argument(each, names, globals_) for each in operands]
        out = load(names[self._homes[operation.result]])
        return ast.Expr(call(numpy_name(ufunc), *args, out=out))

    def _argument(self, operand: Operand, names: dict[Value, str], globals_: Globals) -> ast.expr:
        known = constant_of(operand)
        if known is not None:
            return globals_.expression(known)
        assert isinstance(operand, Value)
        return load(names[self._homes.get(operand, operand)])


def _unique(name: str, taken: Iterable[str]) -> str:
    """``name``, with a number if it is taken."""
    numbered = (f"{name}_{number}" if number else name for number in itertools.count())
    return next(each for each in numbered if each not in taken)


def _dtype(value: Value) -> np.dtype:
    assert isinstance(value.type, TensorType)
    return value.type.dtype


def _dtypes(dtypes: Iterable[np.dtype]) -> ast.expr:
    return ast.Tuple([dtype_expression(dtype) for dtype in dtypes], ast.Load())
