"""Loops over numbers in LLVM's terms.

In: the numbers of a ``range``. Out: blocks around what is emitted within.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I64

_SAME = ir.FunctionType(I64, [I64])


@contextmanager
def counted(
    builder: ir.IRBuilder,
    start: ir.Value,
    stop: ir.Value,
    step: int | ir.Value = 1,
    *,
    as_written: bool = False,
) -> Iterator[ir.Value]:
    """What is emitted within runs for each index of ``range(start, stop, step)``; ``stop`` has to
    be one that is reached. The index is known within alone.

    Of a loop that is ``as_written`` as it should run, LLVM isn't shown that its index counts: to
    look for other ways to count takes it a sixth of the time for the machine code of a loop of
    vectors, and it finds none.
    """
    before = builder.block
    by = I64(step) if isinstance(step, int) else step
    head, body, rest = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    counter = builder.phi(I64)
    counter.add_incoming(start, before)
    builder.cbranch(builder.icmp_signed("<", counter, stop), body, rest)
    builder.position_at_end(body)
    index = builder.asm(_SAME, "", "=r,0", [counter]) if as_written else counter
    yield index
    counter.add_incoming(builder.add(index, by, flags=("nsw",)), builder.block)
    builder.branch(head)
    builder.position_at_end(rest)
