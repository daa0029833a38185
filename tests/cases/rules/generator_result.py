"""SPY211: a StopIteration that may hold what a generator returns."""

import staticpy


def halves(x):
    yield x / 2
    return x * 3


def up_to(n, x):
    for _ in range(n):
        yield x
    return n


def nothing_more(n, x):
    yield x / 2
    if n > 1:
        return
    yield x / 4
    return None


@staticpy.jit
def the_result(x: float):
    found = halves(x)
    next(found)
    try:
        return next(found)  # error: SPY211
    except StopIteration as end:
        return end.value


@staticpy.jit
def at_once(n: int, x: float):
    return next(up_to(n, x))  # error: SPY211


@staticpy.jit
def after_the_last(x: float):
    found = halves(x)
    return sum(found) + next(found)  # error: SPY211


# Where it surely gives an item or has a default, and where nothing is returned, it is compiled.
@staticpy.jit
def items(x: float):
    found = halves(x)
    first = next(found)
    return first, next(found, None), list(halves(x))


@staticpy.jit
def without_a_result(n: int, x: float):
    found = nothing_more(n, x)
    first = next(found)
    try:
        return next(found)
    except StopIteration:
        return first
