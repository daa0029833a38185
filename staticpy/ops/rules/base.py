"""Derivative rules: how they are written, and the table of them.

A rule is plain NumPy and Python over the operands, the result and what flows in (``traced``). Its
``jvp`` pushes tangents forward; its ``vjp`` pulls cotangents back, and is the transpose of the
other under the pairing ``Re(sum(g * t))``, which is JAX's convention: of a holomorphic function
both multiply by the derivative, without conjugating it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.ir import PythonType, Value
from staticpy.ops.apply import apply
from staticpy.ops.opdef import REGISTRY, OpDef
from staticpy.ops.sum_to import known_same
from staticpy.ops.sum_to import sum_to as sum_to_op
from staticpy.ops.traced import Traced, is_traced, trace, untrace
from staticpy.ops.traced import call_traced as call

Vjp = Callable[..., tuple[Any, ...]]
Jvp = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """The derivative of an op.

    Attributes:
        vjp: ``vjp(g, out, *operands, **attrs)``: the cotangent of each operand, None where nothing
            flows. ``g`` is the cotangent of the result; of an op with several results ``g`` and
            ``out`` are tuples, and an item of ``g`` may be None.
        jvp: ``jvp(tangents, out, *operands, **attrs)``: the tangent of the result, or a tuple;
            None where it is zero. ``tangents`` has an item for each operand, None where it is zero;
            not all are None.
        reason: why there is no derivative, where both are None.
    """

    vjp: Vjp | None = None
    jvp: Jvp | None = None
    reason: str = ""


RULES: dict[str, Rule] = {}
"""The rule of each op by its name."""


def defrule(name: str, vjp: Vjp, jvp: Jvp) -> None:
    """Give the op ``name`` a derivative."""
    _enter(name, Rule(vjp, jvp))


def no_rule(reason: str, *names: str) -> None:
    """Say why ops have no derivative; reaching one with a gradient is an error."""
    for name in names:
        _enter(name, Rule(reason=reason))


def _enter(name: str, rule: Rule) -> None:
    if name not in REGISTRY or name in RULES:
        raise ValueError(f"a rule for {name!r}, which is no op or has one")
    RULES[name] = rule


# --- kinds of rules -------------------------------------------------------------------------------


def pointwise(name: str, *partials: Callable[..., Any] | None) -> None:
    """An op whose result is holomorphic (or real) in each operand, element by element: the partial
    derivatives ``partial(out, *operands)``, None where it is zero.
    """

    def vjp(g: Any, out: Any, *operands: Any, **_: Any) -> tuple[Any, ...]:
        return tuple(None if p is None else g * p(out, *operands) for p in partials)

    def jvp(tangents: Any, out: Any, *operands: Any, **_: Any) -> Any:
        pairs = zip(partials, tangents, strict=True)
        return add_up([t * p(out, *operands) for p, t in pairs if p is not None and t is not None])

    defrule(name, vjp, jvp)


def linear(name: str, transpose: Vjp) -> None:
    """An op that is linear in all its operands that have tangents: ``transpose`` is its vjp."""

    def jvp(tangents: Any, _out: Any, *operands: Any, **attrs: Any) -> Any:
        pairs = zip(tangents, operands, strict=True)
        given = [zeros_like(x) if t is None else t for t, x in pairs]
        return reapply(name, *given, **attrs)

    defrule(name, transpose, jvp)


def flat(*names: str) -> None:
    """Ops that are constant but for jumps: nothing flows through them."""

    def vjp(_g: Any, _out: Any, *operands: Any, **_: Any) -> tuple[Any, ...]:
        return (None,) * len(operands)

    def jvp(*_: Any, **__: Any) -> Any:
        return None

    for name in names:
        defrule(name, vjp, jvp)


# --- what rules are written with ------------------------------------------------------------------


def reapply(name: str, *operands: Any, **attrs: Any) -> Any:
    """The op ``name`` on other operands: computed, or emitted where one is Traced."""
    op: OpDef = REGISTRY[name]
    return trace(apply(op, *map(untrace, operands), **attrs))


def sum_to(g: Any, like: Any) -> Any:
    """A cotangent that was broadcast from the shape of ``like``, summed back to it."""
    if not is_traced(g, like):
        return sum_to_op.kernel(g, like)  # type: ignore[misc]
    pair = [untrace(each) for each in (g, like)]
    types = [each.type if isinstance(each, Value) else None for each in pair]
    if None not in types and known_same(*types):  # type: ignore[arg-type]
        return g
    return trace(apply(sum_to_op, *pair))


def zeros_like(x: Any) -> Any:
    """The zero tangent or cotangent of ``x``."""
    if isinstance(x, Traced) and isinstance(x.type, PythonType):
        return 0j if x.type.kind == "complex" else 0.0
    if isinstance(x, int | float | complex) and not isinstance(x, np.generic):
        return 0j if type(x) is complex else 0.0
    return np.zeros_like(x)


def add_up(terms: list[Any]) -> Any:
    """The sum of tangents; None where there is none."""
    total = None
    for term in terms:
        total = term if total is None else total + term
    return total


__all__ = [
    "RULES",
    "Rule",
    "add_up",
    "call",
    "defrule",
    "flat",
    "linear",
    "no_rule",
    "pointwise",
    "reapply",
    "sum_to",
    "zeros_like",
]
