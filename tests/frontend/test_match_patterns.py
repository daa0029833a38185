"""The patterns of ``match``: sequences, mappings, classes and constants."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from tests.frontend.programs import Programs, assert_same, name_of

X = np.array([0.5, -1.0, 2.0])
program = Programs()


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Word(enum.StrEnum):
    A = "a"


@dataclass
class Point:
    x: float
    y: float = 0.0


@dataclass
class Solid(Point):
    z: int = 1


class Pair:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b

    @property
    def total(self):
        return self.a + self.b


class Step(NamedTuple):
    kind: int
    size: float


class Equal:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        print("eq", self.v, other)
        return self.v == other

    __hash__ = None


class Constants:
    ZERO = 0
    NAME = "name"
    THREE = Equal(3)


class Bare:
    def __init__(self):
        self.a = 1


# --- sequences and mappings -----------------------------------------------------------------------


@program((1, 2, 3), (0, 0, 0), (1, 0, 3))
def nested_tuples(a, b, c):
    match (a, b), c:
        case (1, x), 3 if x:
            return x, "one"
        case (x, 0), y:
            return x, y
        case (0 | 1 as x, *rest), z:
            return x, rest, z
        case _:
            return None


@program((1,), (2,), (3,), (0,))
def list_of_run_time_length(n):
    a = [i * 2 for i in range(n)]
    match a:
        case []:
            return "empty"
        case [0]:
            return "zero"
        case [x, y]:
            return x + y
        case [0, *rest, last]:
            rest.append(last)
            return rest, a


@program((1,), (3,), (0,), (6,))
def wildcards_in_a_list(n):
    a = [float(i) for i in range(n) if i != 4]
    match a:
        case [*copied]:
            copied.append(1.0)
    match a:
        case [*_]:
            pass
    match a:
        case [_, _, third, *_]:
            return third, len(copied), len(a)
        case [first, *_]:
            return first, copied
    return len(a)


@program((1, 2.0), (2, 3.0))
def dicts(n, x):
    d = {"a": n, "b": x, 3: [n]}
    match d:
        case {"a": 2, **rest}:
            rest["new"] = 1
            return rest, d
        case {3: [k], "a": v}:
            return {"sum": k + v}, d


@program((0, 2.0), (1, 2.0), (2, 3.0))
def dict_of_run_time_keys(n, x):
    d = {}
    for i in range(n):
        d[i] = x * i
    match d:
        case {0: a, 1: b}:
            return a, b
        case {0: a, **rest}:
            return a, rest
        case {}:
            return "none"


@program(([1, 2], {"kind": "a", "v": 3}), ([1, 5], {"kind": "b", "v": 4}))
def arguments(a, d):
    match a:
        case [1, 2]:
            r = "12"
        case [1, *rest]:
            r = rest
            rest.append(1)
    match d:
        case {"kind": "a", "v": v}:
            return r, v
        case {"kind": str(k), **rest}:
            return r, k, rest


@program((X,), (np.zeros(2),))
def array_is_no_mapping(x):
    match x:
        case {"size": _}:
            return 1
        case np.ndarray(shape=(2,)):
            return "two"
        case np.ndarray(ndim=1, size=k):
            return k


@program((3,))
def other_kinds(n):
    r = []
    for v in ({1}, "ab", b"ab", 1j, int, range(2), frozenset(), None):
        match v:
            case [a, b]:
                r.append(a + b + n)
            case {}:
                r.append("mapping")
            case set() | frozenset():
                r.append("set")
            case type():
                r.append("type")
            case bytes(b):
                r.append(b)
            case complex(imag=i):
                r.append(i)
            case _:
                r.append("other")
    return r


# --- classes and constants ------------------------------------------------------------------------


@program((1, 2.0), (2, 3.0))
def classes(n, x):
    out = []
    for o in (Point(x), Solid(x, n), Pair(n, x), Step(n, x), (n, x), None, Color.RED, "a", n):
        match o:
            case Solid(a, b, c):
                out.append(("solid", a, b, c))
            case Point(a, y=b):
                out.append(("point", a, b))
            case Pair(a, b, total=t):
                out.append(("pair", a, b, t))
            case Step(a, size=b):
                out.append(("step", a, b))
            case [a, b]:
                out.append(("sequence", a, b))
            case None:
                out.append("none")
            case Color.RED:
                out.append("red")
            case str(s) if len(s) == 1:
                out.append(s)
            case _:
                out.append("?")
    return out


@program((1,), (2,), (3,), (0,))
def constants(n):
    match n:
        case Constants.ZERO:
            return "zero"
        case Level.HIGH:
            return "high"
        case Constants.THREE:
            return "equal"
        case _:
            return "else"


@program(("a",), ("name",), ("zz",))
def texts(s):
    match s:
        case Word.A:
            return 1
        case Constants.NAME:
            return 2
        case str() as t:
            return t + "!"


@program((1.5,), (math.nan,), (2.5,))
def not_a_number(x):
    match x:
        case 1.5:
            return 1
        case math.nan:  # noqa: PLW0177
            return 2
        case _:
            return 3


@program((1,), (3,))
def comparisons_in_order(n):
    match (Equal(n), Equal(2)):
        case (3, 1):
            return 1
        case (1, 2):
            return 2
        case (_, 2):
            return 3


@program((1,))
def too_many_patterns(n):
    match n:
        case int(1, 2):
            return 1


@program((1,))
def class_without_positions(n):
    match Bare():
        case Bare(1):
            return n


@program((1,))
def attribute_given_twice(n):
    match Point(n):
        case Point(1, x=2):
            return 1


@program((1,))
def attribute_that_is_missing(n):
    match Point(n):
        case Point(nothing=1):
            return 1
        case Point(x=v):
            return v


@program((X,))
def truth_of_an_array(x):
    match x:
        case 3:
            return 1


@pytest.mark.parametrize("item", program.table, ids=name_of)
def test_pattern_is_as_in_cpython(item):
    assert_same(item)
