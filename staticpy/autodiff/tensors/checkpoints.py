"""``checkpoint`` in plain Python: calls of which the record keeps what goes in and what comes out.

The function runs once, with all that it prints, draws and changes. Of the operations that it has
recorded the arrays are forgotten, and the way back runs their kernels again (``values``), in their
order and with the same bits. So it is the same record, for derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from staticpy import ops
from staticpy.autodiff.tensors.custom import each_number
from staticpy.autodiff.tensors.memory import Memory
from staticpy.autodiff.tensors.tape import (
    Tape,
    is_grad_enabled,
    is_recording,
    noting,
    recorded_tape,
)
from staticpy.ops import checkpoint_policies


def call_checkpointed(
    fun: Callable[..., Any],
    policy: Any,
    static_argnums: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """``fun(*args, **kwargs)``, whose arrays are not kept for the way back, but for those that are
    written to in it, that something else than the record holds, and that ``policy`` saves.

    Raises:
        TypeError: ``policy`` is none, or ``static_argnums`` no int and no tuple of ints.
        ValueError: there is no such argument.
    """
    checkpoint_policies.require_static(static_argnums, len(args))
    policy = checkpoint_policies.checked_policy(policy)
    keeps_all = checkpoint_policies.saves_everything(policy)
    tape = recorded_tape()
    if keeps_all or (tape is None and (is_recording() or not is_grad_enabled())):
        return fun(*args, **kwargs)
    if tape is not None:
        start = tape.length
        result = fun(*args, **kwargs)
        tape.forget(start, set(), policy)
        return result
    with noting() as noted:
        result = fun(*args, **kwargs)
    _forget_all(dict.fromkeys(tape for each in noted if (tape := each()) is not None), policy)
    return result


def _forget_all(tapes: dict[Tape, None], policy: checkpoint_policies.Policy | None) -> None:
    """Keep no arrays that short tapes, the first ones first, have made."""
    own: set[Memory] = set()
    for tape in tapes:
        tape.forget_arguments()
        tape.forget(0, own, policy)


def checkpoint_name(tree: Any, name: str) -> Any:
    """``tree``, whose leaves policies of checkpoints know by ``name``.

    Raises:
        TypeError: the name is no str, or a leaf is no number and no array.
    """
    if not isinstance(name, str):
        raise TypeError(checkpoint_policies.NO_NAME.format(name))
    return each_number(tree, "checkpoint_name", partial(ops.emit, ops.checkpoint_name, name=name))
