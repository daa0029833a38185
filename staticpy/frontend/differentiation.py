"""Gradients: a call that is lowered into a region of its own, to be differentiated.

In: a function and the arguments of a call. Out: a ``vjp`` operation whose region is the call, its
value, and the gradients, in the structure of the arguments. What the call does besides is done
once, as in any call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import is_differentiation
from staticpy.frontend.decorations import Decorations
from staticpy.frontend.inputs import make_tuple
from staticpy.frontend.paths import Side
from staticpy.frontend.state import next_serial
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    DictRef,
    ListRef,
    UserFunction,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    Block,
    Region,
    Value,
)
from staticpy.source import SourceSpan


class Differentiation(Decorations):
    """Lowers calls of ``value_and_gradient``, by which ``staticpy.grad`` is written."""

    def _call_outside(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        if is_differentiation(function):
            return self._value_and_gradient(node, *args)
        return super()._call_outside(function, args, kwargs, node)

    def _value_and_gradient(
        self, node: Any, fun: Any, argnums: Any, has_aux: Any, args: Any, kwargs: Any
    ) -> Any:
        """``value_and_gradient(fun, argnums, has_aux, args, kwargs)``."""
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        span = self._definition(fun, node)
        numbers = self._numbers(argnums, len(args), node)
        leaves: list[Value] = []
        for number in numbers:
            self._each(args[number], functools.partial(self._primal, leaves, number, span))
        named = dict(self.content(kwargs)) if isinstance(kwargs, DictRef) else dict(kwargs)
        value: list[Value] = []
        with self.hidden("aux") as (kept,):

            def run() -> None:
                given = iter(list(self.builder.block.args))
                changed = {n: self._each(args[n], lambda _: next(given)) for n in numbers}
                inside = [changed.get(n, arg) for n, arg in enumerate(args)]
                result = self.call_function(fun, inside, named, node)
                result, self.env[kept] = self._parts(result, has_aux, span)
                value.append(self._output(result, span))

            gradients = self._differentiated(run, leaves, value)
            aux = self.env[kept]
        found = iter(gradients)
        trees = [self._each(args[number], lambda _: next(found)) for number in numbers]
        gradient = trees[0] if not isinstance(argnums, tuple) else tuple(trees)
        return value[0], aux, gradient

    def _differentiated(
        self, run: Callable[[], None], leaves: list[Value], value: list[Value]
    ) -> tuple[Value, ...]:
        """Emit the operation; ``value`` gets its result in the place of the one in the region."""
        start = next_serial()
        side = self.side(run, tuple(leaf.type for leaf in leaves))
        if side.is_dead:
            self.end_path()
        sides = (side, Side(Region(Block()), {}, is_dead=True))
        merger = self.merged(sides, start, self.cells_to_merge((side,), None, start))
        with self.builder.inside(side.region.block):
            self.builder.emit(ops.region_yield, [value[0], *merger.yields(0)])
        seed = ops.as_value(ops.seed_of(value[0].type))
        attrs = {"outputs": 1}
        made = self.builder.emit(ops.vjp, [*leaves, seed], attrs, (side.region,)).results
        last = len(made) - len(leaves)
        self.take_over(merger, made[1:last])
        value[0] = made[0]
        return made[last:]

    # --- arguments and results --------------------------------------------------------------------

    def _numbers(self, argnums: Any, count: int, node: Any) -> list[int]:
        numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        if not numbers or not all(type(number) is int for number in numbers):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="argnums")
        if not all(-count <= number < count for number in numbers):
            message = f"argnums is {argnums}, and the call has {count} positional arguments"
            self.fails("ValueError", message, node)
        return [number % count for number in numbers]

    def _each(self, tree: Any, change: Callable[[Any], Any]) -> Any:
        """A tuple, list or dict of the same structure with other leaves; None has none."""
        if isinstance(tree, tuple):
            return make_tuple(tree, [self._each(item, change) for item in tree])
        if isinstance(tree, ListRef | DictRef):
            content = self.content(tree)
            if isinstance(content, tuple):
                return self.new_list([self._each(item, change) for item in content])
            if isinstance(content, dict):
                return self.new_dict({k: self._each(item, change) for k, item in content.items()})
        return None if tree is None else change(tree)

    def _definition(self, fun: Any, node: Any) -> SourceSpan:
        """Where ``fun`` is defined: what is wrong with its gradient is said there."""
        function = fun.function if isinstance(fun, BoundFunction) else fun
        if not isinstance(function, UserFunction | Closure):
            return self.span(node)
        prepared = self.prepared(function, node)
        return prepared.unit.span(prepared.node)

    def _primal(self, leaves: list[Value], number: int, span: SourceSpan, leaf: Any) -> None:
        type_ = leaf_type(leaf) if is_liftable(leaf) else None
        ops.require_primal(type_, number, span)
        leaves.append(ops.as_value(leaf))

    def _parts(self, result: Any, has_aux: Any, span: SourceSpan) -> tuple[Any, Any]:
        if not has_aux:
            return result, None
        if not isinstance(result, tuple) or len(result) != 2:
            what = "no pair of a number and the rest"
            raise DiagnosticError(catalog.GRADIENT_OF_RESULT, span, what=what)
        return result[0], result[1]

    def _output(self, result: Any, span: SourceSpan) -> Value:
        """The value that is differentiated: one real number."""
        type_ = leaf_type(result) if is_liftable(result) else None
        ops.require_output(type_, span)
        return ops.as_value(result)
