"""Loops over numbers in LLVM's terms.

In: the numbers of a ``range``. Out: blocks around what is emitted within.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import I64


@contextmanager
def counted(
    builder: ir.IRBuilder, start: ir.Value, stop: ir.Value, step: int | ir.Value = 1
) -> Iterator[ir.Value]:
    """What is emitted within runs for each index of ``range(start, stop, step)``; ``stop`` has to
    be one that is reached.
    """
    before = builder.block
    by = I64(step) if isinstance(step, int) else step
    head, body, rest = (builder.append_basic_block() for _ in range(3))
    builder.branch(head)
    builder.position_at_end(head)
    index = builder.phi(I64)
    index.add_incoming(start, before)
    builder.cbranch(builder.icmp_signed("<", index, stop), body, rest)
    builder.position_at_end(body)
    yield index
    index.add_incoming(builder.add(index, by, flags=("nsw",)), builder.block)
    builder.branch(head)
    builder.position_at_end(rest)
