"""Objects that a loop makes: in lists and dicts, linked to each other, of several classes."""

from __future__ import annotations

import copy
import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


@dataclass
class P:
    """See the cases."""

    x: float
    y: float = 0.0
    tags: list = field(default_factory=list)

    def norm(self):
        return math.hypot(self.x, self.y)

    def move(self, dx):
        self.x += dx
        return self

    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)

    def __lt__(self, o):
        return self.x < o.x

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, v):
        self.x = v / 2


class A:
    """See the cases."""

    kind = "a"
    limit = 5

    def __init__(self, v):
        self.v = v

    def f(self):
        return self.v + 1

    def __repr__(self):
        return f"A({self.v})"

    def __eq__(self, o):
        return isinstance(o, A) and self.v == o.v

    def __hash__(self):
        return 1

    def __len__(self):
        return self.v

    def __getitem__(self, i):
        return self.v * i

    def __iter__(self):
        for i in range(self.v):
            yield i

    def __call__(self, k):
        return self.v + k

    def __contains__(self, k):
        return k == self.v


class B(A):
    """See the cases."""

    kind = "b"

    def f(self):
        return super().f() * 10

    def extra(self):
        return 7


class Acc:
    """See the cases."""

    def __init__(self):
        self.items = []
        self.by = {}
        self.last = None

    def add(self, p):
        self.items.append(p)
        self.by[p.x] = p
        self.last = p
        return self


class Nd:
    """See the cases."""

    __slots__ = ("v", "next")

    def __init__(self, v):
        self.v = v
        self.next = None


class Queue:
    """See the cases."""

    def __init__(self):
        self.head = self.tail = None
        self.n = 0

    def push(self, v):
        node = Nd(v)
        if self.tail is None:
            self.head = self.tail = node
        else:
            self.tail.next = node
            self.tail = node
        self.n += 1

    def pop(self):
        if self.head is None:
            raise IndexError("empty")
        v = self.head.v
        self.head = self.head.next
        if self.head is None:
            self.tail = None
        self.n -= 1
        return v

    def __len__(self):
        return self.n


class N:
    """See the cases."""

    def __init__(self, v, nxt=None):
        self.v = v
        self.nxt = nxt


class G:
    """See the cases."""

    total = 0

    def __init__(self, v):
        self.v = v

    def __getattr__(self, n):
        if n.startswith("get_"):
            return self.v
        raise AttributeError(n)

    def __setattr__(self, n, v):
        object.__setattr__(self, n, v)


class F:
    """See the cases."""

    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


@dataclass(frozen=True)
class Fr:
    """See the cases."""

    a: int
    b: float = 0.5


@dataclass(order=True)
class Or:
    """See the cases."""

    a: int
    b: float = 0.0


def rec_len(p):
    return 0 if p is None else 1 + rec_len(p.nxt)


def rec_rev(p, acc=None):
    if p is None:
        return acc
    return rec_rev(p.nxt, N(p.v, acc))


# Objects in a list: methods, properties, operators.
@case((4,), (0,))
def methods_of_each(n: int):
    ps = [P(i * 1.0) for i in range(n)]
    for p in ps:
        p.move(1).tags.append(p.x)
    for p in ps:
        p.double = p.double + 1
    s = P(0.0)
    for p in ps:
        s = s + p
    return s.x, [p.tags for p in ps], [p.norm() for p in ps], len(ps)


# One object many times in a list.
@case((4,), (0,))
def one_object_many_times(n: int):
    p = P(1.0)
    ps = [p]
    for i in range(n):
        ps.append(p)
    for q in ps:
        q.x += 1
    return p.x, ps[0] is p, ps[-1] is ps[0], p in ps


# The list with the objects is returned.
@case((4,), (0,))
def returned_in_a_list(n: int):
    ps = []
    for i in range(n):
        ps.append(P(float(i)))
    for p in ps:
        p.y = 9.0
    return ps


# Two classes in one list: each method is that of the object.
@case((4,), (0,))
def objects_of_two_classes(n: int):
    xs = []
    for i in range(n):
        xs.append(B(i) if i % 2 else A(i))
    t = 0
    for x in xs:
        t = t * 10 + x.f()
        if isinstance(x, B):
            t += x.extra()
    return t, [x.kind for x in xs], [type(x).__name__ for x in xs], [isinstance(x, A) for x in xs]


# Special methods of each.
@case((4,), (0,))
def special_methods(n: int):
    xs = [A(i) for i in range(n)]
    out = []
    for x in xs:
        out.append(len(x))
        out.append(x[3])
        out.append(x(10))
        out.append(sum(x))
        out.append(int(bool(x)))
        out.append(int(2 in x))
    return out


# Equality and identity.
@case((4,), (0,))
def equal_and_identical(n: int):
    xs = [A(i % 2) for i in range(n)]
    c = 0
    for x in xs:
        for y in xs:
            if x == y:
                c += 1
            if x is y:
                c += 100
            if x != y:
                c += 10000
    return c


# Printed, in order.
@case((4,), (0,))
def printed(n: int):
    xs = [A(i) for i in range(n)]
    for x in xs:
        print(x, f"{x!r}")
    return str(xs), [repr(x) for x in xs]


# Sorted by a key, in place and anew.
@case((4,), (0,))
def sorted_by_a_key(n: int):
    ps = [P(float(-i % 3), float(i)) for i in range(n)]
    ps.sort(key=lambda p: p.x)
    qs = sorted(ps, key=lambda p: (-p.x, p.y))
    m = min(ps, key=lambda p: p.y, default=None)
    return [(p.x, p.y) for p in ps], [p.y for p in qs], m.y if m is not None else None


# Sorted by `__lt__`; ValueError of min() of nothing.
@case((4,), (1,))
def sorted_by_less_than(n: int):
    ps = [P(float(-i % 3), float(i)) for i in range(n)]
    return [p.y for p in sorted(ps)], min(ps).y, max(ps).x


# What the class holds, unless the object does.
@case((4,), (0,))
def attributes_of_the_class(n: int):
    xs = [A(i) for i in range(n)]
    if n > 2:
        xs[1].limit = 50
    return (
        [x.limit for x in xs],
        [x.kind for x in xs],
        [hasattr(x, "zz") for x in xs],
        [getattr(x, "limit", 0) for x in xs],
    )


# An attribute that only some objects have.
@case((4,), (0,))
def attribute_that_some_lack(n: int):
    xs = [A(i) for i in range(n)]
    for x in xs:
        if x.v > 1:
            x.flag = True
    try:
        return [x.flag for x in xs]
    except AttributeError as e:
        return str(e)


# ... asked for.
@case((4,), (0,))
def asked_for_an_attribute(n: int):
    xs = [A(i) for i in range(n)]
    for x in xs:
        if x.v > 1:
            x.flag = x.v
    return [getattr(x, "flag", -1) for x in xs], [hasattr(x, "flag") for x in xs]


# An attribute that is deleted.
@case((4,), (0,))
def deleted_attribute(n: int):
    xs = [A(i) for i in range(n)]
    c = 0
    for x in xs:
        if x.v > 1:
            del x.v
        if hasattr(x, "v"):
            c += 1
    return c


# An attribute that changes its type.
@case((4,), (0,))
def attribute_of_several_types(n: int):
    xs = [A(i) for i in range(n)]
    for x in xs:
        x.v = x.v / 2
    t = 0
    for x in xs:
        t = t + x.v
    for x in xs:
        x.v = None
    return t, [x.v is None for x in xs]


# Objects in a dict.
@case((4,), (0,))
def in_a_dict(n: int):
    d = {}
    for i in range(n):
        d[i % 2] = P(float(i))
    for k, p in d.items():
        p.y = k * 1.0
    return [(k, p.x, p.y) for k, p in d.items()]


# An object that holds objects in a list, a dict and an attribute.
@case((4,), (0,))
def held_by_an_object(n: int):
    a = Acc()
    for i in range(n):
        a.add(P(float(i)))
    t = sum(p.x for p in a.items)
    return (
        t,
        len(a.by),
        a.last.x if a.last is not None else None,
        a.last is not None and a.by[float(n - 1)] is a.last,
    )


# A queue of linked nodes, with slots.
@case((4,), (0,))
def queue_of_nodes(n: int):
    q = Queue()
    for i in range(n):
        q.push(i * 0.5)
    out = []
    while len(q):
        out.append(q.pop())
    return out


# ... of which too much is asked: IndexError.
@case((4,), (0,))
def queue_that_is_empty(n: int):
    q = Queue()
    for i in range(n):
        q.push(i)
    for i in range(n + 1):
        q.pop()
    return q.n


# A graph: objects that hold lists of objects.
@case((3,), (0,))
def graph_of_objects(n: int):
    nodes = [A(i) for i in range(n)]
    for x in nodes:
        x.out = []
    for i in range(n):
        for j in range(i):
            nodes[i].out.append(nodes[j])
    t = 0
    for x in nodes:
        for y in x.out:
            t += x.v * 10 + y.v
    return t


# `match` on a class and its attributes.
@case((3,), (0,))
def matched_by_class(n: int):
    xs = [P(float(i), float(i % 2)) for i in range(n)]
    out = []
    for p in xs:
        match p:
            case P(x=0.0):
                out.append(-1.0)
            case P(x=a, y=1.0):
                out.append(a)
            case _:
                out.append(9.0)
    return out


# replace(), astuple(), asdict().
@case((3,), (0,))
def dataclass_functions(n: int):
    xs = [P(float(i)) for i in range(n)]
    ys = [dataclasses.replace(p, y=1.0) for p in xs]
    return (
        [dataclasses.astuple(p)[:2] for p in ys],
        [p.y for p in xs],
        [a == b for a, b in zip(xs, ys)],
        [dataclasses.asdict(p)["x"] for p in xs],
    )


# Attributes that are arrays, written in place.
@case((X, 3), (X, 0))
def objects_of_arrays(x: f64["n"], n: int):
    ps = []
    for i in range(n):
        ps.append(A(x * i))
    for p in ps:
        p.v = p.v + 1
        p.v[0] = 7.0
    t = 0.0
    for p in ps:
        t += p.v.sum()
    return t, [p.v for p in ps]


# What was written before an exception stays.
@case((3,), (0,))
def objects_and_exceptions(n: int):
    xs = [A(i) for i in range(n)]
    try:
        for x in xs:
            x.v = 10 // (x.v - 1)
    except ZeroDivisionError:
        xs.append(A(-5))
    return [x.v for x in xs]


# The best one, or None.
@case((3,), (0,))
def best_object_so_far(n: int):
    best = None
    for i in range(n):
        p = P(float((i * 2) % 3))
        if best is None or p.x > best.x:
            best = p
    ps = [best]
    for i in range(n):
        ps.append(P(1.0))
    return best.x if best else None, len(ps)


# `__getattr__` and `__setattr__`.
@case((3,), (0,))
def attribute_hooks(n: int):
    xs = [G(i) for i in range(n)]
    return [x.get_a + x.v for x in xs], [hasattr(x, "zz") for x in xs], [x.total for x in xs]


# AttributeError of an attribute that has no slot.
@case((3,), (0,))
def attribute_without_a_slot(n: int):
    xs = [F(i) for i in range(n)]
    for x in xs:
        x.b = 1
    return len(xs)


# Frozen dataclasses.
@case((3,), (0,))
def frozen_dataclasses(n: int):
    xs = [Fr(i) for i in range(n)]
    try:
        for x in xs:
            x.a = 2
    except Exception as e:
        return type(e).__name__
    return [x.a + x.b for x in xs], len({1})


# Ordered dataclasses.
@case((3,), (0,))
def ordered_dataclasses(n: int):
    xs = [Or(-i) for i in range(n)]
    a = [x < y for x in xs for y in xs]
    return a, [x == Or(0) for x in xs], [x.a for x in sorted(xs)]


# index(), count() and `in` by `__eq__`.
@case((3,), (0,))
def searched_by_equality(n: int):
    xs = [Or(i) for i in range(n)]
    xs.append(Or(1))
    return xs.index(Or(1)) if Or(1) in xs else -1, xs.count(Or(1)), Or(7) in xs


# Keys of a dict, by identity.
@case((3,), (0,))
def keys_of_a_dict(n: int):
    xs = [N(i) for i in range(n)]
    d = {}
    for x in xs:
        d[x] = x.v
    return [d[x] for x in xs]


# copy() makes another object,
@case((3,), (0,))
def copies(n: int):
    xs = [N(i) for i in range(n)]
    ys = [copy.copy(x) for x in xs]
    return [x is y for x, y in zip(xs, ys)]


# ... and deepcopy() of the list one of each.
@case((3,), (0,))
def deep_copies(n: int):
    xs = [N(i) for i in range(n)]
    ys = copy.deepcopy(xs)
    for y in ys:
        y.v += 10
    return [x.v for x in xs], [y.v for y in ys]


# A cycle of two.
@case((3,), (0,))
def cycle(n: int):
    a = N(0)
    b = N(1, a)
    a.nxt = b
    p = a
    for i in range(n):
        p = p.nxt
    return p.v, p is a


# Two names that are swapped in each round.
@case((3,), (0,))
def swapped_names(n: int):
    a = N(1)
    b = N(2)
    for i in range(n):
        a, b = b, a
    a.v += 10
    return a.v, b.v


# ... in a list.
@case((3,), (0,))
def swapped_in_a_list(n: int):
    xs = [N(i) for i in range(n)]
    for i in range(n // 2):
        xs[i], xs[n - 1 - i] = xs[n - 1 - i], xs[i]
    if n > 1:
        xs[0].nxt = xs[1]
    return [x.v for x in xs], [x.nxt.v if x.nxt else None for x in xs]


# Their truth.
@case((3,), (0,))
def truth_of_objects(n: int):
    xs = [N(i) for i in range(n)]
    return (
        [1 if x else 0 for x in xs],
        [x and x.v for x in xs],
        [x or 5 for x in xs] == xs,
        all(xs),
        any(xs),
    )


# An attribute that begins as None.
@case((3,), (0,))
def attribute_that_was_none(n: int):
    xs = [N(None) for i in range(n)]
    for i, x in enumerate(xs):
        if x.v is None:
            x.v = i
        else:
            x.v = x.v + 1
    return [x.v for x in xs]


# Attributes that are tuples,
@case((3,), (0,))
def attributes_that_are_tuples(n: int):
    xs = [N((i, i * 0.5)) for i in range(n)]
    t = 0
    for x in xs:
        a, b = x.v
        t += a * b
        x.v = (a + 1, b)
    return t, [x.v for x in xs], [x.v[0] for x in xs]


# ... and lists that begin empty.
@case((3,), (0,))
def attributes_that_are_lists(n: int):
    xs = [N([]) for i in range(n)]
    for x in xs:
        x.v.append(1)
        x.v.append(2.5)
    x = N([])
    return [sum(x.v) for x in xs], [x.v for x in xs]


# ... and texts.
@case((3,), (0,))
def attributes_that_are_texts(n: int):
    xs = [N("a" * i) for i in range(n)]
    return (
        [x.v.upper() + "z" for x in xs],
        [f"{x.v!r}" for x in xs],
        {x.v: i for i, x in enumerate(xs)},
    )


# A linked list, walked by a generator.
@case((3,), (0,))
def walked_by_a_generator(n: int):
    def walk(p):
        while p is not None:
            yield p.v
            p = p.nxt

    h = None
    for i in range(n):
        h = N(i, h)
    return list(walk(h)), sum(walk(h))


# ... by recursion, and turned round.
@case((3,), (0,))
def walked_by_recursion(n: int):
    h = None
    for i in range(n):
        h = N(i * 0.5, h)
    r = rec_rev(h)
    return rec_len(h), r.v if r is not None else None, rec_len(r)


# AttributeError past the end of a linked list.
@case((3,), (0,))
def end_of_a_linked_list(n: int):
    h = None
    for i in range(n):
        h = N(i, h)
    return h.nxt.nxt.v


@dataclass(frozen=True)
class Part:
    over: int
    under: int = 1

    def __add__(self, other):
        return Part(self.over + other.over, self.under)

    def __eq__(self, other):
        return self.over == other.over


# An item of a list beside a new object: the operators are those of its class.
@case((3,), (0,))
def running_sums_of_objects(n: int):
    sums = [Part(0)]
    same = 0
    for i in range(n):
        sums.append(sums[-1] + Part(i % 2))
        same += sums[-1] == sums[-2]
    return [part.over for part in sums], same


class Bag:
    def __init__(self, n):
        self.items = [n, n + 1]

    def __iter__(self):
        return iter(self.items)

    def __reversed__(self):
        return iter([9, self.items[0]])

    def __index__(self):
        return self.items[0] % 2


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n


# Objects of a list that say themselves how to go through them, and as an index.
@case((3, X), (1, X))
def iteration_of_objects(n: int, x: f64["m"]):
    bag = [Bag(i) for i in range(n)][-1]
    pairs = list(enumerate(bag)), list(zip(bag, bag))
    return pairs, list(reversed(bag)), [q for q in bag], sum(bag), max(bag), x[bag], [7, 8][bag]


@case((3,), (0,))
def iterators_in_a_list(n: int):
    found = []
    counts = [Countdown(i + 2) for i in range(n)]
    for count in counts:
        found.append(next(count))
        for number in count:
            if number == 1:
                continue
            found.append(number)
    return found, [count.n for count in counts]


# An object without a length or items: TypeError, in Python's words.
@case((3, "len"), (3, "reversed"), (3, "for"))
def object_without_items(n: int, what):
    part = [Part(i) for i in range(n)][-1]
    try:
        if what == "len":
            return len(part)
        return list(reversed(part)) if what == "reversed" else list(part)
    except TypeError as error:
        return str(error)


class Grade:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value


class Never:
    def __eq__(self, other):
        return "never"


# '==' of objects in a list gives what their class says, also of an object and itself.
@case((np.array([1.0, 2.0, 1.0]),), (np.array([np.nan]),))
def equal_objects_in_a_list(x: f64["n"]):
    grades = [Grade(value) for value in x]
    return [grade == grades[0] for grade in grades], [grade != grades[-1] for grade in grades]


@case((2,), (1,))
def object_that_equals_nothing(n: int):
    found = [Never() for _ in range(n)]
    return found[0] == found[-1], found[-1] == found[-1]


class Plain:
    def __init__(self, value):
        self.value = value


# An object without '__eq__' is itself only; its attribute is an element like any other.
@case((np.array([1.0, 2.0]),))
def plain_objects_beside_arrays(x: f64["n"]):
    found = [Plain(value) for value in x]
    return found[0] == found[1], found[0] == found[0], x == found[1].value
