"""Calls with ``*items`` among the arguments, of which only the running program knows how many.

In: what is called, the arguments before, and a list of the others. Out: the arguments. A function's
own parameters take an item each, with a check that there are enough, and its ``*args`` takes the
rest, as a tuple whose length is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.frontend.classes import (
    class_lookup,
    is_generated,
    is_single_dispatch,
    python_function,
)
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.kinds import is_number
from staticpy.frontend.lower_numpy import NumPyCalls
from staticpy.frontend.parse import Parameter
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    ListRef,
    UserFunction,
)
from staticpy.ir import Type, members_of

Fill = Callable[[list[Any], Any], list[Any]]
"""Makes all arguments of those before a list, and of the list."""


@dataclass(frozen=True, slots=True)
class Rest:
    """The last argument of a call: the items, known at run time, that ``*args`` takes."""

    items: ListRef


class StarredCalls(NumPyCalls):
    """Spreads out a list in memory."""

    def filling(self, function: Any, node: Any) -> Fill | None:
        """What the arguments are where there is ``*items`` of a run-time number among them; None
        where that can't be.
        """
        if not any(isinstance(argument, gast.Starred) for argument in node.args):
            return None
        if isinstance(function, np.ufunc) and not node.keywords:
            return lambda before, items: self._operands(function, before, items, node)
        if function in (min, max) and not node.keywords:
            return lambda before, items: self._extreme_of(function, before, items, node)
        skipped, callee = self._callee(function)
        if not isinstance(callee, UserFunction | Closure) or is_single_dispatch(callee):
            return None
        parameters = self.prepared(callee, node).parameters[skipped:]
        return self._parameters(callee, parameters, node)

    def _callee(self, function: Any) -> tuple[int, Any]:
        """The user's function that is called in the end, and how many arguments it has before."""
        if isinstance(function, BoundFunction):
            return 1, function.function
        if isinstance(function, type) and class_lookup(function, "__new__")[0] is object.__new__:
            init = class_lookup(function, "__init__")[0]
            known = None if is_generated(init) else python_function(init)
            return 1, None if known is None else self.user_function(init)
        return 0, function

    def _parameters(self, callee: Any, parameters: list[Parameter], node: Any) -> Fill | None:
        """Arguments for the parameters of a user's function."""
        own = [each for each in parameters if each.kind in ("positional_only", "positional")]
        takes_all = any(each.kind == "var_positional" for each in parameters)

        def fill(before: list[Any], items: ListRef) -> list[Any]:
            left = own[len(before) :]
            least = sum(each.default is None for each in left)
            are_plain = all(map(_is_plain, node.keywords))  # CPython has them before it counts
            named = self.keywords(node.keywords) if are_plain else {}
            if not are_plain or any(each.name in named for each in left):
                self.refuse_starred(node)
            length = self.length(items, node)
            enough = ops.compare(">=", length, least) if least else True
            few = True if takes_all else ops.compare("<=", length, len(left))
            message = f"{_name(callee)}() takes another number of positional arguments"
            self._require_number(self.both(enough, few), message)
            found = [self._item_for(callee, i, each, items, node) for i, each in enumerate(left)]
            rest = self.list_item(items, slice(len(left), None), node) if takes_all else None
            return [*before, *found, *([] if rest is None else [Rest(rest)])]

        return fill

    def _item_for(
        self, callee: Any, position: int, parameter: Parameter, items: ListRef, node: Any
    ) -> Any:
        if parameter.default is None:
            return self.list_item(items, position, node)
        return self.choose(
            ops.as_value(ops.compare(">", self.length(items, node), position)),
            lambda: self.list_item(items, position, node),
            lambda: self.default_of(callee, parameter),
            f"the argument '{parameter.name}'",
        )

    def _require_number(self, fits: Any, message: str) -> None:
        self.require(ops.as_value(fits), lambda: self.emit_raise("TypeError", (message,)))

    def behind(self, first: tuple[Any, ...], rest: Rest, node: Any) -> RunTimeTuple:
        """What ``*args`` is: the arguments that are known, and the items after them."""
        if not first:
            return RunTimeTuple(rest.items)
        return self.concatenate(first, RunTimeTuple(rest.items), node)  # type: ignore[no-any-return]

    def default_of(self, function: UserFunction | Closure, parameter: Parameter) -> Any:
        raise AssertionError("defined by Functions")

    def prepared(self, function: UserFunction | Closure, node: Any) -> Any:
        raise AssertionError("defined by Functions")

    def keywords(self, keywords: list[Any]) -> dict[str, Any]:
        raise AssertionError("defined by Calls")

    # --- functions of Python's and NumPy's --------------------------------------------------------

    def _operands(
        self, function: np.ufunc, before: list[Any], items: ListRef, node: Any
    ) -> list[Any]:
        """The last operands of a ufunc. It takes so many numbers; an array more would be its
        ``out``.
        """
        left = function.nin - len(before)
        if left < 0 or not all(map(is_number, self._types(items))):
            self.refuse_starred(node)
        fits = ops.compare("==", self.length(items, node), left)
        name = function.__name__
        self._require_number(fits, f"{name}() takes another number of positional arguments")
        return [*before, *(self.list_item(items, position, node) for position in range(left))]

    def _extreme_of(self, function: Any, before: list[Any], items: ListRef, node: Any) -> list[Any]:
        """The operands of ``min`` and ``max`` as one list. Of fewer than two it takes the only
        one for an iterable, which a number is not.
        """
        if not all(map(is_number, self._types(items))):
            self.refuse_starred(node)
        made = self.new_list(before)
        self.call_method_of(made, "extend", [items], node)
        fits = ops.compare(">=", self.length(made, node), 2)
        self._require_number(fits, f"{function.__name__}() of fewer than two numbers")
        return [made]

    def _types(self, items: ListRef) -> tuple[Type, ...]:
        """What the items of a list may be."""
        return members_of(self.list_type(self.content(items)).item)


def _name(callee: UserFunction | Closure) -> str:
    """The name that Python's messages have for a callee."""
    if isinstance(callee, UserFunction):
        return callee.unit.name
    return str(getattr(callee.node, "name", "<lambda>"))


def _is_plain(keyword: Any) -> bool:
    """Whether to evaluate a keyword argument, or a mapping of them, has no effects."""
    return isinstance(keyword.value, gast.Constant | gast.Name)
