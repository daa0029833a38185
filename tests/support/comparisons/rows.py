"""Rows of the tables, and the arguments that they are tried on.

In: the text of a row, ``np.sum(x, axis=0)`` or ``x[1:] = y; x``. Out: a ``Row``: a function whose
parameters are the names that the text uses, and its units: the dtypes it is tried with. What a name
stands for says its letter:

    x  the array under test, of the first dtype         y  another, of the second dtype
    o, p  outputs of the shape of both: of the first dtype, of float64
    h, q  outputs of the shape of x without its first axis: the same
    w  a mask of the shape of x                         i  indices of the first axis, 1-D
    s  a square matrix of the first dtype               b  a row that fits it
    c  a NumPy scalar of the first dtype                a  the number of Python's that is like it
    d  a NumPy scalar of the second dtype               e  the number of Python's that is like it
    k  an int                                           t  a float
    g  a generator of random numbers
"""

from __future__ import annotations

import ast
import linecache
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from staticpy.ir import DTYPES
from tests.support.comparisons.arrays import (
    BOXES,
    CONTENTS,
    LAYOUTS,
    SHAPES,
    Spec,
    scalar_of,
    shape_for,
    spec_of,
)

DTYPE_NAMES = tuple(DTYPES)
_NAMES = "xyophqwisbcadektg"
_OF_SECOND = frozenset("yde")
_OF_FIRST = frozenset("xohsbca")
_SQUARE = 3
_PLACES = 12
"""How many values a number takes."""


@dataclass(frozen=True)
class Case:
    """The kinds of the arguments of one comparison."""

    dtypes: tuple[str, str]
    layout: str
    rank: int
    contents: str
    other: str
    """The layout of the second array."""

    place: int = 0
    """Which of the values a number has."""

    is_row: bool = False
    """Whether the second array has the last axis alone."""


_GROWS = re.compile(r"\*\*|<<|pow\(|shift\(|arange|grid|factorial|perm\(|comb\(")
Unit = tuple[str, str]
"""The two dtypes of some cases."""


@dataclass(frozen=True)
class Row:
    """One program of a table."""

    text: str
    table: str
    ranks: tuple[int, ...] = (1, 2)
    contents: tuple[str, ...] = CONTENTS

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        tree = ast.parse(self.text)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        bound = {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
        } - {node.target.id for node in ast.walk(tree) if isinstance(node, ast.AugAssign)
             and isinstance(node.target, ast.Name)}  # fmt: skip
        return tuple(name for name in _NAMES if name in used - bound)

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The program, as Python runs it."""
        *statements, result = self.text.split("; ")
        lines = [f"def program({', '.join(self.names)}):", *statements, f"return {result}"]
        return _defined("\n    ".join(lines) + "\n")

    @property
    def grows(self) -> bool:
        """Whether it takes all memory for numbers at the ends of the range of ints."""
        return bool(_GROWS.search(self.text))

    @property
    def number(self) -> int:
        """A number that stays the same for this text, to spread what is tried."""
        return zlib.crc32(self.text.encode())

    def units(self) -> list[Unit]:
        """The dtypes that it is tried with."""
        if _OF_SECOND.intersection(self.names):
            return [(one, two) for one in DTYPE_NAMES for two in DTYPE_NAMES]
        if _OF_FIRST.intersection(self.names):
            return [(one, one) for one in DTYPE_NAMES]
        return [("f64", "f64")]

    def cases(self, unit: Unit) -> Iterator[Case]:
        """What it is tried on with these dtypes."""
        has_two = "y" in self.names
        turn = self.number + sum(map(ord, "".join(unit)))
        if not {"x", "s"}.intersection(self.names):
            if not self.names:
                yield Case(unit, "contiguous", 1, self.contents[0], "contiguous")
                return
            yield from (Case(unit, "contiguous", 1, each, "contiguous", turn + place)
                        for each in self.contents for place in range(_PLACES))  # fmt: skip
            return
        for layout, rank in self._layouts():
            for contents in self.contents if not has_two else [self.contents[turn % 2 - 1]]:
                turn += 5
                other = (*LAYOUTS, *BOXES)[turn % 14] if has_two else "contiguous"
                yield Case(unit, layout, rank, contents, other, turn, turn % 3 == 0)

    def _layouts(self) -> Iterator[tuple[str, int]]:
        """Each layout, in each rank that it can have."""
        if "x" not in self.names:
            yield from ((layout, 2) for layout in LAYOUTS[:-1])
            return
        for rank in self.ranks:
            yield from ((layout, rank) for layout in LAYOUTS[:-1])
        yield from ((each, 0) for each in ("zero-d", "misaligned", "swapped", *BOXES))


def _defined(text: str) -> Callable[..., Any]:
    filename = f"<row {zlib.crc32(text.encode()):08x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "rows"} | _modules()
    exec(compile(text, filename, "exec"), namespace)
    function: Callable[..., Any] = namespace["program"]
    return function


def _modules() -> dict[str, Any]:
    return {name: __import__(name) for name in ("math", "cmath", "operator")}


# --- arguments ------------------------------------------------------------------------------------


class Arguments:
    """Makes the arguments of one case, equal ones each time."""

    def __init__(self, row: Row, case: Case) -> None:
        self._case = case
        self._contents = CONTENTS[0] if row.grows else case.contents
        shape = shape_for(case.layout, SHAPES[case.rank])
        other = self._other_shape(shape)
        self._shape = shape
        self._both = _broadcast(shape, other if "y" in row.names else ())
        self._other = other
        makers = [getattr(self, f"_{name}") for name in row.names]
        self._made: list[tuple[str, Any]] = [
            (name, make()) for name, make in zip(row.names, makers, strict=True)
        ]

    def make(self) -> tuple[dict[str, Any], list[bytearray]]:
        """Fresh arguments by name, and the memory of those that are arrays."""
        arguments: dict[str, Any] = {}
        buffers = []
        for name, made in self._made:
            if isinstance(made, Spec):
                arguments[name], buffer = made.make()
                buffers.append(buffer)
            else:
                arguments[name] = made() if callable(made) else made
        return arguments, buffers

    def _other_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        case = self._case
        fits = shape[-1:] if case.is_row else shape
        if case.other in ("zero-d", *BOXES):
            return ()
        if case.other == "unit" and fits:
            return (1, *fits[1:])
        return shape_for(case.other, fits) if case.other == "empty" else fits

    def _x(self) -> Any:
        case = self._case
        if case.layout in BOXES:
            return scalar_of(case.dtypes[0], case.layout, self._contents, case.place)
        return spec_of(case.dtypes[0], case.layout, self._shape, case.contents)

    def _y(self) -> Any:
        case = self._case
        if case.other in BOXES:
            return scalar_of(case.dtypes[1], case.other, self._contents, case.place + 1)
        contents = "plain" if case.place % 2 else case.contents
        return spec_of(case.dtypes[1], case.other, self._other, contents)

    def _o(self) -> Any:
        return spec_of(self._case.dtypes[0], "contiguous", self._both, "plain")

    def _p(self) -> Any:
        return spec_of("f64", "contiguous", self._both, "plain")

    def _h(self) -> Any:
        return spec_of(self._case.dtypes[0], "contiguous", self._shape[1:], "plain")

    def _q(self) -> Any:
        return spec_of("f64", "contiguous", self._shape[1:], "plain")

    def _w(self) -> Any:
        return spec_of("b1", "contiguous", self._shape, "plain")

    def _i(self) -> Any:
        return spec_of("i64", "step", (3,), "plain") if self._case.place % 2 else _INDICES

    def _s(self) -> Any:
        case = self._case
        size = {"empty": 0, "unit": 1}.get(case.layout, _SQUARE)
        return spec_of(case.dtypes[0], case.layout, (size, size), case.contents)

    def _b(self) -> Any:
        size = {"empty": 0, "unit": 1}.get(self._case.layout, _SQUARE)
        return spec_of(self._case.dtypes[0], "contiguous", (size,), "plain")

    def _number(self, which: int, box: str) -> Any:
        case = self._case
        return scalar_of(case.dtypes[which], box, self._contents, case.place + which)

    def _c(self) -> Any:
        return self._number(0, "scalar")

    def _a(self) -> Any:
        return self._number(0, "python")

    def _d(self) -> Any:
        return self._number(1, "scalar")

    def _e(self) -> Any:
        return self._number(1, "python")

    def _k(self) -> Any:
        return self._case.place % 4 - 1

    def _t(self) -> Any:
        return (0.5, -1.25, 0.0, 1.0)[self._case.place % 4]

    def _g(self) -> Any:
        return lambda: np.random.default_rng(7)


def _broadcast(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of both; that of the first where they have none."""
    try:
        return np.broadcast_shapes(one, two)
    except ValueError:
        return one


_INDICES = Spec(np.array([0, -1, 1]).tobytes(), np.dtype("int64"), (3,), (8,), 0)
