"""Calls that are differentiated: by which arguments, and what of their result.

In: a function, the arguments of a call, and which of these are asked for. Out: the numbers that the
call is differentiated by, and the same call with others in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.cells import Cells
from staticpy.frontend.classes import (
    class_lookup,
    instance_class,
    is_instance,
    python_function,
)
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    ListRef,
    Partial,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.ir import Value
from staticpy.source import SourceSpan


@dataclass(frozen=True, slots=True)
class Chosen:
    """A call, and the arguments that it is differentiated by: each the position of one or the name
    of a keyword. ``span`` is where the function is defined.
    """

    fun: Any
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    keys: Sequence[int | str]
    span: SourceSpan
    is_one: bool = False
    """Whether one argument was asked for, and not several, of which there may be one."""

    def trees(self) -> list[Any]:
        """The arguments that the call is differentiated by."""
        return [self.kwargs[key] if isinstance(key, str) else self.args[key] for key in self.keys]

    def with_trees(self, trees: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of the call, with others in the place of these."""
        changed = dict(zip(self.keys, trees, strict=True))
        args = [changed.get(number, item) for number, item in enumerate(self.args)]
        return args, {name: changed.get(name, item) for name, item in self.kwargs.items()}


class DifferentiatedCalls(Cells):
    """Finds what a call is differentiated by, and calls with that exchanged."""

    def inexact_arguments(self, chosen: Chosen) -> Chosen:
        """A call whose arguments, where they have a derivative on some paths only, are required to
        have one.
        """
        pairs = zip(chosen.keys, chosen.trees(), strict=True)
        with self.builder.at(chosen.span):
            trees = [self.inexact(tree, of=repr(key)) for key, tree in pairs]
        args, kwargs = chosen.with_trees(trees)
        return replace(chosen, args=args, kwargs=kwargs)

    def primals(
        self, chosen: Chosen, *, allow_int: Any = False, holomorphic: Any = False
    ) -> list[Value]:
        """The numbers that a call is differentiated by."""
        kinds = {"allow_int": bool(allow_int), "holomorphic": bool(holomorphic)}
        leaves: list[Value] = []

        def enter(number: int | str, leaf: Any) -> None:
            type_ = leaf_type(leaf) if is_liftable(leaf) else None
            if ops.require_primal(type_, number, chosen.span, **kinds):
                leaves.append(ops.as_value(leaf))

        for key, tree in zip(chosen.keys, chosen.trees(), strict=True):
            self.each(tree, lambda leaf: enter(key, leaf), opens_cells=True)  # noqa: B023 - at once
        return leaves

    def call_on(self, chosen: Chosen, given: Sequence[Value], has_aux: Any, node: Any) -> Any:
        """The result of the call on other numbers, and what it returns besides."""
        numbers = iter(given)

        def call(trees: list[Any]) -> Any:
            return self.call_function(chosen.fun, *chosen.with_trees(trees), node)

        result = self.call_exchanged(chosen.trees(), lambda leaf: _exchanged(leaf, numbers), call)
        return ops.parts_of(result, has_aux, chosen.span)

    def gradients(self, trees: Sequence[Any], found: Sequence[Value]) -> tuple[Any, ...]:
        """Trees like ``trees``, of the gradients ``found``."""
        numbers = iter(found)

        def gradient(leaf: Any) -> Any:
            if ops.is_inexact(leaf_type(leaf)):
                return self.float_like(leaf, next(numbers))
            nothing = ops.gradient_of_int(ops.trace(leaf) if isinstance(leaf, Value) else leaf)
            return nothing if type(nothing) is float else ops.as_value(ops.untrace(nothing))

        return tuple(self.each(tree, gradient, opens_cells=True) for tree in trees)

    # --- which arguments --------------------------------------------------------------------------

    def chosen(self, node: Any, fun: Any, args: Any, kwargs: Any, by: tuple[Any, Any]) -> Chosen:
        """A call that is differentiated ``by`` (argnums, argnames): each one, several, or None."""
        argnums, argnames = by
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        named = self.named(kwargs)
        keys: list[int | str] = [*self._numbers(self._items(argnums), len(args), node)]
        keys += [self._key(fun, name, len(args), named, node) for name in self._items(argnames)]
        if len(set(keys)) < len(keys):
            self.fails("ValueError", ops.ARGUMENT_TWICE, node)
        asked = [each for each in by if each is not None]
        is_one = len(asked) == 1 and type(asked[0]) in (int, str)
        return Chosen(fun, args, named, keys, self.definition_of(fun, node), is_one)

    def _items(self, asked: Any) -> tuple[Any, ...]:
        if isinstance(asked, ListRef):
            asked = self.content(asked)
        if asked is None:
            return ()
        return asked if isinstance(asked, tuple) else (asked,)

    def _numbers(self, numbers: Any, count: int, node: Any) -> list[int]:
        if any(isinstance(number, Value) for number in numbers):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="argnums")
        if not all(type(number) is int for number in numbers):
            self.fails("TypeError", ops.no_argnums(numbers), node)
        if not all(-count <= number < count for number in numbers):
            self.fails("ValueError", ops.no_such_number(numbers, count), node)
        return [number % count for number in numbers]

    def _key(self, fun: Any, name: Any, count: int, kwargs: dict[str, Any], node: Any) -> int | str:
        """The argument that a function gets for a parameter."""
        if type(name) is not str:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="argnames")
        names = [] if name in kwargs else self.names_of(fun, node)[:count]
        if name not in kwargs and name not in names:
            self.fails("ValueError", ops.no_such_name(name), node)
        return name if name in kwargs else names.index(name)

    def names_of(self, fun: Any, node: Any) -> list[str]:
        """The names of the parameters that take positional arguments."""
        if isinstance(fun, BoundFunction):
            return self.names_of(fun.function, node)[1:]
        if isinstance(fun, Partial):
            names = self.names_of(fun.function, node)[len(fun.args) :]
            given = [names.index(name) for name, _ in fun.kwargs if name in names]
            return names[: min(given, default=len(names))]
        if is_instance(fun):
            called, _ = class_lookup(instance_class(fun), "__call__")
            function = python_function(called)
            return self.names_of(self.user_function(function), node)[1:] if function else []
        if not isinstance(fun, UserFunction | Closure):
            return []
        kinds = ("positional_only", "positional")
        return [each.name for each in self.prepared(fun, node).parameters if each.kind in kinds]


def _exchanged(leaf: Any, numbers: Iterator[Value]) -> Any:
    return next(numbers) if ops.is_inexact(leaf_type(leaf)) else leaf
