"""The calls that make iterables and iterators, and ``next``: ``zip``, ``map``, itertools."""

from __future__ import annotations

import itertools
import sys
from functools import partial
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend import library
from staticpy.frontend.classes import is_enum_member, is_instance, is_object
from staticpy.frontend.iteration import ONE_SHOT
from staticpy.frontend.kinds import is_number, kind_of
from staticpy.frontend.paths import nothing
from staticpy.frontend.shared_iterators import SharedIterators
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import (
    LAZY,
    AccumulateIterable,
    ChainIterable,
    CycleIterable,
    EnumerateIterable,
    FilterIterable,
    FlatIterator,
    FlattenIterable,
    Generator,
    Getter,
    GroupIterable,
    IteratorRef,
    KnownIterable,
    MapIterable,
    PairwiseIterable,
    ProductIterable,
    RangeIterable,
    ReversedIterable,
    SetRef,
    SliceIterable,
    ZipIterable,
    ZipLongestIterable,
    is_scalar,
)
from staticpy.ir import TensorType, Value

MISSING: Any = object()
"""The default of an argument that was not given."""

_ONE_WAY = (*LAZY, SetRef, frozenset, FlatIterator)
"""What ``reversed`` does not take, but for ranges."""


class IteratorCalls(SharedIterators):
    """Calls of what makes iterables."""

    # --- iterables --------------------------------------------------------------------------------

    def call_range(self, node: Any, *bounds: Any) -> Any:
        if not 1 <= len(bounds) <= 3:
            self.error(catalog.BAD_CALL, node, name="range", detail="takes 1 to 3 arguments")
        found = [self.index_bound(bound, node) for bound in bounds]
        start, stop, step = {1: (0, *found, 1), 2: (*found, 1), 3: tuple(found)}[len(found)]
        message = "range() arg 3 must not be zero"
        self.forbid(ops.compare("==", step, 0), "ValueError", message, node)
        if any(isinstance(bound, Value) for bound in found):
            return RangeIterable(start, stop, step)
        return range(start, stop, step)

    def call_enumerate(self, node: Any, iterable: Any, start: Any = 0) -> Any:
        start = self.index_value(start, node, "enumerate")
        return EnumerateIterable(self._iterable(iterable, node), start)

    def call_zip(self, node: Any, *iterables: Any, strict: Any = False) -> Any:
        return ZipIterable(tuple(self._column(x, node) for x in iterables), bool(strict))

    def call_map(self, node: Any, function: Any, *iterables: Any) -> Any:
        if len(iterables) == 1:
            return MapIterable(function, self._iterable(iterables[0], node), is_starred=False)
        columns = tuple(self._column(each, node) for each in iterables)
        return MapIterable(function, ZipIterable(columns), is_starred=True)

    def call_starmap(self, node: Any, function: Any, iterable: Any) -> Any:
        rows = MapIterable(tuple, iterable, is_starred=False)
        return MapIterable(function, rows, is_starred=True, class_=itertools.starmap)

    def call_filter(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, self._iterable(iterable, node))

    def call_filterfalse(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "filterfalse")

    def call_takewhile(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "takewhile")

    def call_dropwhile(self, node: Any, function: Any, iterable: Any) -> Any:
        return FilterIterable(function, iterable, "dropwhile")

    def _column(self, iterable: Any, node: Any) -> Any:
        """What ``zip`` and ``map`` go through: they ask an object for its iterator at once."""
        if not is_instance(iterable):
            return self._iterable(iterable, node)
        return self.call_iter(node, iterable)

    def _iterable(self, iterable: Any, node: Any) -> Any:
        """What is asked for its iterator at once: a number has none, used or not."""
        if isinstance(iterable, Value) and is_object(iterable):
            return self.call_iter(node, iterable)
        type_ = iterable.type if isinstance(iterable, Value) else None
        has_none = isinstance(type_, TensorType) and type_.rank == 0
        if has_none or is_number(type_) or is_scalar(iterable) or iterable is None:
            self.indexed(iterable, node)
        return iterable

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
        return MapIterable(item, indexes, is_starred=False, class_=reversed)

    def call_reversed(self, node: Any, sequence: Any) -> Any:
        if is_object(sequence):
            return self._reversed_object(sequence, node)
        is_range = isinstance(sequence, RangeIterable) and sequence.stop is not None
        is_one_way = isinstance(sequence, _ONE_WAY) or is_enum_member(sequence)
        if is_one_way and not is_range:
            self.fails("TypeError", f"'{kind_of(sequence)}' object is not reversible", node)
        return ReversedIterable(sequence)

    def call_chain(self, node: Any, *iterables: Any) -> Any:
        return ChainIterable(iterables)

    def call_chain_from(self, node: Any, iterable: Any) -> Any:
        if isinstance(iterable, tuple):
            return ChainIterable(iterable)
        return FlattenIterable(iterable)

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
        if not 1 <= len(bounds) <= 3:
            self.error(catalog.BAD_CALL, node, name="islice", detail="takes 2 to 4 arguments")
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds)
        found = [
            self._slice_bound(bound, least, default, node)
            for bound, least, default in ((start, 0, 0), (stop, 0, None), (step, 1, 1))
        ]
        if found[2] != 1 and isinstance(found[2], Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the step of islice()")
        return SliceIterable(self._column(iterable, node), *found)

    def _slice_bound(self, bound: Any, least: int, default: Any, node: Any) -> Any:
        if bound is None:
            return default
        message = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        class_ = self.class_of(bound)
        if class_ is not None and not hasattr(class_, "__index__"):
            self.fails("ValueError", message, node)
        bound = self.index_value(bound, node, "islice")
        is_huge = ops.compare(">", bound, sys.maxsize)
        wrong = self.either(ops.compare("<", bound, least), is_huge)
        self.forbid(wrong, "ValueError", message, node)
        return bound

    def call_repeat(self, node: Any, item: Any, times: Any = None) -> Any:
        if isinstance(times, int) and times <= 10_000:
            return KnownIterable((item,) * times, itertools.repeat)
        numbers = RangeIterable(0, None, 1) if times is None else self.call_range(node, times)
        always = Getter("constant", (item,))
        return MapIterable(always, numbers, is_starred=False, class_=itertools.repeat)

    def call_zip_longest(self, node: Any, *iterables: Any, fillvalue: Any = None) -> Any:
        return ZipLongestIterable(tuple(self._column(x, node) for x in iterables), fillvalue)

    def call_cycle(self, node: Any, iterable: Any) -> Any:
        return CycleIterable(self._column(iterable, node))

    def call_groupby(self, node: Any, iterable: Any, key: Any = None) -> Any:
        return GroupIterable(self._column(iterable, node), key)

    def call_tee(self, node: Any, iterable: Any, n: Any = 2) -> Any:
        count = self.static(n, node, "the number of iterators of tee()")
        return self.tee(iterable, count, node)

    def call_pairwise(self, node: Any, iterable: Any) -> Any:
        return PairwiseIterable(iterable)

    def call_product(self, node: Any, *iterables: Any, repeat: int = 1) -> Any:
        if repeat == 1:
            return ProductIterable(iterables)
        one_way = (IteratorRef, Generator, FlatIterator, *LAZY)
        pools = [
            self.collect(each, node) if is_object(each) or isinstance(each, one_way) else each
            for each in iterables
        ]  # an iterator is gone through once, and its items repeated
        return ProductIterable(tuple(pools) * repeat)

    def call_combinations(self, node: Any, iterable: Any, r: Any) -> Any:
        return self._chosen(itertools.combinations, iterable, r, node)

    def call_combinations_again(self, node: Any, iterable: Any, r: Any) -> Any:
        return self._chosen(itertools.combinations_with_replacement, iterable, r, node)

    def call_permutations(self, node: Any, iterable: Any, r: Any = None) -> Any:
        return self._chosen(itertools.permutations, iterable, r, node)

    def _chosen(self, choose: Any, iterable: Any, r: Any, node: Any) -> Any:
        """What ``itertools`` makes of items: Python itself chooses if their number is known."""
        self.static(r, node, f"the length of the tuples of {choose.__name__}()")
        is_range = isinstance(iterable, RangeIterable) and iterable.stop is not None
        items = iterable if is_range else self.iterated(iterable, node)
        if not isinstance(items, list):
            if not isinstance(r, int) or r < 0:
                self.error(catalog.NEEDS_COMPILE_TIME, node, what="the number of items")
            pool = items if is_range else self.call_method_of(items, "copy", [], node)
            function = self.user_function(_CHOOSING[choose])
            made = self.call_function(function, [pool, r], {}, node)
            made.class_ = choose
            return made
        try:
            return KnownIterable(tuple(choose(items, r)), choose)
        except (TypeError, ValueError) as error:
            return self.fails(type(error).__name__, str(error), node)

    def call_compress(self, node: Any, data: Any, selectors: Any) -> Any:
        pairs = ZipIterable((data, selectors))
        kept = FilterIterable(Getter("itemgetter", (1,)), pairs)
        first = Getter("itemgetter", (0,))
        return MapIterable(first, kept, is_starred=False, class_=itertools.compress)

    def call_iter(self, node: Any, iterable: Any, *sentinel: Any) -> Any:
        if sentinel:
            return self.new_iterator("call", (iterable, *sentinel), open=True)
        if is_instance(iterable):
            found = self.call_special(iterable, "__iter__", [], node)
            if found is not NotImplemented:
                return found
        if isinstance(iterable, Generator | FlatIterator):
            return iterable
        made = self.one_shot(iterable)
        return made if made is not iterable else self.iterator(iterable, node)

    def call_next(self, node: Any, iterator: Any, default: Any = MISSING) -> Any:
        if is_object(iterator):
            return self._next_of_object(iterator, default, node)
        self._require_iterator(iterator, node)
        with self.hidden("item", "found") as (item, found):
            env = self.env
            env[found] = False

            def keep(value: Any) -> None:
                env[item], env[found] = value, True

            def take(value: Any) -> bool:
                keep(value)
                return True

            if isinstance(iterator, IteratorRef):
                self.ask(iterator, keep, nothing, node)
            else:
                self.for_each(iterator, take, node)
            is_found = env[found]
            ended = partial(self._no_next, iterator, default, node)
            if isinstance(is_found, Value):
                return self.choose(is_found, lambda: env[item], ended, "next()")
            return env[item] if is_found else ended()

    def _require_iterator(self, iterator: Any, node: Any) -> None:
        """Raise what ``next`` raises of what is none."""
        is_count = isinstance(iterator, RangeIterable) and iterator.stop is None
        if is_count or isinstance(iterator, (*ONE_SHOT, Generator, IteratorRef, FlatIterator)):
            return
        self.refuse_unless_certain(iterator, node)
        self.fails("TypeError", f"'{type_name(iterator)}' object is not an iterator", node)

    def _next_of_object(self, iterator: Any, default: Any, node: Any) -> Any:
        if default is MISSING:
            return self.ask_next(iterator, node)
        with self.hidden("item") as (item,):
            env = self.env

            def body() -> None:
                env[item] = self.ask_next(iterator, node)

            def handle(_: Value) -> None:
                env[item] = default

            self.guarded(body, handle, (StopIteration,), frozenset())
            return env[item]

    def _no_next(self, iterator: Any, default: Any, node: Any) -> Any:
        if default is MISSING:
            if isinstance(iterator, Generator | IteratorRef) and iterator.returning:
                self.error(catalog.GENERATOR_RESULT, node, name=iterator.returning)
            if self.stops_generator():
                self.fails("RuntimeError", "generator raised StopIteration", node)
            with self.at(node):
                self.emit_raise("StopIteration", ())
            self.end_path()
        return default

    def stops_generator(self) -> bool:
        raise AssertionError("defined by Watching")


_CHOOSING: dict[Any, Any] = {
    itertools.combinations: library.combinations,
    itertools.combinations_with_replacement: library.combinations_with_replacement,
    itertools.permutations: library.permutations,
}
"""How items are chosen whose number is known at run time."""
