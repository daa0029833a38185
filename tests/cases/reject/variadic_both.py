"""Both, over several lines."""

import staticpy


@staticpy.jit
def f(
    x,
    *parts,  # error: SPY117
    scale=1.0,
    **options,  # error: SPY117
):
    return x * scale
