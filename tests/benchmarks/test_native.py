"""Each workload of ``benchmarks/native``, at a tiny size: staticpy gives what NumPy gives."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks.native import arrays, loops
from benchmarks.native.comparison import Row, Timing, are_close, interpreter
from benchmarks.native.numpy_programs import FUNCTIONS
from benchmarks.native.peers import OWN, PEERS
from benchmarks.native.report import by_hand, replaced, shortfalls, table
from benchmarks.native.worker import leaves, prepare
from benchmarks.native.workloads import BY_NAME

by_workload = pytest.mark.parametrize("name", BY_NAME)


@by_workload
@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_same_as_numpy(name: str, backend: str) -> None:
    pytest.importorskip(PEERS[backend].package)
    size = BY_NAME[name].tiny
    runs = [prepare(PEERS[peer].load(), name, size) for peer in ("NumPy", backend)]
    for _ in range(3):  # some go on from what the call before has made
        expected, found = (leaves(run()) for run in runs)
        assert are_close(found, expected)
        assert [array.dtype for array in found] == [array.dtype for array in expected]


@pytest.mark.parametrize("name", [name for name in BY_NAME if hasattr(loops, name)])
def test_loops_say_what_arrays_say(name: str) -> None:
    args = BY_NAME[name].arguments(*BY_NAME[name].tiny)
    other = getattr(arrays, name, FUNCTIONS[name])
    assert are_close(leaves(getattr(loops, name)(*args)), leaves(other(*args)))


def test_results_that_differ_are_seen() -> None:
    assert are_close([np.ones(3)], [np.ones(3) + 1e-7])
    assert not are_close([np.ones(3)], [np.ones(3) + 1e-3])
    assert not are_close([np.ones(3)], [np.ones(4)])
    assert not are_close([np.array([1, 2])], [np.array([1, 3])])
    assert not are_close([np.full(2, np.nan)], [np.ones(2)])


def test_interpreter_of_a_peer() -> None:
    """One that is given for its package comes first, then this one, then the others."""
    own = sys.executable
    assert interpreter("numpy", ("json=python-of-json", "nowhere")) == own
    assert interpreter("numpy", (f"numpy={own}",)) == own
    with pytest.raises(FileNotFoundError, match="python-of-numpy"):
        interpreter("numpy", ("numpy=python-of-numpy",))
    assert interpreter("a_package_of_nobody", (own,)) is None


def test_goals() -> None:
    row = Row(BY_NAME["gelu"])
    assert row.is_met is False, "staticpy has no time"
    row.timings[OWN] = Timing(0.1, (1.0, 2.0, 3.0))
    assert row.is_met is None, "nobody to compare with"
    row.timings["NumPy"] = Timing(0.1, (9.0, 9.0, 9.0))
    row.timings["JAX"] = Timing(0.3, (3.0, 3.0, 3.0))
    assert row.best == "JAX"
    assert row.is_met is False, "0.67 is more than 0.6"
    row.timings["JAX"] = Timing(0.3, (4.0, 4.0, 4.0))
    assert row.is_met is True
    assert "| 2 s | 100% |  | JAX 4 s | 0.50 | ≤ 0.6 | yes | 100 ms | 300 ms |" in table([row])


def test_why_a_goal_is_not_met() -> None:
    row = Row(BY_NAME["gelu"])
    row.timings[OWN] = Timing(0.2, (2.0, 2.0, 2.0))
    row.timings["JAX"] = Timing(0.3, (3.0, 3.0, 3.0))
    missed, first = shortfalls([row]).split("\n")
    assert missed.startswith("- gelu (tanh), 1M f32: 2 s, 0.67 of JAX's time (goal ≤ 0.6). A tanh")
    assert first.startswith("- First calls of more than 0.5 of JAX's: gelu (tanh), 1M f32 0.67.")
    row.timings["JAX"] = Timing(0.5, (4.0, 4.0, 4.0))
    assert shortfalls([row]) == ""


def test_bound_is_a_goal_too() -> None:
    row = Row(BY_NAME["affine"])
    row.timings[OWN] = Timing(0.1, (1.0, 1.0, 1.0))
    row.timings["NumPy"] = Timing(0.1, (2.0, 2.0, 2.0))
    row.timings["np.copyto"] = Timing(0.1, (0.5, 0.5, 0.5))
    assert row.best == "NumPy"
    assert row.is_met is False


def test_a_derivative_by_hand_is_no_peer() -> None:
    row = Row(BY_NAME["line"])
    row.timings[OWN] = Timing(0.1, (1.0, 1.0, 1.0))
    row.timings["Numba"] = Timing(0.1, (2.0, 2.0, 2.0))
    assert row.best is None
    row.timings["JAX"] = Timing(0.1, (20.0, 20.0, 20.0))
    assert row.best == "JAX"
    assert row.is_met is True
    assert by_hand([row]).endswith(":\n\n- 1000 steps of a line: 0.50 of Numba's time, 2 s.")


def test_section_of_the_page() -> None:
    page = "# A\n\n## How fast\n\nold\n\n## Next\n\nrest\n"
    assert replaced(page, "## How fast\n\nnew") == "# A\n\n## How fast\n\nnew\n\n## Next\n\nrest\n"
    assert replaced("# A\n", "## How fast\n\nnew") == "# A\n\n## How fast\n\nnew\n"
