"""``vjp`` of plain functions: Python runs them on Tensors, and the tape is gone back when asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.custom import note_applied, visible
from staticpy.autodiff.tensors.arguments import chosen
from staticpy.autodiff.tensors.history import back_through
from staticpy.autodiff.tensors.reverse import (
    Reader,
    Run,
    gradients_of,
    or_zeros,
    own,
)
from staticpy.autodiff.tensors.tape import Tape, recording
from staticpy.autodiff.tensors.tensor import Tensor, place_on
from staticpy.autodiff.tensors.trees import each, leaves_of, matched
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Value


def pullback(
    fun: Callable[..., Any],
    by: Any,
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Pullback, Any]:
    """``fun(*args, **kwargs)``, its way back to the arguments ``by``, which is (argnums, allow_int,
    holomorphic), or None for all that are positional, and what it has returned besides.

    Raises:
        DiagnosticError: GRADIENT_OF_ARGUMENT, GRADIENT_OF_RESULT, HOLOMORPHIC, NO_PULLBACK.
        TypeError: the function does with a Tensor what plain Python can't record.
        ValueError: ``argnums`` is out of range.
    """
    argnums, allow_int, holomorphic = by or (range(len(args)), False, False)
    keys, _ = chosen(fun, args, kwargs, argnums, None)
    reader = Reader()
    with recording() as tape:
        kinds = {"allow_int": allow_int, "holomorphic": holomorphic}
        run = Run(tape, fun, keys, (args, kwargs), reader, kinds)
        out, aux = ops.parts_of(run.result, has_aux)
        out = each(out, _checked)
        back = Pullback(tape, run, each(out, lambda leaf: leaf))
        return reader.gets(tape, out), back, reader.sees(tape, aux)


class Pullback:
    """A function of the cotangents of a result: the cotangents of what it was computed from."""

    def __init__(self, tape: Tape, run: Run, out: Any) -> None:
        self._tape = tape
        self._forward = visible(tape.block.operations[run.start :])
        self._activity = Activity(self._forward, run.leaves)
        note_applied(self._activity)
        self._leaves, self._primals, self._out = run.leaves, run.trees, out

    def __call__(self, cotangents: Any, /) -> tuple[Any, ...]:
        """One tree for each primal.

        Raises:
            TypeError: the cotangents have another structure, or other dtypes, than the result.
            ValueError: they have other shapes.
            DiagnosticError: NO_DERIVATIVE.
        """
        items = cotangents_for(self._out, cotangents)
        pairs = list(zip(leaves_of(self._out), items, strict=True))
        reader = Reader()
        with recording() as tape:
            if tape is not self._tape:
                tape.know(self._tape)
            found = or_zeros(tape, self._pulled_back(tape, pairs), self._leaves)
            made = gradients_of(tape, self._primals, iter(found))
            return tuple(reader.gets(tape, made))

    def _pulled_back(self, tape: Tape, pairs: list[tuple[Any, Any]]) -> list[Value | None]:
        seeds = [
            (out.value, place_on(tape, item) if isinstance(item, Tensor) else tape.given(item))
            for out, item in pairs
            if isinstance(out, Tensor)
        ]
        home = self._tape.block
        return back_through(tape, home, self._forward, self._activity, self._leaves, seeds)


def is_real(leaf: Any) -> bool:
    """Whether a leaf is a real number, or an array of them."""
    return ops.is_real(ops.traced_type(leaf))


def _checked(leaf: Any) -> Any:
    """A leaf of a result, which is a number or an array."""
    if ops.traced_type(leaf) is None or isinstance(leaf, str | tuple):
        raise DiagnosticError(catalog.NO_PULLBACK, None, why=ops.NO_NUMBERS)
    return own(leaf)


def cotangents_for(out: Any, cotangents: Any) -> list[Any]:
    """The cotangents of the leaves of a result.

    Raises:
        TypeError: the cotangents have another structure, or other dtypes, than the result.
        ValueError: they have other shapes.
    """
    pairs = matched(out, cotangents)
    for leaf, item in pairs:
        type_ = ops.traced_type(leaf)
        if type_ is not None and ops.is_inexact(type_):
            problem = ops.cotangent_problem(type_, ops.traced_type(item))
            if problem is not None:
                exception, message = problem
                raise (TypeError if exception == "TypeError" else ValueError)(message)
    return [item for _, item in pairs]
