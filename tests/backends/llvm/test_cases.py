"""Every program of ``tests/cases/accept`` gives in native code what it gives in CPython."""

from __future__ import annotations

import pytest

import staticpy
from tests.support.cases import Case, load_cases
from tests.support.observing import differences

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")
pytestmark = pytest.mark.usefixtures("numpys_functions")

TABLE = load_cases()
SAMPLE = 20
"""One of so many programs is among the quick tests."""


@pytest.mark.parametrize("item", TABLE[::SAMPLE], ids=lambda item: item.id)
def test_same_as_cpython(item: Case) -> None:
    check(item)


@pytest.mark.slow
@pytest.mark.parametrize(
    "item",
    [item for number, item in enumerate(TABLE) if number % SAMPLE],
    ids=lambda item: item.id,
)
def test_same_as_cpython_others(item: Case) -> None:
    check(item)


def check(item: Case) -> None:
    native = staticpy.jit(item.function, backend="llvm")
    assert differences(item.function, item.calls, {"llvm": native}) == []
