"""Calls of the user's own functions.

A call becomes a ``call`` operation to a graph function of its own, made once for each combination
of argument types and compile-time arguments. What a graph function can't do is lowered in place
instead, where the call stands: to change or hand back a list or an object whose content is known,
or to read the variables around a nested function.

A function that calls itself with run-time arguments is a graph function that calls itself. What it
returns is not known while it is lowered for the first time; it is lowered again, with what the last
round returned, until that no longer changes. Lists and dicts that it gets become memory of the
running program first, and the variables that a nested function reads become arguments.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.binding import call_key, refusal_of, signature_of
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.liveness import Liveness
from staticpy.frontend.lower_base import Activations, Frame, Prepared
from staticpy.frontend.outside_world import works_outside
from staticpy.frontend.parse import Parameter, parameters_of
from staticpy.frontend.resolve import own_nodes, resolve
from staticpy.frontend.specialise import _NOT_APART, Specialising
from staticpy.frontend.starred_calls import Rest
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    Closure,
    DictRef,
    Generator,
    IteratorRef,
    ListRef,
    Poisoned,
    Ref,
    UserFunction,
    is_liftable,
    is_scalar,
    same_static,
)
from staticpy.frontend.widths import LowerAgain
from staticpy.ir import Value

_DEEPEST_KNOWN = 12
"""From this depth on, a recursion by numbers that are known is one at run time."""
_DEEPEST_UNDECIDED = 4
"""... where whether the function calls itself is for run-time values to say."""
_MOST_KNOWN = 64
"""How many calls there may be in one before they are at run time, however deep."""
_MOST = 4000
"""How many calls of one function there may be in one while compiling."""
_MOST_UNDECIDED = 128
"""... where run-time values decide, and the objects that the program makes could be in memory; or
it is a generator, which is never a call at run time."""
_DEEPEST_STRUCTURE = 8
"""How deep a function with run-time arguments may go down into a structure that is known."""
_MOST_IN_PLACE = 64
"""How often a nested function is lowered where it is called: those that call each other several
times make a multiple of the code with each of them."""
_DEEPEST = 100
"""How deep the calls of one function may be in one another while compiling."""
_LARGEST_GROWING = 1000
"""How many parts the tuples may have that are arguments of a call in a call, if each has more."""


class Functions(Specialising):
    """Lowers calls of Python functions."""

    def call_user(
        self, function: UserFunction | Closure, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """``function(*args, **kwargs)``."""
        called = function.function if isinstance(function, UserFunction) else None
        if called is not None and (ops.is_out_of_reach(called) or works_outside(called)):
            return self.refuse_call(called, node)
        prepared = self.prepared(function, node)
        bound = self.bind(function, prepared, args, kwargs, node)
        if prepared.is_generator:
            return self._generator(function, prepared, bound, node)
        active = self._activations(function, prepared)
        depth = len(active.calls)
        if depth and (depth >= self._deepest_known(active) or active.entered > _MOST_KNOWN):
            bound = self._lift_changing(bound, active.calls[-1][0])
        self._limit_undecided(active)
        is_endless = depth >= _DEEPEST or active.entered > _MOST
        if is_endless or (depth and _grows_large(active.calls[-1][0], bound)):
            self.error(catalog.RECURSION, node, name=prepared.unit.name)
        is_dynamic = depth > 0 and self._is_dynamic(bound, active)
        is_dynamic = is_dynamic or (depth == 0 and self._is_guarded_recursion(function, bound))
        is_dynamic = is_dynamic or (active.total > _MOST_IN_PLACE and _has_values(bound))
        with active.enter(bound, self.builder.block):
            if self.is_behind_cache(function):  # the two call themselves together
                return self._call_in_place(prepared, bound, function, node)
            result: Any = _NOT_APART
            if isinstance(function, UserFunction):
                key = call_key(self.kind_of_call(prepared), bound, self.builder.facts)
                if key is not None:
                    result = self._call_apart(prepared, bound, {}, function, key, node)
            if result is _NOT_APART and is_dynamic:
                result = self._call_with_memory(prepared, bound, function, node)
                is_endless = depth > 0 and not _differs(bound, active.calls[-2][0])
                if result is _NOT_APART and is_endless:
                    self.error(catalog.RECURSION, node, name=prepared.unit.name)
            if result is _NOT_APART:
                result = self._call_in_place(prepared, bound, function, node)
            return result

    def _activations(self, function: UserFunction | Closure, prepared: Prepared) -> Activations:
        around = function.frame.origin if isinstance(function, Closure) else None
        which = (self.kind_of_call(prepared), around)
        return self.compilation.active.setdefault(which, Activations())

    def _deepest_known(self, active: Activations) -> int:
        return _DEEPEST_UNDECIDED if self._is_undecided(active) else _DEEPEST_KNOWN

    def _limit_undecided(self, active: Activations) -> None:
        """Have the objects that the program makes in memory where they take too many calls: where
        a function goes both ways in a structure that grows, as in a search tree, these double with
        each level. In memory, it is one function that calls itself.
        """
        is_much = bool(active.calls) and active.entered > _MOST_UNDECIDED
        if is_much and self._is_undecided(active) and self.compilation.instances.move_to_memory():
            raise LowerAgain

    def _is_undecided(self, active: Activations) -> bool:
        """Whether it is for run-time values to say whether this path is taken, in a function that
        calls itself there.
        """
        blocks = (active.calls[-1][1], self.graph.function.block)
        return self.builder.block not in blocks

    def _lift_changing(self, bound: dict[str, Any], outer: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a deep recursion, whose numbers and texts are known: run-time values
        where they are others in each call, so that the calls are alike.
        """
        return {
            name: ops.as_value(value)
            if (is_scalar(value) or type(value) is str) and not same_static(value, outer.get(name))
            else value
            for name, value in bound.items()
        }

    def _is_dynamic(self, bound: dict[str, Any], active: Activations) -> bool:
        """Whether how often a function calls itself is for run-time values to say.

        It is not where it goes down into a structure whose parts are known.
        """
        refs = [leaf for leaf in tree_leaves(bound) if isinstance(leaf, ListRef | DictRef)]
        if any(isinstance(self.content(ref), Value) for ref in refs):
            return True
        if self._is_undecided(active) and self._fills_lists(bound, active.calls[-1][0]):
            return True
        bound, outer = _one_by_one(bound, active.calls[-1][0])
        if not _differs(bound, outer) and self._is_undecided(active):
            return True
        if not _has_values(bound):
            return False
        goes_down = any(
            isinstance(value, Ref | tuple) and value is not outer.get(name)
            for name, value in bound.items()
        )
        return not goes_down or len(active.calls) > _DEEPEST_STRUCTURE

    def _fills_lists(self, bound: dict[str, Any], outer: dict[str, Any]) -> bool:
        """Whether a call passes on a list that is longer than the one its caller got."""
        for name, value in bound.items():
            before = outer.get(name)
            if isinstance(value, ListRef) and isinstance(before, ListRef):
                items, items_before = self.content(value), self.content(before)
                are_known = isinstance(items, tuple) and isinstance(items_before, tuple)
                if are_known and len(items) > len(items_before):
                    return True
        return False

    def _is_guarded_recursion(self, function: UserFunction | Closure, bound: Any) -> bool:
        """Whether a function calls itself by run-time values in the body of a ``try``, and rebinds
        what a handler reads: lowered in place, its own handlers would be in the way.
        """
        if not self.is_guarded() or not isinstance(function, Closure):
            return False
        names = resolve(function.node)
        is_recursive = getattr(function.node, "name", None) in names.free
        return is_recursive and bool(names.rebinds) and _has_values(bound)

    # --- the callee -------------------------------------------------------------------------------

    def prepared(self, function: UserFunction | Closure, node: Any) -> Prepared:
        """The function, through the stages before lowering."""
        if isinstance(function, Closure):
            return self._prepared_nested(function)
        diagnostics = self.compilation.diagnostics
        mark = diagnostics.mark()
        prepared = self.compilation.prepare(function.unit, function.scope)
        for diagnostic in diagnostics.rollback(mark):
            span = diagnostic.span.inlined(self.full_span(node))
            diagnostics.append(dataclasses.replace(diagnostic, span=span))
        if prepared is None:
            raise Poisoned
        return prepared

    def _prepared_nested(self, function: Closure) -> Prepared:
        nested = self.compilation.nested
        if function.node not in nested:
            parent = function.frame.prepared
            name = getattr(function.node, "name", "<lambda>")
            qualname = f"{parent.unit.qualname}.<locals>.{name}"
            names = resolve(function.node)
            nested[function.node] = Prepared(
                dataclasses.replace(parent.unit, qualname=qualname),
                function.node,
                parameters_of(function.node),
                Liveness(names),
                frozenset(names.locals),
                names.is_generator,
                names.captured,
            )
        return nested[function.node]

    def bind(
        self,
        function: UserFunction | Closure,
        prepared: Prepared,
        args: list[Any],
        kwargs: dict[str, Any],
        node: Any,
    ) -> dict[str, Any]:
        """The arguments by parameter name, as CPython binds them."""
        rest = args[-1] if args and isinstance(args[-1], Rest) else None
        args = args if rest is None else args[:-1]
        try:
            given = signature_of(prepared.parameters).bind(*args, **kwargs).arguments
        except TypeError:
            message = refusal_of(prepared.parameters, prepared.unit.qualname, args, kwargs)
            self.fails("TypeError", message, node)
        bound: dict[str, Any] = {}
        for parameter in prepared.parameters:
            name = parameter.name
            if parameter.kind == "var_positional":
                first = tuple(given.get(name, ()))
                bound[name] = first if rest is None else self.behind(first, rest, node)
            elif parameter.kind == "var_keyword":
                bound[name] = self.new_dict(given.get(name, {}))
            else:
                is_given = name in given
                bound[name] = given[name] if is_given else self.default_of(function, parameter)
        return bound

    def default_of(self, function: UserFunction | Closure, parameter: Parameter) -> Any:
        if isinstance(function, Closure):
            return function.defaults[parameter.name]
        if function.function is not None:
            return self.live_default(function.function, parameter.name)  # type: ignore[arg-type]
        prepared = self.compilation.prepare(function.unit, function.scope)
        assert prepared is not None
        empty = dataclasses.replace(prepared, assigned=frozenset())
        with self.in_frame(Frame(empty, function.scope, self.journal)):
            return self.expression(parameter.default)

    # --- in place ---------------------------------------------------------------------------------

    def _call_in_place(
        self, prepared: Prepared, bound: dict[str, Any], function: Any, node: Any
    ) -> Any:
        """Lower the callee where the call stands."""
        frame = self._frame_of(function, prepared).bind(bound).reached_by(self.span(node))
        self.compilation.notes.called(self.span(node), prepared.unit.name, apart=False)
        with self.in_frame(frame):
            return self.run(prepared.node)

    def _generator(
        self, function: Any, prepared: Prepared, bound: dict[str, Any], node: Any
    ) -> Generator | IteratorRef:
        """A generator: its body is lowered where its items are asked for."""
        chain = self.span(node)
        active = self._activations(function, prepared)

        def make_frame() -> Frame:
            return self._frame_of(function, prepared).bind(bound).reached_by(chain)

        def start(consumer: Any) -> None:
            is_endless = active.calls and not _differs(bound, active.calls[-1][0])
            is_undecided = active.calls and self._is_undecided(active)
            most = _MOST_UNDECIDED if is_undecided else _MOST
            if is_endless or len(active.calls) >= _DEEPEST or active.entered > most:
                self.error(catalog.RECURSION, node, name=prepared.unit.name)

            def consume(item: Any) -> Any:
                with active.suspend():
                    return consumer(item)

            frame = make_frame()
            frame.consumer = consume
            entered = active.enter(bound, self.builder.block)
            with entered, self.in_frame(frame), self.inside_generator(prepared.node, _DEEPEST):
                self.run(prepared.node)

        make_steps = self.generator_steps(prepared.node.body, make_frame)
        name = prepared.unit.name if _returns_value(prepared.node) else ""

        def steps() -> IteratorRef:
            assert make_steps is not None
            stepped = make_steps()
            stepped.returning = name
            return stepped

        made = self.new_generator(start, prepared.unit.name, steps if make_steps else None)
        made.returning = name
        return made

    def is_behind_cache(self, function: UserFunction | Closure) -> bool:
        raise AssertionError("defined by Decorations")

    def inside_generator(self, node: Any, deepest: int = 12) -> AbstractContextManager[None]:
        raise AssertionError("defined by Watching")

    def generator_steps(
        self, body: list[Any], make_frame: Callable[[], Frame], first: Any = ABSENT
    ) -> Callable[[], IteratorRef] | None:
        raise AssertionError("defined by SteppingStatements")

    def new_generator(
        self,
        start: Callable[[Any], None],
        name: str,
        steps: Callable[[], IteratorRef] | None = None,
    ) -> Generator | IteratorRef:
        raise AssertionError("defined by LazyIteration")


def _returns_value(function: Any) -> bool:
    """Whether a function has a ``return`` of something else than None."""
    returns = (each for each in own_nodes(function) if isinstance(each, gast.Return))
    values = (each.value for each in returns if each.value is not None)
    return not all(isinstance(each, gast.Constant) and each.value is None for each in values)


def _has_values(bound: dict[str, Any]) -> bool:
    return any(isinstance(value, Value) for value in bound.values())


def _one_by_one(bound: dict[str, Any], outer: dict[str, Any]) -> tuple[Any, Any]:
    """The arguments of two calls, with the numbers in ``*args`` as arguments of their own."""
    numbered: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    for name, value in bound.items():
        pair: Any = value, outer.get(name)
        is_plain = all(type(each) is tuple and all(map(is_liftable, each)) for each in pair)
        for each, found in zip(pair, numbered, strict=True):
            if is_plain and len(pair[0]) == len(pair[1]):
                found.update({f"{name}[{i}]": item for i, item in enumerate(each)})
            else:
                found[name] = each
    return numbered


def _grows_large(outer: dict[str, Any], bound: dict[str, Any]) -> bool:
    """Whether a call has tuples of very many parts, and half as many again as the one around it:
    where each doubles them, no memory is enough for the deepest.
    """
    size = _parts(bound, 100 * _LARGEST_GROWING)
    return size > _LARGEST_GROWING and 2 * size > 3 * _parts(outer, size)


def _parts(bound: dict[str, Any], most: int) -> int:
    """How many parts the tuples of arguments have, as far as they are counted."""
    count, pending = 0, [value for value in bound.values() if isinstance(value, tuple)]
    while pending and count < most:
        items = pending.pop()
        count += len(items)
        pending += [item for item in items if isinstance(item, tuple)]
    return count


def _differs(bound: dict[str, Any], outer: dict[str, Any]) -> bool:
    """Whether a call is not as the one around it, in what is known while compiling."""

    def is_other(value: Any, before: Any) -> bool:
        both = isinstance(value, Value) and isinstance(before, Value)
        return not both and not same_static(value, before)

    return any(is_other(value, outer.get(name)) for name, value in bound.items())
