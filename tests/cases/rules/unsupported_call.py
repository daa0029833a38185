"""SPY609: calls of what reads or changes the world outside."""

import time

import staticpy
from staticpy import f64


@staticpy.jit
def opens(x: float):
    with open("x") as file:  # error: SPY609
        return x, file


@staticpy.jit
def asks_the_clock(x: float):
    return x * time.time()  # error: SPY609


@staticpy.jit
def runs_text(x: float):
    return x + eval("1")  # error: SPY609


@staticpy.jit
def asks_who_it_is(x: f64["n"]):
    return id(x)  # error: SPY609


@staticpy.jit
def prints(x: float):
    print("x is", x)
    return x


@staticpy.jit
def calls_what_it_gets(x: float):
    def open(y):
        return y + 1

    return open(x)


@staticpy.jit
def nested(x: float):
    def inner(y):
        return open(y)  # error: SPY609

    return inner(x) + 2.0  # of whose result nothing is said
