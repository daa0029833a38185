"""Dicts that are arguments: written by the function, seen by the caller; parameters of models."""

from __future__ import annotations

import numpy as np

from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
W = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PARAMETERS = {"w": W, "b": np.array([0.1, 0.2])}
GRADIENTS = {"w": np.ones((2, 3)), "b": np.array([1.0, -1.0])}


# An item of the caller's dict counts.
@case(({"n": 3},), ({"n": 0.5, "m": 1},))
def counts_up(table):
    table["n"] += 1


# A key is added, one is deleted.
@case(({"a": 1, "b": 2.5},))
def adds_and_deletes(table):
    table["c"] = table["a"] + table["b"]
    del table["a"]
    table["a"] = 0
    return table


# pop, setdefault and update on an argument.
@case(({"a": 1},), ({"a": 2, "z": 3},))
def methods_on_an_argument(table):
    a = table.pop("a", 7)
    z = table.setdefault("z", a)
    table.update(y=a, z=z + 1)
    return a, z


# `|=` writes, `|` does not.
@case(({"a": 1}, {"a": 5, "b": 2}))
def unions_of_arguments(left, right):
    both = left | right
    right |= {"c": left["a"]}
    return both


# A missing key of the caller's: KeyError, after a write.
@case(({"a": 1, "b": 2},), ({"a": 1},))
def missing_key_of_an_argument(table):
    table["a"] = 10
    table["b"] += table["a"]
    return table


# A gradient step writes the arrays in place.
@case((PARAMETERS, GRADIENTS, 0.5))
def steps_in_place(parameters, gradients, rate):
    for name, gradient in gradients.items():
        parameters[name] -= rate * gradient


# ... or puts new arrays into the dict.
@case((PARAMETERS, GRADIENTS, 0.5))
def steps_with_new_arrays(parameters, gradients, rate):
    for name in parameters:
        parameters[name] = parameters[name] - rate * gradients[name]
    return parameters


# ... or makes a new dict.
@case((PARAMETERS, GRADIENTS, 0.5))
def steps_without_writes(parameters, gradients, rate):
    return {name: value - rate * gradients[name] for name, value in parameters.items()}


# Momentum, with state in a second dict, for a run-time number of steps.
@case((PARAMETERS, GRADIENTS, {"w": W * 0.0, "b": np.zeros(2)}, 3))
def momentum(parameters, gradients, velocity, steps):
    for _ in range(steps):
        for name in parameters:
            velocity[name] *= 0.9
            velocity[name] += gradients[name]
            parameters[name] -= 0.1 * velocity[name]
    return parameters["b"].sum()


# State that is made at the first call.
@case((PARAMETERS, GRADIENTS, {}), (PARAMETERS, GRADIENTS, {"w": W.copy()}))
def lazy_state(parameters, gradients, state):
    for name, gradient in gradients.items():
        if name not in state:
            state[name] = np.zeros_like(parameters[name])
        state[name] += gradient**2
        parameters[name] -= gradient / np.sqrt(state[name] + 1e-8)
    return list(state)


# Nested dicts of arguments.
@case(({"a": {"n": 1}, "b": {"n": 2, "x": X}},))
def nested_arguments(table):
    for name, inner in table.items():
        inner["n"] += 1
        inner["name"] = name
    table["b"]["x"][0] = 9.0
    table["c"] = {"n": table["a"]["n"] + table["b"]["n"]}


# The inner dict under two keys.
@case(({"n": 1},))
def one_dict_twice(inner):
    outer = {"first": inner, "second": inner}
    outer["first"]["n"] = 5
    outer["second"]["m"] = outer["first"]["n"] + 1
    return outer


# A dict of lists: append.
@case(({"loss": [1.0]}, 0.5), ({"loss": [], "other": 1}, 2))
def logs(history, loss):
    history["loss"].append(loss)
    history.setdefault("steps", []).append(len(history["loss"]))
    return min(history["loss"])


# A dict of settings: strings and None are compile-time values.
@case((X, {"kind": "relu", "scale": None}), (X, {"kind": "tanh", "scale": 2.0}))
def settings(x, options):
    if options["kind"] == "relu":
        y = np.maximum(x, 0.0)
    elif options["kind"] == "tanh":
        y = np.tanh(x)
    else:
        raise KeyError(options["kind"])
    if options["scale"] is not None:
        y = y * options["scale"]
    options["used"] = True
    return y


# get with defaults.
@case((X, {}), (X, {"low": -0.5}), (X, {"low": 0, "high": 1}))
def defaults_by_get(x, options):
    low = options.get("low", -1.0)
    high = options.get("high")
    y = np.maximum(x, low)
    return y if high is None else np.minimum(y, high)


# Keyword arguments arrive as a dict of their own.
def collects(**options):
    options["count"] = len(options)
    return options


@case(({"a": 1, "b": 2},))
def passes_keywords(table):
    made = collects(**table)
    made["a"] = 100
    return made, collects(z=table["a"], **{"y": 0})


# A helper writes into a dict.
def bump(table, key, by=1):
    table[key] = table.get(key, 0) + by
    return table


@case(({"n": 1},), ({},))
def a_helper_writes(table):
    bump(table, "n")
    bump(bump(table, "m", by=2.5), "n", 10)
    return bump({}, "own")


# Tuples and numbers as keys.
@case(({(0, 0): 1.0, (0, 1): 2.0, 3: -1.0},))
def keys_of_several_kinds(table):
    table[(0, 0)] += table[0, 1]
    table[3] = abs(table[3])
    table[1, 1] = table[3]
    return sum(table.values())


# Iteration in order of insertion, over an argument; pairs sorted by key.
@case(({"b": 2, "a": 1, "c": 3},))
def sorted_items(table):
    order = [key for key in table]
    ranked = sorted(table.items())
    best = max(table, key=table.get)
    return order, ranked, best, {value: key for key, value in ranked}


# Two arguments compare, and are exchanged.
@case(({"a": 1}, {"a": 1}), ({"a": 1}, {"b": 2}))
def compares_arguments(left, right):
    same = left == right
    left["n"] = 0
    left, right = right, left
    return same, left, right == left


# Writes before an exception stay.
@case(({"n": 4, "log": []},), ({"n": 0, "log": []},))
def raises_after_writes(table):
    table["log"].append("begin")
    table["ratio"] = 8 // table["n"]
    table["log"].append("end")
    return table["ratio"]


# A branch on a run-time value writes one key or another.
@case(({"high": 0, "low": 0}, 0.5), ({"high": 0, "low": 0}, -0.5))
def writes_in_a_branch(table, x):
    if x > 0:
        table["high"] += 1
    else:
        table["low"] += 1
    table["last"] = x
    return table["high"] - table["low"]


# A while loop writes until a value is small.
@case(({"x": 10.0, "steps": 0}, 0.5), ({"x": 0.1, "steps": 5}, 0.5))
def writes_in_a_while_loop(state, factor):
    while state["x"] > 1.0:
        state["x"] *= factor
        state["steps"] += 1
    return state["steps"]


# Masked writes to an array within a dict.
@case(({"x": X, "mask": X > 0},))
def masked_writes_in_a_dict(table):
    table["x"][table["mask"]] = 0.0
    table["x"][~table["mask"]] *= 2.0
    table["sum"] = table["x"].sum()


# Dicts by keyword.
@case(call(table={"a": 1}), call({"a": 1}, key="b", value=3))
def keyword_dicts(table, key="a", value=0):
    table[key] = value
    return key in table, table[key]


# A record whose values are of several types: what a list is not multiplied by is none of them.
@case(({"name": "x", "balance": 2, "history": []}, 3), ({"name": "y", "balance": 0.5}, 1))
def records(record, n):
    records = {0: record}
    for i in range(1, n):
        records[i] = {"name": str(i), "balance": i, "history": [i]}
    for each in records.values():
        each["balance"] *= 1.5
        each.setdefault("history", []).append(n)
    return [each["balance"] for each in records.values()], [*records.values()][-1]
