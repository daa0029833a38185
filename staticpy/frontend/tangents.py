"""Forward mode: a call that is lowered into a region of its own, to push tangents through.

In: a function, its arguments (primals) and their tangents. Out: a ``jvp`` operation whose region is
the call, what the function returns, and the tangents of that, in the structure of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import library
from staticpy.frontend.custom_rules import CustomRules
from staticpy.frontend.transformed_calls import Arguments
from staticpy.frontend.values import ListRef, Partial, is_liftable, leaf_type
from staticpy.ir import PythonType, ScalarType, Type, Value, accepts, dims_of
from staticpy.source import SourceSpan

Pair = tuple[Any, Any]


def _pushed_again(*_: Any) -> None:
    """What the function of tangents is while compiling: nobody calls it otherwise."""
    raise AssertionError("a call of this is lowered")


setattr(_pushed_again, "__staticpy_transform__", "pushed_again")  # noqa: B010 - as lowered_as does


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
        with self.hidden("out", "aux") as (out, aux):

            def run() -> None:
                inside = self._arguments_inside(given, pairs, iter(list(self.builder.block.args)))
                result = self.call_function(fun, inside, {}, node)
                self.env[out], self.env[aux] = _pair(result, has_aux, span)
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
        leaves: list[Any] = []
        self.each(given, leaves.append)
        pairs = [(leaf, leaf if _is_inexact(leaf) else None) for leaf in leaves]
        moving = [ops.as_value(leaf) for leaf, tangent in pairs if tangent is not None]
        outputs: list[Value] = []
        with self.hidden("out", "aux") as (out, aux):

            def run() -> None:
                inside = self._arguments_inside(given, pairs, iter(list(self.builder.block.args)))
                result = self.call_function(fun, inside, {}, node)
                self.env[out], self.env[aux] = _pair(result, has_aux, span)
                returned = self._returned_values(self.env[out], span)
                outputs.extend(value for value in returned if ops.is_inexact(value.type))

            types = tuple(value.type for value in moving)
            arguments = Arguments(types, lambda: moving)
            (name,) = self.in_region(ops.make_pullback, run, arguments, outputs, lambda: moving)
            result, rest = self.env[out], self.env[aux]
        # Trees that nobody changes: what the calls are checked against, and like what they give.
        trees = (self.each(tree, lambda leaf: leaf) for tree in (given, result))
        types = tuple(value.type for value in outputs)
        push = Partial(_pushed_again, (name, types, *trees), ())
        return self.each(result, ops.own_copy), push, rest

    def _pushed_again(
        self, node: Any, name: Value, types: Any, primals: Any, out: Any, *tangents: Any
    ) -> Any:
        """A call of the function of tangents."""
        pairs = self._tangent_pairs(primals, tangents, node)
        moved = [tangent for primal, tangent in pairs if _is_inexact(primal)]
        operands = [self.to_value(None) if each is None else ops.as_value(each) for each in moved]
        attrs = {"result_types": tuple(types)}
        made = self.builder.emit(ops.call_pushforward, [name, *operands], attrs)
        found = iter(made.results)
        return self.each(out, lambda leaf: next(found) if _is_inexact(leaf) else None)

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
            for primal, tangent in pairs:
                if tangent is not None:
                    ops.require_tangent(_type_of(primal), _type_of(tangent))
        except (TypeError, ValueError) as error:
            self.fails(type(error).__name__, str(error), node)
        return [(primal, self._tangent_like(primal, tangent, node)) for primal, tangent in pairs]

    def _class_and_items(self, tree: Any, node: Any) -> Any:
        items = self._parts(tree, node)
        return None if items is None else (self.class_of(tree), items)

    def _tangent_like(self, primal: Any, tangent: Any, node: Any) -> Any:
        """A tangent of the box and the sizes of its primal."""
        wanted = leaf_type(primal) if tangent is not None else None
        if tangent is None or wanted == leaf_type(tangent):
            return tangent
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

    def _arguments_inside(
        self, primals: tuple[Any, ...], pairs: list[Pair], arguments: Iterator[Value]
    ) -> list[Any]:
        """The arguments of the call: in the region those with tangents are its own."""
        following = iter(pairs)

        def inner(leaf: Any) -> Any:
            _, tangent = next(following)
            return leaf if tangent is None else next(arguments)

        return [self.each(primal, inner) for primal in primals]

    # --- what is returned -------------------------------------------------------------------------

    def _returned_values(self, tree: Any, span: SourceSpan) -> list[Value]:
        """The values that are returned, each of which is a number or an array."""
        leaves: list[Any] = []
        self.each(tree, leaves.append)
        for leaf in leaves:
            ops.has_tangent(_type_of(leaf), span)
        return [ops.as_value(leaf) for leaf in leaves]

    def _returned_tangent(self, value: Value) -> Any:
        """A tangent; None for that of an int."""
        return value if ops.is_inexact(value.type) else None


def _type_of(leaf: Any) -> Type | None:
    return leaf_type(leaf) if is_liftable(leaf) else None


def _is_inexact(leaf: Any) -> bool:
    type_ = _type_of(leaf)
    return type_ is not None and ops.is_inexact(type_)


def _pair(result: Any, has_aux: Any, span: SourceSpan) -> tuple[Any, Any]:
    """What is pushed forward of a result, and the rest."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise DiagnosticError(catalog.GRADIENT_OF_RESULT, span, what=ops.NO_PAIR)
    return result[0], result[1]


def _rank(value: Any) -> int:
    return len(dims_of(leaf_type(value)))
