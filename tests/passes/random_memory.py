"""Random modules with lists, tuples and values of several types, besides all of ``random_graphs``.

What they add: lists of numbers that are read and written, lists that hold arrays (so that an array
is reached under several names), stores into elements, values that may be None, and an argument that
may share memory with another one, or be held by a list that is an argument, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from staticpy.ir import (
    FLOAT,
    INT,
    NONE,
    ListType,
    TupleType,
    Type,
    Value,
    union_of,
)
from staticpy.ops import REGISTRY, if_
from tests.passes.random_graphs import ARGUMENTS, CARRIED, MATRIX, RETURNED, GraphMaker
from tests.passes.random_graphs import arguments as plain_arguments
from tests.support.graphs import identity_of

NUMBERS = ListType(INT)
ARRAYS = ListType(MATRIX)
NUMBER = union_of((INT, FLOAT))
OPTIONAL = union_of((MATRIX, NONE))
PAIR = TupleType((MATRIX, INT))

_ROWS: list[tuple[str, tuple[Type, ...], dict[str, Any]]] = [
    ("list.make", (INT, INT), {"type": NUMBERS}),
    ("list.make", (), {"type": NUMBERS}),
    ("list.append", (NUMBERS, INT), {}),
    ("list.getitem", (NUMBERS, INT), {}),
    ("list.setitem", (NUMBERS, INT, INT), {}),
    ("list.len", (NUMBERS,), {}),
    ("list.copy", (NUMBERS,), {}),
    ("list.contains", (NUMBERS, INT), {}),
    ("list.make", (MATRIX,), {"type": ARRAYS}),
    ("list.make", (MATRIX, MATRIX), {"type": ARRAYS}),
    ("list.append", (ARRAYS, MATRIX), {}),
    ("list.getitem", (ARRAYS, INT), {}),
    ("list.setitem", (ARRAYS, INT, MATRIX), {}),
    ("list.copy", (ARRAYS,), {}),
    ("list.len", (ARRAYS,), {}),
    ("tuple.make", (MATRIX, INT), {}),
    ("tuple.items", (PAIR,), {}),
    *[(f"any.{name}", (NUMBER, NUMBER), {}) for name in ("add", "sub", "lt", "eq")],
    ("any.neg", (NUMBER,), {}),
    ("any.is", (NUMBER,), {"type": INT}),
    ("truth", (NUMBER,), {}),
    ("any.add", (OPTIONAL, MATRIX), {}),
    ("iadd", (MATRIX, MATRIX), {}),
    ("add", (MATRIX, MATRIX), {}),
    ("multiply", (MATRIX, MATRIX), {}),
    ("negative", (MATRIX,), {}),
    ("sum", (MATRIX,), {"axis": None, "keepdims": False}),
    ("transpose", (MATRIX,), {"axes": (1, 0)}),
    ("copy", (MATRIX,), {"order": "K"}),
]


class MemoryMaker(GraphMaker):
    """A GraphMaker whose graphs hold lists, tuples and unions."""

    rows = (*GraphMaker.rows[::3], *_ROWS)
    carried = (*CARRIED, NUMBER, NUMBERS, ARRAYS, OPTIONAL)
    returned = (*RETURNED, NUMBER, NUMBERS, ARRAYS, OPTIONAL, NUMBERS, ARRAYS)
    arguments = (*ARGUMENTS, NUMBER, NUMBERS, ARRAYS, OPTIONAL, PAIR)
    names = ("i", "j", "x", "c", "s", "a", "b", "n", "k", "h", "o", "p")

    def _structures(self) -> Sequence[Callable[[list[Value], int], Sequence[Value]]]:
        return [*super()._structures(), self._narrow, self._narrow]

    def _narrow(self, values: list[Value], depth: int) -> Sequence[Value]:
        """An ``if`` on what a value is, in which it is known to be that."""
        wanted = self._pick(values, self._random.choice([NUMBER, OPTIONAL]))
        member = self._random.choice([INT, NONE, MATRIX])
        asked = {"type": member}
        test = self._builder.emit(REGISTRY["any.is"], [wanted], asked).result
        types, regions = self._types(), []
        for is_member in (True, False):
            with self._builder.region() as region:
                inner = list(values)
                if is_member:
                    inner.append(self._builder.emit(REGISTRY["any.narrow"], [wanted], asked).result)
                self._fill(inner, depth)
                self._yield(inner, types)
            regions.append(region)
        return self._builder.emit(if_, [test], {}, regions).results


def arguments(seed: int) -> list[Any]:
    """Run-time arguments; arrays may be one, overlap, or be held by another argument."""
    random = Random(seed)
    given = plain_arguments(seed)
    first = given[-2]
    given[-1] = random.choice([first, first.T, first[::-1], given[-1], given[-1]])
    other = np.arange(4.0).reshape(2, 2)
    held = [random.choice([first, given[-1], other]) for _ in range(2)]
    optional = random.choice([None, first, other])
    number = random.choice([3, 2.5])
    return [*given, number, [1, 2, 3], held, optional, (random.choice([first, other]), 1)]


def observed(run: Callable[..., Sequence[Any]], given: list[Any]) -> tuple[Any, set[str]]:
    """What a caller sees of a run: values, identities, shared memory; and the warnings."""
    warned: set[str] = set()
    results: Sequence[Any] = ()
    error: type | None = None
    with np.errstate(all="call", call=lambda kind, _: warned.add(kind)):
        try:
            results = run(*given)
        except (ArithmeticError, LookupError, TypeError, ValueError) as raised:
            error = type(raised)
    return (error, _picture([*given, *results])), warned


def _picture(values: Sequence[Any]) -> list[Any]:
    """Every object that can be reached, once, and how they are connected."""
    numbers: dict[int, int] = {}
    picture: list[Any] = []
    arrays: list[np.ndarray] = []

    def show(value: Any) -> Any:
        if not isinstance(value, list | tuple | np.ndarray):
            return identity_of(value)
        if id(value) in numbers and not isinstance(value, tuple):
            return "again", numbers[id(value)]
        if isinstance(value, np.ndarray):
            numbers[id(value)] = len(numbers)
            arrays.append(value)
            return identity_of(value)
        if isinstance(value, list):
            numbers[id(value)] = len(numbers)
        return type(value), [show(item) for item in value]

    picture = [show(value) for value in values]
    shared = [np.shares_memory(a, b) for a in arrays for b in arrays]
    return [picture, shared]
