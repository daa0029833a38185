"""`raise`: builtin exceptions, own classes, texts of run-time values, `from`, effects before."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class ModelError(Exception):
    """The base of this file's errors."""


class ShapeError(ModelError, ValueError):
    """Two bases."""


class LimitError(ModelError):
    """Keeps what it was given."""

    def __init__(self, value, limit):
        super().__init__(f"{value} is above {limit}")
        self.value = value
        self.limit = limit

    def excess(self):
        return self.value - self.limit


class Stop(Exception):
    code = 7


# A class, an instance, an instance with a text.
@case((1,), (2,), (3,), (0,))
def ways_to_raise(n: int):
    if n == 1:
        raise ValueError
    if n == 2:
        raise KeyError("key")
    if n == 3:
        raise RuntimeError("a", n, 0.5)
    return n


# The text has run-time values.
@case((3, 2.5), (1, 2.5))
def text_of_run_time_values(n: int, x: float):
    if n > 2:
        raise ValueError(f"{n} > 2 at {x:.2f}: {n * x!r}")
    return x


# An own class.
@case((X,), (X[:2],))
def own_class(x: f64["n"]):
    if len(x) > 2:
        raise ShapeError(f"{len(x)} elements")
    return x.sum()


# An own class with attributes.
@case((3.0, 5.0), (8.0, 5.0))
def own_class_with_attributes(x: float, limit: float):
    if x > limit:
        raise LimitError(x, limit)
    return x


# ... that a handler reads.
@case((3.0, 5.0), (8.0, 5.0))
def attributes_in_a_handler(x: float, limit: float):
    try:
        if x > limit:
            raise LimitError(x, limit)
        over = 0.0
    except LimitError as error:
        over = error.excess()
        x = error.limit
    return x, over


# A handler for the base class.
@case((0,), (1,), (2,), (3,))
def handlers_of_own_classes(n: int):
    try:
        if n == 0:
            raise ShapeError("shape")
        if n == 1:
            raise LimitError(2, 1)
        if n == 2:
            raise Stop
        return "nothing"
    except ValueError as error:
        return "value", str(error)
    except ModelError as error:
        return "model", str(error)
    except Stop as error:
        return "stop", error.code


# raise … from an exception.
@case((0,), (2,))
def raised_from_another(n: int):
    try:
        return 10 // n
    except ZeroDivisionError as error:
        raise ModelError("no quotient") from error


@case((0,), (2,))
def cause_is_read(n: int):
    try:
        try:
            return 10 // n
        except ZeroDivisionError as error:
            raise ModelError("no quotient") from error
    except ModelError as error:
        return type(error.__cause__).__name__


@case((0,), (2,))
def raised_from_none(n: int):
    try:
        try:
            return 10 // n
        except ZeroDivisionError:
            raise ModelError("no quotient") from None
    except ModelError as error:
        return error.__cause__ is None, error.__suppress_context__


# An exception as a value: made here, raised there.
@case((3,), (-3,))
def exception_as_a_value(n: int):
    problem = None
    if n < 0:
        problem = ValueError("negative")
    n = n + 1
    if problem is not None:
        raise problem
    return n


# A class chosen by a run-time value.
@case((1,), (2,), (0,))
def class_from_a_branch(n: int):
    kind = KeyError if n == 1 else IndexError
    if n:
        raise kind(f"n = {n}")
    return n


# A function that makes the exception, a function that raises it.
def problem(n):
    return ShapeError(f"bad size {n}")


def check(n):
    if n > 3:
        raise problem(n)
    return n


@case((4,), (3,))
def raised_in_a_called_function(n: int):
    return check(n) + check(n - 1)


# The arguments of an exception.
@case((4,), (1,))
def arguments_of_an_exception(n: int):
    try:
        if n > 3:
            raise RuntimeError("bad", n, n * 0.5)
        return ()
    except RuntimeError as error:
        return error.args


# A raise in a loop: what was done before is done.
@case((5,), (2,))
def raise_in_a_loop(n: int):
    log = []
    try:
        for i in range(n):
            if i == 3:
                raise Stop(i)
            log.append(i)
    except Stop as stop:
        log.append("stopped")
    return log


# An exception used to leave two loops.
@case((8,), (100,))
def leaves_two_loops(wanted: int):
    found = (-1, -1)
    try:
        for i in range(5):
            for j in range(5):
                if i * j + i == wanted:
                    found = (i, j)
                    raise Stop
    except Stop:
        pass
    return found


# A raise that is never reached.
@case((1,))
def never_reached(n: int):
    if n > 0:
        return n
    raise AssertionError("never")


# A raise at the end of every path.
@case((1,), (-1,))
def raises_on_every_path(n: int):
    if n > 0:
        raise ValueError("positive")
    else:
        raise TypeError("negative")


# A raise behind a compile-time condition.
def only_for(x, mode):
    if mode == "sum":
        return x.sum()
    elif mode == "max":
        return x.max()
    raise NotImplementedError(mode)


@case((X,))
def raise_behind_a_mode(x: f64["n"]):
    return only_for(x, "sum") + only_for(x, "max")


@case((X,))
def raise_of_an_unknown_mode(x: f64["n"]):
    return only_for(x, "median")


# A write to an argument before the raise is seen by the caller.
@case((X.copy(), 5.0), (X.copy(), -5.0))
def writes_before_a_raise(x, limit):
    x[0] = limit
    if limit > 0.0:
        raise LimitError(limit, 0.0)
    x[1] = limit
    return x.sum()


@case(([1.0], 3), ([1.0], 0))
def appends_before_a_raise(items, n):
    for i in range(n + 1):
        items.append(i / (2 - i))
    return len(items)


# What is printed before a raise has been printed.
@case((2,), (0,))
def prints_before_a_raise(n: int):
    print("n =", n)
    value = 10 // n
    print("value =", value)
    return value


# assert and raise in one.
@case((1, 1), (0, 1), (1, 0))
def checks_in_order(a: int, b: int):
    assert a, "a"
    if not b:
        raise ModelError("b")
    return a + b


# A validator with several messages.
def validated(x, *, low, high):
    problems = []
    if x < low:
        problems.append(f"below {low}")
    if x > high:
        problems.append(f"above {high}")
    if problems:
        raise ValueError("; ".join(problems))
    return x


@case((3.0,), (-3.0,), (30.0,))
def validator(x: float):
    return validated(x, low=0.0, high=10.0)


# An exception class made known by a table.
ERRORS = {"low": ValueError, "high": OverflowError}


@case((-1,), (1,), (0,))
def classes_of_a_table(n: int):
    if n < 0:
        raise ERRORS["low"](n)
    if n > 0:
        raise ERRORS["high"]
    return "fine"


# raise in a finally, which hides the first.
@case((0,), (1,))
def raise_in_finally(n: int):
    try:
        n = 10 // n
    finally:
        raise Stop("always")


# raise in a lambda's helper, in a comprehension, in a condition.
def fail(text):
    raise ModelError(text)


@case((3,), (1,))
def raises_in_expressions(n: int):
    return [i if i < 2 else fail(f"at {i}") for i in range(n)]


@case((0,), (1,))
def raises_behind_or(n: int):
    return n or fail("zero")


# isinstance of a caught exception.
@case((0,), (8,), (1,))
def class_of_a_caught_exception(n: int):
    try:
        return X[n] * (1 // n)
    except Exception as error:
        if isinstance(error, ArithmeticError):
            return "arithmetic"
        return "other"


# An exception that is kept and returned.
@case((0,), (2,))
def exception_is_returned(n: int):
    try:
        return n, 10 // n
    except ZeroDivisionError as error:
        return n, str(error)


# Errors are collected.
@case((3,), (0,))
def errors_are_collected(n: int):
    errors = []
    for k in (0, 1, n):
        try:
            if k == 1:
                raise KeyError("one")
            errors.append(f"{6 // k}")
        except (ZeroDivisionError, KeyError) as error:
            errors.append(type(error).__name__)
    return errors


# A StopIteration that leaves a generator is a RuntimeError; one of its consumer is not.
@case((2,), (0,), (3,))
def stop_in_a_generator(n: int):
    def numbers():
        yield 1
        if n == 2:
            raise StopIteration
        yield next(iter(()), 3) if n == 0 else next(iter([4]))

    try:
        return list(numbers())
    except RuntimeError as error:
        return str(error), type(error.__cause__).__name__


# ... also where it is asked step by step, or a handler inside catches something else.
@case((1,), (0,))
def stop_in_a_step(n: int):
    def numbers():
        yield 1
        if n > 0:
            raise StopIteration
        yield 2

    it = numbers()
    first = next(it)
    try:
        return first, next(it)
    except RuntimeError as error:
        return first, str(error)


@case((1,), (0,))
def stop_beside_another_handler(n: int):
    def numbers():
        yield 1
        try:
            if n > 0:
                raise StopIteration
        except ValueError:
            n + 1
        yield 2

    try:
        return list(numbers())
    except RuntimeError as error:
        return str(error)


@case((2,), (0,))
def stop_in_a_consumer(n: int):
    def numbers():
        yield 1
        yield 2

    try:
        for value in numbers():
            if n > 1:
                raise StopIteration("consumer")
    except StopIteration as error:
        return error.value
    return value
