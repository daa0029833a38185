"""The pool of threads on which long native loops run, one for a process.

In: a function of a range of units, and how many there are. Out: a call that does them all, see
``workers``. Its code is compiled once for a process. It ends when the interpreter does, and begins
anew in a process that was forked.
"""

from __future__ import annotations

import atexit
import ctypes
import os

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.blas import number_of_threads
from staticpy.backends.llvm.capi import provide
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I64, POINTER
from staticpy.backends.llvm.linked import LinkedFunction
from staticpy.backends.llvm.pool_memory import GET, PROCESSORS, SIZE, WANTED
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.workers import RUN, pool_module
from staticpy.backends.llvm.worth import IS_WORTH
from staticpy.backends.threads import get_num_threads, on_change, processors

FORKS = "pool.forks"
"""The symbol of a number that is another one in a process that was forked."""

_FORKS = ctypes.c_int64(0)
provide(FORKS, lambda: ctypes.addressof(_FORKS))

_LONG = 1 << 18
"""From so many written bytes on moves are for several threads."""


class _Pool:
    """The pool of this process."""

    def __init__(self) -> None:
        self._code = compiled()
        self._memory = self._code.address("pool.memory")
        self._stop = ctypes.CFUNCTYPE(None)(self._code.address("pool.stop"))
        self._prepare()
        on_change(self._set)
        atexit.register(self._set, 1)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin_anew)

    @property
    def is_worth(self) -> int:
        """The address of ``pool.is_worth``."""
        return self._code.address("pool.is_worth")

    @property
    def run(self) -> int:
        """The address of ``pool.run``."""
        return self._code.address("pool.run")

    def _prepare(self) -> None:
        self._set_number(PROCESSORS, processors())
        self._set_number(WANTED, get_num_threads())
        for number, address in enumerate(number_of_threads() or ()):
            ctypes.c_int64.from_address(self._memory + GET + 8 * number).value = address

    def _set_number(self, offset: int, number: int) -> None:
        ctypes.c_int32.from_address(self._memory + offset).value = number

    def _set(self, number: int) -> None:
        self._set_number(WANTED, number)
        self._stop()

    def _begin_anew(self) -> None:
        """The threads are the parent's."""
        ctypes.memset(self._memory, 0, SIZE)
        _FORKS.value += 1
        self._prepare()


@once
def _pool() -> _Pool:
    return _Pool()


@once
def compiled() -> Code:
    """The code of the pool."""
    exported = ("pool.memory", "pool.stop", "pool.run", "pool.is_worth")
    return compile_modules([(pool_module(), Effort.RARELY)], exported)


_RUN = LinkedFunction("pool.entry", RUN, lambda: _pool().run)
_IS_WORTH = LinkedFunction("pool.worth", IS_WORTH, lambda: _pool().is_worth)


def is_worth(builder: ir.IRBuilder, is_long: ir.Value, length: ir.Value) -> ir.Value:
    """Whether to share out what takes about so many cycles, asked just before it is done."""
    return _IS_WORTH.call(builder, is_long, length)


def emit_run(
    builder: ir.IRBuilder,
    part: ir.Function,
    context: ir.Value,
    count: ir.Value,
    *rest: ir.Value,
    idle: ir.Value = NULL,
) -> None:
    """A call of ``run(part, context, count, least, turns, blas, idle)``."""
    idle = builder.bitcast(idle, POINTER)
    _RUN.call(builder, builder.bitcast(part, POINTER), context, count, *rest, idle)


def emit_turns(
    builder: ir.IRBuilder, part: ir.Function, context: ir.Value, count: ir.Value, written: ir.Value
) -> None:
    """So many turns of ``part`` that only moves or computes: on several threads if the bytes that
    are ``written`` are many.
    """
    is_long = builder.icmp_unsigned(">", written, I64(_LONG))
    with builder.if_else(is_long, likely=False) as (shared, alone):
        with shared:
            emit_run(builder, part, context, count, I64(1), I64(4), I64(0))
        with alone:
            builder.call(part, [context, I64(0), count])
