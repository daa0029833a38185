"""The rules of the operators on values whose type depends on the path that was taken.

The formulas are those of Python's operators, which find their meaning at run time as well. Of a
value that is no number, nothing is known here: an operator on tuples, lists or dicts has no
derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import PythonType, ScalarType, TensorType, members_of
from staticpy.ops.rules.arrays import always_array, as_wide_array, fit
from staticpy.ops.rules.base import (
    NoDerivativeError,
    Term,
    defrule,
    flat,
    flows,
    is_complex,
    is_traced,
    like,
    mixed_rule,
    rank_of,
    reapply,
)
from staticpy.ops.rules.python_numbers import ARITHMETIC, divmod_rule


def _require_numbers(operands: tuple[Any, ...]) -> None:
    for operand in operands:
        if is_traced(operand):
            types = members_of(operand.type)
            fits = all(isinstance(type_, PythonType | ScalarType | TensorType) for type_ in types)
        else:
            fits = not isinstance(operand, tuple | list | dict)
        if not fits:
            raise NoDerivativeError("operators on containers have no derivative")


def _of_numbers(name: str, *by: Term) -> None:
    """As ``mixed_rule``, where all operands are numbers or arrays.

    The rule raises NoDerivativeError for others, and where a formula calls a function of NumPy on a
    value of several types.
    """
    rule = mixed_rule(*by)
    defrule(name, _checked(name, rule.vjp), _checked(name, rule.jvp))


def _checked(name: str, rule: Callable[..., Any] | None) -> Callable[..., Any]:
    assert rule is not None

    def checked(flowing: Any, out: Any, *operands: Any) -> Any:
        _require_numbers(operands)
        try:
            return rule(flowing, out, *operands)
        except DiagnosticError as error:
            reason = f"{name} has no derivative for operands of several types: {error}"
            raise NoDerivativeError(reason) from error

    return checked


def _direction(t: Any, out: Any, x: Any) -> Any:
    along = x.conjugate() if is_complex(x) else x
    return t * (along / (out + (out == 0)))


for _name, _terms in ARITHMETIC.items():
    _of_numbers(f"any.{_name}", *_terms)
_of_numbers("any.abs", _direction)
divmod_rule("any.divmod")


def _narrow_vjp(g: Any, _out: Any, x: Any, **_: Any) -> tuple[Any]:
    if not flows(x):
        return (None,)
    is_one = is_traced(x) and always_array(x.type)
    return (as_wide_array(g, x.type) if is_one else g,)


def _narrow_jvp(tangents: Any, out: Any, _x: Any, *, type: Any, **_: Any) -> Any:  # noqa: A002
    (t,) = tangents
    if not flows(out):
        return None
    return t if is_traced(t) and t.type == type else reapply("any.narrow", t, type=type)


defrule("any.narrow", _narrow_vjp, _narrow_jvp)
defrule("any.inexact", _narrow_vjp, _narrow_jvp)


def _real_as_vjp(g: Any, _out: Any, x: Any, _like: Any) -> tuple[Any, None]:
    is_one = is_traced(g) and always_array(g.type)
    if is_one or not is_traced(g) or rank_of(g):
        return fit(as_wide_array(g, g.type) if is_one else g, x), None
    return like(g, x), None


def _real_as_jvp(tangents: Any, _out: Any, _x: Any, other: Any) -> Any:
    return None if tangents[0] is None else reapply("any.real_as", tangents[0], other)


defrule("any.real_as", _real_as_vjp, _real_as_jvp)

flat("any.floordiv", "any.is")
flat("any.eq", "any.ne", "any.lt", "any.le", "any.gt", "any.ge")
flat("any.and", "any.or", "any.xor", "any.invert", "any.lshift", "any.rshift")
