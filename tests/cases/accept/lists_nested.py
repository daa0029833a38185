"""Lists in lists, in dicts and in tuples: what one name writes, every other sees."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case


# An item of another type, written through the inner list.
@case((3,), (1,))
def item_of_another_type(n: int):
    g = [[1] for i in range(n)]
    h = g[0]
    h[0] = 2.5
    return isinstance(g[0][0], int)


# ... through the name that the inner list has.
@case((3,), (1,))
def name_of_a_held_list(n: int):
    g = []
    row = [1]
    for i in range(n):
        g.append(row)
    row[0] = 2.5
    return isinstance(g[0][0], int)


# ... in a dict.
@case((3,), (1,))
def list_in_a_dict(n: int):
    d = {}
    for i in range(n):
        d[i] = [1]
    d[0][0] = None
    return d[0][0] is None


# A dict in a dict.
@case((3,), (1,))
def dict_in_a_dict(n: int):
    d = {}
    for i in range(n):
        d[i] = {i: 1}
    e = d[0]
    e[0] = None
    return d[0][0] is None


# ... in a loop over the inner lists.
@case((3,), (1,))
def each_inner_list(n: int):
    g = [[1] for i in range(n)]
    for r in g:
        r.append("a")
    return isinstance(g[0][-1], int)


# ... of one of two lists.
@case((3,), (1,))
def one_of_two_lists(n: int):
    g = [[1] for i in range(n)]
    h = g if n > 1 else [[2]]
    h[0][0] = "x"
    return isinstance(g[0][0], int)


# A copy of the outer list holds the same inner lists.
@case((3,), (1,))
def copy_of_the_outer_list(n: int):
    g = [[1] for i in range(n)]
    h = list(g)
    h[0].extend(["x"])
    h[0][0:1] = ["y"]
    return isinstance(g[0][0], int)


# Empty lists in a list, filled later.
@case((3,), (1,), (0,))
def empty_lists_filled_later(n: int):
    g = []
    for i in range(n):
        g.append([])
    for i in range(n):
        g[i].append(i)
    t = 0
    for r in g:
        for x in r:
            t += x
    return g, t


# ... with items of two types.
@case((3,), (1,))
def empty_lists_of_two_types(n: int):
    g = [[] for i in range(n)]
    g[0].append(1)
    g[0].append(2.5)
    return g[0][0] + g[0][1], g


# The neighbours of each node, and a walk through the graph.
@case((4, [(0, 1), (1, 2), (2, 3), (0, 3)]), (1, []))
def graph_by_adjacency(n: int, edges: list):
    adj = [[] for _ in range(n)]
    for u, v in edges:
        adj[u].append(v)
        adj[v].append(u)
    seen = [False] * n
    stack = [0]
    order = []
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        order.append(u)
        for v in adj[u]:
            if not seen[v]:
                stack.append(v)
    return order, adj


# Three levels of lists.
@case((3,), (0,))
def three_levels(n: int):
    g = [[[] for j in range(n)] for i in range(n)]
    for i in range(n):
        g[i][i].append(i)
    t = 0
    for a in g:
        for b in a:
            for c in b:
                t += c
    return g, t


# One list many times in another, which grows afterwards.
@case((3,), (1,), (0,))
def one_row_many_times(n: int):
    g = []
    row = []
    for i in range(n):
        row.append(i)
        g.append(row)
    row.append(2.5)
    return g, len(g) and isinstance(g[0][-1], int)


# A list, or another by a branch, gets a text.
@case((3,), (1,), (0,))
def one_of_two_grows(n: int):
    a = [1]
    for i in range(n):
        a.append(i)
    b = a if n > 1 else [2]
    b.append("x")
    return isinstance(a[-1], int), isinstance(b[-1], int), a, b


# A variable that moves on to another list.
@case((3,), (1,), (0,))
def variable_moves_on(n: int):
    a = [1]
    for i in range(n):
        a.append(i)
    cur = a
    for i in range(n):
        cur.append("x")
        if i == 1:
            cur = [3]
    return isinstance(a[-1], int), isinstance(cur[-1], int), a, cur


# A list in a tuple in a list.
@case((3,), (1,), (0,))
def list_in_tuples(n: int):
    a = [1]
    for i in range(n):
        a.append(i)
    t = (a, 2)
    ts = []
    for i in range(n):
        ts.append(t)
    a.append(None)
    return [x[0][-1] is None for x in ts], a


# Arrays of several sizes in lists in a list.
@case((3,), (1,), (0,))
def arrays_of_several_sizes(n: int):
    g = [[np.zeros(2)] for _ in range(n)]
    for i in range(n):
        g[i].append(np.ones(i + 1))
    t = 0.0
    for r in g:
        for x in r:
            t += x.sum()
    return t, [len(r[-1]) for r in g]


# Dicts in a dict, filled in a second loop.
@case((3,), (1,), (0,))
def weights_by_node(n: int):
    d = {}
    for i in range(n):
        d[i] = {}
    for i in range(n):
        d[i][i + 1] = i * 0.5
    t = 0.0
    for k, e in d.items():
        for j, w in e.items():
            t += w * j
    return d, t


# A matrix of lists, whose ints become floats.
@case((3,), (1,), (0,))
def rows_of_numbers(n: int):
    m = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] = i * j / 2
    s = 0
    for r in m:
        for x in r:
            s += x
    return m, s


# Each row is made from the last.
@case((5,), (1,), (0,))
def rows_from_rows(n: int):
    rows = [[1]]
    for i in range(n):
        p = rows[-1]
        r = [1]
        for j in range(len(p) - 1):
            r.append(p[j] + p[j + 1])
        r.append(1)
        rows.append(r)
    return rows


# Every permutation, by slices and concatenation.
@case((5,), (1,), (0,))
def permutations_by_insertion(n: int):
    res = [[]]
    for i in range(n):
        new = []
        for p in res:
            for k in range(len(p) + 1):
                new.append(p[:k] + [i] + p[k:])
        res = new if len(new) < 50 else res
    return res


# Inner lists, filled until an exception.
@case((5,), (0,))
def filled_until_an_error(n: int):
    g = [[] for _ in range(n)]
    try:
        for i in range(n):
            g[i].append(10 // (i - 2))
    except ZeroDivisionError:
        g.append([7])
    return g
