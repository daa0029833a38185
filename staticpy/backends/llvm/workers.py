"""The code of the pool of threads.

In: nothing. Out: a module whose function ``run(part, context, count, least, turns, blas, idle)``
lets ``part(context, begin, end)`` do ``count`` units, of which no fewer than ``least`` are worth a
turn; each thread gets about so many ``turns``; who calls does ``idle(context)`` now and then while
it waits, unless it is NULL. All units are done, each once, on as many threads as are free. With
``blas`` the BLAS has no threads of its own meanwhile, and the turns are those of one thread on each
processor, however many threads there are, as the bits of its products depend on their sizes. The
one who calls works as well, so that nothing waits for a thread to wake up. Of what is not long
``is_worth(is_long, cycles)`` says whether to share it out, before it is done:

    lock            one job at a time; who finds it taken does all units by itself
    state           1 while the job is open, and 2 for each worker in it
    next            for each thread, how many turns of its share somebody has taken

A thread takes the turns of its own share, which is the same in all jobs, and then what is left of
the others'. Jobs go forwards and backwards by turns: many walk along the arrays of the one before,
and begin with what that has ended with, which the cache of the thread still holds.

Workers look for the next job for some microseconds, and then sleep. They take no signals and know
no Python object. What flags of floating-point arithmetic they raise is raised for the one who
calls.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.forms import I1, I8, I32, I64, POINTER
from staticpy.backends.llvm.pool_memory import (
    CALLERS,
    CONDITION,
    CONTEXT,
    CONTROL,
    COUNT,
    FLAGS,
    GENERATION,
    GET,
    JOB,
    LOCK,
    MUTEX,
    OWNER,
    PIECE,
    PROCESSORS,
    SET,
    SHARES,
    SIZE,
    SLEEPERS,
    STATE,
    STOP,
    THREADS,
    TURNS,
    WANTED,
    WORKERS,
    Writer,
)
from staticpy.backends.llvm.worth import define_is_worth, watched

PART = ir.FunctionType(ir.VoidType(), [POINTER, I64, I64])
"""``part(context, begin, end)``."""

_VOID = ir.VoidType()
IDLE = ir.FunctionType(_VOID, [POINTER])
"""``idle(context)``."""

RUN = ir.FunctionType(_VOID, [POINTER, POINTER, *[I64] * 4, POINTER])
"""``run``."""

_SPINS = 8000
"""How often a worker looks for a job before it sleeps: some 100 microseconds."""

_IS_LINUX = sys.platform == "linux"
"""Whether a thread can say where it runs."""

_MASK = 1024
"""The bytes of a set of processors."""

_EXCEPTIONS = 0x3F
"""The flags in the register MXCSR; the rest of it says how to round."""


def _work(module: ir.Module) -> None:
    """``work(thread)``: do turns until there are none."""
    w = Writer(module, "work", _VOID, [I64])
    part, context = (w.builder.inttoptr(w.load(each, I64), POINTER) for each in (JOB, CONTEXT))
    count, piece, turns, shares = (w.load(each, I64) for each in (COUNT, PIECE, TURNS, SHARES))
    is_backwards = w.is_("!=", w.builder.and_(w.load(GENERATION), I32(1)), I32(0))
    (thread,) = w.args
    with counted(w.builder, thread, w.builder.add(thread, shares)) as number:
        share = w.builder.srem(number, shares)
        first, last = (
            w.builder.sdiv(w.builder.mul(turns, each), shares)
            for each in (share, w.builder.add(share, I64(1)))
        )
        next_ = w.next_of(share)
        with w.repeated() as rest:
            # Of many threads, each looks at all shares: who only reads doesn't take them a line.
            seen = w.builder.load_atomic(next_, "seq_cst", 8, typ=I64)
            w.leave_if(w.is_(">=", w.builder.add(first, seen), last), rest)
            taken = w.builder.atomic_rmw("add", next_, I64(1), "seq_cst")
            turn = w.builder.add(first, taken)
            w.leave_if(w.is_(">=", turn, last), rest)
            backwards = w.builder.sub(w.builder.sub(last, I64(1)), taken)
            begin = w.builder.mul(w.builder.select(is_backwards, backwards, turn), piece)
            _call_part(w, part, [context, begin, _end(w, begin, piece, count)])
    w.builder.ret_void()


def _end(w: Writer, begin: ir.Value, piece: ir.Value, count: ir.Value) -> ir.Value:
    end = w.builder.add(begin, piece)
    return w.builder.select(w.is_("<", end, count), end, count)


def _call_part(w: Writer, part: ir.Value, arguments: Sequence[ir.Value]) -> None:
    _called(w, part, PART, arguments)


def _called(
    w: Writer, function: ir.Value, type_: ir.FunctionType, arguments: Sequence[ir.Value]
) -> ir.Value:
    function.type = ir.PointerType(type_)
    return w.builder.call(function, arguments)


def _wait(module: ir.Module) -> None:
    """``wait(seen)``: until another generation than that has come."""
    w = Writer(module, "wait", _VOID, [I32])
    with counted(w.builder, I64(0), I64(_SPINS)):
        with w.builder.if_then(w.is_("!=", w.load(GENERATION), w.args[0])):
            w.builder.ret_void()
        w.pause()
    w.call("pthread_mutex_lock", w.at(MUTEX))
    w.add(SLEEPERS, I32(1))
    with w.repeated() as rest:
        w.leave_if(w.is_("!=", w.load(GENERATION), w.args[0]), rest)
        w.call("pthread_cond_wait", w.at(CONDITION), w.at(MUTEX))
    w.add(SLEEPERS, I32(-1))
    w.call("pthread_mutex_unlock", w.at(MUTEX))
    w.builder.ret_void()


def _join(module: ir.Module) -> None:
    """``join()``: be one more of those in the job; whether there is one."""
    w = Writer(module, "join", I1, [])
    with w.repeated() as rest:
        state = w.load(STATE, I64)
        w.leave_if(w.is_("==", w.builder.and_(state, I64(1)), I64(0)), rest)
        with w.builder.if_then(w.swap(STATE, state, w.builder.add(state, I64(2)))):
            w.builder.ret(I1(1))
    w.builder.ret(I1(0))


def _worker(module: ir.Module) -> None:
    """``worker(begun)``: what a thread does, which is given its number above the generation from
    which on it looks for jobs.
    """
    w = Writer(module, "worker", POINTER, [POINTER])
    register, seen = w.builder.alloca(I32), w.builder.alloca(I32)
    begun = w.builder.ptrtoint(w.args[0], I64)
    thread = w.builder.lshr(begun, I64(32))
    w.builder.store(w.builder.trunc(begun, I32), seen)
    with w.repeated() as rest:
        w.call("wait", w.builder.load(seen, typ=I32))
        w.builder.store(w.load(GENERATION), seen)
        w.leave_if(w.is_("!=", w.load(STOP), I32(0)), rest)
        with w.builder.if_then(w.call("join")):
            if _IS_LINUX:
                w.call("step_aside")
            w.builder.store(w.load(CONTROL), register)
            w.register("ld", register)
            w.call("work", thread)
            w.register("st", register)
            flags = w.builder.and_(w.builder.load(register, typ=I32), I32(_EXCEPTIONS))
            w.builder.atomic_rmw("or", w.at(FLAGS), flags, "seq_cst")
            w.add(STATE, I64(-2))
    w.builder.ret(NULL)


def _step_aside(module: ir.Module) -> None:
    """``step_aside()``: leave the processor on which the caller works, for another one. A thread
    that is woken may be put there where others are busy, though with less to say; it would work
    only while the caller waits, and be put there the next time, too.
    """
    w = Writer(module, "step_aside", _VOID, [])
    here = w.call("sched_getcpu")
    with w.builder.if_then(w.is_("!=", here, w.load(CALLERS))):
        w.builder.ret_void()
    allowed, others = (w.builder.alloca(ir.ArrayType(I64, _MASK // 8)) for _ in range(2))
    for mask in (allowed, others):
        failed = w.call("sched_getaffinity", I32(0), I64(_MASK), mask)
        with w.builder.if_then(w.is_("<", failed, I32(0))):
            w.builder.ret_void()
    number = w.builder.zext(here, I64)
    place = w.builder.gep(others, [w.builder.lshr(number, I64(3))], source_etype=I8)
    bit = w.builder.shl(I64(1), w.builder.and_(number, I64(7)))
    rest = w.builder.xor(w.builder.trunc(bit, I8), I8(-1))
    w.builder.store(w.builder.and_(w.builder.load(place, typ=I8), rest), place)
    w.call("sched_setaffinity", I32(0), I64(_MASK), others)  # of none it does nothing
    w.call("sched_setaffinity", I32(0), I64(_MASK), allowed)
    w.builder.ret_void()


def _call_workers(module: ir.Module) -> None:
    """``call_workers()``: a new generation begins; who sleeps is woken."""
    w = Writer(module, "call_workers", _VOID, [])
    w.add(GENERATION, I32(1))
    with w.builder.if_then(w.is_("!=", w.load(SLEEPERS), I32(0))):
        w.call("pthread_mutex_lock", w.at(MUTEX))
        w.call("pthread_cond_broadcast", w.at(CONDITION))
        w.call("pthread_mutex_unlock", w.at(MUTEX))
    w.builder.ret_void()


def _start(module: ir.Module) -> None:
    """``start()``: as many workers as are wanted, or as many as the system gives."""
    w = Writer(module, "start", _VOID, [])
    every, before = (w.builder.alloca(ir.ArrayType(I64, 16)) for _ in range(2))
    with w.builder.if_then(w.is_("==", w.load(WORKERS), I32(0))):
        w.call("pthread_mutex_init", w.at(MUTEX), NULL)
        w.call("pthread_cond_init", w.at(CONDITION), NULL)
    w.call("sigfillset", every)
    w.call("pthread_sigmask", I32(signal.SIG_SETMASK), every, before)
    with w.repeated() as rest:
        workers = w.load(WORKERS)
        w.leave_if(w.is_(">=", workers, w.builder.sub(w.load(WANTED), I32(1))), rest)
        number = w.builder.mul(w.builder.sext(workers, I64), I64(8))
        place = w.builder.gep(w.at(THREADS), [number], source_etype=I8)
        thread = w.builder.zext(w.builder.add(workers, I32(1)), I64)
        generation = w.builder.zext(w.load(GENERATION), I64)
        begun = w.builder.or_(w.builder.shl(thread, I64(32)), generation)
        worker = w.builder.bitcast(module.globals["pool.worker"], POINTER)
        failed = w.call("pthread_create", place, NULL, worker, w.builder.inttoptr(begun, POINTER))
        with w.builder.if_then(w.is_("!=", failed, I32(0))):
            w.store(WANTED, w.builder.add(workers, I32(1)))
            w.builder.branch(rest)
        w.add(WORKERS, I32(1))
    w.call("pthread_sigmask", I32(signal.SIG_SETMASK), before, NULL)
    w.builder.ret_void()


def _stop(module: ir.Module) -> None:
    """``stop()``: let all workers end, and wait until they have. A handler of a signal, which runs
    while its thread has a job, can't wait for that: then nothing ends.
    """
    w = Writer(module, "stop", _VOID, [])
    me = w.call("PyThread_get_thread_ident")
    with w.builder.if_then(w.is_("==", w.load(OWNER, I64), me)):
        w.builder.ret_void()
    with w.repeated() as rest:
        w.leave_if(w.swap(LOCK, I32(0), I32(1)), rest)
        w.call("sched_yield")
    w.store(STOP, I32(1))
    w.call("call_workers")
    with counted(w.builder, I64(0), w.builder.sext(w.load(WORKERS), I64)) as index:
        place = w.builder.gep(w.at(THREADS), [w.builder.mul(index, I64(8))], source_etype=I8)
        w.call("pthread_join", w.builder.load(place, typ=I64), NULL)
    w.store(WORKERS, I32(0))
    w.store(STOP, I32(0))
    w.store(LOCK, I32(0))
    w.builder.ret_void()


def _run(module: ir.Module) -> None:
    """``run(part, context, count, least, turns, blas, idle)``, see above."""
    w = Writer(module, "run", _VOID, RUN.args)
    part, context, count, least, turns, blas, idle = w.args
    is_blas = w.is_("!=", blas, I64(0))
    threads = w.builder.select(is_blas, w.load(PROCESSORS), w.load(WANTED))
    turns = w.builder.mul(least, w.builder.mul(w.builder.sext(threads, I64), turns))
    many = w.builder.sdiv(w.builder.add(count, w.builder.sub(turns, I64(1))), turns)
    piece = w.builder.mul(least, many)
    with watched(w), _limited(w, is_blas):
        done = w.call("share", part, context, count, piece, idle)
        with w.builder.if_then(w.builder.not_(done)):
            step = w.builder.select(is_blas, piece, count)
            with counted(w.builder, I64(0), count, step) as begin:
                _call_part(w, part, [context, begin, _end(w, begin, step, count)])
    w.builder.ret_void()


def _share(module: ir.Module) -> None:
    """``share(part, context, count, piece, idle)``: all units, with the other threads; whether
    there are any, and they aren't busy.
    """
    w = Writer(module, "share", I1, [*[POINTER] * 2, *[I64] * 2, POINTER])
    _, _, count, piece, _ = w.args
    wanted = w.load(WANTED)
    is_worth_it = w.builder.and_(w.is_(">", wanted, I32(1)), w.is_(">", count, piece))
    with w.builder.if_then(is_worth_it), w.builder.if_then(w.swap(LOCK, I32(0), I32(1))):
        with w.builder.if_then(w.is_("<", w.load(WORKERS), w.builder.sub(wanted, I32(1)))):
            w.call("start")
        w.store(OWNER, w.call("PyThread_get_thread_ident"))
        _do(w)
        w.store(OWNER, I64(0))
        w.store(LOCK, I32(0))
        w.builder.ret(I1(1))
    w.builder.ret(I1(0))


@contextmanager
def _limited(w: Writer, is_blas: ir.Value) -> Iterator[None]:
    """The BLAS has no threads of its own within, if ``is_blas``. Whoever finds another number sets
    it back, so that several callers never leave it at one.
    """
    number = w.builder.alloca(I32)
    w.builder.store(I32(1), number)
    with w.builder.if_then(is_blas):
        get = w.builder.inttoptr(w.load(GET, I64), POINTER)
        w.builder.store(_called(w, get, ir.FunctionType(I32, []), []), number)
    many = w.is_(">", w.builder.load(number, typ=I32), I32(1))
    set_ = w.builder.inttoptr(w.load(SET, I64), POINTER)
    type_ = ir.FunctionType(_VOID, [I32])
    with w.builder.if_then(many):
        _called(w, set_, type_, [I32(1)])
    yield
    with w.builder.if_then(many):
        _called(w, set_, type_, [w.builder.load(number, typ=I32)])


def _do(w: Writer) -> None:
    """Open the job, work, close it, and wait for those who are still in it."""
    builder = w.builder
    part, context, count, piece, idle = w.args
    register = builder.alloca(I32)
    w.register("st", register)
    control = builder.and_(builder.load(register, typ=I32), I32(~_EXCEPTIONS))
    if _IS_LINUX:
        w.store(CALLERS, w.call("sched_getcpu"))
    turns = builder.sdiv(builder.add(count, builder.sub(piece, I64(1))), piece)
    shares = builder.sext(w.load(WANTED), I64)
    with counted(builder, I64(0), shares) as share:
        builder.store(I64(0), w.next_of(share))
    for offset, value in (
        (JOB, builder.ptrtoint(part, I64)),
        (CONTEXT, builder.ptrtoint(context, I64)),
        (COUNT, count),
        (PIECE, piece),
        (TURNS, turns),
        (SHARES, shares),
        (CONTROL, control),
        (FLAGS, I32(0)),
        (STATE, I64(1)),
    ):
        w.store(offset, value)
    w.call("call_workers")
    w.call("work", I64(0))
    w.add(STATE, I64(-1))
    with w.repeated() as rest:  # below 0 in a process that ``idle``, or a part, has forked
        w.leave_if(w.is_("<=", w.load(STATE, I64), I64(0)), rest)
        with counted(builder, I64(0), I64(100)):
            with builder.if_then(w.is_("<=", w.load(STATE, I64), I64(0))):
                builder.branch(rest)
            w.pause()
        with builder.if_then(builder.icmp_unsigned("!=", idle, NULL)):
            _called(w, idle, IDLE, [context])
        w.call("sched_yield")
    w.register("st", register)
    raised = builder.or_(builder.load(register, typ=I32), w.load(FLAGS))
    builder.store(raised, register)
    w.register("ld", register)


def pool_module() -> ir.Module:
    """The module. It exports ``pool.memory``, ``pool.run``, ``pool.is_worth``, and ``pool.stop``,
    which lets all workers end.
    """
    module = ir.Module("pool")
    memory = ir.GlobalVariable(module, ir.ArrayType(I8, SIZE), "pool.memory")
    memory.initializer = ir.Constant(memory.value_type, None)
    memory.align = 64
    if _IS_LINUX:
        _step_aside(module)
    for emit in (_work, _wait, _join, _worker, _call_workers, _start, _stop, _share, _run):
        emit(module)
    define_is_worth(module)
    return module
