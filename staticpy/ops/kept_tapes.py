"""Tapes whose memory is kept from call to call.

    %t = tape.take %n {type = !list[float]} : list[float]    # as many items, each of which is set
    %u = tape.take %n, %m {type = !list[list[float]]}        # as many rows of as many items
    tape.keep %t, %u                                         # which nobody reads any more

Most of what it costs to save 100,000 floats is their memory, which the system hands out page by
page and takes back when the list is gone. In a list that is kept, the float of the last call makes
room for the one that takes its place.
"""

from __future__ import annotations

from math import prod
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


class _GrowingRows(list[Any]):
    """The same of rows: to read the one behind the last is to append it."""

    def __init__(self, rounds: tuple[int, ...]) -> None:
        super().__init__()
        self._rounds = rounds

    def __getitem__(self, place: Any) -> Any:
        if place == len(self):
            self.append(take_tape(*self._rounds))
        return super().__getitem__(place)


class _KeptTapes:
    """The tapes that no call uses, by their lengths: that of the tape and those of its rows."""

    def __init__(self) -> None:
        self._lock = RLock()  # a signal's handler may come in between
        self._kept: dict[tuple[int, ...], list[list[Any]]] = {}
        self._items = 0

    def take(self, *rounds: int) -> list[Any]:
        """A list of as many items, each of which will be set; or as many rows of such items."""
        with self._lock:
            kept = self._kept.get(rounds)
            if not kept:
                return _made(rounds)
            self._items -= _size(rounds)
            return kept.pop()

    def keep(self, *tapes: list[Any]) -> None:
        """Keep these for other calls: at most a million items, which are about 32 MB."""
        with self._lock:
            for tape in tapes:
                rounds = _rounds_of(tape)
                size = _size(rounds)
                if self._items + size > _MOST_ITEMS:
                    self._kept.clear()
                    self._items = 0
                if 0 < size <= _MOST_ITEMS:
                    self._kept.setdefault(rounds, []).append(tape)
                    self._items += size


def _made(rounds: tuple[int, ...]) -> list[Any]:
    first, *others = rounds
    if prod(max(each, 1) for each in rounds) > _LONGEST:
        return _GrowingRows(tuple(others)) if others else _GrowingTape()
    return [_made(tuple(others)) for _ in range(first)] if others else [None] * first


def _rounds_of(tape: list[Any]) -> tuple[int, ...]:
    """The length of a tape, and those of its rows: none if there are no items."""
    if not tape:
        return ()
    if not isinstance(tape[0], list):
        return (len(tape),)
    rows = _rounds_of(tape[0])
    return (len(tape), *rows) if rows else ()


def _size(rounds: tuple[int, ...]) -> int:
    """The number of items of tapes of such lengths, rows among them."""
    total, items = 0, 1
    for each in rounds:
        items *= each
        total += items
    return total


_TAPES = _KeptTapes()
take_tape, keep_tapes = _TAPES.take, _TAPES.keep


def _infer_take(*rounds: Type, type: Type) -> Type:  # noqa: A002
    items = type
    for each in rounds:
        require_index(each)
        items = list_type(items).item
    return list_type(type)


def _take(*rounds: int, type: Type) -> list[Any]:  # noqa: A002
    return take_tape(*rounds)


take = defop(
    "tape.take",
    infer=_infer_take,
    kernel=_take,
    effects=WRITES,
    samples=lambda _: [
        ((0,), {"type": ListType(FLOAT)}),
        ((-2,), {"type": ListType(FLOAT)}),
        ((0, 3), {"type": ListType(ListType(FLOAT))}),
        ((-2, 3), {"type": ListType(ListType(FLOAT))}),
    ],
)
"""A list for what the rounds of a loop save, with a place for each; of lists, if its rounds run
loops that save."""


def _infer_keep(*tapes: Type) -> tuple[Type, ...]:
    for tape in tapes:
        list_type(tape)
    return ()


keep = defop(
    "tape.keep",
    infer=_infer_keep,
    kernel=keep_tapes,
    effects=WRITES,
    samples=lambda _: [(([1.5, 2.0],), {}), (([], [0.5]), {}), (([[0.5], [1.5]],), {})],
)
"""Let other calls have the lists."""
