"""Methods and items of strings that are made at run time.

%t = str.call %s, %width {method = "rjust"} : str
%c = str.getitem %s, %i : str

A string never changes, so nothing here writes; what a method can't do raises as Python does.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from staticpy.ir import BOOL, INT, NONE, STR, ListType, TupleType, Type
from staticpy.ops.containers import invalid, require_bounds, require_index
from staticpy.ops.opdef import Attrs, Effect, defop

_OF_TYPE: dict[Type, str] = {
    STR: "capitalize casefold center expandtabs join ljust lower lstrip removeprefix removesuffix "
    "replace rjust rstrip strip swapcase title upper zfill",
    BOOL: "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
    "isprintable isspace istitle isupper startswith",
    INT: "count find index rfind rindex",
    ListType(STR): "rsplit split splitlines",
    TupleType((STR, STR, STR)): "partition rpartition",
}
STRING_METHODS: dict[str, Type] = {
    name: type_ for type_, names in _OF_TYPE.items() for name in names.split()
}
"""The methods of a str, each with the type of its result."""


def _require_text(*types: Type) -> None:
    if any(type_ != STR for type_ in types):
        raise invalid(f"strings are due, not {', '.join(map(str, types))}")


def _infer_call(text: Type, *_: Type, method: str) -> Type:
    _require_text(text)
    if method not in STRING_METHODS:
        raise invalid(f"a str has no method {method!r} here")
    return STRING_METHODS[method]


def _call(text: str, *args: Any, method: str) -> Any:
    return getattr(text, method)(*args)


def _call_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    return Effect.NONE if len(operands) == 1 else Effect.RAISES


def _call_samples(_: Any) -> Any:
    for method in ("upper", "split", "isdigit", "strip"):
        yield (" 1a b ",), {"method": method}
    yield (", ", ["a", "b"]), {"method": "join"}
    yield (", ", ("a", "b")), {"method": "join"}
    yield (", ", [1]), {"method": "join"}
    yield ("7", 3), {"method": "zfill"}
    yield ("a-b-c", "-"), {"method": "rpartition"}
    yield ("ab", "c"), {"method": "index"}
    yield ("ab", ("b", "c")), {"method": "endswith"}


call = defop(
    "str.call", infer=_infer_call, kernel=_call, effects=_call_effects, samples=_call_samples
)
"""``text.method(*args)``."""


def _infer_repeat(text: Type, count: Type) -> Type:
    _require_text(text)
    require_index(count)
    return STR


repeat = defop(
    "str.repeat",
    infer=_infer_repeat,
    kernel=operator.mul,
    effects=Effect.RAISES,
    symbol="*",
    samples=lambda _: [(("ab", 3), {}), (("ab", -1), {}), (("", True), {})],
)
"""``text * count``."""


def _infer_getitem(text: Type, index: Type) -> Type:
    _require_text(text)
    require_index(index)
    return STR


getitem = defop(
    "str.getitem",
    infer=_infer_getitem,
    kernel=operator.getitem,
    effects=Effect.RAISES,
    samples=lambda _: [(("ab", 1), {}), (("ab", -2), {}), (("ab", 2), {})],
)
"""``text[i]``; IndexError."""


def _infer_getslice(text: Type, *bounds: Type) -> Type:
    _require_text(text)
    require_bounds(*bounds)
    return STR


def _getslice(text: str, start: Any, stop: Any, step: Any) -> str:
    return text[start:stop:step]


def _slice_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    return Effect.NONE if operands[-1] == NONE else Effect.RAISES


getslice = defop(
    "str.getslice",
    infer=_infer_getslice,
    kernel=_getslice,
    effects=_slice_effects,
    samples=lambda _: [
        (("abcd", *bounds), {})
        for bounds in ((1, None, None), (None, -1, None), (3, 0, -2), (0, 1, 0))
    ],
)
"""``text[start:stop:step]``."""


def _infer_contains(text: Type, part: Type) -> Type:
    _require_text(text, part)
    return BOOL


contains = defop(
    "str.contains",
    infer=_infer_contains,
    kernel=operator.contains,
    samples=lambda _: [(("abc", "bc"), {}), (("abc", "ca"), {}), (("", ""), {})],
)
"""``part in text``."""


def _infer_items(text: Type) -> Type:
    _require_text(text)
    return ListType(STR)


items = defop(
    "str.items",
    infer=_infer_items,
    kernel=list,
    samples=lambda _: [(("ab",), {}), (("",), {}), (("é",), {})],
)
"""``list(text)``: its characters."""
