"""Errors of two functions; a third has no decorator."""

import staticpy


@staticpy.jit
def f(x):
    return x + missing  # error: SPY301


def plain(x):
    return x + missing


@staticpy.jit()
def g(x):
    return x - missing  # error: SPY301
