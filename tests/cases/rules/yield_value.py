"""SPY202: what is sent to a generator."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def assigned(x: float):
    def steps():
        y = yield x  # error: SPY202
        yield y

    return [step for step in steps()]


@staticpy.jit
def in_an_expression(x: float):
    def steps():
        z = x + (yield x)  # error: SPY202
        yield z

    return [step for step in steps()]


@staticpy.jit
def passed_on(x: float):
    def steps():
        print((yield x))  # error: SPY202

    return [step for step in steps()]


@staticpy.jit
def a_statement(x: float):
    def steps():
        yield x
        yield x * 2

    return [step for step in steps()]


@staticpy.jit
def from_another(x: float):
    def ones():
        yield x

    def steps():
        yield from ones()
        yield x

    return [step for step in steps()]
