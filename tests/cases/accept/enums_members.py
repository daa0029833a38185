"""Enums: members, values, iteration, `match`, flags and the arithmetic of `IntEnum`."""

from __future__ import annotations

import enum
from enum import Enum, Flag, IntEnum, auto

import numpy as np

from staticpy import f64
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])


class Color(Enum):
    """Values of several kinds."""

    RED = 1
    GREEN = "g"
    BLUE = (0, 0, 255)

    def describe(self):
        return self.name.lower(), self.value

    @classmethod
    def default(cls):
        return cls.RED


class Kind(Enum):
    """Numbered by itself."""

    SUM = auto()
    MEAN = auto()
    LAST = auto()

    def apply(self, x):
        if self is Kind.SUM:
            return x.sum()
        if self is Kind.MEAN:
            return x.mean()
        return x[-1]

    @property
    def is_linear(self):
        return self in (Kind.SUM, Kind.MEAN)


class Level(IntEnum):
    """Members are ints."""

    LOW = 1
    MIDDLE = 5
    HIGH = 10


class Access(Flag):
    """Members are bits."""

    READ = 1
    WRITE = 2
    BOTH = 3


NO_ACCESS = Access(0)  # the class keeps it from here on


class Cell(enum.IntEnum):
    """Cells of a grid."""

    EMPTY = 0
    WALL = 1
    START = 2


class Activation(Enum):
    """Members hold parameters."""

    RELU = ("relu", 0.0)
    LEAKY = ("leaky", 0.1)

    def __init__(self, label, slope):
        self.label = label
        self.slope = slope

    def __call__(self, x):
        return np.where(x > 0, x, self.slope * x)


# Members, names and values.
@case((1,))
def names_and_values(n: int):
    return Color.RED.value + n, Color.GREEN.name, Color.BLUE.value[2], Color.RED.describe()


# A member is a result.
@case((1,), (0,))
def member_as_a_result(n: int):
    return Color.RED if n else Color.BLUE


# Members by value and by name.
@case((1,))
def looks_members_up(n: int):
    return Color(1), Color["GREEN"], Color("g") is Color.GREEN, Color.default(), n


# A value that no member has: ValueError.
@case((1, True), (1, False))
def unknown_member(n: int, look: bool):
    if look:
        return Color(77)
    return Color.RED.value + n


# A member as an argument picks the branch.
@case((X, Kind.SUM), (X, Kind.MEAN), (X, Kind.LAST))
def member_as_an_argument(x, kind):
    if kind == Kind.SUM:
        return x.sum()
    elif kind is Kind.MEAN:
        return x.mean()
    return x[-1]


# Methods and properties of members.
@case((X, Kind.MEAN), (X, Kind.LAST))
def methods_of_members(x, kind):
    return kind.apply(x), kind.is_linear, kind.name


# match.
@case((X, Kind.SUM), (X, Kind.LAST), (X, None))
def matches_members(x, kind):
    match kind:
        case Kind.SUM:
            return x.sum()
        case Kind.MEAN | Kind.LAST:
            return x[-1], kind
        case _:
            return x


# Iteration in order of definition.
@case((X,))
def iterates(x: f64["n"]):
    results = []
    for kind in Kind:
        results.append(kind.apply(x))
    return results, [member.name for member in Color], len(Kind)


# Members as keys.
@case((1.0, 2.0))
def members_as_keys(x: float, y: float):
    table = {Kind.SUM: x, Kind.MEAN: y}
    table[Kind.LAST] = x + y
    return table[Kind.MEAN], table, Kind.SUM in table


# Comparisons: identity and equality; an Enum is not its value.
@case((Color.RED,), (Color.BLUE,))
def compares_members(color):
    return color == Color.RED, color is Color.BLUE, color == 1, color != Color.RED, color in Color


# IntEnum counts and compares.
@case((3,), (10,))
def int_enum_arithmetic(n: int):
    return n + Level.LOW, Level.HIGH * n, n > Level.MIDDLE, Level.LOW < Level.HIGH, n == Level.HIGH


# An IntEnum is made of a known number, and is an index.
@case((X,))
def int_enum_as_an_index(x: f64["n"]):
    x[Level.LOW] = Level.HIGH
    return Level(5), x[Level.LOW], Level(1).name, [0, 7][Level.LOW]


# IntEnum members written into an array of ints.
@case((3, 4), (1, 1))
def cells_of_a_grid(m: int, n: int):
    grid = np.full((m, n), Cell.EMPTY)
    grid[0] = Cell.WALL
    grid[-1, -1] = Cell.START
    walls = 0
    for i in range(m):
        for j in range(n):
            if grid[i, j] == Cell.WALL:
                walls += 1
    return grid, walls, (grid == Cell.START).sum()


# Flags.
@case((Access.READ,), (Access.BOTH,))
def flags(access):
    length = len(access), len(Access.READ | Access.WRITE)
    return (
        bool(access & Access.WRITE), access | Access.WRITE, Access.READ in access, access.value,
        length,
    )  # fmt: skip


# Members that hold parameters and can be called.
@case((X, Activation.RELU), (X, Activation.LEAKY))
def members_with_parameters(x, activation):
    return activation(x), activation.label, activation.slope


# A member in a tuple, a list and a dict of arguments.
@case(({"kind": Kind.SUM, "x": X},), ({"kind": Kind.MEAN, "x": X},))
def member_within_an_argument(options):
    kind = options["kind"]
    options["kind"] = Kind.LAST
    return kind.apply(options["x"]), options["kind"]


# A state machine over a run-time sequence of ints.
@case((np.array([1, 1, 0, 1]),), (np.array([0]),))
def state_machine(signal):
    state = Level.LOW
    ups = 0
    for value in signal:
        if state == Level.LOW and value:
            state = Level.HIGH
            ups += 1
        elif not value:
            state = Level.LOW
    return ups, state == Level.HIGH


# Keyword and default members.
@case(call(X), call(X, kind=Kind.SUM))
def default_members(x, kind=Kind.MEAN):
    return kind.apply(x), f"{kind.name}:{kind.value}"


# A dict of functions by member, and an error for what it lacks: KeyError.
FUNCTIONS = {Kind.SUM: np.sum, Kind.MEAN: np.mean}


@case((X, Kind.SUM), (X, Kind.LAST))
def functions_by_member(x, kind):
    return FUNCTIONS[kind](x)


class Weight(Enum):
    """Values of one kind, and a name for one of them."""

    LIGHT = 1
    HEAVY = 4
    STANDARD = 1


class Height(Enum):
    """What is unknown is the lowest."""

    LOW = 0
    HIGH = 10

    @classmethod
    def _missing_(cls, value):
        return cls.LOW if value < 0 else None


# A member by a value of the running program; ValueError where there is none.
@case((1,), (4,), (3,), (-1,))
def by_value(n: int):
    return Weight(n)


# Its name and its value, and which it is.
@case((1,), (4,))
def asked_by_value(n: int):
    weight = Weight(n)
    return weight.name, weight.value, weight is Weight.LIGHT, weight == Weight.HEAVY


# The error is caught, with CPython's message.
@case((4,), (7,))
def unknown_value(n: int):
    try:
        return Weight(n).value
    except ValueError as error:
        return str(error)


# Values that are equal to that of a member: floats, bools.
@case((1.0,), (2.5,), (4.0,))
def by_float(x: float):
    return Weight(x)


@case((True,), (False,))
def by_bool(flag: bool):
    return Weight(flag)


# `match` on the member.
@case((1,), (4,))
def matched_by_value(n: int):
    match Weight(n):
        case Weight.LIGHT:
            return "light"
        case Weight.HEAVY:
            return "heavy"


# By a name that a branch chooses; KeyError where there is none.
@case((0,), (1,), (2,))
def by_name(n: int):
    name = "LIGHT" if n == 0 else "STANDARD" if n == 1 else "NONE"
    return Weight[name]


# What no member has is asked of the class.
@case((0,), (10,), (-5,), (5,))
def by_missing(n: int):
    return Height(n)


# In a loop.
@case((5,), (0,))
def counted_by_value(n: int):
    count = 0
    for i in range(n):
        if Weight(1 if i % 2 else 4) is Weight.HEAVY:
            count += 1
    return count


class Option(enum.IntFlag):
    """Members are numbers, and can be gone through."""

    FAST = 1
    EXACT = 2


# Members of flags are gone through one by one, those of an IntFlag, too, though they are numbers.
@case((2,))
def members_of_flags(n: int):
    both = Option.FAST | Option.EXACT
    found = [member.value * n for member in both], len(both), np.iterable(both), np.iterable(Color)
    return found, np.iterable(Access.READ), np.iterable(Color.RED), list(Access.READ | Access.WRITE)


# What has no hash is no name of a member.
@case((True,), (False,))
def names_without_a_hash(is_list: bool):
    try:
        return Color["RED"], Color[[1]] if is_list else Color["PINK"]
    except (KeyError, TypeError) as error:
        return str(error)


# Members of an IntEnum as bounds of slices, and in tuples.
@case((2, np.arange(24.0).reshape(12, 2)), (7, np.arange(24).reshape(12, 2)))
def members_as_bounds(n: int, x):
    level = Level.LOW if n < 5 else Level.HIGH
    x[level:] += 1
    x[:level, 0] *= 2
    x[level, 1] = n
    return x[1:level], x[level, 1], x[level:None, ::-1].sum()
class Letter(str, Enum):
    """Members are texts."""

    A = "a"


# Beside NumPy a member of an IntEnum is as strong as a number of its own: it is no plain int.
@case((np.int8(3), np.ones(2, "f4")), (np.uint64(3), np.arange(2, dtype="i1")))
def members_beside_numpy(x, a):
    found = x + Level.HIGH, Level.HIGH * x, x**Level.LOW, x // Level.HIGH, np.add(x, Level.HIGH)
    found += divmod(x, Level.HIGH), pow(Level.HIGH, x)
    return found, a + Level.HIGH, np.maximum(Level.LOW, a), x > Level.LOW, a == Level.HIGH


# Texts that are members, so often; and beside texts of the running program.
@case((3, "b"), (0, "a"))
def members_that_are_texts(n: int, text: str):
    shown = f"{text}{n}"
    return Letter.A * n, n * Letter.A, Letter.A + shown, shown + Letter.A, shown == Letter.A


# ... to functions of NumPy that compute as ufuncs do, and in what they are given.
@case((np.arange(3, dtype="i1"),), (np.arange(3, dtype="f4"),))
def members_given_to_numpy(x):
    chosen = np.choose([0, 1], [x[0], Level.LOW])
    return np.where(x > 1, Level.LOW, x), np.clip(x, Level.LOW, 2), x.clip(0, Level.HIGH), chosen
