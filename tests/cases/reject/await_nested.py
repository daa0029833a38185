"""`await` belongs to a coroutine, which is refused as a whole."""

import staticpy


@staticpy.jit
def f(x):
    async def g(y):  # error: SPY103
        return await y

    return x
