"""Inheritance: `super()`, several bases, abstract methods, `isinstance`, mixins."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Animal:
    legs = 4
    sounds: tuple = ()

    def __init__(self, name):
        self.name = name

    def describe(self):
        return f"{self.name}:{self.legs}"

    def speak(self):
        return "..."

    @classmethod
    def make(cls, name):
        return cls(name)

    @property
    def kind(self):
        return "animal"


class Dog(Animal):
    sounds = ("wuff",)

    def speak(self):
        return self.sounds[0] + super().speak()

    @property
    def kind(self):
        return "dog/" + super().kind


class Bird(Animal):
    legs = 2

    def __init__(self, name, wings=2):
        super().__init__(name)
        self.wings = wings

    def describe(self):
        return super().describe() + f":{self.wings}"


class Base:
    def __init__(self, n):
        self.n = n
        self.trace = ["Base"]

    def value(self):
        return self.n


class Plus(Base):
    def __init__(self, n):
        super().__init__(n)
        self.trace.append("Plus")

    def value(self):
        return super().value() + 10


class Times(Base):
    def __init__(self, n):
        super().__init__(n)
        self.trace.append("Times")

    def value(self):
        return super().value() * 10


class PlusTimes(Plus, Times):
    pass


class TimesPlus(Times, Plus):
    def __init__(self, n):
        Times.__init__(self, n + 1)
        self.trace += ["own"]

    def value(self):
        return -super().value()


class Optimizer(ABC):
    """Steps are made by what inherits from it."""

    def __init__(self, rate):
        self.rate = rate
        self.steps = 0

    @abstractmethod
    def change(self, gradient): ...

    def step(self, x, gradient):
        self.steps += 1
        return x + self.change(gradient)


class Descent(Optimizer):
    def change(self, gradient):
        return -self.rate * gradient


class Momentum(Optimizer):
    def __init__(self, rate, keep=0.9):
        super().__init__(rate)
        self.keep = keep
        self.velocity = 0.0

    def change(self, gradient):
        self.velocity = self.keep * self.velocity - self.rate * gradient
        return self.velocity


class Nesterov(Momentum):
    def change(self, gradient):
        before = self.velocity
        after = super().change(gradient)
        return after + self.keep * (after - before)


class Counted:
    """A mixin: counts calls, and passes them on."""

    calls = 0

    def __call__(self, x):
        self.calls += 1
        return super().__call__(x)


class Square:
    def __call__(self, x):
        return x * x


class CountedSquare(Counted, Square):
    pass


class Layer:
    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        raise NotImplementedError(type(self).__name__)


class Relu(Layer):
    def forward(self, x):
        return np.maximum(x, 0.0)


class Affine(Layer):
    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift

    def forward(self, x):
        return x * self.scale + self.shift


class Chain(Layer):
    def __init__(self, *layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Registry:
    """Subclasses enter themselves."""

    known: dict = {}

    def __init_subclass__(cls, key=None):
        Registry.known[key] = cls


class First(Registry, key="first"):
    def run(self, x):
        return x + 1


class Second(Registry, key="second"):
    def run(self, x):
        return x * 2


class Failure(Exception):
    def __init__(self, code):
        super().__init__(f"failed: {code}")
        self.code = code


class Hard(Failure):
    pass


# Methods are found in the class, then in its bases.
@case((1,))
def finds_methods(n: int):
    dog, bird, animal = Dog("rex"), Bird("tweety", n), Animal.make("x")
    return [thing.describe() for thing in (dog, bird, animal)], dog.speak(), bird.speak()


# Properties and class methods are inherited.
@case((1,))
def inherits_properties(n: int):
    dog = Dog.make("rex")
    return dog.kind, Bird.make("b").kind, Bird.make("c").wings + n, type(dog) is Dog, Dog.legs


# Attributes of a class in a chain of classes.
@case((6,))
def class_attributes(n: int):
    bird = Bird("b")
    before = bird.legs, Dog.legs, Bird.legs
    bird.legs = n
    return before, bird.legs, Bird.legs, bird


# Several bases: one order for all of them.
@case((3,), (-1,))
def several_bases(n: int):
    one, two = PlusTimes(n), TimesPlus(n)
    return one.value(), two.value(), one.trace, two.trace


# super() in the middle of a diamond.
@case((3,))
def diamond(n: int):
    return Plus(n).value(), Times(n).value(), [c.__name__ for c in PlusTimes.__mro__[:4]]


# isinstance and issubclass, with tuples of classes.
@case((3,))
def asks_for_classes(n: int):
    thing = PlusTimes(n)
    known = isinstance(thing, Plus), isinstance(thing, (Dog, Times)), isinstance(thing, Animal)
    return known, issubclass(TimesPlus, Base), issubclass(Dog, (Plus, Bird)), isinstance(n, Base)


# Branches on the class.
def area(shape):
    if isinstance(shape, Bird):
        return shape.wings * 2
    if isinstance(shape, Animal):
        return shape.legs
    return len(shape)


@case((3,))
def branches_on_the_class(n: int):
    return area(Bird("b", n)), area(Dog("d")), area([n, n])


# A method of the base calls one of the class.
@case((X, 0.5, 3), (X, 0.5, 0))
def template_method(x: f64["n"], rate: float, steps: int):
    optimizer = Descent(rate)
    for _ in range(steps):
        x = optimizer.step(x, 2.0 * x)
    return x, optimizer.steps


# State of two classes.
@case((X, 0.1, 4), (X, 0.1, 1))
def momentum(x: f64["n"], rate: float, steps: int):
    optimizer = Momentum(rate)
    y = x
    for _ in range(steps):
        y = optimizer.step(y, y)
    return y


# A class over a class over a class.
@case((1.0, 3), (1.0, 0))
def nesterov(x: float, steps: int):
    optimizer = Nesterov(0.1, keep=0.5)
    for _ in range(steps):
        x = optimizer.step(x, x)
    return x, optimizer.velocity, optimizer


# Optimizers of all classes, in a list.
@case((2.0,))
def all_optimizers(x: float):
    results = {}
    for cls in (Descent, Momentum, Nesterov):
        optimizer = cls(0.5)
        results[cls.__name__] = optimizer.step(optimizer.step(x, x), x)
    return results


# Abstract classes can't be made: TypeError.
@case((0.5, True), (0.5, False))
def abstract_class(rate: float, make: bool):
    if make:
        return Optimizer(rate)
    return Descent(rate).change(1.0)


# Mixins.
@case((3,), (0,))
def mixins(n: int):
    square = CountedSquare()
    total = 0
    for i in range(n):
        total += square(i)
    return total, square.calls, Counted.calls


# Layers by a method that raises where it is missing.
@case((X, True), (X, False))
def missing_override(x: f64["n"], plain: bool):
    return (Layer() if plain else Relu())(x)


# A chain of layers, nested.
@case((X, 2.0))
def chain_of_layers(x: f64["n"], scale: float):
    model = Chain(Affine(scale, -0.5), Chain(Relu(), Affine(-1.0, 0.25)), Relu())
    return model(x), len(model.layers)


# Classes that enter themselves into a dict.
@case((3,))
def registry(n: int):
    return [cls().run(n) for cls in Registry.known.values()], Registry.known["second"]().run(5)


# Exceptions with attributes, caught by their base.
@case((0,), (5,))
def exception_classes(code: int):
    try:
        if code:
            raise Hard(code)
        return "fine", 0
    except Failure as failure:
        return str(failure), failure.code


# ... and not caught.
@case((0,), (5,))
def exception_that_passes(code: int):
    log = []
    try:
        if code:
            raise Failure(code)
        log.append("fine")
    except Hard:
        log.append("hard")
    return log


# A method of the base, called by its name on an object of the class.
@case((2,))
def calls_through_the_base(n: int):
    dog = Dog("rex")
    return Animal.speak(dog), Base.value(TimesPlus(n)), super(Plus, PlusTimes(n)).value()
