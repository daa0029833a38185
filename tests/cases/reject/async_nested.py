"""A coroutine inside of a function."""

import staticpy


@staticpy.jit
def f(x):
    async def g():  # error: SPY103
        return x

    return x
