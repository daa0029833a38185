"""Programs that sort what is differentiated. As those of ``held_programs``."""

from __future__ import annotations

import heapq

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
