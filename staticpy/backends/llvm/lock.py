"""The lock of the interpreter, let go of while a long computation runs.

In: a condition. Out: code around what is emitted within, which touches no Python object.

Loops over numbers, and functions of numbers that call each other, know no sooner than they run how
long they take. They call ``poll(status)`` now and then, and have in their status:

    LETS_GO     whether the lock may be let go of
    STATE       what is needed to take it again; NULL where it is held
    NEXT        from when on others are to have it, by the processor's clock; 0 at first

What needs the lock calls ``take(status)`` before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare, provide
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I8, I32, I64, POINTER
from staticpy.backends.llvm.status import LETS_GO, NEXT, STATE
from staticpy.backends.llvm.units import Effort

POLL, TAKE = "lock.poll", "lock.take"

_FIRST, PAUSE = 1 << 22, 1 << 26
"""After how many cycles the lock is let go of, some milliseconds; and for how many it isn't taken,
some 20 milliseconds. Another thread of Python gives it away after 5."""


@contextmanager
def without_lock(builder: ir.IRBuilder, condition: ir.Value) -> Iterator[None]:
    """Other threads of Python may run during what is emitted within, where ``condition`` holds."""
    with builder.goto_entry_block():
        place = builder.alloca(POINTER)
    builder.store(NULL, place)
    with builder.if_then(condition, likely=False):
        let_go(builder, place)
    yield
    with _if_gone(builder, place):
        take_back(builder, place)


def let_go(builder: ir.IRBuilder, place: ir.Value) -> None:
    """Let go of the lock, and keep what is needed to take it again."""
    builder.store(builder.call(declare(builder.module, "PyEval_SaveThread"), []), place)


def take_back(builder: ir.IRBuilder, place: ir.Value) -> None:
    """Take the lock again, by what is kept at ``place``."""
    state = builder.load(place, typ=POINTER)
    builder.call(declare(builder.module, "PyEval_RestoreThread"), [state])
    builder.store(NULL, place)


def cycles(builder: ir.IRBuilder) -> ir.Value:
    """The processor's own clock."""
    read = builder.module.declared("llvm.readcyclecounter", ir.FunctionType(I64, []))
    return builder.call(read, [])


def poll(builder: ir.IRBuilder, status: ir.Value) -> ir.Value:
    """Let the handlers of signals and other threads run: whether a handler has raised."""
    function = builder.module.declared(POLL, ir.FunctionType(I32, [POINTER]))
    return builder.icmp_signed("!=", builder.call(function, [status]), I32(0))


def take(builder: ir.IRBuilder, status: ir.Value) -> None:
    """Have the lock."""
    builder.call(builder.module.declared(TAKE, ir.FunctionType(ir.VoidType(), [POINTER])), [status])


def take_if_gone(builder: ir.IRBuilder, status: ir.Value) -> None:
    """Have the lock, where it is mostly held."""
    with _if_gone(builder, _at(builder, status, STATE)):
        take(builder, status)


@contextmanager
def _if_gone(builder: ir.IRBuilder, place: ir.Value) -> Iterator[None]:
    is_gone = builder.icmp_unsigned("!=", builder.load(place, typ=POINTER), NULL)
    with builder.if_then(is_gone, likely=False):
        yield


def _at(builder: ir.IRBuilder, status: ir.Value, offset: int) -> ir.Value:
    return builder.gep(status, [I64(offset)], source_etype=I8)


@once
def compiled() -> Code:
    """The code of ``poll`` and ``take``."""
    module = ir.Module("lock")
    _define_poll(module)
    _define_take(module)
    return compile_modules([(module, Effort.RARELY)], [POLL, TAKE])


def _address(name: str) -> int:
    return compiled().address(name)


for _name in (POLL, TAKE):
    provide(_name, partial(_address, _name))


def _define_poll(module: ir.Module) -> None:
    function = ir.Function(module, ir.FunctionType(I32, [POINTER]), POLL)
    builder = ir.IRBuilder(function.append_basic_block())
    lets_go, state, next_ = (
        _at(builder, function.args[0], offset) for offset in (LETS_GO, STATE, NEXT)
    )
    due = builder.load(next_, typ=I64)
    is_first = builder.icmp_signed("==", due, I64(0))
    is_early = builder.icmp_signed("<", cycles(builder), due)
    with builder.if_then(is_early):
        builder.ret(I32(0))
    with _if_gone(builder, state):
        take_back(builder, state)
    raised = builder.call(declare(module, "PyErr_CheckSignals"), [])
    with builder.if_then(builder.icmp_signed("!=", raised, I32(0))):
        builder.ret(I32(1))
    pause = builder.select(is_first, I64(_FIRST), I64(PAUSE))
    builder.store(builder.add(cycles(builder), pause), next_)
    with builder.if_then(builder.not_(is_first)):
        let_go(builder, state)
        may = builder.icmp_signed("!=", builder.load(lets_go, typ=I32), I32(0))
        with builder.if_then(builder.not_(may)):  # others had their turn
            take_back(builder, state)
    builder.ret(I32(0))


def _define_take(module: ir.Module) -> None:
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), TAKE)
    builder = ir.IRBuilder(function.append_basic_block())
    place = _at(builder, function.args[0], STATE)
    with _if_gone(builder, place):
        take_back(builder, place)
    builder.ret_void()
