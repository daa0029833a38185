"""Dicts that the function makes: reads, writes, methods, order, aliases."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


# Items are read, written and added.
@case((1, 2.5))
def reads_and_writes(n: int, x: float):
    table = {"n": n}
    table["x"] = x
    table["n"] = table["n"] + 1
    return table, table["x"], len(table)


# Augmented assignment to an item.
@case((5, 0.5))
def augments_items(n: int, x: float):
    table = {"n": n, "x": x, "l": [n]}
    table["n"] += 1
    table["x"] *= 2.0
    table["l"] += [n, n]
    table["n"] //= 2
    return table


# A new key comes last, an old one keeps its place.
@case((1, 2))
def order_of_keys(a: int, b: int):
    table = {"b": b, "a": a}
    table["c"] = a + b
    table["b"] = 0
    del table["a"]
    table["a"] = 5
    return list(table), table


# A missing key: KeyError.
@case((1,), (0,))
def missing_keys(n: int):
    table = {"one": n}
    if n:
        return table["one"]
    return table["two"]


# get, with and without a default.
@case((3,))
def gets(n: int):
    table = {"n": n, "none": None}
    return table.get("n"), table.get("m"), table.get("m", n + 1), table.get("none", 5)


# `in` asks for keys.
@case((3,))
def membership(n: int):
    table = {"n": n, 1: "one", (1, 2): "pair"}
    return "n" in table, "m" in table, 1 in table, 1.0 in table, (1, 2) in table, n not in {n: 1}


# keys, values and items.
@case((1, 2))
def views(a: int, b: int):
    table = {"a": a, "b": b}
    keys = list(table.keys())
    total = sum(table.values())
    pairs = list(table.items())
    return keys, total, pairs, max(table.values()), sorted(table, reverse=True)


# Loops over keys, values and items.
@case((1, 2), (-1, 0))
def loops(a: int, b: int):
    table = {"a": a, "b": b}
    out = []
    for key in table:
        out.append(key)
    for value in table.values():
        out.append(value + 1)
    for key, value in table.items():
        out.append((value, key))
    return out


# Values are written in a loop over the keys.
@case((1, 2.0))
def writes_in_a_loop(a: int, x: float):
    table = {"a": a, "x": x}
    for key in table:
        table[key] = table[key] * 10
    for key, value in table.items():
        table[key] = value + 1
    return table


# Keys are collected, then deleted.
@case((1, -2, 3), (-1, -2, -3))
def deletes_in_a_loop(a: int, b: int, c: int):
    table = {"a": a, "b": b, "c": c}
    for key in list(table):
        if key != "b":
            del table[key]
    return table


# pop, with and without a default; popitem.
@case((1, 2))
def pops(a: int, b: int):
    table = {"a": a, "b": b, "c": 3}
    taken = table.pop("a")
    other = table.pop("z", -1)
    pair = table.popitem()
    return taken, other, pair, table


# setdefault.
@case((1, 2))
def setdefaults(a: int, b: int):
    table = {"a": a}
    old = table.setdefault("a", b)
    new = table.setdefault("b", b)
    table.setdefault("l", []).append(a)
    table.setdefault("l", []).append(b)
    return old, new, table


# update: from a dict, from pairs, from keywords.
@case((1, 2))
def updates(a: int, b: int):
    table = {"a": a, "k": 0}
    nothing = table.update({"b": b, "a": -1})
    table.update([("c", a + b)], d=4)
    table.update(k=b)
    return nothing, table


# `|` makes a dict, `|=` updates one.
@case((1, 2))
def unions(a: int, b: int):
    left = {"a": a, "b": b}
    same = left
    both = left | {"b": 0, "c": a}
    left |= {"d": b}
    return both, left, same is left


# `**` within a display.
@case((1, 2))
def unpacks_into_a_display(a: int, b: int):
    base = {"a": a, "b": b}
    return {**base, "b": 9, "c": 3}, {"a": 7, **base}, dict(base, z=a)


# dict from pairs, keywords, zip.
@case((1, 2))
def makes_dicts(a: int, b: int):
    pairs, zipped = dict([("a", a), ("b", b)]), dict(zip("xy", (a, b)))
    return pairs, zipped, dict(a=a, c=b), dict.fromkeys("pq", a), dict()


# dict.fromkeys of keys that only the run knows: in their order, with one value for all.
@case((2, 5), (5, 2))
def from_keys_of_a_range(n: int, m: int):
    table = dict.fromkeys(range(n, m), [])
    for key in table:
        table[key].append(key)
    return table, len(table)


@case((3, 1), (2, 2))
def from_keys_in_a_list(a: int, b: int):
    table = dict.fromkeys([a, b, a], 0)
    table[b] += 1
    return table


# clear and copy.
@case((1, 2))
def clears_and_copies(a: int, b: int):
    table = {"a": a, "l": [b]}
    other = table.copy()
    other["l"].append(a)
    other["a"] = 5
    kept = dict(table)
    table.clear()
    return table, other, kept


# An alias is the same dict.
@case((1, 2))
def aliases(a: int, b: int):
    table = {"a": a}
    same = table
    same["b"] = b
    table = {"c": 3}
    return same, table, same is table


# Dicts compare by items, whatever their order.
@case((1, 1), (1, 2))
def compares(a: int, b: int):
    x, y = {"p": a, "q": b}, {"q": b, "p": b}
    return x == y, x != y, x == {"p": a}, {} == {}


# A comprehension over constant keys, with a condition.
@case((2, 5))
def comprehensions(a: int, b: int):
    names = ("x", "y", "z")
    table = {name: a * i for i, name in enumerate(names)}
    swapped = {i: name for i, name in enumerate(names) if name != "y"}
    return table, swapped, {k: v + b for k, v in table.items() if k > "x"}


# Nested dicts.
@case((1, 0.5))
def nested(n: int, x: float):
    table = {"layer": {"w": x, "b": {"value": n}}}
    table["layer"]["b"]["value"] += 1
    table["layer"]["c"] = table["layer"]["b"]
    table["layer"]["c"]["more"] = x
    return table


# A dict of lists.
@case((4,), (0,))
def groups(n: int):
    table = {"even": [], "odd": []}
    for i in range(n):
        if i % 2:
            table["odd"].append(i)
        else:
            table["even"].append(i)
    return table


# A dict of functions.
@case((3, 4))
def dispatches(a: int, b: int):
    table = {"+": lambda x, y: x + y, "*": lambda x, y: x * y}
    table["-"] = lambda x, y: x - y
    return [function(a, b) for function in table.values()], table["*"](b, b)


# The state of a loop in a dict that is written.
@case((X, 3), (X, 0))
def state_in_a_dict(x: f64["n"], steps: int):
    state = {"x": x, "step": 0, "norm": 0.0}
    for _ in range(steps):
        state["x"] = state["x"] * 0.5
        state["step"] += 1
        state["norm"] += float(np.abs(state["x"]).sum())
    return state


# Counting with keys that are known at run time only.
@case((np.array([3, 1, 3, 3, 2]),), (np.array([], dtype=np.int64),))
def counts(k: i64["n"]):
    counts = {}
    for item in k.tolist():
        counts[item] = counts.get(item, 0) + 1
    return counts


# ... with `in`.
@case((26,), (1,), (97,))
def counts_factors(n: int):
    powers = {}
    p = 2
    while n > 1:
        if n % p:
            p += 1
            continue
        n //= p
        if p in powers:
            powers[p] += 1
        else:
            powers[p] = 1
    return powers, len(powers)


# A memo of what was computed.
@case((20,), (1,), (0,))
def memoizes(n: int):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n]


# The first place where a number came up again.
@case((np.array([4, 7, 1, 7]),), (np.array([1, 2]),))
def first_repetition(k: i64["n"]):
    seen = {}
    for i, item in enumerate(k.tolist()):
        if item in seen:
            return seen[item], i
        seen[item] = i
    return None


# setdefault() with keys and lists that only the run knows.
@case((5,), (1,), (0,))
def setdefault_of_lists(n: int):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, []).append(i)
    return d, [sum(v) for v in d.values()]


# ... with and without a value.
@case((5,), (1,), (0,))
def setdefault_of_values(n: int):
    d = {}
    for i in range(n):
        d.setdefault(i % 3)
        d.setdefault(i % 2, i * 0.5)
    x = d.setdefault(0, 7)
    return d, x


# update(), `|`, copies and `**` of dicts whose keys only the run knows.
@case((5,), (1,), (0,))
def updates_by_run_time_keys(n: int):
    d = {}
    e = {}
    for i in range(n):
        d[i] = 1
        e[i + 1] = 2.5
    e.update(d)
    f = d | e
    d.update({"x": None})
    d.update(e, y=3)
    d |= e
    g = dict(e)
    h = {**d, **e, 7: 8}
    return d, e, f, g, h


# popitem() of a dict filled in a loop; KeyError where it is empty.
@case((5,), (1,), (0,))
def pops_the_last_item(n: int):
    d = {}
    for i in range(n):
        d[i] = i * 0.5
    k, v = d.popitem()
    return k, v, d


# ... until it is empty.
@case((5,), (1,), (0,))
def pops_until_it_is_empty(n: int):
    d = {i: i * i for i in range(n)}
    t = 0
    while d:
        k, v = d.popitem()
        t = t * 10 + k + v
    return t


# Counting, and asking the counts.
@case((5,), (1,), (0,))
def counts_by_key(n: int):
    xs = [i % 3 for i in range(n)]
    c = {}
    for x in xs:
        c[x] = c.get(x, 0) + 1
    best = None
    for k, v in c.items():
        if best is None or v > c[best]:
            best = k
    return (
        best,
        sorted(c.items(), key=lambda kv: -kv[1]),
        {v: k for k, v in c.items()},
        min(c),
        list(c.values()),
        [k for k in c if c[k] > 1],
    )


# Keys that are tuples, values that are lists, changed in place.
@case((5,), (0,))
def counts_in_lists_by_pairs(n: int):
    c = {}
    for i in range(n):
        k = (i % 2, "a" if i > 2 else "b")
        if k in c:
            c[k][0] += 1
        else:
            c[k] = [1, i]
    return c


# A dict of dicts, made as keys turn up.
@case((5,), (0,))
def tables_in_a_table(n: int):
    t = {}
    for i in range(n):
        row = t.setdefault(i % 2, {})
        row[i] = row.get(i, 0) + i
    return t


# Empty dicts in a dict, filled through another name.
@case((3,), (1,), (0,))
def dicts_filled_later(n: int):
    d = {}
    for i in range(n):
        d[i] = {}
    for i in range(n):
        e = d[i]
        e[i + 1] = i * 0.5
    return d


# Deleting while going through a copy of the keys.
@case((5,), (0,))
def deletes_by_a_copy_of_the_keys(n: int):
    d = {i: i for i in range(n)}
    for k in list(d):
        if k % 2:
            del d[k]
    return d


# A dict without keys asks no key for its hash.
@case(({},), ({1: 2},))
def pop_of_an_empty_dict(d):
    found = [{}.pop([1], None)]
    try:
        found.append(d.pop([1]))
    except (KeyError, TypeError) as error:
        found.append(type(error).__name__)
    return found
