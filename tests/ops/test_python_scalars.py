"""Python's own numbers: run-time and compile-time operands do what Python does, exceptions
included."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy import jit
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Value
from staticpy.ops import BUILTINS, METHODS, binary, compare, truth, unary
from staticpy.ops.python_scalars import is_python_scalar
from tests.support.graphs import build, outcome
from tests.support.interpreter import run

_NUMBERS: list[Any] = [
    *[True, False, 0, 1, -1, 2, 7, -3, 10**30, -(2**64), 10**400],
    *[0.0, -0.0, 0.5, 2.0, -2.5, 1e308, float("inf"), float("nan"), 1j, 2 - 0.5j, 1e308 + 1e308j],
]
_BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
_COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")


def _check(graph: Callable[..., Any], plain: Callable[..., Any], *operands: Any) -> None:
    """``graph`` does what ``plain`` does, for run-time operands, for static ones, and for a mix."""
    expected = outcome(lambda: plain(*operands))
    for statics in itertools.product([False, True], repeat=len(operands)):
        dynamic = [x for x, is_static in zip(operands, statics, strict=True) if not is_static]

        def body(*values: Value, statics: tuple[bool, ...] = statics) -> Any:
            rest = iter(values)
            pairs = zip(operands, statics, strict=True)
            return graph(*[x if is_static else next(rest) for x, is_static in pairs])

        try:
            function = build(body, *dynamic)
        except DiagnosticError:
            assert expected == ("error", "TypeError"), (operands, statics, expected)
            continue
        found = outcome(lambda f=function, d=dynamic: run(f, *d))
        assert found == expected, (operands, statics, expected, found)


def _is_huge(symbol: str, right: Any) -> bool:
    return symbol == "<<" and isinstance(right, int) and right > 2**20


@pytest.mark.parametrize("symbol", _BINARY)
def test_binary(symbol: str) -> None:
    for left, right in itertools.product(_NUMBERS, _NUMBERS):
        if not _is_huge(symbol, right):
            _check(lambda a, b: binary(symbol, a, b), _BINARY[symbol], left, right)


@pytest.mark.parametrize("symbol", _COMPARE)
def test_compare(symbol: str) -> None:
    for left, right in itertools.product(_NUMBERS, _NUMBERS):
        _check(lambda a, b: compare(symbol, a, b), _COMPARE[symbol], left, right)


@pytest.mark.parametrize("symbol", ["-", "+", "~"])
def test_unary(symbol: str) -> None:
    plain = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[symbol]
    for operand in _NUMBERS:
        _check(lambda a: unary(symbol, a), plain, operand)


@pytest.mark.parametrize(
    "builtin", [abs, round, bool, int, float, complex], ids=lambda f: f.__name__
)
def test_builtin_of_one(builtin: Any) -> None:
    for operand in _NUMBERS:
        _check(BUILTINS[builtin], builtin, operand)


@pytest.mark.parametrize("builtin", [divmod, round], ids=lambda f: f.__name__)
def test_builtin_of_two(builtin: Any) -> None:
    for left, right in itertools.product(_NUMBERS, _NUMBERS):
        if (
            builtin is divmod
            or (isinstance(right, int) and abs(right) < 100)
            or type(right) is float
        ):
            _check(BUILTINS[builtin], builtin, left, right)


@pytest.mark.parametrize("builtin", [min, max], ids=lambda f: f.__name__)
def test_selection(builtin: Any) -> None:
    for left, right in itertools.product(_NUMBERS, _NUMBERS):
        if type(left) is type(right):
            _check(BUILTINS[builtin], builtin, left, right)
            _check(lambda a, b: BUILTINS[builtin]((a, b, a)), builtin, left, right)


def test_selection_of_one() -> None:
    assert BUILTINS[min]([3]) == 3
    with pytest.raises(DiagnosticError):
        BUILTINS[max](3)


def test_sum() -> None:
    numbers = [0.1, 0.2, 0.3, 1e16, 1.0, -1e16, 3, True]
    _check(lambda *a: BUILTINS[sum](list(a)), lambda *a: sum(a), *numbers[:4])
    _check(lambda *a: BUILTINS[sum](a, 2.5), lambda *a: sum(a, 2.5), *numbers[3:7])
    _check(lambda *a: BUILTINS[sum](a, 1j), lambda *a: sum(a, 1j), *numbers[5:])
    assert BUILTINS[sum](()) == 0


def _power_kind(base: Any, exponent: Any) -> str:
    kinds = ["bool", "int", "float", "complex"]
    rank = max(kinds.index(type(x).__name__) for x in (base, exponent))
    return kinds[max(rank, 1)]


def test_power() -> None:
    exponents = [True, False, 0, 1, 2, 5, -1, -2, 0.0, 0.5, -1.0, 2.0, 1j, 2 + 0j]
    for base, exponent in itertools.product(_NUMBERS, exponents):
        expected = outcome(lambda b=base, e=exponent: b**e)
        for is_static in (False, True):
            given = (base,) if is_static else (base, exponent)
            function = build(lambda a, b=exponent: binary("**", a, b), *given)
            found = outcome(lambda f=function, g=given: run(f, *g))
            other = _kind_of(expected) != _power_kind(base, exponent)
            loud = found == ("error", "DiagnosticError") and other
            assert found == expected or loud, (base, exponent, is_static, expected, found)


def _kind_of(expected: tuple[str, Any]) -> str:
    return expected[1][0][0].__name__ if expected[0] == "value" else "error"


def test_a_negative_static_exponent_gives_a_float() -> None:
    assert binary("**", 2, -1) == 0.5
    function = build(lambda a: binary("**", a, -1), 4)
    assert run(function, 4) == [0.25]


def test_static_operands_are_computed_unless_huge_or_raising() -> None:
    function = build(lambda: (binary("*", 10**20, 10**20), unary("-", 3)))
    assert run(function) == [10**40, -3]
    for symbol, left, right in (("/", 1, 0), ("**", 10, 10**5), ("<<", 1, 10**5)):
        function = build(lambda s=symbol, a=left, b=right: binary(s, a, b))
        names = [operation.name for operation in function.block.operations]
        assert any(name.startswith("py.") for name in names)


def test_truth() -> None:
    for operand in _NUMBERS:
        _check(truth, bool, operand)
    assert truth([]) is False
    assert truth("a") is True


@pytest.mark.parametrize("operand", [None, "a", (1, 2), [1], {}])
def test_operands_that_are_no_numbers_are_refused(operand: Any) -> None:
    assert not is_python_scalar(operand)
    with pytest.raises(DiagnosticError, match="unsupported-operands"):
        binary("+", operand, 1)
    with pytest.raises(DiagnosticError, match="unsupported-operands"):
        compare("<", 1, operand)
    with pytest.raises(DiagnosticError, match="unsupported-operands"):
        unary("-", operand)


def test_methods_of_arrays_are_not_methods_of_numbers() -> None:
    with pytest.raises(DiagnosticError, match="unsupported-attribute"):
        build(METHODS["sum"], 2.5)


def test_float_methods() -> None:
    function = build(METHODS["is_integer"], 2.0)
    assert run(function, 2.0) == [True]
    function = build(METHODS["conjugate"], 2 - 1j)
    assert run(function, 2 - 1j) == [2 + 1j]


def test_sum_of_what_is_a_number_of_python_on_some_paths() -> None:
    def total(x, n):
        found = 0
        for i in range(n):
            found = found + x * i
        return sum([x, found]), sum([found], x), sum((1.5, x, found, 2))

    for x in (np.float64(0.1), np.float32(0.3), np.ones(2)):
        for n in (0, 3):
            for result, expected in zip(jit(total)(x, n), total(x, n), strict=True):
                assert type(result) is type(expected)
                np.testing.assert_array_equal(result, expected, strict=True)
