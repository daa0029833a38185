"""Forward mode: a call that is lowered into a region of its own, to push tangents through.

In: a function, its arguments (primals) and their tangents. Out: a ``jvp`` operation whose region is
the call, what the function returns, and the tangents of that, in the structure of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.frontend import library
from staticpy.frontend.custom_rules import CustomRules
from staticpy.frontend.lowered_as import lowered_as
from staticpy.frontend.paths import describe_result
from staticpy.frontend.transformed_calls import Arguments, is_inexact_leaf
from staticpy.frontend.values import ListRef, Partial, is_liftable, leaf_type
from staticpy.ir import PythonType, ScalarType, Type, UnionType, Value, accepts, dims_of
from staticpy.source import SourceSpan

Pair = tuple[Any, Any]


@lowered_as("pushed_again")
def _pushed_again(*_: Any) -> None:
    """What the function of tangents is while compiling: nobody calls it otherwise."""
    raise AssertionError("a call of this is lowered")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that tangents are pushed through: ``pairs`` are the leaves of the primals, each with
    its tangent.
    """

    fun: Any
    primals: tuple[Any, ...]
    pairs: list[Pair]
    has_aux: Any
    span: SourceSpan


class Tangents(CustomRules):
    """Lowers calls of ``pushed_forward``, by which ``staticpy.jvp`` is written."""

    def _pushed_forward(
        self, node: Any, fun: Any, primals: Any, tangents: Any, has_aux: Any
    ) -> Any:
        """``pushed_forward(fun, primals, tangents, has_aux)``."""
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        span = self.definition_of(fun, node)
        given = self._tuple_of(primals, "primals", node)
        pairs = self._tangent_pairs(given, self._tuple_of(tangents, "tangents", node), node)
        moving = [pair for pair in pairs if pair[1] is not None]
        primal_values = [ops.as_value(primal) for primal, _ in moving]
        operands = [*primal_values, *(ops.as_value(tangent) for _, tangent in moving)]
        outputs: list[Value] = []
        call = _Call(fun, given, pairs, has_aux, span)
        with self.hidden("out", "aux") as (out, aux):

            def run() -> None:
                self.env[out], self.env[aux] = self._returned(call, node)
                outputs.extend(self._returned_values(self.env[out], span))

            types = tuple(value.type for value in primal_values)
            arguments = Arguments(types, lambda: primal_values)
            found = iter(self.in_region(ops.jvp, run, arguments, outputs, lambda: operands))
            result, rest = self.env[out], self.env[aux]
        return result, self.each(result, lambda _: self._returned_tangent(next(found))), rest

    def _linearized(self, node: Any, fun: Any, primals: Any, has_aux: Any) -> Any:
        """``linearized(fun, primals, has_aux)``: the result, the function of tangents, the rest."""
        if not self.is_callable(fun):
            self.refuse_call(fun, node)
        span = self.definition_of(fun, node)
        given = self._tuple_of(primals, "primals", node)
        given = self.inexact(given, of="primal")
        # Trees that nobody changes are what the calls are checked against, and like what they give.
        like = self.each(given, lambda leaf: leaf, opens_cells=True)
        pairs = [(x, x if is_inexact_leaf(x) else None) for x in self.leaves_of(like)]
        moving = [ops.as_value(leaf) for leaf, tangent in pairs if tangent is not None]
        outputs: list[Value] = []
        call = _Call(fun, given, pairs, has_aux, span)
        with self.hidden("out", "aux") as (out, aux):

            def run() -> None:
                self.env[out], self.env[aux] = self._returned(call, node)
                returned = self._returned_values(self.env[out], span)
                outputs.extend(value for value in returned if ops.is_inexact(value.type))

            types = tuple(value.type for value in moving)
            arguments = Arguments(types, lambda: moving)
            (name,) = self.in_region(ops.make_pullback, run, arguments, outputs, lambda: moving)
            result, rest = self.env[out], self.env[aux]
        types = tuple(value.type for value in outputs)
        trees = like, self.each(result, lambda leaf: leaf)
        push = Partial(_pushed_again, (name, types, *trees), ())
        return self.each(result, ops.own_copy), push, rest

    def _pushed_again(
        self, node: Any, name: Value, types: Any, primals: Any, out: Any, *tangents: Any
    ) -> Any:
        """A call of the function of tangents."""
        pairs = self._tangent_pairs(primals, tangents, node)
        moved = [tangent for primal, tangent in pairs if is_inexact_leaf(primal)]
        operands = [self.to_value(None) if each is None else ops.as_value(each) for each in moved]
        attrs = {"result_types": tuple(types)}
        made = self.builder.emit(ops.call_pushforward, [name, *operands], attrs)
        found = iter(made.results)
        return self.each(out, lambda leaf: next(found) if is_inexact_leaf(leaf) else None)

    TRANSFORMS: ClassVar = {
        **CustomRules.TRANSFORMS,
        "pushed_forward": _pushed_forward,
        "linearized": _linearized,
        "pushed_again": _pushed_again,
    }

    # --- what is given ----------------------------------------------------------------------------

    def _tuple_of(self, given: Any, name: str, node: Any) -> tuple[Any, ...]:
        content = self.content(given) if isinstance(given, ListRef) else given
        if not isinstance(content, tuple):
            message = f"{name} are a tuple or list, with an item for each argument"
            self.fails("TypeError", message, node)
        return content  # type: ignore[no-any-return]

    def _tangent_pairs(
        self, primals: tuple[Any, ...], tangents: tuple[Any, ...], node: Any
    ) -> list[Pair]:
        """The leaves with their tangents, each of the type of its leaf; None for zero."""
        try:
            pairs = ops.paired(primals, tangents, lambda tree: self._class_and_items(tree, node))
            pairs = [(x if t is None else self.inexact(x, of="primal"), t) for x, t in pairs]
            for primal, tangent in pairs:
                if tangent is not None:
                    ops.require_tangent(_type_of(primal), _type_of(tangent))
        except (TypeError, ValueError) as error:
            self.fails(type(error).__name__, str(error), node)
        return [(primal, self._tangent_like(primal, tangent, node)) for primal, tangent in pairs]

    def _class_and_items(self, tree: Any, node: Any) -> Any:
        parameters = self.cell_parameters(tree)
        if parameters is not None:
            return dict, parameters
        items = self._parts(tree, node)
        return None if items is None else (self.class_of(tree), items)

    def _tangent_like(self, primal: Any, tangent: Any, node: Any) -> Any:
        """A tangent of the box and the sizes of its primal."""
        wanted = leaf_type(primal) if tangent is not None else None
        if tangent is None or wanted == leaf_type(tangent):
            return tangent
        if isinstance(wanted, UnionType):
            return self.float_like(primal, tangent)
        if isinstance(wanted, PythonType):
            box: Any = complex if wanted.kind == "complex" else float
            return self.call_function(box, [tangent], {}, node)
        if isinstance(wanted, ScalarType):
            return self.call_function(wanted.dtype.type, [tangent], {}, node)
        if not isinstance(primal, Value) or not _rank(tangent):
            return self.call_function(np.asarray, [tangent], {}, node)
        check = self.user_function(library.require_same_shape)  # type: ignore[arg-type]
        self.call_function(check, [primal, tangent], {}, node)
        if accepts(primal.type, tangent.type):
            return tangent
        return self.emit("any.narrow", [tangent], type=primal.type)

    def _returned(self, call: _Call, node: Any) -> tuple[Any, Any]:
        """What the function gives in the region, whose arguments take the place of what moves."""
        arguments, following = iter(list(self.builder.block.args)), iter(call.pairs)

        def inner(leaf: Any) -> Any:
            _, tangent = next(following)
            return leaf if tangent is None else next(arguments)

        def run(inside: list[Any]) -> Any:
            return self.call_function(call.fun, inside, {}, node)

        found = self.call_exchanged(call.primals, inner, run)
        out, aux = ops.parts_of(found, call.has_aux, call.span)
        return self.with_derivatives(out, call.span), aux

    # --- what is returned -------------------------------------------------------------------------

    def _returned_values(self, tree: Any, span: SourceSpan) -> list[Value]:
        """The values that are returned, each of which is a number or an array."""
        leaves = self.leaves_of(tree)
        for leaf in leaves:
            ops.has_tangent(_type_of(leaf), span, describe_result(leaf))
        return [ops.as_value(leaf) for leaf in leaves]

    def _returned_tangent(self, value: Value) -> Any:
        """A tangent; None for that of an int."""
        return value if ops.is_inexact(value.type) else None


def _type_of(leaf: Any) -> Type | None:
    return leaf_type(leaf) if is_liftable(leaf) else None


def _rank(value: Any) -> int:
    return len(dims_of(leaf_type(value)))
