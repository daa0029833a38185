"""Lists and dicts that hold themselves, and what gets deeper in each round."""

import staticpy


@staticpy.jit
def a(n: int):
    numbers = [n]
    numbers.append(numbers)  # error: SPY628
    return numbers


@staticpy.jit
def b(n: int):
    table = {}
    table["self"] = table  # error: SPY628
    return table


@staticpy.jit
def c(n: int):
    outer = [n]
    for _ in range(n):
        inner = [outer]
        outer.append(inner)  # error: SPY628
    return len(outer)


@staticpy.jit
def g(n: int):
    numbers = [n]
    for _ in range(n):  # error: SPY403
        numbers = [numbers]
    return numbers


@staticpy.jit
def h(n: int):
    pair = (n, n)
    for i in range(n):  # error: SPY403
        pair = (i, pair)
    return pair
