"""The cases of a rejected `match` are checked."""

import staticpy


@staticpy.jit
def f(x):
    match x.ndim:  # error: SPY107
        case 0:
            x.flags.writeable = True  # error: SPY116
            return x
    return x
