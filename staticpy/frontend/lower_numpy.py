"""Lowering of calls of NumPy's and Python's own functions, whose meaning the ops define.

In: the adapter of a function or method, and arguments as lowering holds them. Out: what the adapter
makes of them, as lowering holds it.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, TypeGuard

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import library
from staticpy.frontend.classes import is_object
from staticpy.frontend.inputs import RunTimeTuple, Variant, map_tree, tree_leaves
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_expr import substitute
from staticpy.frontend.lower_text import Text
from staticpy.frontend.none_calls import none_call
from staticpy.frontend.operands import number_of, number_of_numpy, plain_operands
from staticpy.frontend.rank_calls import error_of_rank, error_of_ranks, joins, takes_ranks
from staticpy.frontend.values import (
    ArrayMethod,
    DictRef,
    DictView,
    Generator,
    ListRef,
    ObjectRef,
    RangeIterable,
    Ref,
    SetRef,
    SuperProxy,
    UfuncMethod,
)
from staticpy.ir import NONE, Type, UnionType, Value, dims_of, members_of, rewriter

_TAKE_UNIONS = tuple(ops.BUILTINS[kind] for kind in (bool, int, float, complex, min, max, sum))
"""The adapters that take a scalar of any box, whichever it is."""
_TAKE_ITERATORS = frozenset((*ops.BUILTINS.values(), ops.FUNCTIONS[np.fromiter]))
"""The adapters of functions that go through their argument, whatever it is."""
_OF_ITEMS = (ops.BUILTINS[math.prod], ops.BUILTINS[math.fsum], ops.FUNCTIONS[np.fromiter])
"""Those that take the items of a dict or set, too, and nothing else of it."""
_OPERATORS = (ops.BUILTINS[divmod], ops.BUILTINS[pow])
_OF_UFUNCS = frozenset(
    adapter
    for function, adapter in ops.FUNCTIONS.items()
    if isinstance(function, np.ufunc) or function in (np.where, np.clip, np.choose)
) | {ops.METHODS["clip"], ops.METHODS["choose"]}
"""The adapters of functions that compute as ufuncs do."""


_REFUSES_NONE = (catalog.NOT_AN_ARRAY, catalog.INVALID_ARRAY_CALL, catalog.UNSUPPORTED_OPERANDS)
"""What an adapter says of None; of other things, too, but then NumPy is asked at no harm."""

_SEEDS = {np.random.Generator: "bit_generator", np.random.SeedSequence: "entropy"}
"""What others than ``seed=`` is called."""


@cache
def signature_of(adapter: Callable[..., Any]) -> inspect.Signature:
    """The parameters of an adapter."""
    return inspect.signature(adapter)


def _is_member_of_union(leaf: Any) -> bool:
    return isinstance(leaf, Value) and isinstance(leaf.type, UnionType)


class NumPyCalls(Text):
    """Calls what the ops define."""

    def call_array_method(
        self, function: ArrayMethod, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        if function.name == "shuffle" and isinstance(args[0] if args else None, ListRef):
            return self.shuffle_list(function, args, kwargs, node)
        given = [function.value, *args]
        return self.call_adapter(function.adapter, given, kwargs, function.name, node)

    def shuffle_list(self, shuffle: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """A list of the program, put into another order in its place."""
        if len(args) > 1 or kwargs:
            spec = catalog.UNSUPPORTED_FUNCTION_ARGUMENT
            self.error(spec, node, function="shuffle", argument="axis")
        made = self.user_function(library.shuffle_list)  # type: ignore[arg-type]
        return self.call_function(made, [shuffle, args[0]], {}, node)

    def for_each_option(
        self,
        run: Callable[[list[Any], dict[str, Any]], Any],
        args: list[Any],
        kwargs: dict[str, Any],
        node: Any,
    ) -> Any:
        """A call for each of the objects that an argument may be; NotImplemented where each is one
        for certain.
        """
        given: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        chosen = next((key for key, each in given.items() if isinstance(each, Variant)), None)
        if chosen is None:
            return NotImplemented

        def with_option(option: Any) -> Any:
            known = {**given, chosen: option}
            return run([known[i] for i in range(len(args))], {key: known[key] for key in kwargs})

        return self.dispatch(given[chosen], with_option, node)

    def call_ufunc_method(
        self, function: UfuncMethod, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        adapter = ops.UFUNC_METHODS.get((function.ufunc, function.name))
        if adapter is None:
            name = f"np.{function.ufunc.__name__}.{function.name}"
            return self.error(
                catalog.UNSUPPORTED_NUMPY_FUNCTION, node, name=name, way_out=ops.way_out(name)
            )
        return self.call_adapter(adapter, args, kwargs, function.name, node)

    def call_adapter(
        self,
        adapter: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        name: str,
        node: Any,
    ) -> Any:
        """A function whose meaning the ops define, on plain arguments."""

        def run(values: list[Any], named: dict[str, Any]) -> Any:
            return self.call_adapter(adapter, values, named, name, node)

        of_options = self.for_each_option(run, args, kwargs, node)
        if of_options is not NotImplemented:
            return of_options
        if adapter in _OF_ITEMS and args and isinstance(args[0], DictRef | DictView | SetRef):
            args = [self.call_function(list, args[:1], {}, node), *args[1:]]
        is_numpy = adapter not in _TAKE_ITERATORS
        leaf = number_of_numpy if adapter in _OF_UFUNCS else number_of
        if adapter in _OPERATORS and len(args) == 2:
            args = plain_operands(*args)

        def plain(item: Any) -> Any:
            return map_tree(leaf, self._argument(item, name, node, is_numpy=is_numpy))

        given = tuple(map(plain, args))
        named = {key: plain(item) for key, item in kwargs.items()}

        def run_with(leaf: Value, other: Any) -> Any:
            with self._known_as_none(other is None or getattr(other, "type", None) == NONE):
                return run(
                    [substitute(item, leaf, other) for item in given],
                    {key: substitute(item, leaf, other) for key, item in named.items()},
                )

        call = (adapter, given, named)
        of_types = self._for_each_type(run_with, call, node, is_numpy=is_numpy)
        if of_types is not NotImplemented:
            return of_types
        try:
            signature_of(adapter).bind(*given, **named)
        except TypeError as error:
            self.error(catalog.BAD_CALL, node, name=f"{name}()", detail=str(error))
        try:
            return self._adapted(call, node)
        except ops.ListOfDtypesError as error:
            items = error.items
            if all(leaf is not items for leaf in tree_leaves((given, named))):
                raise
        with self.at(node):
            made = ops.array_of_dtypes(items)
        return self.dispatch(made, partial(run_with, items), node)

    @contextmanager
    def _known_as_none(self, is_none: bool) -> Iterator[None]:
        """On this path an argument of a call is None, which is an array on others."""
        self._none_given += is_none
        try:
            yield
        finally:
            self._none_given -= is_none

    _none_given = 0
    """Of how many arguments of the call that is being lowered that is so."""

    def _adapted(self, call: tuple[Any, tuple[Any, ...], dict[str, Any]], node: Any) -> Any:
        """What an adapter makes of a call. None for a number or an array, which it refuses, is what
        NumPy is asked about when the program runs, if it is there on some paths only.
        """
        adapter, args, kwargs = call
        mark = len(self.builder.block.operations)
        try:
            return self._opened(adapter(*args, **kwargs))
        except DiagnosticError as error:
            found = None
            if self._none_given and error.spec in _REFUSES_NONE:
                found = none_call(adapter, args, kwargs)
            if found is None:
                raise
        begun = self.builder.block.operations
        for operation in begun[mark:]:
            rewriter.detach(operation)
        del begun[mark:]
        with self.at(node):
            operands, attrs = found
            self.builder.emit(ops.none_call, list(map(self.to_value, operands)), attrs)
        return self.fails("TypeError", "None is no number", node)  # where NumPy has raised

    def _opened(self, found: Any) -> Any:
        """What an adapter returns, with the lists in it as lists of the program."""
        if type(found) is list:
            return self.new_list(found)
        if type(found) is tuple:
            return tuple(map(self._opened, found))
        return self.open(found)

    def _for_each_type(
        self, run_with: Callable[[Value, Any], Any], call: Any, node: Any, *, is_numpy: bool
    ) -> Any:
        """A call for each of the types that an argument, or the items of a list, may be of;
        NotImplemented where each is of one for certain.
        """
        adapter, *given = call
        for leaf in tree_leaves(tuple(given)):
            run = partial(run_with, leaf)
            if _is_member_of_union(leaf) and adapter not in _TAKE_UNIONS:
                return self.dispatch(leaf, run, node)
            is_list = isinstance(leaf, Value) and ops.is_list_of_ranks(leaf.type)
            if is_list and is_numpy and not takes_ranks(*call):
                return self._by_rank(leaf, run, call, node)
        return NotImplemented

    def _by_rank(self, items: Value, run: Callable[[Any], Any], call: Any, node: Any) -> Any:
        """A call with a list whose items have one number of axes or another: a call for each. The
        first one gets a list that is empty: NumPy makes an array with one axis of it.
        """
        adapter, args, kwargs = call
        types = ops.types_by_rank(items)
        if joins(adapter):
            types.reverse()

        def run_for(type_: Type) -> Any:
            rank = len(dims_of(members_of(type_)[0]))
            error = error_of_rank(adapter, args, kwargs, rank)
            if error is not None:
                self.fails_with(*error, node)
            return run(ops.items_as(items, type_))

        def level(number: int) -> Any:
            if number == len(types) - 1:
                return run_for(types[number])
            found, rest = partial(run_for, types[number]), partial(level, number + 1)
            return self.choose(tests[number], found, rest, "this value")

        with self.at(node):
            tests = [ops.are_all_of(items, type_) for type_ in types]
            said = error_of_ranks(adapter)
            self.require(ops.any_of(tests), lambda: self.emit_raise("ValueError", (said,)))
            return level(0)

    def argument(self, value: Any, name: str, node: Any) -> Any:
        """An argument as the ops take it: real tuples, lists and dicts, and numbers."""
        return map_tree(number_of, self._argument(value, name, node))

    def _argument(self, value: Any, name: str, node: Any, *, is_numpy: bool = False) -> Any:
        """What can be gone through only once is an object to NumPy, and no sequence."""
        if isinstance(value, RunTimeTuple):
            value = value.items
        if is_object(value) or isinstance(value, SuperProxy):
            self.refuse_operands(f"{name}()", value, value, node)
        if isinstance(value, range | RangeIterable) or (is_lazy(value) and not is_numpy):
            found = self.iterated(value, node)
            return found if isinstance(found, list) else self.plain(found)
        if is_lazy(value):
            self.error(catalog.NOT_AN_ARRAY, node, function=f"{name}()", type=kind_of(value))
        return self.plain(value) if isinstance(value, Ref | tuple) else value

    def new_generator_object(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> ObjectRef:
        """A generator of random numbers, or what it draws from: an object of the program."""
        name = function.__name__
        for keyword in kwargs:
            if keyword != _SEEDS.get(function, "seed") or args:
                spec = catalog.UNSUPPORTED_FUNCTION_ARGUMENT
                self.error(spec, node, function=name, argument=keyword)
        given = (*args, *kwargs.values())
        if function is np.random.default_rng and len(given) == 1 and _is_generator(given[0]):
            return given[0]  # which NumPy gives back as it is
        seed = [self._seed(item, name, node) for item in given]
        made = ObjectRef(self.builder.span, class_=ops.MAKERS[function])
        self.heap[made] = {}
        self.compilation.handles[made] = ops.make_generator(function.__name__, *seed)
        return made

    def _seed(self, item: Any, name: str, node: Any) -> Any:
        """What a generator is made from: numbers, or the object that it draws from."""
        if isinstance(item, ObjectRef) and item.class_ in ops.SOURCES:
            return self.materialize(item)
        return self.argument(item, name, node)


def _is_generator(item: Any) -> TypeGuard[ObjectRef]:
    return isinstance(item, ObjectRef) and item.class_ is np.random.Generator


def is_lazy(value: Any) -> bool:
    """Whether a compile-time value is an iterable that makes its items as they are asked for."""
    return isinstance(value, Generator) or type(value).__name__.endswith("Iterable")
