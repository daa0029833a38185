"""Gradients by what was recorded of Tensors: by all leaves, or by chosen Tensors.

In: Tensors, and what flows into them. Out: cotangents, as Values of a tape that holds the history
of the Tensors and the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np

from staticpy import ops
from staticpy.autodiff.tensors.history import History, pulled_back
from staticpy.autodiff.tensors.tape import Source, Tape
from staticpy.ir import Builder, PythonType, Type, Value
from staticpy.ops import Traced


class Found(NamedTuple):
    """Cotangents as Values of the tape of a history; None for zero."""

    history: History
    values: list[Value | None]

    @property
    def tape(self) -> Tape:
        """The tape of the Values."""
        return self.history.tape


def source_of(tensor: Any) -> Source:
    """Where a Tensor comes from, as of now."""
    return Source(tensor if tensor.tape is None else None, tensor.tape, tensor.value)


def by_leaves(tensor: Any, seed: Any, create_graph: bool) -> tuple[list[Any], Found]:
    """The leaves that require grad, and the cotangents of them.

    Raises:
        DiagnosticError: NO_DERIVATIVE, SAVED_VALUE_CHANGED.
        RuntimeError: the record was freed.
    """
    history = History(_handed_on([tensor]))
    rows = [(source.leaf, place) for place, source in history.leaves.items() if _asks(source.leaf)]
    found = _found(history, [place for _, place in rows], [seed], create_graph)
    return [leaf for leaf, _ in rows], found


def by_chosen(
    targets: Sequence[Any],
    seeds: Sequence[Any],
    chosen: Sequence[Any],
    within: AbstractSet[Tape],
    create_graph: bool,
) -> Found:
    """The cotangents of chosen Tensors, of what was recorded on the tapes ``within``. All of them
    are leaves, or there is but one.

    Raises:
        DiagnosticError: NO_DERIVATIVE, SAVED_VALUE_CHANGED.
        RuntimeError: the record was freed.
    """
    history = History(_handed_on(targets), within, {each.value for each in chosen})
    places = {source.value: place for place, source in history.leaves.items()}
    asked = [places[each.value] for each in chosen if each.value in places]
    found = iter(_found(history, asked, seeds, create_graph).values)
    return Found(history, [next(found) if each.value in places else None for each in chosen])


def _handed_on(tensors: Iterable[Any]) -> Tape:
    """A tape whose arguments are ``tensors``."""
    tape = Tape()
    for tensor in tensors:
        value = tape.argument(tensor.content, tensor.memory)
        tape.sources[value] = source_of(tensor)
    return tape


def _asks(leaf: Any) -> bool:
    return leaf is not None and leaf.tape is None and leaf.requires_grad


def _found(
    history: History, asked: Sequence[Value], seeds: Sequence[Any], create_graph: bool
) -> Found:
    tape = history.tape
    tape.keeps_history = create_graph
    targets = history.targets()
    rows = [
        (target, tape.argument(_like(seed, target.type)))
        for target, seed in zip(targets, seeds, strict=True)
    ]
    leaves = list(dict.fromkeys(asked))
    found = dict(zip(leaves, pulled_back(tape, leaves, rows), strict=True))
    return Found(history, _own(tape, [found[each] for each in asked]))


def _like(seed: Any, type_: Type) -> Any:
    """What flows into a value of a type."""
    if isinstance(type_, PythonType):
        return complex(seed) if type_.kind == "complex" else float(seed)
    return np.array(seed, type_.dtype)  # type: ignore[attr-defined]


def _own(tape: Tape, found: Sequence[Value | None]) -> list[Value | None]:
    """Arrays of their own, which their reader may change: a rule may give a view of another."""
    builder = Builder(tape.block)
    own = [ops.own_copy(value, builder) for value in found]
    tape.compute()
    return own


def seed_of(tensor: Any, gradient: Any, create_graph: bool) -> Any:
    """What flows in to a Tensor: ``gradient``, or 1 of its type.

    Raises:
        RuntimeError: the Tensor is no real number, or the gradient of another shape.
    """
    content = tensor.content
    kind = np.asarray(content).dtype
    if gradient is None:
        if np.size(content) != 1 or kind.kind == "c":
            raise RuntimeError(
                "of what is no real number backward() needs a gradient, which flows in"
            )
        return np.ones_like(content) if isinstance(content, np.ndarray) else kind.type(1)
    if isinstance(gradient, Traced):
        if create_graph and gradient.requires_grad:
            raise RuntimeError("what flows in is taken as constant: give gradient.detach()")
        gradient = gradient.content
    if np.shape(gradient) != np.shape(content):
        raise RuntimeError(
            f"the gradient is of shape {np.shape(gradient)}, and the Tensor of {np.shape(content)}"
        )
    return gradient
