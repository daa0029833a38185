"""Every block of a rejected `try` is checked."""

import staticpy


@staticpy.jit
def f(x):
    try:  # error: SPY105
        class A: pass  # error: SPY104
    except* ValueError:
        class B: pass  # error: SPY104
    else:
        class C: pass  # error: SPY104
    finally:
        class D: pass  # error: SPY104
    return x
