"""Dynamic programming: alignments, chains, schedules, partitions, paths through tables."""

from __future__ import annotations

import math

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

A = np.array([3, 1, 4, 1, 5, 9])
B = np.array([1, 4, 1, 9])
EMPTY = np.array([], dtype=np.int64)


# The longest common subsequence, and one of them read back from the table.
@case((A, B), (A, EMPTY), (A, A))
def common_subsequence(a: i64["m"], b: i64["n"]):
    m, n = len(a), len(b)
    table = np.zeros((m + 1, n + 1), dtype=np.int64)
    for i in range(m):
        for j in range(n):
            if a[i] == b[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i, j + 1], table[i + 1, j])
    found = []
    while m > 0 and n > 0:
        if a[m - 1] == b[n - 1]:
            found.append(a[m - 1])
            m, n = m - 1, n - 1
        elif table[m - 1, n] >= table[m, n - 1]:
            m -= 1
        else:
            n -= 1
    found.reverse()
    return found


# Needleman and Wunsch, with two rows that change places.
@case((A, B, -2), (EMPTY, B, -1), (A, A, 0))
def alignment_score(a: i64["m"], b: i64["n"], gap: int):
    above = [gap * j for j in range(len(b) + 1)]
    for i in range(len(a)):
        row = [gap * (i + 1)]
        for j in range(len(b)):
            same = above[j] + (1 if a[i] == b[j] else -1)
            row.append(max(same, above[j + 1] + gap, row[j] + gap))
        above = row
    return above[-1]


# The best order to multiply a chain of matrices.
@case((np.array([10, 30, 5, 60]),), (np.array([2, 3]),), (np.array([5, 4, 6, 2, 7]),))
def matrix_chain(sizes: i64["n"]):
    n = len(sizes) - 1
    cost = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = math.inf
            for k in range(i, j):
                here = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                cost[i, j] = min(cost[i, j], here)
    return cost[0, -1]


# Time warping between two curves of different length.
@case(
    (np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 2.0])), (np.array([1.0]), np.array([4.0]))
)
def time_warping(x: f64["m"], y: f64["n"]):
    cost = np.full((len(x) + 1, len(y) + 1), np.inf)
    cost[0, 0] = 0.0
    for i, a in enumerate(x, 1):
        for j, b in enumerate(y, 1):
            cost[i, j] = abs(a - b) + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[-1, -1]


# A knapsack whose contents are read back.
@case((np.array([1, 3, 4]), np.array([15.0, 20.0, 30.0]), 4), (A, A * 1.0, 0), (A, A * 1.0, 8))
def packed(weights: i64["n"], values: f64["n"], capacity: int):
    best = np.zeros((len(weights) + 1, capacity + 1))
    for i in range(len(weights)):
        best[i + 1] = best[i]
        w = weights[i]
        if w <= capacity:
            best[i + 1, w:] = np.maximum(best[i, w:], best[i, : capacity + 1 - w] + values[i])
    chosen, left = [], capacity
    for i in reversed(range(len(weights))):
        if best[i + 1, left] != best[i, left]:
            chosen.append(i)
            left -= weights[i]
    return best[-1, -1], chosen


# Paths on a grid around obstacles, in one row.
@case(
    (np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]]),),
    (np.array([[1]]),),
    (np.zeros((3, 4), dtype=int),),
)
def paths_around(blocked: i64["m", "n"]):
    ways = [0] * blocked.shape[1]
    ways[0] = 1
    for row in blocked:
        for j in range(len(row)):
            if row[j]:
                ways[j] = 0
            elif j > 0:
                ways[j] += ways[j - 1]
    return ways[-1]


# The cheapest seam from top to bottom, as a path.
@case((np.array([[5.0, 2.0, 3.0], [1.0, 4.0, 6.0], [7.0, 8.0, 0.0]]),), (np.ones((1, 3)),))
def seam(energy: f64["m", "n"]):
    total = energy.copy()
    for i in range(1, len(total)):
        for j in range(total.shape[1]):
            total[i, j] += total[i - 1, max(j - 1, 0) : j + 2].min()
    path = [int(total[-1].argmin())]
    for i in range(len(total) - 2, -1, -1):
        low = max(path[-1] - 1, 0)
        path.append(low + int(total[i, low : path[-1] + 2].argmin()))
    return path[::-1], total[-1].min()


# The longest palindrome in a sequence.
@case((np.array([1, 2, 3, 2, 1, 9]),), (np.array([4, 4]),), (np.array([1, 2]),), (EMPTY,))
def longest_palindrome(a: i64["n"]):
    start = length = 0
    for centre in range(len(a)):
        for shift in (0, 1):
            left, right = centre, centre + shift
            while left >= 0 and right < len(a) and a[left] == a[right]:
                left -= 1
                right += 1
            if right - left - 1 > length:
                start, length = left + 1, right - left - 1
    return a[start : start + length]


# Buying and selling at most k times.
@case((np.array([3.0, 2.0, 6.0, 5.0, 0.0, 3.0]), 2), (np.array([5.0, 4.0]), 1), (np.ones(3), 0))
def trades(prices: f64["n"], k: int):
    hold = [-math.inf] * (k + 1)
    cash = [0.0] * (k + 1)
    for price in prices:
        for deal in range(1, k + 1):
            hold[deal] = max(hold[deal], cash[deal - 1] - price)
            cash[deal] = max(cash[deal], hold[deal] + price)
    return cash[k]


# Whether a set splits into halves of one sum: a mask of reachable sums.
@case((np.array([1, 5, 11, 5]),), (np.array([1, 2, 5]),), (np.array([2, 2]),))
def splits_evenly(a: i64["n"]):
    total = int(a.sum())
    if total % 2:
        return False
    reachable = np.zeros(total // 2 + 1, dtype=bool)
    reachable[0] = True
    for value in a:
        if value < len(reachable):
            reachable[value:] |= reachable[: len(reachable) - value].copy()
    return reachable[-1]


# ... by the bits of one unbounded int.
@case((np.array([1, 5, 11, 5]),), (np.array([40, 40]),), (EMPTY,))
def sums_as_bits(a: i64["n"]):
    sums = 1
    for value in a:
        sums |= sums << int(value)
    return sums, [k for k in range(8) if sums >> k & 1]


# The heaviest set of intervals that don't overlap: binary search by hand.
@case(
    (np.array([1, 2, 4, 6]), np.array([3, 5, 6, 7]), np.array([5.0, 6.0, 5.0, 4.0])),
    (EMPTY, EMPTY, EMPTY * 1.0),
)
def schedule(starts: i64["n"], ends: i64["n"], weights: f64["n"]):
    best = [0.0]
    for i in range(len(starts)):
        low, high = 0, i
        while low < high:
            middle = (low + high + 1) // 2
            if ends[middle - 1] <= starts[i]:
                low = middle
            else:
                high = middle - 1
        best.append(max(best[-1], best[low] + weights[i]))
    return best


# Catalan numbers and binomials by tables of unbounded ints.
@case((8,), (0,), (40,))
def catalan(n: int):
    counts = [1]
    for k in range(n):
        counts.append(sum(counts[i] * counts[k - i] for i in range(k + 1)))
    return counts[-1], math.comb(2 * n, n) // (n + 1) == counts[-1]


# Partitions of a number, remembered in a list of lists.
@case((7,), (1,), (0,))
def partitions(n: int):
    table = [[1] + [0] * n]
    for largest in range(1, n + 1):
        row = table[-1].copy()
        for total in range(largest, n + 1):
            row[total] += row[total - largest]
        table.append(row)
    return table[-1][n], len(table)


# The travelling salesman over sets of towns as bits.
@case((np.array([[0.0, 2.0, 9.0], [1.0, 0.0, 6.0], [15.0, 7.0, 0.0]]),), (np.zeros((1, 1)),))
def round_trip(distance: f64["n", "n"]):
    n = len(distance)
    best = np.full((1 << n, n), np.inf)
    best[1, 0] = 0.0
    for towns in range(1, 1 << n):
        for last in range(n):
            if not towns >> last & 1 or best[towns, last] == np.inf:
                continue
            for town in range(n):
                if towns >> town & 1:
                    continue
                more = towns | 1 << town
                length = best[towns, last] + distance[last, town]
                best[more, town] = min(best[more, town], length)
    return (best[-1] + distance[:, 0]).min()


# Eggs and floors: while the table grows until it is high enough.
@case((2, 10), (1, 5), (3, 0))
def eggs_and_floors(eggs: int, floors: int):
    reach = [0] * (eggs + 1)
    drops = 0
    while reach[eggs] < floors:
        for e in range(eggs, 0, -1):
            reach[e] += reach[e - 1] + 1
        drops += 1
    return drops, reach
