"""All errors of a function are reported at once."""

import staticpy


@staticpy.jit
def f(x, *rest):  # error: SPY117
    x.y = f"{x}"  # error: SPY116, SPY205
    for i in {1, 2}:  # error: SPY206
        del i  # error: SPY101
    else:  # error: SPY113
        pass
    return [*rest]  # error: SPY207
