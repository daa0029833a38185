"""``match``: which case is chosen and when, and what is bound."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
import pytest

from tests.frontend.programs import Programs, assert_same, name_of

program = Programs()


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Point:
    x: float
    y: float = 0.0


@dataclass
class Solid(Point):
    z: int = 1


# --- what is bound --------------------------------------------------------------------------------


@program((1, 2), (0, 0), (5, 0), (7, 9))
def literals(n, m):
    match n:
        case 0:
            r = "zero"
        case 1 | 5:
            r = "odd"
        case -1:
            r = "negative"
        case k if k > m:
            r = f"bigger {k}"
        case k:
            r = k
    return r, n


@program((1,), (2,), (3,))
def guard_leaves_its_names(n):
    k = "before"
    match n:
        case k if k > 2:
            r = 1
        case 1:
            r = 2
        case _:
            r = 3
    return r, k


@program((1,), (3,))
def name_of_another_case(n):
    match (n, 5):
        case (1, j):
            r = 1
        case (3, other):
            r = other
    return r, j


@program((1,), (3,))
def no_case_matches(n):
    match n:
        case 1:
            r = 1
    return r


@program((1, 2), (2, 1), (2, 2))
def walrus_in_a_guard(n, m):
    match n:
        case k if (k := k + m) > 3:
            return k, "big"
        case k:
            return k, "small"


@program((1, 2), (3, 4))
def guard_with_effects(n, m):
    seen = []
    match (n, m):
        case (a, b) if seen.append(a) or a > 2:
            r = a * b
        case (c, d):
            r = c + d
    return r, seen


@program((0,), (4,), (9,))
def guard_raises(n):
    match n:
        case k if 1 / k > 0.2:
            return k
        case _:
            return -1


@program((1,), (2,))
def captured_list_is_the_list(n):
    a = [n]
    match (a, n):
        case (b, 1):
            b.append(5)
        case (b, _):
            b.append(6)
    return a, b


@program((1,), (2,))
def captured_object_is_the_object(n):
    p = Point(1.0, n)
    match p:
        case Point(y=1) as q:
            q.x = 5.0
        case q:
            q.x = 6.0
    return p.x, q.y


# --- values of several types ----------------------------------------------------------------------


@program((1,), (2,), (3,))
def one_of_three_types(n):
    v = None
    if n == 2:
        v = n
    elif n == 3:
        v = 2.5
    match v:
        case None:
            return "none"
        case int(k):
            return k + 1
        case float() as f:
            return f * 2


@program((1,), (2,), (3,), (4,))
def literals_of_several_types(n):
    v = "text"
    if n == 2:
        v = n
    elif n == 3:
        v = None
    elif n == 4:
        v = (n, 2.0)
    match v:
        case 2:
            return "two"
        case "text":
            return "text"
        case (a, b):
            return a + b
        case None:
            return "none"


@program((1,), (2,), (3,))
def bool_or_int(n):
    v = True
    if n == 2:
        v = n
    elif n == 3:
        v = False
    match v:
        case True:
            return "t"
        case False:
            return "f"
        case 2:
            return "2"


@program((1,), (True,), (False,), (1.0,), (np.int64(1),), (np.bool_(True),), (1 + 0j,))
def the_very_object(n):
    match n:
        case True:
            return "true"
        case 1:
            return "one"
        case 0:
            return "zero"


@program((1,), (2,), (3,))
def tuples_of_several_lengths(n):
    if n == 1:
        v = (1, n)
    elif n == 2:
        v = (n, 2.5, 3)
    else:
        v = [n]
    match v:
        case (a, b):
            return a, b
        case (a, b, c):
            return c
        case [a]:
            return a


@program((1,), (2,), (9,))
def alternatives_capture(n):
    match (n, n + 1):
        case (1, k) | (2 as k, _):
            return k
        case (k, _) | k:
            return -k


# --- one of several objects -----------------------------------------------------------------------


@program((1,), (2,))
def object_or_none(n):
    p = Point(1.0, n) if n == 1 else None
    found = []
    match p:
        case Point(x, 1) as q:
            q.x = 7.0
            found.append(x)
        case None:
            found.append("none")
    match n, p:
        case 2, None:
            found.append("two")
        case k, Point(y=y):
            found.append(k + y)
    return found, p


@program((1,), (2,), (3,))
def objects_of_several_classes(n):
    o = Point(n, 4)
    if n == 2:
        o = Solid(n)
    elif n == 3:
        o = Color.RED
    match o:
        case Solid(x=v) if v > 5:
            return "large"
        case Solid(x=v, z=z):
            return "solid", v, z
        case Point(a, b):
            return a + b
        case Color.BLUE | Color.RED as c:
            return c


@program((0,), (4,), (7,))
def machine_of_enum_members(n):
    state, seen = Color.RED, []
    for i in range(n):
        match state:
            case Color.RED:
                state = Color.BLUE
            case Color.BLUE if i > 2:
                state = Color.RED
            case Color.BLUE:
                pass
        seen.append(state.name)
        print(i, state)
    return state, seen


# --- among other statements -----------------------------------------------------------------------


@program((5,), (0,))
def exits(n):
    total = 0
    for i in range(n):
        match i % 3:
            case 0:
                continue
            case 1:
                total += i
            case _ if total > 100:
                break
            case _:
                total += 100
    return total


@program((5,), (0,), (12,))
def state_machine(n):
    state, steps = "start", 0
    while True:
        steps += 1
        match state:
            case "start":
                state = "run"
            case "run" if steps > n:
                state = "stop"
            case "run":
                pass
            case "stop":
                break
    return steps


@program((1,), (2,), (3,))
def match_in_a_match(n):
    match n:
        case 1 | 2 as k:
            match (k, n + 1):
                case (1, j):
                    r = j
                case (j, _):
                    r = -j
            r += k
        case j:
            r = j * 100
    return r, j


@program((1,), (2,))
def expression_trees(n):
    def value(tree):
        match tree:
            case ("add", a, b):
                return value(a) + value(b)
            case ("mul", a, b):
                return value(a) * value(b)
            case int(v):
                return v

    return value(("add", n, ("mul", 3, ("add", n, 1))))


@pytest.mark.parametrize("item", program.table, ids=name_of)
def test_match_is_as_in_cpython(item):
    assert_same(item)
