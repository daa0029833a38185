"""``x += v`` and its kind on arrays, over dtypes and boxes, against NumPy: the buffer of ``x`` is
written."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import DTYPES
from staticpy.ops import IN_PLACE, emit
from tests.support.graphs import build, identity_of, outcome
from tests.support.interpreter import run

pytestmark = pytest.mark.filterwarnings("ignore")

_PLAIN = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
    "@": operator.imatmul,
}


def _operands() -> list[Any]:
    found: list[Any] = [True, 2, -1, 300, 2**70, 0.5, 2.0, 2j]
    for dtype in DTYPES.values():
        numbers = np.array([1, 0, 3]).astype(dtype)
        found += [numbers, numbers[2], np.array(numbers[2])]
    return [*found, np.ones((2, 3)), np.ones(2), np.ones((3, 3))]


@pytest.mark.parametrize("symbol", IN_PLACE)
def test_in_place(symbol: str) -> None:
    targets = [np.array([2, 1, 3]).astype(dtype) for dtype in DTYPES.values()]
    targets += [target[0:1].reshape(()) for target in targets[::3]]
    targets += [np.arange(6.0).reshape(2, 3), np.arange(9, dtype=np.int8).reshape(3, 3)]
    for target in targets:
        for operand in _operands():
            _check(symbol, target, operand)


def _check(symbol: str, target: np.ndarray, operand: Any) -> None:
    expected_target, found_target = target.copy(), target.copy()
    with np.errstate(all="ignore"):
        expected = outcome(lambda: _PLAIN[symbol](expected_target, operand))
        try:
            function = build(lambda x, v: emit(IN_PLACE[symbol], x, v), target, operand)
        except DiagnosticError:
            # NumPy before 2.2 squares integers in place also by an exponent of 2.0.
            assert expected[0] == "error" or symbol == "**", (target, operand, expected)
            return
        found = outcome(lambda: run(function, found_target, operand))
    assert found == expected, (target, operand, expected, found)
    assert identity_of(found_target) == identity_of(expected_target)


def test_the_result_is_the_target() -> None:
    target = np.ones(3)
    function = build(lambda x: emit(IN_PLACE["+"], x, 1), target)
    (result,) = run(function, target)
    assert result is target
