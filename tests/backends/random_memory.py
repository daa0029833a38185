"""Random graphs that read and write lists, besides what ``random_traces`` has.

A list has several names, is carried through loops and branches, is stored in another one's tuple,
and is read and written between operations that leave a trace.
"""

from __future__ import annotations

from random import Random
from typing import Any

from staticpy.ir import (
    BOOL,
    INT,
    NONE,
    STR,
    Block,
    Builder,
    ListType,
    TupleType,
    Type,
    Value,
    union_of,
)
from staticpy.ops import REGISTRY
from tests.backends.random_traces import TraceMaker
from tests.backends.random_traces import arguments as trace_arguments

LIST = ListType(INT)
PAIR = TupleType((LIST, INT))
MAYBE = union_of((INT, NONE))

_WRITES = ["append", "append", "pop", "setitem", "insert", "reverse", "call"]
_OTHERS = ["items", "cast", "is", "copy", "make", "pair", "is_none", "text"]
_TYPES: list[Type] = [INT, BOOL, LIST, PAIR, MAYBE, STR]


class MemoryMaker(TraceMaker):
    """Builds one module; everything follows from the seed."""

    def __init__(self, seed: int, size: int = 10) -> None:
        super().__init__(seed, size)
        types = [INT, INT, BOOL, LIST, LIST]
        self._builder = Builder(Block(types, ["x", "n", "flag", "l", "m"]))

    def _pick(self, values: Any, type_: Type) -> Value:
        if any(value.type == type_ for value in values):
            return super()._pick(values, type_)
        return self._make(values, type_)

    def _make(self, values: list[Value], type_: Type) -> Value:
        """A value of a type of which there is none yet."""
        if type_ == PAIR:
            operands = [self._pick(values, LIST), self._pick(values, INT)]
            return self._emit(REGISTRY["tuple.make"], operands)
        if type_ == STR:
            parts = ("<", ("", ""), ">", ("r", ""))
            operands = [self._pick(values, LIST), self._pick(values, BOOL)]
            return self._emit(REGISTRY["str.format"], operands, parts=parts)
        return self._emit(REGISTRY["object.cast"], [self._pick(values, INT)], type=MAYBE)

    def _types(self) -> list[Type]:
        return [self._random.choice(_TYPES) for _ in range(self._random.randrange(4))]

    def _step(self, values: list[Value], depth: int) -> list[Value]:
        if self._random.random() < 0.4:
            return super()._step(values, depth)
        kind = self._random.choice([self._write, self._read, self._read, self._other])
        return kind(values)

    def _write(self, values: list[Value]) -> list[Value]:
        target, item = self._pick(values, LIST), self._pick(values, INT)
        name = self._random.choice(_WRITES)
        if name == "pop":
            return [self._emit(REGISTRY["list.pop"], [target])]
        if name == "call":
            attrs = {"method": self._random.choice(["append", "remove"])}
            self._builder.emit(REGISTRY["object.call"], [target, item], attrs)
            return []
        index = [self._known(self._random.choice([0, -1, 2]))]
        operands = {"append": [item], "reverse": []}.get(name, [*index, item])
        self._builder.emit(REGISTRY[f"list.{name}"], [target, *operands], {})
        return []

    def _read(self, values: list[Value]) -> list[Value]:
        target, item = self._pick(values, LIST), self._pick(values, INT)
        name = self._random.choice(["len", "getitem", "contains", "getslice", "count"])
        if name == "len":
            return [self._emit(REGISTRY["list.len"], [target])]
        if name == "getitem":
            return [self._emit(REGISTRY["list.getitem"], [target, self._known(0)])]
        if name == "getslice":
            bounds = [self._known(1), self._none(), self._none()]
            return [self._emit(REGISTRY["list.getslice"], [target, *bounds])]
        return [self._emit(REGISTRY[f"list.{name}"], [target, item])]

    def _none(self) -> Value:
        return self._builder.emit(REGISTRY["constant"], (), {"value": None}).result

    def _other(self, values: list[Value]) -> list[Value]:
        name = self._random.choice(_OTHERS)
        if name == "items":
            emitted = self._builder.emit(REGISTRY["tuple.items"], [self._pick(values, PAIR)], {})
            return list(emitted.results)
        if name == "cast":
            type_ = self._random.choice(_TYPES)
            return [self._emit(REGISTRY["object.cast"], [self._pick(values, type_)], type=type_)]
        if name == "is":
            return [self._emit(REGISTRY["object.is"], [self._pick(values, LIST) for _ in range(2)])]
        if name == "is_none":
            return [self._emit(REGISTRY["any.is"], [self._pick(values, MAYBE)], type=NONE)]
        if name == "make":
            items = [self._pick(values, INT) for _ in range(self._random.randrange(3))]
            return [self._emit(REGISTRY["list.make"], items, type=LIST)]
        if name == "copy":
            return [self._emit(REGISTRY["list.copy"], [self._pick(values, LIST)])]
        return [self._make(values, {"pair": PAIR, "text": STR}[name])]


def arguments(seed: int) -> list[Any]:
    """Run-time arguments; one time in three the two lists are one."""
    random = Random(seed)
    first = [random.randrange(9) for _ in range(random.randrange(1, 4))]
    second = first if seed % 3 == 0 else [5, 3]
    return [*trace_arguments(seed), first, second]
