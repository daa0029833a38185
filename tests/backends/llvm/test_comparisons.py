"""What a graph can call, in native code, against NumPy itself: a sample of the tables of
comparisons (``tests/test_comparisons.py`` says more of them), and the programs of the gallery.

Products of matrices are computed by the same library, elementwise functions by NumPy's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import staticpy
from examples.gallery import NAMES, load
from tests.support.comparisons.rows import Row
from tests.support.comparisons.tables import ROWS
from tests.support.comparisons.trial import attempt
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
pytestmark = [pytest.mark.usefixtures("numpys_functions"), pytest.mark.filterwarnings("ignore")]

TURN = int(os.environ.get("STATICPY_TURN", "0"))
TABLES = sorted({row.table for row in ROWS})
EVERY = 8
"""One row in so many is tried, others at each turn; all by the long tests."""

_OTHER_WORDS = (
    "overflow encountered in",
    "divide by zero encountered in",
    "invalid value encountered in",
)


@pytest.fixture(autouse=True)
def native(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATICPY_BACKEND", "llvm")


def sampled(row: Row) -> Iterator[str]:
    """The differences of a case of one unit of a row; but for the words of a warning that comes
    when something visible has happened.
    """
    found = row.units()
    unit = found[(row.number + TURN) % len(found)]
    cases = list(row.cases(unit))
    case = cases[(row.number // 7 + TURN) % len(cases)]
    for text in attempt(row, unit, [case]).differences:
        expected, _, actual = text.partition(", got ")
        kinds = [[word in each for word in _OTHER_WORDS] for each in (expected, actual)]
        if not ("expected warnings" in expected and any(kinds[0]) and kinds[0] == kinds[1]):
            yield text


@pytest.mark.parametrize("table", TABLES)
def test_same_as_numpy(table: str) -> None:
    rows = [row for row in ROWS if row.table == table and row.number % EVERY == TURN % EVERY]
    assert [text for row in rows for text in sampled(row)] == []


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_same_as_numpy_long(table: str) -> None:
    assert [text for row in ROWS if row.table == table for text in sampled(row)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_same_as_cpython(name: str) -> None:
    program = load(name).program
    calls = [Call(load(name).arguments(size)) for size in (1, 2, 4)]
    assert differences(program, calls, {"native": staticpy.jit(program)}) == []
