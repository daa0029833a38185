"""What a graph can call against NumPy itself: a sample of the tables of comparisons.

Every row is tried with one pair of dtypes and a few layouts, others at each turn
(``STATICPY_TURN``, which ``.ci/run`` sets to the number of commits). A difference names the row,
the dtypes and the layout; ``python -m tests.support.compare`` tries all of them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from staticpy.ops import ATTRIBUTES, BUILTINS, FUNCTIONS, GENERATOR_METHODS, METHODS, UFUNC_METHODS
from tests.support import compare
from tests.support.comparisons.arrays import CONTENTS, LAYOUTS, SHAPES, shape_for, spec_of
from tests.support.comparisons.batch import Job, units
from tests.support.comparisons.rows import DTYPE_NAMES, Case, Row
from tests.support.comparisons.same import difference, memory_of
from tests.support.comparisons.tables import ROWS
from tests.support.comparisons.trial import Count, attempt

TURN = int(os.environ.get("STATICPY_TURN", "0"))
CASES = 2
"""How many cases of a row the quick test tries."""
SHARE = 150
TABLES = sorted({row.table for row in ROWS})

pytestmark = pytest.mark.filterwarnings("ignore")


def sampled(row: Row) -> Count:
    """Some cases of one unit of a row."""
    found = row.units()
    unit = found[(row.number + TURN) % len(found)]
    cases = list(row.cases(unit))
    first = (row.number // 7 + TURN) % len(cases)
    return attempt(row, unit, [cases[(first + 5 * step) % len(cases)] for step in range(CASES)])


@pytest.mark.parametrize("table", TABLES)
def test_same_as_numpy(table: str) -> None:
    found = [text for row in ROWS if row.table == table for text in sampled(row).differences]
    assert found == []


@pytest.mark.slow
def test_same_as_numpy_long() -> None:
    total = compare.run(Job(0, len(units(SHARE, TURN)), SHARE, TURN), workers=2)
    print("\n".join(compare.report(total)))
    assert total.differences == []
    assert total.total > 20_000


# --- the tables -----------------------------------------------------------------------------------


def test_there_are_all_dtypes_and_layouts() -> None:
    assert len(DTYPE_NAMES) == 14
    assert len(LAYOUTS) == 12


def test_a_row_stands_once() -> None:
    keys = [(row.text, row.ranks) for row in ROWS]
    assert [key for key in set(keys) if keys.count(key) > 1] == []


def _texts() -> str:
    return "\n".join(row.text for row in ROWS)


def test_every_function_has_a_row() -> None:
    texts = _texts()
    missing = [str(f.__name__) for f in FUNCTIONS if f".{f.__name__}(" not in texts]
    assert missing == []


def test_every_method_and_attribute_has_a_row() -> None:
    texts = _texts()
    assert [name for name in METHODS if f".{name}(" not in texts] == []
    assert [name for name in ATTRIBUTES if f".{name}" not in texts] == []
    assert [name for _, name in GENERATOR_METHODS if f".{name}(" not in texts] == []
    methods = [f".{ufunc.__name__}.{name}(" for ufunc, name in UFUNC_METHODS]
    assert [name for name in methods if name not in texts] == [".power.at("]


def test_every_builtin_has_a_row() -> None:
    texts = _texts()
    missing = [str(f.__name__) for f in BUILTINS if f"{f.__name__}(" not in texts]
    assert missing == []


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPE_NAMES)
def test_a_layout_holds_the_values(dtype: str, layout: str) -> None:
    for rank, contents in ((rank, each) for rank in SHAPES for each in CONTENTS):
        shape = shape_for(layout, SHAPES[rank])
        (one, memory), (two, other) = (spec_of(dtype, layout, shape, contents).make() for _ in "ab")
        assert difference(one, two) == ""
        assert memory == other
        if layout != "stretched":
            plain, _ = spec_of(dtype, "contiguous", shape, contents).make()
            assert plain.tobytes() == one.astype(plain.dtype).tobytes()


def test_layouts_are_what_they_say() -> None:
    made = {
        layout: spec_of("f64", layout, shape_for(layout, (4, 5)), "plain") for layout in LAYOUTS
    }
    arrays = {layout: spec.make()[0] for layout, spec in made.items()}
    assert arrays["fortran"].flags.f_contiguous
    assert arrays["step"].strides == (160, 16)
    assert min(arrays["reversed"].strides) < 0
    assert arrays["stretched"].strides[0] == 0
    assert not arrays["transposed"].flags.contiguous
    assert not arrays["misaligned"].flags.aligned
    assert not arrays["swapped"].dtype.isnative
    assert not arrays["read-only"].flags.writeable
    assert (arrays["empty"].size, arrays["unit"].shape[0], arrays["zero-d"].ndim) == (0, 1, 0)


# --- the comparison itself ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (True, 1),
        (np.float64(1), 1.0),
        (np.array(1.0), np.float64(1)),
        (np.zeros(2), -np.zeros(2)),
        (np.zeros(2), np.zeros(3)),
        (np.zeros(2), np.zeros(2, "f4")),
        (np.zeros(2), np.zeros(2, ">f8")),
        (np.zeros(2), np.broadcast_to(0.0, 2)),
        ([1], (1,)),
        ([1], [1, 2]),
        (complex(0, -0.0), 0j),
        ("a", "b"),
    ],
)
def test_a_difference_is_seen(one: object, two: object) -> None:
    assert difference(one, two)


def test_any_nan_is_any_other() -> None:
    assert difference(np.array([np.nan]), np.array([-np.nan])) == ""
    assert difference(complex(np.nan, 1), complex(-np.nan, 1)) == ""


def test_memory_that_is_shared() -> None:
    x = np.zeros((2, 3))
    assert memory_of(x, {"x": x}) == ["x"]
    assert memory_of((x[1], x.copy()), {"x": x}) == [["x", 24, [8]], []]


def test_a_wrong_graph_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(("f64", "f64"), "contiguous", 1, "plain", "contiguous")
    assert attempt(Row("np.sum(x)", "right"), case.dtypes, [case]).same == 1
    monkeypatch.setitem(FUNCTIONS, np.sum, FUNCTIONS[np.prod])
    assert "expected" in attempt(Row("np.sum(x)", "wrong"), case.dtypes, [case]).differences[0]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    first = compare.run(Job(0, 4), 1, 2, log)
    lines = log.read_text().splitlines()
    assert [json.loads(line)[0] for line in lines] == [[0, 2, 1, 0], [2, 4, 1, 0]]
    again = compare.run(Job(0, 4), 1, 2, log)
    assert log.read_text().splitlines() == lines
    assert again == first
    assert first.total > 50
    assert "0 differences" in compare.headline(first)


def test_turns_share_everything() -> None:
    total = len(units())
    assert sum(len(units(7, turn)) for turn in range(7)) == total
    assert total > 100_000
