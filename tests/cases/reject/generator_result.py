"""A StopIteration that may hold what a generator returns."""

import staticpy


def up_to(n):
    yield from range(n)
    return n


@staticpy.jit
def first(n: int):
    return next(up_to(n))  # error: SPY211


@staticpy.jit
def second(n: int):
    items = up_to(n)
    try:
        next(items)  # error: SPY211
    except StopIteration as end:
        return end.value
    return 0
