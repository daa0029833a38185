"""Lists in lists, and in dicts, that are asked for an item of a run-time number on one path alone."""

from __future__ import annotations

import heapq
import math

from tests.support.cases import case

GRAPH = {0: [(1, 4), (2, 1)], 1: [(3, 1)], 2: [(1, 2), (3, 5)], 3: []}


# Dijkstra's algorithm: the neighbours of a node are looked at only where the node is not settled.
@case((GRAPH, 0), (GRAPH, 3))
def shortest_paths(neighbours, start):
    distances = {start: 0}
    queue = [(0, start)]
    while queue:
        distance, node = heapq.heappop(queue)
        if distance > distances.get(node, math.inf):
            continue
        for other, weight in neighbours[node]:
            longer = distance + weight
            if longer < distances.get(other, math.inf):
                distances[other] = longer
                heapq.heappush(queue, (longer, other))
    return distances


# The table of the longest common subsequence is read on the second of three paths.
@case(([1, 2, 3, 4], [2, 4, 5]), ([], [1]), ([1.5], [1.5]))
def longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            longest = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if a[i] == b[j] else longest
    found = []
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            found.append(a[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1], table


# A row that another name knows is written to on both paths, and after them.
@case(([[1, 2], [3]], 0, 1), ([[1, 2], [3]], 1, 1), ([[1, 2], [3]], 1, -1))
def row_with_two_names(table, i, flag):
    row = table[0]
    if flag > 0:
        first = table[i][0]
        table[0].append(9)
    else:
        first = 0
        table[1].append(8)
    row.append(7)
    return first, table, row


# One path writes to a row and makes another; the other path reads at a run-time number.
@case((2, 0, 1), (2, 1, -1), (0, 5, -1))
def row_written_on_one_path(n, i, flag):
    table = [[1], [2, 3]]
    row = table[1]
    first = 0
    if flag > 0:
        table[0].append(5)
        table.append([n])
    else:
        first = table[i][0]
    row[0] = 99
    table[-1].append(1)
    return first, table, row


# Three levels, in a loop after the paths.
@case((2, 0, 1), (3, 1, -1), (0, 2, 1))
def three_levels(n, i, flag):
    table = [[[1], [2]], [[3]]]
    if flag > 0:
        first = table[i][0][0]
    else:
        table[0][1].append(n)
        first = 0
    for k in range(n):
        table[k % 2][0].append(k)
    return first, table


# Each round writes to a row, to an element, or to a whole row, by what its number is.
@case((0,), (1,), (7,))
def rows_in_turn(n):
    table = [[0] * 3 for _ in range(3)]
    for k in range(n):
        if k % 2:
            table[k % 3][0] += 1
        elif k % 3:
            table[1][1] = k
        else:
            table[2] = [k] * 3
    return table
