"""Plain classes: made in the function, attributes, methods, properties, class attributes."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Counter:
    """Counts; the class knows its step."""

    step = 1
    made = ("by", "hand")

    def __init__(self, start=0):
        self.count = start

    def up(self, times=1):
        self.count += self.step * times
        return self

    def reset(self):
        self.count = 0


class Account:
    """A balance that can't become negative."""

    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount")
        self.balance += amount
        self.history.append(amount)

    def withdraw(self, amount):
        self.history.append(-amount)
        if amount > self.balance:
            raise RuntimeError("too little")
        self.balance -= amount


class Temperature:
    """A property with a setter and a deleter."""

    def __init__(self, celsius):
        self._celsius = celsius

    @property
    def celsius(self):
        return self._celsius

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError("below zero")
        self._celsius = value

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self.celsius = (value - 32) * 5 / 9

    @celsius.deleter
    def celsius(self):
        self._celsius = 0.0


class Slotted:
    """Has no dict."""

    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a

    def double(self):
        self.b = self.a * 2
        return self.b


class Shape:
    """Static and class methods."""

    unit = 2.0

    def __init__(self, sides):
        self.sides = sides

    @staticmethod
    def is_valid(sides):
        return sides > 2

    @classmethod
    def square(cls):
        return cls(4)

    @classmethod
    def measure(cls, n):
        return cls.unit * n

    def perimeter(self):
        return self.measure(self.sides) if self.is_valid(self.sides) else 0.0


class Node:
    """A linked list."""

    def __init__(self, value, rest=None):
        self.value = value
        self.rest = rest


# Made, used, read.
@case((3,), (-1,))
def makes_a_counter(n: int):
    counter = Counter(n)
    counter.up()
    counter.up(times=n)
    return counter.count


# The object itself comes back.
@case((3,))
def returns_an_object(n: int):
    counter = Counter()
    return counter.up(n), counter


# Attributes are added, written and deleted from outside.
@case((3, 0.5))
def writes_from_outside(n: int, x: float):
    counter = Counter(n)
    counter.count = x
    counter.label = "half"
    counter.label += "!"
    counter.count *= n
    counter.extra = [n]
    del counter.extra
    return counter


# An attribute that is deleted is missing: AttributeError.
@case((1, True), (1, False))
def missing_attribute(n: int, delete: bool):
    counter = Counter(n)
    if delete:
        del counter.count
    return counter.count


# An attribute hides that of the class, until it is deleted.
@case((3,))
def class_attribute(n: int):
    counter = Counter(0)
    counter.up()
    counter.step = n
    counter.up()
    hidden = counter.count, Counter.step, counter.made
    del counter.step
    return hidden, counter.up().count


# getattr, hasattr, setattr with known names.
@case((3,))
def attributes_by_name(n: int):
    counter = Counter(n)
    found = hasattr(counter, "count"), hasattr(counter, "size"), getattr(counter, "size", n + 1)
    setattr(counter, "size", 7)
    return found, getattr(counter, "size"), getattr(counter, "up")(2).count, callable(counter.up)


# Run-time loops count.
@case((4,), (0,))
def counts_in_a_loop(n: int):
    counter = Counter()
    for i in range(n):
        if i % 3 == 0:
            counter.reset()
        counter.up(i)
    return counter.count, counter


# An account: errors leave what was done before.
@case((10.0, 3.0), (10.0, 30.0), (10.0, -1.0))
def account(balance: float, amount: float):
    account = Account("me", balance)
    account.deposit(amount)
    account.withdraw(2 * amount)
    return account


# Two objects, two states.
@case((1, 2))
def two_objects(a: int, b: int):
    one, two = Counter(a), Counter(b)
    same = one
    same.up(5)
    two.up().up()
    one, two = two, one
    return one, two, same is two, one is two


# A property is read and set; a setter may raise.
@case((20.0,), (-1000.0,))
def property_with_a_setter(x: float):
    thing = Temperature(0.0)
    thing.celsius = x
    thing.celsius += 5.0
    return thing.fahrenheit, thing


# A setter that goes through another one; a deleter.
@case((212.0,))
def property_over_a_property(x: float):
    thing = Temperature(1.5)
    thing.fahrenheit = x
    before = thing.celsius
    del thing.celsius
    return before, thing.celsius


# Slots; one that isn't set: AttributeError.
@case((3, True), (3, False))
def slots(n: int, double: bool):
    thing = Slotted(n)
    if double:
        thing.double()
    thing.a += 1
    return thing.a, thing.b


# Static and class methods, through the class and through an object.
@case((3,), (2,))
def static_and_class_methods(n: int):
    shape = Shape(n)
    return shape.perimeter(), Shape.square().sides, Shape.measure(n), shape.is_valid(1)


# A bound method is a value; a function of the class too.
@case((2,))
def methods_as_values(n: int):
    counter = Counter()
    up = counter.up
    up()
    up(n)
    Counter.up(counter, 10)
    for method in (counter.up, up):
        method(n)
    return counter.count, [c.count for c in map(Counter, (1, 2))]


# Objects in a list, a dict and a tuple.
@case((1, 2))
def objects_in_structures(a: int, b: int):
    counters = [Counter(a), Counter(b)]
    table = {"first": counters[0], "pair": (counters[1], Counter())}
    for counter in counters:
        counter.up()
    table["first"].up(10)
    table["pair"][1].count = sum(counter.count for counter in counters)
    return counters, table


# A linked list that is built and walked.
@case((1, 2, 3))
def linked_list(a: int, b: int, c: int):
    head = Node(a, Node(b, Node(c)))
    head = Node(0, head)
    node = head
    total = 0
    while node is not None:
        total += node.value
        node.value = total
        node = node.rest
    return total, head.rest.rest.value


# A chosen class, and the class of an object.
@case((5, True), (5, False))
def class_as_a_value(n: int, flag: bool):
    made = [cls(n) for cls in (Counter, Shape)]
    thing = made[0] if flag else made[1]
    return type(made[0]) is Counter, isinstance(made[1], Shape), thing, type(made[1]).unit


# A branch makes objects with different values.
@case((1, 2), (2, 1))
def made_in_a_branch(a: int, b: int):
    if a > b:
        counter = Counter(a)
    else:
        counter = Counter()
        counter.up(b)
    return counter.up().count


# A constructor with arrays: attributes are the arrays.
class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return self.w @ x + self.b

    def scale(self, factor):
        self.w = self.w * factor
        self.b *= factor


@case((W, np.array([0.5, 1.0]), X))
def holds_arrays(w: f64["m", "n"], b: f64["m"], x: f64["n"]):
    layer = Affine(w, b)
    before = layer(x)
    layer.scale(2.0)
    layer.b[0] = 9.0
    return before, layer(x), layer.b is b, layer.w is w


# Numbers are pushed through a running mean.
class Mean:
    def __init__(self):
        self.n = 0
        self.value = 0.0

    def add(self, x):
        self.n += 1
        self.value += (x - self.value) / self.n


@case((X,), (np.array([]),))
def running_mean(x: f64["n"]):
    mean = Mean()
    for value in x:
        mean.add(value)
    return mean.value, mean.n


# A generator of random numbers of its own.
class Congruential:
    def __init__(self, seed):
        self.state = seed

    def draw(self):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state / 2**31


@case((42, 5), (0, 0))
def draws_numbers(seed: int, n: int):
    source = Congruential(seed)
    out = np.zeros(n)
    for i in range(n):
        out[i] = source.draw()
    return out, source.state


# A grid that knows its neighbours.
class Grid:
    def __init__(self, cells):
        self.cells = cells
        self.height, self.width = cells.shape

    def neighbours(self, i, j):
        count = -self.cells[i, j]
        for a in range(max(i - 1, 0), min(i + 2, self.height)):
            for b in range(max(j - 1, 0), min(j + 2, self.width)):
                count += self.cells[a, b]
        return count


@case((np.array([[1, 0, 1], [0, 1, 0]]),))
def counts_neighbours(cells: i64["m", "n"]):
    grid = Grid(cells)
    out = np.zeros_like(cells)
    for i in range(grid.height):
        for j in range(grid.width):
            out[i, j] = grid.neighbours(i, j)
    return out
