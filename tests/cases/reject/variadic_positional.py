"""`*args`."""

import staticpy


@staticpy.jit
def f(*parts):  # error: SPY117
    return parts[0]
