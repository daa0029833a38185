"""What stands in statements is checked, wherever it stands."""

import numpy as np

import staticpy


@staticpy.jit
def f(x):
    with np.errstate(divide="ignore"):
        class A: pass  # error: SPY104
    match x.ndim:
        case 0 if x > 0:
            class B: pass  # error: SPY104
    try:
        class C: pass  # error: SPY104
    except ValueError:
        class D: pass  # error: SPY104
    else:
        class E: pass  # error: SPY104
    finally:
        class F: pass  # error: SPY104
    while x > 0:
        x = x - 1
    else:
        class G: pass  # error: SPY104
    return x
