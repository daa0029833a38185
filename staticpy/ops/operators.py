"""What Python's operators mean on operands of any box.

In: the symbol and two operands, each a Value or a compile-time Python number. Out: a plain Python
object where both are known while compiling, else a Value. Two Python numbers follow Python; as soon
as one operand is NumPy's, NumPy decides. What only the operator does (``x ** 2`` squares, an
integer array compares with any Python int) has an op of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    INT,
    NEVER,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    array_type,
    current_builder,
    dims_of,
    type_of,
)
from staticpy.ops import dynamic, python_scalars
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import describe, is_number, number_type
from staticpy.ops.calls import call_ufunc
from staticpy.ops.control import is_constant
from staticpy.ops.elementwise import UFUNC_OPS, complex_multiply
from staticpy.ops.in_place import IN_PLACE
from staticpy.ops.linalg import matmul_operands
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import OpDef, defop
from staticpy.ops.power import EXPONENTS, pow_, power_type, power_types, small
from staticpy.ops.promote import assume_fit, convert, elementwise, from_python, loop_dtypes, unbox
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
_ORDERS = ("<", "<=", ">", ">=")
_UNARY: dict[str, np.ufunc] = {"-": np.negative, "+": np.positive, "~": np.invert}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_SYMBOL_OF = {ufunc: symbol for symbol, ufunc in _COMPARE.items()}


# --- ** -------------------------------------------------------------------------------------------


def _power(base: Any, exponent: Any) -> Any:
    types = [number_type(operand) for operand in (base, exponent)]
    if dims_of(types[1]):
        return elementwise(UFUNC_OPS[np.power], base, exponent)
    loop_dtypes(np.power, types)
    found = power_types(small(types[0]), types[1])
    if len(found) == 1:
        return emit(pow_, base, exponent)
    if isinstance(exponent, Value):
        return emit(dynamic.BINARY["**"], base, exponent)
    return emit(pow_, base, exponent, result_type=_static_pow_type(types[0], exponent))


def _static_pow_type(base: Type, exponent: Any) -> Type:
    """The type for a compile-time exponent; for negative ints, at which NumPy raises, any."""
    type_ = number_type(exponent)
    value = 3 if type_ == INT and exponent not in EXPONENTS["i"] else exponent
    return sized(power_type(base, type_, value), dims_of(base))


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


def _refusal(symbol: str, operands: Sequence[Any]) -> DiagnosticError:
    types = " and ".join(map(describe, operands))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=types)


_OF_BOOLS = ("&", "|", "^")
_COMPLEX_OPERATORS = ("+", "-", "*", "/", "**", "==", "!=")


_F64 = ScalarType(np.dtype("float64"))


def _is_python_float(symbol: str, left: Type, right: Type) -> bool:
    """Whether the operator of ``left`` takes ``right`` for a ``float``: ``np.float64`` is one, to a
    Python complex on the left.
    """
    return left == COMPLEX and right == _F64 and symbol in _COMPLEX_OPERATORS


def apply_dynamic(op: OpDef, symbol: str, *operands: Any) -> Any:
    """Apply an op that finds its meaning at run time.

    Raises:
        DiagnosticError: Python raises TypeError for all operands of these types.
    """
    if not all(isinstance(operand, Value) or is_constant(operand) for operand in operands):
        raise _refusal(symbol, operands)
    types = [as_type(operand) for operand in operands]
    if NEVER in op.result_types(types, {}):
        raise _refusal(symbol, operands)
    return emit(op, *operands)


def as_type(operand: Any) -> Type:
    """The type of a Value, or of what a constant can hold."""
    known = operand.type if isinstance(operand, Value) else type_of(operand)
    assert known is not None
    return current_builder().facts.resolve_type(known)


def _is_dynamic(*sides: Any) -> bool:
    """Whether Python finds the operator at run time: one side is a Value that is no number, or is
    met by None or a str.
    """
    has_value = any(isinstance(side, Value) for side in sides)
    others = any(side is None or type(side) is str for side in sides)
    return any(map(dynamic.is_dynamic, sides)) or (has_value and others)


def binary(symbol: str, left: Any, right: Any) -> Any:
    """``left <symbol> right`` for an arithmetic, bitwise or matrix operator of Python.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on these operands.
    """
    types = _number_types(left, right)
    if types is None:
        return _by_any(dynamic.BINARY, symbol, left, right)
    if _is_python_float(symbol, *types):
        return binary(symbol, left, to_python(float, right))
    return _BY_MEANING[_meaning(symbol, *types)](symbol, left, right)


def _number_types(*operands: Any) -> list[Type] | None:
    """The types of operands that are all numbers or arrays, for certain."""
    return [*map(number_type, operands)] if all(map(is_number, operands)) else None


def _by_any(table: Mapping[str, OpDef], symbol: str, *operands: Any) -> Any:
    """An operator of what is not simply numbers."""
    if _is_dynamic(*operands):
        return apply_dynamic(table[symbol], symbol, *operands)
    raise _refusal(symbol, operands)


@lru_cache(maxsize=4096)
def _meaning(symbol: str, left: Type, right: Type) -> str:
    """Who computes an arithmetic, bitwise or matrix operator of numbers of these types."""
    if isinstance(left, PythonType) and isinstance(right, PythonType):
        return "python"
    if symbol == "@":
        return "matmul"
    if symbol in _BINARY and _is_of_small_arrays(left, right):
        return "small"
    if _is_of_numpy_bool(symbol, left, right):
        return "dynamic"
    return {"**": "power", "*": "multiply"}.get(symbol, "ufunc")


def _python_binary(symbol: str, left: Any, right: Any) -> Any:
    if symbol == "@":
        raise _refusal(symbol, (left, right))
    if symbol == "**":
        return python_scalars.power_(left, right)
    return apply_scalar(python_scalars.BINARY[symbol], left, right)


_BY_MEANING: dict[str, Callable[[str, Any, Any], Any]] = {
    "python": _python_binary,
    "matmul": lambda _, left, right: matmul_operands(left, right),
    "small": lambda symbol, left, right: emit(
        call_ufunc, left, right, function=_BINARY[symbol].__name__
    ),
    "dynamic": lambda symbol, left, right: apply_dynamic(
        dynamic.BINARY[symbol], symbol, left, right
    ),
    "power": lambda _, left, right: _power(left, right),
    "multiply": lambda _, left, right: multiply(left, right, is_operator=True),
    "ufunc": lambda symbol, left, right: elementwise(UFUNC_OPS[_BINARY[symbol]], left, right),
}


def _is_of_small_arrays(*types: Type) -> bool:
    """Whether 0-d arrays are computed with, whose ints overflow without a warning, and whose
    complex numbers are rounded otherwise than NumPy scalars.
    """
    is_array = [isinstance(type_, TensorType) for type_ in types]
    kinds = [strong_dtype(type_).kind for type_ in types]
    differs = "c" in kinds or all(kind in "iub" for kind in kinds)
    return differs and any(is_array) and not any(map(dims_of, types))


def _is_of_numpy_bool(symbol: str, *types: Type) -> bool:
    """Whether one side is a NumPy bool, which leaves arithmetic with a number to the ufunc: it has
    other warnings than the operator of the scalars that both would be converted to.
    """
    if symbol in _OF_BOOLS or any(isinstance(type_, TensorType) for type_ in types):
        return False
    is_bool = [type_ == ScalarType(np.dtype(bool)) for type_ in types]
    return any(is_bool) and not all(is_bool)


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


def in_place(symbol: str, target: Value, operand: Any) -> Any:
    """``target <symbol>= operand`` of an array, whose memory is written to."""
    given = as_value(operand)
    if symbol != "@":
        assume_fit(dims_of(target.type), given)
    return emit(IN_PLACE[symbol], target, given)


def compare(symbol: str, left: Any, right: Any) -> Any:
    """``left <symbol> right`` for a comparison.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on these operands.
    """
    types = _number_types(left, right)
    if types is None:
        return _by_any(dynamic.COMPARE, symbol, left, right)
    if _is_python_float(symbol, *types):
        right = to_python(float, right)
    if is_python_scalar(left) and is_python_scalar(right):
        return apply_scalar(python_scalars.COMPARE[symbol], left, right)
    if is_order_of_complex_scalars(symbol, *types):
        return apply_dynamic(dynamic.COMPARE[symbol], symbol, left, right)
    return compare_numpy(_COMPARE[symbol], left, right)


def is_order_of_complex_scalars(symbol: str, *types: Type) -> bool:
    """Whether two scalars of different types are ordered, one of them complex: which types they are
    decides whether the operator of NumPy's scalars compares or the ufunc, which order NaN
    differently, and of which the one warns of it.
    """
    if symbol not in _ORDERS or types[0] == types[1]:
        return False
    are_scalars = all(isinstance(type_, ScalarType | PythonType) for type_ in types)
    return are_scalars and any(strong_dtype(type_).kind == "c" for type_ in types)


def unary(symbol: str, operand: Any) -> Any:
    """``<symbol> operand`` for ``-``, ``+`` and ``~``.

    Raises:
        DiagnosticError: Python and NumPy have no meaning for it on this operand.
    """
    types = _number_types(operand)
    if types is None:
        return _by_any(dynamic.UNARY, symbol, operand)
    if is_python_scalar(operand):
        return apply_scalar(python_scalars.UNARY[symbol], operand)
    if _is_of_small_arrays(*types):
        return emit(call_ufunc, operand, function=_UNARY[symbol].__name__)
    return elementwise(UFUNC_OPS[_UNARY[symbol]], operand)
