"""Gradients of plain functions: Python runs them on Tensors, and the tape is gone back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.cotangents import zero
from staticpy.autodiff.overlaps import Overlaps
from staticpy.autodiff.tensors.arguments import chosen
from staticpy.autodiff.tensors.history import pulled_back
from staticpy.autodiff.tensors.tape import Tape, is_grad_enabled, is_recording, note, recording
from staticpy.autodiff.tensors.tensor import Tensor, held, place_on
from staticpy.autodiff.tensors.trees import each, exchanged, leaves_of, opened, settle
from staticpy.ir import Value


def value_and_gradient(
    fun: Callable[..., Any],
    by: Any,
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:
    """``fun(*args, **kwargs)``, what it has returned besides its value, and the gradients by the
    arguments ``by``, which is (argnums, argnames, allow_int, holomorphic): a tree, or a tuple of
    them.

    Raises:
        DiagnosticError: GRADIENT_OF_ARGUMENT, GRADIENT_OF_RESULT, HOLOMORPHIC, NO_DERIVATIVE.
        ValueError: ``argnums`` is out of range, there is no argument of a name, or one is written
            to that shares memory with what is differentiated by.
        TypeError: the function does with a Tensor what plain Python can't record.
    """
    argnums, argnames, allow_int, holomorphic = by
    keys, is_one = chosen(fun, args, kwargs, argnums, argnames)
    reader = Reader()
    with recording() as tape:
        kinds = {"allow_int": allow_int, "holomorphic": holomorphic}
        run = Run(tape, fun, keys, (args, kwargs), reader, kinds)
        result, aux = ops.parts_of(run.result, has_aux)
        value = _output(tape, result, holomorphic)
        found = iter(_gradients(tape, run.leaves, value, run.start))
        gradients = gradients_of(tape, run.trees, found)
        gradient = gradients[0] if is_one else gradients
        return (
            reader.gets(tape, held(tape, value)),
            reader.sees(tape, aux),
            reader.gets(tape, gradient),
        )


class Run:
    """A call of a plain function on Tensors, in the place of its arguments ``keys``.

    Attributes:
        leaves: the numbers in these arguments that derivatives flow to.
        trees: these arguments, with the structure that they had.
        start: how many operations the tape had before.
        result: what the function has returned.
    """

    def __init__(
        self,
        tape: Tape,
        fun: Callable[..., Any],
        keys: Sequence[Any],
        given: tuple[tuple[Any, ...], dict[str, Any]],
        reader: Reader,
        kinds: dict[str, bool],
    ) -> None:
        args, kwargs = given
        by_key: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        self.leaves: list[Value] = []
        self.trees = [opened(by_key[key]) for key in keys]
        others = [by_key[key] for key in by_key if key not in keys]
        overlaps = Overlaps(leaves_of(self.trees), leaves_of(others))

        def primal(place: int, leaf: Any) -> Any:
            return primal_of(tape, self.leaves, keys[place], leaf, kinds)

        with exchanged([by_key[key] for key in keys], primal) as trees:
            by_key.update(zip(keys, trees, strict=True))
            positional = [by_key.pop(number) for number in range(len(args))]
            self.start = tape.length
            try:
                self.result = fun(*positional, **by_key)
            finally:
                reader.finds(tape, others)
        overlaps.require_unwritten()


class Reader:
    """Who reads what a transform of a plain function gives: the program, or another transform, in
    which it is called, and which goes on with Tensors.
    """

    def __init__(self) -> None:
        self._is_inner, self._is_kept = is_recording(), is_grad_enabled()

    def gets(self, tape: Tape, tree: Any) -> Any:
        """What was computed on a tape: Tensors with their history where somebody may go back
        through it, without it in ``no_grad``, and plain numbers and arrays where no Tensor came in.
        """
        if not self._is_inner and not tape.met_tensors:
            return each(tree, lambda leaf: own(content_of(leaf)))
        note(tape)
        if self._is_kept and (self._is_inner or tape.sources):
            return tree
        return each(tree, lambda leaf: leaf.detach() if isinstance(leaf, Tensor) else leaf)

    def sees(self, tape: Tape, tree: Any) -> Any:
        """What a function has handed on, whatever it is; no array that a tape goes on to read."""
        if self._is_inner or tape.met_tensors:
            return tree
        return each(tree, lambda leaf: own(leaf.content) if isinstance(leaf, Tensor) else leaf)

    def finds(self, tape: Tape, trees: Sequence[Any]) -> None:
        """What a function has put into its other arguments: no Tensors of its tape."""
        if self._is_inner or tape.met_tensors:
            return

        def plain(leaf: Any) -> Any:
            is_own = isinstance(leaf, Tensor) and leaf.tape is tape
            return own(leaf.content) if is_own else leaf

        for tree in trees:
            settle(tree, plain)


def gradients_of(tape: Tape, trees: Sequence[Any], found: Iterator[Value]) -> tuple[Any, ...]:
    """Trees like ``trees``, of the gradients ``found``."""

    def gradient(leaf: Any) -> Any:
        type_ = ops.traced_type(leaf)
        is_int = type_ is not None and not ops.is_inexact(type_)
        return ops.gradient_of_int(leaf) if is_int else held(tape, next(found))

    return tuple(each(tree, gradient) for tree in trees)


def _gradients(tape: Tape, leaves: list[Value], value: Value, start: int) -> list[Value]:
    """The cotangents of ``leaves``, from the operations since ``start``."""
    with tape.builder.current():
        seed = ops.as_value(ops.seed_of(value.type))
    found = pulled_back(tape, leaves, [(value, seed)], start)
    return or_zeros(tape, found, leaves)


def or_zeros(tape: Tape, found: Sequence[Value | None], leaves: Sequence[Value]) -> list[Value]:
    """Cotangents, with zeros for those to which nothing flows."""
    with tape.builder.current():
        pairs = zip(found, leaves, strict=True)
        flowing = [zero(leaf) if item is None else item for item, leaf in pairs]
    tape.compute()
    return flowing


def content_of(leaf: Any) -> Any:
    """The number or array that a leaf is."""
    return leaf.content if isinstance(leaf, Tensor) else leaf


def own(item: Any) -> Any:
    """A number, or an array of one's own: a rule may give a view of another one."""
    return np.copy(item) if isinstance(item, np.ndarray) else item


def primal_of(
    tape: Tape, leaves: list[Value], key: int | str, leaf: Any, kinds: dict[str, bool]
) -> Any:
    """What a function gets for a number that it is differentiated by; which ``kinds`` of numbers
    that may be says ``ops.require_primal``.
    """
    type_ = ops.traced_type(leaf)
    if not ops.require_primal(type_, key, None, **kinds):
        return leaf
    leaves.append(own_value(tape, leaf))
    return held(tape, leaves[-1])


def own_value(tape: Tape, leaf: Any) -> Value:
    """A number as a value of its own, apart from other uses of it, which is not written to."""
    if not isinstance(leaf, Tensor):
        return tape.given(leaf)
    value: Value = leaf.apply(ops.unary, "+", leaf).value
    memory = tape.memory_of(value)
    if memory is not None:
        memory.is_given = True
    return value


def _output(tape: Tape, result: Any, holomorphic: Any) -> Value:
    type_ = ops.traced_type(result)
    kind = "None" if result is None else type(result).__name__
    ops.require_output(type_, kind, holomorphic=holomorphic)
    return place_on(tape, result) if isinstance(result, Tensor) else tape.given(result)
