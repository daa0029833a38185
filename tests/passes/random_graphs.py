"""Random modules that always end, for comparing a graph before and after a pass.

They hold what passes must be careful with: Python numbers and NumPy scalars, arrays that are
returned twice, views, in-place writes, operations that raise, constants, nested control flow and
calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    Block,
    Builder,
    Function,
    Module,
    Operation,
    ScalarType,
    TensorType,
    Type,
    Value,
    accepts,
)
from staticpy.ops import REGISTRY, call, constant, for_, if_, region_yield, return_, while_

F64 = np.dtype("float64")
MATRIX = TensorType(F64, (2, 2))
SCALAR = ScalarType(F64)
CARRIED: tuple[Type, ...] = (INT, FLOAT, BOOL, SCALAR, MATRIX, MATRIX)
RETURNED = (*CARRIED, MATRIX, MATRIX, SCALAR, FLOAT, BOOL)
ARGUMENTS: tuple[Type, ...] = (INT, INT, FLOAT, BOOL, SCALAR, MATRIX, MATRIX)

_INTS = (0, 1, -1, 2, 7)
_FLOATS = (0.0, -0.0, 1.0, 2.5, float("nan"), float("inf"))

# Each row: the op, the types of the operands, the attributes.
_ROWS: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    *[(f"py.{name}", (INT, INT), {}) for name in ("add", "sub", "mul", "floordiv", "mod", "eq")],
    *[(f"py.{name}", (INT, INT), {}) for name in ("lt", "ge", "and", "ne")],
    *[(f"py.{name}", (FLOAT, FLOAT), {}) for name in ("add", "mul", "truediv", "lt", "eq")],
    *[(f"py.{name}", (type_,), {}) for name in ("neg", "pos") for type_ in (INT, FLOAT)],
    *[("py.not", (BOOL,), {})] * 3,
    ("py.int", (INT,), {}),
    ("py.bool", (BOOL,), {}),
    ("py.float", (INT,), {}),
    ("from_python", (FLOAT,), {"dtype": F64}),
    *[(name, (SCALAR, SCALAR), {}) for name in ("add", "multiply", "true_divide", "subtract")],
    ("cast", (SCALAR,), {"dtype": F64}),
    *[(name, (MATRIX, MATRIX), {}) for name in ("add", "multiply", "subtract")],
    *[(name, (MATRIX,), {}) for name in ("negative", "exp", "positive")] * 2,
    *[("transpose", (MATRIX,), {"axes": axes}) for axes in ((1, 0), (0, 1), (1, 0))],
    ("zeros", (), {"shape": (2, 2), "dtype": F64}),
    ("ones_like", (MATRIX,), {"dtype": F64}),
    ("copy", (MATRIX,), {"order": "K"}),
    ("ravel", (MATRIX,), {}),
    ("sum", (MATRIX,), {"axis": None, "keepdims": False}),
    ("broadcast", (MATRIX, MATRIX), {}),
    ("dim", (MATRIX,), {"axis": 0}),
    ("iadd", (MATRIX, MATRIX), {}),
    ("imul", (MATRIX, FLOAT), {}),
]
_OPS = [row for row in _ROWS if row[0] in REGISTRY]


class GraphMaker:
    """Builds one module; everything follows from the seed."""

    rows: tuple[tuple[str, tuple[Type, ...], dict[str, Any]], ...] = tuple(_OPS)
    carried: tuple[Type, ...] = CARRIED
    returned: tuple[Type, ...] = RETURNED
    arguments: tuple[Type, ...] = ARGUMENTS
    names: tuple[str, ...] = ("i", "j", "x", "c", "s", "a", "b")

    def __init__(self, seed: int, size: int = 12) -> None:
        self._random = Random(seed)
        self._size = size
        self._module = Module("f")
        self._builder = Builder(Block())
        # Few ops a graph, so that equal operations come about.
        self._ops = self._random.sample(self.rows, 12)
        self._emitted: list[Operation] = []

    def module(self) -> Module:
        callees = self._random.randrange(3)
        for i in range(callees):
            self._function(f"g{i}", [f"g{j}" for j in range(i)])
        self._function("f", [f"g{j}" for j in range(callees)])
        return self._module

    def _function(self, name: str, callees: list[str]) -> None:
        block = Block(self.arguments, self.names)
        self._builder = Builder(block)
        self._callees = callees
        values: list[Value] = list(block.args)
        self._fill(values, depth=0)
        self._builder.emit(return_, [self._pick(values, t) for t in self.returned])
        self._module.add(Function(name, block))

    def _fill(self, values: list[Value], depth: int) -> None:
        for _ in range(self._random.randrange(2, self._size)):
            kind = self._random.random()
            if kind < 0.2:
                values.append(self._constant())
            elif kind < 0.35 and depth < 2 + (self._random.random() < 0.3):
                values += self._random.choice(self._structures())(values, depth + 1)
            elif kind < 0.45 and self._callees and not depth:
                values += self._call(values)
            else:
                values += self._operation(values)

    def _structures(self) -> Sequence[Callable[[list[Value], int], Sequence[Value]]]:
        return [self._if, self._for, self._while]

    def _pick(self, values: Sequence[Value], type_: Type) -> Value:
        fitting = [v for v in values if v.type != NEVER and accepts(type_, v.type)]
        # Near values are likelier, so that chains come about.
        near = fitting[-4:] if self._random.random() < 0.7 else fitting
        return self._random.choice(near)

    def _constant(self) -> Value:
        value = self._random.choice([*_INTS, *_FLOATS, True, False, *map(np.float64, _FLOATS[:4])])
        return self._builder.emit(constant, (), {"value": value}).result

    def _operation(self, values: list[Value]) -> Sequence[Value]:
        name, types, attrs = self._random.choice(self._ops)
        operands = [self._pick(values, type_) for type_ in types]
        if self._random.random() < 0.3 and self._emitted:
            again = self._random.choice(self._emitted)
            if all(operand in values for operand in again.operands):
                name, operands, attrs = again.name, again.operands, again.attrs
        operation = self._builder.emit(REGISTRY[name], operands, attrs)
        self._emitted = [*self._emitted[-5:], operation]
        for result in operation.results:
            result.name = self._random.choice(["", "v", "w"])
        return operation.results

    def _call(self, values: list[Value]) -> Sequence[Value]:
        attrs = {"callee": self._random.choice(self._callees), "result_types": self.returned}
        operands = [self._pick(values, type_) for type_ in self.arguments]
        return self._builder.emit(call, operands, attrs).results

    def _yield(self, values: Sequence[Value], types: Sequence[Type], first: Sequence[Value] = ()):
        self._builder.emit(region_yield, [*first, *(self._pick(values, t) for t in types)])

    def _types(self) -> list[Type]:
        return [t for t in self.carried if self._random.random() < 0.6]

    def _if(self, values: list[Value], depth: int) -> Sequence[Value]:
        types, condition, regions = self._types(), self._pick(values, BOOL), []
        for _ in range(2):
            with self._builder.region() as region:
                inner = list(values)
                self._fill(inner, depth)
                self._yield(inner, types)
            regions.append(region)
        return self._builder.emit(if_, [condition], {}, regions).results

    def _for(self, values: list[Value], depth: int) -> Sequence[Value]:
        types, breaks = self._types(), self._random.random() < 0.4
        trips = self._number(self._random.randrange(4))
        bounds = [self._number(0), trips, self._number(self._random.choice([1, 1, 2, -1]))]
        with self._builder.region([INT, *types]) as region:
            inner = [*values, *region.block.args]
            self._fill(inner, depth)
            self._yield(inner, types, [self._pick(inner, BOOL)] if breaks else [])
        operands = [*bounds, *(self._pick(values, t) for t in types)]
        return self._builder.emit(for_, operands, {"breaks": breaks}, [region]).results

    def _while(self, values: list[Value], depth: int) -> Sequence[Value]:
        """A loop that counts up to a limit, so that it ends."""
        types = self._types()
        operands = [self._number(0), *(self._pick(values, t) for t in types)]
        limit = self._number(self._random.randrange(3))
        with self._builder.region([INT, *types]) as before:
            inner = [*values, *before.block.args]
            self._fill(inner, depth)
            counter = before.block.args[0]
            goes_on = self._builder.emit(REGISTRY["py.lt"], [counter, limit]).result
            self._yield(inner, types, [goes_on, counter])
        with self._builder.region([INT, *types]) as after:
            inner = [*values, *after.block.args]
            self._fill(inner, depth)
            step = [after.block.args[0], self._number(1)]
            self._yield(inner, types, [self._builder.emit(REGISTRY["py.add"], step).result])
        return self._builder.emit(while_, operands, {}, [before, after]).results

    def _number(self, value: int) -> Value:
        """An int that is known while compiling, or the same number where no pass can know it."""
        known = self._builder.emit(constant, (), {"value": value}).result
        if self._random.random() < 0.5:
            return known
        # A sum over a fresh array: arrays are never folded.
        return self._builder.emit(REGISTRY["py.add"], [known, self._hidden_zero()]).result

    def _hidden_zero(self) -> Value:
        attrs = {"shape": (0, 2), "dtype": F64}
        array = self._builder.emit(REGISTRY["zeros"], (), attrs).result
        total = self._builder.emit(REGISTRY["sum"], [array], {"axis": None, "keepdims": False})
        return self._builder.emit(REGISTRY["py.int"], [total.result]).result


def arguments(seed: int) -> list[Any]:
    """Run-time arguments; sometimes both matrices are one array."""
    random = Random(seed)
    first = np.array([random.choice(_FLOATS) for _ in range(4)]).reshape(2, 2)
    second = first if random.random() < 0.3 else first.T.copy() + 1
    numbers = [random.choice(_INTS), random.choice(_INTS), random.choice(_FLOATS)]
    scalar = np.float64(random.choice(_FLOATS))
    return [*numbers, random.random() < 0.5, scalar, first, second]
