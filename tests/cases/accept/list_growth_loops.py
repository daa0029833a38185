"""Lists that grow and shrink in loops whose number of steps is known at run time only."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])


# A list of squares.
@case((4,), (1,), (0,))
def squares(n: int):
    out = []
    for i in range(n):
        out.append(i * i)
    return out


# The orbit of Collatz.
@case((6,), (1,), (27,))
def collatz(n: int):
    orbit = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        orbit.append(n)
    return orbit, len(orbit), max(orbit)


# The digits of a number.
@case((2026, 10), (5, 2), (0, 7))
def digits(n: int, base: int):
    out = []
    while n:
        out.append(n % base)
        n //= base
    out.reverse()
    return out


# Prime factors.
@case((360,), (97,), (1,))
def prime_factors(n: int):
    factors = []
    p = 2
    while p * p <= n:
        while n % p == 0:
            factors.append(p)
            n //= p
        p += 1
    if n > 1:
        factors.append(n)
    return factors


# Only what passes a test is kept.
@case((X,), (-np.abs(X),))
def keeps_positive(x: f64["n"]):
    out = []
    for value in x:
        if value > 0:
            out.append(float(value))
    return out, sum(out)


# A list becomes an array at the end; an empty one has NumPy's default dtype.
@case((5, 0.5), (0, 0.5))
def trajectory(steps: int, x: float):
    positions = []
    for _ in range(steps):
        x = x * 3.7 * (1.0 - x)
        positions.append(x)
    return np.array(positions)


# Arrays are collected and stacked; nothing to stack: ValueError.
@case((X, 3), (X, 1), (X, 0))
def stacks_states(x: f64["n"], steps: int):
    states = []
    for _ in range(steps):
        x = x * 0.5
        states.append(x)
    return np.stack(states)


# The same array each time: only its last state is seen.
@case((X, 3))
def collects_one_array(x: f64["n"], steps: int):
    states = []
    for _ in range(steps):
        x += 1.0
        states.append(x)
    return np.array(states), states[0] is states[-1]


# ... with copies each state is kept.
@case((X, 3), (X, 0))
def collects_copies(x: f64["n"], steps: int):
    states = [x.copy()]
    for _ in range(steps):
        x += 1.0
        states.append(x.copy())
    return np.array(states)


# Tuples are collected.
@case((4,), (0,))
def collects_pairs(n: int):
    pairs = []
    a, b = 0, 1
    for i in range(n):
        pairs.append((i, a / b))
        a, b = b, a + b
    return pairs


# Items of the list decide about the next one.
@case((6,), (2,))
def fibonacci_list(n: int):
    items = [0, 1]
    for _ in range(n):
        items.append(items[-1] + items[-2])
    return items


# The sequence of Golomb: indexes are items.
@case((10,), (1,))
def golomb(n: int):
    g = [0, 1]
    for i in range(1, n):
        g.append(1 + g[i + 1 - g[g[i]]])
    return g[1:]


# A stack in a loop.
@case((X, 1.0), (X, -9.0))
def stack_in_a_loop(x: f64["n"], limit: float):
    stack = []
    popped = 0
    for i in range(len(x)):
        while stack and stack[-1] > x[i]:
            stack.pop()
            popped += 1
        if x[i] > limit:
            stack.append(x[i])
    return len(stack), popped


# A queue in a loop: breadth-first search over neighbours in a table.
@case((np.array([[1, 2], [3, 0], [3, 3], [4, 4], [0, 0]]), 0), (np.array([[0, 0]]), 0))
def breadth_first(neighbours: i64["n", "k"], start: int):
    distance = np.full(len(neighbours), -1)
    distance[start] = 0
    queue = [start]
    while queue:
        place = queue.pop(0)
        for other in neighbours[place]:
            if distance[other] < 0:
                distance[other] = distance[place] + 1
                queue.append(int(other))
    return distance


# Depth-first search with a stack of its own.
@case((5, 2), (1, 3), (0, 2))
def depth_first(depth: int, width: int):
    visited = 0
    leaves = 0
    stack = [0]
    while stack:
        level = stack.pop()
        visited += 1
        if level >= depth - 2:
            leaves += 1
            continue
        for _ in range(width):
            stack.append(level + 1)
    return visited, leaves


# insert and del at run-time places.
@case((5, 2), (1, 9), (0, 1))
def inserts_and_deletes(n: int, k: int):
    items = []
    for i in range(n):
        items.insert(i % k, i)
    while len(items) > 2:
        del items[len(items) // 2]
    return items


# The problem of Josephus.
@case((7, 3), (1, 1), (2, 5))
def josephus(n: int, k: int):
    circle = list(range(n))
    order = []
    place = 0
    while circle:
        place = (place + k - 1) % len(circle)
        order.append(circle.pop(place))
    return order


# Two lists, one of which ends up longer.
@case((X, 1.0), (X, -100.0))
def deals_into_two(x: f64["n"], pivot: float):
    low, high = [], []
    for value in x.tolist():
        (low if value < pivot else high).append(value)
    return low, high, low + high


# extend by run-time pieces.
@case((4,), (0,))
def extends_by_pieces(n: int):
    items = []
    for i in range(n):
        items.extend([i] * i)
        items += [n - i]
    return items


# The list is bound anew in each step: powers of a set of bits.
@case((3,), (0,))
def subset_sums(n: int):
    sums = [0]
    for i in range(n):
        sums = sums + [item + 10**i for item in sums]
    return sums


# Rows of Pascal's triangle.
@case((5,), (0,))
def pascal_row(n: int):
    row = [1]
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
    return row


# break and else around a list that grows.
@case((10, 5), (3, 50))
def breaks_when_full(n: int, limit: int):
    items = []
    for i in range(n):
        items.append(i)
        if sum(items) > limit:
            full = True
            break
    else:
        full = False
    return items, full


# An early return out of the loop.
@case((50,), (2,))
def returns_when_found(n: int):
    primes = []
    candidate = 2
    while True:
        if all(candidate % p for p in primes):
            primes.append(candidate)
            if candidate * candidate > n:
                return primes
        candidate += 1


# The items are floats though the first one is an int.
@case((3, 0.5), (0, 0.5))
def ints_and_floats(n: int, x: float):
    items = [0]
    for i in range(n):
        items.append(items[-1] + x * i)
    return items


# Lists of lists grow.
@case((4,), (1,), (0,))
def triangle(n: int):
    rows = []
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(i * j)
        rows.append(row)
    return rows, len(rows)


# The alias of a list that grows grows.
@case((3,), (0,))
def alias_of_a_growing_list(n: int):
    items = [1]
    same = items
    for i in range(n):
        items.append(i)
        same[0] += len(items)
    return same, items is same


# Running medians by an ordered list.
@case((X,), (np.array([]),))
def running_medians(x: f64["n"]):
    ordered = []
    medians = np.zeros(len(x))
    for i in range(len(x)):
        ordered.append(x[i])
        ordered.sort()
        half = len(ordered) // 2
        if len(ordered) % 2:
            medians[i] = ordered[half]
        else:
            medians[i] = (ordered[half - 1] + ordered[half]) / 2
    return medians


# A list that a condition reads at a run-time position, after every item was added.
@case(([5, 2, 8, 1],), ([],), ([1],))
def heap(items):
    held = []
    for item in items:
        held.append(item)
        at = len(held) - 1
        while at > 0 and held[(at - 1) // 2] > held[at]:
            held[(at - 1) // 2], held[at] = held[at], held[(at - 1) // 2]
            at = (at - 1) // 2
    return held
