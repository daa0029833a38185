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

from staticpy.ir import (
    PYTHON_TYPES,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    current_builder,
    dims_of,
    members_of,
)
from staticpy.ops.apply import apply
from staticpy.ops.opdef import REGISTRY, OpDef
from staticpy.ops.sum_to import known_same
from staticpy.ops.traced import Traced, call, is_traced, trace, untrace

Vjp = Callable[..., tuple[Any, ...]]
Jvp = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """The derivative of an op.

    Attributes:
        vjp: ``vjp(g, out, *operands, **attrs)``: the cotangent of each operand, None where nothing
            flows. ``g`` is the cotangent of the result; of an op with several results ``g`` and
            ``out`` are tuples, and an item of ``g`` may be None. A cotangent may be ``g`` itself,
            or a view of it: nothing may be written to one.
        jvp: ``jvp(tangents, out, *operands, **attrs)``: the tangent of the result, or a tuple;
            None where it is zero. ``tangents`` has an item for each operand, None where it is
            zero; not all are None.
        reason: why there is no derivative, where both are None.
        is_flat: whether nothing flows, whatever the operands.
    """

    vjp: Vjp | None = None
    jvp: Jvp | None = None
    reason: str = ""
    is_flat: bool = False


class NoDerivativeError(Exception):
    """Raised by a rule that has no derivative for operands of these types; it says why."""


class NoRuleError(NoDerivativeError):
    """A function of NumPy is called of which there is no rule; it gives its name."""


class NotKnownError(NoDerivativeError):
    """A function of NumPy, which it names, has a rule, but only where more is known of the call."""


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


Term = Callable[..., Any]
"""``term(t, out, *operands)``: what a tangent or cotangent ``t`` is multiplied to. As the product
with the partial derivative is its own transpose, one term serves both directions."""


def terms(name: str, *by: Term | None) -> None:
    """An op whose operands have the dtype and the shape of its result: a term for each of them,
    None where nothing flows.
    """

    def vjp(g: Any, out: Any, *operands: Any, **_: Any) -> tuple[Any, ...]:
        pairs = zip(by, operands, strict=True)
        return tuple(
            term(g, out, *operands) if term is not None and wants(x) else None for term, x in pairs
        )

    def jvp(tangents: Any, out: Any, *operands: Any, **_: Any) -> Any:
        given = [(term, t) for term, t in zip(by, tangents, strict=True) if t is not None]
        return add_up([term(t, out, *operands) for term, t in given if term is not None])

    defrule(name, vjp, jvp)


def pointwise(name: str, *partials: Callable[..., Any] | None) -> None:
    """As ``terms``, by the partial derivatives ``partial(out, *operands)``."""

    def term(partial: Callable[..., Any]) -> Term:
        return lambda t, out, *operands: t * partial(out, *operands)

    terms(name, *(None if partial is None else term(partial) for partial in partials))


def mixed_terms(name: str, *by: Term | None) -> None:
    """As ``terms``, where operands and result may be of different boxes, dtypes and shapes. The
    last term is that of all operands which follow.
    """
    _enter(name, mixed_rule(*by))


def mixed_rule(*by: Term | None) -> Rule:
    """The rule of ``mixed_terms``."""

    def of(operands: tuple[Any, ...]) -> tuple[Term | None, ...]:
        return (*by, *[by[-1]] * (len(operands) - len(by)))[: len(operands)]

    def vjp(g: Any, out: Any, *operands: Any, **_: Any) -> tuple[Any, ...]:
        pairs = zip(of(operands), operands, strict=True)
        return tuple(
            like(term(g, out, *operands), x) if term is not None and wants(x) else None
            for term, x in pairs
        )

    def jvp(tangents: Any, out: Any, *operands: Any, **_: Any) -> Any:
        pairs = zip(of(operands), tangents, strict=True)
        given = [(term, t) for term, t in pairs if term is not None and t is not None]
        total = add_up([term(t, out, *operands) for term, t in given])
        return None if total is None or not flows(out) else spread(total, out)

    return Rule(vjp, jvp)


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
        _enter(name, Rule(vjp, jvp, is_flat=True))


# --- what rules are written with ------------------------------------------------------------------


def reapply(name: str, *operands: Any, **attrs: Any) -> Any:
    """The op ``name`` on other operands: computed, or emitted where one is Traced."""
    op: OpDef = REGISTRY[name]
    return trace(apply(op, *map(untrace, operands), **attrs))


def sum_to(g: Any, like: Any) -> Any:
    """A cotangent that was broadcast from the shape of ``like``, summed back to it."""
    return g if _is_of_shape(g, like) else reapply("sum_to", g, like)


def _is_of_shape(t: Any, like: Any) -> bool:
    """Whether both are known to have the same shape, and both to be arrays, or neither."""
    if not is_traced(t, like):
        return np.shape(t) == np.shape(like) and isinstance(t, np.ndarray) == isinstance(
            like, np.ndarray
        )
    resolve = current_builder().facts.resolve_type
    pair = [resolve(each.type) if isinstance(each, Traced) else None for each in (t, like)]
    one_type = all(each is not None and len(members_of(each)) == 1 for each in pair)
    return one_type and known_same(*pair)  # type: ignore[arg-type]


def kind_of(x: Any) -> str:
    """The kind of a number or array as dtypes have it: one of ``biufc``, or O for all else. Of a
    union, that of the member which holds most.
    """
    if isinstance(x, Traced):
        return max(map(kind_of_type, members_of(x.type)), key="Obuifc".index)
    if isinstance(x, np.ndarray | np.generic):
        return x.dtype.kind
    known = PYTHON_TYPES.get(type(x))
    return "O" if known is None else kind_of_type(known)


_KINDS = {"bool": "b", "int": "i", "float": "f", "complex": "c"}


def kind_of_type(type_: Type) -> str:
    """``kind_of`` what is of a type."""
    if isinstance(type_, ScalarType | TensorType):
        return type_.dtype.kind
    return _KINDS.get(type_.kind, "O") if isinstance(type_, PythonType) else "O"


def flows(x: Any) -> bool:
    """Whether a number or array has a derivative: whether it is inexact."""
    return kind_of(x) in "fc"


def wants(x: Any) -> bool:
    """Whether a cotangent of the operand ``x`` is of use: not to a constant of the graph."""
    return flows(x) and (not isinstance(x, Traced) or (x.is_wanted and known(x) is x))


def is_complex(x: Any) -> bool:
    """Whether a number or array is complex."""
    return kind_of(x) == "c"


def is_python(x: Any) -> bool:
    """Whether ``x`` is a Python number."""
    return isinstance(x.type, PythonType) if isinstance(x, Traced) else type(x) in PYTHON_TYPES


def known(x: Any) -> Any:
    """What a Traced is, where it is a constant of the graph; else ``x`` itself."""
    operation = x.value.defining_op if isinstance(x, Traced) else None
    if operation is None or operation.name != "constant":
        return x
    return operation.attrs["value"]


def rank_of(x: Any) -> int:
    """The number of axes; of a union the largest."""
    if isinstance(x, Traced):
        return max(len(dims_of(member)) for member in members_of(x.type))
    return np.ndim(x)


def where(condition: Any, x: Any, y: Any) -> Any:
    """``np.where``, and a scalar where there is no axis."""
    found = np.where(condition, x, y)
    return found if rank_of(found) else reapply("unbox", found)


def strong(x: Any) -> Any:
    """A Python number as NumPy's, which divides by zero without an exception."""
    if not is_python(x):
        return x
    return reapply("from_python", x, dtype=np.dtype(complex if is_complex(x) else float))


def real_part(t: Any) -> Any:
    """The real part, also of a number that is complex on some paths only."""
    members = members_of(t.type) if isinstance(t, Traced) else ()
    is_some = len(members) > 1 and not any(isinstance(each, TensorType) for each in members)
    return (call(complex, t) if is_some else t).real


def like(t: Any, x: Any) -> Any:
    """A tangent or cotangent in the type of the number or array ``x``: real where that is, summed
    to its shape, or repeated, in its dtype and box.
    """
    if is_complex(t) and not is_complex(x):
        t = real_part(t)
    if isinstance(x, Traced) and len(members_of(x.type)) > 1:
        t = sum_to(t, x) if rank_of(t) else t
        return reapply("any.real_as", t, x) if _differ_in_dtype(t, x) else t
    if is_python(x):
        return call(complex if is_complex(x) else float, np.sum(t) if rank_of(t) else t)
    if is_python(t):
        t = reapply("from_python", t, dtype=x.dtype)
    elif isinstance(t, Traced) and len(members_of(t.type)) > 1:
        t = _of_dtype(t, x.dtype)
    if isinstance(x, np.ndarray) or (isinstance(x, Traced) and isinstance(x.type, TensorType)):
        t = sum_to(t, x) if rank_of(t) else np.full_like(x, t)
    else:
        t = sum_to(t, x)
    return t if t.dtype == x.dtype else t.astype(x.dtype)


def _of_dtype(t: Any, dtype: np.dtype) -> Any:
    """NumPy's, whichever number ``t`` is: a number of Python's holds any of them."""
    if rank_of(t):
        return t * dtype.type(1)
    return reapply("from_python", call(complex if is_complex(t) else float, t), dtype=dtype)


def _differ_in_dtype(t: Any, x: Traced) -> bool:
    """Whether ``x`` is NumPy's, of one of several dtypes, and ``t`` may be of another one."""
    if not isinstance(t, Traced) or t.type == x.type:
        return False
    dtypes, ranks = set(), set()
    for each in (*members_of(t.type), *members_of(x.type)):
        dtypes.add(each.dtype if isinstance(each, ScalarType | TensorType) else None)
        ranks.add(len(dims_of(each)))
    return None not in dtypes and len(dtypes) > 1 and len(ranks) == 1


def spread(t: Any, out: Any) -> Any:
    """A tangent in the type of the result ``out``, to whose shape it is stretched.

    Raises:
        NoDerivativeError: ``out`` is of several types, and ``t`` of fewer axes.
    """
    rank = rank_of(out)
    if rank and rank_of(t) < rank and isinstance(out, Traced) and len(members_of(out.type)) > 1:
        raise NoDerivativeError("the tangent of a result of several types would be stretched")
    is_stretched = rank and rank_of(t) and not _is_of_shape(t, out)
    return like(reapply("broadcast", t, out)[0] if is_stretched else t, out)


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
    "NoDerivativeError",
    "NoRuleError",
    "NotKnownError",
    "Rule",
    "add_up",
    "call",
    "defrule",
    "flat",
    "flows",
    "is_complex",
    "is_python",
    "is_traced",
    "kind_of",
    "known",
    "like",
    "linear",
    "mixed_rule",
    "mixed_terms",
    "no_rule",
    "pointwise",
    "rank_of",
    "reapply",
    "spread",
    "strong",
    "sum_to",
    "terms",
    "wants",
    "where",
    "zeros_like",
]
