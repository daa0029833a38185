"""How many calls within each other the interpreter still allows.

In: nothing. Out: the number that CPython counts down at each call of a Python function; when it is
used up a RecursionError comes. Its place in the state of a thread differs between versions, so that
it is looked for once, by what happens to it in a call.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I32

_FIRST, _LAST = 16, 128
"""Where the number is looked for, in bytes from the start of the state."""

_DEEPEST = 1024
"""So many native calls within each other need less than a thread has of the stack of C."""


def _numbers() -> list[int]:
    """What is there in the state of this thread, as ints of 32 bits."""
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype, get.argtypes = ctypes.c_void_p, []
    count = (_LAST - _FIRST) // 4
    return list((ctypes.c_int32 * count).from_address(get() + _FIRST))


def _numbers_deeper() -> list[int]:
    return _numbers()


@cache
def remaining_place() -> int | None:
    """Where the number is: before the limit, and one less in a call; None if there is no such."""
    limit = sys.getrecursionlimit()
    here, deeper = _numbers(), _numbers_deeper()
    for place in range(len(here) - 1):
        counts = 0 < here[place] <= limit and deeper[place] == here[place] - 1
        if counts and here[place + 1] == deeper[place + 1] == limit:
            return _FIRST + 4 * place
    return None


def calls_left(cx: Context) -> ir.Value:
    """How many native calls within each other there may be in a function that stands for a frame of
    Python's itself.
    """
    place = remaining_place()
    assert place is not None
    left = cx.builder.load(cx.at(cx.call("PyThreadState_Get"), place), typ=I32)
    left = cx.builder.sub(left, I32(1))
    is_more = cx.builder.icmp_signed(">", left, I32(_DEEPEST))
    return cx.builder.select(is_more, I32(_DEEPEST), left)
