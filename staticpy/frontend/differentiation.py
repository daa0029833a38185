"""Gradients: a call that is lowered into a region of its own, to be differentiated.

In: a function and the arguments of a call. Out: a ``vjp`` operation whose region is the call, its
value, and the gradients, in the structure of the arguments.
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.transformed_calls import TransformedCalls
from staticpy.frontend.values import DictRef, is_liftable, leaf_type
from staticpy.ir import Value
from staticpy.source import SourceSpan


class Differentiation(TransformedCalls):
    """Lowers calls of ``value_and_gradient``, by which ``staticpy.grad`` is written."""

    def _value_and_gradient(
        self, node: Any, fun: Any, argnums: Any, has_aux: Any, args: Any, kwargs: Any
    ) -> Any:
        """``value_and_gradient(fun, argnums, has_aux, args, kwargs)``."""
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        span = self.definition_of(fun, node)
        numbers = self._numbers(argnums, len(args), node)
        leaves: list[Value] = []
        for number in numbers:
            self.each(args[number], functools.partial(self._primal, leaves, number, span))
        named = dict(self.content(kwargs)) if isinstance(kwargs, DictRef) else dict(kwargs)
        value: list[Value] = []
        with self.hidden("aux") as (kept,):

            def run() -> None:
                given = iter(list(self.builder.block.args))
                changed = {n: self.each(args[n], lambda _: next(given)) for n in numbers}
                inside = [changed.get(n, arg) for n, arg in enumerate(args)]
                result = self.call_function(fun, inside, named, node)
                result, self.env[kept] = self._parts(result, has_aux, span)
                value.append(self._output(result, span))

            types = [leaf.type for leaf in leaves]
            found = iter(self.in_region(ops.vjp, run, types, value, lambda: _seeded(leaves, value)))
            aux = self.env[kept]
        trees = [self.each(args[number], lambda _: next(found)) for number in numbers]
        gradient = trees[0] if not isinstance(argnums, tuple) else tuple(trees)
        return value[0], aux, gradient

    TRANSFORMS: ClassVar = {
        **TransformedCalls.TRANSFORMS,
        "value_and_gradient": _value_and_gradient,
    }

    def _numbers(self, argnums: Any, count: int, node: Any) -> list[int]:
        numbers = argnums if isinstance(argnums, tuple) else (argnums,)
        if not numbers or not all(type(number) is int for number in numbers):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="argnums")
        if not all(-count <= number < count for number in numbers):
            message = f"argnums is {argnums}, and the call has {count} positional arguments"
            self.fails("ValueError", message, node)
        return [number % count for number in numbers]

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


def _seeded(leaves: list[Value], value: list[Value]) -> list[Value]:
    """The operands of a gradient: the primals, and the seed of the value."""
    return [*leaves, ops.as_value(ops.seed_of(value[0].type))]
