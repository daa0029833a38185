"""Iterables that make their items as they are asked for: generators, ``map``, ``zip``.

Each hands what it makes to the function that takes the items, in the order that CPython has. What
one of them remembers between two items is a hidden variable, so it goes through loops and branches
like any other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.frontend.constant_loops import Live, Take
from staticpy.frontend.dict_iteration import DictIteration
from staticpy.frontend.iteration import ONE_SHOT
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import (
    AccumulateIterable,
    ChainIterable,
    Closure,
    DictRef,
    DictView,
    EnumerateIterable,
    FilterIterable,
    FlattenIterable,
    Generator,
    IteratorRef,
    ListRef,
    MapIterable,
    PairwiseIterable,
    ProductIterable,
    RangeIterable,
    ReversedIterable,
    SetRef,
    SliceIterable,
    UserFunction,
    ZipIterable,
)
from staticpy.ir import Value
from staticpy.source import SourceSpan

_MUTABLE = (ListRef, DictRef, DictView)
"""What may change between two items."""


class LazyIteration(DictIteration):
    """Goes through what can only be gone through from its beginning."""

    def new_generator(
        self,
        start: Callable[[Any], None],
        name: str,
        steps: Callable[[], IteratorRef] | None = None,
    ) -> Generator | IteratorRef:
        """A generator: what can be consumed once, in one go, or where that is not enough, an
        iterator.
        """
        if steps is not None and self.builder.span in self.compilation.in_steps:
            return steps()
        made = Generator(self.builder.span, name=name, start=start, steps=steps)
        self.heap[made] = False
        return made

    def one_shot(self, value: Any) -> Any:
        """``map`` and its kin as what they are once they have a name: gone through only once."""
        is_count = isinstance(value, RangeIterable) and value.stop is None
        if not is_count and type(value) not in ONE_SHOT:
            return value
        node = self.frame.prepared.node
        if isinstance(value, ReversedIterable) and isinstance(value.iterable, _MUTABLE):
            return self.iterator(value, node)
        if isinstance(value, ProductIterable):
            value = ProductIterable(tuple(self._pool(each, node) for each in value.iterables))
        check = self.same_sizes(value, node)

        def start(consume: Callable[[Any], Any]) -> None:
            check()
            self.for_each(value, consume, node)

        def steps() -> IteratorRef:
            check()
            return self.iterator(value, node)  # type: ignore[no-any-return]

        name = "count" if is_count else type(value).__name__.removesuffix("Iterable").lower()
        made = self.new_generator(start, name, steps)
        if isinstance(made, Generator):
            made.class_ = self.class_of(value)
        return made

    def _pool(self, iterable: Any, node: Any) -> Any:
        """The items that ``itertools.product`` keeps from the beginning."""
        is_mutable = isinstance(iterable, (*_MUTABLE, SetRef, Value))
        return self.collect(iterable, node) if is_mutable else iterable

    def resumed(self, made: Generator, node: Any) -> None:
        raise AssertionError("defined by Iterators")

    def assign_name(self, name: str, value: Any, span: SourceSpan) -> None:
        super().assign_name(name, self.one_shot(value), span)

    def set_object_attribute(self, ref: Any, name: str, value: Any, node: Any) -> None:
        super().set_object_attribute(ref, name, self.one_shot(value), node)

    def expr_Tuple(self, node: Any) -> Any:
        made = super().expr_Tuple(node)
        return tuple(map(self.one_shot, made)) if isinstance(made, tuple) else made

    def expr_NamedExpr(self, node: Any) -> Any:
        super().expr_NamedExpr(node)
        return self.owner(node.target.id).env[node.target.id]

    def new_list(self, items: Any) -> ListRef:
        return super().new_list(items if isinstance(items, Value) else map(self.one_shot, items))

    def call_user(
        self, function: UserFunction | Closure, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        named = {name: self.one_shot(value) for name, value in kwargs.items()}
        return super().call_user(function, list(map(self.one_shot, args)), named, node)

    def _each_of_generator(self, made: Generator, take: Take, node: Any, live: Live) -> None:
        content = self.heap.get(made)
        if content == "done":
            return
        if content is not False:
            self.resumed(made, node)
        self.content(made)
        self.heap[made] = "running"
        frame, is_left = self.frame, False

        def consume(item: Any) -> Any:
            nonlocal is_left
            with self.in_frame(frame), self.inside_generator(None):
                left = take(item)
            is_left = is_left or (left is not False and left is not None)
            return left

        assert made.start is not None
        made.start(consume)
        # Where its consumer may stop, items may be left: nobody knows where to go on.
        self.heap[made] = "left" if is_left else "done"

    def _each_mapped(self, made: MapIterable, take: Take, node: Any, live: Live) -> None:
        def one(item: Any) -> Any:
            args = list(item) if made.is_starred else [item]
            return take(self.call_function(made.function, args, {}, node))

        self.for_each(made.iterable, one, node)

    def _each_filtered(self, made: FilterIterable, take: Take, node: Any, live: Live) -> None:
        """``filter``, ``filterfalse``, ``takewhile``, ``dropwhile``."""
        with self.hidden("left", "open") as (left, is_open):
            env = self.env
            env[is_open] = made.kind != "dropwhile"

            def accepted(item: Any) -> None:
                env[is_open] = True
                env[left] = take(item)

            def rejected() -> None:
                env[left] = made.kind == "takewhile"

            def decide(item: Any) -> None:
                condition = self.accepts(made, item, node)
                self.if_else(condition, lambda: accepted(item), rejected)

            def one(item: Any) -> Any:
                env[left] = False
                if made.kind == "dropwhile":
                    self.if_else(env[is_open], lambda: accepted(item), lambda: decide(item))
                else:
                    decide(item)
                return env[left]

            self.for_each(made.iterable, one, node)

    def accepts(self, made: FilterIterable, item: Any, node: Any) -> Any:
        found = item
        if made.function is not None:
            found = self.call_function(made.function, [item], {}, node)
        condition = self.truth(found, node)
        return self.negate(condition) if made.kind in ("filterfalse", "dropwhile") else condition

    def _each_chained(self, made: ChainIterable, take: Take, node: Any, live: Live) -> None:
        self._each_in_turn(made.iterables, take, node)

    def _each_flattened(self, made: FlattenIterable, take: Take, node: Any, live: Live) -> None:
        self._each_in_turn(made.iterable, take, node)

    def _each_in_turn(self, iterables: Any, take: Take, node: Any) -> None:
        with self.hidden("left") as (left,):

            def one(item: Any) -> Any:
                self.env[left] = take(item)
                return self.env[left]

            def part(iterable: Any) -> Any:
                self.env[left] = False
                self.for_each(iterable, one, node)
                return self.env[left]

            self.for_each(iterables, part, node)

    def _each_sliced(self, made: SliceIterable, take: Take, node: Any, live: Live) -> None:
        start, stop, step = made.start, made.stop, made.step
        last = None if stop is None else ops.BUILTINS[max](start, stop)
        with self.hidden("left", "count") as (left, at):
            self.env[at] = 0

            def one(item: Any) -> Any:
                count = self.env[at]
                self.env[at] = ops.binary("+", count, 1)
                self.env[left] = False
                offset = ops.binary("%", ops.binary("-", count, start), step)
                wanted = self.both(ops.compare(">=", count, start), ops.compare("==", offset, 0))
                if isinstance(stop, Value) or isinstance(start, Value):
                    wanted = (
                        wanted if stop is None else self.both(wanted, ops.compare("<", count, stop))
                    )
                self.if_else(wanted, lambda: self.take_into(left, take, item), nothing)
                if last is None:
                    return self.env[left]
                is_last = ops.compare(">=", ops.binary("+", count, 1), last)
                return self.either(self.env[left], is_last)

            run = lambda: self.for_each(made.iterable, one, node)  # noqa: E731
            is_some = last is None or ops.compare(">", last, 0)
            self.if_else(is_some, run, nothing)

    def _each_accumulated(
        self, made: AccumulateIterable, take: Take, node: Any, live: Live
    ) -> None:
        with self.hidden("left", "total", "first") as (left, total, first):
            self.env[first] = made.initial is None
            self.env[left] = False
            if made.initial is not None:
                self.env[total] = made.initial
                self.env[left] = take(made.initial)

            def one(item: Any) -> Any:
                def begin() -> None:
                    self.env[total] = item

                def add() -> None:
                    self.env[total] = self.accumulated(made, self.env[total], item, node)

                self.if_else(self.env[first], begin, add)
                self.env[first] = False
                return take(self.env[total])

            is_over = self.env[left]
            self.if_else(is_over, nothing, lambda: self.for_each(made.iterable, one, node))

    def accumulated(self, made: AccumulateIterable, total: Any, item: Any, node: Any) -> Any:
        if made.function is None:
            return self.binary("+", total, item, node)
        return self.call_function(made.function, [total, item], {}, node)

    def _each_pair(self, made: PairwiseIterable, take: Take, node: Any, live: Live) -> None:
        items = self.static_items(made.iterable, node)
        if items is not None:
            self.unroll(list(itertools.pairwise(items)), take, live)
            return
        with self.hidden("left", "last", "first") as (left, last, first):
            self.env[first] = True

            def one(item: Any) -> Any:
                self.env[left] = False

                def pair() -> None:
                    self.env[left] = take((self.env[last], item))

                self.if_else(self.env[first], nothing, pair)
                self.env[first] = False
                self.env[last] = item
                return self.env[left]

            self.for_each(made.iterable, one, node)

    def _each_product(self, made: ProductIterable, take: Take, node: Any, live: Live) -> None:
        pools = [self.iterated(iterable, node) for iterable in made.iterables]
        pools = [tuple(pool) if isinstance(pool, list) else pool for pool in pools]
        with self.hidden("left") as (left,):
            self.env[left] = False

            def level(position: int, chosen: tuple[Any, ...]) -> Any:
                if position == len(pools):
                    self.env[left] = take(chosen)
                else:
                    self.for_each(
                        pools[position], lambda item: level(position + 1, (*chosen, item)), node
                    )
                return self.env[left]

            level(0, ())

    def each_numbered(self, made: EnumerateIterable, take: Take, node: Any, live: Live) -> None:
        """``enumerate``: a counter beside what can't be indexed."""
        if self._is_indexable(made.iterable):
            items = self.static_items(made, node)
            if items is not None:
                self.unroll(items, take, live)
            else:
                self.count_loop(self.counted(made, node), take, node, live)
            return
        with self.hidden("count") as (at,):
            self.env[at] = made.start

            def one(item: Any) -> Any:
                count = self.env[at]
                self.env[at] = ops.binary("+", count, 1)
                return take((count, item))

            self.for_each(made.iterable, one, node)

    def each_zipped(self, made: ZipIterable, take: Take, node: Any, live: Live) -> None:
        """``zip``: side by side at one index; the first may be one that can't be indexed."""
        items = self.static_items(made, node)
        if items is not None:
            self.unroll(items, take, live)
            return
        is_indexable = [self._is_indexable(column) for column in made.iterables]
        if made.strict and len(made.iterables) == 2 and all(is_indexable):
            self._each_strictly(made, take, node, live)
            return
        if all(is_indexable) and not made.strict:
            self.count_loop(self.counted(made, node), take, node, live)
            return
        if made.strict or not all(is_indexable[1:]):
            self.for_each(self.iterator(made, node), take, node, live)
            return
        others = [self.indexed(column, node) for column in made.iterables[1:]]
        with self.hidden("left", "count") as (left, at):
            self.env[at] = 0

            def one(item: Any) -> Any:
                count = self.env[at]
                self.env[at] = ops.binary("+", count, 1)
                self.env[left] = True
                enough: Any = True
                for length, _ in others:
                    enough = self.both(enough, ops.compare("<", count, length))

                def go_on() -> None:
                    index = ops.as_value(count)
                    self.env[left] = take((item, *(get(index) for _, get in others)))

                self.if_else(enough, go_on, nothing)
                return self.env[left]

            self.for_each(made.iterables[0], one, node)

    def _each_in_steps(self, made: Any, take: Take, node: Any, live: Live) -> None:
        """What goes from item to item in a way of its own."""
        items = self.static_items(made, node)
        if items is not None:
            self.unroll(items, take, live)
        else:
            self.for_each(self.iterator(made, node), take, node, live)

    def _each_strictly(self, made: ZipIterable, take: Take, node: Any, live: Live) -> None:
        """``zip(a, b, strict=True)``: the lengths are compared once the shorter is used up."""
        lengths = [self.indexed(column, node)[0] for column in made.iterables]
        with self.hidden("left") as (left,):
            self.env[left] = False

            def one(item: Any) -> Any:
                self.env[left] = take(item)
                return self.env[left]

            loose = ZipIterable(made.iterables)
            self.count_loop(self.counted(loose, node), one, node, live)
            for symbol, word in (("<", "longer"), (">", "shorter")):
                wrong = self.both(
                    self.negate(self.env[left]), ops.compare(symbol, lengths[0], lengths[1])
                )
                message = f"zip() argument 2 is {word} than argument 1"
                self.forbid(wrong, "ValueError", message, node)

    def forbid(self, condition: Any, exception: str, message: str, node: Any) -> None:
        """Raise an exception where a condition holds."""
        if isinstance(condition, Value):
            negated = ops.emit(ops.not_, condition)
            self.require(negated, lambda: self.emit_raise(exception, (message,)))
        elif condition:
            self.fails(exception, message, node)
