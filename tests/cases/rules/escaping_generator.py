"""SPY209: a generator that outlives the call."""

import staticpy


@staticpy.jit
def yields(x: float):
    yield x  # error: SPY209


@staticpy.jit
def returns_one(x: float):
    return (x * i for i in range(3))  # error: SPY209


@staticpy.jit
def returns_a_call(x: float):
    return halves(x)  # error: SPY209


def halves(x):
    while x > 1:
        x = x / 2
        yield x


@staticpy.jit
def consumes(x: float):
    return sum(halves(x))


@staticpy.jit
def makes_a_list(x: float):
    return [y * 2 for y in halves(x)]
