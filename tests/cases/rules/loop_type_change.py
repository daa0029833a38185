"""SPY403: a type that gets wider in each round of a loop."""

import staticpy
from staticpy import f64


@staticpy.jit
def nested_tuples(x: f64["n"], n: int):
    row = x
    i = 0
    while i < n:  # error: SPY403
        row = (row, x)
        i = i + 1
    return row


@staticpy.jit
def nested_lists(x: float, n: int):
    row = [x]
    for _ in range(n):  # error: SPY403
        row = [row]
    return row


@staticpy.jit
def nested_beside_a_number(x: float, n: int):
    pair = x
    for i in range(n):  # error: SPY403
        pair = (i, pair)
    return pair


@staticpy.jit
def accumulates(x: f64["n"], n: int):
    total = 0
    for _ in range(n):
        total = total + x
    return total


@staticpy.jit
def appends(x: float, n: int):
    row = [x]
    for _ in range(n):
        row.append(row[-1] * 2)
    return row


@staticpy.jit
def known_rounds(x: float):
    row = x
    for _ in range(3):
        row = (row, x)
    return row
