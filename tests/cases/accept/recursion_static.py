"""Recursion whose depth is known while compiling: over structures, static counts and functions."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])
W = np.array([[1.0, 0.5], [-0.5, 2.0]])
TREE = {"left": {"left": None, "right": None, "value": 2}, "right": None, "value": 1}


# A static count.
def repeated(x, times):
    if times == 0:
        return x
    return repeated(np.tanh(x), times - 1)


@case((X,))
def static_count(x: f64["n"]):
    return repeated(x, 3)


# Powers of a run-time number to a static exponent.
def power(x, n):
    if n == 0:
        return 1
    if n % 2:
        return x * power(x, n - 1)
    half = power(x, n // 2)
    return half * half


@case((3, X), (-2, X[:0]))
def static_exponent(k: int, x: f64["n"]):
    return power(k, 10), power(x, 5), power(2, 100)


# A tree of dicts.
def weight(tree, scale):
    if tree is None:
        return 0
    below = weight(tree["left"], scale * 2) + weight(tree["right"], scale * 3)
    return tree["value"] * scale + below


@case((5,), (0.5,))
def tree_of_dicts(k):
    return weight(TREE, k)


# Nested lists of any depth.
def flat(items):
    result = []
    for item in items:
        if isinstance(item, list | tuple):
            result += flat(item)
        else:
            result.append(item)
    return result


def depth(items):
    return 1 + max([depth(item) for item in items], default=0) if isinstance(items, list) else 0


@case((1, 2.5))
def nested_lists(n: int, x: float):
    return flat([n, [x, (n, [])], [[[n + 1]]]]), depth([[n], [[n]], []])


# A map over a tree of parameters.
def mapped(function, tree):
    if isinstance(tree, dict):
        return {key: mapped(function, item) for key, item in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)([mapped(function, item) for item in tree])
    return function(tree)


@case(({"w": W, "rest": [X, (X[:1], 2.0)]}, 0.5))
def map_over_a_tree(parameters, rate):
    return mapped(lambda value: value * rate, parameters)


@case(({"w": W, "b": [X]}, {"w": W * 2.0, "b": [X + 1.0]}))
def sum_over_a_tree(left, right):
    totals = []
    mapped(lambda value: totals.append(value.sum()), left)
    mapped(lambda value: totals.append(value.max()), right)
    return totals


# A recursive network: layers in a tuple.
def network(layers, x):
    if not layers:
        return x
    (w, b), *rest = layers
    return network(rest, np.tanh(w @ x + b))


@case((X[:2], W))
def network_of_layers(x: f64[2], w: f64[2, 2]):
    return network([(w, 0.5), (w.T, x), (w @ w, 0.0)], x)


# Polynomials by Horner's rule over a tuple.
def horner(coefficients, x):
    if len(coefficients) == 1:
        return coefficients[0]
    return coefficients[-1] + x * horner(coefficients[:-1], x)


@case((2.0, 3), (-0.5, 0))
def horner_over_a_tuple(x: float, n: int):
    return horner((1, -2, n, x), x), horner((n,), x)


# Permutations, combinations, subsets of static items.
def permutations(items):
    if not items:
        return [[]]
    return [
        [items[i], *rest]
        for i in range(len(items))
        for rest in permutations(items[:i] + items[i + 1 :])
    ]


def subsets(items):
    if not items:
        return [()]
    rest = subsets(items[1:])
    return rest + [(items[0], *subset) for subset in rest]


@case((1, 2))
def permutations_and_subsets(a: int, b: int):
    return permutations([a, b, 3]), [sum(s) for s in subsets((a, b, 5))]


# The determinant by its minors.
def determinant(m):
    if m.shape == (1, 1):
        return m[0, 0]
    total = 0.0
    for j in range(m.shape[1]):
        minor = np.concatenate((m[1:, :j], m[1:, j + 1 :]), axis=1)
        total = total + (-1) ** j * m[0, j] * determinant(minor)
    return total


@case((np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),))
def determinant_of_three(m: f64[3, 3]):
    return determinant(m)


# The Walsh-Hadamard and the Fourier transform on sizes known while compiling.
def hadamard(x):
    if len(x) == 1:
        return x
    half = len(x) // 2
    a, b = hadamard(x[:half]), hadamard(x[half:])
    return np.concatenate((a + b, a - b))


def fourier(x):
    n = len(x)
    if n == 1:
        return x + 0j
    even, odd = fourier(x[::2]), fourier(x[1::2])
    turn = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate((even + turn, even - turn))


@case((X,))
def fast_transforms(x: f64[4]):
    return hadamard(x), np.abs(fourier(x))


# Towers of functions.
def compose(functions):
    if not functions:
        return lambda x: x
    head, *tail = functions
    rest = compose(tail)
    return lambda x: rest(head(x))


@case((4.0,))
def composed_functions(x: float):
    return compose([lambda v: v + 1.0, np.sqrt, float])(x), compose([])(x)


# n-th derivative by differences.
def difference(f, order):
    if order == 0:
        return f
    g = difference(f, order - 1)
    return lambda x: g(x + 1) - g(x)


@case((3,), (-2,))
def higher_differences(n: int):
    return [difference(lambda x: x**3, order)(n) for order in range(5)]


# Static depth with run-time branches on the way.
def bisected(f, low, high, depth):
    middle = (low + high) / 2.0
    if depth == 0:
        return middle
    if f(low) * f(middle) <= 0.0:
        return bisected(f, low, middle, depth - 1)
    return bisected(f, middle, high, depth - 1)


@case((2.0,), (3.0,))
def bisection_of_static_depth(a: float):
    return bisected(lambda x: x * x - a, 0.0, 4.0, 6)


# Mutual recursion over a structure.
def total_of_list(items):
    return sum([total_of_any(item) for item in items])


def total_of_any(item):
    if isinstance(item, dict):
        return total_of_list(item.values())
    if isinstance(item, list | tuple):
        return total_of_list(item)
    return item


@case((1, 2.5))
def mutual_over_a_structure(n: int, x: float):
    return total_of_any({"a": [n, (x, n)], "b": {"c": x, "d": []}})


# A recursive class.
class Node:
    def __init__(self, value, *children):
        self.value = value
        self.children = children

    def total(self):
        return self.value + sum(child.total() for child in self.children)

    def depth(self):
        return 1 + max((child.depth() for child in self.children), default=0)

    def scaled(self, k):
        return Node(self.value * k, *[child.scaled(k) for child in self.children])


@case((1, 2.5), (0, -1.0))
def tree_of_objects(n: int, x: float):
    tree = Node(n, Node(x), Node(n + 1, Node(x * 2)))
    return tree.total(), tree.depth(), tree.scaled(2).total()


# A linked list of tuples.
def linked(items):
    return None if not items else (items[0], linked(items[1:]))


def length(cell):
    return 0 if cell is None else 1 + length(cell[1])


def reversed_cells(cell, done=None):
    return done if cell is None else reversed_cells(cell[1], (cell[0], done))


@case((1, 2))
def linked_cells(a: int, b: int):
    cells = linked((a, b, a + b))
    return cells, length(cells), reversed_cells(cells)


# Pascal's triangle, row by row.
def pascal(n):
    if n == 0:
        return [1]
    above = pascal(n - 1)
    return [1, *(a + b for a, b in zip(above, above[1:])), 1]


@case((2,))
def pascal_row(k: int):
    return [item * k for item in pascal(5)]
