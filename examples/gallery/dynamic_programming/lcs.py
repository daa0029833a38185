"""The longest common subsequence, in full and by Hirschberg's divide and conquer in linear space.

Source: Hirschberg, "A linear space algorithm for computing maximal common subsequences", 1975.
"""

import numpy as np


def lengths(a, b):
    row = np.zeros(len(b) + 1, dtype=np.int64)
    for x in a:
        diagonal = 0
        for j in range(len(b)):
            above = row[j + 1]
            row[j + 1] = diagonal + 1 if x == b[j] else max(row[j], above)
            diagonal = above
    return row


def hirschberg(a, b):
    if len(a) == 0 or len(b) == 0:
        return []
    if len(a) == 1:
        return [int(a[0])] if a[0] in b else []
    mid = len(a) // 2
    left = lengths(a[:mid], b)
    right = lengths(a[mid:][::-1], b[::-1])[::-1]
    k = int(np.argmax(left + right))
    return hirschberg(a[:mid], b[:k]) + hirschberg(a[mid:], b[k:])


def program(a, b):
    common = hirschberg(a, b)
    assert len(common) == lengths(a, b)[-1]
    return common, 2.0 * len(common) / (len(a) + len(b))


def arguments(size):
    rng = np.random.default_rng(1)
    return rng.integers(0, 4, size=size), rng.integers(0, 4, size=size + 2)
