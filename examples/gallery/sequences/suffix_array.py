"""A suffix array by prefix doubling, the common prefixes by Kasai, and repeated substrings.

Source: Manber and Myers, "Suffix arrays", 1993; Kasai et al., 2001.
"""

import numpy as np


def suffix_array(s):
    n = len(s)
    rank = s.astype(np.int64)
    sa = np.arange(n)
    k = 1
    while True:
        second = np.full(n, -1)
        second[: n - k] = rank[k:] if k < n else second[:0]
        sa = np.lexsort((second, rank))
        changed = (rank[sa[1:]] != rank[sa[:-1]]) | (second[sa[1:]] != second[sa[:-1]])
        new = np.empty(n, dtype=np.int64)
        new[sa] = np.concatenate([[0], np.cumsum(changed)])
        rank = new
        if rank[sa[-1]] == n - 1 or k >= n:
            return sa
        k *= 2


def kasai(s, sa):
    n = len(s)
    rank = np.empty(n, dtype=int)
    rank[sa] = np.arange(n)
    lcp = np.zeros(max(n - 1, 0), dtype=int)
    h = 0
    for i in range(n):
        if rank[i] > 0:
            j = sa[rank[i] - 1]
            while i + h < n and j + h < n and s[i + h] == s[j + h]:
                h += 1
            lcp[rank[i] - 1] = h
            if h > 0:
                h -= 1
        else:
            h = 0
    return lcp


def find(s, sa, pattern):
    lo, hi = 0, len(sa)
    while lo < hi:
        mid = (lo + hi) // 2
        if tuple(s[sa[mid] : sa[mid] + len(pattern)]) < tuple(pattern):
            lo = mid + 1
        else:
            hi = mid
    start = lo
    while lo < len(sa) and tuple(s[sa[lo] : sa[lo] + len(pattern)]) == tuple(pattern):
        lo += 1
    return sorted(int(p) for p in sa[start:lo])


def program(s, pattern):
    sa = suffix_array(s)
    lcp = kasai(s, sa)
    longest = int(lcp.max(initial=0))
    where = int(sa[int(lcp.argmax())]) if longest else None
    return sa, lcp, s[where : where + longest] if where is not None else None, find(s, sa, pattern)


def arguments(size):
    rng = np.random.default_rng(0)
    s = rng.integers(97, 100, 3 * size).astype(np.uint8)
    return s, s[size : size + 2]
