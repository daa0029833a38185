"""Trying a row of a table: NumPy against the compiled function, case by case.

In: a Row and a unit of it. Out: a ``Count``: how many comparisons found the same, what was refused,
and each difference in words.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import staticpy
from staticpy.diagnostics import CompileError, catalog
from tests.support.comparisons.arrays import BOXES
from tests.support.comparisons.rows import Arguments, Case, Row, Unit
from tests.support.comparisons.same import difference, memory_of

_INTERNAL = "SPY9"
_AT_RUN_TIME = (catalog.RESULT_OF_OTHER_TYPE.code, catalog.LIST_OF_OTHER_TYPE.code)
_AGAIN = 3
_MOST = 40
"""How many differences of a unit are kept."""


@dataclass
class Count:
    """What became of some comparisons."""

    same: int = 0
    raised: int = 0
    """How many of those ended with the same exception."""

    refused: Counter[str] = field(default_factory=Counter)
    """How many cases that NumPy has a result for were refused, by row and code."""

    declined: int = 0
    """How many cases were refused that raise in NumPy, too."""

    undetermined: int = 0
    """How many cases NumPy itself gives another result for each time."""

    differences: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """The comparisons that were made."""
        return self.same + len(self.differences)

    def merge(self, other: Count) -> None:
        """Count what another counted."""
        self.same += other.same
        self.raised += other.raised
        self.refused += other.refused
        self.declined += other.declined
        self.undetermined += other.undetermined
        self.differences += other.differences


@dataclass(frozen=True)
class Given:
    """Arguments that are named one by one."""

    arguments: Callable[[], dict[str, Any]]

    def make(self) -> tuple[dict[str, Any], list[bytearray]]:
        """Fresh arguments by name, and what they hold."""
        made = self.arguments()
        return made, []


@dataclass
class Seen:
    """What there is to see of one call."""

    result: Any
    error: BaseException | None
    warned: list[tuple[type, str]]
    arguments: dict[str, Any]
    buffers: list[bytearray]


def see(function: Callable[..., Any], made: Arguments | Given) -> Seen:
    """Call a function with fresh arguments."""
    arguments, buffers = made.make()
    result, error = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(**arguments)
        except Exception as raised:
            error = raised
    # Equal calls may be merged, and warn once.
    warned = list(dict.fromkeys((each.category, _told(str(each.message))) for each in caught))
    return Seen(result, error, warned, arguments, buffers)


def _told(message: str) -> str:
    """What a warning tells, whether NumPy's scalars or its ufuncs found it (``np.int8(1) / 0.0`` is
    left to the ufunc, ``np.int8(1) / 0`` is not), and whichever side compares.
    """
    return message.replace("encountered in scalar ", "encountered in ").replace("greater", "less")


def compared(expected: Seen, actual: Seen) -> str:
    """What differs between two calls; empty if nothing."""
    if type(expected.error) is not type(actual.error):
        return f"expected {expected.error!r}, got {actual.error!r} {actual.result!r}"
    if expected.buffers != actual.buffers:
        pairs = zip(expected.arguments.values(), actual.arguments.values(), strict=True)
        found = next(filter(None, (difference(*pair) for pair in pairs)), "")
        return f"in an argument: {found}" if found else ""
    if expected.warned != actual.warned:
        return f"expected warnings {expected.warned}, got {actual.warned}"
    if expected.error is not None:
        return ""
    found = difference(expected.result, actual.result)
    if found:
        return found
    ours, theirs = (memory_of(seen.result, seen.arguments) for seen in (actual, expected))
    return "" if ours == theirs else f"expected memory {theirs}, got {ours}"


def _kind(row: Row, case: Case) -> tuple[Any, ...]:
    """What decides whether a case can be compiled."""
    swapped = ("swapped" in (case.layout, case.other), case.layout in BOXES and case.layout)
    return (*swapped, case.rank, case.is_row, case.other in ("zero-d", *BOXES) and case.other)


def attempt(row: Row, unit: Unit, cases: Iterable[Case] | None = None) -> Count:
    """Compare every case of a unit, or those that are given.

    What is refused once is not compiled again for arguments of the same kind.
    """
    count = Count()
    jitted = staticpy.jit(row.function)
    refused: dict[tuple[Any, ...], str] = {}
    for case in row.cases(unit) if cases is None else cases:
        made = Arguments(row, case)
        expected = see(row.function, made)
        kind = _kind(row, case)
        if kind not in refused:
            actual = see(jitted, made)
            if not isinstance(actual.error, CompileError):
                _judge(count, row, case, made, expected, actual)
                continue
            code = actual.error.codes[0]
            if code.startswith(_INTERNAL):
                _differ(count, row, case, str(actual.error))
            if code in _AT_RUN_TIME:  # other values may be fine
                _refuse(count, row, expected, code)
                continue
            refused[kind] = code
        _refuse(count, row, expected, refused[kind])
    return count


def _refuse(count: Count, row: Row, expected: Seen, code: str) -> None:
    if expected.error is not None:
        count.declined += 1
    else:
        count.refused[f"{code} {row.text}"] += 1


def _is_determined(row: Row, made: Arguments, expected: Seen) -> bool:
    """Whether NumPy does the same each time: a call that raises may have written anything."""
    return not any(compared(expected, see(row.function, made)) for _ in range(_AGAIN))


def _judge(
    count: Count, row: Row, case: Case, made: Arguments, expected: Seen, actual: Seen
) -> None:
    found = compared(expected, actual)
    if found and not _is_determined(row, made, expected):
        count.undetermined += 1
    elif found:
        _differ(count, row, case, found)
    else:
        count.same += 1
        count.raised += expected.error is not None


def _differ(count: Count, row: Row, case: Case, found: str) -> None:
    if len(count.differences) < _MOST:
        kinds = (*case.dtypes, case.layout, case.rank, case.contents, case.other, case.place)
        told = [*map(str, kinds), *(["row"] if case.is_row else [])]
        count.differences.append(f"{row.text}  [{' '.join(told)}]: {found}")
