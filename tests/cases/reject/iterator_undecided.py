"""One variable for several iterators, by the path taken."""

import staticpy


@staticpy.jit
def f(n: int):
    steps = iter(range(n)) if n > 3 else reversed(range(n))  # error: SPY210
    return sum(steps)


@staticpy.jit
def g(n: int):
    steps = iter(())
    for i in range(n):
        steps = iter(range(i))
        next(steps, 0)
    return list(steps)  # error: SPY210
