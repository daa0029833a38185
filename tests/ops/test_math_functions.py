"""``math``, ``cmath`` and ``operator``: run-time and compile-time operands do what CPython does."""

from __future__ import annotations

import cmath
import itertools
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    PYTHON_TYPES,
    Module,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    accepts,
    type_of,
)
from staticpy.ops import BUILTINS, Effect
from staticpy.ops.math_functions import OPS
from staticpy.ops.math_sequences import fsum_, prod_of
from staticpy.passes import fold
from tests.support.graphs import build, identity_of, outcome
from tests.support.interpreter import run

_NUMBERS: list[Any] = [
    *[True, 0, 1, -1, 5, 10**30, 10**400, 0.0, -0.0, 0.5, -2.5, 710.0, 1e308],
    *[math.inf, -math.inf, math.nan, 1j, 2 - 0.5j],
    *[np.float32(0.5), np.float64(-0.5), np.int8(3), np.uint64(2**63), np.bool_(True)],
    *[np.complex64(1 + 1j), np.float64("inf"), np.array(0.5), np.array(2), np.array([0.5, 1.0])],
]
_WHOLE: list[Any] = [True, 0, 1, -1, 5, 12, 2.5, np.int8(3), np.uint8(7), np.float32(1)]
_BINARY = [
    *[math.atan2, math.copysign, math.fmod, math.ldexp, math.log, math.nextafter, math.pow],
    *[math.remainder, math.hypot, math.isclose, cmath.isclose, cmath.log, cmath.rect],
]
_INTEGRAL = [math.comb, math.perm, math.gcd, math.lcm]
_WITH_OTHER_ARITY = {*_BINARY, *_INTEGRAL, getattr(math, "fma", None)} - {
    math.log,
    cmath.log,
    math.perm,
}
_UNARY = [
    f
    for f in BUILTINS
    if getattr(f, "__module__", "") in ("math", "cmath")
    and f not in _WITH_OTHER_ARITY
    and f not in (math.fsum, math.dist, math.prod)
]

pytestmark = pytest.mark.filterwarnings("ignore")


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__name__}"


def _check(function: Callable[..., Any], *operands: Any, **kwargs: Any) -> None:
    """The adapter does what ``function`` does, for run-time operands and for static ones."""
    expected = outcome(lambda: function(*operands, **kwargs))
    adapter = BUILTINS[function]
    for count in {0, len(operands)}:
        given, static = operands[:count], operands[count:]
        if any(isinstance(operand, np.ndarray | np.generic) for operand in static):
            continue
        try:
            graph = build(lambda *values, s=static: adapter(*values, *s, **kwargs), *given)
        except DiagnosticError:
            assert expected[0] == "error", (function, operands, expected)
            continue
        assert outcome(lambda g=graph, d=given: _unwrapped(run(g, *d))) == expected, (
            function,
            operands,
            count,
        )


def _unwrapped(results: list[Any]) -> Any:
    return results[0] if len(results) == 1 else tuple(results)


@pytest.mark.parametrize("function", _UNARY, ids=_name)
def test_functions_of_one_number(function: Any) -> None:
    for operand in _NUMBERS:
        if function is not math.factorial or str(operand) != str(10**30):
            _check(function, operand)


@pytest.mark.parametrize("function", _BINARY, ids=_name)
def test_functions_of_two_numbers(function: Any) -> None:
    for left, right in itertools.product(_NUMBERS, _NUMBERS[::3]):
        _check(function, left, right)


@pytest.mark.parametrize("function", _INTEGRAL, ids=_name)
def test_functions_of_integers(function: Any) -> None:
    for left, right in itertools.product(_WHOLE, _WHOLE):
        _check(function, left, right)


@pytest.mark.parametrize("function", [math.hypot, math.gcd, math.lcm], ids=_name)
def test_functions_of_any_number_of_operands(function: Any) -> None:
    for operands in ((), (12,), (12, 18, 8), (3, 4, 12, 5)):
        _check(function, *operands)


def test_tolerances() -> None:
    _check(math.isclose, 1.0, 1.001, rel_tol=0.01)
    _check(math.isclose, 0.0, 1e-12, abs_tol=1e-9)
    _check(math.isclose, 0.0, 1e-12, abs_tol=-1.0)
    _check(cmath.isclose, 1j, 1j + 1e-12, rel_tol=0, abs_tol=1e-9)


def test_no_huge_number_is_computed_while_compiling() -> None:
    for adapter, operands in ((math.factorial, (10**5,)), (math.comb, (10**6, 10**5))):
        graph = build(lambda a=adapter, o=operands: BUILTINS[a](*o))
        assert [operation.name for operation in graph.block.operations].count("return") == 1
        assert any(o.name == _name(adapter) for o in graph.block.operations)


def test_static_operands_are_computed() -> None:
    assert identity_of(BUILTINS[math.sqrt](2)) == identity_of(math.sqrt(2))
    assert BUILTINS[math.floor](-2.5) == -3
    assert BUILTINS[math.perm](4) == 24
    assert BUILTINS[math.modf](2.5) == (0.5, 2.0)


def test_floats_of_functions_that_are_total_raise_nothing() -> None:
    f32 = ScalarType(np.dtype("float32"))
    for function in (math.atan, math.isnan, math.fabs):
        for type_ in (FLOAT, BOOL, f32):
            assert OPS[function].effects_of([type_], {}) == Effect.NONE
        assert OPS[function].effects_of([INT], {}) == Effect.RAISES
    assert OPS[math.sqrt].effects_of([FLOAT], {}) == Effect.RAISES


def test_numpy_warns_where_an_imaginary_part_is_dropped() -> None:
    c64 = ScalarType(np.dtype("complex64"))
    for function in (math.sqrt, math.fabs):
        assert OPS[function].effects_of([c64], {}) == Effect.RAISES | Effect.WARNS
    assert fsum_.effects_of([FLOAT, UnionType((c64, FLOAT))], {}) == Effect.RAISES | Effect.WARNS
    assert OPS[cmath.sqrt].effects_of([c64], {}) == Effect.RAISES


def test_no_huge_number_is_folded() -> None:
    module = Module("f")
    module.add(build(lambda: BUILTINS[math.factorial](10**7)))
    fold(module)
    assert "math.factorial" in [o.name for o in module.main.block.operations]


@pytest.mark.parametrize("function", _UNARY, ids=_name)
def test_total_functions_are_total(function: Any) -> None:
    op = OPS[function]
    if op.effects_of([FLOAT], {}) == Effect.NONE:
        for operand in (0.0, -0.0, 1.0, -3.5, 1e308, 5e-324, math.inf, -math.inf, math.nan):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert op.kernel(operand) is not None


def test_a_union_needs_one_member_that_fits() -> None:
    mixed: Type = UnionType((FLOAT, INT))
    assert OPS[math.sqrt].result_types([mixed], {}) == (FLOAT,)
    assert OPS[math.factorial].result_types([mixed], {}) == (INT,)
    with pytest.raises(DiagnosticError, match="invalid-array-call"):
        OPS[math.gcd].result_types([UnionType((FLOAT, ScalarType(np.dtype("float32")))), INT], {})


# --- sequences ------------------------------------------------------------------------------------


_SEQUENCES: list[Any] = [
    *[[], [0.1] * 10, (1e16, 1.0, -1e16), [1, True, 2.5], [10**400], [1, 1j]],
    *[[np.float32(0.1), 2], [math.inf, -math.inf], (math.inf, math.nan), [np.int8(100), 3, 2]],
]


@pytest.mark.parametrize("function", [math.fsum, math.prod], ids=_name)
def test_functions_of_a_sequence(function: Any) -> None:
    for items in _SEQUENCES:
        _check_items(function, items, ())
        _check_items(function, tuple(items), ())


def _check_items(function: Any, left: Any, right: Any, **kwargs: Any) -> None:
    """As ``_check``, for functions whose arguments are sequences of the items."""
    two = function is math.dist
    arguments = (left, right) if two else (left,)
    expected = outcome(lambda: function(*arguments, **kwargs))
    count = len(left)

    def body(*values: Any) -> Any:
        given = (list(values[:count]), tuple(values[count:])) if two else (list(values),)
        return BUILTINS[function](*given, **kwargs)

    try:
        graph = build(body, *left, *right)
    except DiagnosticError:
        assert expected == ("error", "TypeError"), (function, left, right)
        return
    assert outcome(lambda: _unwrapped(run(graph, *left, *right))) == expected, (left, right)


def test_prod_with_a_start() -> None:
    _check_items(math.prod, [2, 3], (), start=0.5)
    _check_items(math.prod, [], (), start=True)
    assert BUILTINS[math.prod](range(1, 5)) == 24


def test_dist() -> None:
    _check_items(math.dist, [1, 2.5, 3], [4, np.float32(6.5), 3])
    _check_items(math.dist, [], [])
    _check_items(math.dist, [1], [1, 2])
    _check_items(math.dist, [1], [10**400])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool", "complex64"])
def test_sequences_that_are_arrays(dtype: str) -> None:
    for size in (0, 1, 4):
        x = np.arange(1, size + 1).astype(dtype)
        _check(math.fsum, x)
        _check(math.dist, x, x[::-1])
    _check(math.dist, np.ones(2), np.ones(3))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool", "complex64"])
def test_type_of_the_product_of_an_array(dtype: str) -> None:
    sized = TensorType(np.dtype(dtype), ("n",))
    for start in (1, True, 2.5):
        (rule,) = prod_of.result_types([sized, PYTHON_TYPES[type(start)]], {})
        for size in (0, 1, 4):
            product = math.prod(np.ones(size, dtype), start=start)
            found = type_of(product)
            assert found is not None
            assert accepts(rule, found), (rule, found)
            assert identity_of(prod_of.kernel(np.ones(size, dtype), start)) == identity_of(product)


def test_sequences_of_the_wrong_kind_are_refused() -> None:
    for function in (math.fsum, math.prod):
        with pytest.raises(DiagnosticError, match="unsupported-operands"):
            build(BUILTINS[function], np.ones((2, 2)))
        with pytest.raises(DiagnosticError, match="unsupported-operands"):
            BUILTINS[function]({})
    with pytest.raises(DiagnosticError, match="unsupported-operands"):
        BUILTINS[math.dist](1, (2,))


@pytest.mark.parametrize("operand", [None, "a", (1, 2), {}])
def test_operands_that_are_no_numbers_are_refused(operand: Any) -> None:
    for function in (math.sqrt, math.floor, cmath.exp, operator.index):
        with pytest.raises(DiagnosticError, match="unsupported-operands"):
            BUILTINS[function](operand)


# --- operator -------------------------------------------------------------------------------------


_OPERANDS: list[Any] = [True, 7, -2, 2.5, 1j, np.float64(1.5), np.int8(3), np.array([1.0, 2.0])]
_PLAIN_OPERATORS = [
    *[operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod],
    *[operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor],
    *[operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne],
]
_IN_PLACE = [
    *[operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv],
    *[operator.imod, operator.ilshift, operator.irshift, operator.iand, operator.ior],
    operator.ixor,
]


@pytest.mark.parametrize("function", _PLAIN_OPERATORS, ids=_name)
def test_operators_of_two(function: Any) -> None:
    for left, right in itertools.product(_OPERANDS, _OPERANDS):
        _check(function, left, right)


@pytest.mark.parametrize("function", _IN_PLACE, ids=_name)
def test_operators_in_place(function: Any) -> None:
    for left, right in itertools.product(_OPERANDS[:-1], _OPERANDS[:-1]):
        _check(function, left, right)


def test_operators_in_place_write_into_arrays() -> None:
    x = np.array([1.0, 2.0])
    graph = build(BUILTINS[operator.iadd], x, 2.5)
    assert run(graph, x, 2.5)[0] is x
    assert x.tolist() == [3.5, 4.5]


@pytest.mark.parametrize(
    "function",
    [operator.neg, operator.pos, operator.invert, operator.abs, operator.not_, operator.truth],
    ids=_name,
)
def test_operators_of_one(function: Any) -> None:
    for operand in _OPERANDS[:-1]:
        _check(function, operand)


def test_power_and_matrix_product() -> None:
    _check(operator.pow, 2, 10)
    _check(operator.ipow, 2.5, 2)
    _check(operator.matmul, np.ones((2, 3)), np.ones(3))


def test_index() -> None:
    for operand in (True, 7, 10**30, np.int8(3), np.array(2), 2.5, np.float32(1), np.array([1])):
        _check(operator.index, operand)


def test_getitem() -> None:
    _check(operator.getitem, np.array([1.0, 2.0]), 1)
    assert BUILTINS[operator.getitem]((4, 5), 1) == 5
    assert BUILTINS[operator.getitem]({"a": 4}, "a") == 4
    with pytest.raises(DiagnosticError, match="unsupported-operands"):
        BUILTINS[operator.getitem](3, 0)
