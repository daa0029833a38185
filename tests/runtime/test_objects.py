"""Calls with dicts, sets, objects and functions, one after the other, against Python.

Each driver calls a function several times, so that what one call leaves behind meets the code that
an earlier one has compiled. It returns everything that there is to see.
"""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.support.calling import Driver, Drivers, Function, differences, on, outcomes

DRIVERS = Drivers()
called_by = DRIVERS.called_by


# --- dicts and sets -------------------------------------------------------------------------------


@called_by(on(({"a": 1},), ({"a": 1, "b": 2},), ({"b": 2, "a": 1},), ({},), ({"a": np.ones(2)},)))
def dict_writes(table: Any) -> Any:
    table["b"] = table.get("b", 0) + 1
    if "a" in table:
        del table["a"]
    table["a"] = len(table)
    return table, list(table), list(table.values())


@called_by(lambda f: [f(a=1, b=2.5), f(b=2.5, a=1), f(), f(a=1, b=3.5), f(c=np.ones(2))])
def keywords(**options: Any) -> Any:
    return options, list(options)


@called_by(lambda f: [f(), f(1), f(1, 2.5), f(*[1, 2]), f(np.ones(2))])
def variadic(*args: Any) -> Any:
    return args, len(args)


@called_by(on(({1, 2}, 1), ({1, 3}, 1), ({True}, 1), ({1.0}, 1), (set(), 1), ({1, 2}, 3)))
def set_reads(items: Any, item: Any) -> Any:
    return item in items, len(items), sorted(items)


@called_by(on(({1, 2},), ({3},), (set(),), ({2, 1},)))
def set_writes(items: Any) -> Any:
    items.add(7)
    items.discard(1)
    return items, items | {0}


@called_by(on((frozenset({1}),), (frozenset({True}),), (range(3),), (range(1, 3),), ((),), ("ab",)))
def length(items: Any) -> Any:
    return len(items), list(items)


@called_by(on((np.arange(5), slice(1, 3)), (np.arange(5), slice(None, None, -1))))
def by_slice(x: Any, part: Any) -> Any:
    return x[part]


# --- objects --------------------------------------------------------------------------------------


class Counter:
    step = 1

    def __init__(self, count: Any = 0) -> None:
        self.count = count
        self.history: list[Any] = []

    def add(self, amount: Any) -> Any:
        self.count += amount * self.step
        self.history.append(self.count)
        return self.count

    @property
    def last(self) -> Any:
        return self.history[-1] if self.history else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter) and self.count == other.count

    __hash__ = None  # type: ignore[assignment]


class Double(Counter):
    step = 2


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x: Any) -> None:
        self.x = x


@dataclass
class Point:
    x: Any
    y: Any = 0
    tags: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    x: Any


class Pair(NamedTuple):
    left: Any
    right: Any = 2

    def both(self) -> Any:
        return self.left + self.right


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def shade(self) -> Any:
        return self.value * 10


def _counts(function: Function) -> Any:
    counter, double = Counter(), Double(1.5)
    found = [function(counter, amount) for amount in (1, 2, 2.5, 3)]
    found += [function(double, 1), function(counter, 1), function(double, np.ones(2))]
    return found, counter, double


@called_by(_counts)
def count(counter: Any, amount: Any) -> Any:
    before = counter.last
    counter.add(amount)
    return before, counter.last, counter.count, counter


def _shadowing(function: Function) -> Any:
    counter = Counter(5)
    found = [function(counter)]
    counter.step = 3
    found.append(function(counter))
    counter.add = lambda amount: amount * 100  # type: ignore[method-assign]
    found.append(function(counter))
    del counter.add
    del counter.step
    found.append(function(counter))
    return found, vars(counter)


@called_by(_shadowing)
def call_method(counter: Any) -> Any:
    return counter.add(2)


def _changing_class(function: Function) -> Any:
    class Local:
        def value(self) -> Any:
            return 1

    made = Local()
    found = [function(made)]
    Local.value = lambda self: 2  # type: ignore[method-assign]
    found.append(function(made))
    Local.factor = 3  # type: ignore[attr-defined]
    found.append(function(made))
    Local.factor = 4  # type: ignore[attr-defined]
    found.append(function(made))
    del Local.factor  # type: ignore[attr-defined]
    found.append(function(made))
    return found


@called_by(_changing_class)
def by_class(made: Any) -> Any:
    return made.value() * getattr(made, "factor", 10)


@called_by(lambda f: outcomes(f, (Point(1),), (Point(2.5, 3),), (Point(1, tags=[1]),)))
def dataclasses(point: Any) -> Any:
    point.y = point.x + point.y
    point.tags.append(point.y)
    return point, Point(point.x), point == Point(1, 1, [1])


@called_by(lambda f: outcomes(f, (Frozen(1),), (Frozen(np.ones(2)),), (Frozen("a"),)))
def frozen(value: Any) -> Any:
    value.x = 2


@called_by(lambda f: outcomes(f, (Slotted(1),), (Slotted(2.5),), (Slotted([1]),)))
def slots(value: Any) -> Any:
    value.y = [value.x, value.x]
    return value.y


@called_by(lambda f: outcomes(f, (Pair(1),), (Pair(2.5, 3),), (Pair(np.ones(2)),), (Pair(1, 2),)))
def named_tuples(pair: Any) -> Any:
    left, right = pair
    return pair.both(), pair._replace(left=right), Pair(right), pair[0], left


@called_by(on((Color.RED,), (Color.BLUE,), (Color.RED,), (None,), ("RED",), (1,)))
def enums(color: Any) -> Any:
    if color is None:
        return "none"
    if color is Color.RED:
        return color.shade(), color.name
    return color == Color.BLUE, color


def _aliased_objects(function: Function) -> Any:
    first, second = Point(1), Point(1)
    return outcomes(function, (first, second), (first, first), (second, first), (second, second))


@called_by(_aliased_objects)
def two_objects(left: Any, right: Any) -> Any:
    left.x = 10
    return right.x, left is right


def _reachable_twice(function: Function) -> Any:
    tags: list[Any] = []
    points = [Point(1, tags=tags), Point(1), Point(1, tags=tags)]
    return outcomes(function, *zip(points, (tags, [], []), strict=True))


@called_by(_reachable_twice)
def two_ways(point: Any, tags: Any) -> Any:
    tags.append(1)
    return len(point.tags)


# --- functions ------------------------------------------------------------------------------------


def square(x: Any) -> Any:
    return x * x


def _functions(function: Function) -> Any:
    scale = 3
    half = functools.partial(lambda x, by: x / by, by=2)
    functions = (square, lambda x: x * scale, abs, np.tanh, half, Counter(1).add)
    return [function(each, 2.5) for each in functions]


@called_by(_functions)
def apply(function: Any, x: Any) -> Any:
    return function(x)


def _closures(function: Function) -> Any:
    def make(scale: Any) -> Any:
        return lambda x: x * scale

    return [function(make(scale), 2.5) for scale in (1, 2, np.ones(2), 2)]


@called_by(_closures)
def apply_closure(function: Any, x: Any) -> Any:
    return function(x) + 1


def _partials(function: Function) -> Any:
    return [function(functools.partial(pow, each), 2) for each in (2, 3, 2.5)] + [
        function(functools.partial(Point, x=1), 2)
    ]


@called_by(_partials)
def apply_partial(function: Any, y: Any) -> Any:
    return function(y=y) if function.func is Point else function(y)


# --- results --------------------------------------------------------------------------------------


@called_by(on((1.5, np.ones(2)), (1, np.arange(3))))
def fresh_results(x: Any, y: Any) -> Any:
    shared = [x]
    return {
        "list": shared,
        "again": shared,
        "tuple": (x, [y, None], "text"),
        "set": {1, 2},
        "frozenset": frozenset({1}),
        "slice": slice(x, None),
        "pair": Pair(x, [y]),
        "point": Point(x, y, shared),
        "enum": Color.RED,
        "type": float,
        1: range(3),
    }


@pytest.mark.parametrize(("function", "driver"), DRIVERS.entries, ids=lambda each: each.__name__)
def test_as_python_does(function: Function, driver: Driver) -> None:
    assert differences(function, driver) == []
