"""The functions of ``operator`` as adapters: each is the operator that it is named after.

In: Values and compile-time numbers. Out: what the operator gives. ``SYMBOLS`` tells the frontend
which operator that is, for operands whose operators it knows itself: tuples, lists, objects.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from staticpy.ir import TensorType, Type, Value
from staticpy.ops.builtin_functions import abs_
from staticpy.ops.index_functions import getitem
from staticpy.ops.math_functions import apply_function, check_types, refusal
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.operators import binary, compare, in_place, unary
from staticpy.ops.probe import probe
from staticpy.ops.python_functions import truth
from staticpy.ops.python_scalars import apply_scalar, not_

Adapter = Callable[..., Any]

SYMBOLS: dict[Callable[..., Any], tuple[str, str]] = {
    operator.add: ("binary", "+"),
    operator.sub: ("binary", "-"),
    operator.mul: ("binary", "*"),
    operator.truediv: ("binary", "/"),
    operator.floordiv: ("binary", "//"),
    operator.mod: ("binary", "%"),
    operator.pow: ("binary", "**"),
    operator.matmul: ("binary", "@"),
    operator.lshift: ("binary", "<<"),
    operator.rshift: ("binary", ">>"),
    operator.and_: ("binary", "&"),
    operator.or_: ("binary", "|"),
    operator.xor: ("binary", "^"),
    operator.iadd: ("in_place", "+"),
    operator.isub: ("in_place", "-"),
    operator.imul: ("in_place", "*"),
    operator.itruediv: ("in_place", "/"),
    operator.ifloordiv: ("in_place", "//"),
    operator.imod: ("in_place", "%"),
    operator.ipow: ("in_place", "**"),
    operator.ilshift: ("in_place", "<<"),
    operator.irshift: ("in_place", ">>"),
    operator.iand: ("in_place", "&"),
    operator.ior: ("in_place", "|"),
    operator.ixor: ("in_place", "^"),
    operator.lt: ("compare", "<"),
    operator.le: ("compare", "<="),
    operator.gt: ("compare", ">"),
    operator.ge: ("compare", ">="),
    operator.eq: ("compare", "=="),
    operator.ne: ("compare", "!="),
    operator.neg: ("unary", "-"),
    operator.pos: ("unary", "+"),
    operator.invert: ("unary", "~"),
}
"""Which operator a function of ``operator`` is: its kind and its symbol."""


def _in_place(symbol: str, left: Any, right: Any) -> Any:
    """``left <symbol>= right``, which writes into an array and makes any other operand anew."""
    if isinstance(left, Value) and isinstance(left.type, TensorType):
        return in_place(symbol, left, right)
    return binary(symbol, left, right)


_APPLY: dict[str, Adapter] = {
    "binary": binary,
    "in_place": _in_place,
    "compare": compare,
    "unary": unary,
}


def _adapter_of(kind: str, symbol: str) -> Adapter:
    apply = _APPLY[kind]

    def of_one(a: Any, /) -> Any:
        return apply(symbol, a)

    def of_two(a: Any, b: Any, /) -> Any:
        return apply(symbol, a, b)

    return of_one if kind == "unary" else of_two


def not_function(a: Any, /) -> Any:
    """``operator.not_(a)``."""
    return apply_scalar(not_, truth(a))


def getitem_function(a: Any, b: Any, /) -> Any:
    """``operator.getitem(a, b)`` of an array, or of a compile-time structure at a static key."""
    if isinstance(a, Value):
        return getitem(a, b)
    if isinstance(b, Value) or not isinstance(a, tuple | list | dict | str | bytes | range):
        raise refusal("operator.getitem", a, b)
    return a[b]


def _infer_index(operand: Type) -> Type:
    check_types("operator.index", operator.index, (operand,))
    (found,) = probe("operator.index()", operator.index, (operand,), {})
    return found


index_ = defop(
    "py.index",
    infer=_infer_index,
    kernel=operator.index,
    effects=Effect.RAISES,
    samples=lambda rng: [((value,), {}) for value in (True, -3, *rng.integers(0, 9, 2))],
)
"""``operator.index(x)``: the int that an integer of any box is."""


def index_function(a: Any, /) -> Any:
    """``operator.index(a)``."""
    return apply_function(index_, a)


def truth_function(a: Any, /) -> Any:
    """``operator.truth(a)``."""
    return truth(a)


ADAPTERS: dict[Any, Adapter] = {
    **{function: _adapter_of(*row) for function, row in SYMBOLS.items()},
    operator.abs: abs_,
    operator.not_: not_function,
    operator.truth: truth_function,
    operator.index: index_function,
    operator.getitem: getitem_function,
}
"""The adapter of each function of ``operator``, by the function itself."""
