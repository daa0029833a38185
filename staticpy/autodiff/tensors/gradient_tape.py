"""GradientTape: gradients of what was done inside of a ``with``, in TensorFlow's way."""

from __future__ import annotations

from contextvars import Token
from types import TracebackType
from typing import Any, Self

import numpy as np

from staticpy.autodiff.tensors import gradients
from staticpy.autodiff.tensors.tape import OPEN_WATCHES, Watch, is_recording, note
from staticpy.autodiff.tensors.tensor import Tensor, handed_out
from staticpy.autodiff.tensors.trees import each, leaves_of
from staticpy.autodiff.tensors.users_line import said_at_users_line


class GradientTape:
    """Records what Tensors do inside of its ``with``.

    Tensors that require grad are watched by themselves, others by ``watch``. Tapes nest: a gradient
    that is taken inside of another tape's ``with`` can be differentiated by that one.

    Args:
        persistent: whether ``gradient`` can be called more than once.
    """

    def __init__(self, persistent: bool = False) -> None:
        self._persistent = persistent
        self._watch = Watch()
        self._tokens: list[Token[tuple[Watch, ...]]] = []
        self._is_used = False

    def __enter__(self) -> Self:
        self._tokens.append(OPEN_WATCHES.set((*OPEN_WATCHES.get(), self._watch)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        OPEN_WATCHES.reset(self._tokens.pop())

    def watch(self, tensors: Any) -> None:
        """Record from now on what is done with a Tensor, or with those of a tuple, list or dict.

        Raises:
            TypeError: one is no Tensor.
        """
        for tensor in leaves_of(tensors):
            self._watch.watched[id(tensor)] = _tensor(tensor)

    def gradient(self, target: Any, sources: Any, output_gradients: Any = None) -> Any:
        """The gradient of ``target`` by each Tensor in ``sources``.

        Args:
            target: a Tensor, or a tuple, list or dict of them, whose gradients are added up.
            sources: a Tensor, or a tuple, list or dict of them.
            output_gradients: what flows into ``target``, in its structure; without it, ones.

        Returns:
            Tensors in the structure of ``sources``, None where nothing flows.

        Raises:
            RuntimeError: the tape isn't persistent, and was used; what it recorded was freed by
                ``backward``; it is called inside of a function that is differentiated.
            TypeError: ``target`` or ``sources`` hold what is no Tensor.
            CompileError: SPY701 (no derivative), SPY708 (a value was written to that the way back
                reads).
        """
        if is_recording():
            raise RuntimeError("gradient() inside of a function that is differentiated: use grad")
        if self._is_used and not self._persistent:
            raise RuntimeError(
                "a GradientTape that is not persistent gives one set of gradients: "
                "GradientTape(persistent=True) gives more"
            )
        targets = [_tensor(leaf) for leaf in leaves_of(target)]
        asked = [_tensor(leaf) for leaf in leaves_of(sources)]
        found = self._found(targets, _seeds(targets, output_gradients), asked)
        self._is_used = True
        if not self._persistent:
            self._watch.recorded = set()
        return each(sources, lambda tensor: found[id(tensor)])

    def _found(
        self, targets: list[Tensor], seeds: list[Any], asked: list[Tensor]
    ) -> dict[int, Tensor | None]:
        """The gradients by the ids of what they are by."""
        leaves = [tensor for tensor in asked if tensor.tape is None]
        groups = [leaves, *([tensor] for tensor in asked if tensor.tape is not None)]
        with_history = bool(OPEN_WATCHES.get())
        made: dict[int, Tensor | None] = {}
        for group in groups:
            with said_at_users_line:
                found = gradients.by_chosen(
                    targets, seeds, group, self._watch.recorded, with_history
                )
            if with_history:
                note(found.tape)
            for tensor, value in zip(group, found.values, strict=True):
                made[id(tensor)] = (
                    None if value is None else handed_out(found.tape, value, with_history)
                )
        return made


def _tensor(leaf: Any) -> Tensor:
    if not isinstance(leaf, Tensor):
        raise TypeError(
            f"a {type(leaf).__name__} can't be watched: make it a Tensor(x), and compute with that"
        )
    return leaf


def _seeds(targets: list[Tensor], given: Any) -> list[Any]:
    if given is None:
        return [np.ones_like(target.content) for target in targets]
    seeds = [getattr(leaf, "content", leaf) for leaf in leaves_of(given)]
    for target, seed in zip(targets, seeds, strict=True):
        if np.shape(seed) != np.shape(target.content):
            raise ValueError(
                f"an output gradient is of shape {np.shape(seed)}, and its target of "
                f"{np.shape(target.content)}"
            )
    return seeds
