"""The rules of Python's operators and functions on its own numbers.

Where Python would divide by zero, as in ``x ** 0.5`` at 0, NumPy computes: a derivative is inf
there, and no exception. ``abs`` at 0 has the derivative 0. ``min`` and ``max`` give all to the
operand that they return, which is the first one of equal ones. ``//``, ``round`` and comparisons
are constant but for jumps, and what is made of ints, bools or texts has no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops.rules.base import (
    Term,
    add_up,
    call,
    defrule,
    flat,
    flows,
    is_complex,
    is_python,
    kind_of,
    known,
    like,
    mixed_terms,
    rank_of,
    wants,
)


def _same(t: Any, *_: Any) -> Any:
    return t


def _times_left(t: Any, _out: Any, x: Any, _y: Any) -> Any:
    return t * x


def _times_right(t: Any, _out: Any, _x: Any, y: Any) -> Any:
    return t * y


def _by_divisor(t: Any, out: Any, _x: Any, y: Any) -> Any:
    return -(t / y * out)


def _by_modulus(t: Any, _out: Any, x: Any, y: Any) -> Any:
    return -(t * (x // y))


# --- powers ---------------------------------------------------------------------------------------


def _base(out: Any, x: Any) -> Any:
    """``x`` as NumPy must get it: a negative number has a complex power, an int may be long."""
    if is_python(x) and not is_complex(x):
        x = call(float, x)
    return x + 0j if is_complex(out) else x


def by_base(t: Any, out: Any, x: Any, y: Any) -> Any:
    """``x ** y`` by ``x``, which is 0 where ``y`` is 0."""
    exponent = known(y)
    if type(exponent) is int:
        y = exponent
        if y in (1, 2):
            return t if y == 1 else t * (2 * x)
    y = y * 1 if kind_of(y) == "b" else y
    return t * (y * _power(_base(out, x), y - (y != 0)))


def _power(x: Any, y: Any) -> Any:
    # Python raises for 0.0 ** -0.5, to which a whole exponent does not lead.
    return np.power(x, y) if is_python(x) and is_python(y) and flows(y) else x**y


def by_exponent(t: Any, out: Any, x: Any, _y: Any) -> Any:
    """``x ** y`` by ``y``, which is 0 where ``x`` is 0."""
    return t * (np.log(_base(out, x) + (x == 0)) * out)


POWER: tuple[Term, Term] = (by_base, by_exponent)

# --- arithmetic -----------------------------------------------------------------------------------

ARITHMETIC: dict[str, tuple[Term, ...]] = {
    "add": (_same, _same),
    "sub": (_same, lambda t, *_: -t),
    "mul": (_times_right, _times_left),
    "truediv": (lambda t, _out, _x, y: t / y, _by_divisor),
    "mod": (_same, _by_modulus),
    "pow": POWER,
    "neg": (lambda t, *_: -t,),
    "pos": (_same,),
}
"""The terms of Python's operators, whatever the box of the operands."""

for _name, _terms in ARITHMETIC.items():
    mixed_terms(f"py.{_name}", *_terms)
mixed_terms("pow", *POWER)
mixed_terms("py.sum", _same)
flat("py.floordiv")


def divmod_rule(name: str) -> None:
    """The rule of an op with the results of ``divmod``, of which the first one is constant."""

    def vjp(g: Any, out: Any, x: Any, y: Any) -> tuple[Any, Any]:
        t = g[1]
        if t is None:
            return None, None
        return (like(t, x) if wants(x) else None, like(-t * out[0], y) if wants(y) else None)

    def jvp(tangents: Any, out: Any, _x: Any, _y: Any) -> tuple[None, Any]:
        by_x, by_y = tangents
        if by_y is None:
            return None, like(by_x, out[1])
        scaled = -by_y * out[0]
        return None, like(scaled if by_x is None else by_x + scaled, out[1])

    defrule(name, vjp, jvp)


divmod_rule("py.divmod")

# --- parts ----------------------------------------------------------------------------------------


def _direction(out: Any, x: Any) -> Any:
    """What a tangent of ``x`` is multiplied by, of which ``abs(x)`` takes the real part."""
    if is_complex(x):
        return x.conjugate() / (out + (out == 0))
    return (x > 0) - (x < 0) if is_python(x) else np.sign(x)


def _conjugate(t: Any, *_: Any) -> Any:
    return t.conjugate() if is_complex(t) else t


def _imag(t: Any, _out: Any, x: Any) -> Any:
    # The imaginary part of t is the real part of -1j * t.
    return -1j * t if is_complex(x) else 0.0 * t


mixed_terms("py.abs", lambda t, out, x: t * _direction(out, x))
mixed_terms("py.real", _same)
mixed_terms("py.imag", _imag)
mixed_terms("py.conjugate", _conjugate)

# --- min, max -------------------------------------------------------------------------------------


def _chosen(out: Any, operands: tuple[Any, ...]) -> list[Any]:
    """For each operand, or element of the only one, whether it is the one that is returned: the
    first equal one, or the first of all if that is NaN.
    """
    if len(operands) == 1 and rank_of(operands[0]):
        is_out = (operands[0] == out) | (out != out)  # noqa: PLR0124
        return [is_out & (np.cumsum(is_out) == 1)]
    found: list[Any] = []
    is_left: Any = None
    for x in operands[:-1]:
        is_out = (x == out) if found else (x == out) | (out != out)  # noqa: PLR0124
        is_other = is_out == False  # noqa: E712
        found.append(is_out & is_left if found else is_out)
        is_left = is_other & is_left if len(found) > 1 else is_other
    return [*found, is_left]


def _selection(name: str) -> None:
    def vjp(g: Any, out: Any, *operands: Any) -> tuple[Any, ...]:
        chosen = _chosen(out, operands)
        pairs = zip(chosen, operands, strict=True)
        return tuple(like(g * each, x) if wants(x) else None for each, x in pairs)

    def jvp(tangents: Any, out: Any, *operands: Any) -> Any:
        if not flows(out):
            return None
        pairs = zip(tangents, _chosen(out, operands), strict=True)
        return like(add_up([t * each for t, each in pairs if t is not None]), out)

    defrule(name, vjp, jvp)


_selection("py.min")
_selection("py.max")

# --- without a derivative -------------------------------------------------------------------------

flat("py.round")
flat("py.eq", "py.ne", "py.lt", "py.le", "py.gt", "py.ge", "py.not")
flat("py.and", "py.or", "py.xor", "py.invert", "py.lshift", "py.rshift", "py.pow_mod", "py.index")
flat("py.bin", "py.hex", "py.oct", "py.chr", "py.ord")

# --- methods --------------------------------------------------------------------------------------

_METHODS: dict[str, Term] = {
    "__neg__": lambda t, *_: -t,
    "__pos__": _same,
    "__float__": _same,
    "__complex__": _same,
    "__abs__": lambda t, out, x: t * _direction(out, x),
}
"""The methods that give floats; all others give ints, bools or texts."""


def _method_vjp(g: Any, out: Any, x: Any, *, name: str) -> tuple[Any]:
    term = _METHODS.get(name)
    return (like(term(g, out, x), x) if term is not None and flows(x) else None,)


def _method_jvp(tangents: Any, out: Any, x: Any, *, name: str) -> Any:
    term = _METHODS.get(name)
    return None if term is None else like(term(tangents[0], out, x), out)


defrule("number.method", _method_vjp, _method_jvp)
flat("number.attribute")
