"""Sets and dicts of functions, which are known while compiling only, are no results."""

import staticpy


def helper():
    return 1


@staticpy.jit
def a():
    return {helper, len}  # error: SPY624


@staticpy.jit
def b():
    table = {helper: 1, len: 2}
    print(table[helper] + table[len], {len: int})
    return table  # error: SPY624
