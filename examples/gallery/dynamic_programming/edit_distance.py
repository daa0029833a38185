"""Edit distance with two rows, early exit by a limit, and the edits themselves from the full table.

Source: Wagner and Fischer, "The string-to-string correction problem", 1974.
"""

import numpy as np


def bounded(a, b, limit):
    """The distance, or None if it exceeds ``limit``."""
    if len(a) < len(b):
        a, b = b, a
    if len(a) - len(b) > limit:
        return None
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a):
        current = [i + 1]
        for j, cb in enumerate(b):
            insertions = previous[j + 1] + 1
            deletions = current[j] + 1
            substitutions = previous[j] + (ca != cb)
            current.append(min(insertions, deletions, substitutions))
        if min(current) > limit:
            return None
        previous = current
    return previous[-1]


def edits(a, b):
    m, n = len(a), len(b)
    D = np.zeros((m + 1, n + 1), dtype=int)
    D[:, 0] = np.arange(m + 1)
    D[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            D[i, j] = min(D[i - 1, j] + 1, D[i, j - 1] + 1, D[i - 1, j - 1] + cost)
    script = []
    i, j = m, n
    while i > 0 or j > 0:
        if i > 0 and j > 0 and D[i, j] == D[i - 1, j - 1] + (a[i - 1] != b[j - 1]):
            if a[i - 1] != b[j - 1]:
                script.append(("replace", i - 1, int(b[j - 1])))
            i, j = i - 1, j - 1
        elif i > 0 and D[i, j] == D[i - 1, j] + 1:
            script.append(("delete", i - 1, -1))
            i -= 1
        else:
            script.append(("insert", i, int(b[j - 1])))
            j -= 1
    script.reverse()
    return D[m, n], script


def program(a, b, limit):
    return bounded(a, b, limit), edits(a, b)


def arguments(size):
    rng = np.random.default_rng(0)
    a = rng.integers(97, 101, size=size)
    b = np.delete(a, size // 2)
    b[len(b) // 3 : len(b) // 3 + 1] = 120
    return a, b, 4
