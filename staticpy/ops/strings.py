"""Strings that are made at run time: f-strings, ``str`` and ``repr``.

%s = str.format %i, %x, %width {parts = ("item ", ("", ""), ": ", ("r", (("", ""), ".3f")))} : str

is ``f"item {i}: {x!r:{width}.3f}"``. A part is a text, or a field: a conversion ("", "s", "r" or
"a") and a format spec, which is a text or again a tuple of parts. Each field takes the next
operand, first its value and then those of its spec.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from staticpy.ir import BOOL, COMPLEX, FLOAT, INT, STR, PythonType, Type
from staticpy.ops.containers import invalid, is_python, parts_of_type, require_index, user_effects
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop

Spec = str | tuple[Any, ...]
Part = str | tuple[str, Spec]

_CONVERSIONS: dict[str, Any] = {"": lambda value: value, "s": str, "r": repr, "a": ascii}
_SURE = ("bool", "float", "complex", "str", "None")


def _count(parts: tuple[Part, ...]) -> int:
    """The number of operands that the fields of ``parts`` take."""
    number = 0
    for part in parts:
        if isinstance(part, str):
            continue
        conversion, spec = part
        if conversion not in _CONVERSIONS:
            raise invalid(f"{conversion!r} is no conversion")
        number += 1 + (0 if isinstance(spec, str) else _count(spec))
    return number


def _infer_format(*operands: Type, parts: tuple[Part, ...]) -> Type:
    if _count(parts) != len(operands):
        raise invalid("an f-string takes one operand for each field")
    return STR


def _formatted(operands: Iterator[Any], parts: tuple[Part, ...]) -> str:
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        conversion, spec = part
        value = _CONVERSIONS[conversion](next(operands))
        known = spec if isinstance(spec, str) else _formatted(operands, spec)
        texts.append(format(value, known))
    return "".join(texts)


def _format(*operands: Any, parts: tuple[Part, ...]) -> str:
    return _formatted(iter(operands), parts)


def _text_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    """``str`` of an int of thousands of digits raises ValueError."""
    parts = [part for operand in operands for part in parts_of_type(operand)]
    is_sure = all(is_python(part, *_SURE) for part in parts)
    return user_effects(operands) | (Effect.NONE if is_sure else Effect.RAISES)


def _format_effects(operands: Sequence[Type], attrs: Attrs) -> Effect:
    effects = _text_effects(operands, attrs)
    is_plain = all(isinstance(part, str) or part[1] == "" for part in attrs["parts"])
    return effects if is_plain else effects | Effect.RAISES


def _format_samples(_: Any) -> Any:
    plain = ("", "")
    for value in (True, -3, 2.5, 1 - 2j, None, "a'b", np.float32(1.5), np.arange(3)):
        yield (value,), {"parts": ("[", plain, "]")}
        yield (value,), {"parts": (("r", ""), "\n\\{}\"'")}
        yield (value,), {"parts": (("", ".3f"),)}
    yield (2.5, 8, 3, "text"), {"parts": (("", (plain, ".", plain, "f")), ("s", "'>9"))}
    yield ((1, "é"), [2.5]), {"parts": (("a", ">20"), plain)}
    yield (), {"parts": ("no field {}",)}
    yield (), {"parts": ()}


str_format = defop(
    "str.format",
    infer=_infer_format,
    kernel=_format,
    effects=_format_effects,
    samples=_format_samples,
)
"""An f-string."""


def _text_samples(_: Any) -> Any:
    for value in (True, 7, 2.5, None, "a'b\n", np.float64(1), np.arange(3), (1, "a"), [2.5]):
        yield (value,), {}


def _conversion(name: str, kernel: Any) -> OpDef:
    return defop(
        f"str.{name}",
        infer=lambda _: STR,
        kernel=kernel,
        effects=_text_effects,
        samples=_text_samples,
    )


str_ = _conversion("str", str)
repr_ = _conversion("repr", repr)
"""``repr(x)``."""


def _require_text(*types: Type) -> None:
    if any(type_ != STR for type_ in types):
        raise invalid(f"strings are due, not {', '.join(map(str, types))}")


def _rule(result: PythonType) -> Any:
    def infer(*operands: Type) -> Type:
        _require_text(*operands)
        return result

    return infer


def _pairs(_: Any) -> Any:
    yield ("ab", "c"), {}
    yield ("ab", "ab"), {}
    yield ("", "é"), {}


concat = defop("str.concat", infer=_rule(STR), kernel=operator.add, symbol="+", samples=_pairs)
"""``a + b``."""


def _infer_percent(template: Type, _: Type) -> Type:
    _require_text(template)
    return STR


def _percent_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    return user_effects(operands) | Effect.RAISES


def _percent_samples(_: Any) -> Any:
    yield ("%d", 3), {}
    yield ("%5.2f|%-5s|%r", (2.5, "a", None)), {}
    yield ("%s", np.arange(3)), {}
    yield ("%s", [1, 2]), {}
    yield ("%(a)s", {"a": 2.5}), {}
    yield ("%d %d", (1,)), {}


percent = defop(
    "str.percent",
    infer=_infer_percent,
    kernel=operator.mod,
    effects=_percent_effects,
    symbol="%",
    samples=_percent_samples,
)
"""``template % right``."""

eq = defop("str.eq", infer=_rule(BOOL), kernel=operator.eq, symbol="==", samples=_pairs)
"""``a == b``."""

length = defop(
    "str.len", infer=_rule(INT), kernel=len, samples=lambda _: [(("ab",), {}), (("é",), {})]
)
"""``len(s)``."""


# --- numbers --------------------------------------------------------------------------------------


def _infer_number(type_: Type) -> Any:
    def infer(text: Type, *base: Type) -> Type:
        _require_text(text)
        require_index(*base)
        return type_

    return infer


def _number_samples(_: Any) -> Any:
    for text in ("12", " -7 ", "1_000", "0.5e3", "nan", "1+2j", "", "x", "١٢"):
        yield (text,), {}


def _based_samples(_: Any) -> Any:
    yield from _number_samples(_)
    for base in (0, 2, 16, 37):
        yield ("0x1f", base), {}


to_int = defop(
    "str.int",
    infer=_infer_number(INT),
    kernel=int,
    effects=Effect.RAISES,
    samples=_based_samples,
)
"""``int(text)`` or ``int(text, base)``; ValueError."""

to_float = defop(
    "str.float",
    infer=_infer_number(FLOAT),
    kernel=float,
    effects=Effect.RAISES,
    samples=_number_samples,
)
"""``float(text)``; ValueError."""

to_complex = defop(
    "str.complex",
    infer=_infer_number(COMPLEX),
    kernel=complex,
    effects=Effect.RAISES,
    samples=_number_samples,
)
"""``complex(text)``; ValueError."""
