"""Linked lists and trees of objects."""

from __future__ import annotations

import numpy as np

from tests.support.cases import case


class Node:
    """See the cases."""

    def __init__(self, v, nxt=None):
        self.v = v
        self.nxt = nxt


class Stack:
    """See the cases."""

    def __init__(self):
        self.head = None
        self.n = 0

    def push(self, v):
        self.head = Node(v, self.head)
        self.n += 1

    def pop(self):
        v = self.head.v
        self.head = self.head.nxt
        self.n -= 1
        return v


class Tree:
    """See the cases."""

    def __init__(self, k, v):
        self.k = k
        self.v = v
        self.l = None
        self.r = None


class Map:
    """See the cases."""

    def __init__(self):
        self.root = None
        self.size = 0

    def put(self, k, v):
        if self.root is None:
            self.root = Tree(k, v)
            self.size = 1
            return
        p = self.root
        while True:
            if k == p.k:
                p.v = v
                return
            nxt = p.l if k < p.k else p.r
            if nxt is None:
                if k < p.k:
                    p.l = Tree(k, v)
                else:
                    p.r = Tree(k, v)
                self.size += 1
                return
            p = nxt

    def get(self, k, default=None):
        p = self.root
        while p is not None:
            if k == p.k:
                return p.v
            p = p.l if k < p.k else p.r
        return default

    def depth(self):
        return depth(self.root)


def depth(t):
    return 0 if t is None else 1 + max(depth(t.l), depth(t.r))


def inorder(t, out):
    if t is not None:
        inorder(t.l, out)
        out.append((t.k, t.v))
        inorder(t.r, out)


def insert(t, k):
    if t is None:
        return Tree(k, 0)
    if k < t.k:
        t.l = insert(t.l, k)
    else:
        t.r = insert(t.r, k)
    return t


def walk(t):
    if t is None:
        return 0
    return walk(t.l) + t.k + walk(t.r)


# A list linked in a loop.
@case((4,), (0,), (1,))
def sum_of_a_linked_list(n: int):
    head = None
    for i in range(n):
        head = Node(i, head)
    t = 0
    while head is not None:
        t = t * 10 + head.v
        head = head.nxt
    return t


# ... turned round in place.
@case((4,), (1,))
def turned_round(n: int):
    head = None
    for i in range(n):
        head = Node(i, head)
    prev = None
    while head is not None:
        nxt = head.nxt
        head.nxt = prev
        prev = head
        head = nxt
    out = []
    while prev is not None:
        out.append(prev.v)
        prev = prev.nxt
    return out


# A stack of nodes.
@case((4,), (1,))
def stack(n: int):
    s = Stack()
    for i in range(n):
        s.push(i)
    t = 0
    while s.n > 0:
        t = t * 10 + s.pop()
    return t


# A search tree, filled by recursion.
@case(([3, 1, 2, 5],), ([1],))
def tree_by_recursion(xs: list):
    t = None
    for x in xs:
        t = insert(t, x)
    return walk(t)


# ... from the numbers of an array, in a run-time loop: each round could make the tree a level deeper.
@case((np.array([3, 1, 2, 5]),), (np.array([], int),), (np.array([2.5, 2.5]),))
def tree_of_an_array(a):
    t, out = None, []
    for x in a:
        t = insert(t, float(x))
    inorder(t, out)
    return out, depth(t)


# A map that is a search tree: counts by key.
@case(([5, 2, 8, 2, 9, 1],), ([],), ([3],))
def map_as_a_tree(ks: list):
    m = Map()
    for k in ks:
        m.put(k, m.get(k, 0) + 1)
    out = []
    inorder(m.root, out)
    return m.size, m.depth(), out, m.get(2), m.get(100), m.get(100, -1)


class Pair:
    def __init__(self, value, left, right):
        self.value = value
        self.left = left
        self.right = right


# An object holds the one before it twice: what is known of it would double in each round.
@case((1.5, 4), (0.5, 0))
def held_twice(x: float, n: int):
    root = None
    for i in range(n):
        root = Pair(x * i, root, root)
    total, pending = 0.0, [root]
    while pending:
        pair = pending.pop()
        if pair is None:
            continue
        total += pair.value
        pending.append(pair.left)
        pending.append(pair.right)
    return total
