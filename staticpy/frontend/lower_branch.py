"""Lowering of decisions that are made at run time, and the merge of their paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.lower_expr import Expressions
from staticpy.frontend.merge import Merger, Mismatch, fill
from staticpy.frontend.values import DEAD, PENDING, POISON, UNBOUND, Pending, is_liftable
from staticpy.ir import Region, Type, Value
from staticpy.source import SourceSpan

FLAGS = ("%break", "%continue", "%return")
_UNBOUND = (
    "UnboundLocalError",
    "cannot access local variable '{}' where it is not associated with a value",
)
_UNBOUND_FREE = (
    "NameError",
    "cannot access free variable '{}' where it is not associated with a value in enclosing scope",
)


def _unless_pending(run: Callable[[], Any]) -> Any:
    """The value of an expression; PENDING where its type is not found yet."""
    try:
        return run()
    except Pending:
        return PENDING


class Branches(Expressions):
    """Emits ``if`` operations: for expressions (``choose``) and for statements (``branch``)."""

    def choose(
        self, condition: Value, then: Callable[[], Any], orelse: Callable[[], Any], what: str
    ) -> Any:
        """The value of one of two expressions, each evaluated only where it is chosen."""
        with self.builder.region() as then_region:
            left = _unless_pending(then)
        with self.builder.region() as else_region:
            right = _unless_pending(orelse)
        if left is PENDING and right is PENDING:
            raise Pending
        merger = Merger(self.builder.facts, (then_region.block, else_region.block))
        try:
            merged = merger.merge(left, right)
        except Mismatch as error:
            raise DiagnosticError(
                catalog.BRANCH_TYPE_MISMATCH, name=what, left=error.left, right=error.right
            ) from None
        return fill(merged, self.emit_if(condition, (then_region, else_region), merger))

    def emit_if(
        self, condition: Value, regions: tuple[Region, Region], merger: Merger
    ) -> tuple[Value, ...]:
        for region, leaves in zip(regions, (merger.lefts, merger.rights), strict=True):
            with self.builder.inside(region.block):
                self.yield_leaves(leaves, merger.types)
        return self.builder.emit(ops.if_, [condition], {}, regions).results

    def yield_leaves(self, leaves: list[Any], types: list[Type]) -> None:
        """End a region with these leaves; what nobody reads is ``undef``."""
        values = [
            self.lift(leaf) if is_liftable(leaf) else ops.emit(ops.undef, type=type_)
            for leaf, type_ in zip(leaves, types, strict=True)
        ]
        self.builder.emit(ops.region_yield, values)

    # --- statements -------------------------------------------------------------------------------

    def branch(
        self,
        condition: Value,
        then: Callable[[], None],
        orelse: Callable[[], None],
        live: frozenset[str],
    ) -> None:
        """Run one of two pieces of the program; of the variables, those in ``live`` survive."""
        before, spans = self.frame.env, self.frame.spans
        sides = []
        for run in (then, orelse):
            self.frame.env, self.frame.spans = dict(before), dict(spans)
            with self.builder.region() as region:
                run()
            sides.append((region, self.frame.env, self.frame.spans))
        (then_region, left, left_spans), (else_region, right, right_spans) = sides
        merger = Merger(self.builder.facts, (then_region.block, else_region.block))
        merged = self._merge_environments(merger, left, right, live, (left_spans, right_spans))
        results = self.emit_if(condition, (then_region, else_region), merger)
        self.frame.env = {name: fill(tree, results) for name, tree in merged.items()}
        self.frame.spans = {**left_spans, **right_spans}
        self._name_results(merged, results)

    def _name_results(self, merged: dict[str, Any], results: tuple[Value, ...]) -> None:
        for name, value in self.frame.env.items():
            if isinstance(value, Value) and value in results and not value.name:
                value.name = name.lstrip("%")

    def _merge_environments(
        self,
        merger: Merger,
        left: dict[str, Any],
        right: dict[str, Any],
        live: frozenset[str],
        spans: tuple[dict[str, SourceSpan], dict[str, SourceSpan]],
    ) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for name in dict.fromkeys([*left, *right]):
            if name.startswith("%bound:") or not (name in live or name.startswith("%")):
                continue
            a, b = self._side(left, name), self._side(right, name)
            if name in FLAGS:
                a, b = left.get(name, False), right.get(name, False)
            try:
                tree = merger.merge(a, b)
            except Mismatch as error:
                self._report_mismatch(name, error, spans)
                tree = POISON
            if tree is not UNBOUND:
                merged[name] = tree
            bound = merger.merge(self._bound(left, name), self._bound(right, name))
            if bound is not True and not name.startswith("%"):
                merged[f"%bound:{name}"] = bound
        return merged

    def _side(self, env: dict[str, Any], name: str) -> Any:
        """The binding of ``name`` at the end of a path; DEAD where the path has left for good."""
        if env.get("%return", False) is True and not name.startswith("%"):
            return DEAD
        return env.get(name, UNBOUND)

    def _bound(self, env: dict[str, Any], name: str) -> Any:
        if self._side(env, name) is DEAD:
            return DEAD
        return env.get(f"%bound:{name}", True) if name in env else False

    def _report_mismatch(
        self, name: str, error: Mismatch, spans: tuple[dict[str, SourceSpan], ...]
    ) -> None:
        shown = "the returned value" if name == "%result" else f"'{name}'"
        labels = tuple(
            Label(found[name], f"{text} here")
            for found, text in zip(spans, (error.left, error.right), strict=True)
            if name in found
        )
        span = labels[-1].span if labels else self.builder.span
        mismatch = DiagnosticError(
            catalog.BRANCH_TYPE_MISMATCH,
            span,
            labels,
            name=shown,
            left=error.left,
            right=error.right,
        )
        self.report(mismatch, self.frame.prepared.node)

    def exited(self, flags: tuple[str, ...] = FLAGS) -> Any:
        """Whether the path has left by one of ``flags``: a bool, or a Value where that depends."""
        values = [self.env.get(flag, False) for flag in flags]
        if any(value is True for value in values):
            return True
        exit_: Any = False
        for value in values:
            if isinstance(value, Value):
                exit_ = ops.binary("|", exit_, value) if exit_ is not False else value
        return exit_

    def unless_exited(self, exit_: Value, rest: Callable[[], None], live: frozenset[str]) -> None:
        """Run ``rest`` where the path has not left."""
        dynamic = [flag for flag in FLAGS if isinstance(self.env.get(flag), Value)]

        def left() -> None:
            if len(dynamic) == 1:
                self.env[dynamic[0]] = True

        def stayed() -> None:
            for flag in dynamic:
                self.env[flag] = False
            rest()

        self.branch(exit_, left, stayed, live)

    # --- run-time errors --------------------------------------------------------------------------

    def require(self, condition: Value, fail: Callable[[], None]) -> None:
        """Run ``fail``, which raises, where ``condition`` is false."""
        with self.builder.region() as then_region:
            self.builder.emit(ops.region_yield)
        with self.builder.region() as else_region:
            fail()
            self.builder.emit(ops.region_yield)
        self.builder.emit(ops.if_, [condition], {}, (then_region, else_region))

    def require_bound(self, bound: Value, name: str, is_free: bool) -> None:
        exception, message = _UNBOUND_FREE if is_free else _UNBOUND
        self.require(bound, lambda: self.emit_raise(exception, (message.format(name),)))

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        self.builder.emit(ops.raise_, operands, {"exception": exception, "args": args})
