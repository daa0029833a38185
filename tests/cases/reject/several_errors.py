"""All errors of a function are reported at once."""

import staticpy


@staticpy.jit
def f(x):
    class Pair:  # error: SPY104
        pass

    async def g(y):  # error: SPY103
        return y

    try:  # error: SPY105
        y = 1 / x
    except* ZeroDivisionError:
        class Triple:  # error: SPY104
            pass
    return y + (yield x)  # error: SPY202
