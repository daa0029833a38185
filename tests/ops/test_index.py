"""Reading ``x[...]`` against NumPy: every kind of key, alone and together, and unpacking."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ops import Effect, emit, getitem, operation_effects, unpack
from staticpy.source import NO_SPAN
from tests.support.graphs import build, outcome
from tests.support.interpreter import run

_X = np.arange(4 * 3 * 5, dtype=np.float64).reshape(4, 3, 5)
_PARTS: list[Any] = [
    *[0, -1, 2, 9, -9, None, ..., np.int64(1), np.uint8(2), np.array(1), np.array([0, 2, 1])],
    *[slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(0, 9, 2)],
    *[slice(2, 0), slice(np.int64(1), None), [1, 0], [2], np.array([[0], [1]])],
    *[np.array([True, False, True]), np.array([True, False, True, True])],
    *[True, False, np.bool_(True), np.array(False), []],
]


def _is_run_time(part: Any) -> bool:
    return isinstance(part, np.ndarray | np.generic)


def _leaves(key: Any) -> list[Any]:
    """The run-time values in a key."""
    if isinstance(key, tuple):
        return [leaf for part in key for leaf in _leaves(part)]
    if isinstance(key, slice):
        return _leaves((key.start, key.stop, key.step))
    return [key] if _is_run_time(key) else []


def _fill(key: Any, values: Any) -> Any:
    """``key`` with the next of ``values`` for each run-time value."""
    if isinstance(key, tuple):
        return tuple(_fill(part, values) for part in key)
    if isinstance(key, slice):
        return slice(*_fill((key.start, key.stop, key.step), values))
    return next(values) if _is_run_time(key) else key


def _check(x: Any, key: Any, *, symbolic: bool = True) -> None:
    def graph(value: Any, *rest: Any) -> Any:
        return getitem(value, _fill(key, iter(rest)))

    expected = outcome(lambda: x[key])
    values = (x, *_leaves(key))
    try:
        function = build(graph, *values, symbolic=symbolic)
    except DiagnosticError:
        assert expected[0] == "error", (key, expected)
        return
    found = outcome(lambda: run(function, *values))
    assert found == expected, (key, expected, found)
    if expected[0] == "error":
        effects = [operation_effects(operation) for operation in function.block.operations]
        assert Effect.RAISES in effects[-2], key


@pytest.mark.parametrize("count", [1, 2, 3])
def test_combinations_of_parts(count: int) -> None:
    parts = _PARTS if count < 3 else _PARTS[:8:2] + _PARTS[8:15] + _PARTS[18:]
    for key in itertools.product(parts, repeat=count):
        _check(_X, key)
        if count < 3:
            _check(_X, key, symbolic=False)


def test_four_and_more_parts() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        size = int(rng.integers(4, 7))
        _check(_X, tuple(_PARTS[i] for i in rng.integers(0, len(_PARTS), size)))


@pytest.mark.parametrize("x", [np.array(2.5), np.float32(2.5), np.arange(3), np.zeros((0, 3))])
@pytest.mark.parametrize(
    "key", [(), ..., None, 0, -1, (..., 0), (0, ...), (None, ...), slice(None)]
)
def test_low_ranks(x: Any, key: Any) -> None:
    _check(x, key)


@pytest.mark.parametrize(
    "key",
    [
        _X > 7,
        _X[0] > 3,
        (0, _X[0] > 3),
        (..., _X[0, 0] > 2),
        (_X[:, :, 0] > 2, 1),
        [True, False, True, True],
    ],
    ids=str,
)
def test_masks(key: Any) -> None:
    _check(_X, key)


@pytest.mark.parametrize(
    "key",
    [1.5, "a", np.float64(1), np.array([0.5]), slice(1.5, None), {}, [0.5], (0, "a")],
    ids=str,
)
def test_keys_that_are_refused(key: Any) -> None:
    with pytest.raises(DiagnosticError):
        build(lambda x, *rest: getitem(x, _fill(key, iter(rest))), _X, *_leaves(key))


@pytest.mark.parametrize(
    ("key", "found"),
    [
        (1.5, "an index of type float"),
        ("a", "an index of type str"),
        (np.float64(1.5), "an index of type f64"),
        (slice(None, "a"), "a slice with a bound of type str"),
        (slice(None, 2.5), "a slice with a bound of type float"),
    ],
)
def test_what_is_no_index_is_named(key: Any, found: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        build(lambda x, *rest: getitem(x, _fill(key, iter(rest))), _X, *_leaves(key))
    assert caught.value.diagnostic(NO_SPAN).message.endswith(f" cannot be read with {found}")


def test_run_time_bounds_and_steps() -> None:
    for start, stop, step in itertools.product((0, 1, -2, 9), (3, -1, 2**70), (1, 2, -1, 0)):
        values = (_X, start, stop, step)
        function = build(lambda x, a, b, c: getitem(x, slice(a, b, c)), *values)
        key = slice(start, stop, step)
        found = outcome(lambda f=function, v=values: run(f, *v))
        assert found == outcome(lambda k=key: _X[k])


@pytest.mark.parametrize("x", [np.arange(3), np.arange(6).reshape(3, 2), np.zeros((3, 0))])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_unpack(x: np.ndarray, count: int) -> None:
    def plain() -> Any:
        if count == 1:
            (a,) = x
            return (a,)
        if count == 2:
            a, b = x
            return a, b
        if count == 3:
            a, b, c = x
            return a, b, c
        a, b, c, d = x
        return a, b, c, d

    function = build(lambda value: _as_tuple(emit(unpack, value, count=count)), x)
    assert outcome(lambda: run(function, x)) == outcome(plain)


def _as_tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def test_unpacking_a_number_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="not-iterable"):
        build(lambda value: emit(unpack, value, count=2), np.array(2.5))
