"""The rule of ``call_ufunc``, which is that of the elementwise op on operands as NumPy takes them.

Where a mask leaves a result out, nothing flows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.rules.base import (
    RULES,
    NoDerivativeError,
    Rule,
    defrule,
    flows,
    like,
    spread,
    strong,
    wants,
    where,
)


def _rule_of(function: str) -> Rule:
    rule = RULES[UFUNC_OPS[getattr(np, function)].name]
    if rule.reason:
        raise NoDerivativeError(rule.reason)
    return rule


def _strong(x: Any) -> Any:
    return strong(x) if flows(x) else x


def _split(operands: tuple[Any, ...], keywords: tuple[str, ...]) -> tuple[tuple[Any, ...], Any]:
    """The operands of the ufunc, and the mask or None."""
    count = len(operands) - len(keywords)
    masks = dict(zip(keywords, operands[count:], strict=True))
    return operands[:count], masks.get("where")


def _masked(t: Any, mask: Any) -> Any:
    return t if mask is None else where(mask, t, 0)


def _vjp(
    g: Any, out: Any, /, *operands: Any, function: str, keywords: tuple[str, ...] = (), **_: Any
) -> tuple[Any, ...]:
    given, mask = _split(operands, keywords)
    rule = _rule_of(function)
    assert rule.vjp is not None
    pairs = zip(rule.vjp(g, out, *map(_strong, given)), given, strict=True)
    found = [like(_masked(t, mask), x) if t is not None and wants(x) else None for t, x in pairs]
    return (*found, *[None] * len(keywords))


def _jvp(
    tangents: Any,
    out: Any,
    /,
    *operands: Any,
    function: str,
    keywords: tuple[str, ...] = (),
    **_: Any,
) -> Any:
    given, mask = _split(operands, keywords)
    moving = [None if t is None else _strong(t) for t in tangents[: len(given)]]
    rule = _rule_of(function)
    if all(t is None for t in moving):
        return None
    assert rule.jvp is not None
    found = rule.jvp(moving, out, *map(_strong, given))
    if isinstance(out, tuple) and found is not None:
        pairs = zip(found, out, strict=True)
        return tuple(None if t is None else _spread(t, each, mask) for t, each in pairs)
    return None if found is None else _spread(found, out, mask)


def _spread(t: Any, out: Any, mask: Any) -> Any:
    return spread(_masked(t, mask), out)


defrule("call_ufunc", _vjp, _jvp)
