"""Named tuples: fields, defaults, methods, `_replace`, as arguments, state and results."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
V = np.array([1.0, 0.0, -1.0])


class Point(NamedTuple):
    """A place in the plane."""

    x: float
    y: float = 0.0

    @property
    def squared(self):
        return self.x * self.x + self.y * self.y

    def moved(self, dx, dy=0.0):
        return self._replace(x=self.x + dx, y=self.y + dy)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    @classmethod
    def origin(cls):
        return cls(0.0)


class State(NamedTuple):
    """Positions and velocities, and how many steps were made."""

    x: np.ndarray
    v: np.ndarray
    step: int = 0


Pair = namedtuple("Pair", "left right")
Settings = namedtuple("Settings", ["rate", "kind"], defaults=["sgd"])


# A named tuple is made and read.
@case((1.0, 2.0))
def makes_a_point(x: float, y: float):
    point = Point(x, y)
    return point, point.x, point[1], point.squared


# Keywords and defaults.
@case((3.0,))
def keywords_and_defaults(x: float):
    return Point(x), Point(y=x, x=1.0), Settings(x), Settings(kind="adam", rate=x).kind


# It is a tuple: unpacking, length, slices, joining.
@case((1, 2.5))
def is_a_tuple(n: int, x: float):
    pair = Pair(n, x)
    left, right = pair
    return left, right, len(pair), pair[::-1], pair + (3,), (*pair,), tuple(pair), n in pair


# ... and compares as one.
@case((1, 2), (2, 1))
def compares_as_a_tuple(a: int, b: int):
    return Pair(a, b) == (a, b), Pair(a, b) < Pair(b, a), Pair(a, b) == Pair(b, a), max(Pair(a, b))


# _replace, _asdict, _fields, _make.
@case((1, 2))
def helper_methods(a: int, b: int):
    pair = Pair(a, b)
    other = pair._replace(right=9)
    return pair, other, pair._asdict(), Pair._fields, Pair._make([b, a])


# Methods, also static ones and operators of its own.
@case((1.0, 2.0))
def methods(x: float, y: float):
    point = Point(x, y).moved(0.5).moved(1.0, dy=-1.0)
    return point, Point.origin(), point + Point.origin() + point


# An argument.
@case((Point(1.0, 2.0),), (Point(-0.0),))
def point_as_an_argument(point):
    return point.x + point.y, point.moved(1.0), point


# Its arrays are written.
@case((State(X, V), 0.5))
def writes_the_arrays(state, dt):
    state.x[:] += dt * state.v
    state.v[0] = 9.0
    return state._replace(step=state.step + 1)


# The state of a loop.
@case((State(X, V), 3), (State(X, V, 5), 0))
def state_of_a_loop(state, steps):
    for _ in range(steps):
        v = state.v - 0.1 * state.x
        state = State(state.x + 0.1 * v, v, state.step + 1)
    return state


# Chosen by a branch.
@case((1.0, 2.0), (2.0, 1.0))
def chosen_by_a_branch(a: float, b: float):
    if a > b:
        point = Point(a, b)
    else:
        point = Point(b)
    return point.moved(1.0), point.y


# In a list, in a dict, in a loop.
@case((1.0, 2.0))
def points_in_structures(x: float, y: float):
    points = [Point(x, y), Point(y), Point.origin()]
    points[1] = points[1].moved(0.5)
    total = Point.origin()
    for point in points:
        total = total + point
    table = {"total": total, "far": max(points, key=lambda point: point.squared)}
    return points, table


# Unpacked in a for loop.
@case(([Point(1.0, 2.0), Point(3.0)],))
def unpacks_in_a_loop(points):
    out = []
    for x, y in points:
        out.append(x - y)
    points.append(Point(out[0], out[1]))
    return out, sum(point.x for point in points)


# Named tuples in named tuples.
@case((1.0, 5))
def nested_named_tuples(x: float, n: int):
    pair = Pair(Point(x, x), Settings(n))
    moved = pair._replace(left=pair.left.moved(1.0))
    (a, b), (rate, kind) = moved
    return moved, a + b, rate, kind, pair.right.kind


# A compile-time field decides.
@case((Settings(0.1), X), (Settings(0.1, "sign"), X), (Settings(0.1, "none"), X))
def field_decides(settings, x):
    if settings.kind == "sgd":
        return x - settings.rate * x
    if settings.kind == "sign":
        return x - settings.rate * np.sign(x)
    raise ValueError(settings.kind)


# isinstance, and a pattern of the class.
@case((Point(1.0, 2.0),), (Pair(1, 2),), ((5, 6),))
def patterns(value):
    match value:
        case Point(x, y):
            return "point", x + y, isinstance(value, tuple)
        case Pair(left=a):
            return "pair", a
        case (a, b):
            return "tuple", a - b


# Keyword arguments from the fields.
@case((Point(1.0, 2.0),), call(point=Point(0.0)))
def keywords_from_fields(point):
    return Point(**point._asdict()) == point, Point(*point), dict(zip(point._fields, point))


# A field can't be assigned: AttributeError, after the writes before it.
@case((Pair([1], 2), True), (Pair([1], 2), False))
def fields_are_fixed(pair, write):
    pair.left.append(5)
    if write:
        pair.right = 3
    return pair
