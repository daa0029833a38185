"""SPY103: what waits is not part of a graph."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
async def awaited(x: float):  # error: SPY103
    return x


@staticpy.jit
def inside(x: float):
    async def g(y):  # error: SPY103
        return y

    return x


@staticpy.jit
async def loop(x: float):  # error: SPY103
    async for y in x:
        return y


@staticpy.jit
def deeper(x: float):
    def g():
        async def h():  # error: SPY103
            return x

        return h

    return x


async def runs_outside(x: float):
    return another_name(x)


@staticpy.jit
def another_name(async_: float):
    return async_ + 1


@staticpy.jit
def name_of_a_string(x: float):
    return x if "async" else -x
