"""Derivatives that a program gives itself: ``stop_gradient``, ``custom_vjp``, ``custom_jvp``.

In: a call of one of these, by which the public functions are written. Out: where no derivative is
taken around the call, what the function gives; else an operation that ``autodiff.expand`` knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.state import next_serial
from staticpy.frontend.transformed_calls import (
    Arguments,
    is_changed,
    is_inexact_leaf,
    is_sometimes_inexact,
)
from staticpy.frontend.values import (
    Closure,
    DictRef,
    ListRef,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.frontend.vectorization import Vectorization
from staticpy.ir import Region, Type, Value, members_of
from staticpy.ops import checkpoint_policies, custom_rules, trace, untrace


@dataclass(frozen=True, eq=False, slots=True)
class _Call:
    """A call of a function with a rule.

    Attributes:
        args: all arguments, in their order.
        numbers: the places of those that may be differentiated by.
        arguments: these.
        leaves: what is known at run time only in them.
    """

    args: list[Any]
    numbers: list[int]
    arguments: tuple[Any, ...]
    leaves: list[Value]

    @property
    def rest(self) -> list[Any]:
        """The arguments that are named in ``nondiff_argnums``."""
        return [arg for number, arg in enumerate(self.args) if number not in self.numbers]


class CustomRules(Vectorization):
    """Lowers calls of what has a derivative of its own."""

    def _stop_gradient(self, node: Any, x: Any) -> Any:
        """``stop_gradient(x)``."""

        def stopped(leaf: Any) -> Any:
            self._require_numbers(leaf, "stop_gradient", node)
            is_due = isinstance(leaf, Value) and self.compilation.derivatives > 0
            if is_due and any(map(ops.is_inexact, members_of(leaf.type))):
                return self._emit_stop(leaf)
            return leaf

        return self.each(x, stopped)

    def _require_numbers(self, leaf: Any, name: str, node: Any) -> None:
        """Refuse what is no number, flag or array in what ``name`` is called on."""
        if isinstance(leaf, ListRef | DictRef):
            what = f"the length of what {name} is called on"
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
        if not is_liftable(leaf) or not custom_rules.is_number(leaf_type(leaf)):
            self.fails("TypeError", custom_rules.NO_TREE_OF_NUMBERS.format(name), node)

    def _emit_stop(self, value: Value) -> Value:
        made = self.builder.emit(ops.stop_gradient, [value]).result
        made.name = value.name
        return made

    # --- rules of functions -----------------------------------------------------------------------

    def _call_with_vjp(
        self, node: Any, fun: Any, rule: Any, nondiff_argnums: Any, args: Any, kwargs: Any
    ) -> Any:
        """``call_with_vjp(fun, (fwd, bwd), nondiff_argnums, args, kwargs)``."""
        fwd, bwd = rule
        order, named = self.compilation.derivatives, self.named(kwargs)
        if not order:
            return self.call_function(fun, list(args), named, node)
        call = self._ruled(node, fun, nondiff_argnums, args, named)

        def forward(given: list[Value]) -> Any:
            found = self.call_function(fwd, self._inside(call, given), {}, node)
            return custom_rules.pair_of(found, custom_rules.OF_FORWARD)

        out, residuals = self._forward(forward, call, order - 1)
        outputs = self._outputs(out)

        def backward(cotangents: list[Value]) -> list[Any]:
            given = iter(cotangents)
            tree = self.each(out, lambda leaf: next(given) if is_inexact_leaf(leaf) else None)
            found = self.call_function(bwd, [*call.rest, residuals, tree], {}, node)
            pairs = custom_rules.flows_of(found, call.arguments, self._children)
            return _fitted([(leaf, item) for leaf, item in pairs if _is_due(leaf)], call.leaves)

        types = [output.type for output in outputs]
        with self.of_order(order - 1):
            rule = self._rule(backward, types)
        return self._with_rule(ops.custom_vjp, call, out, outputs, rule)

    def _call_with_jvp(
        self, node: Any, fun: Any, rule: Any, nondiff_argnums: Any, args: Any, kwargs: Any
    ) -> Any:
        """``call_with_jvp(fun, rule, nondiff_argnums, args, kwargs)``."""
        order, named = self.compilation.derivatives, self.named(kwargs)
        if not order:
            return self.call_function(fun, list(args), named, node)
        call = self._ruled(node, fun, nondiff_argnums, args, named)

        def forward(given: list[Value]) -> Any:
            inside = self._inside(call, given)
            return self._call_with_jvp(node, fun, rule, nondiff_argnums, inside, {}), None

        out, _ = self._forward(forward, call, order - 1)
        outputs = self._outputs(out)

        def push(tangents: list[Value]) -> list[Any]:
            given = iter(tangents)
            tree = self.each(
                call.arguments, lambda x: next(given) if _is_due(x) else _zero_tangent(x)
            )
            found = self.call_function(rule, [*call.rest, call.arguments, tree], {}, node)
            _, tangent = custom_rules.pair_of(found, custom_rules.OF_TANGENTS)
            pairs = custom_rules.matched(out, tangent, self._children)
            return _fitted([(leaf, item) for leaf, item in pairs if is_inexact_leaf(leaf)], outputs)

        with self.of_order(order - 1):
            made = self._rule(push, [leaf.type for leaf in call.leaves])
        return self._with_rule(ops.custom_jvp, call, out, outputs, made)

    def _call_checkpointed(
        self, node: Any, fun: Any, policy: Any, static_argnums: Any, args: Any, kwargs: Any
    ) -> Any:
        """``call_checkpointed(fun, policy, static_argnums, args, kwargs)``."""
        named, policy = self.named(kwargs), self._policy(policy, static_argnums, len(args), node)
        is_derived = self.compilation.derivatives > 0
        if not is_derived or checkpoint_policies.saves_everything(policy):
            return self.call_function(fun, list(args), named, node)
        with self.hidden("checkpoint") as (kept,):

            def inside() -> None:
                self.env[kept] = self.call_function(fun, list(args), named, node)

            none = Arguments((), tuple)
            attrs = {"is_whole": False, "policy": tuple(policy or ())}
            self.in_region(ops.checkpoint, inside, none, [], list, attrs)
            return self.env[kept]

    def _policy(self, policy: Any, static_argnums: Any, count: int, node: Any) -> Any:
        """The policy of a checkpoint, whose options are looked at."""
        for what, option in (("policy", policy), ("static_argnums", static_argnums)):
            if any(isinstance(leaf, Value) for leaf in self.leaves_of(option)):
                self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
        try:
            checkpoint_policies.require_static(static_argnums, count)
            return checkpoint_policies.checked_policy(policy)
        except (TypeError, ValueError) as error:
            return self.fails(type(error).__name__, str(error), node)

    def _checkpoint_name(self, node: Any, x: Any, name: Any) -> Any:
        """``checkpoint_name(x, name)``."""
        if isinstance(name, Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the name")
        if not isinstance(name, str):
            self.fails("TypeError", checkpoint_policies.NO_NAME.format(name), node)

        def named(leaf: Any) -> Any:
            self._require_numbers(leaf, "checkpoint_name", node)
            if not isinstance(leaf, Value) or not self.compilation.derivatives:
                return leaf
            made = self.builder.emit(ops.checkpoint_name, [leaf], {"name": name}).result
            made.name = leaf.name
            return made

        return self.each(x, named)

    def _with_rule(
        self, op: ops.OpDef, call: _Call, out: Any, outputs: list[Value], rule: Any
    ) -> Any:
        """What a call gives, with the rule for it."""
        if not call.leaves or not outputs:
            return out
        region, flows = rule
        attrs = {"outputs": len(outputs), "flows": flows}
        made = self.builder.emit(op, [*call.leaves, *outputs], attrs, [region]).results
        results = iter(made)
        return self.each(out, lambda leaf: next(results) if is_inexact_leaf(leaf) else leaf)

    def _forward(
        self, run: Callable[[list[Value]], Any], call: _Call, order: int
    ) -> tuple[Any, Any]:
        """The way there of a function with a rule, in a region of its own."""
        with self.hidden("forward") as (kept,):

            def inside() -> None:
                with self.of_order(order):
                    self.env[kept] = run(list(self.builder.block.args))

            given = Arguments(tuple(leaf.type for leaf in call.leaves), lambda: call.leaves)
            self.in_region(ops.custom_forward, inside, given, [], lambda: call.leaves)
            found = self.env[kept]
        assert isinstance(found, tuple)
        return found[0], found[1]

    def _rule(
        self, run: Callable[[list[Value]], list[Any]], types: list[Type]
    ) -> tuple[Region, tuple[int, ...]]:
        """What a rule computes, in a region of its own, and the numbers of what it yields."""
        start = next_serial()
        flows: list[int] = []

        def inside() -> None:
            found = run(list(self.builder.block.args))
            flows.extend(number for number, item in enumerate(found) if item is not None)
            yielded = [ops.as_value(item) for item in found if item is not None]
            self.builder.emit(ops.region_yield, yielded)

        side = self.side(inside, tuple(types))
        if side.is_dead:
            raise custom_rules.error("raises, whatever it is given")
        cells = self.cells_to_merge((side,), None, start)
        if any(is_changed(side, cell) for cell in cells):
            raise custom_rules.error("changes what others read")
        return side.region, tuple(flows)

    # --- arguments --------------------------------------------------------------------------------

    def _ruled(self, node: Any, fun: Any, named: Any, args: Any, kwargs: dict[str, Any]) -> _Call:
        """A call of a function with a rule; ``named`` are its ``nondiff_argnums``."""
        args = self._by_position(fun, args, kwargs, node)
        numbers = self._differentiable(fun, named, len(args), node)
        arguments = tuple(args[number] for number in numbers)
        return _Call(args, numbers, arguments, self._leaves(arguments, node))

    def _inside(self, call: _Call, given: list[Value]) -> list[Any]:
        """The arguments, with other values for what is differentiated by."""
        values = iter(given)
        changed = self.each(call.arguments, lambda leaf: next(values) if _is_due(leaf) else leaf)
        by_number = dict(zip(call.numbers, changed, strict=True))
        return [by_number.get(number, arg) for number, arg in enumerate(call.args)]

    def _by_position(self, fun: Any, args: Any, kwargs: dict[str, Any], node: Any) -> list[Any]:
        """The arguments of ``fun`` in their order, defaults included."""
        if not isinstance(fun, UserFunction | Closure):
            if kwargs:
                self.fails("TypeError", custom_rules.BY_KEYWORD, node)
            return list(args)
        prepared = self.prepared(fun, node)
        bound = self.bind(fun, prepared, list(args), kwargs, node)
        found: list[Any] = []
        for parameter in prepared.parameters:
            value = bound[parameter.name]
            if parameter.kind == "var_positional":
                found += value
            elif parameter.kind == "var_keyword" and not self.content(value):
                continue
            elif parameter.kind in ("var_keyword", "keyword_only"):
                self.fails("TypeError", custom_rules.BY_KEYWORD, node)
            else:
                found.append(value)
        return found

    def _differentiable(self, fun: Any, named: Any, count: int, node: Any) -> list[int]:
        items = named if isinstance(named, tuple) else (named,)
        if not all(type(item) in (int, str) for item in items):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="nondiff_argnums")
        try:
            return custom_rules.other_numbers(items, count, lambda: self.names_of(fun, node))
        except ValueError as error:
            return self.fails("ValueError", str(error), node)  # type: ignore[no-any-return]

    def _leaves(self, arguments: Any, node: Any) -> list[Value]:
        """The run-time numbers that derivatives may flow to."""
        found: list[Value] = []

        def leaf_of(leaf: Any) -> Any:
            if not is_liftable(leaf) or not custom_rules.is_number(leaf_type(leaf)):
                raise custom_rules.error(custom_rules.NO_NUMBERS.format(type(leaf).__name__))
            if _is_due(leaf):
                found.append(leaf)
            return leaf

        with self.at(node):
            self.each(arguments, leaf_of)
        return found

    def _outputs(self, out: Any) -> list[Value]:
        for leaf in filter(is_sometimes_inexact, self.leaves_of(out)):
            raise custom_rules.error(custom_rules.SOMETIMES.format(leaf_type(leaf)))
        return [ops.as_value(leaf) for leaf in self.leaves_of(out) if is_inexact_leaf(leaf)]

    def _children(self, tree: Any) -> dict[Any, Any] | None:
        """What a tree holds, by key; None for a leaf."""
        return {} if tree is None else self._parts(tree, self.frame.prepared.node)

    TRANSFORMS: ClassVar = {
        **Vectorization.TRANSFORMS,
        "stop_gradient": _stop_gradient,
        "call_with_vjp": _call_with_vjp,
        "call_with_jvp": _call_with_jvp,
        "call_checkpointed": _call_checkpointed,
        "checkpoint_name": _checkpoint_name,
    }


def _fitted(pairs: list[tuple[Any, Any]], wanted: list[Value]) -> list[Any]:
    """What flows to leaves, None for zero; each of the shape of its leaf."""
    assert len(pairs) == len(wanted)
    return [
        None if item is None else untrace(custom_rules.fitted(trace(item), trace(leaf)))
        for leaf, item in pairs
    ]


def _zero_tangent(leaf: Any) -> Any:
    """The tangent of a number that is known, or of an int; None for what has none."""
    return type(leaf)(0) if is_inexact_leaf(leaf) else None


def _is_due(leaf: Any) -> bool:
    """Whether derivatives may flow to a leaf: it is a number known at run time only."""
    return isinstance(leaf, Value) and any(map(ops.is_inexact, members_of(leaf.type)))
