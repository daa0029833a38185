"""Values that are not what their annotations say."""

import staticpy


def half(n: int) -> int:  # error: SPY613
    return n / 2


@staticpy.jit
def f(n: int) -> tuple[int, int]:  # error: SPY613
    half(n)
    ratio: int = n / 3  # error: SPY613
    return ratio, n / 2


@staticpy.jit
def g(x: staticpy.f64["n"], y: staticpy.f32["n"]) -> staticpy.f64["n"]:  # error: SPY613
    total: staticpy.f64["n"] = x + y
    count: "int | None" = 2
    return total[:, None] * count
