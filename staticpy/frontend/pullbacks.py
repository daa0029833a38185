"""``vjp``: a call that is lowered into a region of its own, and a function that goes back.

In: a function and the arguments of a call. Out: a ``pullback.make`` whose region is the call, its
result, and a compile-time function of the cotangents; a call of that is a ``pullback.call``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import instance_class, is_object
from staticpy.frontend.differentiated_calls import DifferentiatedCalls
from staticpy.frontend.lowered_as import lowered_as
from staticpy.frontend.paths import describe_result
from staticpy.frontend.transformed_calls import Arguments
from staticpy.frontend.values import DictRef, ListRef, Partial, is_liftable, leaf_type
from staticpy.ir import UNKNOWN, TensorType, Value, dims_of, members_of
from staticpy.source import SourceSpan


@lowered_as("pulled_back")
def _pulled_back(*_: Any) -> None:
    """What the function of the cotangents is while compiling: nobody calls it otherwise."""
    raise AssertionError("a call of this is lowered")


class Pullbacks(DifferentiatedCalls):
    """Lowers calls of ``pullback``, by which ``staticpy.vjp`` is written."""

    def _pullback(self, node: Any, fun: Any, by: Any, has_aux: Any, args: Any, kwargs: Any) -> Any:
        """``pullback(fun, (argnums, allow_int, holomorphic), has_aux, args, kwargs)``: the result,
        its way back, the rest.
        """
        argnums, allow_int, holomorphic = by or (tuple(range(len(args))), False, False)
        chosen = self.chosen(node, fun, args, kwargs, (argnums, None))
        if not allow_int:
            chosen = self.inexact_arguments(chosen)
        leaves = self.primals(chosen, allow_int=allow_int, holomorphic=holomorphic)
        outputs: list[Value] = []
        with self.hidden("out") as (kept,):

            def run() -> None:
                given = list(self.builder.block.args)
                result, aux = self.call_on(chosen, given, has_aux, node)
                result = self.with_derivatives(result, chosen.span)
                self.env[kept] = result, aux
                self.each(result, lambda leaf: _enter(leaf, outputs, chosen.span))

            types = tuple(leaf.type for leaf in leaves)
            given = Arguments(types, lambda: leaves)
            (name,) = self.in_region(ops.make_pullback, run, given, outputs, lambda: leaves)
            out, aux = self.env[kept]
        out = self.each(out, ops.own_copy)
        # Trees that nobody changes: what the calls of the way back are checked against.
        like = (self.each(tree, _itself) for tree in (out, *chosen.trees()))
        back = Partial(_pulled_back, (name, types, tuple(like)), ())
        return out, back, aux

    def _pulled_back(
        self, node: Any, name: Value, types: Any, like: Any, *given: Any, **named: Any
    ) -> Any:
        """A call of the function of the cotangents."""
        if len(given) != 1 or named:
            self.fails("TypeError", "the cotangents are one positional argument", node)
        out, *primals = like
        pairs = self._matched(out, given[0], node)
        seeds = [
            self._seed_value(*pair, node) for pair in pairs if ops.is_inexact(leaf_type(pair[0]))
        ]
        attrs = {"result_types": tuple(types)}
        found = self.builder.emit(ops.call_pullback, [name, *seeds], attrs).results
        return self.gradients(primals, found)

    def _real_leaves(self, node: Any, tree: Any, otherwise: str) -> tuple[Any, ...]:
        """``real_leaves(tree, otherwise)``."""
        leaves = self.leaves_of(self.inexact(tree, otherwise=otherwise))
        if not all(is_liftable(leaf) and ops.is_real(leaf_type(leaf)) for leaf in leaves):
            self.fails("TypeError", otherwise, node)
        return tuple(leaves)

    def _inexact_tree(self, _node: Any, tree: Any, otherwise: str) -> Any:
        """``inexact_tree(tree, otherwise)``."""
        return self.each(self.inexact(tree, otherwise=otherwise), lambda leaf: leaf)

    def _require_complex(self, node: Any, tree: Any, fun: Any, number: Any) -> None:
        """``require_complex(tree, fun, number)``."""
        for leaf in self.leaves_of(tree):
            type_ = leaf_type(leaf) if is_liftable(leaf) else None
            ops.require_complex(type_, number, self.definition_of(fun, node))

    def _ranks_of(self, node: Any, leaf: Any) -> tuple[int, ...]:
        """``ranks_of(leaf)``."""
        members = members_of(leaf_type(leaf))
        return tuple(
            sorted({len(dims_of(each)) for each in members if isinstance(each, TensorType)})
        )

    def _has_tangent(self, node: Any, leaf: Any, fun: Any) -> bool:
        """``has_tangent(leaf, fun)``."""
        type_ = leaf_type(leaf) if is_liftable(leaf) else None
        return ops.has_tangent(type_, self.definition_of(fun, node), describe_result(leaf))

    def _with_tangents(self, node: Any, tree: Any, fun: Any) -> Any:
        """``with_tangents(tree, fun)``."""
        return self.with_derivatives(tree, self.definition_of(fun, node))

    TRANSFORMS: ClassVar = {
        **DifferentiatedCalls.TRANSFORMS,
        "pullback": _pullback,
        "with_tangents": _with_tangents,
        "real_leaves": _real_leaves,
        "ranks_of": _ranks_of,
        "require_complex": _require_complex,
        "inexact_tree": _inexact_tree,
        "has_tangent": _has_tangent,
        "pulled_back": _pulled_back,
    }

    # --- cotangents -------------------------------------------------------------------------------

    def _matched(self, out: Any, given: Any, node: Any) -> list[tuple[Any, Any]]:
        """The leaves of a result, each with its cotangent, whose structure is to be the same."""
        if out is None and given is not None:
            self.refuse_unless_certain(given, node)
            self.fails("TypeError", ops.COTANGENT_STRUCTURE, node)
        parts = {} if out is None else self._parts(out, node)
        if parts is None:
            return [(out, given)]
        others = {} if out is None else self._like(out, given, node)
        if others.keys() != parts.keys():
            self.fails("TypeError", ops.COTANGENT_STRUCTURE, node)
        pairs = [self._matched(part, others[key], node) for key, part in parts.items()]
        return [pair for found in pairs for pair in found]

    def _like(self, out: Any, given: Any, node: Any) -> dict[Any, Any]:
        """What a cotangent holds, which is to be of the class of the result."""
        self.refuse_unless_certain(given, node)
        if self.class_of(given) is not self.class_of(out):
            self.fails("TypeError", ops.COTANGENT_STRUCTURE, node)
        if isinstance(given, ListRef | DictRef) and isinstance(self.content(given), Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the length of this container")
        return self._parts(given, node) or {}

    def _parts(self, tree: Any, node: Any) -> dict[Any, Any] | None:
        """What a tree holds; None of a leaf."""
        if isinstance(tree, ListRef | DictRef):
            tree = self.content(tree)
        if isinstance(tree, tuple):
            return dict(enumerate(tree))
        if isinstance(tree, dict):
            return tree
        names = ops.tree_fields(instance_class(tree)) if is_object(tree) else None
        if names is None:
            return None
        return {name: self.object_attribute(tree, name, node) for name in names}

    def _seed_value(self, out: Any, given: Any, node: Any) -> Value:
        type_ = leaf_type(given) if is_liftable(given) else None
        problem = ops.cotangent_problem(leaf_type(out), type_)
        if problem is not None:
            self.refuse_unless_certain(given, node)
            self.fails(*problem, node)
        value = ops.as_value(given)
        like = self._like_seed(ops.as_value(out), value)
        sizes = [dims_of(value.type), dims_of(like.type)]
        if isinstance(like.type, TensorType) and (sizes[0] != sizes[1] or UNKNOWN in sizes[0]):
            pairs = zip(ops.shape_of(value), ops.shape_of(like), strict=True)
            for size, wanted in pairs:
                fits = ops.as_value(ops.compare("==", size, wanted))
                self._require_shape(fits)
        return value

    def _like_seed(self, out: Value, seed: Value) -> Value:
        """A result, required to be an array where its cotangent is one, and a number where that is
        a number, if it may be either.
        """
        arrays = [each for each in members_of(out.type) if dims_of(each)]
        if len(members_of(out.type)) == len(arrays) or len(members_of(seed.type)) > 1:
            return out
        rank = len(dims_of(seed.type))
        fitting = [each for each in arrays if len(dims_of(each)) == rank]
        for array in arrays if not rank else fitting[:1] if len(fitting) == 1 else ():
            is_array = ops.emit(ops.dynamic.is_, out, type=array)
            self._require_shape(ops.as_value(ops.compare("==", is_array, bool(rank))))
        return ops.emit(ops.dynamic.narrow, out, type=fitting[0]) if len(fitting) == 1 else out

    def _require_shape(self, fits: Value) -> None:
        self.require(fits, lambda: self.emit_raise("ValueError", (ops.COTANGENT_SHAPE,)))


def _itself(leaf: Any) -> Any:
    return leaf


def _enter(leaf: Any, outputs: list[Value], span: SourceSpan) -> None:
    """Note a number of a result, if it is one that can be differentiated."""
    if not is_liftable(leaf):
        raise DiagnosticError(catalog.NO_PULLBACK, span, why=ops.NO_NUMBERS)
    if ops.is_inexact(leaf_type(leaf)):
        outputs.append(ops.as_value(leaf))
