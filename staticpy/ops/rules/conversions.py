"""The rules of what changes the box, the dtype or the shape of numbers, and not their value.

What goes to an int, a bool or a truth value is constant but for jumps: nothing flows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.base import (
    defrule,
    flat,
    flows,
    like,
    linear,
    mixed_terms,
    no_rule,
    reapply,
    spread,
    sum_to,
    wants,
)


def _conversion(name: str) -> None:
    """An op that takes a number, or an array of one, to another type."""

    def vjp(g: Any, _out: Any, x: Any, **_: Any) -> tuple[Any]:
        return (like(g, x) if wants(x) else None,)

    def jvp(tangents: Any, out: Any, _x: Any, **_: Any) -> Any:
        return like(tangents[0], out) if flows(out) else None

    defrule(name, vjp, jvp)


for _name in ("from_python", "unbox", "cast", "convert", "item", "py.float", "py.complex"):
    _conversion(_name)
for _name in ("astype", "astype.itself", "asarray"):
    _conversion(_name)
no_rule("bytes in another order are other numbers", "byteswap")

flat("truth", "py.bool", "py.int", "flag", "stride")


def _times_i(t: Any, *_: Any) -> Any:
    return 1j * t


mixed_terms("py.complex_of", lambda t, *_: t, _times_i)


def _broadcast_vjp(g: Any, _out: Any, *operands: Any) -> tuple[Any, ...]:
    pairs = zip(g, operands, strict=True)
    return tuple(sum_to(t, x) if t is not None and wants(x) else None for t, x in pairs)


def _broadcast_jvp(tangents: Any, _out: Any, *operands: Any) -> tuple[Any, ...]:
    # An operand without a tangent still has a part in the shape.
    given = [x if t is None else t for t, x in zip(tangents, operands, strict=True)]
    found = reapply("broadcast", *given)
    return tuple(None if t is None else each for t, each in zip(tangents, found, strict=True))


defrule("broadcast", _broadcast_vjp, _broadcast_jvp)
defrule("broadcast_arrays", _broadcast_vjp, _broadcast_jvp)


def _front_vjp(g: Any, _out: Any, x: Any, **_: Any) -> tuple[Any]:
    return (like(np.reshape(g, x.shape), x),)


linear("array.ndmin", _front_vjp)


def _sum_to_vjp(g: Any, _out: Any, stretched: Any, like: Any) -> tuple[Any, None]:
    return spread(g, stretched), None


def _sum_to_jvp(tangents: Any, _out: Any, _stretched: Any, like: Any) -> Any:
    return None if tangents[0] is None else sum_to(tangents[0], like)


defrule("sum_to", _sum_to_vjp, _sum_to_jvp)
