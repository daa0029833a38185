"""SPY805, in preview: arrays that a loop makes longer round by round."""

import numpy as np
from numpy import concatenate

import staticpy
from staticpy import f64


@staticpy.jit
def by_append(n: int):
    found = np.zeros(0)
    for i in range(n):
        found = np.append(found, i * i)  # error: SPY805
    return found


@staticpy.jit
def by_concatenate(x: f64["n"], k: int):
    found = x
    while k > 0:
        found = concatenate((x, found))  # error: SPY805
        k -= 1
    return found


@staticpy.jit
def row_by_row(x: f64[3], n: int):
    rows = np.zeros((0, 3))
    for i in range(n):
        if i % 2 == 0:
            rows = np.vstack([rows, x * i])  # error: SPY805
    return rows


@staticpy.jit
def of_a_known_size(n: int):
    found = np.zeros(n)
    for i in range(n):
        found[i] = i * i
    return found


@staticpy.jit
def by_a_list(n: int):
    found = [0]
    for i in range(n):
        found.append(i * i)
    return np.array(found)


@staticpy.jit
def another_one_each_time(x: f64["n"], k: int):
    total = 0.0
    for i in range(k):
        longer = np.append(x, i)
        total += longer.sum()
    return total


@staticpy.jit
def once(x: f64["n"]):
    x = np.append(x, 1.0)
    return x
