"""Operators on a scalar whose box depends on the path that was taken (``UnionType``).

Python finds the operator by the operand's class when the program runs, and so does the kernel here,
which is Python's operator itself. The type rule asks it about every combination of boxes; the
result is in the union of the answers.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import TensorType, Type, UnionType, Value, dims_of, join, members_of
from staticpy.ops.opdef import Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import broadcast_dims

_EFFECTS = Effect.RAISES | Effect.WARNS


def is_union(operand: Any) -> bool:
    """Whether ``operand`` is a Value in one of several boxes."""
    return isinstance(operand, Value) and isinstance(operand.type, UnionType)


def _infer(symbol: str, kernel: Callable[..., Any]) -> Callable[..., Type]:
    def infer(*operands: Type) -> Type:
        found: list[Type] = []
        for combination in itertools.product(*map(_alternatives, operands)):
            (type_,) = probe(f"operator '{symbol}'", kernel, combination, {})
            if isinstance(type_, TensorType):
                type_ = TensorType(type_.dtype, broadcast_dims(*map(dims_of, combination)))
            found.append(type_)
        joined: Type | None = found[0]
        for type_ in found[1:]:
            joined = joined and join(joined, type_)
        if joined is None:
            types = " and ".join(map(str, operands))
            raise DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=types)
        return joined

    return infer


def _alternatives(type_: Type) -> tuple[Type, ...]:
    return (type_,) if isinstance(type_, TensorType) else members_of(type_)


def _define(name: str, symbol: str, kernel: Callable[..., Any], count: int = 2) -> OpDef:
    def samples(rng: np.random.Generator) -> Any:
        for operands in (
            (7, 2.5),
            (np.float64(7), 2),
            (2.5, rng.random(3)),
            (np.int8(3), np.int8(2)),
        ):
            yield operands[:count], {}

    return defop(
        f"any.{name}",
        infer=_infer(symbol, kernel),
        kernel=kernel,
        effects=_EFFECTS,
        symbol=symbol,
        samples=samples,
    )


BINARY: dict[str, OpDef] = {
    "+": _define("add", "+", operator.add),
    "-": _define("sub", "-", operator.sub),
    "*": _define("mul", "*", operator.mul),
    "/": _define("truediv", "/", operator.truediv),
    "//": _define("floordiv", "//", operator.floordiv),
    "%": _define("mod", "%", operator.mod),
}
"""The arithmetic whose result's box follows from the operands' boxes (``**`` of Python's does
not)."""

COMPARE: dict[str, OpDef] = {
    "<": _define("lt", "<", operator.lt),
    "<=": _define("le", "<=", operator.le),
    ">": _define("gt", ">", operator.gt),
    ">=": _define("ge", ">=", operator.ge),
    "==": _define("eq", "==", operator.eq),
    "!=": _define("ne", "!=", operator.ne),
}

UNARY: dict[str, OpDef] = {
    "-": _define("neg", "-", operator.neg, 1),
    "+": _define("pos", "+", operator.pos, 1),
}
