"""`with`: `np.errstate` and context managers of the user's own, and `assert`."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.0, 0.0, -4.0])
Z = np.zeros(3)


class Recorder:
    """Notes what happens to it."""

    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append("exit" if kind is None else kind.__name__)
        return False


class Ignoring:
    """Swallows one kind of exception."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.kind)


class Scaled:
    """Gives a value, and undoes a change."""

    def __init__(self, state, factor):
        self.state = state
        self.factor = factor

    def __enter__(self):
        self.state["scale"] *= self.factor
        return self.state["scale"]

    def __exit__(self, *details):
        self.state["scale"] /= self.factor


class Fixed:
    """A context without state."""

    def __enter__(self):
        return 7

    def __exit__(self, *details):
        return None


# Division by zero without a warning.
@case((X, Z), (X, X))
def errstate_ignores_a_division(x: f64["n"], y: f64["n"]):
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = x / y
    return np.where(np.isfinite(ratio), ratio, 0.0)


# What would warn becomes FloatingPointError.
@case((X, X), (X + 1.0, X + 5.0))
def errstate_raises(x: f64["n"], y: f64["n"]):
    with np.errstate(divide="raise", invalid="raise"):
        return x / y


# ... and is handled.
@case((X,), (X + 10.0,))
def errstate_raises_and_is_handled(x: f64["n"]):
    try:
        with np.errstate(all="raise"):
            result = np.log(x)
    except FloatingPointError:
        result = x
    return result


# An overflow in the region only.
@case((800.0,), (1.0,))
def overflow_inside_only(x: float):
    value = np.float64(x)
    outside = np.exp(value)
    with np.errstate(over="raise"):
        try:
            inside = np.exp(value)
        except FloatingPointError:
            inside = np.float64(-1.0)
    return outside, inside


# One errstate in another: the inner one counts.
@case((X,))
def nested_errstate(x: f64["n"]):
    with np.errstate(divide="raise"):
        with np.errstate(divide="ignore"):
            y = 1.0 / x
    return y


# Equal computations inside and outside are two.
@case((X,), (X + 9.0,))
def equal_computations_inside_and_outside(x: f64["n"]):
    y = np.sqrt(x)
    try:
        with np.errstate(invalid="raise"):
            z = np.sqrt(x)
    except FloatingPointError:
        z = y * 0.0
    return y, z


# An errstate around a loop with an early return.
@case((X,), (X + 9.0,), (X[:0],))
def errstate_around_a_loop(x: f64["n"]):
    total = np.float64(0.0)
    with np.errstate(divide="ignore"):
        for value in x:
            if value < 0.0:
                return total
            total += 1.0 / value
    return total + 1.0


# An errstate in a loop.
@case((X, 3), (X, 0))
def errstate_in_a_loop(x: f64["n"], n: int):
    for i in range(n):
        with np.errstate(all="ignore"):
            x = x / (x - i)
    return x


# The methods of an own context are called, in order.
@case((3,))
def own_context(n: int):
    log = []
    with Recorder(log):
        log.append("body")
        n += 1
    return n, log


# What `__enter__` gives.
@case((3,))
def value_of_a_context(n: int):
    with Fixed() as seven:
        n += seven
    return n, seven


# `__exit__` is called on the way of an early return.
@case((3,), (-3,))
def return_inside(n: int):
    log = []
    with Recorder(log):
        if n > 0:
            return log, n
        log.append("more")
    return log, -n


# `__exit__` is called at `break` and `continue`.
@case((4,), (0,))
def exits_of_a_loop_inside(n: int):
    log = []
    total = 0
    for i in range(4):
        with Recorder(log):
            if i == n:
                break
            if i % 2:
                continue
            total += 1
    return total, log


# `__exit__` sees the class of an exception and lets it go on.
@case((0,), (2,))
def exception_passes_through(n: int):
    log = []
    try:
        with Recorder(log):
            value = 10 // n
    except ZeroDivisionError:
        value = -1
    return value, log


# `__exit__` swallows an exception.
@case((0,), (5,))
def exception_is_swallowed(n: int):
    result = "none"
    with Ignoring(ZeroDivisionError):
        n = 10 // n
        result = "all"
    return result, n


# ... of its own class only.
@case((9,), (1,))
def other_exceptions_go_on(n: int):
    with Ignoring(ZeroDivisionError):
        return (1, 2, 3)[n] if n < 3 else X[n]
    return -1


# A state is changed and put back.
@case((2.0,))
def state_is_put_back(x: float):
    state = {"scale": x}
    with Scaled(state, 3.0) as scale:
        inside = state["scale"] + 1.0
    return state, inside, scale


# Two contexts in one statement, left in reverse order.
@case((2.0,))
def two_contexts(x: float):
    log = []
    state = {"scale": x}
    with Recorder(log) as recorder, Scaled(state, 2.0) as scale:
        recorder.log.append("body")
        x += scale
    return x, log, state


# A second context that can't be made leaves the first.
@case((0,), (2,))
def second_context_fails(n: int):
    log = []
    try:
        with Recorder(log), Recorder([log, 4 // n][0]):
            log.append("body")
    except ZeroDivisionError:
        log.append("handled")
    return log


# Parentheses around contexts.
@case((X,))
def contexts_in_parentheses(x: f64["n"]):
    with (
        np.errstate(divide="ignore"),
        Fixed() as seven,
    ):
        return 1.0 / x + seven


# A context given by the caller's own structure of nested functions.
@case((2,))
def context_from_a_function(n: int):
    log = []

    def opened():
        log.append("opened")
        return Recorder(log)

    with opened() as recorder:
        log.append(recorder is not None)
    return log


# The target of `as` is a pattern.
class Pair:
    def __enter__(self):
        return 1, (2, 3)

    def __exit__(self, *details):
        return False


@case((5,))
def context_gives_a_tuple(n: int):
    with Pair() as (a, (b, c)):
        return n * a + b * c


# --- assert ---------------------------------------------------------------------------------------


@case((3,), (0,))
def assertion(n: int):
    assert n > 0
    return n


# The message is a run-time text.
@case((3,), (0,))
def assertion_with_a_message(n: int):
    assert n > 0, f"n is {n}, which is not above {n + 1}"
    return n


# The message is evaluated only where the condition is false.
@case((3, 0), (-3, 0), (-3, 1))
def message_is_evaluated_late(n: int, m: int):
    assert n > 0, 10 // m
    return n


# An assertion on an array.
@case((X, 3), (X, 2))
def assertion_on_an_array(x: f64["n"], n: int):
    assert x.shape == (n,), "not that size"
    assert np.all(x < 5.0)
    return x.sum()


# An assertion that is known to hold, and one in a branch that is not taken.
@case((1,), (0,))
def assertion_known_while_compiling(n: int):
    assert isinstance(n, int), "no int"
    if n:
        assert len("abc") == 3
        return 1
    return 0


# A failed assertion is handled.
@case((-1,), (1,))
def handled_assertion(n: int):
    try:
        assert n > 0, "negative"
        text = "fine"
    except AssertionError as error:
        text = str(error)
    return text


class Attempt(Ignoring):
    """Counts what it swallows."""

    failures = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.failures += kind is not None
        return super().__exit__(kind, error, trace)


# What `as` binds is there after an exception that was swallowed.
@case((2,), (0,), (-3,))
def entered_object_after_the_exception(n: int):
    quotient = None
    with Attempt(ZeroDivisionError) as attempt:
        quotient = 6 // n
    return quotient, attempt.failures, attempt.kind.__name__


class Node:
    def __init__(self, value, after):
        self.value = value
        self.after = after


# A context beside objects that a loop links, which are in memory.
@case((3,), (1,), (0,))
def context_beside_linked_objects(n: int):
    first = None
    log = []
    for i in range(n):
        with Recorder(log), Ignoring(ZeroDivisionError):
            first = Node(6 // i, first)
    total = 0
    while first is not None:
        total += first.value
        first = first.after
    return total, log
