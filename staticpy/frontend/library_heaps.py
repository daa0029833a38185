"""The functions of ``heapq``, written in Python for the compiler to compile where derivatives are
taken, which follow each item to its place. Items are compared as often, and in that order, as
Python's own functions do, and lie in the same places then.
"""

from __future__ import annotations

from typing import Any

_EMPTY = "index out of range"


def heapify(items: Any) -> None:
    """``heapq.heapify``."""
    for place in range(len(items) // 2 - 1, -1, -1):
        _sink(items, place)


def heappush(items: Any, item: Any) -> None:
    """``heapq.heappush``."""
    items.append(item)
    _rise(items, 0, len(items) - 1)


def heappop(items: Any) -> Any:
    """``heapq.heappop``."""
    if not items:
        raise IndexError(_EMPTY)
    last = items.pop()
    if not items:
        return last
    return heapreplace(items, last)


def heapreplace(items: Any, item: Any) -> Any:
    """``heapq.heapreplace``."""
    if not items:
        raise IndexError(_EMPTY)
    least = items[0]
    items[0] = item
    _sink(items, 0)
    return least


def heappushpop(items: Any, item: Any) -> Any:
    """``heapq.heappushpop``."""
    if items and items[0] < item:
        return heapreplace(items, item)
    return item


def _rise(items: Any, top: int, place: int) -> None:
    """Move an item towards ``top`` until what is above it is no larger."""
    item = items[place]
    while place > top:
        above = (place - 1) // 2
        if not item < items[above]:
            break
        items[place] = items[above]
        place = above
    items[place] = item


def _sink(items: Any, top: int) -> None:
    """Let the smaller items below a place move up, down to the end, and the item rise from there:
    most often it belongs near the end.
    """
    count, place, item = len(items), top, items[top]
    below = 2 * place + 1
    while below < count:
        if below + 1 < count and not items[below] < items[below + 1]:
            below += 1
        items[place] = items[below]
        place = below
        below = 2 * place + 1
    items[place] = item
    _rise(items, top, place)
