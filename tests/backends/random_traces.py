"""Random graphs whose operations leave a trace, for comparing the order in which things happen.

Every graph ends. It holds what the printer of a graph must be careful with: operations with
effects in every order, values with one reader and with several, names that clash, flags that
leave loops, values that are undefined on one path, operations that raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from staticpy.ir import (
    BOOL,
    INT,
    Block,
    Builder,
    Function,
    Module,
    Type,
    Value,
)
from staticpy.ops import (
    REGISTRY,
    Effect,
    OpDef,
    constant,
    for_,
    if_,
    not_,
    raise_,
    region_yield,
    return_,
    undef,
    while_,
)

TRACE: list[tuple[int, tuple[Any, ...]]] = []
"""What the traced operations saw, in order: their number and their operands."""

Step = Callable[[list[Value], int], list[Value]]

_NAMES = ["", "", "", "x", "y", "x", "sum", "return", "t", "%stop", "i"]


def _traced(*operands: int, number: int) -> int:
    TRACE.append((number, operands))
    if number % 41 == 40:
        raise ValueError(number)
    return (3 * sum(operands) + number) % 23 - 6


def _silent(*operands: int, number: int) -> int:
    return (5 * sum(operands) + number) % 19 - 4


TRACED = OpDef("traced", infer=lambda *_, **__: INT, kernel=_traced, effects=Effect.RAISES)
SILENT = OpDef("silent", infer=lambda *_, **__: INT, kernel=_silent)


@contextmanager
def registered() -> Iterator[None]:
    """Have the ops of these graphs in the registry for a while."""
    REGISTRY.update({op.name: op for op in (TRACED, SILENT)})
    try:
        yield
    finally:
        for op in (TRACED, SILENT):
            del REGISTRY[op.name]


class TraceMaker:
    """Builds one module; everything follows from the seed."""

    def __init__(self, seed: int, size: int = 10) -> None:
        self._random = Random(seed)
        self._budget = size * 4
        self._size = size
        self._builder = Builder(Block([INT, INT, BOOL], ["x", "n", "flag"]))

    def module(self) -> Module:
        block = self._builder.block
        values: list[Value] = list(block.args)
        self._fill(values, 3)
        types = [self._random.choice([INT, INT, BOOL]) for _ in range(self._random.randrange(4))]
        self._builder.emit(return_, [self._pick(values, type_) for type_ in types])
        module = Module("f")
        module.add(Function("f", block))
        return module

    def _fill(self, values: list[Value], depth: int) -> None:
        for _ in range(self._random.randrange(1, self._size)):
            self._budget -= 1
            kinds: list[Step] = [self._step] * 8
            if depth and self._budget > 0:
                kinds += [self._if, self._if, self._for, self._while, self._searching]
            values += self._random.choice(kinds)(values, depth - 1)

    def _emit(self, op: OpDef, operands: Sequence[Value] = (), **attrs: Any) -> Value:
        result = self._builder.emit(op, operands, attrs).result
        result.name = self._random.choice(_NAMES)
        return result

    def _pick(self, values: Sequence[Value], type_: Type) -> Value:
        fitting = [value for value in values if value.type == type_]
        near = fitting[-3:] if self._random.random() < 0.8 else fitting
        return self._random.choice(near)

    def _known(self, value: int | bool) -> Value:
        return self._builder.emit(constant, (), {"value": value}).result

    def _step(self, values: list[Value], _depth: int) -> list[Value]:
        kind = self._random.random()
        if kind < 0.12:
            name = self._random.choice(["py.lt", "py.ge"])
            return [self._emit(REGISTRY[name], [self._pick(values, INT), self._known(3)])]
        if kind < 0.2:
            return [self._emit(REGISTRY["py.or"], [self._pick(values, BOOL) for _ in range(2)])]
        if kind < 0.25:
            return [self._emit(not_, [self._pick(values, BOOL)])]
        if kind < 0.3:
            return [self._known(self._random.choice([0, 2, 7, True, False]))]
        op = self._random.choice([TRACED, TRACED, SILENT])
        operands = [self._pick(values, INT) for _ in range(self._random.randrange(4))]
        return [self._emit(op, operands, number=self._random.randrange(100))]

    def _yield(
        self, values: Sequence[Value], types: Sequence[Type], first: Sequence[Value] = ()
    ) -> None:
        self._builder.emit(region_yield, [*first, *(self._pick(values, t) for t in types)])

    def _types(self) -> list[Type]:
        return [self._random.choice([INT, BOOL]) for _ in range(self._random.randrange(4))]

    def _if(self, values: list[Value], depth: int) -> list[Value]:
        types, condition, regions = self._types(), self._pick(values, BOOL), []
        fails = self._random.randrange(12)
        for side in range(2):
            with self._builder.region() as region:
                inner = list(values)
                if self._random.random() < 0.8:
                    self._fill(inner, depth)
                if fails == side:
                    attrs = {"exception": "IndexError", "args": ("lost", side)}
                    self._builder.emit(raise_, [], attrs)
                    self._builder.emit(
                        region_yield, [self._emit(undef, type=type_) for type_ in types]
                    )
                else:
                    self._yield(inner, types)
            regions.append(region)
        return list(self._builder.emit(if_, [condition], {}, regions).results)

    def _for(self, values: list[Value], depth: int) -> list[Value]:
        types, breaks = self._types(), self._random.random() < 0.6
        stop, step = self._random.randrange(4), self._random.choice([1, 1, 2])
        bounds = [self._known(0), self._known(stop), self._known(step)]
        with self._builder.region([INT, *types], ["i", "x", "x", "y"]) as region:
            inner = [*values, *region.block.args]
            self._fill(inner, depth)
            flag = [self._either(inner)] if breaks else []
            self._yield(inner, types, flag)
        operands = [*bounds, *(self._pick(values, t) for t in types)]
        return list(self._builder.emit(for_, operands, {"breaks": breaks}, [region]).results)

    def _either(self, values: list[Value]) -> Value:
        if self._random.random() < 0.5:
            return self._pick(values, BOOL)
        return self._emit(REGISTRY["py.or"], [self._pick(values, BOOL) for _ in range(2)])

    def _while(self, values: list[Value], depth: int) -> list[Value]:
        """A loop that counts up to a limit or is stopped by a flag."""
        types = [INT, *self._types(), BOOL]
        starts = [self._known(0), *(self._pick(values, t) for t in types[1:-1]), self._known(False)]
        limit = self._known(self._random.randrange(4))
        names = ["i", "x", "y", "x", "stop"]
        with self._builder.region(types, [*names[: len(types) - 1], "stop"]) as before:
            goes_on = self._test(values, before.block.args, limit)
            self._builder.emit(region_yield, [goes_on, *before.block.args[:-1]])
        with self._builder.region(types[:-1], names) as after:
            inner = [*values, *after.block.args]
            self._fill(inner, depth)
            step = self._builder.emit(REGISTRY["py.add"], [after.block.args[0], self._known(1)])
            stop = self._either(inner)
            rest = [self._pick(inner, t) for t in types[1:-1]]
            self._builder.emit(region_yield, [step.result, *rest, stop])
        return list(self._builder.emit(while_, starts, {}, [before, after]).results)

    def _test(self, values: list[Value], args: Sequence[Value], limit: Value) -> Value:
        """``not stop and i < limit``, written in several ways."""
        stop = args[-1]
        turned = self._random.random() < 0.5
        condition = self._emit(not_, [stop]) if turned else stop
        regions = []
        for goes_on in (turned, not turned):
            with self._builder.region() as region:
                inner = [*values, *args]
                if goes_on and self._random.random() < 0.5:
                    inner += self._step(inner, 0)
                last = self._builder.emit(REGISTRY["py.lt"], [args[0], limit]).result
                self._builder.emit(region_yield, [last if goes_on else self._known(False)])
            regions.append(region)
        return self._builder.emit(if_, [condition], {}, regions).result

    def _searching(self, values: list[Value], depth: int) -> list[Value]:
        """A loop that sets a flag and a result, and an ``if`` on the flag after it."""
        bounds = [self._known(0), self._known(self._random.randrange(5)), self._known(1)]
        with self._builder.region([INT, BOOL, INT], ["i", "return", "result"]) as region:
            inner = [*values, *region.block.args[:2]]  # the result may be undefined
            self._fill(inner, 0)
            found = self._pick(inner, BOOL)
            with self._builder.region() as then:
                deep = list(inner)
                self._fill(deep, 0)
                self._yield(deep, [INT])
            with self._builder.region() as orelse:
                self._builder.emit(region_yield, [region.block.args[2]])
            result = self._builder.emit(if_, [found], {}, [then, orelse]).result
            self._builder.emit(region_yield, [found, found, result])
        carried = [self._known(False), self._emit(undef, type=INT)]
        if self._random.random() < 0.3:
            carried = [self._pick(values, BOOL), self._pick(values, INT)]
        operands = [*bounds, *carried]
        flag, result = self._builder.emit(for_, operands, {"breaks": True}, [region]).results
        with self._builder.region() as then:
            self._builder.emit(region_yield, [result])
        with self._builder.region() as orelse:
            inner = list(values)
            self._fill(inner, depth)
            self._yield(inner, [INT])
        return list(self._builder.emit(if_, [flag], {}, [then, orelse]).results)


def arguments(seed: int) -> list[Any]:
    """Run-time arguments."""
    random = Random(seed)
    return [random.randrange(-3, 9), random.randrange(9), random.random() < 0.5]
