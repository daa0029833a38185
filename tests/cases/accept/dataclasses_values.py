"""Dataclasses, frozen or not: made, read, written, compared, as arguments and results."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@dataclass
class Point:
    """A place in the plane."""

    x: float
    y: float = 0.0

    def move(self, dx, dy=0.0):
        self.x += dx
        self.y += dy
        return self

    @property
    def squared(self):
        return self.x * self.x + self.y * self.y

    @staticmethod
    def origin():
        return Point(0.0)


@dataclass(frozen=True)
class Rate:
    """How fast to learn."""

    start: float
    decay: float = 0.5

    def at(self, step):
        return self.start * self.decay**step


@dataclass
class Log:
    """What happened."""

    name: str = "log"
    items: list = field(default_factory=list)
    counts: dict = field(default_factory=lambda: {"n": 0})

    def add(self, item):
        self.items.append(item)
        self.counts["n"] += 1


@dataclass
class Circle:
    """Has a field that is computed."""

    radius: float
    scale: ClassVar[float] = 3.0
    area: float = field(init=False)

    def __post_init__(self):
        if self.radius < 0:
            raise ValueError("negative radius")
        self.area = self.scale * self.radius**2


@dataclass(order=True)
class Version:
    """Ordered by its fields."""

    major: int
    minor: int = 0
    label: str = field(default="", compare=False)


@dataclass
class Layer:
    """Weights, a bias, and what was seen last."""

    w: np.ndarray
    b: np.ndarray
    last: object = None

    def __call__(self, x):
        self.last = x
        return self.w @ x + self.b


@dataclass
class Sphere(Circle):
    """Inherits fields and the computation."""

    name: str = "sphere"

    def __post_init__(self):
        super().__post_init__()
        self.area *= 4


# Made by position and by keyword.
@case((1.0, 2.0))
def makes_points(x: float, y: float):
    return Point(x, y), Point(y=y, x=x).x, Point(x).y, Point.origin()


# Fields are written.
@case((1.0, 2.0))
def writes_fields(x: float, y: float):
    point = Point(x, y)
    point.x = y
    point.y += 10.0
    return point, point.x


# Methods write, and can be chained.
@case((1.0, 2.0))
def methods_write(x: float, y: float):
    point = Point(x)
    same = point.move(y).move(1.0, dy=y)
    return point, same is point, point.squared


# An argument is written: the caller sees it.
@case((Point(1.0, 2.0), 0.5))
def writes_an_argument(point, dx):
    point.move(dx)
    point.y = point.x * 2
    return point.squared


# Equal by their fields, not by identity.
@case((1.0, 2.0), (0.0, -0.0))
def compares(x: float, y: float):
    a, b = Point(x, y), Point(x, y)
    same = a == b
    b.x += 1.0
    return same, a == b, a != b, a is b, a == (x, y)


# Ordered ones.
@case((1, 2), (2, 1), (3, 3))
def orders(a: int, b: int):
    one, two = Version(a, b, "x"), Version(b, a, "y")
    return one < two, one >= two, one == two, max(one, two), sorted([one, two])[0].label


# Frozen: methods read.
@case((Rate(0.1), 3), (Rate(1.0, 0.9), 0))
def frozen_argument(rate, step):
    return rate.at(step), rate, Rate(rate.at(1)).start


# Frozen: a write raises FrozenInstanceError, an AttributeError.
@case((0.1, True), (0.1, False))
def frozen_field(x: float, write: bool):
    rate = Rate(x)
    if write:
        rate.start = 2.0
    return rate


# replace makes another one.
@case((Rate(0.5), 0.25))
def replaces(rate, decay):
    other = replace(rate, decay=decay)
    return rate, other, dataclasses.replace(other, start=decay) == other


# Each instance has a list of its own.
@case((1, 2))
def default_factories(a: int, b: int):
    one, two = Log(), Log("two")
    one.add(a)
    one.add(b)
    two.add(b)
    return one, two, one.items is two.items


# The caller's log grows in a run-time loop.
@case((Log(), 3), (Log("old", [1]), 0))
def logs_in_a_loop(log, n):
    for i in range(n):
        log.add(i * i)
    return log.counts["n"], len(log.items)


# __post_init__ computes, or raises.
@case((2.0,), (0.0,), (-1.0,))
def post_init(radius: float):
    circle = Circle(radius)
    circle.radius += 1.0
    return circle, circle.area, Circle.scale


# Fields are inherited.
@case((2.0,))
def inherits(radius: float):
    sphere = Sphere(radius, "ball")
    return sphere, isinstance(sphere, Circle), sphere.scale, Sphere(radius).name


# A layer notes its input.
@case((Layer(W, np.array([0.5, 1.0])), X))
def notes_its_input(layer, x):
    y = layer(x)
    layer.b -= 0.1 * y
    layer.w[0] = 0.0
    return y, layer.last is x


# Layers in a list, each of them written.
@case(([Layer(W, np.zeros(2)), Layer(W.T, X)], X))
def layers_in_a_list(layers, x):
    for layer in layers:
        x = np.tanh(layer(x))
    for layer in reversed(layers):
        layer.b = layer.b * 0.5
    return x


# Fields chosen by a branch.
@case((Point(1.0), 0.5), (Point(1.0), -0.5))
def writes_in_a_branch(point, x):
    if x > 0:
        point.x = x
    else:
        point.y = x
        point = Point.origin()
    point.x -= 1.0
    return point


# The state of a loop.
@case((5, 1.0), (0, 1.0))
def state_of_a_loop(steps: int, x: float):
    point = Point(x, 0.0)
    for _ in range(steps):
        point.move(0.1 * point.y, -0.1 * point.x)
    return point


# ... or a new one in each step.
@case((Rate(1.0), 3), (Rate(1.0), 0))
def new_one_in_each_step(rate, steps):
    for _ in range(steps):
        rate = replace(rate, start=rate.at(1))
    return rate


# Two names, one instance.
@case((Point(1.0, 2.0), Point(1.0, 2.0)))
def aliases(a, b):
    same = a
    same.x = 9.0
    b, a = a, b
    b.y = 8.0
    return a, b, same, same is b


# The same instance twice.
P = Point(3.0, 4.0)


@case((P, P), (P, Point(3.0, 4.0)))
def same_argument_twice(a, b):
    a.x += 1.0
    b.x *= 2.0
    return a.x, b.x, a is b


# Instances within instances, dicts and tuples.
@case(({"from": Point(1.0), "to": (Point(2.0), 3)},))
def nested_arguments(table):
    table["from"].x = table["to"][0].x
    table["to"][0].move(1.0)
    table["middle"] = Point(table["from"].x / 2)
    return table["to"][0].x


# asdict, astuple, fields.
@case((Point(1.0, 2.0),), (Version(1, 2),))
def as_structures(value):
    names = [f.name for f in dataclasses.fields(value)]
    return dataclasses.asdict(value), dataclasses.astuple(value), names


# Writes before an exception stay.
@case((Point(1.0), 0.0), (Point(1.0), 2.0))
def raises_after_writes(point, x):
    point.move(1.0)
    if x == 0.0:
        raise ZeroDivisionError("x")
    point.y = point.x / x
    return point


# Keywords, and a default that is an instance.
@case(call(x=1.0), call(x=1.0, rate=Rate(2.0)))
def default_instance(x, rate=Rate(0.5)):
    return x * rate.start, rate


# A pattern of the class.
@case((Point(0.0, 2.0),), (Point(1.0, 2.0),), (Rate(1.0),))
def patterns(value):
    match value:
        case Point(x=0.0, y=y):
            return "axis", y
        case Point(x, y):
            return "point", x + y
        case Rate(start=start):
            return "rate", start
