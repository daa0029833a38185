"""Lowering of comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy.frontend.lower_base import Frame, Prepared
from staticpy.frontend.paths import nothing
from staticpy.frontend.resolve import target_names
from staticpy.frontend.sorted_lists import SortedLists
from staticpy.frontend.stepping import body_of
from staticpy.frontend.values import Generator, IteratorRef


class Comprehensions(SortedLists):
    """A comprehension is a function of its own, whose first iterable is evaluated outside."""

    def expr_ListComp(self, node: Any) -> Any:
        made = self.new_list(())

        def append() -> bool:
            self.call_method_of(made, "append", [self.expression(node.elt)], node)
            return False

        self._run(node, append)
        return made

    def expr_SetComp(self, node: Any) -> Any:
        made = self.new_set(())

        def add() -> bool:
            self.call_method_of(made, "add", [self.expression(node.elt)], node)
            return False

        self._run(node, add)
        return made

    def expr_DictComp(self, node: Any) -> Any:
        made = self.new_dict({})

        def store() -> bool:
            key = self.expression(node.key)
            self.set_dict_item(made, key, self.expression(node.value), node)
            return False

        self._run(node, store)
        return made

    def expr_GeneratorExp(self, node: Any) -> Generator | IteratorRef:
        first = self.expression(node.generators[0].iter)
        outer = self.frame
        check = self.same_sizes(first, node.generators[0].iter)

        def start(consume: Callable[[Any], Any]) -> None:
            check()
            with self.in_frame(outer), self.inside_generator(node):
                self._levels(node, lambda: consume(self.expression(node.elt)), first)

        def make_frame() -> Frame:
            with self.in_frame(outer):
                return self._frame_for(node)

        steps = self.generator_steps(body_of(node), make_frame, first)
        return self.new_generator(start, "<genexpr>", steps)

    def _run(self, node: Any, body: Callable[[], Any]) -> None:
        first = self.expression(node.generators[0].iter)
        self._levels(node, body, first)

    def _levels(self, node: Any, body: Callable[[], Any], first: Any) -> None:
        """Run ``body`` for each combination of the targets, in a frame of their own."""
        with self.in_frame(self._frame_for(node)), self.hidden("left") as (left,):

            def level(position: int) -> None:
                if position == len(node.generators):
                    self.env[left] = body()
                    return
                generator = node.generators[position]
                iterable = first if position == 0 else self.expression(generator.iter)

                def take(item: Any) -> Any:
                    self.env[left] = False
                    self.assign(generator.target, item)
                    check(generator.ifs, position)
                    return self.env[left]

                self.for_each(iterable, take, generator.iter)

            def check(tests: list[Any], position: int) -> None:
                if not tests:
                    level(position + 1)
                    return
                condition = self.condition(tests[0])
                self.if_else(condition, lambda: check(tests[1:], position), nothing)

            level(0)

    def _frame_for(self, node: Any) -> Frame:
        outer = self.frame
        names = {name for g in node.generators for name in target_names(g.target)}
        prepared = Prepared(
            outer.prepared.unit, node, [], outer.prepared.liveness, frozenset(names)
        )
        return Frame(prepared, outer.scope, self.journal, outer, outer.chain)
