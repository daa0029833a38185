"""Sorting by hand: quicksort in place, merge sort, heap sort, radix sort, and inversions counted.

Source: Sedgewick and Wayne, "Algorithms", chapter 2.
"""

import numpy as np


def quicksort(a, lo, hi):
    while hi - lo > 8:
        mid = (lo + hi) // 2
        pivot = sorted((a[lo], a[mid], a[hi]))[1]
        i, j = lo, hi
        while i <= j:
            while a[i] < pivot:
                i += 1
            while a[j] > pivot:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        if j - lo < hi - i:
            quicksort(a, lo, j)
            lo = i
        else:
            quicksort(a, i, hi)
            hi = j
    for k in range(lo + 1, hi + 1):
        x = a[k]
        m = k - 1
        while m >= lo and a[m] > x:
            a[m + 1] = a[m]
            m -= 1
        a[m + 1] = x


def merge_sort(a):
    """A sorted copy, and the number of inversions."""
    if len(a) <= 1:
        return a.copy(), 0
    mid = len(a) // 2
    left, x = merge_sort(a[:mid])
    right, y = merge_sort(a[mid:])
    merged = np.empty_like(a)
    i = j = 0
    inversions = x + y
    for k in range(len(a)):
        if j == len(right) or (i < len(left) and left[i] <= right[j]):
            merged[k] = left[i]
            i += 1
        else:
            merged[k] = right[j]
            j += 1
            inversions += len(left) - i
    return merged, inversions


def heap_sort(a):
    n = len(a)

    def sift(start, end):
        root = start
        while (child := 2 * root + 1) < end:
            if child + 1 < end and a[child] < a[child + 1]:
                child += 1
            if a[root] >= a[child]:
                return
            a[[root, child]] = a[[child, root]]
            root = child

    for start in range(n // 2 - 1, -1, -1):
        sift(start, n)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(0, end)
    return a


def radix_sort(keys, bits=4):
    keys = keys.copy()
    for shift in range(0, 16, bits):
        digits = (keys >> shift) & (2**bits - 1)
        starts = np.concatenate(([0], np.bincount(digits, minlength=2**bits).cumsum()[:-1]))
        out = np.empty_like(keys)
        for key, d in zip(keys, digits):
            out[starts[d]] = key
            starts[d] += 1
        keys = out
    return keys


def program(values, keys):
    a = values.copy()
    quicksort(a, 0, len(a) - 1)
    b, inversions = merge_sort(values)
    c = heap_sort(values.copy())
    same = bool((a == b).all() and (b == c).all())
    return a, inversions, same, radix_sort(keys)


def arguments(size):
    rng = np.random.default_rng(2)
    return rng.normal(size=4 * size), rng.integers(0, 2**16, 3 * size)
