"""What does not fit in a call of ``staticpy.xp`` is reported at the call, each for itself."""

import staticpy
from staticpy import xp


@staticpy.jit
def f(x: staticpy.f64["n", 3]):
    a = xp.cumulative_sum(x, axis=5)  # error: SPY505
    b = xp.cumulative_sum(x, axis=7, include_initial=True)  # error: SPY505
    c = xp.nothing(x)  # error: SPY301
    d = xp.linalg.pinv(x[0])  # error: SPY505
    e = xp.astype(x, xp.float32, copy=x[0, 0] > 0)  # error: SPY504
    return a, b, c, d, e


@staticpy.jit
def g(x: staticpy.f64["n"]):
    frequencies = xp.fft.fftfreq(x)  # error: SPY505
    return xp.unstack(x, axis=1), frequencies  # error: SPY505
