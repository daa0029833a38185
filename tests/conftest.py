"""Settings that hold for every test."""

from __future__ import annotations

import os
import signal
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

# On a shared machine an example may take any time, and so may making it; a failure must come back
# on the next run.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", **_PATIENT)
settings.register_profile("ci", **_PATIENT, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that tests
# start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The bits are NumPy's in every test but those of native code, whose exp has its own last bit; these
# name their backend.
os.environ.setdefault("STATICPY_BACKEND", "python_source")

TURN = int(os.environ.get("STATICPY_TURN", "0"))
PARTS = int(os.environ.get("STATICPY_LONG", "1"))
MANY_ROWS = 30
SHARE = 6


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that is run once per backend leaves out what isn't installed."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    if parameters.get("backend") == "llvm":
        pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where all tests are asked for, the quick ones take every sixth row of a long table, others at
    each turn (``STATICPY_TURN``), and the long ones the rest; with ``STATICPY_LONG=2`` one half of
    it, the other one at the next turn. ``STATICPY_WHOLE=1``, or naming files or words, takes all
    rows.
    """
    is_named = config.args_source is config.ArgsSource.ARGS or config.option.keyword
    if is_named or os.environ.get("STATICPY_WHOLE") == "1":
        return
    tables: dict[tuple[str, bool], list[pytest.Item]] = defaultdict(list)
    for item in items:
        table, is_slow = item.nodeid.partition("[")[0], item.get_closest_marker("slow") is not None
        tables[table, is_slow].append(item)
    left: set[pytest.Item] = set()
    for (_, is_slow), rows in tables.items():
        if len(rows) >= MANY_ROWS:
            for number, item in enumerate(rows):
                if is_slow or number % SHARE != TURN % SHARE:
                    item.add_marker(pytest.mark.slow)
                    if number // SHARE % PARTS != TURN % PARTS:
                        left.add(item)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]
