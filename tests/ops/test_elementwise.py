"""Every elementwise function and operator, over dtypes and boxes, against NumPy itself.

For each pair of operands the graph must do what the plain call does: same bits, box and dtype, or
the same class of exception; and where NumPy raises TypeError, the graph must not come into being.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import DTYPES, PythonType, type_of
from staticpy.ops import FUNCTIONS, METHODS, binary, compare, unary
from staticpy.ops.builtin_functions import BUILTINS
from staticpy.ops.elementwise import UFUNC_OPS
from tests.support.graphs import build, outcome
from tests.support.interpreter import run

pytestmark = pytest.mark.filterwarnings("ignore")

_NUMBERS = [3, 1, 2, 0, 5]
_PYTHON = [True, 3, -2, 300, 2**70, 2.5, -0.0, 1e300, 1 - 2j]


def _array(dtype: np.dtype, shift: int) -> np.ndarray:
    numbers = np.array(_NUMBERS[shift:] + _NUMBERS[:shift])
    if dtype.kind == "f":
        numbers = np.where(numbers == 5, -2.7, numbers + 0.3)
    if dtype.kind == "c":
        numbers = numbers * (0.7 - 1.3j)
    if dtype.kind == "i":
        numbers = np.where(numbers == 5, -7, numbers)
    return numbers.astype(dtype)


def _operands(shift: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, dtype in DTYPES.items():
        array = _array(dtype, shift)
        found[f"{name}[n]"] = array
        found[name] = array[0]
        found[f"{name}[]"] = np.array(array[1])
    return found | {repr(number): number for number in _PYTHON}


_LEFT, _RIGHT = _operands(0), _operands(1)


def _pairs() -> Iterator[tuple[Any, Any]]:
    """All pairs of dtypes, and boxes that take turns: arrays and scalars always, 0-d now and
    then."""
    for number, (left, right) in enumerate(itertools.product(_LEFT, _RIGHT)):
        zero_d = ("[]" in left) + ("[]" in right)
        if zero_d == 0 or (zero_d == 1 and number % 5 == 0) or number % 17 == 0:
            yield _LEFT[left], _RIGHT[right]


_PAIRS = list(_pairs())
_NO_LOOP = ("TypeError",)


def _check(
    graph: Callable[..., Any],
    plain: Callable[..., Any],
    *operands: Any,
    refused: tuple[str, ...] = _NO_LOOP,
) -> None:
    """The graph of ``graph`` run on ``operands`` has the outcome of ``plain``, or is refused where
    that raises one of ``refused``.
    """
    with np.errstate(all="ignore"):
        expected = outcome(lambda: plain(*operands))
        try:
            function = build(graph, *operands)
        except DiagnosticError:
            fails = expected[0] == "error" and any(name in expected[1] for name in refused)
            assert fails, (operands, expected)
            return
        found = outcome(lambda: run(function, *operands))
    assert found == expected or _may_be_louder(operands, expected, found), (
        operands,
        expected,
        found,
    )
    if found[0] == "value" and expected[0] == "value":
        rule = [str(type_) for type_ in function.result_types]
        assert len(rule) == len(found[1])


def _may_be_louder(operands: Any, expected: Any, found: Any) -> bool:
    """Calls with nothing but Python numbers, an int beyond 64 bits among them: NumPy makes arrays
    of Python objects there; the graph raises."""
    only_python = all(isinstance(type_of(operand), PythonType) for operand in operands)
    return only_python and 2**70 in operands and found[0] == "error"


_BINARY_OPERATORS = {
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
_COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _is_huge(symbol: str, left: Any, right: Any) -> bool:
    return symbol in ("<<", "**") and type(left) is int and type(right) is int and right > 2**60


@pytest.mark.parametrize("symbol", _BINARY_OPERATORS)
def test_binary_operator(symbol: str) -> None:
    for left, right in _PAIRS:
        if not _is_huge(symbol, left, right):
            _check(lambda a, b: binary(symbol, a, b), _BINARY_OPERATORS[symbol], left, right)


@pytest.mark.parametrize("symbol", _COMPARISONS)
def test_comparison(symbol: str) -> None:
    for left, right in _PAIRS:
        _check(lambda a, b: compare(symbol, a, b), _COMPARISONS[symbol], left, right)


@pytest.mark.parametrize("name", sorted(u.__name__ for u in UFUNC_OPS if u.nin == 2))
def test_binary_ufunc(name: str) -> None:
    ufunc = getattr(np, name)
    for number, (left, right) in enumerate(_PAIRS):
        if number % 3 == 0:
            _check(FUNCTIONS[ufunc], ufunc, left, right)


@pytest.mark.parametrize("name", sorted(u.__name__ for u in UFUNC_OPS if u.nin == 1))
def test_unary_ufunc(name: str) -> None:
    ufunc = getattr(np, name)
    for operand in _LEFT.values():
        _check(FUNCTIONS[ufunc], ufunc, operand)


@pytest.mark.parametrize("symbol", ["-", "+", "~"])
def test_unary_operator(symbol: str) -> None:
    plain = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[symbol]
    for operand in _LEFT.values():
        _check(lambda a: unary(symbol, a), plain, operand)


_EXPONENTS = [
    *[0, 1, 2, 3, -1, -2, 300, 2**70, 0.0, 0.5, 1.0, 2.0, -1.0, -0.5, 2.5, True, False, 2j, 2 + 0j],
    *[np.float64(2), np.float32(0.5), np.int64(2), np.uint8(3), np.int8(-1), np.complex64(2)],
    *[np.bool_(True), np.array(2.0), np.array(2), np.array(0.5, np.float32), np.float16(2)],
]


@pytest.mark.parametrize("is_static", [False, True])
def test_power_operator_with_a_number_as_exponent(is_static: bool) -> None:
    for base, exponent in itertools.product(_LEFT.values(), _EXPONENTS):
        is_python = isinstance(type_of(exponent), PythonType)
        if isinstance(type_of(base), PythonType) and is_python:
            continue  # the ops of Python's numbers have tests of their own
        if is_static and is_python:
            _check(lambda a, e=exponent: binary("**", a, e), lambda a, e=exponent: a**e, base)
        else:
            _check(lambda a, b: binary("**", a, b), operator.pow, base, exponent)


def test_power_operator_with_an_array_as_exponent() -> None:
    for left, right in _PAIRS:
        if isinstance(right, np.ndarray) and right.ndim:
            _check(lambda a, b: binary("**", a, b), operator.pow, left, right)


def test_a_power_of_bools_whose_dtype_depends_on_the_exponent() -> None:
    function = build(lambda a, b: binary("**", a, b), np.array([True]), 2)
    assert str(function.results[0].type) == "i64[n0]|i8[n0]"
    for exponent in (0, 1, 2, 3):
        (found,) = run(function, np.array([True]), exponent)
        assert found.dtype == (np.array([True]) ** exponent).dtype


def test_where() -> None:
    conditions = [np.array([True, False, True, True, False]), np.bool_(False), True, 0, 2.5]
    conditions.append(np.array([0.0, 2, 0, np.nan, 1]))
    for number, (left, right) in enumerate(_PAIRS):
        condition = conditions[number % len(conditions)]
        _check(FUNCTIONS[np.where], np.where, condition, left, right)


@pytest.mark.parametrize("call", [np.clip, "clip"])
def test_clip(call: Any) -> None:
    bounds = [None, -1, 300, 2**70, -(2**70), 1.5, 2j, np.int8(1), np.array([1, 2, 0, 1, 2])]
    bounds += [np.float32(2), np.array(2)]
    for operand, low, high in itertools.product(_LEFT.values(), bounds, bounds):
        if isinstance(call, str) and not isinstance(operand, np.ndarray | np.generic):
            continue
        if type(operand) is int and operand > 2**64:
            continue  # NumPy makes it an array of Python objects
        given = [bound for bound in (low, high) if bound is not None]

        def graph(a: Any, *rest: Any, low: Any = low, high: Any = high) -> Any:
            values = iter(rest)
            ends = [None if bound is None else next(values) for bound in (low, high)]
            return (METHODS[call] if isinstance(call, str) else FUNCTIONS[call])(a, *ends)

        def plain(a: Any, *_: Any, low: Any = low, high: Any = high) -> Any:
            return getattr(a, call)(low, high) if isinstance(call, str) else call(a, low, high)

        # Without a bound it is a ValueError before NumPy 2.1.
        refused = _NO_LOOP if given else (*_NO_LOOP, "ValueError")
        _check(graph, plain, operand, *given, refused=refused)


@pytest.mark.parametrize("decimals", [0, 2, -1])
@pytest.mark.parametrize("name", ["round", "around"])
def test_round(name: str, decimals: int) -> None:
    function = getattr(np, name)
    for operand in _LEFT.values():
        _check(lambda a: FUNCTIONS[function](a, decimals), lambda a: function(a, decimals), operand)


@pytest.mark.parametrize("name", ["real", "imag", "angle"])
def test_parts_of_complex_numbers(name: str) -> None:
    for operand in _LEFT.values():
        _check(FUNCTIONS[getattr(np, name)], getattr(np, name), operand)


@pytest.mark.parametrize("builtin", [abs, round, bool, int, float, complex])
def test_builtin_of_one_number(builtin: Any) -> None:
    for operand in [*_LEFT.values(), np.float64("nan"), float("inf"), 1e308 * (1 + 1j)]:
        _check(BUILTINS[builtin], builtin, operand)


@pytest.mark.parametrize("builtin", [divmod, pow])
def test_builtin_of_two_numbers(builtin: Any) -> None:
    for number, (left, right) in enumerate(_PAIRS):
        only_python = all(isinstance(type_of(x), PythonType) for x in (left, right))
        if number % 3 == 0 and not (builtin is pow and only_python):
            _check(BUILTINS[builtin], builtin, left, right)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_numpy_scalar_class(dtype: np.dtype) -> None:
    for operand in _LEFT.values():
        _check(FUNCTIONS[dtype.type], dtype.type, operand)
