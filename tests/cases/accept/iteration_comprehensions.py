"""Comprehensions: of lists, dicts and sets; nested, conditional; over arrays, ranges, dicts."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
M = np.array([[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]])
K = np.array([3, 0, 2])
CONFIG = {"rate": 0.5, "steps": 3}


# A list over a range with a run-time bound.
@case((5,), (0,), (-3,))
def squares(n: int):
    return [i * i for i in range(n)]


# A condition known at run time only.
@case((10, 3), (10, 1), (0, 2))
def conditional_list(n: int, k: int):
    return [i for i in range(n) if i % k == 1]


# Several conditions and a conditional expression.
@case((12,), (0,))
def several_conditions(n: int):
    return [i if i % 2 else -i for i in range(n) if i > 2 if i % 3]


# Over a tuple: each item has a type of its own.
@case((2, 0.5, X))
def over_a_tuple(n: int, x: float, a: f64["n"]):
    return [item * 2 for item in (n, x, a)], [len(s) for s in ("a", "bc")]


# Over an array, over its rows.
@case((X, M), (X[:0], M[:0]))
def over_arrays(x: f64["n"], m: f64["m", 2]):
    return [v * v for v in x], [row.sum() for row in m], [a - b for a, b in m]


# A list of arrays becomes an array.
@case((M,), (M[:1],))
def stacked_rows(m: f64["m", 2]):
    return np.array([row[::-1] for row in m]), np.stack([row * 2.0 for row in m])


# An array made of a list of numbers.
@case((4,), (1,))
def array_of_a_list(n: int):
    return np.array([i * 0.5 for i in range(n)]), np.array([i * i for i in range(n)])


# Two generators: the second depends on the first.
@case((4,), (1,), (0,))
def triangle(n: int):
    return [i * 10 + j for i in range(n) for j in range(i)]


# A list in a list.
@case((3, 2), (0, 2), (2, 0))
def nested_lists(n: int, m: int):
    return [[i * m + j for j in range(m)] for i in range(n)]


# Flattened again, transposed.
@case((2, 3))
def flattened(a: int, b: int):
    table = [[a, b], [b, a + b], [a, a]]
    flat = [item for row in table for item in row if item != a]
    turned = [[row[i] for row in table] for i in range(2)]
    return flat, turned


# Pythagorean triples: three generators and a condition.
@case((14,), (4,))
def triples(n: int):
    return [
        (a, b, c)
        for a in range(1, n)
        for b in range(a, n)
        for c in range(b, n)
        if a * a + b * b == c * c
    ]


# zip, enumerate and reversed in a comprehension.
@case((X, K))
def over_iterators(x: f64["n"], k: i64["n"]):
    return (
        [a * b for a, b in zip(x, k)],
        [i * v for i, v in enumerate(x, 1)],
        [v for v in reversed(x)],
        [i + a * b for i, (a, b) in enumerate(zip(x, k))],
    )


# A dict of compile-time keys.
@case((2, 3))
def dict_comprehension(a: int, b: int):
    table = {"a": a, "b": b, "c": a * b}
    return {k: v * 2 for k, v in table.items()}, {k + "!": v for k, v in table.items() if k != "b"}


# A dict turned over, with keys known while compiling.
@case((2,))
def dict_of_names(n: int):
    return {len(name): name for name in ("x", "yy", "zzz")}, {i: n**i for i in range(3)}


# A dict whose keys are known at run time only.
@case((4,), (0,))
def dict_of_run_time_keys(n: int):
    return {i * i: i for i in range(n)}


# A set of compile-time values.
@case((2,))
def set_comprehension(n: int):
    sizes = {len(name) for name in ("x", "y", "zz")}
    return sorted(sizes), len({i % 3 for i in range(10)}), n in {1, 2}


# Names in a comprehension are its own.
@case((3,))
def names_are_local(n: int):
    i = 100
    squares = [i * i for i in range(n)]
    n = [n for n in range(2)]
    return i, squares, n


# The first iterable is evaluated outside, the others inside.
@case((3,), (0,))
def first_iterable_is_outside(n: int):
    i = 2
    return [i + j for i in range(i + n) for j in range(i)]


# A walrus binds in the function around.
@case((6,), (0,))
def walrus_in_a_comprehension(n: int):
    last = -1
    kept = [last := i * i for i in range(n) if i % 2]
    return kept, last


@case((5,), (2,))
def walrus_in_a_condition(n: int):
    total = 0
    sums = [total := total + i for i in range(n)]
    big = [half for i in range(n) if (half := i // 2) > 0]
    return sums, total, big


# A comprehension reads variables around it, functions too.
@case((3, 10))
def reads_around(n: int, k: int):
    def shifted(v):
        return v + k + offset

    offset = 5
    return [shifted(i) * CONFIG["steps"] for i in range(n)]


# A function in a comprehension sees the last value.
@case((2,))
def functions_in_a_comprehension(n: int):
    late = [lambda x: x * i + n for i in range(3)]
    return [f(10) for f in late]


# A comprehension in a condition, an index, an argument.
@case((X, 1), (X, 5))
def comprehensions_everywhere(x: f64["n"], limit: int):
    if [v for v in x if v > limit]:
        return x[[i for i in (2, 0)]], sum([v * v for v in x])
    return x[:0], sum([])


# A comprehension with an error in it.
@case((3,), (-1,))
def error_in_a_comprehension(n: int):
    return [6 // (i - 2) for i in range(n)]


@case((3,), (9,))
def index_error_in_a_comprehension(n: int):
    return [X[i] for i in range(n)]


# A comprehension in a loop.
@case((4,), (0,))
def comprehension_in_a_loop(n: int):
    total = 0
    for k in range(n):
        row = [i * k for i in range(k)]
        total += sum(row) + len(row)
    return total


# The loop of a comprehension over a dict of arrays.
@case(({"w": M, "b": X},))
def over_a_dict_of_arrays(parameters):
    scaled = {name: value * 0.5 for name, value in parameters.items()}
    norms = [float((value * value).sum()) for value in scaled.values()]
    return scaled, sum(norms)


# A dict comprehension as a gradient step.
@case(({"w": X, "b": X * 2.0}, {"w": X + 1.0, "b": X}, 0.5))
def step_of_all_parameters(parameters, gradients, rate):
    return {k: parameters[k] - rate * gradients[k] for k in parameters}


# Starred items of comprehensions.
@case((3,))
def comprehensions_unpacked(n: int):
    items = [*[i for i in range(3)], n, *(j * n for j in (1, 2))]
    return items, {**{"a": n}, **{k: 1 for k in "bc"}}


# Matrix product of lists.
@case((1, 2, 3))
def product_of_nested_lists(a: int, b: int, c: int):
    left = [[a, b], [c, a]]
    right = [[b, c], [a, b]]
    return [[sum([x * y for x, y in zip(row, column)]) for column in zip(*right)] for row in left]


# Primes by comprehension.
@case((30,), (2,), (0,))
def primes(n: int):
    return [p for p in range(2, n) if all(p % d for d in range(2, p))]


# A comprehension of tuples, sorted, then indexed.
@case((X,))
def order_of_values(x: f64["n"]):
    pairs = sorted([(float(v), i) for i, v in enumerate(x)])
    return [i for _, i in pairs], pairs[0][0]


# A boolean list as a mask.
@case((X, K))
def mask_of_a_list(x: f64["n"], k: i64["n"]):
    return x[np.array([bool(v > 0) for v in k])]


# A text in each item.
@case((3,))
def texts_in_a_comprehension(n: int):
    return [f"{i}:{i * n}" for i in range(3)], [c for c in "abc" if c != "b"]
