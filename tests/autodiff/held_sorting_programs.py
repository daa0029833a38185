"""Programs that sort what is differentiated. As those of ``held_programs``."""

from __future__ import annotations

import bisect
import heapq
import math

import numpy as np

from tests.autodiff.held_programs import differentiable

V = np.array([0.7, 1.3, 0.4, 0.9])


@differentiable((V,))
def lists_that_are_sorted(x):
    items = [x[0] * 2, x[1], x[2] * x[0]]
    items.sort()
    items.append(x[3])
    items.sort(reverse=True)
    return items[0] * items[1] + items[2] ** 2 - items[3]


@differentiable((V,))
def lists_that_are_sorted_by_a_key(x):
    items = [(x[i], i) for i in range(4)]
    items.sort(key=lambda pair: -pair[0])
    again = sorted(items, key=lambda pair: pair[0] * pair[1])
    return items[0][0] * items[1][0] * 2 + again[0][0]


@differentiable((V,))
def the_largest_and_the_smallest(x):
    items = [x[i] * x[0] for i in range(4)]
    some = heapq.nlargest(2, items)
    others = heapq.nsmallest(2, items, key=lambda v: -v)
    return some[0] * some[1] * 2 + others[0] ** 3 + sorted(items)[1]


@differentiable((V,))
def pairs_and_arrays_in_order(x):
    items = sorted(x.tolist())
    pairs = sorted(zip(x.tolist(), [3, 1, 2, 0], strict=True))
    arrays = sorted([x * 2, x, x * 3], key=lambda a: -a[0])
    return items[1] * items[2] + pairs[0][0] * pairs[1][0] + (arrays[0] * arrays[1]).sum()


@differentiable((V,))
def heaps_of_numbers(x):
    heap = []
    for i in range(4):
        heapq.heappush(heap, x[i] * x[i])
    t, w = 0.0, 1.0
    while heap:
        v = heapq.heappop(heap)
        t += v * w
        w *= 2
        if w < 5:
            heapq.heappush(heap, v * 1.5)
    return t


@differentiable((V,))
def heaps_of_pairs(x):
    heap = [(x[i] * 2, i) for i in range(4)]
    heapq.heapify(heap)
    d, _ = heapq.heappop(heap)
    e, j = heapq.heappushpop(heap, (d * x[1], 9))
    f, _ = heapq.heapreplace(heap, (x[2], 5))
    return d * e + f * j + sum(a * b for a, b in heap)


@differentiable((V,))
def shortest_paths(x):
    edges = {0: [(1, x[0]), (2, x[1] * 2)], 1: [(2, x[2]), (3, x[3] * 3)]}
    edges[2], edges[3] = [(3, x[0] * x[1])], []
    found, heap = {0: 0.0}, [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > found[u]:
            continue
        for v, w in edges[u]:
            if v not in found or d + w < found[v]:
                found[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return found[3] ** 2 + found[2]


@differentiable((V,))
def lists_kept_in_order(x):
    items = []
    for i in range(len(x)):
        bisect.insort_left(items, x[i] * i)
        bisect.insort(items, x[i] ** 2, 0, 1)
    total = 0.0
    for i, v in enumerate(items):
        total = total * 0.5 + v * v * i
    return total


@differentiable((V,))
def pairs_kept_in_order(x):
    items = []
    for i in range(len(x)):
        bisect.insort(items, (x[i], i))
    total = 0.0
    for place, (v, i) in enumerate(items):
        total += v * v * i * place
    return total


@differentiable((V,))
def kept_in_order_where_it_may_fail(x):
    items, total = [], 0.0
    for i in range(len(x)):
        try:
            bisect.insort(items, x[i], key=lambda v: -v)
            total = total + items[2] * 2
        except IndexError:
            total = total + x[i] ** 2
    return total * items[1]


@differentiable((V, 4), (V, 1), (V, 0), (0.7, 3))
def products_of_lists(x, n):
    items = [np.sum(x) * i + 1 for i in range(n)]
    return math.prod(items) * np.sum(x) + math.prod(items, start=2.5)


@differentiable((V,), (V[:0],))
def products_of_arrays(x):
    return math.prod(x) * 2.0 + np.sum(x)
