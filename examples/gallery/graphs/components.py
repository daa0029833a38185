"""Connected components by union and find, with path compression and union by size.

Source: Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984.
"""

import numpy as np


class DisjointSets:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n

    def find(self, x):
        root = x
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True


def program(n, edges):
    sets = DisjointSets(n)
    redundant = []
    for u, v in edges:
        if not sets.union(int(u), int(v)):
            redundant.append((int(u), int(v)))
    members = {}
    for v in range(n):
        members.setdefault(sets.find(v), []).append(v)
    labels = np.empty(n, dtype=np.int32)
    for label, root in enumerate(sorted(members)):
        labels[members[root]] = label
    return labels, sets.count, max(sets.size), redundant


def arguments(size):
    rng = np.random.default_rng(4)
    return 3 * size, rng.integers(0, 3 * size, size=(2 * size, 2))
