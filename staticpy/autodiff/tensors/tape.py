"""The tape: what plain Python does with Tensors, operation by operation.

In: what Tensors go into. Out: a block of the graph that grows. Each operation is emitted by the
same adapters as those of a compiled function and computed at once by its kernel; the way back is
emitted behind it by the same rules, and computed in the same way.

A transform of a plain function records the whole function on one tape (``recording``). Elsewhere
each operation on Tensors gets a short tape of its own, which knows where its arguments come from
(``sources``). Only results hold their tape, so what nobody can go back from any more is freed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar, Token
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from staticpy import ir, ops
from staticpy.autodiff.tensors.order import differentiating
from staticpy.diagnostics import (
    CompileError,
    DiagnosticError,
    Diagnostics,
    DiagnosticSpec,
    TensorError,
    catalog,
)
from staticpy.ir import Block, Builder, Operation, Type, Value, type_of
from staticpy.ops import REGISTRY, Effect, OpDef
from staticpy.source import NO_SPAN, OWN_FILES, SourceSpan, line_span

_CURRENT: ContextVar[Tape | None] = ContextVar("staticpy_tape", default=None)
_GOING_BACK: ContextVar[Tape | None] = ContextVar("staticpy_going_back", default=None)
_ENABLED: ContextVar[bool] = ContextVar("staticpy_grad_enabled", default=True)

_NUMPY_FILES = str(Path(np.__file__).parent) + os.sep

_NOT_OF_USERS = (OWN_FILES, _NUMPY_FILES, "<staticpy ")  # the last is what the entries have

_READ_FOR_SHAPE = {
    **dict.fromkeys(("dim", "zeros_like", "ones_like", "full_like"), 0),
    **dict.fromkeys(("scatter_add", "sum_to"), 1),
}
"""Ops of which one operand, by its position, counts by its shape alone."""


class Counter:
    """How often Tensors have written to an array, and where they did last."""

    __slots__ = ("version", "written_at")

    def __init__(self) -> None:
        self.version = 0
        self.written_at = NO_SPAN


class Memory:
    """An array, of which all Tensors that are views of it know.

    Attributes:
        array: the array that owns the elements.
        counter: counts the writes, also those by Tensors that are detached from these.
        is_given: whether it is a copy of an array of the program: a write to it would be lost.
        tensors: the Tensors that show elements of it.
    """

    __slots__ = ("array", "counter", "is_given", "tensors")

    def __init__(self, array: np.ndarray, *, is_given: bool = False) -> None:
        self.array = array
        self.counter = Counter()
        self.is_given = is_given
        self.tensors: list[ref[Any]] = []

    @property
    def version(self) -> int:
        """How often it was written to."""
        return self.counter.version

    def detached(self) -> Memory:
        """The same array for Tensors of which these ones' records know nothing."""
        memory = Memory(self.array, is_given=self.is_given)
        memory.counter = self.counter
        return memory

    def write(self) -> None:
        """Count a write."""
        self.counter.version += 1
        self.counter.written_at = users_line()

    def require(self, version: int, what: str) -> None:
        """Refuse that ``what`` reads an older version.

        Raises:
            DiagnosticError: SAVED_VALUE_CHANGED.
        """
        if version != self.version:
            span = self.counter.written_at
            raise DiagnosticError(catalog.SAVED_VALUE_CHANGED, span, what=what)

    def alive(self) -> list[Any]:
        """The Tensors that are still there."""
        found = [(each, tensor) for each in self.tensors if (tensor := each()) is not None]
        self.tensors = [each for each, _ in found]
        return [tensor for _, tensor in found]

    def add(self, tensor: Any) -> None:
        """Know of one more Tensor."""
        count = len(self.tensors)
        if count >= 8 and count & (count - 1) == 0:  # at powers of two: linear in all
            self.alive()
        self.tensors.append(ref(tensor))


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the elements of a view."""
    base: Any = array
    while (base := getattr(base, "base", None)) is not None:
        if isinstance(base, np.ndarray):
            array = base
    return array


class Source(NamedTuple):
    """Where an argument of a tape comes from: a leaf, or a value of another tape."""

    leaf: Any
    tape: Tape | None
    value: Value


class Tape:
    """A block that is computed as it grows.

    Attributes:
        values: what each Value is.
        sources: where the arguments come from that derivatives flow to.
        hooks: what the cotangents of values go through.
        keeps_history: whether derivatives flow to what was computed before the tape.
        met_tensors: whether a Tensor from before the tape was used.
        is_shared: whether more is recorded on it than one operation on Tensors.
        is_open: whether a function is being recorded on it.
        is_freed: whether the way back was taken, and what it reads is gone.
    """

    def __init__(self, *, keeps_history: bool = True, is_shared: bool = False) -> None:
        self.block = Block()
        self.builder = Builder(self.block)
        self.values: dict[Value, Any] = {}
        self.sources: dict[Value, Source] = {}
        self.hooks: dict[Value, list[Any]] = {}
        self.keeps_history = keeps_history
        self.met_tensors = False
        self.is_shared = is_shared
        self.is_open = False
        self.is_freed = False
        self._seen: dict[Value, tuple[Memory, int]] = {}
        self._computed = 0

    def given(self, item: Any) -> Value:
        """A number or array of the program as a Value of the block; of an array, which may be
        written to later, a copy.
        """
        if not isinstance(item, np.ndarray):
            return self.argument(item)
        typed(item)  # no subclass, whose copy would be something else
        copied = np.copy(item)
        return self.argument(copied, Memory(copied, is_given=True))

    def argument(self, item: Any, memory: Memory | None = None) -> Value:
        """A number or array, in ``memory``, as an argument of the block."""
        value = self.block.add_arg(typed(item))
        self.enter(value, item, memory)
        return value

    def enter(self, value: Value, item: Any, memory: Memory | None = None) -> None:
        """Let ``value`` be a number or array, which is in ``memory``, or in one of its own."""
        self.values[value] = item
        if isinstance(item, np.ndarray):
            memory = memory or Memory(owner_of(item))
            self._seen[value] = memory, memory.version

    def renew(self, value: Value, item: np.ndarray, memory: Memory) -> None:
        """Let ``value`` be an array in ``memory`` as the write that is going on leaves it."""
        self.values[value] = item
        self._seen[value] = memory, memory.version + 1

    def memory_of(self, value: Value) -> Memory | None:
        """The memory of a value; None of a number."""
        return self._seen[value][0] if value in self._seen else None

    def copy_value(self, place: Value, other: Tape, value: Value) -> None:
        """Let ``place`` be here what ``value`` is on another tape, as it was seen there."""
        self.values[place] = other.values[value]
        self.hooks.update({place: other.hooks[value]} if value in other.hooks else {})
        if value in other._seen:
            self._seen[place] = other._seen[value]

    def know(self, other: Tape) -> None:
        """Let what is on another tape be read here, and gone back to."""
        self.values.update(other.values)
        self.sources.update(other.sources)
        self.hooks.update(other.hooks)
        self._seen.update(other._seen)
        self.met_tensors |= other.met_tensors

    def version_of(self, value: Value) -> int:
        """Which version of its memory a value is."""
        return self._seen[value][1] if value in self._seen else 0

    def renewed(self, value: Value, item: Any, memory: Memory | None, version: int) -> Value:
        """A Value for what has become of an array by writes that were not recorded, which no
        derivative knows of: ``item``.
        """
        self.compute()
        made = Builder(self.block).emit(ops.copy, [value], {"order": "K"}).result
        self.values[made] = item
        if memory is not None:
            self._seen[made] = memory, version
        self.skip()
        return made

    def emit_known(
        self, op: OpDef, operands: list[Value], attrs: dict[str, Any], results: list[Any]
    ) -> tuple[Value, ...]:
        """Emit an operation whose results are known."""
        self.compute()
        with self.builder.at(users_line()):
            made = self.builder.emit(op, operands, attrs)
        for result, item in zip(made.results, results, strict=True):
            self.enter(result, item)
        self.skip()
        return made.results

    def skip(self) -> None:
        """Take all operations as computed."""
        self._computed = len(self.block.operations)

    def compute(self) -> None:
        """Run the kernels of what was emitted since the last time.

        Raises:
            DiagnosticError: SAVED_VALUE_CHANGED, one reads what was written to since.
            TypeError: one can't be computed on Tensors.
        """
        while self._computed < len(self.block.operations):
            operation = self.block.operations[self._computed]
            self._computed += 1
            try:
                self._run(operation)
            except BaseException:  # which the program may catch: it was as if nothing was done
                del self.block.operations[self._computed - 1 :]
                self._computed -= 1
                raise

    def compute_for(self, wanted: Iterable[Value]) -> None:
        """As ``compute``, of what ``wanted`` depend on; the rest of what was emitted is dropped."""
        needed = set(wanted)
        kept: list[Operation] = []
        for operation in reversed(self.block.operations[self._computed :]):
            if needed.isdisjoint(operation.results):
                for position, operand in enumerate(operation.operands):
                    operand.uses.pop((operation, position), None)
            else:
                kept.append(operation)
                needed.update(operation.operands)
        self.block.operations[self._computed :] = reversed(kept)
        self.compute()

    def _run(self, operation: Operation) -> None:
        op = REGISTRY[operation.name]
        if op.kernel is None:
            raise TypeError(f"{op.name} is not computed on Tensors: compile the function")
        given = [operand.type for operand in operation.operands]
        if Effect.WRITES in op.effects_of(given, operation.attrs):
            raise refused(catalog.CHANGED_ON_TAPE, what="an array that Tensors go into")
        for position, operand in enumerate(operation.operands):
            if _READ_FOR_SHAPE.get(op.name) != position:
                self.require_unchanged(operand, f"the way back, by '{op.name}',")
        operands = [self.values[operand] for operand in operation.operands]
        types = [result.type for result in operation.results]
        results = ops.results_of(op.kernel(*operands, **operation.attrs), types)
        for number, (value, item) in enumerate(zip(operation.results, results, strict=True)):
            if isinstance(value.type, ir.UnionType) or ir.UNKNOWN in ir.dims_of(value.type):
                value.type = typed(item)  # which of the types it is, and its sizes, are known now
            self.enter(value, item, self._memory_of_view(operation, number, item))

    def _memory_of_view(self, operation: Operation, number: int, item: Any) -> Memory | None:
        """The memory of the operand that a result is a view of: the first one, or that of the same
        number, where several show the same array.
        """
        if not isinstance(item, np.ndarray):
            return None
        owner = owner_of(item)
        operands = operation.operands
        for operand in (*operands[number : number + 1], *operands):
            memory = self.memory_of(operand)
            if memory is not None and memory.array is owner:
                return memory
        return None

    def require_unchanged(self, value: Value, what: str) -> None:
        """Refuse that ``what`` reads a value that is not what it was when it was recorded.

        Raises:
            DiagnosticError: SAVED_VALUE_CHANGED.
        """
        if value in self._seen:
            memory, version = self._seen[value]
            memory.require(version, what)

    def free(self) -> None:
        """Let go of what the way back reads."""
        self.block = Block()
        for held in (self.values, self.sources, self.hooks, self._seen):
            held.clear()
        self.is_freed = True

    @property
    def length(self) -> int:
        """How many operations there are."""
        return len(self.block.operations)


def typed(item: Any) -> Type:
    """The type of a number or array.

    Raises:
        TypeError: it has none in the graph.
    """
    type_ = type_of(item)
    if type_ is None:
        what = f"{type(item).__name__} {getattr(item, 'dtype', '')}".strip()
        raise TypeError(f"{what} does not go together with Tensors")
    return type_


# --- where operations go --------------------------------------------------------------------------


@contextmanager
def recording() -> Iterator[Tape]:
    """The tape that is being recorded, or a new one, of which a derivative is taken."""
    outer = _CURRENT.get()
    tape = outer or Tape(keeps_history=_ENABLED.get(), is_shared=True)
    tape.is_open = True
    current, enabled = _CURRENT.set(tape), _ENABLED.set(True)
    try:
        with differentiating():
            yield tape
    except ValueError as error:  # as NumPy makes it of what the items of an array are refused for
        if isinstance(error.__cause__, TensorError):
            raise error.__cause__ from None
        raise
    finally:
        tape.is_open = outer is not None
        _ENABLED.reset(enabled)
        _CURRENT.reset(current)


def is_recording() -> bool:
    """Whether a tape is being recorded."""
    return _CURRENT.get() is not None


def is_grad_enabled() -> bool:
    """Whether what Tensors do is recorded: not inside of ``no_grad``."""
    return _ENABLED.get()


def operations_tape() -> Tape:
    """The tape for what is done next."""
    current = _CURRENT.get() if _ENABLED.get() else None
    return current or Tape()


@contextmanager
def on_the_way_back(tape: Tape) -> Iterator[None]:
    """Let rules know the tape on which the way back is emitted."""
    token = _GOING_BACK.set(tape)
    try:
        yield
    finally:
        _GOING_BACK.reset(token)


def going_back() -> Tape:
    """The tape on which the way back is emitted."""
    tape = _GOING_BACK.get()
    assert tape is not None, "a rule that needs a tape is met in a graph"
    return tape


class _Enabled(ContextDecorator):
    """A ``with`` in which operations are recorded, or not."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled
        self._tokens: list[Token[bool]] = []

    def __enter__(self) -> None:
        self._tokens.append(_ENABLED.set(self._enabled))

    def __exit__(self, *_: object) -> None:
        _ENABLED.reset(self._tokens.pop())

    def _recreate_cm(self) -> _Enabled:
        return _Enabled(self._enabled)  # for each call of what it decorates, in any thread


def no_grad() -> _Enabled:
    """Record nothing inside of the ``with``, in this thread or task: what Tensors go into gives
    Tensors that no derivative flows through, and leaves may be written to. ``@no_grad()`` does so
    for each call of a function.
    """
    return _Enabled(False)


setattr(no_grad, "__staticpy_no_grad__", True)  # noqa: B010 - by this the frontend knows it


def enable_grad() -> _Enabled:
    """Record inside of the ``with``, also where that is in a ``no_grad``."""
    return _Enabled(True)


# --- who else asks for derivatives ----------------------------------------------------------------


class Watch:
    """What is recorded for one reader: the Tensors that it ``watched``, and each tape since."""

    def __init__(self) -> None:
        self.watched: dict[int, Any] = {}
        self.recorded: set[Tape] = set()


OPEN_WATCHES: ContextVar[tuple[Watch, ...]] = ContextVar("staticpy_watches", default=())
"""The readers inside of whose ``with`` the program is, the innermost last."""


# --- where the program is -------------------------------------------------------------------------


def users_line() -> SourceSpan:
    """The line of the program that is being run."""
    frame, _ = _users_frame()
    if frame is None:
        return NO_SPAN
    return line_span(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


def called_of_numpy() -> str:
    """The function of NumPy that the program has called, and that is written in Python; "" if there
    is none.
    """
    return _users_frame()[1]


def _users_frame() -> tuple[FrameType | None, str]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - inspect reads every file
    called = ""
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_OF_USERS):
        if frame.f_code.co_filename.startswith(_NUMPY_FILES):
            called = frame.f_code.co_name
        frame = frame.f_back
    return frame, called


def refused(spec: DiagnosticSpec, **values: Any) -> TensorError:
    """The error of what can't be done with Tensors, at the line of the program."""
    diagnostics = Diagnostics()
    diagnostics.append(DiagnosticError(spec, None, **values).diagnostic(users_line()))
    return TensorError(diagnostics)


class SaidAtUsersLine:
    """A ``with`` that makes what is refused in it the error of the program, at its line."""

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, DiagnosticError):
            diagnostics = Diagnostics()
            diagnostics.append(error.diagnostic(users_line()))
            raise CompileError(diagnostics) from None


said_at_users_line = SaidAtUsersLine()
