"""Which walks are worth the threads of the pool though they are short.

In: how long a walk takes by itself, before it is done. Out: whether it is shared out: where several
of its kind follow each other at once the workers are awake, and where the last ones that were
shared out went well.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I1, I64
from staticpy.backends.llvm.lock import cycles
from staticpy.backends.llvm.pool_memory import PENALTY, STREAK, UNTIL, WATCHED, Writer

IS_WORTH = ir.FunctionType(I1, [I1, I64])
"""``is_worth``."""

_PAUSE = 1 << 18
"""For about how many of the processor's cycles a worker looks for the next job."""

_MANY = 3
"""From so many walks on that follow each other at once the next ones are shared out."""

_PENALTIES = 16, 1 << 12
"""How many more walks are done alone when one that was shared out has taken too long: at first, and
at most. Each time it is twice as many, until as many have gone well.
"""


def define_is_worth(module: ir.Module) -> None:
    """``is_worth(is_long, cycles)``: whether to share out what takes about so many of the
    processor's cycles by itself. What is not long is, where several of its kind follow each other,
    as in the rounds of a loop: the workers are awake then.
    """
    w = Writer(module, "is_worth", I1, IS_WORTH.args)
    builder, (is_long, length) = w.builder, w.args
    streak, until = (builder.load(w.at(each), typ=I64) for each in (STREAK, UNTIL))
    now = cycles(builder)
    is_behind = w.is_("<", streak, I64(0))
    begun = builder.select(is_behind, streak, I64(0))
    after_long = builder.select(is_behind, streak, I64(_MANY - 1))
    next_ = builder.select(w.is_(">", now, until), begun, builder.add(streak, I64(1)))
    next_ = builder.select(is_long, after_long, next_)
    is_one_of_many = builder.and_(builder.not_(is_long), w.is_(">=", next_, I64(_MANY)))
    builder.store(next_, w.at(STREAK))
    builder.store(builder.add(now, builder.add(length, I64(_PAUSE))), w.at(UNTIL))
    builder.store(builder.select(is_one_of_many, length, I64(0)), w.at(WATCHED))
    builder.ret(builder.or_(is_long, is_one_of_many))


@contextmanager
def watched(w: Writer) -> Iterator[None]:
    """What is done within, if it was shared out as one of many, tells whether the next ones are: a
    worker whose processor somebody else has taken holds up the one who calls.
    """
    builder, start = w.builder, cycles(w.builder)
    yield
    now = cycles(builder)
    length = builder.load(w.at(WATCHED), typ=I64)
    with builder.if_then(w.is_("!=", length, I64(0))):
        builder.store(I64(0), w.at(WATCHED))
        builder.store(builder.add(now, I64(_PAUSE)), w.at(UNTIL))
        streak, penalty = (builder.load(w.at(each), typ=I64) for each in (STREAK, PENALTY))
        least, most = map(I64, _PENALTIES)
        most_cycles = builder.add(builder.mul(length, I64(2)), I64(_PAUSE))
        is_held_up = w.is_(">", builder.sub(now, start), most_cycles)
        harder = builder.mul(builder.select(w.is_("<", penalty, least), least, penalty), I64(2))
        harder = builder.select(w.is_("<", harder, most), harder, most)
        softer = builder.select(w.is_(">", streak, penalty), least, penalty)
        builder.store(builder.select(is_held_up, harder, softer), w.at(PENALTY))
        with builder.if_then(is_held_up):
            builder.store(builder.sub(I64(0), harder), w.at(STREAK))
