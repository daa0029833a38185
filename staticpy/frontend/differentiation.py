"""Gradients: a call that is lowered into a region of its own, to be differentiated.

In: a function and the arguments of a call. Out: a ``vjp`` operation whose region is the call, its
value, and the gradients, in the structure of the arguments.
"""

from __future__ import annotations

from typing import Any, ClassVar

from staticpy import ops
from staticpy.frontend.inputs import Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.pullbacks import Pullbacks
from staticpy.frontend.transformed_calls import Arguments
from staticpy.frontend.values import is_liftable, leaf_type
from staticpy.ir import Value
from staticpy.source import SourceSpan


class Differentiation(Pullbacks):
    """Lowers calls of ``value_and_gradient``, by which ``staticpy.grad`` is written."""

    def _value_and_gradient(
        self, node: Any, fun: Any, by: Any, has_aux: Any, args: Any, kwargs: Any
    ) -> Any:
        """``value_and_gradient(fun, (argnums, argnames, allow_int, holomorphic), has_aux, args,
        kwargs)``.
        """
        argnums, argnames, allow_int, holomorphic = by
        chosen = self.chosen(node, fun, args, kwargs, (argnums, argnames))
        if not allow_int:
            chosen = self.inexact_arguments(chosen)
        leaves = self.primals(chosen, allow_int=allow_int, holomorphic=holomorphic)
        like = [self.each(tree, lambda leaf: leaf, opens_cells=True) for tree in chosen.trees()]
        value: list[Value] = []
        with self.hidden("aux") as (kept,):

            def run() -> None:
                given = list(self.builder.block.args)
                result, self.env[kept] = self.call_on(chosen, given, has_aux, node)
                value.append(self._output(result, chosen.span, holomorphic))

            given = Arguments(tuple(leaf.type for leaf in leaves), lambda: leaves)
            found = self.in_region(ops.vjp, run, given, value, lambda: _seeded(leaves, value))
            aux = self.env[kept]
        gradients = self.gradients(like, found)  # the call may have changed the trees
        return value[0], aux, gradients[0] if chosen.is_one else gradients

    TRANSFORMS: ClassVar = {
        **Pullbacks.TRANSFORMS,
        "value_and_gradient": _value_and_gradient,
    }

    def _output(self, result: Any, span: SourceSpan, holomorphic: Any) -> Value:
        """The value that is differentiated: one real number, or one complex number. What else it
        is on some paths is told when it happens.
        """
        type_ = leaf_type(result) if is_liftable(result) else None
        if holomorphic:
            result = self.with_derivatives(result, span)
            type_ = None if type_ is None else leaf_type(result)
        elif type_ is not None and (due := ops.outputs_among(type_)) != type_:
            with self.builder.at(span):
                result, type_ = ops.emit(ops.dynamic.inexact, result, type=due), due
        ops.require_output(type_, _kind(result), span, holomorphic=bool(holomorphic))
        return ops.as_value(result)


def _kind(result: Any) -> str:
    """What a function returns, for a message; "" where that is known only at run time."""
    return "" if isinstance(result, Variant) else kind_of(result)


def _seeded(leaves: list[Value], value: list[Value]) -> list[Value]:
    """The operands of a gradient: the primals, and the seed of the value."""
    return [*leaves, ops.as_value(ops.seed_of(value[0].type))]
