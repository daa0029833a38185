"""Going through iterables: ``for_each`` hands each item to a function that lowers what is done.

Items that are known are handed over one after the other. An array, a list in memory or a range of
run-time length makes a loop of the graph, whose round is lowered for an item at a run-time index.
What makes its items as they are asked for, a generator or ``map``, runs where it is consumed: the
consumer's work stands where it yields, in the order CPython has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.changing_lists import lists_of, may_resize
from staticpy.frontend.classes import is_object
from staticpy.frontend.constant_loops import (
    LONGEST_UNROLLED,
    MOST_COPIES,
    ConstantLoops,
    Live,
    Take,
)
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_loop import Counted
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import (
    AccumulateIterable,
    ChainIterable,
    CycleIterable,
    EnumerateIterable,
    FilterIterable,
    FlattenIterable,
    Generator,
    GroupIterable,
    IteratorRef,
    KnownIterable,
    ListRef,
    MapIterable,
    ObjectRef,
    PairwiseIterable,
    PathEnds,
    ProductIterable,
    RangeIterable,
    ReversedIterable,
    SliceIterable,
    ZipIterable,
    ZipLongestIterable,
)
from staticpy.ir import STR, UnionType, Value

_LONGEST_CHANGING = 10_000


class ListChanged(Exception):
    """Raised where a list changes its length while its items are taken at an index."""


class Iteration(ConstantLoops):
    """Goes through everything that can be iterated over."""

    def for_each(self, iterable: Any, take: Take, node: Any, live: Live = None) -> None:
        """Hand each item of ``iterable`` to ``take``, until it wants no more."""
        if isinstance(iterable, Variant):
            self.dispatch(iterable, lambda each: self.for_each(each, take, node), node)
            return
        if isinstance(iterable, RunTimeTuple):
            iterable = iterable.items
        if isinstance(iterable, ReversedIterable):
            self._each_reversed(iterable, take, node, live)
            return
        method = PUSHED.get(type(iterable))
        if method is not None:
            getattr(self, method)(iterable, take, node, live)
            return
        if is_object(iterable):
            self._each_of_object(iterable, take, node, live)
        elif isinstance(iterable, Value):
            self._each_value(iterable, take, node, live)
        elif isinstance(iterable, ListRef):
            self._each_of_list(iterable, take, node, live)
        elif isinstance(iterable, range):
            self._each_of_range(iterable, take, node, live)
        elif isinstance(iterable, RangeIterable) and iterable.stop is None:
            self._each_of_count(iterable, take, node, live)
        else:
            items = self.static_items(iterable, node)
            if items is not None:
                self.unroll(items, take, live)
            else:
                self.count_loop(self.counted(iterable, node), take, node, live)

    # --- known items ------------------------------------------------------------------------------

    def _each_of_list(self, ref: ListRef, take: Take, node: Any, live: Live) -> None:
        """A list may change while it is gone through: each round asks anew how long it is."""
        content = self.content(ref)
        if isinstance(content, Value):
            self._each_of_memory(ref, take, node, live)
            return
        is_long = len(content) > LONGEST_UNROLLED or self.copies * len(content) > MOST_COPIES
        if is_long and self._is_uniform(content):
            self.list_value(ref)
            self._each_of_memory(ref, take, node, live)
            return
        self._each_known(ref, take, node, live, 0)

    def _is_uniform(self, items: tuple[Any, ...]) -> bool:
        """Whether items are numbers of one type, which a loop of the graph can go through."""
        return len({type(item) for item in items}) == 1 and type(items[0]) in (int, float)

    def _each_beside(
        self, made: ZipIterable | EnumerateIterable, take: Take, node: Any, live: Live
    ) -> None:
        """``zip`` or ``enumerate`` of lists: their items are taken at one index, unless one of them
        changes its length meanwhile. Then they are asked for, one after the other.
        """
        lists, ended = lists_of(made), None
        push = self.each_zipped if isinstance(made, ZipIterable) else self.each_numbered
        if not lists:
            push(made, take, node, live)
            return
        memory = [each for each in map(self.content, lists) if isinstance(each, Value)]

        def at_one_index() -> None:
            nonlocal ended
            length = len(self.builder.block.operations)
            try:
                push(made, take, node, live)
            except PathEnds as error:
                ended = error
            if self._may_resize(length, memory):
                raise ListChanged

        if not self._without_change(at_one_index, node, lists):
            self.for_each(self.iterator(made, node), take, node, live)
        elif ended is not None:
            raise ended

    def _without_change(
        self, run: Callable[[], None], node: Any, lists: Sequence[ListRef] = ()
    ) -> bool:
        """Whether ``run`` lowers a loop that leaves the length of its lists alone; nothing remains
        of one that doesn't, and it is not tried again where the loop is lowered once more.
        """
        place = self.place_of(node)
        if place in self.compilation.resizing:
            return False
        mark = self.compilation.diagnostics.mark()
        length = len(self.builder.block.operations)
        try:
            with self.journal.attempt() as log:
                run()
                if any((self.heap, ref) in log for ref in lists):
                    raise ListChanged
        except ListChanged:
            self.compilation.resizing.add(place)
            del self.builder.block.operations[length:]
            self.compilation.diagnostics.rollback(mark)
            return False
        return True

    def each_zipped(self, made: Any, take: Take, node: Any, live: Live) -> None:
        raise AssertionError("defined by LazyIteration")

    def each_numbered(self, made: Any, take: Take, node: Any, live: Live) -> None:
        raise AssertionError("defined by LazyIteration")

    def _each_reversed(self, made: ReversedIterable, take: Take, node: Any, live: Live) -> None:
        """A list may change while it is gone through, from its last item on."""
        sequence = made.iterable
        if isinstance(sequence, range):
            self.for_each(sequence[::-1], take, node, live)
            return
        is_known_list = isinstance(sequence, ListRef) and isinstance(self.content(sequence), tuple)
        items = None if is_known_list else self.static_items(made, node)
        if is_known_list:
            self.for_each(self.iterator(made, node), take, node, live)
        elif items is not None:
            self.unroll(items, take, live)
        else:
            self.count_loop(self.counted(made, node), take, node, live)

    def iterator(self, iterable: Any, node: Any) -> Any:
        raise AssertionError("defined by Iterators")

    def _each_known(self, ref: ListRef, take: Take, node: Any, live: Live, start: int) -> None:
        position, outer, copies = start, self.unrolled, self.copies
        try:
            while True:
                content = self.content(ref)
                if isinstance(content, Value):
                    self._each_of_memory(ref, take, node, live, position)
                    return
                if position >= len(content):
                    return
                if position > _LONGEST_CHANGING:
                    self.error(catalog.STRUCTURE_TOO_LARGE, node, limit=_LONGEST_CHANGING)
                self.unrolled, self.copies = (*outer, position), copies * len(content)
                left = take(content[position])
                position += 1
                if left is True:
                    return
                if left is not False:
                    rest = lambda at=position: self._each_known(ref, take, node, live, at)  # noqa: E731
                    self.branch(left, nothing, rest, live)
                    return
        finally:
            self.unrolled, self.copies = outer, copies

    # --- run-time items ---------------------------------------------------------------------------

    def _each_value(self, value: Value, take: Take, node: Any, live: Live) -> None:
        if isinstance(value.type, UnionType):
            self.dispatch(value, lambda each: self.for_each(each, take, node), node)
            return
        if value.type == STR:
            characters = self.new_list(self.emit("str.items", [value]))
            self.for_each(characters, take, node, live)
            return
        self.count_loop(self.counted(value, node), take, node, live)

    def _each_of_memory(
        self, ref: ListRef, take: Take, node: Any, live: Live, start: int = 0
    ) -> None:
        """A list in memory: a counted loop, unless a round may change its length."""
        memory = self.list_value(ref)

        def item(index: Value) -> Any:
            return self.open(self.emit("list.getitem", [self.list_value(ref), index]))

        def counted() -> None:
            length = len(self.builder.block.operations)
            bounds = (start, self.emit("list.len", [memory]), 1)
            self.count_loop(Counted(bounds, item), take, node, live)
            if self._may_resize(length, [memory]):
                raise ListChanged

        if self._without_change(counted, node):
            return
        with self.hidden("at") as (at,):
            self.env[at] = start

            def test() -> Any:
                count = self.emit("list.len", [self.list_value(ref)])
                return ops.compare("<", self.env[at], count)

            def round_() -> Any:
                index = self.env[at]
                found = item(ops.as_value(index))
                self.env[at] = ops.binary("+", index, 1)
                return take(found)

            self.test_loop(test, round_, node, live)

    def _may_resize(self, start: int, memory: list[Value]) -> bool:
        """Whether what was emitted since may change the length of one of some lists."""
        emitted = self.builder.block.operations[start:]
        return may_resize(emitted, memory, self.graph.function.block)

    def _each_of_count(self, iterable: RangeIterable, take: Take, node: Any, live: Live) -> None:
        """``itertools.count``: it never ends by itself."""
        with self.hidden("at") as (at,):
            self.env[at] = iterable.start

            def round_() -> Any:
                index = self.env[at]
                self.env[at] = ops.binary("+", index, iterable.step)
                return take(index)

            self.test_loop(lambda: True, round_, node, live)

    def _each_of_object(self, ref: ObjectRef, take: Take, node: Any, live: Live) -> None:
        iterator = self.call_special(ref, "__iter__", [], node)
        if iterator is NotImplemented:
            self._each_by_index(ref, take, node, live)
        elif is_object(iterator):
            ask = lambda: self.ask_next(iterator, node)  # noqa: E731
            self._each_asked(ask, (StopIteration,), take, live)
        else:
            self.for_each(iterator, take, node, live)

    def ask_next(self, iterator: ObjectRef, node: Any) -> Any:
        """``iterator.__next__()``."""
        found = self.call_special(iterator, "__next__", [], node)
        if found is NotImplemented:
            message = f"iter() returned non-iterator of type '{kind_of(iterator)}'"
            self.fails("TypeError", message, node)
        return found

    def _each_by_index(self, ref: ObjectRef, take: Take, node: Any, live: Live) -> None:
        """The items 0, 1, 2, … of an object, until there is none."""
        if self.special(ref, "__getitem__") is None:
            self.fails("TypeError", f"'{kind_of(ref)}' object is not iterable", node)
        with self.hidden("at") as (at,):
            self.env[at] = 0

            def ask() -> Any:
                return self.call_special(ref, "__getitem__", [self.env[at]], node)

            def take_next(item: Any) -> Any:
                self.env[at] = ops.binary("+", self.env[at], 1)
                return take(item)

            self._each_asked(ask, (IndexError, StopIteration), take_next, live)

    def take_into(self, left: str, take: Take, item: Any) -> None:
        """Note whether no more items are wanted."""
        self.env[left] = take(item)

    def _each_asked(
        self, ask: Callable[[], Any], ends: tuple[type, ...], take: Take, live: Live
    ) -> None:
        """What ``ask`` returns, again and again, until it raises one of ``ends``."""
        with self.hidden("item", "left") as (item, left):
            env = self.env

            def body() -> None:
                env[item] = ask()
                env[left] = False

            def handle(_: Value) -> None:
                env[left] = True

            def round_() -> Any:
                env[left] = True
                self.guarded(body, handle, ends, frozenset())
                is_over = env[left]
                self.if_else(is_over, nothing, lambda: self.take_into(left, take, env[item]))
                return env[left]

            self.test_loop(lambda: True, round_, self.frame.prepared.node, live)

    def guarded(self, body: Any, handle: Any, classes: Any, read: Any) -> None:
        raise AssertionError("defined by Guarded")

    # --- what makes its items as they are asked for -----------------------------------------------

    def if_else(self, condition: Any, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """Run one of two pieces: decided now, or at run time."""
        if isinstance(condition, Value):
            self.branch(condition, then, orelse, None)
        elif condition:
            then()
        else:
            orelse()

    def _is_indexable(self, iterable: Any) -> bool:
        if isinstance(iterable, EnumerateIterable | ReversedIterable):
            return self._is_indexable(iterable.iterable)
        if isinstance(iterable, ZipIterable):
            return all(map(self._is_indexable, iterable.iterables))
        return type(iterable) not in PUSHED and not is_object(iterable)

    # --- all items --------------------------------------------------------------------------------

    def iterated(self, iterable: Any, node: Any) -> Any:
        """All items: a list where their number is known, else a ListRef."""
        if type(iterable) not in PUSHED:
            items = self.static_items(iterable, node)
            if items is not None:
                return items
        if isinstance(iterable, RunTimeTuple):
            iterable = iterable.items
        if isinstance(iterable, ListRef):
            return iterable
        made = self.collect(iterable, node)
        content = self.content(made)
        return list(content) if isinstance(content, tuple) else made

    def collect(self, iterable: Any, node: Any) -> ListRef:
        """A fresh list of all items."""
        made = self.new_list(())

        def append(item: Any) -> bool:
            self.call_method_of(made, "append", [item], node)
            return False

        self.for_each(iterable, append, node)
        return made


PUSHED: dict[type, str] = {
    Generator: "_each_of_generator",
    IteratorRef: "_each_of_iterator",
    MapIterable: "_each_mapped",
    FilterIterable: "_each_filtered",
    ChainIterable: "_each_chained",
    FlattenIterable: "_each_flattened",
    SliceIterable: "_each_sliced",
    AccumulateIterable: "_each_accumulated",
    PairwiseIterable: "_each_pair",
    ProductIterable: "_each_product",
    EnumerateIterable: "_each_beside",
    ZipIterable: "_each_beside",
    ZipLongestIterable: "_each_in_steps",
    CycleIterable: "_each_in_steps",
    GroupIterable: "_each_in_steps",
}
"""How to go through what can only be gone through from its beginning."""


ONE_SHOT = (*PUSHED.keys() - {Generator, IteratorRef}, ReversedIterable, KnownIterable)
"""What is gone through only once, and is no iterator by itself yet."""
