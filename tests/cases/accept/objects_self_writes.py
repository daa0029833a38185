"""Objects as arguments: attributes that are read and written, seen by the caller."""

from __future__ import annotations

import types

import numpy as np

from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
Y = np.array([1.0, 1.0, -1.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class Counter:
    """A count, a total, and what was seen."""

    limit = 3

    def __init__(self, count=0):
        self.count = count
        self.total = 0.0
        self.items = []

    def add(self, value):
        self.count += 1
        self.total += value
        self.items.append(value)
        return self

    def check(self):
        if self.count > self.limit:
            raise OverflowError(self.count)

    @property
    def mean(self):
        return self.total / self.count

    @mean.setter
    def mean(self, value):
        self.total = value * self.count


class Particle:
    """Arrays as attributes."""

    def __init__(self, x, v, mass=1.0):
        self.x = x
        self.v = v
        self.mass = mass

    def move(self, dt):
        self.x += dt * self.v

    def push(self, force, dt):
        self.v = self.v + dt / self.mass * force

    def energy(self):
        return 0.5 * self.mass * (self.v @ self.v)


class Box:
    """Holds anything."""

    def __init__(self, **values):
        self.__dict__.update(values)


class Linear:
    """A layer with gradients of its own."""

    def __init__(self, w, b):
        self.w, self.b = w, b
        self.grad_w = np.zeros_like(w)
        self.grad_b = np.zeros_like(b)
        self.seen = None

    def forward(self, x):
        self.seen = x
        return self.w @ x + self.b

    def backward(self, g):
        self.grad_w += np.outer(g, self.seen)
        self.grad_b += g
        return self.w.T @ g

    def step(self, rate):
        self.w -= rate * self.grad_w
        self.b -= rate * self.grad_b
        self.grad_w.fill(0.0)
        self.grad_b[:] = 0.0


SHARED = Counter(1)
ARRAY = np.array([1.0, 2.0, 3.0])


# An attribute is written by a function.
@case((Counter(),), (Counter(5),))
def writes_an_attribute(counter):
    counter.count += 1
    counter.total = counter.count / 2


# ... by a method.
@case((Counter(), 2.5), (Counter(5), 1))
def a_method_writes(counter, value):
    counter.add(value).add(value * 2)
    return counter.total, counter.mean


# A run-time loop writes.
@case((Counter(), 4), (Counter(2), 0))
def writes_in_a_loop(counter, n):
    for i in range(n):
        counter.add(i * 0.5)
    return counter.count


# A while loop on an attribute.
@case((Counter(10),), (Counter(0),))
def loops_on_an_attribute(counter):
    steps = 0
    while counter.count > 0:
        counter.count //= 2
        counter.items.append(counter.count)
        steps += 1
    return steps


# A branch writes one attribute or another.
@case((Counter(), 1.0), (Counter(), -1.0))
def writes_in_a_branch(counter, x):
    if x > 0:
        counter.count = 100
        counter.extra = x
    else:
        counter.total = x
    return counter.count


# What was written before an exception stays.
@case((Counter(0), 2), (Counter(3), 2))
def raises_after_writes(counter, value):
    counter.add(value)
    counter.check()
    counter.total *= 10
    return counter


# ... also of an error at run time.
@case((Counter(), 4, 2), (Counter(), 4, 0))
def run_time_error_after_writes(counter, a, b):
    counter.count = a
    counter.total = a // b
    counter.count = b
    return counter.total


# An attribute changes its type.
@case((Counter(3),))
def attribute_changes_its_type(counter):
    counter.count = counter.count / 2
    counter.total = None
    counter.items = tuple(counter.items)
    counter.label = "new"
    return counter.count


# Attributes are added and deleted.
@case((Box(a=1, b=2.5),))
def adds_and_deletes(box):
    box.c = box.a + box.b
    del box.a
    box.a = 0
    return hasattr(box, "z"), box


# A property that is set.
@case((Counter(4), 2.5))
def sets_a_property(counter, mean):
    counter.mean = mean
    counter.mean += 1.0
    return counter.mean


# Properties over a count of zero: ZeroDivisionError.
@case((Counter(0),), (Counter(2),))
def reads_a_property(counter):
    counter.items.append("read")
    return counter.mean


# The array of an attribute is written in place.
@case((Particle(X, Y), 0.5), (Particle(X, Y, mass=2.0), 0.0))
def moves_a_particle(particle, dt):
    particle.move(dt)
    particle.push(-particle.x, dt)
    return particle.energy()


# Elements and slices of the array of an attribute.
@case((Particle(X, Y),))
def writes_elements_of_an_attribute(particle):
    particle.x[0] = 9.0
    particle.x[1:] += particle.v[:-1]
    particle.v[particle.v < 0] *= 2.0
    particle.x[0], particle.x[2] = particle.x[2], particle.x[0]
    return particle.x.sum()


# Steps of time in a run-time loop.
@case((Particle(X, Y), 5), (Particle(X, Y), 0))
def integrates(particle, steps):
    trace = []
    for _ in range(steps):
        particle.push(-particle.x, 0.1)
        particle.move(0.1)
        trace.append(particle.energy())
    return trace


# The array of the object is also an argument, or the attribute of another object.
@case((Particle(ARRAY, Y), ARRAY), (Particle(ARRAY, ARRAY), Y))
def attribute_and_argument_overlap(particle, x):
    particle.move(1.0)
    x += 1.0
    particle.v = x
    return particle.x


# One object twice; two objects.
@case((SHARED, SHARED), (SHARED, Counter(1)))
def same_object_twice(a, b):
    a.count += 1
    b.count *= 10
    a.items.append(b.count)
    return a is b, len(b.items)


# Two names of an object within the function.
@case((Counter(1),))
def two_names(counter):
    same = counter
    same.count = 5
    counter = Counter(7)
    counter.add(1.0)
    same.add(2.0)
    return same, counter.count


# Objects in a list, a dict and a tuple of arguments.
@case(([Counter(1), Counter(2)], {"c": Counter(3)}))
def objects_within_arguments(counters, table):
    for counter in counters:
        counter.add(table["c"].count)
    table["c"].count = counters[-1].count
    table["d"] = counters[0]
    counters.append(Counter())


# An object within an object.
@case((Box(inner=Box(n=1, items=[]), x=X),))
def nested_objects(box):
    box.inner.n += 1
    box.inner.items.append(box.inner.n)
    box.x[0] = box.inner.n
    box.other = box.inner
    box.other.n *= 10
    return box.inner.n


# Objects change places within an object.
@case((Box(a=Counter(1), b=Counter(2)),))
def exchanges_attributes(box):
    box.a, box.b = box.b, box.a
    box.a.count += 10
    box.items = [box.a, box.b]
    return box.b.count


# A layer: forward, backward, step.
@case((Linear(W, np.array([0.5, -0.5])), X, 0.1))
def trains_a_layer(layer, x, rate):
    y = layer.forward(x)
    g = layer.backward(2.0 * y)
    layer.step(rate)
    return y @ y, g


# ... for a number of rounds.
@case((Linear(W, np.array([0.5, -0.5])), X, 3), (Linear(W, np.array([0.5, -0.5])), X, 0))
def trains_for_rounds(layer, x, rounds):
    losses = np.zeros(rounds)
    for i in range(rounds):
        y = layer.forward(x)
        losses[i] = y @ y
        layer.backward(2.0 * y)
        layer.step(0.01)
    return losses


# Two layers that share a weight.
@case((Linear(W, Y[:2]), Linear(W, Y[1:]), X))
def shared_weights(one, two, x):
    total = one.forward(x) + two.forward(x)
    one.w *= 0.5
    return total, two.forward(x)


# A method with a decorator-like helper: a function that takes a bound method.
def twice(method, value):
    method(value)
    return method(value + 1)


@case((Counter(),))
def bound_methods_as_arguments(counter):
    return twice(counter.add, 1.0) is counter, twice(Counter().add, 2).total


# A closure writes an attribute.
@case((Counter(1), 3))
def a_closure_writes(counter, n):
    def bump(by):
        counter.count += by
        return counter.count

    first = bump(n)
    return first, bump(first), [bump(i) for i in range(n)]


# setattr and getattr by names in a loop.
@case((Box(a=1, b=2, c=0.5),))
def attributes_by_name(box):
    for name in ("a", "b", "c"):
        setattr(box, name, getattr(box, name) * 10)
    return {name: value for name, value in vars(box).items()}


# The dict of an object.
@case((Box(a=1),))
def dict_of_an_object(box):
    names = sorted(vars(box))
    return names, len(box.__dict__), "a" in vars(box)


# A keyword object, and a default of None.
@case(call(1.0), call(1.0, counter=Counter(3)))
def optional_object(x, counter=None):
    if counter is None:
        counter = Counter()
    counter.add(x)
    return counter.count


# An attribute is read before and after a write through another name.
@case((Counter(2), True), (Counter(2), False))
def reads_around_a_write(counter, flag):
    other = counter if flag else Counter(50)
    before = counter.count
    other.count = 9
    return before, counter.count, other.count


# The loop ends early; the attributes keep what was written until then.
@case((Counter(), [1.0, 2.0, -1.0, 5.0]), (Counter(), []))
def stops_early(counter, values):
    for value in values:
        if value < 0:
            counter.stopped = True
            break
        counter.add(value)
    else:
        counter.stopped = False
    return counter.total


# try around a method that raises: what it wrote stays.
@case((Counter(3), 1.0), (Counter(0), 1.0))
def catches_an_error_of_a_method(counter, value):
    try:
        counter.add(value)
        counter.check()
    except OverflowError:
        counter.count = -1
    finally:
        counter.items.append("done")
    return counter.count


# The object is returned, within a structure, with what it holds.
@case((Particle(X, Y),))
def returns_its_argument(particle):
    particle.mass *= 2.0
    return particle, [particle.x, {"v": particle.v}]


# The dict of an object is the same one inside and outside of the function.
@case((Box(value=1), 3), (Box(value=1), 0))
def dict_of_an_object_is_one(o, n):
    held = [vars(o)]
    held[0]["more"] = n
    o.value = n + 1
    return held, o.__dict__, {"x": vars(o), **vars(o)}


# A namespace is an object like others.
@case((types.SimpleNamespace(a=1, x=X.copy()), 2), (types.SimpleNamespace(a=1.5, x=X.copy()), 0))
def namespace(o, n):
    for i in range(n):
        o.x[i] += o.a
        o.a *= 2
    o.new = n
    return o.x.sum(), hasattr(o, "b"), getattr(o, "b", 5), vars(o)
