"""What annotations do when a function runs."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, Optional, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from staticpy import f64
from tests.support.cases import case

T = TypeVar("T")
P = ParamSpec("P")


def noted(log: list[str], text: str) -> type:
    log.append(text)
    return int


# Annotations of variables are not evaluated in a function, whatever they say.
@case((2,), (-1,))
def of_variables(n: int):
    total: 1 / 0 = n * 2
    label: undefined_name = "a"  # noqa: F821
    (total): print("never")
    return total, label


# Of an item or an attribute with a value the annotation is not evaluated either.
@case((2,), (7,))
def of_an_item(n: int):
    items = [1, 2, 3]
    items[n]: 1 / 0 = 5
    return items


# Without a value the object and the index are evaluated, and nothing else happens.
@case((0,), (2,))
def without_a_value(n: int):
    log = []

    def get(name):
        log.append(name)
        return [1, 2]

    get("list")[n]: int
    get("slice")[n : n + 1]: int
    (get("object")).attribute: int
    return log


# The index may raise.
@case((0,), (2,))
def without_a_value_raising(n: int):
    items = [1]
    items[1 // n]: int
    return items


# A bare annotation makes the name local, and gives it no value.
@case((True,), (False,))
def bare(flag: bool):
    x: int
    if flag:
        x = 3
    return x


# A nested function evaluates its annotations where it is defined, after its defaults.
@case((1,))
def order_of_evaluation(n: int):
    log = []

    def inner(
        a: noted(log, "a"),
        b: noted(log, "b") = len(log),
        *rest: noted(log, "rest"),
        c: noted(log, "c") = len(log),
        **more: noted(log, "more"),
    ) -> noted(log, "returns"):
        return a + b + c

    log.append("defined")
    return inner(n), log


# The keyword-only and positional-only ones have their own place in the order.
@case((1,))
def order_of_positional_only(n: int):
    log = []

    def inner(a: noted(log, "a"), /, b: noted(log, "b"), *, c: noted(log, "c")):
        return a + b + c

    return inner(n, n, c=n), log


# An annotation that raises, though the function is never called.
@case((0,), (2,))
def raising_annotation(n: int):
    try:

        def inner(a: 1 // n):
            return a

    except ZeroDivisionError:
        return "caught"
    return inner(n)


# A variable that is not bound yet.
@case((True,), (False,))
def unbound_annotation(flag: bool):
    if flag:
        kind = int

    def inner(a: kind):
        return a

    return inner(1)


# An attribute that is not there.
@case((1,))
def missing_attribute(n: int):
    items = [n]

    def inner(a: items.first):
        return a

    return inner(n)


# A class that takes no items, and a text beside a class.
@case(("index",), ("or",), ("neither",))
def wrong_annotation(which: str):
    if which == "index":

        def inner(a: int[3]):
            return a

    elif which == "or":

        def inner(a: "int" | None):
            return a

    else:

        def inner(a: "int | nothing at all"):
            return a

    return inner(1)


# What annotations usually look like.
@case((3,))
def usual(n: int):
    def apply(function: Callable[[int], int], *args: Any, times: int = 1) -> int:
        return function(*args) * times

    def twice(function: Callable[P, T]) -> Callable[P, T]:
        def inner(*args: P.args, **kwargs: P.kwargs) -> T:
            function(*args, **kwargs)
            return function(*args, **kwargs)

        return inner

    def items(count: Optional[int] = None) -> Iterator[int]:
        yield from range(count or 2)

    @twice
    def total(values: list[int] | tuple[int, ...], mode: Literal["sum"] = "sum") -> "int | None":
        return sum(values)

    def arrays(a: NDArray[np.float64], b: f64["n"], c: np.ndarray) -> np.ndarray | None:
        return a + b + c

    ones = np.ones(n)
    return apply(lambda x: x + 1, n, times=2), total([*items(n)]), arrays(ones, ones, ones)
