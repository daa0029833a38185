"""Methods and attributes of numbers: ``n.bit_length()``, ``x.as_integer_ratio()``, ``n.numerator``.

In: a Python number, known now or at run time, or a NumPy scalar. Out: what its own class gives;
NumPy and Python are asked for the types, so that each box has what its class has, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PYTHON_TYPES, ScalarType, Type, Value
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter, describe
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe, sample_of

_METHODS = ("bit_length", "bit_count", "as_integer_ratio", "is_integer", "hex")
_UNARY = ("index", "int", "float", "complex", "abs", "neg", "pos", "invert", "bool", "trunc")
_ATTRIBUTES = ("numerator", "denominator")
_RAISING = ("as_integer_ratio", "__int__", "__trunc__", "__floor__", "__ceil__", "__float__")
"""Methods that have no answer for inf and nan, or for an int that no float can hold."""


def has_attribute(type_: Type, name: str) -> bool:
    """Whether numbers of this box have an attribute of this name."""
    is_number = isinstance(type_, ScalarType) or type_ in PYTHON_TYPES.values()
    return is_number and hasattr(sample_of(type_), name)


def _check(name: str, operand: Any) -> None:
    type_ = operand.type if isinstance(operand, Value) else PYTHON_TYPES[type(operand)]
    if not has_attribute(type_, name):
        raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name=name, type=describe(operand))


# --- ops ------------------------------------------------------------------------------------------


def _call(number: Any, *, name: str) -> Any:
    return getattr(number, name)()


def _infer_call(number: Type, *, name: str) -> tuple[Type, ...]:
    return probe(f"{name}()", _call, (number,), {"name": name})


def _call_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    effects = Effect.WARNS if isinstance(operands[0], ScalarType) else Effect.NONE
    return effects | Effect.RAISES if attrs["name"] in _RAISING else effects


def _call_samples(_: Any) -> Any:
    for value in (True, 3, -7, 2**80):
        yield (value,), {"name": "bit_length"}
        yield (value,), {"name": "__index__"}
        yield (value,), {"name": "as_integer_ratio"}
    for real in (2.5, -0.0, float("inf")):
        yield (real,), {"name": "hex"}
        yield (real,), {"name": "as_integer_ratio"}
        yield (real,), {"name": "is_integer"}
        yield (real,), {"name": "__trunc__"}


method = defop(
    "number.method",
    infer=_infer_call,
    kernel=_call,
    effects=_call_effects,
    samples=_call_samples,
)
"""``number.name()``; two results for ``as_integer_ratio``."""


def _get(number: Any, *, name: str) -> Any:
    return getattr(number, name)


def _infer_get(number: Type, *, name: str) -> tuple[Type, ...]:
    return probe(name, _get, (number,), {"name": name})


attribute = defop(
    "number.attribute",
    infer=_infer_get,
    kernel=_get,
    samples=lambda _: [((value,), {"name": name}) for value in (True, 5) for name in _ATTRIBUTES],
)
"""``number.name``."""


# --- texts ---------------------------------------------------------------------------------------


def _text_op(function: Any, samples: tuple[Any, ...]) -> OpDef:
    """The op of a builtin function between an int and its text."""

    def infer(operand: Type) -> tuple[Type, ...]:
        return probe(f"{function.__name__}()", function, (operand,), {})

    return defop(
        f"py.{function.__name__}",
        infer=infer,
        kernel=function,
        effects=Effect.RAISES,
        samples=lambda _: [((value,), {}) for value in samples],
    )


_INTS = (5, -7, True, 2**70, np.int8(3))
_TEXTS: dict[Any, OpDef] = {
    bin: _text_op(bin, _INTS),
    hex: _text_op(hex, _INTS),
    oct: _text_op(oct, _INTS),
    chr: _text_op(chr, (65, 0x20AC, -1)),
    ord: _text_op(ord, ("a", "ab")),
}


def _text_adapter(function: Any, op: OpDef) -> Callable[..., Any]:
    def call(x: Any, /) -> Any:
        return emit(op, x)

    call.__name__ = function.__name__
    return call


BUILTINS: dict[Any, Callable[..., Any]] = {
    function: _text_adapter(function, op) for function, op in _TEXTS.items()
}
"""``bin``, ``hex``, ``oct``, ``chr`` and ``ord`` of what is known at run time only."""


# --- adapters -------------------------------------------------------------------------------------


def _static(op: OpDef, operand: Any, name: str) -> Any:
    """What a number that is known gives; what raises is left to the run."""
    assert op.kernel is not None
    try:
        return op.kernel(operand, name=name)
    except (ArithmeticError, ValueError):
        return emit(op, operand, name=name)


def number_method(name: str) -> Callable[..., Any]:
    """The adapter of a method without arguments."""

    @adapter(name)
    def call(x: Any) -> Any:
        _check(name, x)
        if not isinstance(x, Value):
            return _static(method, x, name)
        found = emit(method, x, name=name)
        return tuple(found) if isinstance(found, tuple | list) else found

    return call


def number_attribute(name: str) -> Callable[..., Any]:
    """The adapter of an attribute; it gets the number."""

    def get(x: Any) -> Any:
        _check(name, x)
        return emit(attribute, x, name=name) if isinstance(x, Value) else getattr(x, name)

    return get


_SPECIAL = (*(f"__{name}__" for name in _UNARY), "__floor__", "__ceil__")

METHODS: dict[str, Callable[..., Any]] = {
    name: number_method(name) for name in (*_METHODS, *_SPECIAL)
}
"""The methods by name."""

ATTRIBUTES: dict[str, Callable[..., Any]] = {name: number_attribute(name) for name in _ATTRIBUTES}
"""The attributes by name."""
