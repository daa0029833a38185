"""SPY634: the order of a set, which differs from run to run."""

import numpy as np

import staticpy


@staticpy.jit
def loops(x: float):
    for name in {"a", "b", "c"}:  # error: SPY634
        x = x * 2 + len(name)
    return x


@staticpy.jit
def and_what_is_in_the_loop(x: float):
    for name in {"a", "b", "c"}:  # error: SPY634
        x = x * np.fromfile(name).sum()  # error: SPY501
    return x


@staticpy.jit
def makes_a_list(x: float):
    return [x * len(name) for name in {"a", "bc"}]  # error: SPY634


@staticpy.jit
def shows(x: float):
    return f"{ {0.5, 1.5} }", x  # error: SPY634


@staticpy.jit
def sorts(x: float):
    for name in sorted({"a", "b", "c"}):
        x = x * 2 + len(name)
    return x


@staticpy.jit
def asks(x: float):
    return x if "a" in {"a", "b"} else -x


@staticpy.jit
def one_item(x: float):
    return [x * len(name) for name in {"a"}]
