"""The operators of Python on Python's own numbers: the ``py.*`` ops.

Ints are unbounded, ``1 / 0`` raises ZeroDivisionError, and no result ever depends on NumPy. The
kernels are Python's operators themselves. Numbers that are known while compiling are computed here
and now, unless that raises or the result would be huge.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PYTHON_TYPES,
    PythonType,
    Type,
    Value,
    union_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.opdef import Attrs, Effect, OpDef, Samples, defop
from staticpy.ops.power import python_power_types

_RANK = {"bool": 0, "int": 1, "float": 2, "complex": 3}
_BY_RANK = (BOOL, INT, FLOAT, COMPLEX)
_MAX_STATIC_BITS = 4096

_VALUES: dict[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "int": (7, -3, 2),
    "float": (2.5, -0.75, 3.0),
    "complex": (1 + 2j, -0.5j, 2 + 0j),
}


def rank_of(type_: Type) -> int:
    """Where a Python type stands in ``bool < int < float < complex``."""
    if not isinstance(type_, PythonType) or type_.kind not in _RANK:
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a Python number is due, not {type_}")
    return _RANK[type_.kind]


def _refuse(symbol: str, *types: Type) -> DiagnosticError:
    described = " and ".join(map(str, types))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=described)


def _arithmetic(symbol: str, lowest: int, highest: int) -> Callable[[Type, Type], Type]:
    def infer(left: Type, right: Type) -> Type:
        rank = max(rank_of(left), rank_of(right))
        if rank > highest:
            raise _refuse(symbol, left, right)
        return _BY_RANK[max(rank, lowest)]

    return infer


def _mixed_raises(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    """OverflowError where an int becomes a float."""
    ranks = {rank_of(operand) for operand in operands}
    return Effect.RAISES if 1 in ranks and ranks & {2, 3} else Effect.NONE


def _pairs(highest: str) -> Samples:
    def samples(_: Any) -> Any:
        kinds = list(_VALUES)[: _RANK[highest] + 1]
        for left in kinds:
            for right in kinds:
                yield (_VALUES[left][0], _VALUES[right][-1] or 1), {}

    return samples


def _singles(highest: str) -> Samples:
    def samples(_: Any) -> Any:
        for kind in list(_VALUES)[: _RANK[highest] + 1]:
            for value in _VALUES[kind]:
                yield (value,), {}

    return samples


def _binary(
    name: str,
    symbol: str,
    kernel: Callable[[Any, Any], Any],
    lowest: int,
    highest: str,
    effects: Any = Effect.RAISES,
) -> OpDef:
    return defop(
        f"py.{name}",
        infer=_arithmetic(symbol, lowest, _RANK[highest]),
        kernel=kernel,
        symbol=symbol,
        effects=effects,
        samples=_pairs(highest),
    )


BINARY: dict[str, OpDef] = {
    "+": _binary("add", "+", operator.add, 1, "complex", _mixed_raises),
    "-": _binary("sub", "-", operator.sub, 1, "complex", _mixed_raises),
    "*": _binary("mul", "*", operator.mul, 1, "complex", _mixed_raises),
    "/": _binary("truediv", "/", operator.truediv, 2, "complex"),
    "//": _binary("floordiv", "//", operator.floordiv, 1, "float"),
    "%": _binary("mod", "%", operator.mod, 1, "float"),
    "<<": _binary("lshift", "<<", operator.lshift, 1, "int"),
    ">>": _binary("rshift", ">>", operator.rshift, 1, "int"),
    "&": _binary("and", "&", operator.and_, 0, "int", Effect.NONE),
    "|": _binary("or", "|", operator.or_, 0, "int", Effect.NONE),
    "^": _binary("xor", "^", operator.xor, 0, "int", Effect.NONE),
}
"""The ops of Python's binary operators by symbol; ``**`` has its own rule, see ``power_``."""


# --- power ----------------------------------------------------------------------------------------


def _infer_pow(base: Type, exponent: Type, *, kind: str = "") -> Type:
    rank_of(base), rank_of(exponent)
    return PythonType(kind) if kind else union_of(python_power_types(base, exponent))


def _pow(base: Any, exponent: Any, *, kind: str = "") -> Any:
    result = base**exponent
    if kind and type(result).__name__ != kind:
        power, found = f"{base!r} ** {exponent!r}", type(result).__name__
        raise DiagnosticError(catalog.POWER_OF_OTHER_TYPE, power=power, found=found, kind=kind)
    return result


def _pow_samples(_: Any) -> Any:
    yield (2, 10), {"kind": "int"}
    yield (2, 10), {}
    yield (2, -1), {}
    yield (True, False), {}
    yield (2.5, 2), {}
    yield (2.5, -1.5), {"kind": "float"}
    yield (-8.0, 0.5j), {}


power = defop(
    "py.pow",
    infer=_infer_pow,
    kernel=_pow,
    effects=Effect.RAISES,
    symbol="**",
    samples=_pow_samples,
)
"""``base ** exponent``: an int or a float, as the sign of an int exponent has it. With ``kind`` the
result is of that Python type; SPY625 where it is not (``(-8.0) ** 0.5`` is complex)."""


def power_(base: Any, exponent: Any) -> Any:
    """``base ** exponent`` of Python numbers."""
    if _is_static(base, exponent):
        known = _compute("**", operator.pow, base, exponent)
        if known is not None:
            return known
    types = python_power_types(type_of_scalar(base), type_of_scalar(exponent))
    if len(types) == 1:
        return emit(power, base, exponent)
    if FLOAT in types and COMPLEX in types:
        return emit(power, base, exponent, kind="float")
    if isinstance(exponent, Value) and not _is_size(exponent):
        return emit(power, base, exponent)
    is_negative = not isinstance(exponent, Value) and exponent < 0
    return emit(power, base, exponent, kind="float" if is_negative else "int")


def _is_size(value: Value) -> bool:
    """Whether ``value`` is the size of an array, which is not negative."""
    return value.defining_op is not None and value.defining_op.name == "dim"


# --- comparison, unary ----------------------------------------------------------------------------


def _infer_order(symbol: str) -> Callable[[Type, Type], Type]:
    def infer(left: Type, right: Type) -> Type:
        if max(rank_of(left), rank_of(right)) == 3:
            raise _refuse(symbol, left, right)
        return BOOL

    return infer


def _infer_equal(left: Type, right: Type) -> Type:
    rank_of(left), rank_of(right)
    return BOOL


def _comparison(name: str, symbol: str, kernel: Any) -> OpDef:
    is_equality = symbol in ("==", "!=")
    return defop(
        f"py.{name}",
        infer=_infer_equal if is_equality else _infer_order(symbol),
        kernel=kernel,
        symbol=symbol,
        samples=_pairs("complex" if is_equality else "float"),
    )


COMPARE: dict[str, OpDef] = {
    "<": _comparison("lt", "<", operator.lt),
    "<=": _comparison("le", "<=", operator.le),
    ">": _comparison("gt", ">", operator.gt),
    ">=": _comparison("ge", ">=", operator.ge),
    "==": _comparison("eq", "==", operator.eq),
    "!=": _comparison("ne", "!=", operator.ne),
}
"""The ops of Python's comparisons by symbol. They never raise and never round."""


def _infer_unary(symbol: str, highest: int) -> Callable[[Type], Type]:
    def infer(operand: Type) -> Type:
        if rank_of(operand) > highest:
            raise _refuse(symbol, operand)
        return _BY_RANK[max(rank_of(operand), 1)]

    return infer


def _infer_not(operand: Type) -> Type:
    rank_of(operand)
    return BOOL


def _unary(name: str, symbol: str, kernel: Any, highest: str) -> OpDef:
    infer = _infer_unary(symbol, _RANK[highest])
    return defop(f"py.{name}", infer=infer, kernel=kernel, symbol=symbol, samples=_singles(highest))


not_ = defop(
    "py.not", infer=_infer_not, kernel=operator.not_, symbol="not ", samples=_singles("complex")
)
"""``not x`` of a Python number."""

UNARY: dict[str, OpDef] = {
    "-": _unary("neg", "-", operator.neg, "complex"),
    "+": _unary("pos", "+", operator.pos, "complex"),
    "~": _unary("invert", "~", operator.invert, "int"),
    "not": not_,
}
"""The ops of Python's unary operators by symbol."""


# --- application ----------------------------------------------------------------------------------


def is_python_scalar(operand: Any) -> bool:
    """Whether ``operand`` is a Python number, known now or at run time."""
    if isinstance(operand, Value):
        return operand.type in _BY_RANK
    return type(operand) in PYTHON_TYPES


def type_of_scalar(operand: Any) -> PythonType:
    """The type of an operand for which ``is_python_scalar`` holds."""
    type_ = operand.type if isinstance(operand, Value) else PYTHON_TYPES[type(operand)]
    assert isinstance(type_, PythonType)
    return type_


def _is_static(*operands: Any) -> bool:
    return not any(isinstance(operand, Value) for operand in operands)


def _is_huge(symbol: str, left: Any, right: Any = 0) -> bool:
    """Whether the result would be an int too long to be put into the compiled code."""
    if not (isinstance(left, int) and isinstance(right, int)):
        return False
    bits = {
        "*": left.bit_length() + right.bit_length(),
        "**": left.bit_length() * max(right, 0),
        "<<": left.bit_length() + max(right, 0),
    }
    return bits.get(symbol, 0) > _MAX_STATIC_BITS


def _compute(symbol: str, kernel: Callable[..., Any], *operands: Any, **attrs: Any) -> Any:
    """The result of static operands; None where it must be left to the run (it raises, is huge)."""
    if _is_huge(symbol, *operands[:2]):
        return None
    try:
        return kernel(*operands, **attrs)
    except (ArithmeticError, ValueError, Warning):
        return None


def apply_scalar(op: OpDef, *operands: Any, **attrs: Any) -> Any:
    """Apply a ``py.*`` op: compute it where all operands are static and nothing raises, else emit.

    Raises:
        DiagnosticError: Python raises TypeError for operands of these types.
    """
    assert op.kernel is not None
    if _is_static(*operands):
        op.result_types([type_of_scalar(operand) for operand in operands], attrs)
        known = _compute(op.symbol, op.kernel, *operands, **attrs)
        if known is not None:
            return known
    return emit(op, *operands, **attrs)
