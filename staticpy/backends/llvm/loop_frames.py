"""What the parts of a loop over numbers share: a frame in memory, see ``shared_loops``.

In: the function of the rounds. Out: ``part(frame, begin, end)`` for the pool of threads, and what
looks whether all parts are to stop:

    how         bits, of which each part may set one
    caller      the thread that has called, which alone may run Python
    process     tells a process that was forked meanwhile from this one
    start       the index of the first round
    state       what the thread that has called needs to take the interpreter's lock; NULL where it
                has it
    seen        when it last had it
    ...         what the rounds read
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare, provide
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I1, I32, I64, POINTER
from staticpy.backends.llvm.lock import PAUSE, cycles, let_go, take_back
from staticpy.backends.llvm.pool import FORKS
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.vectors import field
from staticpy.backends.llvm.workers import IDLE, PART

STOPPED, HANDLER_RAISED = 1, 2
"""How it went: a part can't do its rounds; the handler of a signal has raised."""

HOW, CALLER, PROCESS, START, _STATE, _SEEN, GIVEN = range(7)
"""Where in a frame everything is; the last is the first of as many as the rounds read."""

HEAD = (I32, I64, I64, I64, POINTER, I64)

_POLL, WAIT = "rounds.poll", "rounds.wait"
"""The functions that all such loops share; the second is what the thread that has called does while
it waits for the others."""

_POLL_TYPE = ir.FunctionType(I1, [POINTER])


def forks(builder: ir.IRBuilder) -> ir.Value:
    """A number that says which process this is."""
    known = builder.module.globals.get(FORKS)
    return builder.load(known or ir.GlobalVariable(builder.module, I64, FORKS), typ=I64)


def load_how(builder: ir.IRBuilder, frame: ir.Value) -> ir.Value:
    """How it went."""
    place = field(builder, frame, ir.LiteralStructType(HEAD), HOW)
    return builder.load_atomic(place, "seq_cst", 4, typ=I32)


def _note(builder: ir.IRBuilder, frame: ir.Value, how: ir.Value) -> None:
    place = field(builder, frame, ir.LiteralStructType(HEAD), HOW)
    builder.atomic_rmw("or", place, how, "seq_cst")


@contextmanager
def without_lock(builder: ir.IRBuilder, frame: ir.Value) -> Iterator[None]:
    """Other threads of Python may run during what is emitted within, and ``poll`` lets handlers."""
    head = ir.LiteralStructType(HEAD)
    state = field(builder, frame, head, _STATE)
    builder.store(cycles(builder), field(builder, frame, head, _SEEN))
    let_go(builder, state)
    yield
    take_back(builder, state)


def define_part(rounds: ir.Function, name: str) -> str:
    """``part(frame, begin, end)``: the rounds, unless the parts are to stop. How it is called."""
    module = rounds.module
    function = ir.Function(module, PART, f"{name}.part")
    frame, *ends = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    is_later = builder.icmp_signed("!=", ends[0], I64(0))
    with builder.if_then(is_later), builder.if_then(poll(builder, frame)):
        builder.ret_void()
    how = builder.call(rounds, [frame, *ends])
    with builder.if_then(builder.icmp_signed("!=", how, I32(0)), likely=False):
        _note(builder, frame, how)
    builder.ret_void()
    return function.name


def poll(builder: ir.IRBuilder, frame: ir.Value) -> ir.Value:
    """Whether the parts are to stop. The thread that has called lets the handlers of signals run.
    One that makes a process of this one leaves that without the other threads.
    """
    return builder.call(builder.module.declared(_POLL, _POLL_TYPE), [frame])


@once
def compiled() -> Code:
    """The code of ``poll(frame)`` and ``wait(frame)``."""
    module = ir.Module("rounds")
    _define_poll(ir.Function(module, _POLL_TYPE, _POLL))
    function = ir.Function(module, IDLE, WAIT)
    builder = ir.IRBuilder(function.append_basic_block())
    poll(builder, function.args[0])
    builder.ret_void()
    return compile_modules([(module, Effort.RARELY)], [_POLL, WAIT])


def _address(name: str) -> int:
    return compiled().address(name)


for _name in (_POLL, WAIT):
    provide(_name, partial(_address, _name))


def _define_poll(function: ir.Function) -> None:
    module = function.module
    (frame,) = function.args
    builder = ir.IRBuilder(function.append_basic_block())
    caller, process, state, seen = (
        field(builder, frame, ir.LiteralStructType(HEAD), number)
        for number in (CALLER, PROCESS, _STATE, _SEEN)
    )
    is_free = builder.icmp_unsigned("!=", builder.load(state, typ=POINTER), NULL)
    with builder.if_then(builder.icmp_signed("!=", load_how(builder, frame), I32(0)), likely=False):
        builder.ret(I1(1))  # with an exception that is set no handler may run
    me = builder.call(declare(module, "PyThread_get_thread_ident"), [])
    with builder.if_then(builder.icmp_unsigned("==", me, builder.load(caller, typ=I64))):
        with builder.if_then(is_free):
            now = cycles(builder)
            passed = builder.sub(now, builder.load(seen, typ=I64))
            with builder.if_then(builder.icmp_unsigned("<", passed, I64(PAUSE))):
                builder.ret(I1(0))
            builder.store(now, seen)
            take_back(builder, state)
        raised = builder.call(declare(module, "PyErr_CheckSignals"), [])
        with builder.if_then(builder.icmp_signed("!=", raised, I32(0)), likely=False):
            _note(builder, frame, I32(HANDLER_RAISED))
        here = forks(builder)
        is_other = builder.icmp_signed("!=", here, builder.load(process, typ=I64))
        with builder.if_then(is_other, likely=False):
            _note(builder, frame, I32(STOPPED))
        with builder.if_then(is_free):
            let_go(builder, state)
    builder.ret(builder.icmp_signed("!=", load_how(builder, frame), I32(0)))
