"""What Python's operators mean on operands of any box.

In: the symbol and two operands, each a Value or a compile-time Python number. Out: a plain Python
object where both are known while compiling, else a Value. Two Python numbers follow Python; as soon
as one operand is NumPy's, NumPy decides. What only the operator does (``x ** 2`` squares, an
integer array compares with any Python int) has an op of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    INT,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    array_type,
    dims_of,
)
from staticpy.ops import dynamic, python_scalars
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import describe, is_number, number_type
from staticpy.ops.elementwise import UFUNC_OPS, complex_multiply
from staticpy.ops.linalg import matmul_operands
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import convert, elementwise, from_python, loop_dtypes, unbox
from staticpy.ops.python_functions import to_python
from staticpy.ops.python_scalars import apply_scalar, is_python_scalar
from staticpy.ops.reduce import sized

_BINARY: dict[str, np.ufunc] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "<<": np.left_shift,
    ">>": np.right_shift,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
_COMPARE: dict[str, np.ufunc] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_UNARY: dict[str, np.ufunc] = {"-": np.negative, "+": np.positive, "~": np.invert}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SYMBOL_OF = {ufunc: symbol for symbol, ufunc in _COMPARE.items()}


# --- ** -------------------------------------------------------------------------------------------


_EXPONENTS: dict[str, tuple[Any, ...]] = {
    "b": (False, True),
    "i": (0, 1, 2, 3),
    "u": (0, 1, 2, 3),
    "f": (0.0, 0.5, 1.0, 2.0, 3.0, -1.0),
    "c": (0j, 1 + 0j, 2 + 0j, 0.5j),
}


def _pow_of(base: Any, *, exponent: Type, value: Any) -> Any:
    if isinstance(exponent, PythonType):
        return base**value
    array = np.array(value, strong_dtype(exponent))
    return base ** (array if isinstance(exponent, TensorType) else array[()])


def _pow_type(base: Type, exponent: Type, value: Any) -> Type:
    """The type that the operator gives for an exponent of this value."""
    (found,) = probe("**", _pow_of, (_small(base),), {"exponent": exponent, "value": value})
    return found


def _small(type_: Type) -> Type:
    """``type_`` with all sizes one, so that equal questions are asked once."""
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (1,) * type_.rank)
    return type_


@lru_cache(maxsize=1024)
def _pow_types(base: Type, exponent: Type) -> tuple[Type, ...]:
    """The types that the operator can give: for some the value of the exponent decides."""
    values = _EXPONENTS[strong_dtype(exponent).kind]
    return tuple(dict.fromkeys(_pow_type(base, exponent, value) for value in values))


def _infer_pow(base: Type, exponent: Type, *, result_type: Type | None = None) -> Type:
    if dims_of(exponent) or (isinstance(base, PythonType) and isinstance(exponent, PythonType)):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"pow cannot take {base}, {exponent}")
    return result_type or sized(_pow_types(_small(base), exponent)[0], dims_of(base))


def _pow(base: Any, exponent: Any, **_: Any) -> Any:
    return base**exponent


def _pow_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    base, exponent = operands
    exact = all(strong_dtype(type_).kind in "biu" for type_ in operands)
    return Effect.RAISES if exact or INT in (base, exponent) else Effect.WARNS


def _pow_samples(rng: np.random.Generator) -> Any:
    for dtype in ("int8", "int64", "float32", "float64", "complex64"):
        x = rng.integers(1, 4, (2, 3)).astype(dtype)
        whole = (2, 3, np.dtype(dtype).type(2), np.array(2, dtype))
        for exponent in whole if dtype.startswith("int") else (*whole, 0.5, -1.0):
            yield (x, exponent), {}
            yield (x[0, 0], exponent), {}
    yield (np.array([True, False]), 2), {"result_type": TensorType(np.dtype("int8"), (2,))}
    yield (np.array([1.5, -2.0]), -1), {}
    yield (2, np.float64(0.5)), {}


pow_ = defop(
    "pow",
    infer=_infer_pow,
    kernel=_pow,
    effects=_pow_effects,
    symbol="**",
    samples=_pow_samples,
)
"""``base ** exponent`` of NumPy values with an exponent without axes, given as it is, and the dtype
of the result where the types leave it open: the operator squares, takes roots and inverts where the
exponent is 2, 0.5 or -1, which ``np.power`` rounds otherwise."""


def _power(base: Any, exponent: Any) -> Any:
    types = [number_type(operand) for operand in (base, exponent)]
    if dims_of(types[1]):
        return elementwise(UFUNC_OPS[np.power], base, exponent)
    loop_dtypes(np.power, types)
    found = _pow_types(_small(types[0]), types[1])
    if len(found) == 1:
        return emit(pow_, base, exponent)
    if isinstance(exponent, Value):
        described = " or ".join(map(str, found))
        raise DiagnosticError(catalog.MIXED_KINDS, function="**", types=described)
    return emit(pow_, base, exponent, result_type=_static_pow_type(types[0], exponent))


def _static_pow_type(base: Type, exponent: Any) -> Type:
    """The type for a compile-time exponent; for negative ints, at which NumPy raises, any."""
    type_ = number_type(exponent)
    value = 3 if type_ == INT and exponent not in _EXPONENTS["i"] else exponent
    return sized(_pow_type(base, type_, value), dims_of(base))


# --- comparison with Python ints ------------------------------------------------------------------


def _infer_compare_int(left: Type, right: Type) -> Type:
    if right != INT or isinstance(left, PythonType) or strong_dtype(left).kind not in "iu":
        raise DiagnosticError(catalog.INVALID_IR, detail=f"cannot compare {left} with {right}")
    return array_type(np.dtype(bool), dims_of(left))


def _compare_int_samples(rng: np.random.Generator) -> Any:
    for dtype in ("int8", "uint8", "uint64"):
        for number in (3, -1, 300, 2**70, -(2**70)):
            yield (rng.integers(0, 9, 4).astype(dtype), number), {}
            yield (np.ones((), dtype)[()], number), {}


def _compare_int(symbol: str, ufunc: np.ufunc) -> OpDef:
    return defop(
        f"{ufunc.__name__}_int",
        infer=_infer_compare_int,
        kernel=ufunc,
        symbol=symbol,
        numpy=ufunc.__name__,
        samples=_compare_int_samples,
    )


COMPARE_INT: dict[str, OpDef] = {
    symbol: _compare_int(symbol, ufunc) for symbol, ufunc in _COMPARE.items()
}
"""``x < n`` of NumPy integers and a Python int of any size; nothing is converted, nothing
overflows."""


def _fits(number: Any, dtype: np.dtype) -> bool:
    """Whether a compile-time int is in the range of an integer dtype."""
    limits = np.iinfo(dtype)
    return not isinstance(number, Value) and int(limits.min) <= number <= int(limits.max)


def _is_int(operand: Any) -> bool:
    return is_python_scalar(operand) and number_type(operand) == INT


def _is_integers(operand: Any) -> bool:
    type_ = number_type(operand)
    return not isinstance(type_, PythonType) and strong_dtype(type_).kind in "iu"


def compare_numpy(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """A comparison of which NumPy decides, as ``np.less(left, right)``.

    Raises:
        DiagnosticError: NumPy does not compare these.
    """
    symbol = _SYMBOL_OF[ufunc]
    if _is_int(left) and _is_integers(right):
        return compare_numpy(_COMPARE[_MIRRORED[symbol]], right, left)
    if _is_integers(left) and _is_int(right) and not _fits(right, strong_dtype(number_type(left))):
        return emit(COMPARE_INT[symbol], _unboxed(left), right)
    if all(number_type(operand) in (INT, BOOL) for operand in (left, right)):
        found = as_value(apply_scalar(python_scalars.COMPARE[symbol], left, right))
        return emit(from_python, found, dtype=np.dtype(bool))
    return elementwise(UFUNC_OPS[ufunc], left, right)


def _unboxed(value: Any) -> Any:
    type_ = number_type(value)
    is_zero_d = isinstance(type_, TensorType) and not type_.dims
    return emit(unbox, value) if is_zero_d else value


# --- operators ------------------------------------------------------------------------------------


def _check(symbol: str, *operands: Any) -> None:
    if not all(map(is_number, operands)):
        types = " and ".join(map(describe, operands))
        raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=types)


_COMPLEX_OPERATORS = ("+", "-", "*", "/", "**", "==", "!=")


def _as_python_meets(symbol: str, left: Any, right: Any) -> Any:
    """``right`` as the operator of ``left`` sees it: ``np.float64`` is a ``float``, and a Python
    complex on the left takes it for one.
    """
    is_float = number_type(right) == ScalarType(np.dtype("float64"))
    if is_float and symbol in _COMPLEX_OPERATORS and number_type(left) == COMPLEX:
        return to_python(float, right)
    return right


def _dynamic(table: dict[str, OpDef], symbol: str, *operands: Any) -> Any:
    """The operator on a scalar whose box is known only at run time."""
    if symbol not in table:
        types = " and ".join(map(describe, operands))
        raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=types)
    return emit(table[symbol], *operands)


def binary(symbol: str, left: Any, right: Any) -> Any:
    """``left <symbol> right`` for an arithmetic, bitwise or matrix operator of Python.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on these operands.
    """
    _check(symbol, left, right)
    if dynamic.is_union(left) or dynamic.is_union(right):
        return _dynamic(dynamic.BINARY, symbol, left, right)
    right = _as_python_meets(symbol, left, right)
    if is_python_scalar(left) and is_python_scalar(right):
        if symbol == "@":
            types = f"{describe(left)} and {describe(right)}"
            raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol="@", types=types)
        if symbol == "**":
            return python_scalars.power_(left, right)
        return apply_scalar(python_scalars.BINARY[symbol], left, right)
    if symbol == "@":
        return matmul_operands(left, right)
    if symbol == "**":
        return _power(left, right)
    if symbol == "*":
        return multiply(left, right, is_operator=True)
    return elementwise(UFUNC_OPS[_BINARY[symbol]], left, right)


def multiply(left: Any, right: Any, *, is_operator: bool) -> Any:
    """``left * right`` or ``np.multiply(left, right)``: they round complex scalars differently."""
    types = [number_type(operand) for operand in (left, right)]
    dtype = loop_dtypes(np.multiply, types)[-1]
    if dtype.kind != "c" or any(map(dims_of, types)):
        return elementwise(UFUNC_OPS[np.multiply], left, right)
    if is_operator and not any(isinstance(type_, TensorType) for type_ in types):
        return elementwise(UFUNC_OPS[np.multiply], left, right)
    operands = [convert(operand, dtype) for operand in (left, right)]
    return emit(complex_multiply, *operands)


def compare(symbol: str, left: Any, right: Any) -> Any:
    """``left <symbol> right`` for a comparison.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on these operands.
    """
    _check(symbol, left, right)
    if dynamic.is_union(left) or dynamic.is_union(right):
        return _dynamic(dynamic.COMPARE, symbol, left, right)
    right = _as_python_meets(symbol, left, right)
    if is_python_scalar(left) and is_python_scalar(right):
        return apply_scalar(python_scalars.COMPARE[symbol], left, right)
    return compare_numpy(_COMPARE[symbol], left, right)


def unary(symbol: str, operand: Any) -> Any:
    """``<symbol> operand`` for ``-``, ``+`` and ``~``.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on this operand.
    """
    _check(symbol, operand)
    if dynamic.is_union(operand):
        return _dynamic(dynamic.UNARY, symbol, operand)
    if is_python_scalar(operand):
        return apply_scalar(python_scalars.UNARY[symbol], operand)
    return elementwise(UFUNC_OPS[_UNARY[symbol]], operand)
