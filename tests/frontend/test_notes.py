"""Notes of lowering: what values are called, what is forgotten, what a listing shows."""

from __future__ import annotations

import enum
import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from staticpy.frontend import Note, Notes, render_listing
from staticpy.frontend.notes import (
    CALL,
    COMPILE_TIME,
    FOLDED,
    IN_PLACE,
    KINDS,
    LOOP,
    RUN_TIME,
    UNROLLED,
)
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import PENDING, POISON, DictRef, ListRef, ObjectRef, RangeIterable
from staticpy.ir import FLOAT, INT, ListType, Module, ShapeFacts, TensorType, Value
from staticpy.source import SourceFile, SourceSpan, SourceUnit, from_text

F64 = np.dtype("float64")
MATRIX = Value(TensorType(F64, ("n", "m")))
COUNT = Value(INT)
SPAN = SourceSpan("page.py", 1, 0, 1, 1)


class Point(NamedTuple):
    x: Any
    y: Any


class Color(enum.Enum):
    RED = 1


class Model:
    @property
    def name(self) -> str:
        raise AssertionError("a report calls nothing of the user's")

    __repr__ = __str__ = None  # type: ignore[assignment]


HEAP: dict[Any, Any] = {
    "list": (1, MATRIX),
    "long list": tuple(range(9)),
    "list value": Value(ListType(FLOAT)),
    "dict": {"w": MATRIX, "n": 2},
    "object": {"w": MATRIX, "gone": ABSENT},
}


def finished(notes: Notes, facts: ShapeFacts | None = None) -> list[tuple[str, str, str]]:
    found = notes.finish(Module("page"), facts or ShapeFacts({}))
    return [(note.kind, note.subject, note.text) for note in found]


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (2, COMPILE_TIME, "2"),
        (None, COMPILE_TIME, "None"),
        (-0.0, COMPILE_TIME, "-0.0"),
        ("ab" * 50, COMPILE_TIME, "'" + "ab" * 15 + "…"),
        (range(3), COMPILE_TIME, "range(0, 3)"),
        (math, COMPILE_TIME, "the module math"),
        (Point, COMPILE_TIME, "the class Point"),
        (len, COMPILE_TIME, "the function len"),
        (np.add, COMPILE_TIME, "the function add"),
        (Color.RED, COMPILE_TIME, "Color.RED"),
        (Model(), COMPILE_TIME, "an object of Model"),
        (COUNT, RUN_TIME, "int"),
        (MATRIX, RUN_TIME, "f64[n, m]"),
        ((), COMPILE_TIME, "()"),
        ((1,), COMPILE_TIME, "(1,)"),
        ((1, MATRIX), RUN_TIME, "(1, f64[n, m])"),
        ((1, (2, (3, (4, 5)))), COMPILE_TIME, "(1, (2, (3, (… 2 items))))"),
        (Point(1, COUNT), RUN_TIME, "Point(x=1, y=int)"),
        (RangeIterable(0, COUNT, 2), RUN_TIME, "range(0, int, 2)"),
    ],
)
def test_values_in_words(value: Any, kind: str, text: str) -> None:
    notes = Notes({})
    notes.assigned(SPAN, "a", value)
    assert finished(notes) == [(kind, "a", text)]


@pytest.mark.parametrize(
    ("ref", "content", "kind", "text"),
    [
        (ListRef(), "list", RUN_TIME, "[1, f64[n, m]]"),
        (ListRef(), "long list", COMPILE_TIME, "[0, 1, 2, 3, … 9 items]"),
        (ListRef(), "list value", RUN_TIME, "list[float]"),
        (ListRef(), "unknown", COMPILE_TIME, "a list"),
        (DictRef(), "dict", RUN_TIME, "{'w': f64[n, m], 'n': 2}"),
        (ObjectRef(class_=Model), "object", RUN_TIME, "Model(w=f64[n, m])"),
        (ObjectRef(class_=Model), "unknown", COMPILE_TIME, "Model()"),
    ],
)
def test_contents_in_words(ref: Any, content: str, kind: str, text: str) -> None:
    heap = {ref: HEAP[content]} if content in HEAP else {}
    notes = Notes(heap)
    notes.assigned(SPAN, "a", ref)
    heap.clear()  # what is noted is the content at that time
    assert finished(notes) == [(kind, "a", text)]


@pytest.mark.parametrize("nothing", [ABSENT, PENDING, POISON])
def test_what_is_no_value_is_not_noted(nothing: Any) -> None:
    notes = Notes({})
    notes.assigned(SPAN, "a", nothing)
    assert finished(notes) == []


def test_every_kind() -> None:
    notes = Notes({})
    notes.tested(SPAN, "if")
    notes.returned(SPAN, 1)
    notes.folded(SPAN, "if", True)
    notes.folded(SPAN, "assert", False)
    notes.unrolled(SPAN, 1)
    notes.unrolled(SPAN, 3)
    notes.kept(SPAN, "while")
    notes.called(SPAN, "f", apart=True)
    notes.called(SPAN, "f", apart=False)
    notes.wrote(SPAN, "x")
    found = finished(notes)
    assert found == [
        (RUN_TIME, "if", "decided at run time"),
        (COMPILE_TIME, "", "1"),
        (FOLDED, "if", "true"),
        (FOLDED, "assert", "false"),
        (UNROLLED, "", "1 round"),
        (UNROLLED, "", "3 rounds"),
        (LOOP, "while", ""),
        (CALL, "f", "a function of its own"),
        (CALL, "f", "compiled in place"),
        (IN_PLACE, "x", ""),
    ]
    assert {kind for kind, _, _ in found} == set(KINDS)


def test_sizes_are_those_of_the_whole_function() -> None:
    notes, facts = Notes({}), ShapeFacts({"n": 3, "m": 3})
    notes.assigned(SPAN, "a", MATRIX)
    facts.assume_equal("n", "m")
    assert finished(notes, facts) == [(RUN_TIME, "a", "f64[n, n]")]


def test_a_failed_try_is_forgotten_but_not_the_functions_that_stay() -> None:
    notes, module = Notes({}), Module("page")
    module.functions["kept"] = module.functions["again"] = None  # type: ignore[assignment]
    notes.assigned(SPAN, "a", 1)
    mark = notes.mark()
    notes.assigned(SPAN, "a", 2)
    for name, value in [("kept", 3), ("dropped", 4), ("again", 5), ("again", 6)]:
        with notes.apart(name):
            notes.assigned(SPAN, "b", value)
    notes.rollback(mark)
    assert [note.text for note in notes.finish(module, ShapeFacts({}))] == ["1", "3", "6"]


# --- the listing ----------------------------------------------------------------------------------

PAGE = """\
def helper(v):
    return v * 2


def main(x, flag=False):
    for i in range(9):
        x = helper(x)
    if flag:
        x = (lambda q: q)(x)
    a_very_long_name_of_a_variable = x + 1.0 + 2.0 + 3.0 + 4.0 + 5.0
    return x
"""


def place(line: int, text: str) -> SourceSpan:
    col = PAGE.split("\n")[line - 1].index(text)
    return SourceSpan("page.py", line, col, line, col + len(text))


def unit_of(source: SourceFile, name: str) -> SourceUnit:
    return next(unit for unit in source.functions if unit.name == name)


def listing(*notes: Note) -> str:
    unit = unit_of(from_text(PAGE, "page.py"), "main")
    return render_listing(unit, notes, lambda file: PAGE.split("\n"))


def test_listing() -> None:
    text = listing(
        Note(place(5, "x"), RUN_TIME, "x", "f64[n]"),
        Note(place(5, "flag"), COMPILE_TIME, "flag", "False"),
        Note(place(6, "for"), UNROLLED, "", "9 rounds"),
        *[Note(place(6, "i"), COMPILE_TIME, "i", str(i)) for i in range(9)],
        *[Note(place(7, "helper"), CALL, "helper", "compiled in place")] * 9,
        *[Note(place(7, "x"), RUN_TIME, "x", "f64[n]")] * 9,
        *[Note(place(2, "return"), RUN_TIME, "", "f64[n]")] * 9,
        Note(place(8, "if"), FOLDED, "if", "false"),
        Note(place(9, "q: q"), RUN_TIME, "q", "f64[n]"),
        Note(place(10, "a_very"), RUN_TIME, "a_very_long_name_of_a_variable", "f64[n]"),
    )
    body, helper, legend = text.split("\n\n")
    assert body.split("\n") == [
        "main (page.py)",
        "  5  def main(x, flag=False):     | run-time      x: f64[n]",
        "                                  | compile-time  flag = False",
        "  6      for i in range(9):       | unrolled      9 rounds",
        "                                  | compile-time  i = 0, 1, 2 … 8",
        "  7          x = helper(x)        | call          helper: compiled in place, 9 times",
        "                                  | run-time      x: f64[n]",
        "  8      if flag:                 | folded        if: always false",
        "  9          x = (lambda q: q)(x) | run-time      q: f64[n]",
        " 10      a_very_long_name_of_a_variable = x + 1.0 + 2.0 + 3.0 + 4.0 + 5.0",
        "                                  | run-time      a_very_long_name_of_a_variable: f64[n]",
        " 11      return x",
    ]
    assert helper.split("\n") == [
        "helper (page.py)",
        "  1  def helper(v):",
        "  2      return v * 2 | run-time      returns f64[n]",
    ]
    assert [line.split("  ")[0] for line in legend.split("\n")[:5]] == [
        COMPILE_TIME,
        RUN_TIME,
        FOLDED,
        UNROLLED,
        CALL,
    ]


def test_phrases_of_several_rounds() -> None:
    text = listing(
        Note(place(8, "if"), FOLDED, "if", "false"),
        Note(place(8, "if"), FOLDED, "if", "true"),
        Note(place(7, "x"), RUN_TIME, "x", "f64[n]"),
        Note(place(7, "x"), RUN_TIME, "x", "f64[n, 1]"),
        Note(place(7, "x"), IN_PLACE, "x", ""),
        Note(place(6, "for"), LOOP, "for", ""),
    )
    assert "folded        if: true or false, by the round or the call\n" in text
    assert "run-time      x: f64[n] or f64[n, 1]\n" in text
    assert "in place      writes into x\n" in text
    assert "loop          for\n" in text


def test_a_listing_is_at_most_100_columns_wide() -> None:
    words = ", ".join(f"f64[n, {size}]" for size in range(40))
    text = listing(*[Note(place(line, "x"), RUN_TIME, "x", words) for line in (5, 7, 9, 10)])
    assert max(map(len, text.split("\n"))) <= 100
    assert text.count("f64[n, 39]") == 4


def test_without_notes_it_is_the_source() -> None:
    assert listing().split("\n")[1:] == [
        f"{number:>3}  {line}" for number, line in enumerate(PAGE.split("\n")[4:-1], 5)
    ]


def test_hidden_characters_are_escaped() -> None:
    note = Note(place(5, "x"), COMPILE_TIME, "x", "\u202e")
    assert "x = \\u202e" in listing(note)
