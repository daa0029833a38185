"""Derivatives that a program gives itself: ``stop_gradient``.

In: a call of one of these, by which the public functions are written. Out: where no derivative is
taken around the call, what the function gives; else an operation that ``autodiff.expand`` knows.
"""

from __future__ import annotations

from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.values import DictRef, ListRef, is_liftable, leaf_type
from staticpy.frontend.vectorization import Vectorization
from staticpy.ir import Value, members_of


class CustomRules(Vectorization):
    """Lowers calls of what has a derivative of its own."""

    def _stop_gradient(self, node: Any, x: Any) -> Any:
        """``stop_gradient(x)``."""

        def stopped(leaf: Any) -> Any:
            if isinstance(leaf, ListRef | DictRef):
                what = "the length of what stop_gradient is called on"
                self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
            if not is_liftable(leaf) or not ops.is_number(leaf_type(leaf)):
                self.fails("TypeError", ops.NO_TREE_OF_NUMBERS, node)
            is_due = isinstance(leaf, Value) and self.compilation.derivatives > 0
            if is_due and any(map(ops.is_inexact, members_of(leaf.type))):
                return self._emit_stop(leaf)
            return leaf

        return self.each(x, stopped)

    def _emit_stop(self, value: Value) -> Value:
        made = self.builder.emit(ops.stop_gradient, [value]).result
        made.name = value.name
        return made

    TRANSFORMS: ClassVar = {**Vectorization.TRANSFORMS, "stop_gradient": _stop_gradient}
