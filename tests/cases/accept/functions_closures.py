"""Closures: `nonlocal`, counters, late binding, functions that make and keep functions."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


# A counter.
@case((3,), (0,))
def counter(n: int):
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    for _ in range(n):
        bump()
    return count, bump()


# A counter made by a function at module level.
def make_counter(start, step=1):
    value = start

    def bump():
        nonlocal value
        value = value + step
        return value

    def get():
        return value

    return bump, get


@case((10,))
def two_counters(n: int):
    bump, get = make_counter(n)
    other, other_get = make_counter(0.5, 0.25)
    bump()
    bump()
    other()
    return get(), other_get(), bump(), get()


# `nonlocal` in a branch.
@case((1,), (-1,))
def nonlocal_in_a_branch(n: int):
    sign = 0

    def judge(value):
        nonlocal sign
        if value > 0:
            sign = 1
        elif value < 0:
            sign = -1

    judge(n)
    first = sign
    judge(0)
    judge(-n)
    return first, sign


# `nonlocal` through two levels.
@case((2,))
def nonlocal_through_two_levels(n: int):
    total = n

    def middle():
        def inner(k):
            nonlocal total
            total = total * 10 + k

        inner(1)
        inner(2)
        return total

    return middle(), total


# A middle function has its own variable of that name.
@case((2,))
def nearest_variable_counts(n: int):
    value = n

    def middle():
        value = n * 10

        def inner():
            nonlocal value
            value += 1

        inner()
        return value

    return middle(), value


# `nonlocal` binds what the outer function reads later.
@case((4,), (0,))
def bound_by_the_inner_function(n: int):
    result = None

    def search(limit):
        nonlocal result
        for k in range(limit):
            if k * k > limit:
                result = k
                return

    search(n + 3)
    return result


# `nonlocal` with several names and a swap.
@case((1, 2))
def nonlocal_swap(a: int, b: int):
    def swap():
        nonlocal a, b
        a, b = b, a

    swap()
    first = a, b
    swap()
    return first, a, b


# `nonlocal` in a loop that stops at run time.
@case((100,), (1,))
def nonlocal_in_a_while(limit: int):
    a, b = 0, 1

    def step():
        nonlocal a, b
        a, b = b, a + b

    while a < limit:
        step()
    return a, b


# The type of the variable changes by a call.
@case((3,))
def nonlocal_changes_the_type(n: int):
    value = n

    def halve():
        nonlocal value
        value = value / 2

    halve()
    halve()
    return value


# An array bound by `nonlocal` and changed in place.
@case((X,))
def nonlocal_array(x: f64["n"]):
    total = np.zeros(len(x))

    def add(values):
        nonlocal total
        total = total + values
        total += 1.0

    add(x)
    add(x * 2.0)
    return total


# `del` and `nonlocal`: what the inner function deletes, the outer can't read.
@case((1,), (0,))
def deleted_by_the_inner_function(n: int):
    value = n

    def drop():
        nonlocal value
        if value:
            del value

    drop()
    return n if n else value


# A closure reads a variable that isn't bound yet: NameError.
@case((1,), (0,))
def read_before_it_is_bound(n: int):
    def get():
        return value

    if n:
        value = n
    return get()


# Late binding in a loop, and a default that binds early.
@case((10,))
def late_and_early_binding(n: int):
    late = [lambda: k + n for k in range(3)]
    early = [lambda k=k: k + n for k in range(3)]
    return [f() for f in late], [f() for f in early]


# A closure sees what comes after it.
@case((3,), (0,))
def closure_sees_later_changes(n: int):
    scale = 1
    scaled = lambda v: v * scale
    results = [scaled(n)]
    scale = 2
    results.append(scaled(n))
    for scale in range(5, 5 + n):
        results.append(scaled(n))
    return results


# A closure over the accumulated list.
@case((4,), (0,))
def accumulates_into_a_list(n: int):
    seen = []

    def note(value):
        seen.append(value)
        return len(seen)

    total = 0
    for i in range(n):
        total += note(i * i)
    return total, seen


# Memory in a dict.
@case((3, 5))
def remembers_results(a: int, b: int):
    known = {}
    calls = 0

    def square(key, value):
        nonlocal calls
        if key not in known:
            calls += 1
            known[key] = value * value
        return known[key]

    total = square("a", a) + square("b", b) + square("a", b) + square("b", a)
    return total, calls, known


# Mutually dependent closures.
@case((7,), (0,))
def closures_that_call_each_other(n: int):
    log = 0

    def up(x):
        nonlocal log
        log += 1
        return down(x * 2) if log < 3 else x

    def down(x):
        return up(x - 1)

    return up(n), log


# A closure given to a function that calls it in a loop.
def repeat(function, times):
    for _ in range(times):
        function()


@case((3,), (0,))
def closure_called_elsewhere(n: int):
    state = 1

    def grow():
        nonlocal state
        state = state * 3 + 1

    repeat(grow, n)
    return state


# Two closures share one variable.
@case((5.0,), (50.0,))
def account(amount: float):
    balance = 10.0

    def deposit(value):
        nonlocal balance
        balance += value
        return balance

    def withdraw(value):
        nonlocal balance
        if value > balance:
            raise ValueError("too much")
        balance -= value
        return balance

    deposit(5.0)
    return withdraw(amount), deposit(1.0), balance


# A closure over a loop variable of an outer loop, called in an inner one.
@case((3,), (0,))
def closure_in_nested_loops(n: int):
    total = 0
    for i in range(n):
        offset = i * 10

        def shifted(j):
            return offset + j + i

        for j in range(2):
            total += shifted(j)
    return total


# A function defined in one of two branches.
@case((2,), (-2,))
def defined_in_a_branch(n: int):
    if n > 0:

        def f(x):
            return x + n
    else:

        def f(x):
            return x - n

    return f(10)


# A function defined in one branch only.
@case((2,), (-2,))
def defined_in_one_branch_only(n: int):
    if n > 0:

        def f(x):
            return x + n

    return f(10)


# Closures in a conditional expression, chosen by a run-time value.
@case((2.0, 1), (2.0, 0))
def chosen_by_a_run_time_value(x: float, n: int):
    f = (lambda v: v + 1.0) if n else (lambda v: v * 10.0)
    return f(x)


# A function that keeps what it was given.
def linear(a, b):
    def at(x):
        return a * x + b

    return at


@case((2.0, X))
def functions_that_keep_values(k: float, x: f64["n"]):
    f, g = linear(k, 1.0), linear(x, k)
    return f(3.0), g(2.0), f(g(x))


# A pipeline of closures made in a loop.
@case((X, 2))
def pipeline(x: f64["n"], k: int):
    steps = []
    for power in (1, 2, 3):
        steps.append(linear(float(power), k))
    for step in steps:
        x = step(x)
    return x


# A numeric derivative and Newton's method by closures.
def derivative(f, h=1e-6):
    return lambda x: (f(x + h) - f(x - h)) / (2.0 * h)


@case((2.0,), (9.0,), (1e-4,))
def newton_by_closures(a: float):
    f = lambda x: x * x - a
    slope = derivative(f)
    x = a
    for _ in range(50):
        step = f(x) / slope(x)
        x = x - step
        if abs(step) < 1e-12:
            break
    return x


# Church numerals.
@case((5,))
def church_numerals(n: int):
    two = lambda f: lambda x: f(f(x))
    three = lambda f: lambda x: f(f(f(x)))
    add = lambda a, b: lambda f: lambda x: a(f)(b(f)(x))
    return add(two, three)(lambda v: v + n)(0), two(three)(lambda v: v * 2)(1)


# A comprehension in a closure, a closure in a comprehension.
@case((3, 4))
def closures_and_comprehensions(a: int, b: int):
    def table():
        return [(i, a * i) for i in range(3)]

    a = b
    return table(), [f(a) for f in [lambda v, k=k: v * k for k in (2, 3)]]


# A parameter captured and then changed.
@case((3,))
def captured_parameter_changes(n: int):
    get = lambda: n
    before = get()
    n = n + 0.5
    return before, get()


# A closure that outlives two calls of its maker.
@case((2,))
def each_call_makes_its_own(n: int):
    fs = [make_counter(k * n)[0] for k in range(3)]
    return [f() for f in fs], [f() for f in fs]


# --- closures of a call on one path ---------------------------------------------------------------


def shifted_by(k):
    return lambda v: v + k


def counter_from(start):
    n = start

    def tick():
        nonlocal n
        n += 1
        return n

    return tick


@case((1.0,), (-1.0,), (7.0,))
def closure_made_in_a_branch(x: float):
    if x > 0:
        f = shifted_by(x * 2) if x > 5 else shifted_by(x - 1)
    else:
        f = shifted_by(x * 3)
    return f(1.0)


@case((1.0,), (-1.0,))
def closure_made_in_a_try(x: float):
    try:
        if x < 0:
            raise ValueError
        f = shifted_by(x * 2)
    except ValueError:
        f = shifted_by(x * 5)
    return f(1.0)


@case((1.0,), (-1.0,))
def state_made_in_a_branch(x: float):
    tick = counter_from(x) if x > 0 else counter_from(10.0)
    first = tick()
    return first, tick(), tick()


# What a returned function reads outlives the paths that go on.
@case((1.0, 1), (1.0, 0), (-1.0, 0))
def closure_returned_early(x: float, b: int):
    def pick():
        y = 0
        if x > 0:
            y = 1
            if b > 0:
                return lambda v: v + y
            y = 5.5
        z = y + 1
        return lambda v: v * z

    return pick()(2)


# A function made anew in each round of loops in each other, which reads what the rounds write.
@case((5, [-3.5, -0.25, 0.5]), (0, [2.5]), (1, []))
def functions_of_rounds(k: int, numbers):
    total = 0.0
    for number in numbers:
        outer = lambda p: p - k  # noqa: B023, E731
        k = outer(abs(k)) % 97
        if k < 3:
            for other in numbers:
                total = total + other + number
                inner = lambda p: p * k  # noqa: B023, E731
                k = inner(6) % 97
    return k, total
