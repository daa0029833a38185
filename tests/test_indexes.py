"""Indexes of every kind, alone and together, read, stored and stored anew, against NumPy.

Each combination of up to three kinds is a program of its own, compiled from its source, on arrays
of one to three axes and several layouts. The quick test tries a sample, others at each turn
(``STATICPY_TURN``); ``pytest -m slow`` tries them all.
"""

from __future__ import annotations

import itertools
import linecache
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.support.describing import compare, describe

TURN = int(os.environ.get("STATICPY_TURN", "0"))
SAMPLE = 60
SIZE = 3
"""Of every axis, so that a mask fits wherever it stands."""

KINDS = (
    "1", "-2", "n", "np.int8(2)", "i0",  # integers
    ":", "1:", "::-1", ":n", "5::-2", "n:-5:-1",  # slices
    "...", "None",
    "i1", "i2", "[2, 0]", "[-1]", "[]",  # integer arrays
    "m1", "m2", "m3", "m0", "[True, False, True]", "False",  # masks
)  # fmt: skip
GIVEN: dict[str, Any] = {
    "n": 1,
    "i0": np.array(2),
    "i1": np.array([2, 0, 1]),
    "i2": np.array([[1], [0]]),
    "m0": np.array(True),
    "m1": np.array([True, False, True]),
    "m2": np.arange(SIZE * SIZE).reshape(SIZE, SIZE) % 2 == 0,
    "m3": np.arange(SIZE**3).reshape(SIZE, SIZE, SIZE) % 4 == 1,
}

ALL_AT_ONCE = """\
def program(x{names}):
    found = x[{key}]
    stored = x.copy()
    stored[{key}] = 0.5
    anew = x * 1.0
    anew[{key}] += 2.0
    x[{key}] *= found
    return found, stored, anew
"""
APART = [
    "def program(x{names}):\n    return x[{key}]\n",
    "def program(x{names}):\n    x[{key}] = 7.5\n",
    "def program(x{names}):\n    x[{key}] -= 1.5\n",
]
"""Where an index is wrong, each of them has to find that."""


_BACKWARDS = (slice(None, None, -2),) * 3


def _layouts(rank: int) -> list[np.ndarray]:
    plain = np.array(np.arange(float(SIZE**rank)).reshape((SIZE,) * rank))
    spread = np.zeros((2 * SIZE,) * rank)[_BACKWARDS[:rank]]
    spread[...] = plain
    return [plain, np.asfortranarray(plain), spread]


def _program(template: str, key: str) -> Callable[..., Any]:
    names = "".join(f", {name}" for name in _names(key))
    text = template.format(key=key, names=names)
    filename = f"<index {hash(text):x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "__name__": "indexes"}
    exec(compile(text, filename, "exec"), namespace)
    made: Callable[..., Any] = namespace["program"]
    return made


def _names(key: str) -> list[str]:
    """The parameters that an index uses."""
    used = {part for part in key.replace(":", " ").replace(",", " ").split() if part in GIVEN}
    return [name for name in GIVEN if name in used]


def _seen(
    function: Callable[..., Any], array: np.ndarray, names: list[str]
) -> tuple[Any, type | None]:
    """What there is to see after a call, and the class of what it raises."""
    x = array.copy(order="K") if array.base is None else array.base.copy()[_BACKWARDS[: array.ndim]]
    found, error = None, None
    try:
        found = function(x, *(GIVEN[name] for name in names))
    except Exception as raised:
        error = type(raised)
    return describe({"found": found, "x": x}), error


def _differences(key: str, array: np.ndarray) -> Iterator[str]:
    names, where = _names(key), f"x[{key}] of {array.ndim} axes"
    _, fails = _seen(_program(ALL_AT_ONCE, key), array, names)
    for template in APART if fails else [ALL_AT_ONCE]:
        program = _program(template, key)
        expected, error = _seen(program, array, names)
        actual, found = _seen(staticpy.jit(program), array, names)
        if found is not None and issubclass(found, staticpy.CompileError):
            yield from [] if error else [f"{where}: refused"]
        elif found is not error:
            yield f"{where}: expected {error}, got {found}"
        else:
            yield from (f"{where}: {text}" for text in compare(expected, actual))


def _cases() -> list[tuple[str, np.ndarray]]:
    """Each index with an array; the layouts take turns."""
    ones = [(kind + comma, rank) for kind in KINDS for comma in ("", ",") for rank in (1, 2, 3)]
    twos = [(", ".join(key), rank) for key in itertools.product(KINDS, repeat=2) for rank in (2, 3)]
    threes = [(", ".join(key), 3) for key in itertools.product(KINDS, repeat=3)]
    layouts = {rank: itertools.cycle(_layouts(rank)) for rank in (1, 2, 3)}
    return [(key, next(layouts[rank])) for key, rank in (*ones, *twos, *threes)]


def test_a_sample_of_indexes() -> None:
    cases = random.Random(TURN).sample(_cases(), SAMPLE)
    assert [text for key, array in cases for text in _differences(key, array)] == []


@pytest.mark.slow
def test_every_index() -> None:
    cases = _cases()
    assert [text for key, array in cases for text in _differences(key, array)] == []
    assert len(cases) > 15_000
