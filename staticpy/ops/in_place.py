"""``x += v`` on an array: NumPy writes into the buffer of ``x``, and every alias of it sees that.

The operation has the effect WRITES: no pass lets a read of an array cross it. Its result is ``x``
itself. Where ``x`` is an array on some paths only, it is what Python's ``+=`` gives: the array
itself or a new value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import NEVER, TensorType, Type, Value, members_of, union_of
from staticpy.ops import dynamic
from staticpy.ops.opdef import Effect, OpDef, Samples, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import weak_dtype

_EFFECTS = Effect.RAISES | Effect.WARNS | Effect.WRITES

Rule = Callable[[TensorType, Type], bool]
"""Whether NumPy computes in place for an array and one operand of these types."""


def _elementwise(ufunc: np.ufunc) -> Rule:
    def rule(target: TensorType, operand: Type) -> bool:
        try:
            dtypes = (target.dtype, weak_dtype(operand), target.dtype)
            ufunc.resolve_dtypes(dtypes, casting="same_kind")
        except (TypeError, DiagnosticError):
            return False
        return True

    return rule


def _matmul_rule(target: TensorType, operand: Type) -> bool:
    try:
        probe("@=", operator.imatmul, (target, operand), {})
    except DiagnosticError:
        return False
    return True


def _infer(symbol: str, rule: Rule) -> Callable[[Type, Type], Type]:
    def member(target: Type, operand: Type) -> Type:
        """The result for one member of each union; NEVER where Python raises."""
        if isinstance(target, TensorType):
            return target if rule(target, operand) else NEVER
        return union_of(dynamic.BINARY[symbol].result_types((target, operand), {}))

    def infer(target: Type, operand: Type) -> Type:
        pairs = [(left, right) for left in members_of(target) for right in members_of(operand)]
        result = union_of(member(left, right) for left, right in pairs)
        if result == NEVER:
            types = f"{target} and {operand}"
            raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=f"{symbol}=", types=types)
        return target if isinstance(target, TensorType) else result

    return infer


def _samples(ufunc: np.ufunc) -> Samples:
    def samples(rng: np.random.Generator) -> Any:
        for dtype in ("int64", "float32"):
            loop = np.dtype(dtype).char * 2 + "->" + np.dtype(dtype).char
            if loop not in ufunc.types:
                continue
            yield (rng.integers(1, 5, (2, 3)).astype(dtype), 2), {}
            yield (rng.integers(1, 5, (2, 3)).astype(dtype), np.ones(3, dtype)), {}

    return samples


def _matmul_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)), rng.random((3, 3))), {}
    yield (rng.random((4, 2, 2)), rng.random((2, 2))), {}


def _define(name: str, symbol: str, rule: Rule, kernel: Any, samples: Samples) -> OpDef:
    return defop(
        name,
        infer=_infer(symbol, rule),
        kernel=kernel,
        effects=_EFFECTS,
        view=True,
        symbol=f"{symbol}=",
        samples=samples,
    )


_ELEMENTWISE: list[tuple[str, str, np.ufunc]] = [
    ("iadd", "+", np.add),
    ("isub", "-", np.subtract),
    ("imul", "*", np.multiply),
    ("itruediv", "/", np.true_divide),
    ("ifloordiv", "//", np.floor_divide),
    ("imod", "%", np.remainder),
    ("ipow", "**", np.power),
    ("ilshift", "<<", np.left_shift),
    ("irshift", ">>", np.right_shift),
    ("iand", "&", np.bitwise_and),
    ("ior", "|", np.bitwise_or),
    ("ixor", "^", np.bitwise_xor),
]

IN_PLACE: dict[str, OpDef] = {
    **{
        symbol: _define(name, symbol, _elementwise(ufunc), getattr(operator, name), _samples(ufunc))
        for name, symbol, ufunc in _ELEMENTWISE
    },
    "@": _define("imatmul", "@", _matmul_rule, operator.imatmul, _matmul_samples),
}
"""``target <symbol>= operand``: the operand keeps its own type; dtypes are cast by
``same_kind``."""


def may_be_in_place(type_: Type) -> bool:
    """Whether ``x += v`` writes to the memory of a value of this type, on some path at least."""
    return any(isinstance(member, TensorType) for member in members_of(type_))


def is_itself(value: Any, array: Any) -> bool:
    """Whether a value is an array itself, after operators in place."""
    while isinstance(value, Value) and value is not array:
        made = value.defining_op
        if made is None or made.op not in IN_PLACE.values():
            return False
        value = made.operands[0]
    return isinstance(value, Value) and isinstance(value.type, TensorType)
