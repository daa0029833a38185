"""``x += v`` on an array: NumPy writes into the buffer of ``x``, and every alias of it sees that.

The operation has the effect WRITES: no pass lets a read of an array cross it. Its result is ``x``
itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import TensorType, Type, UnionType, dims_of
from staticpy.ops.opdef import Effect, OpDef, Samples, defop
from staticpy.ops.promote import weak_dtype

_EFFECTS = Effect.RAISES | Effect.WARNS | Effect.WRITES


def _infer(ufunc: np.ufunc, symbol: str) -> Callable[[Type, Type], Type]:
    def infer(target: Type, operand: Type) -> Type:
        assert isinstance(target, TensorType)
        members = operand.members if isinstance(operand, UnionType) else (operand,)
        try:
            for member in members:
                dtypes = (target.dtype, weak_dtype(member), target.dtype)
                ufunc.resolve_dtypes(dtypes, casting="same_kind")
        except TypeError:
            types = f"{target} and {operand}"
            raise DiagnosticError(
                catalog.UNSUPPORTED_OPERANDS, symbol=f"{symbol}=", types=types
            ) from None
        if len(dims_of(operand)) > target.rank:
            types = f"{target} and {operand}"
            raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=f"{symbol}=", types=types)
        return target

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


def _define(name: str, symbol: str, ufunc: np.ufunc, kernel: Any) -> OpDef:
    return defop(
        name,
        infer=_infer(ufunc, symbol),
        kernel=kernel,
        effects=_EFFECTS,
        view=True,
        symbol=f"{symbol}=",
        samples=_samples(ufunc),
    )


IN_PLACE: dict[str, OpDef] = {
    "+": _define("iadd", "+", np.add, operator.iadd),
    "-": _define("isub", "-", np.subtract, operator.isub),
    "*": _define("imul", "*", np.multiply, operator.imul),
    "/": _define("itruediv", "/", np.true_divide, operator.itruediv),
    "//": _define("ifloordiv", "//", np.floor_divide, operator.ifloordiv),
    "%": _define("imod", "%", np.remainder, operator.imod),
    "**": _define("ipow", "**", np.power, operator.ipow),
    "<<": _define("ilshift", "<<", np.left_shift, operator.ilshift),
    ">>": _define("irshift", ">>", np.right_shift, operator.irshift),
    "&": _define("iand", "&", np.bitwise_and, operator.iand),
    "|": _define("ior", "|", np.bitwise_or, operator.ior),
    "^": _define("ixor", "^", np.bitwise_xor, operator.ixor),
}
"""``target <symbol>= operand``: the operand keeps its own type; dtypes are cast by
``same_kind``."""
