"""`with` over what `contextlib` makes: `contextmanager`, `nullcontext`, `suppress`."""

from __future__ import annotations

import contextlib
from contextlib import contextmanager

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.0, 0.0, -4.0])


@contextmanager
def reported(x):
    print("enter", x)
    try:
        yield x * 2
    finally:
        print("exit")


@contextmanager
def unguarded(x):
    print("before")
    yield x
    print("after")


@contextmanager
def forgiving():
    try:
        yield
    except ValueError as error:
        print("forgiven", error)


@contextmanager
def translating():
    try:
        yield
    except ZeroDivisionError as error:
        raise ValueError("translated") from error


@contextmanager
def failing_late():
    try:
        yield 1
        raise ValueError("late")
    except ValueError:
        print("caught")


@contextmanager
def only_above_zero(x):
    if x > 0:
        yield x


@contextmanager
def restored(array):
    """Undoes what is done to an array, where that fails."""
    before = array.copy()
    try:
        yield array
    except ArithmeticError:
        array[:] = before


class Settings:
    """Has a method that is a context."""

    def __init__(self, scale):
        self.scale = scale

    @contextmanager
    def changed(self, scale):
        before, self.scale = self.scale, scale
        try:
            yield self
        finally:
            self.scale = before


# --- the body stands where the generator yields ---------------------------------------------------


@case((4.0,), (-1.0,))
def value_that_is_yielded(x: float):
    with reported(x) as doubled:
        print("body", doubled)
        if x < 0:
            raise ValueError("negative")
    return doubled


# Without a `try`, an exception passes the generator by.
@case((4.0,), (-1.0,))
def nothing_after_an_exception(x: float):
    with unguarded(x) as same:
        if same < 0:
            raise ValueError("negative")
    return same


@case((4.0,), (-1.0,), (0.0,))
def exception_that_ends_there(x: float):
    done = 0
    with reported(x) as doubled, forgiving():
        done = 1
        if x < 0:
            raise ValueError("negative")
        done = 2
        if x == 0:
            raise KeyError("zero")
    return doubled, done


@case((4.0,), (0.0,))
def exception_that_becomes_another(x: float):
    try:
        with translating():
            return 1 / x
    except ValueError as error:
        return str(error), type(error.__cause__).__name__


@case((4.0,), (-1.0,))
def return_through_a_context(x: float):
    with reported(x) as doubled:
        if doubled > 0:
            return doubled
        print("stays")
    return 0.0


# The body has returned; what fails after that is caught in the generator.
@case((4.0,), (-1.0,))
def return_before_a_late_exception(x: float):
    with failing_late():
        if x > 0:
            return x + 1
    return 0.0


@case((5,), (0,))
def contexts_in_a_loop(n: int):
    total = 0
    for i in range(n):
        with reported(i) as doubled:
            if i == 1:
                continue
            if i == 3:
                break
            total += doubled
    return total


@case((3,), (0,))
def loop_in_a_context(n: int):
    total = 0
    with forgiving():
        for i in range(n):
            total += i
            if total > 2:
                raise ValueError(total)
    return total


# --- generators that do something else ------------------------------------------------------------


@case((4.0,), (-1.0,))
def generator_that_may_not_yield(x: float):
    with only_above_zero(x) as y:
        print("body", y)
    return y


@case((4.0,))
def context_that_is_entered_twice(x: float):
    context = reported(x)
    with context as y:
        print(y)
    with context as y:
        print(y)
    return y


@case((4.0,), (-1.0,))
def generator_that_returns_early(x: float):
    @contextmanager
    def quiet():
        try:
            yield 1
        except ValueError:
            return
        print("normal")

    with quiet() as value:
        if x < 0:
            raise ValueError
        value = 5
    return value


# --- state ----------------------------------------------------------------------------------------


@case((4.0,), (-1.0,))
def log_of_nested_contexts(x: float):
    log = []

    @contextmanager
    def step(name):
        log.append("start " + name)
        try:
            yield len(log)
        except ValueError as error:
            log.append("error " + str(error))
        finally:
            log.append("end " + name)

    with step("outer") as first, step("inner") as second:
        if x < 0:
            raise ValueError("negative")
    return log, first, second


@case((4.0,), (0.0,))
def array_that_is_restored(x: float):
    a = np.zeros(3)
    with restored(a) as b:
        b[0] = x
        b[1] = 1 / x
        b[2] = 3.0
    return a


@case((X.copy(), 2.0), (X.copy(), 0.0))
def argument_that_is_restored(a: f64[3], x: float):
    with restored(a):
        a[0] = 5.0
        a += 1 / x


@case((4.0,))
def method_that_is_a_context(x: float):
    settings = Settings(1.0)
    with settings.changed(x) as same:
        inside = settings.scale
    return inside, same is settings, settings.scale


# --- a generator with a context -------------------------------------------------------------------


def doubled_and_more(x):
    with reported(x) as y:
        yield y
        yield y + 1


@case((4.0,))
def generator_in_a_context(x: float):
    total = 0.0
    for value in doubled_and_more(x):
        print(value)
        total += value
    return total


@case((4.0,), (-1.0,))
def generator_left_in_a_context(x: float):
    total = 0.0
    for value in doubled_and_more(x):
        total += value
        if total > 0:
            break
    return total


# --- contexts as decorators, and the others -------------------------------------------------------


@reported(2.0)
def decorated(x):
    print("run")
    return x + 1


@case((4.0,))
def context_as_decorator(x: float):
    @reported(x)
    def inner(y):
        return y * 3

    return decorated(x), inner(x)


@case((4.0,), (-1.0,))
def nullcontext_and_suppress(x: float):
    with contextlib.nullcontext(x) as same, contextlib.suppress(ValueError):
        if same < 0:
            raise ValueError
        same += 1
    return same


@contextmanager
def noted(name, log):
    log.append(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as error:
        log.append(str(error))
    finally:
        log.append(f"</{name}>")


# A list is returned out of contexts that handle what the body raises.
@case((0,), (1,), (2,), (3,))
def list_returned_out_of_contexts(n: int):
    log = []
    with noted("a", log) as outer, noted("b", log) as inner:
        log.append(outer + inner)
        if n == 1:
            raise ValueError("one")
        if n == 2:
            return log, "early"
        log.append(10 // (3 - n))
    return log
