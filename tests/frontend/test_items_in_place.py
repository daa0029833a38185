"""``d[key] += v``, ``items[i] += v`` and ``obj.name += v`` on arrays: the array is written to, and
what held it holds it still.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences


class Model:
    shared = np.zeros(3)

    def __init__(self) -> None:
        self.w = np.ones(3)


class Counting:
    """Counts how often its array is set."""

    def __init__(self) -> None:
        self._w, self.count = np.ones(3), 0

    @property
    def w(self):
        return self._w

    @w.setter
    def w(self, value):
        self._w, self.count = value, self.count + 1


class Slotted:
    __slots__ = ("w",)

    def __init__(self) -> None:
        self.w = np.ones(3)


def of_an_attribute(model, x):
    model.w += x
    model.w *= 2.0
    return model.w.sum()


def of_a_class(model, x):
    """The object has an attribute of its own then."""
    model.shared = model.shared.copy()
    del model.shared
    model.shared += 0 * x
    model.shared -= 0 * x
    return model.w


def of_a_property(model, x):
    model.w += x
    model.w -= 2.0 * x
    return model.count


def of_a_dict(d, x):
    for key in d:
        d[key] += x
        d[key] /= 2.0
    return d["a"]


def of_one_array_twice(d, x):
    d["b"] = d["a"]
    d["b"] *= 2.0
    d["a"] += x
    return d["a"] is d["b"]


def replaced(items, x):
    items[0] = x.copy()
    return 1.0


def of_an_item_that_is_replaced_meanwhile(items, x):
    items[0] += replaced(items, x) * x
    items[-1] *= 3.0
    return items[0]


def of_a_list_made_here(items, x):
    made = [items[0], x * 2.0]
    made[0] += x
    made[1] = made[0]
    made[1] += x
    return made


def in_a_loop(items, x):
    for i in range(3):
        items[0] += i * x
        if i == 1:
            items[0] = items[0] * 1.0
    return items[0]


def lists():
    return [np.ones(3), np.arange(3.0)], np.arange(3.0)


def dicts():
    return {"a": np.ones(3)}, np.arange(3.0)


CASES = [
    (of_an_attribute, lambda: (Model(), np.arange(3.0))),
    (of_an_attribute, lambda: (Counting(), np.arange(3.0))),
    (of_an_attribute, lambda: (Slotted(), np.arange(3.0))),
    (of_a_class, lambda: (Model(), np.arange(3.0))),
    (of_a_property, lambda: (Counting(), np.arange(3.0))),
    (of_a_dict, dicts),
    (of_one_array_twice, dicts),
    (of_an_item_that_is_replaced_meanwhile, lists),
    (of_a_list_made_here, lists),
    (in_a_loop, lists),
]


@pytest.mark.parametrize(("function", "make"), CASES)
@pytest.mark.parametrize(
    "route", [staticpy.jit, lambda f: staticpy.jit(f, backend="python_source")]
)
def test_as_python(function, make, route):
    assert differences(function, [Call(make())], {"graph": route(function)}) == []
