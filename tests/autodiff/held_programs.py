"""Programs that hold numbers and arrays in tuples, lists, dicts and objects, or have an array on
some paths only. As those of ``programs``.
"""

# ruff: noqa: PERF401 - lists that grow are what is tried

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.autodiff.programs import X

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []


def differentiable(*calls: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS.extend((function, args) for args in calls)
        return function

    return enter


class Particle:
    def __init__(self, pos, vel):
        self.pos = pos
        self.vel = vel

    def step(self, dt):
        self.vel = self.vel - dt * self.pos
        self.pos = self.pos + dt * self.vel


@differentiable((0.7, 5), (0.7, 1), (X, 3))
def particles_dyn(x, n):
    ps = []
    for i in range(n):
        ps.append(Particle(x * i, x + i))
    for p in ps:
        p.step(0.1)
    t = 0.0
    for p in ps:
        t = t + np.sum(p.pos * p.vel)
    return t


@differentiable((0.7, 5), (0.7, 0), (X, 3), (X, 0))
def list_of_tuples(x, n):
    items = []
    for i in range(n):
        items.append((x * i, i, x + 1))
    t = 0.0
    for a, k, b in items:
        t = t + np.sum(a * b * k)
    return t


@differentiable((0.7, 5), (0.7, 0), (X, 3))
def stack_of_tuples(x, n):
    items = [(x, 1)]
    t = 0.0
    m = 0
    while items and m < n:
        m += 1
        a, k = items.pop()
        t = t + np.sum(a * a) * k
        items.append((a * 0.5, k + 1))
        items.append((a * a, k + 2))
    return t


@differentiable((0.7, 5), (0.7, 0), (X, 3))
def rows_append(x, n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(x * j)
        rows.append(row)
    t = 0.0
    for r in rows:
        for a in r:
            t = t + np.sum(a * a)
    return t


@differentiable((0.7, 5), (0.7, 2), (X, 4))
def memo_contains(x, n):
    memo = {}
    t = 0.0
    for i in range(n):
        k = i % 3
        if k not in memo:
            memo[k] = x * (k + 1)
        t = t + np.sum(memo[k] * x)
    return t


class Momentum:
    def __init__(self, lr, mu):
        self.lr = lr
        self.mu = mu
        self.v = None

    def step(self, w, g):
        if self.v is None:
            self.v = g * 0
        self.v = self.mu * self.v + g
        return w - self.lr * self.v


@differentiable((0.7, 5), (0.7, 0), (0.7, 1), (X, 4))
def momentum(x, n):
    o = Momentum(0.1, 0.9)
    w = x
    for _ in range(n):
        w = o.step(w, w * 2 - 1)
    return np.sum(w * w)


class Node:
    def __init__(self, value, following):
        self.value = value
        self.next = following


@differentiable((0.7, 5), (0.7, 0), (X, 4))
def linked(x, n):
    head = None
    for i in range(n):
        head = Node(x * i, head)
    t = 0.0
    while head is not None:
        t = t + np.sum(head.value * head.value)
        head = head.next
    return t


@differentiable((0.7, 5), (0.7, 0), (X, 4))
def best_none(x, n):
    best = None
    for i in range(n):
        c = x * (i - 1)
        s = float(np.sum(c * c - c))
        if best is None or s > 1.0:
            best = c
    if best is None:
        return np.sum(x)
    return np.sum(best * best)


@differentiable((0.7, True), (0.7, False), (X, True), (X, False))
def one_branch(x, flag):
    y = None
    if flag:
        y = x * 2
    z = np.sum(x)
    if flag:
        z = z + np.sum(y * y)
    return z


@differentiable((X, 5), (X, 0), (X * 3, 5))
def find_first(x, n):
    def first(y):
        for _ in range(n):
            y = y * 1.5
            if y.sum() > 8:
                return y
        return None

    r = first(x)
    if r is None:
        return x.sum()
    return (r * r).sum()


@differentiable((X, 5), (X, 0), (0.4, 4))
def array_or_number(x, n):
    t = 0.0
    for i in range(n):
        t = t + x * i
    return np.sum(t * t)


@differentiable((X, 5), (X, 0), (0.4, 4))
def dict_of_lists(x, n):
    groups = {}
    for i in range(n):
        groups.setdefault(i % 2, []).append(x * i)
    t = 0.0
    for k, v in groups.items():
        for a in v:
            t = t + np.sum(a * a) * (k + 1)
    return t


@differentiable((X, 5), (X, 0), (0.4, 4))
def heap(x, n):
    q = []
    for i in range(n):
        q.append((i * 7 % 5, x * i))
    t = 0.0
    while q:
        k, v = q.pop(0)
        t = t + np.sum(v * v) * k
    return t


@differentiable((0.7, 5), (0.7, 0), (0.7, 1), (X, 5))
def shared_tuple(x, n):
    a = []
    b = []
    for i in range(n):
        t = (x * i, i)
        a.append(t)
        b.insert(0, t)
        a.append(b[-1])
    s = 0.0
    for v, k in a:
        s = s + np.sum(v * v) * k
    for v, k in b:
        s = s + np.sum(v) * k
    return s + np.sum(x)


@differentiable((0.7, 5), (0.7, 1), (X, 5))
def del_reverse_slice(x, n):
    a = []
    for i in range(n):
        a.append(x * (i + 1))
        a.append(x * x)
    a.reverse()
    del a[0]
    b = a[1:] + a[:2]
    b[0:1] = [x * 3, x]
    b.extend(a)
    s = 0.0
    for i in range(len(b)):
        s = s + np.sum(b[i] * b[i]) * (i + 1)
    a.clear()
    return s


@differentiable((X, 5), (X, 1))
def array_written_in_tuple(x, n):
    items = []
    for i in range(n):
        a = x * (i + 1)
        items.append((a, i))
        a[0] = a[1] * x[2]
    s = 0.0
    for a, _ in items:
        a[1] += a[0]
        s = s + (a * x).sum()
    return s + items[0][0].sum()


@differentiable((X, 5), (X, 1), (X, 0))
def views_in_dict(x, n):
    y = x * 1.0
    m = {}
    for i in range(n):
        m[i] = y[i % 3 :]
    for i in range(n):
        m[i][0] = m[i][0] * 2.0 + x[0]
    return (y * y).sum()


@differentiable((0.7, 5), (0.7, 2), (X, 5))
def dict_ops(x, n):
    m = {0: x}
    for i in range(n):
        m[i % 4] = m.get(i % 4, x * 2) * 1.5 + m.pop(i % 3, x)
        if i % 3 == 2:
            del m[i % 4]
    s = 0.0
    k = m.copy()
    m.update({7: x * 3})
    for v in m.values():
        s = s + np.sum(v * v)
    for q, v in k.items():
        s = s + np.sum(v) * q
    return s


@differentiable((0.7, 5), (0.7, 1), (X, 5))
def sorted_key(x, n):
    items = []
    for i in range(n):
        items.append((i * 7 % 5, x * i))
    s = 0.0
    for j, (k, v) in enumerate(sorted(items, key=lambda t: t[0])):
        s = s + np.sum(v * v) * j * k
    return s + np.sum(x)


@differentiable((0.7, 5), (0.7, 0), (0.7, 1))
def sum_list(x, n):
    items = [x * i * x for i in range(n)]
    items.insert(0, x)
    return sum(items) * sum(items, x)


@differentiable((X, 5), (X, 0), (X, 1))
def sum_list_arrays(x, n):
    items = [x * i * x for i in range(n)]
    items.insert(0, x)
    return (sum(items) * np.array(items).sum(axis=0)).sum()


@differentiable((0.7, 5), (0.7, 0), (0.7, 1))
def array_of_inserted(x, n):
    items = [x * i * x for i in range(n)]
    items.insert(0, x)
    a = np.array(items)
    items.append(3.0)
    items[0] = x * x
    return (a * np.arange(len(a))).sum() + items[0] * items[-1]


class Base:
    scale = 2.0

    def __init__(self, v):
        self.v = v
        self.log = []

    def grow(self, k):
        self.v = self.v * k
        self.log.append(self.v)
        return self


@differentiable((0.7, 5), (0.7, 1), (X, 5))
def class_attrs(x, n):
    objs = [Base(x * i) for i in range(n)]
    for o in objs:
        o.grow(1.5).grow(x)
    s = 0.0
    for o in objs:
        s = s + np.sum(o.v * o.scale)
        for q in o.log:
            s = s + np.sum(q * q)
    return s


class Held:
    value = 0.5


@differentiable((0.7, 3), (0.7, 2))
def class_default(x, n):
    h = [Held() for _ in range(n)]
    h[0].value = x
    s = 0.0
    for o in h:
        s = s + o.value * x * o.value
    return s


@differentiable((0.7, 6), (0.7, 0), (X, 6))
def union_slots(x, n):
    items = []
    for i in range(n):
        items.append(None if i % 3 == 0 else x * i)
    t = 0.0
    for v in items:
        if v is not None:
            t = t + np.sum(v * v)
    return t + np.sum(x)


@differentiable((0.7, 6), (0.7, 0))
def int_or_float(x, n):
    items = []
    for i in range(n):
        items.append((i if i % 3 == 0 else x * i, "a"))
    t = 0.0
    for v, _ in items:
        t = t + v * x
    return t


@differentiable((0.7, 6), (0.7, 0), (X, 4))
def float_or_f64(x, n):
    best = (0.0, -1)
    hist = []
    for i in range(n):
        c = np.sum(x * i - x * x)
        if c > best[0]:
            best = (c, i)
        hist.append(best)
    t = best[0] * 2.0
    for v, k in hist:
        t = t + v * v * k
    return t


@differentiable((0.7, 6), (0.7, 0), (X, 4))
def break_continue(x, n):
    m = {}
    t = 0.0
    for i in range(n):
        if i == 1:
            continue
        m[i % 2] = (x * i, x)
        if i == 4:
            break
        t = t + np.sum(m[i % 2][0] * x)
    for k in m:
        t = t + np.sum(m[k][0] * m[k][1])
    return t


@differentiable((X, 3), (X, 0), (0.5, 3))
def swap_rows(x, n):
    g = [[x * i, x + i] for i in range(4)]
    for i in range(n):
        g[i], g[(i * 2 + 1) % 4] = g[(i * 2 + 1) % 4], g[i]
        g[i][1] = g[i][0] * g[0][1]
    t = 0.0
    for r in g:
        t = t + np.sum(r[0] * r[1])
    return t


@differentiable((X, 3), (X, 1))
def pop_written_plain(x, n):
    items = []
    for i in range(n):
        a = x * i
        a[0] = x[1] * x[1]
        items.append(a)
    m = np.array(items)
    s = 0.0
    while items:
        b = items.pop()
        b[1] = b[0] * b[2]
        s = s + (b * b).sum()
    return s + (m * m * m).sum()


@dataclass
class State:
    pos: object
    vel: object
    hist: list = field(default_factory=list)


@differentiable((0.8, 4), (0.8, 0), (X, 2))
def dataclass_rk(x, n):
    states = []
    s = State(x, x * 0.1)
    for _ in range(n):
        states.append(s)
        s = State(s.pos + 0.1 * s.vel, s.vel - 0.1 * s.pos)
        s.hist.append(s.pos * 2)
    t = np.sum(s.pos)
    for q in states:
        t = t + np.sum(q.pos * q.vel)
        for h in q.hist:
            t = t + np.sum(h * h)
    return t


@differentiable((X, 4), (X, 0), (X * 3, 4))
def maybe_array_dict(x, n):
    cache = {"last": None}
    t = 0.0
    for i in range(n):
        y = x * (i + 1)
        if cache["last"] is not None:
            t = t + ((y - cache["last"]) ** 2).sum()
        cache["last"] = y * x
    return t + x.sum()


@differentiable((X, 4), (X, 0))
def written_maybe(x, n):
    buf = None
    for i in range(n):
        if buf is None:
            buf = np.zeros(4)
        buf[i % 4] += x[i % 4] * x[0]
        buf *= 1.1
    if buf is None:
        return x.sum()
    return (buf * buf).sum()


@differentiable((X, 4), (X, 0))
def num_then_array(x, n):
    t = 0
    for i in range(n):
        t = t * 0.5 + x * i
        t = -t
    return np.sum(t * t) + np.sum(x)


@differentiable((0.7, 4))
def complex_items(x, n):
    items = []
    for i in range(n):
        items.append((complex(x, x * i), x))
    t = 0j
    for z, v in items:
        t = t + z * z * v
    return abs(t)


@differentiable((X, 3), (X, 0))
def items_changed_in_place(x, n):
    weights = [x * 1.0, x * 2.0]
    for i in range(n):
        step = weights[0] * weights[1]
        weights[i % 2] -= step * 0.1
        weights[0], weights[1] = weights[1], weights[0]
    return (weights[0] * weights[1]).sum()


@differentiable((0.7, 3), (X, 3))
def what_nobody_reads(x, n):
    log = {}
    kept = []
    for i in range(n):
        log[i] = (x * i, i)
        kept.append(Base(x))
        kept[0], kept[-1] = kept[-1], kept[0]
        x = x * 1.1
    return np.sum(x * x)


@differentiable((X, 3), (X, 0))
def operators_on_a_number_or_an_array(x, n):
    t = 0.0
    for _ in range(n):
        t = t + np.outer(x, x) @ x - (x**2) / (1.0 + abs(t))
    return np.sum(-t * 2.0 + t**2) + x.sum()
