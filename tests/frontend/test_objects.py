"""Objects, classes, Enums and named tuples: the graph does what CPython does, or refuses."""

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import staticpy
from tests.support.cases import Call
from tests.support.observing import differences
from tests.support.routes import routes_of


class Box:
    def __init__(self, value):
        self.value = value

    def add(self, more):
        self.value += more
        return self

    def __eq__(self, other):
        return isinstance(other, Box) and self.value == other.value

    __hash__ = None


class Bare:
    pass


class Shape:
    def area(self):
        raise NotImplementedError("area")


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Disc(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3.0 * self.radius


class Point(NamedTuple):
    x: float
    y: float = 0.0

    def __len__(self):
        return 77

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __bool__(self):
        return self.x > 0


class Near(NamedTuple):
    x: float

    def __eq__(self, other):
        return abs(self.x - other.x) < 1

    def __lt__(self, other):
        return self.x > other.x

    __hash__ = None


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1  # noqa: PIE796 - an alias

    @property
    def low(self):
        return self.name.lower()

    def __lt__(self, other):
        return self.name < other.name


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5

    def up(self):
        return self + 1


class Bits(enum.IntFlag):
    A = 1
    B = 2


class Numbered(str, enum.Enum):  # noqa: UP042 - older than StrEnum
    A = "a"
    B = "b"


class Made:
    def __new__(cls, n):
        self = super().__new__(cls)
        self.n = n
        return self

    def __init__(self, n):
        self.m = n + 1


class Counted:
    total = 0


class Twice:
    def __get__(self, instance, owner):
        return instance.value * 2

    def __set__(self, instance, value):
        instance.value = value // 2


class Described:
    doubled = Twice()

    def __init__(self, value):
        self.value = value


class MadeUp:
    def __init__(self, n):
        self.n = n

    def __getattr__(self, name):
        if name == "zz":
            return 5
        raise AttributeError(name)


class Upto:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at >= self.n:
            raise StopIteration
        self.at += 1
        return self.at * 10


class Evens:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * 2


@functools.total_ordering
class Ranked:
    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return self.key == other.key

    def __lt__(self, other):
        return self.key < other.key

    __hash__ = None


@dataclasses.dataclass
class Derived:
    a: int
    s: dataclasses.InitVar[int] = 3
    t: int = dataclasses.field(init=False, default=9)
    u: int = dataclasses.field(init=False)

    def __post_init__(self, s):
        self.u = self.a + s


@functools.singledispatch
def kind(x):
    return "any"


@kind.register
def _(x: int):
    return "int"


@kind.register(float)
def _(x):
    return "float"


Program = Callable[..., Any]
PROGRAMS: dict[str, tuple[Program, tuple[Call, ...]]] = {}


def program(*calls: tuple[Any, ...]) -> Callable[[Program], Program]:
    """Enter the function below into the table."""

    def enter(function: Program) -> Program:
        PROGRAMS[function.__name__] = function, tuple(Call(args) for args in calls)
        return function

    return enter


@program((1.0,), (-1.0,))
def named_tuple_operators(x):
    p = Point(x, 2.0)
    return len(p), -p, p * 2, 2 * p, bool(p), 1 if p else 0


@program((1.0,))
def named_tuple_comparisons(x):
    p, q = Near(x), Near(x + 0.5)
    return p == q, p != q, p < q, p == Near(x + 5)


@program((0,), (1,), (3,))
def replaced_while_held(n):
    first = Box(0)
    box = first
    for _ in range(n):
        box.value += 1
        box = Box(5)
    return first


@program((2,))
def enum_classes(n):
    colors = [color.name for color in Color], len(Color), Color["GREEN"], Color(1)
    return *colors, Color.CRIMSON is Color.RED, Color.RED.low, Color.GREEN < Color.RED, n


@program((True,), (False,))
def enum_lookups_that_fail(by_name):
    if by_name:
        return Color["NOPE"]
    return Color("nope")


@program((2,))
def numbers_and_texts_of_enums(n):
    numbers = Level.LOW + n, n > Level.HIGH, -Level.LOW, Level.HIGH.up(), [7, 8][Level.LOW]
    return numbers, Bits.A | Bits.B, Numbered.A == "a", Numbered.A.value + "x", Numbered.B.upper()


@program((5, 3), (0, 3))
def member_chosen_at_run_time(n, k):
    level = Level.LOW if n > k else Level.HIGH
    return (
        level,
        level + 1,
        level.name,
        level == n,
        {Level.LOW: 1, Level.HIGH: 2}[level],
        level.up(),
    )


@program((5,), (0,))
def state_of_a_loop(n):
    state, ups = Color.RED, 0
    for _ in range(n):
        if state is Color.RED:
            state = Color.GREEN
            ups += 1
        else:
            state = Color.RED
    return state, ups


@program((3, 1), (1, 3))
def writes_to_the_chosen_object(a, b):
    x, y = Box(a), Box(b)
    z = x if a > b else y
    z.value = 100
    z.add(1)
    y.value += 7
    return x, y, z.value, z is x, z is y, [z, x]


@program((3, 1), (1, 3))
def choices_of_choices(a, b):
    x, y, z = Box(a), Box(b), Box(0)
    p = x if a > b else y
    q = p if b > 2 else z
    x.value = 77
    q.value += 1
    return p.value, q.value, x, y, z, q is p


@program((Box(1), Box(2), True), (Box(1), Box(2), False))
def chosen_arguments(a, b, first):
    c = a if first else b
    c.value += 10
    c.more = 5
    return c, a.value, hasattr(a, "more")


@program((5,), (0,), (2,))
def objects_of_several_classes(n):
    shape = Square(n) if n > 2 else (Disc(n) if n > 0 else Shape())
    try:
        area = shape.area()
    except NotImplementedError as error:
        area = str(error)
    return area, shape, isinstance(shape, Square), hasattr(shape, "radius")


@program((5, 3), (0, 3))
def chosen_class_and_function(n, k):
    make = Square if n > k else Disc
    step = abs if n > k else float
    return make(n), make.__name__, make is Disc, step(-n)


@program((5,), (0,))
def chosen_method(n):
    a, b = Box(1), Box(2)
    add = a.add if n else b.add
    add(9)
    return a, b


@program((5, 3), (0, 3))
def one_object_by_two_names(n, k):
    if n > k:
        a = b = Box(1)
    else:
        a, b = Box(2), Box(3)
    a.value = 9
    return a.value, b.value, a is b, a, b


@program((5, 3), (0, 3))
def object_kept_elsewhere(n, k):
    holder = Box(None)
    if n > k:
        p = Box(1)
        holder.value = p
    else:
        p = Box(2)
    p.value = 9
    return p, holder


@program((5,), (0,), (1,))
def takes_turns(n):
    a, b = Box(0), Box(100)
    now = a
    for _ in range(n):
        now.value += 1
        now = b if now is a else a
    return a, b, now, now is a


@program((5,), (0,), (1,))
def best_of_a_loop(n):
    best = None
    for i in range(n):
        candidate = Box((i * 7) % 5)
        if best is None or candidate.value > best.value:
            best = candidate
    return best


@program((5,), (0,), (3,))
def swaps_and_makes(n):
    a, b = Box(0), Box(2)
    for _ in range(n):
        a, b = b, Box(a.value + 1)
    return a, b


@program((4, True), (4, False))
def attribute_of_one_path(n, is_set):
    box = Bare()
    if is_set:
        box.x = n
    return hasattr(box, "x"), getattr(box, "x", None), box


@program((4, True), (4, False))
def attribute_that_is_missing(n, is_set):
    box = Bare()
    if is_set:
        box.x = n
    return box.x


@program((3,), (0,))
def attribute_of_a_loop(n):
    counted, bare = Counted(), Bare()
    for i in range(n):
        counted.total += i
        bare.last = i
    return counted.total, Counted.total, counted, hasattr(bare, "last"), bare


@program((5,), (0,))
def order_of_attributes(n):
    box = Bare()
    for i in range(10):
        if i == n:
            box.done = True
            return box
        box.last = i
    return box


@program((3,), (0,))
def deletes_in_a_loop(n):
    box = Bare()
    box.x = 0
    for i in range(n):
        if hasattr(box, "x"):
            del box.x
        else:
            box.x = i
    return hasattr(box, "x"), box


@program((Box(3), True), (Box(3), False))
def deletes_of_an_argument(box, is_deleted):
    if is_deleted:
        del box.value
    else:
        box.other = 5
    return hasattr(box, "value")


@program((Bare(),))
def deletes_what_is_not_there(box):
    del box.nope


@program((3,))
def dict_of_an_object(n):
    box = Box(n)
    held = vars(box)
    held["more"] = 5
    box.value = 9
    return sorted(held), held["value"], box.more, "more" in box.__dict__, {**held}, box


@program((Box(3),))
def dict_of_an_argument(box):
    box.more = 4
    return list(vars(box)), vars(box)["value"]


@program((4,))
def made_up_attributes(n):
    thing = MadeUp(n)
    return thing.zz, hasattr(thing, "zz"), hasattr(thing, "yy"), getattr(thing, "yy", 3), thing.n


@program((4,))
def new_and_descriptors(n):
    made, described = Made(n), Described(n)
    described.doubled = 10
    return made, described.doubled, described


@program((3,), (0,))
def own_iterators(n):
    items = Upto(n)
    return list(items), sum(items), max(items, default=-1), items.at, [v + n for v in Evens(n)]


@program((3,), (0,))
def membership_and_next(n):
    items = iter(Upto(2))
    return 4 in Evens(3), 5 in Evens(n), next(items), next(items), next(items, n)


@program((3, 1), (1, 3), (2, 2))
def ordering(a, b):
    x, y = Ranked(a), Ranked(b)
    biggest = max(x, y)
    return x <= y, biggest.key, [each.key for each in sorted([x, y, Ranked(2)])], biggest


@program((3,))
def equality_in_containers(n):
    box = Box(n)
    found = Box(n) in [1, box], [1, box].index(Box(n)), [box, 2, Box(3)].count(Box(n))
    return found, [box] == [Box(n)], (box, 1) != (Box(n), 1), box == 3


@program((1,))
def dataclass_fields(n):
    made = Derived(n)
    return made, made.s, vars(made), dataclasses.replace(made, a=5, s=1), dataclasses.asdict(made)


@program((3,))
def copies(n):
    a = Box([1, Box(n)])
    b, c = copy.deepcopy(a), copy.copy(a)
    a.value[1].value = 50
    twice = copy.deepcopy([a, a])
    return a, b, c.value is a.value, twice[0] is twice[1]


@program((3,), (2.5,), ("x",))
def single_dispatch(x):
    return kind(x)


@program((3,))
def dressed_functions(n):
    def dressed(function):
        @functools.wraps(function)
        def inner(*args):
            return function(*args) + 1

        return inner

    @dressed
    def base(x):
        return x

    return base.__name__, base(n), base.__wrapped__(n)


@pytest.mark.parametrize("name", PROGRAMS)
def test_objects(name: str) -> None:
    function, calls = PROGRAMS[name]
    assert not differences(function, calls, routes_of(function, ("graph", "text")))


def flag_and_a_number(n):
    return Bits.A | n


class Shifted(Point):
    __slots__ = ()

    def __new__(cls, x, y=0):
        return super().__new__(cls, x + 100, y)


class Noticed(Point):
    __slots__ = ()

    def __init__(self, *_):
        MADE.append(1)


class Pair(NamedTuple):
    x: int
    y: int

    def __iter__(self):
        return iter((self[1], self[0]))


MADE: list[int] = []


def named_tuple_with_new(n):
    return Shifted(n, 2)


def named_tuple_with_init(n):
    return Noticed(n, 2)


def named_tuple_with_iter(n):
    return [Pair(i, n).x for i in range(n)]


def named_tuple_of_a_list(n):
    parts = [Point(i, i) for i in range(n)]
    return callable(parts[-1])


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (flag_and_a_number, "SPY605"),
        (named_tuple_with_new, "SPY636"),
        (named_tuple_with_init, "SPY636"),
        (named_tuple_with_iter, "SPY636"),
        (named_tuple_of_a_list, "SPY504"),
    ],
)
def test_refused(function: Program, code: str) -> None:
    with pytest.raises(staticpy.CompileError, match=code):
        staticpy.jit(function)(3)


def method_or_member(n):
    return Box(n).add if n > 0 else Color.RED


def object_or_view(n):
    return Box(n) if n > 0 else {1: n}.items()


def set_or_module(n):
    return {1, 2} if n > 0 else functools


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (method_or_member, "is a method after one branch and Color.RED after the other"),
        (object_or_view, "is a Box after one branch and a dict_items after the other"),
        (set_or_module, "is a set after one branch and the module functools after the other"),
    ],
)
def test_what_has_no_value_is_named(function: Program, said: str) -> None:
    with pytest.raises(staticpy.CompileError, match=said):
        staticpy.jit(function)(3)


def member_beside_numpy(x):
    return x == Color.RED, x != Color.RED, x in (Color.RED, Color.GREEN)


def object_beside_numpy(x):
    bare = Bare()
    return x == bare, bare == x, x != bare, bare != x


@pytest.mark.parametrize("function", [member_beside_numpy, object_beside_numpy])
@pytest.mark.parametrize("x", [np.float32(1), np.bool_(True), np.array(1.0)], ids=repr)
def test_nothing_of_numpy_equals_an_object(function: Program, x: Any) -> None:
    assert not differences(function, [Call((x,))], routes_of(function, ("graph", "text")))


def test_no_element_equals_an_object() -> None:
    def equal(x):
        return x == Color.RED, x != Color.RED

    x = np.array([[1.0, np.nan]])
    for found, expected in zip(staticpy.jit(equal)(x), equal(x), strict=True):
        np.testing.assert_array_equal(found, expected, strict=True)
