"""Lowering of loops.

A loop over compile-time items is unrolled. Any other becomes a ``for`` or ``while`` operation,
whose carried values are the variables that the body binds and that are read in a later iteration or
after the loop. Their types are found by lowering the body until they no longer change: each round
starts from the types that the last one ended with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.inputs import map_tree, tree_leaves
from staticpy.frontend.iteration import Counted, Iteration
from staticpy.frontend.merge import describe
from staticpy.frontend.resolve import assigned_names
from staticpy.frontend.values import (
    PENDING,
    POISON,
    UNBOUND,
    Pending,
    Poisoned,
    is_liftable,
    leaf_type,
    same_static,
)
from staticpy.ir import BOOL, Block, Region, Type, Value, join

_LONGEST_UNROLLED = 256


@dataclass(frozen=True, slots=True)
class Carry:
    """The place of a run-time leaf in a carried structure."""

    type: Type


@dataclass(slots=True)
class Round:
    """One lowering of a loop's body: its regions, and the environment where the body ended."""

    regions: list[Region]
    end: dict[str, Any]
    yielding: Block
    stop: Any = None


class Loops(Iteration):
    """Lowers ``for`` and ``while``."""

    def stmt_While(self, node: Any) -> None:
        self.run_loop(node, None)

    def stmt_For(self, node: Any) -> None:
        iterable = self.expression(node.iter)
        if not isinstance(iterable, range):
            items = self.static_items(iterable)
            if items is not None:
                self.unroll(node, items)
            else:
                self.run_loop(node, self.counted(iterable, node.iter))
        elif len(iterable) <= _LONGEST_UNROLLED:
            self._short_range(node, iterable)
        else:
            self.run_loop(node, self.counted(iterable, node.iter))

    def _short_range(self, node: Any, items: range) -> None:
        """A constant loop stays a loop, unless only its unrolled form can be compiled: where the
        index selects an item of a tuple, say, or the first iteration has types of its own.
        """
        if not items:
            return
        diagnostics = self.compilation.diagnostics
        mark = diagnostics.mark()
        env, spans = dict(self.frame.env), dict(self.frame.spans)
        length = len(self.builder.block.operations)
        try:
            self.run_loop(node, self.counted(items, node.iter))
        except (DiagnosticError, Poisoned) as error:
            kept = diagnostics.rollback(mark)
            specs = [*(item.spec for item in kept), getattr(error, "spec", None)]
            self.frame.env, self.frame.spans = env, spans
            if any(spec in _UNROLL_HELPS for spec in specs):
                del self.builder.block.operations[length:]
                self.unroll(node, list(items))
                if len(diagnostics) == mark:
                    return
                diagnostics.rollback(mark)
            for diagnostic in kept:
                diagnostics.append(diagnostic)
            raise

    # --- unrolled ---------------------------------------------------------------------------------

    def unroll(self, node: Any, items: Sequence[Any]) -> None:
        """Lower the body once for each item."""
        live = self.frame.prepared.liveness.at_head(node)

        def iterate(position: int) -> None:
            while position < len(items):
                self.assign(node.target, items[position])
                self.block(node.body, live)
                self.env["%continue"] = False
                position += 1
                left = self.exited(("%break", "%return"))
                if left is True:
                    return
                if left is not False:
                    self.unless_exited(left, lambda at=position: iterate(at), live)  # type: ignore[misc]
                    return

        iterate(0)
        self.env["%break"] = False

    # --- kept as a loop ---------------------------------------------------------------------------

    def run_loop(self, node: Any, plan: Counted | None) -> None:
        """Lower a loop to one operation: ``for`` over a plan, ``while`` without one."""
        names = self._carried_names(node)
        before, spans = dict(self.frame.env), dict(self.frame.spans)
        guess = self._first_guess(node, names, before)
        search = self.compilation.search
        was_pending = search.pending
        search.depth += 1
        try:
            carried, result = self._find_types(node, plan, guess, before, spans)
        finally:
            search.depth -= 1
        if search.pending and (search.depth == 0 or search.is_last):
            self._report_unbound(node, plan, carried, before)
            self.frame.env = before
            raise Pending
        search.pending |= was_pending
        self.loop_types[node] = carried
        self._finish(node, plan, carried, before, result)

    def _find_types(
        self,
        node: Any,
        plan: Counted | None,
        guess: dict[str, Any],
        before: dict[str, Any],
        spans: dict[str, Any],
    ) -> tuple[dict[str, Any], Round]:
        """Lower the body until the types at its end are those it began with."""
        diagnostics, search = self.compilation.diagnostics, self.compilation.search
        mark = diagnostics.mark()
        while True:  # ends: a type only gets wider, and there are few
            self.frame.env, self.frame.spans = dict(before), dict(spans)
            search.pending = False
            result = self._lower_once(node, plan, guess)
            is_spoilt = any(result.end.get(name) is POISON for name in guess)
            if len(diagnostics) > mark or is_spoilt:
                self.frame.env = before
                raise Poisoned
            following = self._widen(guess, result.end, spans)
            if following == guess:
                return guess, result
            guess = following

    def _report_unbound(
        self, node: Any, plan: Counted | None, carried: dict[str, Any], before: dict[str, Any]
    ) -> None:
        """Lower the loop once more, with the variables unbound that no path has bound."""
        search = self.compilation.search
        carried = {name: UNBOUND if tree is PENDING else tree for name, tree in carried.items()}
        self.frame.env = {name: value for name, value in before.items() if value is not PENDING}
        was_last, search.is_last = search.is_last, True
        try:
            self._lower_once(node, plan, carried)
        finally:
            search.is_last = was_last

    def _carried_names(self, node: Any) -> list[str]:
        live = self.frame.prepared.liveness.at_head(node)
        assigned = [name for name in assigned_names([node]) if name in live]
        flags = ["%return", "%result"] if _leaves_by(node.body, gast.Return, inner=True) else []
        stops = flags or _leaves_by(node.body, gast.Break, inner=False)
        return assigned + flags + (["%stop"] if stops and isinstance(node, gast.While) else [])

    def _first_guess(self, node: Any, names: list[str], before: dict[str, Any]) -> dict[str, Any]:
        """The carried structures as they are before the loop, with a Carry for each leaf."""
        guess: dict[str, Any] = {}
        for name in names:
            if name in ("%return", "%stop"):
                guess[name] = Carry(BOOL)
                continue
            value = before.get(name, PENDING)
            if value is POISON:
                raise Poisoned
            guess[name] = map_tree(self._carry, value)
            bound = before.get(f"%bound:{name}", True)
            if (value is PENDING or bound is not True) and name != "%result":
                guess[f"%bound:{name}"] = Carry(BOOL)
        for name, wider in self.loop_types.get(node, {}).items():
            if name in guess and _widened(guess[name], wider) is not None:
                guess[name] = _widened(guess[name], wider)
        return guess

    def _carry(self, leaf: Any) -> Any:
        return (
            Carry(self.builder.facts.resolve_type(leaf_type(leaf))) if is_liftable(leaf) else leaf
        )

    def _resolve(self, leaf: Any) -> Any:
        return (
            Carry(self.builder.facts.resolve_type(leaf.type)) if isinstance(leaf, Carry) else leaf
        )

    def _widen(
        self, carried: dict[str, Any], end: dict[str, Any], spans: dict[str, Any]
    ) -> dict[str, Any]:
        """The structures that hold both what an iteration starts with and what it ends with."""
        result: dict[str, Any] = {}
        for name, tree in map_tree(self._resolve, carried).items():
            after = end.get(name, PENDING)
            if name.startswith("%bound:") or name in ("%return", "%stop") or after is PENDING:
                result[name] = tree
                continue
            wider = _widened(tree, map_tree(self._carry, after))
            if wider is None:
                self._refuse_change(name, tree, after, spans)
            result[name] = wider
        return result

    def _refuse_change(self, name: str, tree: Any, after: Any, spans: dict[str, Any]) -> None:
        first = describe(tree)
        then = describe(after)
        now = self.frame.spans
        labels = []
        if name in spans:
            labels.append(Label(spans[name], f"{first} here"))
        if name in now:
            labels.append(Label(now[name], f"{then} here"))
        span = labels[-1].span if labels else self.builder.span
        raise DiagnosticError(
            catalog.LOOP_TYPE_CHANGE, span, tuple(labels), name=name, before=first, after=then
        )

    # --- one round --------------------------------------------------------------------------------

    def _lower_once(self, node: Any, plan: Counted | None, carried: dict[str, Any]) -> Round:
        if plan is None:
            return self._lower_while(node, carried)
        return self._lower_for(node, plan, carried)

    def _types(self, carried: dict[str, Any]) -> list[Type]:
        return [leaf.type for leaf in tree_leaves(carried) if isinstance(leaf, Carry)]

    def _enter(self, carried: dict[str, Any], values: Sequence[Value]) -> None:
        """Bind the carried variables to the arguments of a region, or to the loop's results."""
        rest = iter(values)

        def take(name: str) -> Callable[[Any], Any]:
            def leaf(place: Any) -> Any:
                if not isinstance(place, Carry):
                    return place
                value = next(rest)
                value.name = value.name or name.lstrip("%").replace("bound:", "bound_")
                return value

            return leaf

        for name, tree in carried.items():
            value = map_tree(take(name), tree)
            if value is UNBOUND:
                self.env.pop(name, None)
            else:
                self.env[name] = value

    def _lower_for(self, node: Any, plan: Counted, carried: dict[str, Any]) -> Round:
        target = node.target.id if isinstance(node.target, gast.Name) else ""
        with self.builder.region([plan.index_type, *self._types(carried)]) as region:
            index, *values = region.block.args
            self._enter(carried, values)
            if plan.index_is_item:
                index.name = target
            self.assign(node.target, plan.item(index))
            self._run_body(node)
            stop = self.exited(("%break", "%return"))
        return Round([region], self.frame.env, region.block, stop)

    def _lower_while(self, node: Any, carried: dict[str, Any]) -> Round:
        types = self._types(carried)
        with self.builder.region(types) as before:
            self._enter(carried, before.block.args)
            try:
                condition = self._loop_condition(node)
            except Pending:
                condition = False  # its types are not found yet; this round is thrown away
            self.builder.emit(ops.region_yield, [self.lift(condition), *before.block.args])
        with self.builder.region(types) as after:
            self._enter(carried, after.block.args)
            self._run_body(node)
            if "%stop" in carried:
                self.env["%stop"] = self.exited(("%break", "%return"))
        return Round([before, after], self.frame.env, after.block)

    def _loop_condition(self, node: Any) -> Any:
        stop = self.env.get("%stop")
        if not isinstance(stop, Value):
            return self.condition(node.test)
        return self.choose(stop, lambda: False, lambda: self.condition(node.test), "this condition")

    def _run_body(self, node: Any) -> None:
        for flag in ("%break", "%continue", "%return"):
            self.env[flag] = False
        self.block(node.body, self.frame.prepared.liveness.at_head(node))

    # --- the operation ----------------------------------------------------------------------------

    def _finish(
        self,
        node: Any,
        plan: Counted | None,
        carried: dict[str, Any],
        before: dict[str, Any],
        result: Round,
    ) -> None:
        with self.builder.inside(result.yielding):
            yields = self._leaves(carried, result.end)
            breaks = plan is not None and result.stop is not False
            if breaks:
                yields.insert(0, self.lift(result.stop))
            self.builder.emit(ops.region_yield, yields)
        self.frame.env = before
        initial = self._leaves(carried, before)
        if plan is None:
            operation = self.builder.emit(ops.while_, initial, {}, result.regions)
        else:
            operands = [self.lift(bound) for bound in plan.bounds]
            attrs = {"breaks": breaks}
            operation = self.builder.emit(ops.for_, [*operands, *initial], attrs, result.regions)
        self._enter(carried, operation.results)
        self.env.pop("%stop", None)
        self.env["%break"] = self.env["%continue"] = False
        if plan is None and _is_endless(node):
            self.env["%return"] = True

    def _leaves(self, carried: dict[str, Any], env: dict[str, Any]) -> list[Value]:
        """The Values of the carried variables in ``env``; ``undef`` where one has none."""
        values: list[Value] = []
        for name, tree in carried.items():
            default = False if name in ("%return", "%stop") else PENDING
            if name.startswith("%bound:"):
                variable = name.removeprefix("%bound:")
                default = env.get(variable, PENDING) is not PENDING
            self._collect(tree, env.get(name, default), values)
        return values

    def _collect(self, tree: Any, value: Any, values: list[Value]) -> None:
        places = tree_leaves(tree)
        is_absent = value in (PENDING, UNBOUND) if not isinstance(value, Value) else False
        leaves = [PENDING] * len(places) if is_absent else tree_leaves(value)
        for place, leaf in zip(places, leaves, strict=True):
            if isinstance(place, Carry):
                is_value = is_liftable(leaf)
                made = self.lift(leaf) if is_value else ops.emit(ops.undef, type=place.type)
                values.append(made)


_UNROLL_HELPS = (catalog.NEEDS_COMPILE_TIME, catalog.LOOP_TYPE_CHANGE)


def _leaves_by(statements: list[Any], kind: type, *, inner: bool) -> bool:
    """Whether the statements hold a ``kind``; inside of other loops too, where ``inner``."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, kind):
            return True
        if isinstance(node, gast.FunctionDef | gast.Lambda):
            continue
        if isinstance(node, gast.For | gast.While) and not inner:
            continue
        for field in ("body", "orelse"):
            pending.extend(getattr(node, field, None) or [])
    return False


def _is_endless(node: Any) -> bool:
    """Whether a ``while`` ends by ``return`` alone."""
    is_true = isinstance(node.test, gast.Constant) and bool(node.test.value)
    return is_true and not _leaves_by(node.body, gast.Break, inner=False)


def _widened(left: Any, right: Any) -> Any:
    """The structure that holds both of two carried structures; None where there is none."""
    if left is PENDING:
        return right
    if right is PENDING:
        return left
    if isinstance(left, Carry) and isinstance(right, Carry):
        type_ = join(left.type, right.type)
        return None if type_ is None else Carry(type_)
    if type(left) is not type(right):
        return None
    if isinstance(left, dict):
        items = {key: _widened(left[key], right.get(key)) for key in left}
        return items if list(left) == list(right) and None not in items.values() else None
    if isinstance(left, tuple | list):
        pairs = [_widened(a, b) for a, b in zip(left, right, strict=False)]
        fits = len(left) == len(right) and not any(item is None for item in pairs)
        return type(left)(pairs) if fits else None
    return left if same_static(left, right) else None
