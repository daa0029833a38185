"""Programs that write to arrays which containers hold, by indexes, functions and ``out=``, or that
hold what a ``try`` or a recursion computes. As those of ``held_programs``.
"""

# ruff: noqa: PERF401 - lists that grow are what is tried

from __future__ import annotations

import numpy as np

from tests.autodiff.held_programs import differentiable
from tests.autodiff.programs import X


class Box:
    def __init__(self, item):
        self.item = item


@differentiable((X, 3), (X, 0))
def indexes_into_objects(x, n):
    boxes = [Box(x * (i + 1)) for i in range(n)]
    for box in boxes:
        box.item[np.array([1, 1, 2])] = x[:3] * box.item[0]
    return sum((box.item * box.item).sum() for box in boxes) + x.sum()


@differentiable((X, 3), (X, 1))
def out_into_a_dict(x, n):
    arrays = {}
    for i in range(n):
        arrays[i] = x * (i + 1)
    for i in range(n):
        np.multiply(arrays[i], x, out=arrays[(i + 1) % n])
    total = 0.0
    for i in range(n):
        total = total + (arrays[i] * arrays[i]).sum()
    return total


@differentiable((X, 2))
def puts_and_sorts_in_objects(x, n):
    boxes = [Box(x * (i + 1)) for i in range(n)]
    for box in boxes:
        np.put(box.item, [0, 0, 3], x[:3])
        box.item.sort()
        box.item **= 2
    total = 0.0
    for box in boxes:
        total = total + (box.item * x).sum()
    return total


@differentiable((X, 3), (X, 0))
def writes_to_an_array_on_some_paths(x, n):
    buffer = None
    for i in range(n):
        if buffer is None:
            buffer = np.zeros(4)
        buffer[np.array([i % 4, (i + 1) % 4])] = x[:2] * (i + 1)
        np.add(buffer, x, out=buffer, where=x > 0)
        buffer @= np.eye(4) * 1.1
    return x.sum() if buffer is None else (buffer * buffer).sum()


@differentiable((X, 3))
def masks_into_tuples(x, n):
    pairs = [(np.zeros(4), i) for i in range(n)]
    for array, i in pairs:
        array[x > 0] = x[x > 0] * i
        np.copyto(array, x * x, where=array == 0)
        array.sort()
    total = 0.0
    for array, i in pairs:
        total = total + (array * x).sum() * i
    return total


@differentiable((X, 4))
def stores_of_what_is_held(x, n):
    y = np.zeros(4)
    pairs = [(x[i] * x[0], i) for i in range(n)]
    for value, i in pairs:
        y[[i, i]] = (value, value * 2)
        y[i] = pairs[0][0]
    return (y * y).sum() + x.sum()


@differentiable((X, 5))
def a_dict_in_a_try(x, n):
    total = 0.0
    for i in range(n):
        try:
            held = {}
            held[i] = (x * i, i)
            value, k = held[i % 3]
            total = total + (value * value).sum() * k
        except KeyError:
            total = total * 0.5 + x[0]
    return total


@differentiable((X, 5), (X, 2))
def a_list_in_a_try(x, n):
    try:
        held = []
        for i in range(n):
            held.append((x * i, i))
        value, k = held[3]
        total = (value * value).sum() * k
    except IndexError:
        total = x.sum()
    return total


@differentiable((X, 2), (X, 1))
def attributes_that_are_tried(x, n):
    boxes = [Box(x * i) for i in range(3)]
    if n > 1:
        boxes[0].more = x * 3
    total = x * 0
    for box in boxes:
        try:
            total = total + box.more
        except AttributeError:
            total = total + box.item
    return np.sum(total * total)


@differentiable((X, 2), (X, 4))
def objects_read_in_a_try(x, n):
    boxes = [Box(x * i) for i in range(3)]
    try:
        y = boxes[n].item * 2
    except IndexError:
        y = boxes[0].item + x
    return np.sum(y * y)


@differentiable((X, 3))
def a_dict_filled_before_finally(x, n):
    held = {}
    for i in range(n):
        try:
            held[i % 2] = (x * i, i)
        finally:
            pass
    total = 0.0
    for k in held:
        total = total + (held[k][0] * x).sum() * held[k][1]
    return total


@differentiable((0.7, 4), (0.7, 0))
def a_dict_in_recursion(x, n):
    def go(a, k):
        if k == 0:
            return a
        held = {}
        for j in range(k):
            held[j] = (a * x, j)
        value, j = held[k // 2]
        return go(value * 0.5, k - 1) + j

    return go(x, n)


@differentiable((0.7, 4), (0.7, 1))
def an_array_or_a_number_in_recursion(x, n):
    def go(a, k):
        total = 0
        for i in range(k):
            total = total * 0.5 + a * i
        return a if k <= 1 else go(a * 0.5, k - 1) + total * a

    return go(x, n)
