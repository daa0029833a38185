"""The memory of the pool of threads, and the words that its functions are written in.

In: a module. Out: functions of it that read and write the members of the pool, which are numbers at
known places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.flags import move_register
from staticpy.backends.llvm.forms import I8, I32, I64
from staticpy.backends.threads import MOST

_VOID = ir.VoidType()

SIZE = 5120
LOCK, GENERATION, STOP, SLEEPERS, WORKERS, WANTED, CONTROL, FLAGS = range(0, 32, 4)
PROCESSORS, CALLERS = 32, 36
STATE, JOB, CONTEXT, COUNT, PIECE, GET, SET, OWNER = range(64, 128, 8)
TURNS, SHARES = 128, 136
STREAK, UNTIL, PENALTY, WATCHED = range(144, 176, 8)
MUTEX, CONDITION, THREADS, NEXT = 192, 320, 448, 1024
"""Where in memory everything is, in bytes; what several threads write to has lines for itself."""

LINE = 64
"""The bytes of a line of the cache."""


assert THREADS + 8 * MOST <= NEXT
assert NEXT + LINE * MOST <= SIZE


class Writer:
    """Emits one function of the pool; its members are the words that all are made of."""

    def __init__(
        self, module: ir.Module, name: str, result: ir.Type, types: Sequence[ir.Type]
    ) -> None:
        self.module = module
        self.function = ir.Function(module, ir.FunctionType(result, types), f"pool.{name}")
        self.builder = ir.IRBuilder(self.function.append_basic_block())
        self.args = self.function.args

    def at(self, offset: int) -> ir.Value:
        """The address of a member of the pool."""
        table = self.module.globals["pool.memory"]
        return self.builder.gep(table, [I64(offset)], source_etype=I8)

    def next_of(self, share: ir.Value) -> ir.Value:
        """Where is said how many turns of a share are taken."""
        offset = self.builder.mul(share, I64(LINE))
        return self.builder.gep(self.at(NEXT), [offset], source_etype=I8)

    def load(self, offset: int, type_: ir.Type = I32) -> ir.Value:
        """A member; what others do before they store it has been done."""
        size = 4 if type_ == I32 else 8
        return self.builder.load_atomic(self.at(offset), "seq_cst", size, typ=type_)

    def store(self, offset: int, value: ir.Value) -> None:
        """Let a member be ``value``, after all that was done before."""
        self.builder.atomic_rmw("xchg", self.at(offset), value, "seq_cst")

    def add(self, offset: int, value: ir.Value) -> ir.Value:
        """Add to a member; what it was."""
        return self.builder.atomic_rmw("add", self.at(offset), value, "seq_cst")

    def swap(self, offset: int, old: ir.Value, new: ir.Value) -> ir.Value:
        """Let a member that is ``old`` be ``new``; whether it was."""
        pair = self.builder.cmpxchg(self.at(offset), old, new, "seq_cst", "seq_cst")
        return self.builder.extract_value(pair, 1)

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        """Call a C function, or one of the pool."""
        known = self.module.globals.get(f"pool.{name}")
        return self.builder.call(known or declare(self.module, name), arguments)

    def pause(self) -> None:
        """Tell the processor that this thread only looks."""
        name = "llvm.x86.sse2.pause"
        known = self.module.globals.get(name)
        self.builder.call(known or ir.Function(self.module, ir.FunctionType(_VOID, []), name), [])

    def register(self, action: str, place: ir.Value) -> None:
        """Store or load the register MXCSR."""
        move_register(self.builder, action, place)

    def is_(self, sign: str, left: ir.Value, right: ir.Value) -> ir.Value:
        """A comparison."""
        return self.builder.icmp_signed(sign, left, right)

    @contextmanager
    def repeated(self) -> Iterator[ir.Block]:
        """What is emitted within runs until it branches to the block that is given."""
        body, rest = (self.function.append_basic_block() for _ in range(2))
        self.builder.branch(body)
        self.builder.position_at_end(body)
        yield rest
        self.builder.branch(body)
        self.builder.position_at_end(rest)

    def leave_if(self, condition: ir.Value, rest: ir.Block) -> None:
        """Branch to ``rest`` where ``condition`` holds."""
        after = self.function.append_basic_block()
        self.builder.cbranch(condition, rest, after)
        self.builder.position_at_end(after)
