"""The builtins that make or go through iterables: ``sum``, ``zip``, ``map`` and others."""

from __future__ import annotations

import functools
import itertools
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import is_instance
from staticpy.frontend.container_methods import is_same
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lazy_iteration import LazyIteration
from staticpy.frontend.values import (
    AccumulateIterable,
    ChainIterable,
    DictRef,
    EnumerateIterable,
    FilterIterable,
    Getter,
    IteratorRef,
    ListRef,
    MapIterable,
    ObjectRef,
    PairwiseIterable,
    ProductIterable,
    RangeIterable,
    ReversedIterable,
    SetRef,
    SliceIterable,
    ZipIterable,
    is_liftable,
    leaf_type,
)
from staticpy.ir import ListType, PythonType, TensorType, UnionType, Value

_MISSING: Any = object()


class Consumers(LazyIteration):
    """Calls of the builtins that have to do with iteration."""

    # --- iterables --------------------------------------------------------------------------------

    def call_range(self, node: Any, *bounds: Any) -> Any:
        if not 1 <= len(bounds) <= 3:
            self.error(catalog.BAD_CALL, node, name="range", detail="takes 1 to 3 arguments")
        found = [self.index_bound(bound, node) for bound in bounds]
        start, stop, step = {1: (0, *found, 1), 2: (*found, 1), 3: tuple(found)}[len(found)]
        if step == 0 and not isinstance(step, Value):
            self.fails("ValueError", "range() arg 3 must not be zero", node)
        if any(isinstance(bound, Value) for bound in found):
            return RangeIterable(start, stop, step)
        return range(start, stop, step)

    def call_enumerate(self, node: Any, iterable: Any, start: Any = 0) -> Any:
        return EnumerateIterable(iterable, start)

    def call_zip(self, node: Any, *iterables: Any, strict: Any = False) -> Any:
        return ZipIterable(tuple(self._column(x, node) for x in iterables), bool(strict))

    def call_map(self, node: Any, function: Any, *iterables: Any) -> Any:
        if len(iterables) == 1:
            return MapIterable(function, iterables[0], is_starred=False)
        columns = tuple(self._column(each, node) for each in iterables)
        return MapIterable(function, ZipIterable(columns), is_starred=True)

    def call_starmap(self, node: Any, function: Any, iterable: Any) -> Any:
        rows = MapIterable(tuple, iterable, is_starred=False)
        return MapIterable(function, rows, is_starred=True)

    def call_filter(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable)

    def call_filterfalse(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "filterfalse")

    def call_takewhile(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "takewhile")

    def call_dropwhile(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "dropwhile")

    def _column(self, iterable: Any, node: Any) -> Any:
        """What ``zip`` and ``map`` go through: they ask an object for its iterator at once."""
        if not is_instance(iterable):
            return iterable
        found = self.call_iter(node, iterable)
        is_fresh = isinstance(found, IteratorRef) and self.content(found) == 0
        return found.items if is_fresh else found

    def _reversed_object(self, instance: Any, node: Any) -> Any:
        found = self.call_special(instance, "__reversed__", [], node)
        if found is not NotImplemented:
            return found
        item = self.special(instance, "__getitem__")
        if item is None or self.special(instance, "__len__") is None:
            message = f"'{kind_of(instance)}' object is not reversible"
            self.fails("TypeError", message, node)
        last = self.binary("-", self.length(instance, node), 1, node)
        indexes = self.call_range(node, last, -1, -1)
        return MapIterable(item, indexes, is_starred=False)

    def call_reversed(self, node: Any, sequence: Any) -> Any:
        if isinstance(sequence, ObjectRef):
            return self._reversed_object(sequence, node)
        if isinstance(sequence, range):
            return sequence[::-1]
        if isinstance(sequence, DictRef):
            known = self.known_items(sequence)
            return ReversedIterable(sequence) if known is None else tuple(known)[::-1]
        if isinstance(sequence, ListRef) and isinstance(self.content(sequence), tuple):
            return self.content(sequence)[::-1]
        return ReversedIterable(sequence)

    def call_chain(self, node: Any, *iterables: Any) -> Any:
        return ChainIterable(iterables)

    def call_chain_from(self, node: Any, iterable: Any) -> Any:
        return ChainIterable(tuple(self.known(iterable, node, "what chain.from_iterable() gets")))

    def known(self, iterable: Any, node: Any, what: str) -> list[Any]:
        """The items of an iterable, whose number must be known."""
        found = self.iterated(iterable, node)
        if not isinstance(found, list):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
        return found  # type: ignore[no-any-return]

    def call_accumulate(
        self, node: Any, iterable: Any, func: Any = None, *, initial: Any = None
    ) -> Any:
        return AccumulateIterable(iterable, func, initial)

    def call_count(self, node: Any, start: Any = 0, step: Any = 1) -> Any:
        return RangeIterable(start, None, step)

    def call_islice(self, node: Any, iterable: Any, *bounds: Any) -> Any:
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds)
        return SliceIterable(iterable, start or 0, stop, 1 if step is None else step)

    def call_repeat(self, node: Any, item: Any, times: Any = None) -> Any:
        if times is None:
            return MapIterable(
                Getter("constant", (item,)), RangeIterable(0, None, 1), is_starred=False
            )
        if isinstance(times, Value) or times > 10_000:
            numbers = self.call_range(node, times)
            return MapIterable(Getter("constant", (item,)), numbers, is_starred=False)
        return (item,) * times

    def call_zip_longest(self, node: Any, *iterables: Any, fillvalue: Any = None) -> Any:
        columns = [
            self.known(column, node, "the lengths of what is zipped") for column in iterables
        ]
        return tuple(itertools.zip_longest(*columns, fillvalue=fillvalue))

    def call_pairwise(self, node: Any, iterable: Any) -> Any:
        return PairwiseIterable(iterable)

    def call_product(self, node: Any, *iterables: Any, repeat: int = 1) -> Any:
        return ProductIterable(iterables * repeat)

    def call_combinations(self, node: Any, iterable: Any, r: Any) -> Any:
        return tuple(itertools.combinations(self.known(iterable, node, "the number of items"), r))

    def call_permutations(self, node: Any, iterable: Any, r: Any = None) -> Any:
        return tuple(itertools.permutations(self.known(iterable, node, "the number of items"), r))

    def call_compress(self, node: Any, data: Any, selectors: Any) -> Any:
        pairs = ZipIterable((data, selectors))
        kept = FilterIterable(Getter("itemgetter", (1,)), pairs)
        return MapIterable(Getter("itemgetter", (0,)), kept, is_starred=False)

    def call_iter(self, node: Any, iterable: Any) -> Any:
        if is_instance(iterable):
            found = self.call_special(iterable, "__iter__", [], node)
            if found is not NotImplemented:
                return found
        items = self.static_items(iterable, node)
        if items is None:
            return (
                iterable
                if not isinstance(iterable, Value | ListRef)
                else self.error(
                    catalog.NEEDS_COMPILE_TIME, node, what="the number of items of iter()"
                )
            )
        made = IteratorRef(self.builder.span, name="iterator", items=tuple(items))
        self.heap[made] = 0
        return made

    def call_next(self, node: Any, iterator: Any, default: Any = _MISSING) -> Any:
        if isinstance(iterator, ObjectRef):
            return self._next_of_object(iterator, default, node)
        if isinstance(iterator, IteratorRef):
            position = self.content(iterator)
            if isinstance(position, int) and position < len(iterator.items):
                self.write(iterator, position + 1)
                return iterator.items[position]
            return self._no_next(default, node)
        with self.hidden("item", "found") as (item, found):
            env = self.env
            env[found] = False

            def take(value: Any) -> bool:
                env[item], env[found] = value, True
                return True

            self.for_each(iterator, take, node)
            is_found = env[found]
            if isinstance(is_found, Value):
                return self.choose(
                    is_found, lambda: env[item], lambda: self._no_next(default, node), "next()"
                )
            return env[item] if is_found else self._no_next(default, node)

    def _next_of_object(self, iterator: ObjectRef, default: Any, node: Any) -> Any:
        if default is _MISSING:
            return self.ask_next(iterator, node)
        with self.hidden("item") as (item,):
            env = self.env

            def body() -> None:
                env[item] = self.ask_next(iterator, node)

            def handle(_: Value) -> None:
                env[item] = default

            self.guarded(body, handle, (StopIteration,), frozenset())
            return env[item]

    def _no_next(self, default: Any, node: Any) -> Any:
        if default is _MISSING:
            with self.at(node):
                self.emit_raise("StopIteration", ())
            self.end_path()
        return default

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
        return tuple(self.known(iterable, node, "the length of a tuple"))

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
        found = self.known(keys, node, "the keys of a dict")
        return self.new_dict({self.hashable(key, node): value for key in found})

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

    def call_reduce(self, node: Any, function: Any, iterable: Any, initial: Any = _MISSING) -> Any:
        with self.hidden("total", "first") as (total, first):
            env = self.env
            env[first] = initial is _MISSING
            if initial is not _MISSING:
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

    def call_min(self, node: Any, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
        return self._extreme("<", "min", args, key, default, node)

    def call_max(self, node: Any, *args: Any, key: Any = None, default: Any = _MISSING) -> Any:
        return self._extreme(">", "max", args, key, default, node)

    def _extreme(
        self, symbol: str, name: str, args: tuple[Any, ...], key: Any, default: Any, node: Any
    ) -> Any:
        items: Any = list(args) if len(args) > 1 else args[0]
        if not isinstance(items, list | Value):
            items = self.iterated(items, node)
        if isinstance(items, list) and not items:
            if default is not _MISSING:
                return default
            return self.fails("ValueError", f"{name}() iterable argument is empty", node)
        function = min if name == "min" else max
        if isinstance(items, list) and key is None and all(map(is_liftable, items)):
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
                self.if_else(better, lambda: replace(item, value), _nothing)

            def take(item: Any) -> bool:
                value = item if key is None else self.call_function(key, [item], {}, node)
                is_first = env[first]
                self.if_else(is_first, lambda: replace(item, value), lambda: compare(item, value))
                env[first] = False
                return False

            self.for_each(tuple(items) if isinstance(items, list) else items, take, node)
            is_empty = env[first]
            if default is not _MISSING and isinstance(is_empty, Value):
                return self.choose(is_empty, lambda: default, lambda: env[best], f"{name}()")
            message = f"{name}() iterable argument is empty"
            self._require_some(is_empty, "ValueError", message, node)
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
    }


def _nothing() -> None:
    return None
