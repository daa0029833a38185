"""SPY405: functions that call themselves with other types at each depth."""

import staticpy


def grow(x, n, found):
    if n == 0:
        return sum(found)
    return grow(x, n - 1, (*found, x))  # error: SPY405


@staticpy.jit
def an_argument_that_grows(x: float, n: int):
    return grow(x, n, (1.0,))


def double(x, n):
    return x if n == 0 else double((x, x), n - 1)  # error: SPY405


@staticpy.jit
def an_argument_that_doubles(x: float, n: int):
    double(x, n)
    return x


def nest(x, n):
    if n == 0:
        return (x,)
    return (nest(x, n - 1),)


@staticpy.jit
def a_result_in_a_result(x: float, n: int):
    nest(x, n)  # error: SPY405
    return x


def down(n):
    yield n
    if n > 0:
        yield from down(n - 1)  # error: SPY405


@staticpy.jit
def a_generator_through_itself(n: int):
    return sum(down(n))


def power(x, n, found):
    if n == 0:
        return found
    return power(x, n - 1, found * x)


@staticpy.jit
def arguments_of_the_same_types(x: float, n: int):
    return power(x, n, 1.0)


def pile(x, n, found):
    if n == 0:
        return sum(found)
    return pile(x, n - 1, (*found, x))


@staticpy.jit
def to_a_known_depth(x: float):
    return pile(x, 3, (1.0,))


def fill(items, n):
    if n > 0:
        items.append(n)
        fill(items, n - 1)


@staticpy.jit
def a_list_that_grows(n: int):
    items = [0]
    fill(items, n)
    return sum(items)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@staticpy.jit
def two_that_call_each_other(n: int):
    return is_even(n)
