"""Tuples, lists and dicts of values: as arguments, inside, and as results."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PARAMETERS = {"w": W, "b": np.array([0.1, 0.2])}


# A dict of arrays comes in.
@case((PARAMETERS, X))
def dict_of_parameters(parameters, x):
    return parameters["w"] @ x + parameters["b"]


# A dict goes out, its keys in order.
@case((X,))
def dict_as_result(x: f64["n"]):
    return {"sum": x.sum(), "double": x * 2.0, "count": len(x), 3: "three"}


# A list comes in, a list goes out.
@case(([X, X * 2.0],), ([X],))
def list_of_arrays(arrays):
    return [arrays[0] + 1.0, arrays[-1]]


# Nested structures in both directions.
@case(({"layers": [(W, PARAMETERS["b"])], "scale": 2.0}, X))
def nested_structures(model, x):
    w, b = model["layers"][0]
    return {"out": (w @ x + b, [model["scale"], x]), "scale": model["scale"]}


# Tuples of mixed boxes.
@case(((1, 2.5, np.float32(3), X),))
def tuple_of_mixed_boxes(items: tuple[int, float, np.float32, f64["n"]]):
    a, b, c, d = items
    return (a + 1, b + 1, c + 1, d + 1)


# An empty tuple, list and dict.
@case((1,))
def empty_structures(n: int):
    return (), [], {}, (n,), ((),)


# Items by constant indexes and slices.
@case((1, 2, 3))
def items_of_a_tuple(a: int, b: int, c: int):
    items = (a, b, c)
    return items[0], items[-1], items[1:], items[::-1], len(items)


# Tuples and lists are joined and repeated.
@case((1, 2))
def joined_tuples(a: int, b: int):
    return (a, b) + (b,), [a] + [b, a], (a,) * 3, 2 * [b]


# A loop over a list of layers.
@case(([(W, PARAMETERS["b"]), (W.T @ W, X)], np.ones(2)))
def loop_over_layers(layers, x):
    out = x
    for i, (w, b) in enumerate(layers):
        out = np.tanh(out @ w if i == 0 else w @ out)
    return out


# Structures that a branch chooses between, with the same keys.
@case((X, 1), (X, 0))
def structures_from_branches(x: f64["n"], n: int):
    if n:
        state = {"x": x, "steps": (n, 0)}
    else:
        state = {"x": x * 2.0, "steps": (0, n + 5)}
    return state


# A tuple as the state of a loop.
@case((10,), (0,))
def tuple_as_state(n: int):
    state = (0, 1)
    for _ in range(n):
        state = (state[1], state[0] + state[1])
    return state


# A dict as the state of a loop.
@case((X, 3), (X, 0))
def dict_as_state(x: f64["n"], steps: int):
    state = {"x": x, "energy": x.sum(), "step": 0}
    for _ in range(steps):
        new = state["x"] * 0.5
        state = {"x": new, "energy": new.sum(), "step": state["step"] + 1}
    return state


# Nested tuples as state, taken apart and put together.
@case((5,), (1,))
def nested_state(n: int):
    state = ((1, 0), (0, 1))
    while n > 0:
        (a, b), (c, d) = state
        state = ((a + b, a), (c + d, c))
        n -= 1
    return state


# The argument that comes back is the argument.
@case((PARAMETERS,))
def arguments_as_results(parameters):
    return parameters["b"], {"again": parameters["b"], "w": parameters["w"]}


# One array twice in a result is one array.
@case((X,))
def one_array_twice(x: f64["n"]):
    y = x + 1.0
    return y, [y], {"y": y}


# Two equal arrays stay two arrays.
@case((X,))
def two_equal_arrays(x: f64["n"]):
    return x + 1.0, x + 1.0


# Length and truth of structures are known.
@case((0,), (3,))
def truth_of_structures(n: int):
    items = [n]
    if items and not () and not {}:
        return len(items), len({"a": n, "b": n})
    return 0, 0


# Keys may be ints and tuples.
@case((1.0, 2.0))
def keys_of_several_kinds(x: float, y: float):
    table = {0: x, (1, 2): y, "k": x + y}
    return table[0], table[1, 2], table["k"]


# `in` asks for a key.
@case((PARAMETERS,))
def membership_in_a_dict(parameters):
    return "w" in parameters, "v" in parameters, "v" not in parameters


# A loop over the keys of a dict.
@case((PARAMETERS,))
def loop_over_a_dict(parameters):
    total = np.float64(0.0)
    for key in parameters:
        total = total + parameters[key].sum()
    return total


# items() and values(), in order.
@case((PARAMETERS,))
def loop_over_items(parameters):
    scale = 1.0
    total = np.float64(0.0)
    for _, value in parameters.items():
        scale = scale * 2.0
        total = total + value.sum() * scale
    for value in parameters.values():
        total = total - value.size
    return total


# A gradient step on a dict of parameters.
@case((PARAMETERS, {"w": W * 0.0 + 1.0, "b": np.ones(2)}, 0.5))
def updates_a_dict(parameters, gradients, rate):
    return {
        "w": parameters["w"] - rate * gradients["w"],
        "b": parameters["b"] - rate * gradients["b"],
    }


# None among values.
@case((3,))
def none_in_a_structure(n: int):
    options = (None, n, "mean")
    return options[0] is None, options[1], options


# Builtin sum, min and max over numbers of a tuple.
@case((3, -1, 2))
def builtins_over_a_tuple(a: int, b: int, c: int):
    return sum((a, b, c)), max((a, b, c)), min([a, b, c])
