"""Objects that say themselves how they look: in texts, in containers, and in ``print``."""

# ruff: noqa: F507, PLE0307, PLE1300, PYI024, UP031, UP032

from __future__ import annotations

import enum
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from tests.frontend.programs import Programs, assert_same, name_of

program = Programs()


class Plain:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Plain({self.x!r})"


class Both(Plain):
    def __str__(self):
        return f"both {self.x}"


class Formatted(Plain):
    def __format__(self, spec):
        return f"[{spec}|{self.x}]"


class Counting:
    def __init__(self):
        self.n = 0

    def __repr__(self):
        self.n += 1
        return f"c{self.n}"


class Loud(Plain):
    def __str__(self):
        print("inside", self.x)
        return f"loud {self.x}"


class Wrong:
    def __str__(self):
        return 3


class Changing:
    def __init__(self, items):
        self.items = items

    def __str__(self):
        self.items[0] += 1
        return "changed"


@dataclass
class Point:
    x: float
    y: int = 3
    hidden: list = field(default_factory=list, repr=False)


@dataclass
class Named(Point):
    name: str = "a"


class Derived(Point):
    pass


@dataclass(frozen=True)
class Frozen:
    a: object


Pair = namedtuple("Pair", "a b")


class Step(NamedTuple):
    a: int
    b: float

    def __str__(self):
        return f"Step<{self.a}>"


class Color(enum.Enum):
    RED = 1
    BLUE = (1, 2)
    GREEN = "g"


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 4


class Word(enum.StrEnum):
    X = "ex"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Shown(enum.Enum):
    ONE = 1

    def __str__(self):
        return f"shown {self.value}"


class Told(enum.Enum):
    ONE = 1

    def __repr__(self):
        return "told"


@program((3, 2.5))
def objects(n, x):
    p, b = Plain(n), Both(x)
    s = f"{p} {b} {b!r} {p!s:>12} {b!s:*^20}|{[p, b]} {(p,)} { {'k': b} }"
    return s, str(b), repr(b), str(p), f"{Both(1)!a}"


@program((3,))
def format_methods(n):
    f = Formatted(n)
    return f"{f} {f:abc} {f:>{n}} {f!r}", format(f, "xy"), format(f), "{0.x} {0:a}".format(f)


@program((3, 2.5))
def dataclasses(n, x):
    p = Point(x, n)
    s = f"{p} {p!r:>30} {Named(1.0, n)} {Derived(x)} {Frozen((n, [x]))} {Frozen(Frozen(1))}"
    return s, repr([p]), str(Point(1.0))


@program((3,))
def dataclass_in_itself(n):
    p = Point(1.0, n)
    p.x = [p]
    return f"{p}", repr([p])


@program((3,))
def method_with_effects(n):
    c = Counting()
    s = f"{c} {[c, c]} {c}"
    t = f"{c}{c.n}"
    return s, t, c.n, str([c]), c.n, n


@program((3,))
def texts_change_what_follows(n):
    a = [n, n]
    c = Changing(a)
    return f"{a} {c} {a}", a


@program((3,))
def named_tuples(n):
    a, b = Pair(n, 2.5), Step(n, 2.5)
    s = f"{a} {b} {b!r} {[a, b]} {Pair([n], 'x')}"
    return s, str(a), str(b), repr(b), "%s|%s" % a, "%r" % (a,)


@program((3,))
def enums(n):
    return (
        f"{Color.RED} {Color.RED!r} {Color.BLUE!r} {Color.GREEN:>15} { {Color.RED: n} }",
        f"{Level.LOW} {Level.LOW!r} {Level.LOW:3d} {Word.X} {Word.X!r} {Word.X:>4} {Access.READ}",
        f"{Shown.ONE} {Shown.ONE!r} {Shown.ONE:>10} {[Shown.ONE]} {Told.ONE} {[Told.ONE, n]}",
        "%s %d %r" % (Level.LOW, Level.HIGH, Level.LOW),
        str(Shown.ONE) + str(Level.LOW) + repr(Color.RED),
    )


@program((3, 2.5))
def percent(n, x):
    return (
        "%s %s" % (Plain(n), Both(x)),
        "%r %a %5s| %d" % (Both(n), "é", Plain(1), n),
        "%(p)s %(n)d" % {"p": Plain(x), "n": n},
        "%s" % Plain(n),
    )


@program((3,))
def too_few_for_percent(n):
    return "%s %d" % (Plain(n),)


@program((3,))
def too_many_for_percent(n):
    return "%d" % (n, Plain(n))


@program((3,))
def spec_of_an_object(n):
    return f"{Plain(n):>3}"


@program((3,))
def no_text(n):
    print("before", n)
    print(n, Wrong(), 3)


@program((3,))
def print_calls_in_order(n):
    a, b = Loud(n), Loud(n + 1)
    print(a, b, n, sep="-", end="!\n")
    print("x", a)
    print(a, "x")
    print(1, n, a, 2, b, sep=", ")
    print(f"{a} {b}", [n], [a])


@program((3, "-", "!\n"))
def print_with_separators_of_run_time(n, sep, end):
    print(Loud(n), Loud(n), sep=sep, end=end)


@program(([Plain(1), Both(2)], Point(2.0), Counting()))
def arguments(a, p, c):
    print(a, p)
    s = f"{c} {[c]}"
    return f"{a} {p} {a[0]}", s, c.n


@program((1,), (2,))
def one_of_several(n):
    p = Plain(n) if n > 1 else Both(2)
    c = Color.RED if n > 1 else Color.BLUE
    s = Shown.ONE if n > 1 else None
    f = Formatted(n) if n > 1 else Formatted(7)
    print("p", p, c, s)
    print([p, c], (s, f), {"k": c})
    text = f"{p} {p!r:>20} {c!r} {s} {[p, c, s]} {c:{n + 10}} {f:abc} {p!a}"
    return text, str(p), repr(c), "%s %r %s" % (p, c, s), "{} {!r}".format(p, c)


@program((1,), (2,))
def one_of_several_with_effects(n):
    a, b = Counting(), Counting()
    c = a if n > 1 else b
    print("c", c, [c, a])
    d = Loud(n) if n > 1 else Plain(n)
    print("d", d, n, d)
    return f"{c}{a}{b}{c.n}", a.n, b.n


@program((1,), (2,))
def spec_of_one_of_several(n):
    p = Plain(n) if n > 1 else None
    print("before")
    return f"{p:>3}"


@pytest.mark.parametrize("item", program.table, ids=name_of)
def test_objects_look_as_in_cpython(item):
    assert_same(item)
