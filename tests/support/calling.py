"""Calling a function several times, and keeping all that there is to see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import staticpy
from tests.support.describing import compare, describe

Function = Callable[..., Any]
Driver = Callable[[Function], Any]


class Drivers:
    """The functions of a test module, each with the driver that calls it."""

    def __init__(self) -> None:
        self.entries: list[tuple[Function, Driver]] = []

    def called_by(self, driver: Driver) -> Callable[[Function], Function]:
        """Enter a function and the driver that calls it."""

        def enter(function: Function) -> Function:
            self.entries.append((function, driver))
            return function

        return enter


def outcomes(function: Function, *calls: tuple[Any, ...]) -> list[Any]:
    """What each of several calls gives or raises, and its arguments."""
    found: list[Any] = []
    for args in calls:
        try:
            found.append((function(*args), args))
        except staticpy.CompileError:
            raise
        except Exception as error:
            found.append((type(error), error.args, args))
    return found


def on(*calls: tuple[Any, ...]) -> Driver:
    """Call with copies of the arguments."""
    return lambda function: outcomes(function, *map(_fresh, calls))


def _fresh(tree: Any) -> Any:
    if type(tree) in (list, tuple):
        return type(tree)(map(_fresh, tree))
    if type(tree) is dict:
        return {key: _fresh(item) for key, item in tree.items()}
    return tree.copy() if isinstance(tree, set | np.ndarray) else tree


def differences(function: Function, driver: Driver) -> list[str]:
    """What a driver sees of the compiled function that it does not see of the plain one."""
    defaults = [each for each in function.__defaults__ or () if type(each) is list]
    expected = describe({"seen": driver(function)})
    for each in defaults:
        each.clear()
    return list(compare(expected, describe({"seen": driver(staticpy.jit(function))})))
