"""Loops with run-time bounds that write elements: sieves, tables, sorts, matrices."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64, u8
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5, -4.0])
A = np.array([[4.0, 3.0, 2.0], [2.0, 5.0, 1.0], [1.0, 2.0, 6.0]])
INF = np.inf


# The sieve of Eratosthenes, with a slice for the multiples.
@case((30,), (2,), (1,))
def sieve(n: int):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    p = 2
    while p * p <= n:
        if prime[p]:
            prime[p * p :: p] = False
        p += 1
    return np.flatnonzero(prime)


# The same, element by element.
@case((30,), (2,))
def sieve_by_elements(n: int):
    prime = np.ones(n + 1, dtype=bool)
    prime[0] = prime[1] = False
    for p in range(2, n + 1):
        if not prime[p]:
            continue
        for multiple in range(p * p, n + 1, p):
            prime[multiple] = False
    return prime.sum()


# Prefix sums in place.
@case((X,), (np.array([1.0]),), (np.array([]),))
def prefix_sums(x: f64["n"]):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


# Suffix maxima, from the end.
@case((X,))
def suffix_maxima(x: f64["n"]):
    out = np.empty_like(x)
    best = -np.inf
    for i in range(len(x) - 1, -1, -1):
        best = max(best, x[i])
        out[i] = best
    return out


# Fibonacci numbers in a table of ints.
@case((10,), (2,), (1,), (0,))
def fibonacci_table(n: int):
    table = np.zeros(n + 2, dtype=np.int64)
    table[1] = 1
    for i in range(2, n + 1):
        table[i] = table[i - 1] + table[i - 2]
    return table[n], table


# Insertion sort.
@case((X,), (X[::-1],), (np.array([1.0]),))
def insertion_sort(x: f64["n"]):
    for i in range(1, len(x)):
        value = x[i]
        j = i - 1
        while j >= 0 and x[j] > value:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = value
    return x


# Bubble sort that stops early.
@case((X,), (np.array([1.0, 2.0, 3.0]),))
def bubble_sort(x: f64["n"]):
    swaps = 0
    for end in range(len(x) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
                swapped = True
                swaps += 1
        if not swapped:
            break
    return x, swaps


# Selection sort of a copy, by argmin of a slice.
@case((X,))
def selection_sort(x: f64["n"]):
    y = x.copy()
    for i in range(len(y)):
        j = i + np.argmin(y[i:])
        y[i], y[j] = y[j], y[i]
    return y


# Two pointers reverse an array in place.
@case((X,), (X[:4],))
def reverses_in_place(x: f64["n"]):
    i, j = 0, len(x) - 1
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1
    return x.tolist()


# Partition around a pivot.
@case((X, 0.75), (X, 100.0), (X, -100.0))
def partition(x: f64["n"], pivot: float):
    place = 0
    for i in range(x.shape[0]):
        if x[i] < pivot:
            x[place], x[i] = x[i], x[place]
            place += 1
    return place, x


# Elimination of Gauss without pivots, in place.
@case((A, np.array([1.0, 2.0, 3.0])))
def gauss_elimination(a: f64["n", "n"], b: f64["n"]):
    a = a.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x, a


# LU with row exchanges.
@case((A[::-1].copy(),), (A,))
def lu_with_pivots(a: f64["n", "n"]):
    n = a.shape[0]
    order = np.arange(n)
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            order[k], order[pivot] = order[pivot], order[k]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, order


# Cholesky's factor; a matrix that is not positive raises.
@case((A @ A.T,), (-A @ A.T,))
def cholesky(a: f64["n", "n"]):
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            rest = a[i, j] - low[i, :j] @ low[j, :j]
            if i == j:
                if rest <= 0:
                    raise ValueError("not positive")
                low[i, i] = np.sqrt(rest)
            else:
                low[i, j] = rest / low[j, j]
    return low


# Shortest paths between all pairs, after Floyd and Warshall.
@case((np.array([[0.0, 3.0, INF], [INF, 0.0, 1.0], [2.0, INF, 0.0]]),))
def shortest_paths(d: f64["n", "n"]):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d


# The distance of two words, in a table.
@case((np.array([1, 2, 3, 4]), np.array([2, 3, 5])), (np.array([1, 1]), np.array([1, 1])))
def edit_distance(a: i64["m"], b: i64["n"]):
    m, n = len(a), len(b)
    table = np.zeros((m + 1, n + 1), dtype=np.int64)
    table[:, 0] = np.arange(m + 1)
    table[0] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + cost)
    return table[m, n]


# The knapsack, in one row from the end.
@case((np.array([1, 3, 4]), np.array([15.0, 20.0, 30.0]), 6))
def knapsack(weights: i64["n"], values: f64["n"], capacity: int):
    best = np.zeros(capacity + 1)
    for weight, value in zip(weights, values):
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best


# Ways to make change.
@case((11, [1, 2, 5]), (0, [1]), (3, [2]))
def ways_to_change(amount, coins):
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


# The longest rising subsequence.
@case((X,), (np.array([1.0, 2.0, 3.0]),))
def longest_rising(x: f64["n"]):
    lengths = np.ones(len(x), dtype=np.int64)
    for i in range(len(x)):
        for j in range(i):
            if x[j] < x[i] and lengths[j] + 1 > lengths[i]:
                lengths[i] = lengths[j] + 1
    return lengths.max(), lengths


# A histogram; a value outside of it is an IndexError at its place.
@case((np.array([0, 1, 1, 3]), 4), (np.array([0, 2, 4, 1]), 4), (np.array([-1]), 4))
def histogram(k: i64["n"], bins: int):
    counts = np.zeros(bins, dtype=np.int64)
    for item in k:
        counts[item] += 1
    return counts


# Counting sort writes back into its argument.
@case((np.array([3, 1, 0, 3, 2], dtype=np.uint8),))
def counting_sort(x: u8["n"]):
    counts = np.zeros(256, dtype=np.int64)
    for value in x:
        counts[value] += 1
    place = 0
    for value in range(256):
        for _ in range(counts[value]):
            x[place] = value
            place += 1
    return x


# Convolution by its definition.
@case((X, np.array([1.0, 0.5])), (np.array([2.0]), np.array([3.0])))
def convolution(x: f64["m"], y: f64["n"]):
    out = np.zeros(len(x) + len(y) - 1)
    for i in range(len(x)):
        for j in range(len(y)):
            out[i + j] += x[i] * y[j]
    return out


# Pascal's triangle, row by row.
@case((5,), (1,), (0,))
def pascal(n: int):
    rows = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        rows[i, 0] = 1
        for j in range(1, i + 1):
            rows[i, j] = rows[i - 1, j - 1] + rows[i - 1, j]
    return rows


# A spiral: the direction turns where the way is blocked.
@case((4,), (3,), (1,))
def spiral(n: int):
    grid = np.full((n, n), -1)
    i, j, di, dj = 0, 0, 0, 1
    for step in range(n * n):
        grid[i, j] = step
        a, b = i + di, j + dj
        if not (0 <= a < n and 0 <= b < n) or grid[a, b] >= 0:
            di, dj = dj, -di
            a, b = i + di, j + dj
        i, j = a, b
    return grid


# Roots of a forest: paths are shortened while they are searched.
@case((6, np.array([[0, 1], [2, 3], [1, 2], [4, 5]])), (3, np.zeros((0, 2), dtype=np.int64)))
def connected_components(n: int, edges: i64["k", "two"]):
    parent = np.arange(n)

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in edges:
        parent[root(a)] = root(b)
    return np.array([root(i) for i in range(n)])


# Horner's scheme divides a polynomial in place.
@case((np.array([1.0, -6.0, 11.0, -6.0]), 1.0), (np.array([2.0, 0.0]), -3.0))
def synthetic_division(c: f64["n"], root: float):
    for i in range(1, len(c)):
        c[i] += c[i - 1] * root
    return c[:-1], c[-1]


# Newton's table of divided differences overwrites the values.
@case((np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 10.0])))
def divided_differences(t: f64["n"], y: f64["n"]):
    n = len(t)
    for order in range(1, n):
        for i in range(n - 1, order - 1, -1):
            y[i] = (y[i] - y[i - 1]) / (t[i] - t[i - order])
    return y


# The matrix product by three loops.
@case((A, A.T), (A[:2], A))
def matrix_product(a: f64["m", "k"], b: f64["k", "n"]):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


# A transpose in place, by swaps.
@case((A,))
def transposes_in_place(a: f64["n", "n"]):
    for i in range(len(a)):
        for j in range(i):
            a[i, j], a[j, i] = a[j, i], a[i, j]
    return a, a.sum(axis=0)


# A heap is built by sifting down.
@case((X,))
def builds_a_heap(x: f64["n"]):
    n = len(x)
    for start in range(n // 2 - 1, -1, -1):
        i = start
        while True:
            child = 2 * i + 1
            if child >= n:
                break
            if child + 1 < n and x[child + 1] > x[child]:
                child += 1
            if x[i] >= x[child]:
                break
            x[i], x[child] = x[child], x[i]
            i = child
    return x
