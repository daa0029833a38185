"""Forward mode of plain functions: Python runs them on Tensors, and tangents go through the tape.

What is recorded can be gone through as often as one likes (``linearized``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.cotangents import as_cotangent
from staticpy.autodiff.custom import note_applied, visible
from staticpy.autodiff.custom_tangents import CustomForward
from staticpy.autodiff.overlaps import Overlaps
from staticpy.autodiff.tensors.reverse import Reader, content_of, own_value
from staticpy.autodiff.tensors.tape import Tape, on_the_way_back, recording
from staticpy.autodiff.tensors.tensor import Tensor, held, place_on
from staticpy.autodiff.tensors.trees import cell_parameters, each, exchanged, items_of, opened
from staticpy.ir import Operation, Type, Value, dims_of
from staticpy.ops import Traced

Pair = tuple[Any, Any]


def pushed_forward(
    fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool
) -> tuple[Any, Any, Any]:
    """What ``fun(*primals)`` gives, its tangents, and what it gives besides.

    Raises:
        DiagnosticError: NO_DERIVATIVE, NO_TANGENT.
        TypeError: primals and tangents don't fit, or the function does with a Tensor what plain
            Python can't record.
        ValueError: the shapes of primals and tangents don't fit.
    """
    primals = arguments(primals, "primals")
    pairs = _pairs(primals, arguments(tangents, "tangents"))
    is_moving = [tangent is not None for _, tangent in pairs]
    reader = Reader()
    with recording() as tape:
        run = Run(tape, fun, primals, is_moving, has_aux)
        moved = run.push(tape, [tangent for _, tangent in pairs])
        return reader.gets(tape, run.out), reader.gets(tape, moved), reader.sees(tape, run.aux)


def linearized(
    fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool
) -> tuple[Any, Callable[..., Any], Any]:
    """What ``fun(*primals)`` gives, the function that pushes tangents through that run, and what
    ``fun`` gives besides.
    """
    is_moving = [_is_inexact(primal) for primal, _ in _leaves(primals)]
    like = opened(primals)  # which nobody changes
    reader = Reader()
    with recording() as tape:
        run = Run(tape, fun, primals, is_moving, has_aux)
        out, aux = reader.gets(tape, run.out), reader.sees(tape, run.aux)

    def push(*tangents: Any) -> Any:
        given = tangents_for(like, tangents)
        reader = Reader()
        with recording() as current:
            if current is not tape:
                current.know(tape)
            return reader.gets(current, run.push(current, given))

    return out, push, aux


class Run:
    """A call that a tape has recorded.

    Attributes:
        out: what the function has returned, with Tensors.
        aux: what it has returned besides.
    """

    def __init__(
        self,
        tape: Tape,
        fun: Callable[..., Any],
        primals: tuple[Any, ...],
        is_moving: list[bool],
        has_aux: bool,
    ) -> None:
        self._tape = tape
        self._is_moving = is_moving
        self._leaves: list[Value] = []
        leaves = [leaf for leaf, _ in _leaves(primals)]
        moving = [leaf for leaf, moves in zip(leaves, is_moving, strict=True) if moves]
        others = [leaf for leaf, moves in zip(leaves, is_moving, strict=True) if not moves]
        overlaps, following = Overlaps(moving, others), iter(is_moving)
        with exchanged(primals, lambda _, leaf: self._primal(leaf, following)) as given:
            start = tape.length
            result = fun(*given)
        overlaps.require_unwritten()
        self.out, self.aux = ops.parts_of(result, has_aux)
        each(self.out, lambda leaf: ops.has_tangent(ops.traced_type(leaf)))
        self._operations: list[Operation] = visible(tape.block.operations[start:])
        self._activity = Activity(self._operations, self._leaves)
        note_applied(self._activity)

    def _primal(self, leaf: Any, is_moving: Iterator[bool]) -> Any:
        """What the function gets for a leaf: a Tensor, if it has a tangent."""
        if not next(is_moving):
            return leaf
        self._leaves.append(own_value(self._tape, leaf))
        return held(self._tape, self._leaves[-1])

    def push(self, tape: Tape, tangents: list[Any]) -> Any:
        """The tangents of what the function has returned, computed on ``tape``; ``tangents`` has an
        item for each leaf of the primals, None for zero.
        """
        given = [t for t, moves in zip(tangents, self._is_moving, strict=True) if moves]
        known = {
            leaf: _tangent(tape, leaf.type, tangent)
            for leaf, tangent in zip(self._leaves, given, strict=True)
            if tangent is not None
        }
        forward = CustomForward(self._activity, tape.builder)
        forward.tangents.update(known)
        with tape.builder.current(), on_the_way_back(tape):
            for operation in self._operations:
                with tape.builder.at(operation.span):
                    forward.run_behind(operation)
            outputs = [
                forward.held(self._value(tape, leaf)) if isinstance(leaf, Tensor) else None
                for leaf, _ in _leaves(self.out)
            ]
        tape.compute()
        following = iter(outputs)
        return each(self.out, lambda leaf: _moved(tape, leaf, next(following)))

    def _value(self, tape: Tape, leaf: Tensor) -> Value:
        """A Tensor that the function has returned, which may not be of its run."""
        return leaf.value if leaf.tape is self._tape else place_on(tape, leaf)


def arguments(given: Any, name: str) -> tuple[Any, ...]:
    """Primals or tangents: an item for each argument."""
    if not isinstance(given, tuple | list):
        raise TypeError(f"{name} are a tuple or list, with an item for each argument")
    return tuple(given)


def _leaves(tree: Any) -> Iterator[Pair]:
    return iter(ops.paired(tree, None, _class_and_items))


def _class_and_items(tree: Any) -> Any:
    """What a tree is made of; a Cell is a dict of its parameters."""
    parameters = cell_parameters(tree)
    if parameters is not None:
        return dict, parameters
    items = items_of(tree)
    return None if items is None else (type(tree), items)


def _is_inexact(leaf: Any) -> bool:
    type_ = ops.traced_type(leaf)
    return type_ is not None and ops.is_inexact(type_)


def _pairs(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> list[Pair]:
    pairs = ops.paired(primals, tangents, _class_and_items)
    for primal, tangent in pairs:
        if tangent is not None:
            ops.require_tangent(ops.traced_type(primal), ops.traced_type(tangent))
            if np.shape(content_of(primal)) != np.shape(content_of(tangent)):
                shapes = np.shape(content_of(primal)), np.shape(content_of(tangent))
                raise ValueError("a primal of shape {} has a tangent of shape {}".format(*shapes))
    return pairs


def tangents_for(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> list[Any]:
    """The tangents of the leaves of primals, None for zero.

    Raises:
        TypeError: primals and tangents differ in structure or dtype.
        ValueError: they differ in shape.
    """
    return [tangent for _, tangent in _pairs(primals, tangents)]


def _tangent(tape: Tape, type_: Type, tangent: Any) -> Value:
    """A tangent on the tape, in the box of its primal."""
    given = place_on(tape, tangent) if isinstance(tangent, Tensor) else tape.given(tangent)
    if given.type == type_ or dims_of(type_):
        return given
    with tape.builder.current():
        value = ops.as_value(ops.untrace(as_cotangent(Traced(given), type_)))
    tape.compute()
    return value


def _moved(tape: Tape, leaf: Any, tangent: Value | None) -> Any:
    if tangent is not None:
        return held(tape, tangent)
    if not _is_inexact(leaf):
        return None
    return np.zeros_like(leaf) if isinstance(leaf, np.ndarray) else type(leaf)(0)
