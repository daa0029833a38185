"""Errors of two functions; a third has no decorator."""

import staticpy


@staticpy.jit
def f(x):
    return {x.ndim}  # error: SPY206


def plain(x):
    return {x.ndim}


@staticpy.jit()
def g(x):
    return {x.ndim}  # error: SPY206
