"""Signals are looked for between the rounds of loops.

In: loops that are being lowered. Out: a count of the rounds that are left until handlers of signals
may run, kept for the whole function: each loop counts the rounds of its own, those of the loops
in it apart.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I32
from staticpy.backends.llvm.short_loops import takes_long
from staticpy.backends.llvm.status import INTERRUPTED, ROUNDS
from staticpy.backends.llvm.steady import read_again
from staticpy.ir import Operation

_LONG_ROUND = ROUNDS // 16
"""As how many rounds one counts that does something to whole arrays."""


class Pieces:
    """The rounds of a ``while`` that only calculates, cut into pieces between which signals are
    looked for: two loops, of which the inner one calls nothing.
    """

    def __init__(self, cx: Context, head: ir.Block, begin: Callable[[], None]) -> None:
        self._cx = cx
        self._head = head
        self._left = cx.variable(I32)
        self._start = cx.new_block("piece")
        cx.builder.branch(self._start)
        cx.go_to(self._start)
        begin()
        cx.builder.store(I32(ROUNDS), self._left)
        cx.builder.branch(head)

    def go_on(self) -> None:
        """Go to the head of the loop, which has done a round."""
        cx, pause = self._cx, self._cx.new_block("pause")
        left = cx.builder.sub(cx.builder.load(self._left, typ=I32), I32(1))
        cx.builder.store(left, self._left)
        is_over = cx.builder.icmp_signed("==", left, I32(0))
        cx.builder.cbranch(is_over, pause, self._head).set_weights([1, ROUNDS])
        cx.go_to(pause)
        check_signals(cx)
        cx.builder.branch(self._start)

    def count(self) -> None:
        """Count, after the loop, the rounds of the last piece."""
        left = self._cx.builder.load(self._left, typ=I32)
        count_rounds(self._cx, self._cx.builder.sub(I32(ROUNDS), left))


def poll(cx: Context, loop: Operation) -> None:
    """After a round of a loop with others inside: now and then let the handlers of signals run;
    what they raise, KeyboardInterrupt for one, leaves the function.
    """
    weight = _LONG_ROUND if takes_long(loop) else 1
    is_time = cx.builder.icmp_signed("<=", count_rounds(cx, I32(weight)), I32(0))
    with cx.on(is_time, "poll", weights=(1, ROUNDS // weight)):
        check_signals(cx)


def count_rounds(cx: Context, rounds: ir.Value) -> ir.Value:
    """Count rounds of a loop: how many are left until signals are looked for."""
    left = cx.builder.sub(cx.builder.load(cx.rounds_left, typ=I32), rounds)
    cx.builder.store(left, cx.rounds_left)
    return left


def check_signals(cx: Context) -> None:
    """Let the handlers of signals run, between two rounds of a loop."""
    cx.builder.store(I32(ROUNDS), cx.rounds_left)
    cx.exit_if(cx.interrupted(), INTERRUPTED)
    read_again(cx)
