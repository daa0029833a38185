"""Comprehensions: shapes of nesting, conditions at run time, arrays made of them."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0])
M = np.arange(6.0).reshape(2, 3)


# A matrix of a nested one, transposed by another.
@case((2, 3), (0, 4), (1, 1))
def matrix_and_transpose(m: int, n: int):
    rows = [[10 * i + j for j in range(n)] for i in range(m)]
    columns = [[row[j] for row in rows] for j in range(n)]
    return rows, columns


# The product of two lists of lists.
@case((2.0,), (-1.5,))
def list_product(x: float):
    a = [[1.0, x], [0.0, 1.0]]
    b = [[x, 0.0], [1.0, x]]
    return [
        [sum(p * q for p, q in zip(row, column, strict=True)) for column in zip(*b, strict=True)]
        for row in a
    ]


# Both loops have conditions, the inner one reads the outer.
@case((4,), (0,))
def two_conditions(n: int):
    return [(i, j) for i in range(n) if i % 2 for j in range(i) if j != 1]


# Values chosen by a condition at run time.
@case((X,), (X[:0],))
def chosen_values(x: f64["n"]):
    return [v if v > 0 else -v for v in x], [v for v in x if v > 0 if v < 3]


# An array of a comprehension over rows, of scalars and of rows.
@case((M,), (M[:1],))
def arrays_of_rows(m: f64["m", "n"]):
    return (
        np.array([row.sum() for row in m]),
        np.array([row * 2 for row in m]),
        len([r for r in m if len(r)]),
    )


# A dict of functions of one array.
@case((X,))
def dict_of_results(x: f64["n"]):
    functions = {"mean": np.mean, "max": np.max}
    results = {name: function(x) for name, function in functions.items()}
    return results, {len(name): name for name in results}, {v: k for k, v in {"a": 1}.items()}


# A dict that is filtered and changed.
@case((1.0, -1.0))
def dict_of_a_dict(a: float, b: float):
    weights = {"x": a, "y": b, "bias": 0.0}
    scaled = {k: 2 * v for k, v in weights.items() if k != "bias"}
    weights["x"] = 9.0
    return scaled, weights


# Sets of compile-time values.
@case((2,))
def sets_of_texts(n: int):
    words = ["alpha", "beta", "gamma", "delta"]
    lengths = {len(word) for word in words}
    return sorted(lengths), n in lengths, 5 in {len(w) for w in words if "e" in w}


# The iterable is a list that the element changes.
@case((3,))
def element_changes_another_list(n: int):
    log = []
    doubled = [log.append(i) or 2 * i for i in range(n)]
    return doubled, log


# Enumerate and zip with conditions and stars.
@case((X, np.array([1, 0, 2])), (X, np.array([3, 3, 3])))
def pairs_and_places(x: f64["n"], places: i64["n"]):
    kept = [(i, x[p]) for i, p in enumerate(places) if p < len(x)]
    return kept, [a * b for (i, a), b in zip(kept, x, strict=False) if i]


# Comprehensions of comprehensions of run-time lengths.
@case((3,), (1,), (0,))
def triangle_of_lists(n: int):
    rows = [[i * j for j in range(i)] for i in range(n)]
    return rows, [sum(row) for row in rows], [len(row) for row in rows if row]


# A comprehension in a condition, in an index and in a call.
@case((X,), (-np.abs(X),))
def in_other_places(x: f64["n"]):
    if any([v > 0 for v in x]):  # noqa: C419
        return x[[i for i in range(len(x)) if x[i] > 0]]
    return np.concatenate([x, *[x[:1] for _ in range(2)]])


# Slices of one list, by a step of run time.
@case((2,), (3,), (10,))
def chunks(size: int):
    items = list(range(7))
    return [items[i : i + size] for i in range(0, len(items), size)]


# A method and an attribute of each item.
class Layer:
    def __init__(self, width):
        self.width = width

    def apply(self, x):
        return x * self.width


@case((1.5,), (-2.0,))
def methods_of_items(x: float):
    layers = [Layer(width) for width in (1, 2, 4) if width != 2]
    return [layer.apply(x) for layer in layers], sum(layer.width for layer in layers)
