"""Python's builtin functions on numbers, conversion to Python's numbers, and truth.

In: a value of any box. Out: a Python number (``int(x)``, ``truth``), or what ``abs``, ``min``,
``round``, ``divmod``, ``sum`` give. Where the class of the result depends on the values
(``min(1, 2.5)``), it is a union.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    PYTHON_TYPES,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
    is_mutable_memory,
    members_of,
    union_of,
)
from staticpy.ops import dynamic
from staticpy.ops.apply import emit
from staticpy.ops.dynamic import operator_types
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.python_scalars import rank_of
from staticpy.source import NO_SPAN

_KINDS = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def python_type_of(type_: Type) -> PythonType:
    """The Python type that ``.item()`` gives for a value of type ``type_``."""
    if isinstance(type_, PythonType):
        return type_
    if not isinstance(type_, ScalarType | TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a number is due, not {type_}")
    return _KINDS[type_.dtype.kind]


# --- conversion -----------------------------------------------------------------------------------


def _boxes(_: Any) -> Any:
    for value in (True, 3, 2.5):
        yield (value,), {}
    for dtype in (bool, np.int8, np.uint64, np.float16, np.float64):
        yield (np.ones((), dtype)[()],), {}
        yield (np.ones((), dtype),), {}


def _conversion(target: PythonType, convert: Any, certain: str) -> OpDef:
    """The op that converts to ``target``; operands of the kinds in ``certain`` never raise."""

    def infer(_: Type) -> Type:
        return target

    def effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
        (operand,) = operands
        if dims_of(operand) or not _is_number_type(operand):
            return Effect.RAISES
        kind = python_type_of(operand).kind
        if kind == "int" and not isinstance(operand, PythonType):
            kind = "bool"  # fits wherever 64 bits fit
        return Effect.NONE if kind in certain.split() else Effect.RAISES

    return defop(f"py.{target}", infer=infer, kernel=convert, effects=effects, samples=_boxes)


to_bool = _conversion(BOOL, bool, "bool int float complex")
to_int = _conversion(INT, int, "bool int")
to_float = _conversion(FLOAT, float, "bool float")
to_complex = _conversion(COMPLEX, complex, "bool float complex")
"""``int(x)`` and its kind, of any box: the conversion of Python itself."""

CONVERSIONS: dict[type, OpDef] = {bool: to_bool, int: to_int, float: to_float, complex: to_complex}


def to_python(target: type, operand: Any) -> Any:
    """``target(operand)`` for ``bool``, ``int``, ``float`` or ``complex``.

    Raises:
        DiagnosticError: Python or NumPy raises TypeError for an operand of this type.
    """
    if isinstance(operand, Value):
        if operand.type == PYTHON_TYPES[target]:
            return operand
        _check_convertible(target, operand.type)
        return emit(CONVERSIONS[target], operand)
    if type(operand) in PYTHON_TYPES or type(operand) is str:
        try:
            return target(operand)
        except (ValueError, OverflowError, TypeError):
            return emit(CONVERSIONS[target], operand)
    raise DiagnosticError(
        catalog.NOT_AN_ARRAY, function=f"{target.__name__}()", type=type(operand).__name__
    )


def _check_convertible(target: type, type_: Type) -> None:
    """Refuse what Python or NumPy raises TypeError for, whichever member of a union it is."""
    reason = f"it takes no {type_}"
    for member in members_of(type_):
        if dims_of(member):
            return  # an array may have one element
        if not isinstance(member, PythonType) and not _is_number_type(member):
            continue
        try:
            probe(f"{target.__name__}()", target, (member,), {})
        except DiagnosticError as error:
            reason = str(error.diagnostic(NO_SPAN).args["reason"])
            continue
        return
    raise DiagnosticError(
        catalog.INVALID_ARRAY_CALL, function=f"{target.__name__}()", reason=reason
    )


def _is_number_type(type_: Type) -> bool:
    return isinstance(type_, ScalarType | TensorType) or type_ in PYTHON_TYPES.values()


def _infer_truth(_: Type) -> Type:
    return BOOL


def _truth_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    risky = any(dims_of(member) or member == OBJECT for member in members_of(operands[0]))
    return Effect.RAISES if risky else Effect.NONE


truth_op = defop("truth", infer=_infer_truth, kernel=bool, effects=_truth_effects, samples=_boxes)
"""The truth value of any box as a Python bool; ValueError for an array of other than one
element."""


def truth(operand: Any) -> Any:
    """What ``if operand:`` asks: a Python bool, known now or at run time."""
    if not isinstance(operand, Value):
        return bool(operand)
    return operand if operand.type == BOOL else emit(truth_op, operand)


def _infer_item(operand: Type) -> Type:
    return python_type_of(operand)


item = defop(
    "item",
    infer=_infer_item,
    kernel=lambda x: x.item(),
    effects=_truth_effects,
    samples=lambda _: [((np.float32(2.5),), {}), ((np.ones((1, 1), np.int8),), {})],
)
"""``x.item()``: the one element of an array, or a NumPy scalar, as a Python number."""


# --- builtin functions ----------------------------------------------------------------------------


def _infer_abs(operand: Type) -> Type:
    return (INT, INT, FLOAT, FLOAT)[rank_of(operand)]


def _abs_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    return Effect.RAISES if operands[0] == COMPLEX else Effect.NONE


abs_ = defop(
    "py.abs",
    infer=_infer_abs,
    kernel=abs,
    effects=_abs_effects,
    samples=lambda _: [((value,), {}) for value in (True, -3, -2.5, 3 + 4j)],
)
"""``abs(x)`` of a Python number."""


def _infer_select(function: str, *operands: Type) -> Type:
    first = operands[0]
    if isinstance(first, TensorType) and len(operands) == 1 and first.rank == 1:
        return ScalarType(first.dtype)
    members = union_of(operands)
    if any(map(is_mutable_memory, members_of(members))):
        raise DiagnosticError(
            catalog.UNSUPPORTED_OPERANDS, symbol=function, types=", ".join(map(str, operands))
        )
    # With these Python raises TypeError.
    return union_of(each for each in members_of(members) if each not in (NONE, COMPLEX))


def _select_effects(operands: Sequence[Type], _attrs: Attrs) -> Effect:
    members = members_of(union_of(operands))
    is_python = all(member in (BOOL, INT, FLOAT) for member in members)
    alike = len(members) == 1 and isinstance(members[0], ScalarType)
    return Effect.NONE if is_python or alike else Effect.RAISES


def _select(function: Any, *operands: Any) -> Any:
    return function(*operands) if len(operands) > 1 else function(operands[0])


def _select_samples(_: Any) -> Any:
    yield (3, -2), {}
    yield (3, 2.5, True), {}
    yield (np.float64(3), 2), {}
    yield ("b", "a"), {}
    yield (2.5, float("nan"), 1.0), {}
    yield (np.float32(2), np.float32(-1)), {}
    yield (np.array([3, 1, 2]),), {}


def _selection(function: Any) -> OpDef:
    name = function.__name__
    return defop(
        f"py.{name}",
        infer=partial(_infer_select, name),
        kernel=partial(_select, function),
        effects=_select_effects,
        samples=_select_samples,
    )


min_ = _selection(min)
max_ = _selection(max)
"""``max(a, b, ...)``: one of the operands as it is; or of the elements of one array of rank 1."""


def _infer_round(*operands: Type) -> Type:
    return operator_types("round", round, operands)[0]


round_ = defop(
    "py.round",
    infer=_infer_round,
    kernel=round,
    effects=Effect.RAISES,
    samples=lambda _: [((2.5,), {}), ((2.675, 2), {}), ((25, -1), {}), ((np.float64(0.5),), {})],
)
"""``round(x)`` and ``round(x, digits)`` of a Python or NumPy scalar; NEVER where Python raises."""


def _infer_divmod(left: Type, right: Type) -> tuple[Type, Type]:
    rank = max(rank_of(left), rank_of(right))
    if rank > 2:
        raise DiagnosticError(
            catalog.UNSUPPORTED_OPERANDS, symbol="divmod", types=f"{left} and {right}"
        )
    type_ = FLOAT if rank == 2 else INT
    return type_, type_


divmod_ = defop(
    "py.divmod",
    infer=_infer_divmod,
    kernel=divmod,
    effects=Effect.RAISES,
    samples=lambda _: [((7, -2), {}), ((7.5, 2), {}), ((True, 1), {})],
)
"""``divmod(a, b)`` of Python numbers."""


def _infer_pow_mod(*operands: Type) -> Type:
    if any(operand not in (INT, BOOL) for operand in operands) or len(operands) != 3:
        raise DiagnosticError(
            catalog.UNSUPPORTED_OPERANDS, symbol="pow", types=", ".join(map(str, operands))
        )
    return INT


pow_mod = defop(
    "py.pow_mod",
    infer=_infer_pow_mod,
    kernel=pow,
    effects=Effect.RAISES,
    samples=lambda _: [((7, 20, 5), {}), ((3, -1, 7), {}), ((True, 2, -5), {})],
)
"""``pow(base, exponent, modulus)`` of Python ints."""


def _infer_complex_of(*operands: Type) -> Type:
    return COMPLEX


complex_of = defop(
    "py.complex_of",
    infer=_infer_complex_of,
    kernel=complex,
    effects=Effect.RAISES,
    samples=lambda _: [((2, -0.5), {}), ((1.5, True), {}), ((np.float32(2), 3), {})],
)
"""``complex(real, imag)``."""


def _infer_sum(first: Type, *operands: Type) -> Type:
    add = dynamic.BINARY["+"]
    total = first
    for operand in operands:
        (total,) = add.result_types((total, operand), {})
    return total


sum_ = defop(
    "py.sum",
    infer=_infer_sum,
    kernel=lambda *operands: builtins.sum(operands[1:], operands[0]),
    effects=Effect.RAISES,
    samples=lambda _: [((0, 1.5, 2, 1e-30), {}), ((0, 3, True), {}), ((1j, 0.5), {})],
)
"""``sum(items, start)``, the start first; Python 3.12 and later round floats better than a chain of
``+``."""


def _part(name: str, kernel: Any) -> OpDef:
    def infer(operand: Type) -> Type:
        return (INT, INT, FLOAT, FLOAT)[rank_of(operand)]

    samples: list[Any] = [((value,), {}) for value in (True, 3, 2.5, 1 - 2j)]
    return defop(f"py.{name}", infer=infer, kernel=kernel, samples=lambda _: samples)


real = _part("real", lambda x: x.real)
imag = _part("imag", lambda x: x.imag)
"""``x.imag`` of a Python number."""


def _infer_conjugate(operand: Type) -> Type:
    return (INT, INT, FLOAT, COMPLEX)[rank_of(operand)]


conjugate = defop(
    "py.conjugate",
    infer=_infer_conjugate,
    kernel=lambda x: x.conjugate(),
    samples=lambda _: [((value,), {}) for value in (True, 3, 2.5, 1 - 2j)],
)
"""``x.conjugate()`` of a Python number."""
