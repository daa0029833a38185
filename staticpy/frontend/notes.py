"""What lowering found out, line by line, for ``staticpy.explain``.

In: while a function is lowered, what it learns of a place: what a variable holds, which way a test
goes, whether a loop is kept. Out: Notes, which ``listing`` writes beside the source.

A loop is lowered several times until its types are found, and a piece of the program may be tried
in a form that fails: ``mark`` and ``rollback`` forget what such a try has noted. A function of the
graph of its own is lowered once for all of its calls, so its notes (``apart``) outlive the try in
which it was met.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    DEAD,
    PENDING,
    POISON,
    BoundFunction,
    Closure,
    Conflict,
    ObjectRef,
    RangeIterable,
    Ref,
    UserFunction,
    is_scalar,
)
from staticpy.ir import Module, ShapeFacts, Type, Value
from staticpy.source import SourceSpan

COMPILE_TIME: Final = "compile-time"
RUN_TIME: Final = "run-time"
FOLDED: Final = "folded"
UNROLLED: Final = "unrolled"
LOOP: Final = "loop"
CALL: Final = "call"
IN_PLACE: Final = "in place"
KINDS: Final = (COMPILE_TIME, RUN_TIME, FOLDED, UNROLLED, LOOP, CALL, IN_PLACE)
"""Every kind of note."""

_NOTHING = (ABSENT, DEAD, PENDING, POISON)
_MOST_ITEMS = 4
_LONGEST_TEXT = 32
_DEEPEST = 3

Pieces = tuple[str | Type, ...]
"""A description in the making: its types get their sizes when the whole function is known."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that is known of a line.

    Attributes:
        span: the place in the user's source.
        kind: one of KINDS.
        subject: what it is about: a variable, a function, ``for``, ``if``; "" for what is returned.
        text: the value, the type, ``true`` or ``false``, the number of rounds; "" if that is all.
    """

    span: SourceSpan
    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class _Draft:
    span: SourceSpan
    kind: str
    subject: str
    pieces: Pieces


@dataclass(slots=True)
class Notes:
    """The notes of one compilation. ``heap`` holds the content of the Refs."""

    heap: Mapping[Any, Any]
    _drafts: list[_Draft] = field(default_factory=list)
    _apart: dict[str, list[_Draft]] = field(default_factory=dict)

    # --- what is noted ----------------------------------------------------------------------------

    def assigned(self, span: SourceSpan, name: str, value: Any) -> None:
        """A variable, parameter or ``name.attribute`` holds ``value`` from here on."""
        if any(value is nothing for nothing in _NOTHING) or isinstance(value, Conflict):
            return
        pieces = tuple(_describe(value, self.heap, 0))
        is_static = not any(isinstance(piece, Type) for piece in pieces)
        self._add(span, COMPILE_TIME if is_static else RUN_TIME, name, *pieces)

    def returned(self, span: SourceSpan, value: Any) -> None:
        """The function returns ``value`` here."""
        self.assigned(span, "", value)

    def tested(self, span: SourceSpan, construct: str) -> None:
        """``construct`` ("if", "and", "match", …) is decided at run time."""
        self._add(span, RUN_TIME, construct, "decided at run time")

    def folded(self, span: SourceSpan, construct: str, taken: bool) -> None:
        """The test of ``construct`` ("if", "while", "assert", …) is known while compiling."""
        self._add(span, FOLDED, construct, "true" if taken else "false")

    def unrolled(self, span: SourceSpan, count: int) -> None:
        """The body of a loop is compiled once for each of ``count`` items."""
        self._add(span, UNROLLED, "", f"{count} round{'' if count == 1 else 's'}")

    def kept(self, span: SourceSpan, construct: str) -> None:
        """A ``for`` or ``while`` is a loop of the compiled code."""
        self._add(span, LOOP, construct)

    def called(self, span: SourceSpan, name: str, apart: bool) -> None:
        """A function of the user's is called: one of the graph of its own, or compiled in place."""
        self._add(span, CALL, name, "a function of its own" if apart else "compiled in place")

    def wrote(self, span: SourceSpan, name: str) -> None:
        """The memory of ``name`` is written to, which every name of that memory sees."""
        self._add(span, IN_PLACE, name)

    def _add(self, span: SourceSpan, kind: str, subject: str, *pieces: str | Type) -> None:
        self._drafts.append(_Draft(span, kind, subject, pieces))

    # --- what is kept -----------------------------------------------------------------------------

    def mark(self) -> int:
        """A place to which ``rollback`` returns."""
        return len(self._drafts)

    def rollback(self, mark: int) -> None:
        """Forget what was noted since ``mark``."""
        del self._drafts[mark:]

    @contextmanager
    def apart(self, function: str) -> Iterator[None]:
        """Note for a function of the module; what an earlier lowering of it noted is forgotten."""
        outer, self._drafts = self._drafts, []
        self._apart[function] = self._drafts
        try:
            yield
        finally:
            self._drafts = outer

    def finish(self, module: Module, facts: ShapeFacts) -> tuple[Note, ...]:
        """The notes of the entry, then those of the functions that are left in ``module``."""
        drafts = [*self._drafts]
        for name, those in self._apart.items():
            drafts += those if name in module.functions else ()
        return tuple(
            Note(draft.span, draft.kind, draft.subject, _text(draft.pieces, facts))
            for draft in drafts
        )


def _text(pieces: Pieces, facts: ShapeFacts) -> str:
    shown = (facts.resolve_type(piece) if isinstance(piece, Type) else piece for piece in pieces)
    return "".join(map(str, shown))


# --- values in words ------------------------------------------------------------------------------


def _describe(value: Any, heap: Mapping[Any, Any], depth: int) -> Iterator[str | Type]:
    """The pieces of a description; a Type is one where something is known at run time only."""
    if isinstance(value, Value):
        yield value.type
    elif isinstance(value, Ref):
        yield from _describe_content(value, heap, depth)
    elif isinstance(value, tuple):
        yield from _describe_tuple(value, heap, depth)
    elif isinstance(value, RangeIterable):
        bounds = [part for part in (value.start, value.stop, value.step) if part is not None]
        yield from _describe_items("range(", _unnamed(bounds), ")", heap, depth)
    else:
        yield _describe_static(value)


def _describe_tuple(
    value: tuple[Any, ...], heap: Mapping[Any, Any], depth: int
) -> Iterator[str | Type]:
    names = getattr(type(value), "_fields", None)
    if names is not None:
        items = [(f"{name}=", item) for name, item in zip(names, value, strict=True)]
        yield from _describe_items(f"{type(value).__name__}(", items, ")", heap, depth)
    else:
        closing = ",)" if len(value) == 1 else ")"
        yield from _describe_items("(", _unnamed(value), closing, heap, depth)


def _describe_content(ref: Ref, heap: Mapping[Any, Any], depth: int) -> Iterator[str | Type]:
    content = heap.get(ref, ABSENT)
    if isinstance(content, Value):
        yield content.type
    elif isinstance(ref, ObjectRef):
        attributes = content if isinstance(content, dict) else {}
        items = [(f"{name}=", held) for name, held in attributes.items() if held is not ABSENT]
        yield from _describe_items(f"{ref.class_.__name__}(", items, ")", heap, depth)
    elif isinstance(content, dict):
        pairs = [(f"{_describe_static(key)}: ", held) for key, held in content.items()]
        yield from _describe_items("{", pairs, "}", heap, depth)
    elif isinstance(content, tuple):
        yield from _describe_items("[", _unnamed(content), "]", heap, depth)
    elif isinstance(content, frozenset):
        yield from _describe_items("{", _unnamed(content), "}", heap, depth)
    else:
        yield f"a {type(ref).__name__.removesuffix('Ref').lower()}"


def _unnamed(items: Any) -> list[tuple[str, Any]]:
    return [("", item) for item in items]


def _describe_items(
    opening: str, items: list[tuple[str, Any]], closing: str, heap: Mapping[Any, Any], depth: int
) -> Iterator[str | Type]:
    """The first items; how many there are where some are left out."""
    shown = items[:_MOST_ITEMS] if depth < _DEEPEST else []
    yield opening
    for number, (name, item) in enumerate(shown):
        yield f"{', ' if number else ''}{name}"
        yield from _describe(item, heap, depth + 1)
    if len(shown) < len(items):
        yield f"{', ' if shown else ''}… {len(items)} items"
    yield closing


def _describe_static(value: Any) -> str:
    """A compile-time object that holds no others. Nothing of the user's is called."""
    if is_scalar(value) or value is None or isinstance(value, str | bytes | range):
        return _shorten(repr(value))
    if isinstance(value, enum.Enum):
        return _shorten(f"{type(value).__name__}.{value._name_}")
    if isinstance(value, BoundFunction):
        return f"the method {value.function.unit.name}"
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = _function_name(value)
    return f"the function {name}" if name else f"an object of {type(value).__name__}"


def _function_name(value: Any) -> str | None:
    if isinstance(value, UserFunction):
        return value.unit.name
    if isinstance(value, Closure):
        return str(getattr(value.node, "name", "<lambda>"))
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | np.ufunc):
        return value.__name__
    return None


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
