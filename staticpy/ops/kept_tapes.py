"""Tapes whose memory is kept from call to call.

    %t = tape.take %n {type = !list[float]} : list[float]    # as many items, each of which is set
    tape.keep %t                                             # which nobody reads any more

Most of what it costs to save 100,000 floats is their memory, which the system hands out page by
page and takes back when the list is gone. In a list that is kept, the float of the last call makes
room for the one that takes its place.
"""

from __future__ import annotations

from threading import RLock
from typing import Any

from staticpy.ir import FLOAT, ListType, Type
from staticpy.ops.containers import WRITES, require_index
from staticpy.ops.lists import list_type
from staticpy.ops.opdef import defop

_LONGEST = 1 << 24
_MOST_ITEMS = 1 << 20


class _GrowingTape(list[Any]):
    """A tape of more rounds than there might be memory for, most of which may never be run: its
    items are set in order, so that to set one is to append it.
    """

    __setitem__ = list.insert  # type: ignore[assignment]


class _KeptTapes:
    """The tapes that no call uses, by their lengths."""

    def __init__(self) -> None:
        self._lock = RLock()  # a signal's handler may come in between
        self._kept: dict[int, list[list[Any]]] = {}
        self._items = 0

    def take(self, rounds: int) -> list[Any]:
        """A list of as many items, each of which will be set."""
        if rounds > _LONGEST:
            return _GrowingTape()
        with self._lock:
            try:
                tape = self._kept[rounds].pop()
            except (KeyError, IndexError):
                return [None] * rounds
            self._items -= rounds
            return tape

    def keep(self, *tapes: list[Any]) -> None:
        """Keep these for other calls: at most a million items, which are about 32 MB."""
        with self._lock:
            for tape in tapes:
                if self._items + len(tape) > _MOST_ITEMS:
                    self._kept.clear()
                    self._items = 0
                if len(tape) <= _MOST_ITEMS:
                    self._kept.setdefault(len(tape), []).append(tape)
                    self._items += len(tape)


_TAPES = _KeptTapes()
take_tape, keep_tapes = _TAPES.take, _TAPES.keep


def _infer_take(rounds: Type, *, type: Type) -> Type:  # noqa: A002
    require_index(rounds)
    return list_type(type)


take = defop(
    "tape.take",
    infer=_infer_take,
    kernel=lambda rounds, type: take_tape(rounds),  # noqa: A006
    effects=WRITES,
    samples=lambda _: [((0,), {"type": ListType(FLOAT)}), ((-2,), {"type": ListType(FLOAT)})],
)
"""A list for what the rounds of a loop save, with a place for each."""


def _infer_keep(*tapes: Type) -> tuple[Type, ...]:
    for tape in tapes:
        list_type(tape)
    return ()


keep = defop(
    "tape.keep",
    infer=_infer_keep,
    kernel=keep_tapes,
    effects=WRITES,
    samples=lambda _: [(([1.5, 2.0],), {}), (([], [0.5]), {})],
)
"""Let other calls have the lists."""
