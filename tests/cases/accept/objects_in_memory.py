"""Objects that must be memory of the running program, and all that can be done to them there."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Box:
    """See the cases."""

    def __init__(self, n, w=0.5):
        self.n = n
        self.w = w
        self.items = [1]

    def __add__(self, n):
        return Box(self.n + n, 0.5)

    def __iadd__(self, n):
        self.n += n
        return self

    def __iter__(self):
        yield self.n
        yield self.w

    def __call__(self, n):
        return self.n + n

    def __str__(self):
        return f"box of {self.n}"

    def add(self, n):
        self.n += n
        return self


class Child(Box):
    """See the cases."""

    def __call__(self, n):
        return self.n * n


# '+=' asks the class for '__iadd__' first: the object stays the same.
@case((0.0, 3), (1.5, 0))
def in_place_beside_a_handler(a, n):
    o = Box(a)
    first = o
    try:
        o += 0.5
        x = n // n
    except ZeroDivisionError:
        x = 0
    return o.n, o is first, x


@case((X,), (X[:0],))
def in_place_in_a_loop(y):
    o = 1
    for f in y:
        o = Child(f)
        o += 1
    return o


@case((3, 5), (0, 5))
def in_place_where_it_becomes_a_number(i, j):
    o = Box(j)
    o += 1
    for _ in range(i):
        return o
    for k in range(4, 0, -2):
        o = k
    return o


# Which of two classes it is: the path says.
@case((1, 2), (-1, 2), (0, 0))
def called_gone_through_and_shown(n, k):
    made = []
    for i in range(3):
        made.append(Child(i) if n > 0 else Box(k))
    last = made[-1]
    if k == 0:
        last = Box(1)
    print(str(last), f"{made[0]}")
    return (
        last(5),
        list(last),
        [x for box in made for x in box],
        sum(box(i) for i, box in enumerate(made)),
    )


def twice(method, value):
    """Call a function two times."""
    method(value)
    return method(value + 1)


@case((3,), (0,))
def a_bound_method_as_an_argument(n):
    made = []
    for i in range(n):
        box = Box(i)
        made.append(twice(box.add, 1))
    return [box.n for box in made]


# What each round begins with is what the first one began with: before its own writes.
@case((3, X), (0, X))
def an_attribute_is_written_before_another_object_is_bound(i, x):
    box = Box(0.5, 1)
    for _ in range(i):
        box.w = x[1]
        box = box + 1
    return box.w


@case((3, X), (0, X))
def an_attribute_of_one_of_two(i, x):
    box = Box(0.5, 1) if i else Box(2, 3)
    for _ in range(i):
        box.w = x[1]
        box = box + 1
    return box.w


@case((3, X), (0, X))
def an_item_is_written_before_another_list_is_bound(i, x):
    items = [1]
    for _ in range(i):
        items[0] = x[1]
        items = [0.5]
    return items


# A list inside of the object becomes memory in one round.
@case((0.5, X), (0.5, X[:0]))
def another_object_is_returned_in_the_first_round(a, x):
    o = Box(a)
    for _ in range(len(x)):
        o = o + 1
        return o
    return None


# --- what a descriptor keeps in the object itself ---------------------------------------------------


class _Doubled:
    """Keeps twice what it is given, under its own name."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        return instance.__dict__[self.name]

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value * 2


class _Weighed:
    weight = _Doubled()

    def __init__(self, weight):
        self.weight = weight


# An object that is handed out, or that a loop makes, is not told its attribute again.
@case((1.5,), (-2.0,))
def keeps_what_a_descriptor_kept(x: float):
    made = _Weighed(x)
    made.weight += 1.0
    return made, made.weight


@case((0,), (3,))
def keeps_what_descriptors_kept_in_a_loop(n: int):
    made = [_Weighed(k) for k in range(n)]
    return [each.weight for each in made]
