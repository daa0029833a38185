"""A coroutine under the decorator."""

import staticpy


@staticpy.jit
async def f(x):  # error: SPY103
    return x
