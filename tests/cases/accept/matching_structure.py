"""`match` on structures: sequences, mappings, classes; run-time values inside of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


@dataclass
class Circle:
    radius: float


@dataclass
class Box:
    width: float
    height: float = 1.0


class Step(NamedTuple):
    kind: str
    size: int


class Vector:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


# Tuples by length.
def described(items):
    match items:
        case []:
            return "nothing"
        case [one]:
            return one
        case [first, second]:
            return first * 10 + second
        case [first, *rest]:
            return first, len(rest), rest


@case((1, 2, 3))
def sequences_by_length(a: int, b: int, c: int):
    return described(()), described([a]), described((a, b)), described([a, b, c])


# Literals in a sequence, known at run time.
@case((0, 0), (0, 5), (5, 0), (5, 5), (3, 4))
def points(x: int, y: int):
    match (x, y):
        case (0, 0):
            return "origin"
        case (0, _):
            return f"y = {y}"
        case (_, 0):
            return f"x = {x}"
        case (a, b) if a == b:
            return f"diagonal {a}"
        case (a, b):
            return a * b


# A starred pattern at each place.
@case((1, 2, 3))
def starred_patterns(a: int, b: int, c: int):
    results = []
    for items in ((a, b, c), (a, b), (a,)):
        match items:
            case (first, *middle, last):
                results.append((first, middle, last))
            case (*everything,):
                results.append(everything)
    return results


# Nested sequences.
@case((1, 2, 3), (9, 2, 3))
def nested_sequences(a: int, b: int, c: int):
    match ((a, b), [c, (a,)]):
        case ((1, y), [z, (w,)]):
            return y * 100 + z * 10 + w
        case ((x, _), [_, _]):
            return -x


# A text is no sequence; a list is one, a dict is not.
@case((1,))
def what_is_a_sequence(n: int):
    results = []
    for value in ("ab", [n, n], (n, n), range(2), {0: n, 1: n}):
        match value:
            case [_, _]:
                results.append("sequence")
            case str():
                results.append("text")
            case {0: _}:
                results.append("mapping")
            case _:
                results.append("other")
    return results


# Mappings: some keys, the rest, captures.
def area(shape):
    match shape:
        case {"kind": "circle", "radius": r}:
            return 3.0 * r * r
        case {"kind": "box", "size": (w, h)}:
            return w * h
        case {"kind": "box", "width": w, **rest}:
            return w * w + len(rest)
        case {}:
            return -1.0


@case((2.0, 3.0))
def mappings(x: float, y: float):
    return (
        area({"kind": "circle", "radius": x}),
        area({"kind": "box", "size": (x, y)}),
        area({"kind": "box", "width": x, "colour": "red", "unit": y}),
        area({"kind": "line"}),
        area({}),
    )


# A literal value in a mapping, known at run time.
@case((1, 5), (2, 5), (3, 0))
def run_time_values_in_a_mapping(code: int, value: int):
    match {"code": code, "value": value}:
        case {"code": 1, "value": v}:
            return v
        case {"code": 2 | 4, "value": v} if v > 3:
            return v * 10
        case {"code": c}:
            return -c


# Classes with positions and keywords.
def measure(shape):
    match shape:
        case Circle(radius=r):
            return r * 2.0
        case Box(w, h) if w == h:
            return w
        case Box(width=w, height=h):
            return w + h
        case Vector(x=0.0):
            return "upright"
        case Vector(a, b):
            return a * b
        case _:
            return None


@case((2.0, 3.0), (0.0, 0.0), (1.0, 1.0))
def classes(x: float, y: float):
    shapes = Circle(x), Box(x, y), Box(x), Vector(x, y), x
    return [measure(shape) for shape in shapes]


# Named tuples as classes and as sequences.
@case((3,), (0,))
def named_tuples(n: int):
    results = []
    for step in (Step("go", n), Step("turn", n + 1), ("go", n)):
        match step:
            case Step(kind="go", size=0):
                results.append("stay")
            case Step("go", size):
                results.append(size)
            case (kind, size):
                results.append((kind, size))
    return results


# Classes of values: numbers, texts, sequences.
def total(tree):
    match tree:
        case None:
            return 0
        case int() | float() as number:
            return number
        case [left, right]:
            return total(left) + total(right)
        case {"value": value, "next": more}:
            return total(value) * 10 + total(more)


@case((1, 2.5))
def recursive_structures(n: int, x: float):
    return total([n, [x, [n, None]]]), total({"value": n, "next": {"value": [n, n], "next": None}})


# An expression tree that is evaluated, and its derivative.
def value_of(expression, x):
    match expression:
        case "x":
            return x
        case int() | float():
            return expression
        case ("+", a, b):
            return value_of(a, x) + value_of(b, x)
        case ("*", a, b):
            return value_of(a, x) * value_of(b, x)
        case ("sin", a):
            return np.sin(value_of(a, x))


def derivative(expression):
    match expression:
        case "x":
            return 1
        case int() | float():
            return 0
        case ("+", a, b):
            return ("+", derivative(a), derivative(b))
        case ("*", a, b):
            return ("+", ("*", derivative(a), b), ("*", a, derivative(b)))


FORMULA = ("+", ("*", "x", ("*", "x", 3)), ("+", "x", 0.5))


@case((2.0,), (-1.0,))
def expression_trees(x: float):
    return value_of(FORMULA, x), value_of(derivative(FORMULA), x), value_of(("sin", "x"), x)


# Commands that change a state.
def executed(program, value):
    for command in program:
        match command:
            case ["add", n]:
                value = value + n
            case ["repeat", 0, _]:
                pass
            case ["repeat", times, inner]:
                for _ in range(times):
                    value = executed(inner, value)
            case ["if", limit, inner] if value > limit:
                value = executed(inner, value)
            case ["if", *_]:
                value = -value
            case [unknown, *_]:
                raise ValueError(f"unknown command {unknown}")
    return value


@case((1,), (20,))
def commands(n: int):
    program = [["add", 2], ["repeat", 3, [["add", n]]], ["if", 10, [["add", 100]]]]
    return executed(program, n)


@case((1,))
def unknown_command(n: int):
    return executed([["add", n], ["jump", 3]], 0)


# Alternatives in a structure.
@case((1, 2), (2, 1), (3, 3))
def alternatives_in_a_structure(a: int, b: int):
    match [a, b]:
        case [1, x] | [x, 1]:
            return x
        case [_, _] as both:
            return both


# A capture of a whole and of its parts.
@case((1, 2))
def parts_and_whole(a: int, b: int):
    match {"pair": (a, b), "more": [a]}:
        case {"pair": (x, _) as pair, **rest} as everything:
            return x, pair, rest, len(everything)


# Arrays as parts of structures.
@case((X, 2.0), (X, -2.0))
def arrays_in_structures(x: f64["n"], k: float):
    match ("scale", x, k):
        case ("scale", values, factor) if factor > 0.0:
            return values * factor
        case ("scale", values, _):
            return values


# Named values of a class inside of a sequence.
class Axis:
    ROWS = 0
    COLUMNS = 1


@case((0, 5), (1, 5), (2, 5))
def dotted_names_in_a_sequence(axis: int, n: int):
    match axis, n:
        case Axis.ROWS, k:
            return k
        case Axis.COLUMNS, k:
            return k * 10
        case _:
            return -1


# A sequence of a length that is known at run time only.
@case((0,), (1,), (3,))
def list_grown_at_run_time(n: int):
    items = [i * i for i in range(n)]
    match items:
        case []:
            return "empty"
        case [x]:
            return x
        case [first, *_, last]:
            return first, last
