"""The table of small programs: how a program is declared, collected, run and compared.

In: the modules of ``tests/cases/accept``, each a list of ordinary functions under ``@case``. Out:
one ``Case`` a function, and for a route (plain Python, eager, graph) what differs from CPython.
CPython with NumPy is the judge, so a case states arguments only, never a result.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import staticpy

ACCEPT = Path(__file__).parent.parent / "cases" / "accept"
"""The folder of the programs that version 1 accepts."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Call:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A program of the table with the calls that it is tried on."""

    area: str
    function: Callable[..., Any]
    calls: tuple[Call, ...]

    @property
    def id(self) -> str:
        return f"{self.area}.{self.function.__name__}"

    @property
    def lines(self) -> range:
        """The lines of the function in its file, decorators included."""
        lines, first = inspect.getsourcelines(self.function)
        return range(first, first + len(lines))

    @property
    def is_annotated(self) -> bool:
        """Whether every parameter says its type, so that ``check`` can decide."""
        parameters = inspect.signature(self.function).parameters.values()
        return all(p.annotation is not p.empty for p in parameters)


_CASES: list[Case] = []


def call(*args: Any, **kwargs: Any) -> Call:
    """A call with keyword arguments, where a tuple of positional ones doesn't do."""
    return Call(args, kwargs)


def case(*calls: Call | tuple[Any, ...]) -> Callable[[Function], Function]:
    """Enter the function below into the table, to be called with each tuple of arguments."""
    assert calls, "a case needs the arguments of at least one call"
    made = tuple(item if isinstance(item, Call) else Call(item) for item in calls)

    def enter(function: Function) -> Function:
        _CASES.append(Case(function.__module__.rpartition(".")[2], function, made))
        return function

    return enter


def load_cases() -> list[Case]:
    """Every case of the table, file by file."""
    for path in sorted(ACCEPT.glob("[a-z]*.py")):
        importlib.import_module(f"tests.cases.accept.{path.stem}")
    return list(_CASES)


# --- routes ---------------------------------------------------------------------------------------


def python_route(function: Callable[..., Any]) -> Callable[..., Any]:
    """CPython itself: the reference."""
    return function


def eager_route(function: Callable[..., Any]) -> Callable[..., Any]:
    """A jitted function while jit is disabled."""
    jitted = staticpy.jit(function)

    def run(*args: Any, **kwargs: Any) -> Any:
        with staticpy.disable_jit():
            return jitted(*args, **kwargs)

    return run


def graph_route(function: Callable[..., Any]) -> Callable[..., Any]:
    """A jitted function: compiled at its first call, and again where the types of a call differ."""
    return staticpy.jit(function)


ROUTES: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "python": python_route,
    "eager": eager_route,
    "graph": graph_route,
}
"""The ways to run a program; a new backend adds a row."""


# --- running --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What a call returned (``value``, and ``again`` at a second call), or raised."""

    value: Any
    again: Any
    error: BaseException | None
    arguments: Any
    """The arguments after the calls."""


def run(function: Callable[..., Any], item: Call) -> Outcome:
    """Call ``function`` twice, keeping both results, without NumPy's run-time warnings."""
    arguments = (item.args, item.kwargs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            value = function(*item.args, **item.kwargs)
            again = function(*item.args, **item.kwargs)
        except Exception as error:
            return Outcome(None, None, error, arguments)
    return Outcome(value, again, None, arguments)


def differences(
    case_: Case, route: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> list[str]:
    """What a route does otherwise than CPython, over all calls of the case; empty if nothing."""
    routed = route(case_.function)
    found: list[str] = []
    for position, item in enumerate(case_.calls):
        before = deepcopy((item.args, item.kwargs))
        expected = run(case_.function, item)
        actual = run(routed, item)
        found += [f"call {position}: {text}" for text in compare(expected, actual)]
        found += [
            f"call {position}: an argument was modified: {text}"
            for text in compare_trees(before, actual.arguments, "arguments", flags=False)
        ]
    return found


# --- comparing ------------------------------------------------------------------------------------


def compare(expected: Outcome, actual: Outcome) -> Iterator[str]:
    """What differs between two outcomes, in words."""
    if expected.error is not None or actual.error is not None:
        if type(expected.error) is not type(actual.error):
            yield f"expected {_raised(expected)}, got {_raised(actual)}"
        return
    yield from compare_trees(expected.value, actual.value, "result")
    yield from compare_trees(expected.again, actual.again, "second result")
    yield from compare_sharing(expected, actual)


def _raised(outcome: Outcome) -> str:
    if outcome.error is None:
        return f"no exception but {outcome.value!r}"
    return f"{type(outcome.error).__name__}: {outcome.error}"


def compare_trees(expected: Any, actual: Any, where: str, *, flags: bool = True) -> Iterator[str]:
    """What differs between two structures of values."""
    if type(expected) is not type(actual):
        yield f"{where}: expected {_described(expected)}, got {_described(actual)}"
    elif isinstance(expected, dict):
        yield from _compare_dicts(expected, actual, where, flags=flags)
    elif isinstance(expected, tuple | list):
        if len(expected) != len(actual):
            yield f"{where}: expected {len(expected)} items, got {len(actual)}"
            return
        for position, (left, right) in enumerate(zip(expected, actual, strict=True)):
            yield from compare_trees(left, right, f"{where}[{position}]", flags=flags)
    elif not _same_leaf(expected, actual):
        yield f"{where}: expected {_described(expected)}, got {_described(actual)}"
    elif flags and isinstance(expected, np.ndarray) and _is_frozen(expected) != _is_frozen(actual):
        yield f"{where}: one of the arrays is read-only"


def _compare_dicts(
    expected: dict[Any, Any], actual: dict[Any, Any], where: str, *, flags: bool
) -> Iterator[str]:
    if list(expected) != list(actual):
        yield f"{where}: expected the keys {list(expected)}, got {list(actual)}"
        return
    for key, value in expected.items():
        yield from compare_trees(value, actual[key], f"{where}[{key!r}]", flags=flags)


def _same_leaf(expected: Any, actual: Any) -> bool:
    """Same dtype, shape and bits; a NaN equals every NaN."""
    if isinstance(expected, np.ndarray | np.generic | float | complex):
        left, right = np.asarray(expected), np.asarray(actual)
        return left.dtype == right.dtype and left.shape == right.shape and _same_bits(left, right)
    return bool(expected == actual)


def _same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    if left.dtype.kind == "c":
        return _same_bits(left.real, right.real) and _same_bits(left.imag, right.imag)
    if left.dtype.kind != "f":
        return bool(np.array_equal(left, right))
    either_nan = np.isnan(left) | np.isnan(right)
    same = (left == right) & (np.signbit(left) == np.signbit(right))
    return bool(np.all(np.where(either_nan, np.isnan(left) & np.isnan(right), same)))


def _is_frozen(array: np.ndarray) -> bool:
    return not array.flags.writeable


def _described(value: Any) -> str:
    if isinstance(value, np.ndarray | np.generic):
        return f"{type(value).__name__} {value.dtype}{list(value.shape)} {value!r}"
    return f"{type(value).__name__} {value!r}"


def compare_sharing(expected: Outcome, actual: Outcome) -> Iterator[str]:
    """Which arrays share memory though they should not, or the other way round."""
    pattern, found = _sharing(expected), _sharing(actual)
    for pair in sorted(pattern - found):
        yield f"{pair[0]} and {pair[1]} should share memory"
    for pair in sorted(found - pattern):
        yield f"{pair[0]} and {pair[1]} should not share memory"


def _sharing(outcome: Outcome) -> set[tuple[str, str]]:
    named = [
        *_arrays(outcome.arguments, "arguments"),
        *_arrays(outcome.value, "result"),
        *_arrays(outcome.again, "second result"),
    ]
    pairs = itertools.combinations(named, 2)
    return {(one, two) for (one, a), (two, b) in pairs if np.shares_memory(a, b)}


def _arrays(tree: Any, where: str) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(tree, np.ndarray):
        yield where, tree
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _arrays(item, f"{where}[{key!r}]")
    elif isinstance(tree, tuple | list):
        for position, item in enumerate(tree):
            yield from _arrays(item, f"{where}[{position}]")
