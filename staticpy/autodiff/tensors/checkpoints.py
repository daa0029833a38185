"""``checkpoint`` in plain Python: calls of which the record keeps what goes in and what comes out.

The function runs once, with all that it prints, draws and changes. Of the operations that it has
recorded the arrays are forgotten, and the way back runs their kernels again (``values``), in their
order and with the same bits. So it is the same record, for derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy.autodiff.tensors.memory import Memory
from staticpy.autodiff.tensors.tape import (
    Tape,
    is_grad_enabled,
    is_recording,
    noting,
    recorded_tape,
)


def call_checkpointed(
    fun: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """``fun(*args, **kwargs)``, whose arrays are not kept for the way back, but for those that are
    written to in it, and that something else than the record holds.
    """
    tape = recorded_tape()
    if tape is not None:
        start = tape.length
        result = fun(*args, **kwargs)
        tape.forget(start, set())
        return result
    if is_recording() or not is_grad_enabled():
        return fun(*args, **kwargs)
    with noting() as noted:
        result = fun(*args, **kwargs)
    _forget_all(dict.fromkeys(tape for each in noted if (tape := each()) is not None))
    return result


def _forget_all(tapes: dict[Tape, None]) -> None:
    """Keep no arrays that short tapes, the first ones first, have made."""
    own: set[Memory] = set()
    for tape in tapes:
        tape.forget_arguments()
        tape.forget(0, own)
