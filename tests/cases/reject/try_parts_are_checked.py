"""Every block of a rejected `try` is checked."""

import staticpy


@staticpy.jit
def f(x):
    try:  # error: SPY105
        y = {1, 2}  # error: SPY206
    except ValueError:
        y = f"{x}"  # error: SPY205
    else:
        del x  # error: SPY101
    finally:
        raise KeyError  # error: SPY106
    return y
