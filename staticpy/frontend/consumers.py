"""The builtins that go through iterables: ``list``, ``sum``, ``min`` and others."""

from __future__ import annotations

import functools
import itertools
import sys
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.frontend import library
from staticpy.frontend.columns import Columns
from staticpy.frontend.container_methods import is_same
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.iterator_calls import MISSING
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import (
    Generator,
    IteratorRef,
    ListRef,
    SetRef,
    is_liftable,
    leaf_type,
)
from staticpy.ir import ListType, PythonType, TensorType, UnionType, Value, dims_of, members_of


def _in_python(name: str) -> Any:
    """What calls the function of ``library`` that stands for NumPy's of this name."""

    def call(self: Columns, node: Any, *args: Any, **kwargs: Any) -> Any:
        function = self.user_function(getattr(library, name))
        made = self.call_function(function, list(args), kwargs, node)
        if isinstance(made, Generator | IteratorRef):
            made.class_ = getattr(np, name)
        return made

    return call


_IS_EMPTY = (
    "iterable argument is empty" if sys.version_info >= (3, 12) else "arg is an empty sequence"
)
"""What Python says of the least and the largest of nothing, after the name."""

_FEW = 32
"""The most rows of an array that are the items of a tuple one by one."""


class Consumers(Columns):
    """Calls of the builtins that have to do with iteration."""

    call_apply_along_axis = _in_python("apply_along_axis")
    call_apply_over_axes = _in_python("apply_over_axes")
    call_fromfunction = _in_python("fromfunction")
    call_ndenumerate = _in_python("ndenumerate")
    call_ndindex = _in_python("ndindex")
    call_piecewise = _in_python("piecewise")
    call_unstack = _in_python("unstack")

    def call_fromiter(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        """``np.fromiter``; where it is told how many items there are, it takes no more."""
        counted = dict(zip(("iter", "dtype", "count"), args, strict=False)) | kwargs
        if counted.keys() != {"iter", "dtype", "count"} or len(args) + len(kwargs) != 3:
            return self.call_adapter(ops.FUNCTIONS[np.fromiter], [*args], kwargs, "fromiter", node)
        function = self.user_function(library.fromiter)  # type: ignore[arg-type]
        return self.call_function(function, [], counted, node)

    def call_shuffle(self, node: Any, x: Any) -> Any:
        """``np.random.shuffle``."""
        if isinstance(x, ListRef):
            return self.shuffle_list(np.random.shuffle, [x], {}, node)
        return self.call_adapter(ops.FUNCTIONS[np.random.shuffle], [x], {}, "shuffle", node)

    # --- containers -------------------------------------------------------------------------------

    def call_list(self, node: Any, iterable: Any = ()) -> Any:
        if isinstance(iterable, Value) and isinstance(iterable.type, TensorType):
            attrs = {"to_python": False}
            made = self.builder.emit(ops.REGISTRY["list.from_array"], [iterable], attrs)
            return self.new_list(made.results[0])
        if isinstance(iterable, ListRef):
            return self.call_method_of(iterable, "copy", [], node)
        return self.collect(iterable, node)

    def call_tuple(self, node: Any, iterable: Any = ()) -> Any:
        if type(iterable) is tuple:
            return iterable
        if isinstance(iterable, RunTimeTuple):
            return iterable
        if isinstance(iterable, Value) and isinstance(iterable.type, TensorType):
            sizes = dims_of(self.builder.facts.resolve_type(iterable.type))
            if sizes and isinstance(sizes[0], int) and 1 < sizes[0] <= _FEW:
                return tuple(ops.emit(ops.unpack, iterable, count=sizes[0]))
        return self.fixed(self.call_list(node, iterable))

    def call_set(self, node: Any, iterable: Any = ()) -> Any:
        return self.new_set(self._items_of_set(iterable, node))

    def call_frozenset(self, node: Any, iterable: Any = ()) -> Any:
        return frozenset(self._items_of_set(iterable, node))

    def _items_of_set(self, iterable: Any, node: Any) -> Any:
        if isinstance(iterable, SetRef):
            return self.content(iterable)
        if isinstance(iterable, frozenset):
            return iterable
        items = self.known(iterable, node, "the items of a set")
        return [self.hashable(self.static(item, node, "an item of a set"), node) for item in items]

    def call_dict(self, node: Any, pairs: Any = (), /, **named: Any) -> Any:
        made = self.new_dict({})
        if not (isinstance(pairs, tuple) and not pairs):
            self.call_method_of(made, "update", [pairs], node)
        for key, value in named.items():
            self.set_dict_item(made, key, value, node)
        return made

    def call_fromkeys(self, node: Any, keys: Any, value: Any = None) -> Any:
        found = self.iterated(keys, node)
        if isinstance(found, list) and not any(isinstance(key, Value) for key in found):
            return self.new_dict({self.hashable(key, node): value for key in found})
        made = self.new_dict({})

        def store(key: Any) -> bool:
            self.set_dict_item(made, key, value, node)
            return False

        self.for_each(tuple(found) if isinstance(found, list) else found, store, node)
        return made

    def call_len(self, node: Any, container: Any) -> Any:
        return self.length(container, node)

    def found_in(self, iterable: Any, element: Any, node: Any) -> Any:
        """``element in iterable``, gone through until there is one that is equal."""
        with self.hidden("found") as (found,):
            env = self.env
            env[found] = False

            def take(item: Any) -> Any:
                env[found] = is_same(self, item, element, node)
                return env[found]

            self.for_each(iterable, take, node)
            return env[found]

    # --- reductions -------------------------------------------------------------------------------

    def call_any(self, node: Any, iterable: Any) -> Any:
        return self._quantified(iterable, node, is_any=True)

    def call_all(self, node: Any, iterable: Any) -> Any:
        return self._quantified(iterable, node, is_any=False)

    def _quantified(self, iterable: Any, node: Any, *, is_any: bool) -> Any:
        with self.hidden("found") as (found,):
            env = self.env
            env[found] = not is_any

            def take(item: Any) -> Any:
                condition = self.truth(item, node)
                env[found] = condition
                return condition if is_any else self.negate(condition)

            self.for_each(iterable, take, node)
            return env[found]

    def call_sum(self, node: Any, iterable: Any, start: Any = 0) -> Any:
        class_ = self.class_of(start)
        if class_ is not None and issubclass(class_, str | bytes):
            self.fails("TypeError", "sum() can't sum strings [use ''.join(seq) instead]", node)
        if isinstance(iterable, Value) and isinstance(iterable.type, TensorType):
            return self._folded_sum(iterable, start, node)
        items = self.iterated(iterable, node)
        if not isinstance(items, list):
            return self._sum_of_list(items, start, node)
        if all(is_liftable(item) for item in (start, *items)):
            return ops.BUILTINS[sum](items, start)
        total = start
        for item in items:
            total = self.binary("+", total, item, node)
        return total

    def _sum_of_list(self, ref: ListRef, start: Any, node: Any) -> Any:
        """Python's own summation where all are its numbers; else one addition after the other."""
        memory = self.list_value(ref)
        assert isinstance(memory.type, ListType)
        item = memory.type.item
        members = item.members if isinstance(item, UnionType) else (item,)
        is_number = is_liftable(start) and isinstance(leaf_type(start), PythonType)
        if is_number and all(isinstance(member, PythonType) for member in members):
            return self.emit("list.sum", [memory, ops.as_value(start)])
        return self._folded_sum(ref, start, node)

    def _folded_sum(self, iterable: Any, start: Any, node: Any) -> Any:
        with self.hidden("total") as (total,):
            env = self.env
            env[total] = start

            def take(item: Any) -> bool:
                env[total] = self.binary("+", env[total], item, node)
                return False

            self.for_each(iterable, take, node)
            return env[total]

    def call_reduce(self, node: Any, function: Any, iterable: Any, initial: Any = MISSING) -> Any:
        with self.hidden("total", "first") as (total, first):
            env = self.env
            env[first] = initial is MISSING
            if initial is not MISSING:
                env[total] = initial

            def begin(item: Any) -> None:
                env[total] = item

            def combine(item: Any) -> None:
                env[total] = self.call_function(function, [env[total], item], {}, node)

            def take(item: Any) -> bool:
                self.if_else(env[first], lambda: begin(item), lambda: combine(item))
                env[first] = False
                return False

            self.for_each(iterable, take, node)
            message = "reduce() of empty iterable with no initial value"
            self._require_some(env[first], "TypeError", message, node)
            return env[total]

    def _require_some(self, is_empty: Any, exception: str, message: str, node: Any) -> None:
        if isinstance(is_empty, Value):
            negated = self.negate(is_empty)
            self.require(negated, lambda: self.emit_raise(exception, (message,)))
        elif is_empty:
            self.fails(exception, message, node)

    def call_min(self, node: Any, *args: Any, key: Any = None, default: Any = MISSING) -> Any:
        return self._extreme("<", "min", args, key, default, node)

    def call_max(self, node: Any, *args: Any, key: Any = None, default: Any = MISSING) -> Any:
        return self._extreme(">", "max", args, key, default, node)

    def _extreme(
        self, symbol: str, name: str, args: tuple[Any, ...], key: Any, default: Any, node: Any
    ) -> Any:
        if not args:
            self.fails("TypeError", f"{name} expected at least 1 argument, got 0", node)
        items: Any = list(args) if len(args) > 1 else args[0]
        if not isinstance(items, list | Value):
            items = self.iterated(items, node)
        if isinstance(items, list) and not items:
            if default is not MISSING:
                return default
            return self.fails("ValueError", f"{name}() {_IS_EMPTY}", node)
        function = min if name == "min" else max
        if isinstance(items, list) and key is None and all(map(_is_number, items)):
            return items[0] if len(items) == 1 else ops.BUILTINS[function](*items)
        return self._best(symbol, name, items, key, default, node)

    def _best(self, symbol: str, name: str, items: Any, key: Any, default: Any, node: Any) -> Any:
        """The item that no later one surpasses, by its key."""
        with self.hidden("best", "key", "first") as (best, rank, first):
            env = self.env
            env[first] = True

            def replace(item: Any, value: Any) -> None:
                env[best], env[rank] = item, value

            def compare(item: Any, value: Any) -> None:
                better = self.truth(self.compare_values(symbol, value, env[rank], node), node)
                self.if_else(better, lambda: replace(item, value), nothing)

            def take(item: Any) -> bool:
                value = item if key is None else self.call_function(key, [item], {}, node)
                is_first = env[first]
                self.if_else(is_first, lambda: replace(item, value), lambda: compare(item, value))
                env[first] = False
                return False

            self.for_each(tuple(items) if isinstance(items, list) else items, take, node)
            is_empty = env[first]
            if default is not MISSING and isinstance(is_empty, Value):
                return self.choose(is_empty, lambda: default, lambda: env[best], f"{name}()")
            self._require_some(is_empty, "ValueError", f"{name}() {_IS_EMPTY}", node)
            return env[best]

    # --- sorting ----------------------------------------------------------------------------------

    BUILTINS: ClassVar[dict[Any, str]] = {
        range: "call_range",
        enumerate: "call_enumerate",
        zip: "call_zip",
        map: "call_map",
        filter: "call_filter",
        reversed: "call_reversed",
        iter: "call_iter",
        next: "call_next",
        list: "call_list",
        tuple: "call_tuple",
        set: "call_set",
        frozenset: "call_frozenset",
        dict: "call_dict",
        dict.fromkeys: "call_fromkeys",
        len: "call_len",
        any: "call_any",
        all: "call_all",
        sum: "call_sum",
        min: "call_min",
        max: "call_max",
        sorted: "call_sorted",
        functools.reduce: "call_reduce",
        itertools.chain: "call_chain",
        itertools.chain.from_iterable: "call_chain_from",
        itertools.accumulate: "call_accumulate",
        itertools.count: "call_count",
        itertools.islice: "call_islice",
        itertools.repeat: "call_repeat",
        itertools.zip_longest: "call_zip_longest",
        itertools.pairwise: "call_pairwise",
        itertools.product: "call_product",
        itertools.combinations: "call_combinations",
        itertools.permutations: "call_permutations",
        itertools.starmap: "call_starmap",
        itertools.takewhile: "call_takewhile",
        itertools.dropwhile: "call_dropwhile",
        itertools.filterfalse: "call_filterfalse",
        itertools.compress: "call_compress",
        itertools.cycle: "call_cycle",
        itertools.groupby: "call_groupby",
        itertools.tee: "call_tee",
        itertools.combinations_with_replacement: "call_combinations_again",
        np.apply_along_axis: "call_apply_along_axis",
        np.apply_over_axes: "call_apply_over_axes",
        np.fromiter: "call_fromiter",
        np.random.shuffle: "call_shuffle",
        np.fromfunction: "call_fromfunction",
        np.ndenumerate: "call_ndenumerate",
        np.ndindex: "call_ndindex",
        np.piecewise: "call_piecewise",
        **({np.unstack: "call_unstack"} if hasattr(np, "unstack") else {}),
    }


def _is_number(item: Any) -> bool:
    """Whether an item is a number for certain, and no array: ``max`` gives the array itself."""
    types = members_of(leaf_type(item)) if is_liftable(item) else ()
    return bool(types) and not any(isinstance(each, TensorType) for each in types)
