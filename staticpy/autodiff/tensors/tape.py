"""The tape: what plain Python does with Tensors, operation by operation.

In: what Tensors go into. Out: a block of the graph that grows. Each operation is emitted by the
same adapters as those of a compiled function and computed at once by its kernel; the way back is
emitted behind it by the same rules, and computed in the same way.

A transform of a plain function records the whole function on one tape (``recording``). Elsewhere
each operation on Tensors gets a short tape of its own, which knows where its arguments come from
(``sources``). Only results hold their tape, so what nobody can go back from any more is freed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar, Token
from itertools import count
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from staticpy import ir, ops
from staticpy.autodiff.tensors.layouts import copied_in_layout
from staticpy.autodiff.tensors.memory import Memory, owner_of
from staticpy.autodiff.tensors.order import current_order, differentiating
from staticpy.autodiff.tensors.users_line import no_refusal_is_caught, refused, users_line
from staticpy.autodiff.tensors.values import Values
from staticpy.diagnostics import TensorError, catalog
from staticpy.ir import Block, Builder, Operation, Type, Value, type_of
from staticpy.ops import REGISTRY, Effect, OpDef, checkpoint_policies

_CURRENT: ContextVar[Tape | None] = ContextVar("staticpy_tape", default=None)
_GOING_BACK: ContextVar[Tape | None] = ContextVar("staticpy_going_back", default=None)
_ENABLED: ContextVar[bool] = ContextVar("staticpy_grad_enabled", default=True)

_NUMBERS = count(1)

_READ_FOR_SHAPE = {
    **dict.fromkeys(("dim", "zeros_like", "ones_like", "full_like"), 0),
    **dict.fromkeys(("scatter_add", "sum_to"), 1),
}
"""Ops of which one operand, by its position, counts by its shape alone."""


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
        number: by which Tensors know that they were made while it was recorded.
        met_tensors: whether a Tensor from before the tape was used.
        is_shared: whether more is recorded on it than one operation on Tensors.
        is_open: whether a function is being recorded on it.
        is_freed: whether the way back was taken, and what it reads is gone.
    """

    def __init__(self, *, keeps_history: bool = True, is_shared: bool = False) -> None:
        self.block = Block()
        self.builder = Builder(self.block)
        self.values = Values()
        self.sources: dict[Value, Source] = {}
        self.hooks: dict[Value, list[Any]] = {}
        self.keeps_history = keeps_history
        self.number = next(_NUMBERS)
        self.met_tensors = False
        self.is_shared = is_shared
        self.is_open = False
        self.is_freed = False
        self._computed = 0

    def given(self, item: Any) -> Value:
        """A number or array of the program as a Value of the block; of an array, which may be
        written to later, a copy.
        """
        if not isinstance(item, np.ndarray):
            return self.argument(item)
        typed(item)  # no subclass, whose copy would be something else
        copied = copied_in_layout(item)
        return self.argument(copied, Memory(copied, is_given=True))

    def argument(self, item: Any, memory: Memory | None = None) -> Value:
        """A number or array, in ``memory``, as an argument of the block."""
        value = self.block.add_arg(typed(item))
        self.enter(value, item, memory)
        return value

    def enter(self, value: Value, item: Any, memory: Memory | None = None) -> None:
        """Let ``value`` be a number or array, which is in ``memory``, or in one of its own."""
        self.values.enter(value, item, memory)

    def renew(self, value: Value, item: np.ndarray, memory: Memory) -> None:
        """Let ``value`` be an array in ``memory`` as the write that is going on leaves it."""
        self.values[value] = item
        self.values.seen[value] = memory, memory.version + 1

    def memory_of(self, value: Value) -> Memory | None:
        """The memory of a value; None of a number."""
        return self.values.seen[value][0] if value in self.values.seen else None

    def copy_value(self, place: Value, other: Tape, value: Value) -> None:
        """Let ``place`` be here what ``value`` is on another tape, as it was seen there."""
        self.values.copy_from(place, other.values, value)
        self.hooks.update({place: other.hooks[value]} if value in other.hooks else {})

    def know(self, other: Tape) -> None:
        """Let what is on another tape be read here, and gone back to."""
        self.values.update_from(other.values)
        self.sources.update(other.sources)
        self.hooks.update(other.hooks)
        self.met_tensors |= other.met_tensors

    def version_of(self, value: Value) -> int:
        """Which version of its memory a value is."""
        return self.values.seen[value][1] if value in self.values.seen else 0

    def renewed(self, value: Value, item: Any, memory: Memory | None, version: int) -> Value:
        """A Value for what has become of an array by writes that were not recorded, which no
        derivative knows of: ``item``.
        """
        self.compute()
        made = Builder(self.block).emit(ops.copy, [value], {"order": "K"}).result
        self.values[made] = item
        if memory is not None:
            self.values.seen[made] = memory, version
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
        if not self.values.forgotten:
            self._run_all()
            return
        with self.values.read_by(self.block.operations[self._computed :]):
            self._run_all()

    def _run_all(self) -> None:
        while self._computed < len(self.block.operations):
            operation = self.block.operations[self._computed]
            self._computed += 1
            try:
                self._run(operation)
            except BaseException:  # which the program may catch: it was as if nothing was done
                del self.block.operations[self._computed - 1 :]
                self._computed -= 1
                raise
            if self.values.forgotten:
                self.values.was_run(operation)

    def compute_for(self, wanted: Iterable[Value]) -> None:
        """As ``compute``, of what ``wanted`` depend on; the rest of what was emitted is dropped."""
        wanted = list(wanted)
        needed = set(wanted)
        kept: list[Operation] = []
        for operation in reversed(self.block.operations[self._computed :]):
            if needed.isdisjoint(operation.results):
                for position, operand in enumerate(operation.operands):
                    operand.uses.pop((operation, position), None)
            else:
                kept.append(operation)
                needed.update(operation.operands)
        kept.reverse()
        self.block.operations[self._computed :] = kept
        is_passing = bool(self.values.forgotten) and not self._is_gone_through()
        with self.values.read_by(kept, wanted, is_passing=is_passing):
            self._run_all()

    def _is_gone_through(self) -> bool:
        """Whether another derivative may go through the way back that is being computed."""
        has_sources = self.is_shared and bool(self.sources)
        is_kept = not self.is_shared and self.keeps_history
        return has_sources or is_kept or (current_order() or 0) > 1

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
        if value in self.values.seen:
            memory, version = self.values.seen[value]
            memory.require(version, what)

    def free(self) -> None:
        """Let go of what the way back reads."""
        self.block = Block()
        for held in (self.values, self.sources, self.hooks):
            held.clear()
        self.is_freed = True

    def forget(
        self, start: int, own: set[Memory], policy: checkpoint_policies.Policy | None
    ) -> None:
        """Keep no arrays of the operations since ``start`` that can be made again, but for those
        that ``policy`` saves; ``own`` is the memory that was made before them, in the same
        checkpoint.
        """
        operations = self.block.operations[start:]
        self.values.forget(operations, own, checkpoint_policies.saved_by(policy, operations))

    def forget_arguments(self) -> None:
        """Keep no arguments that are forgotten where they come from."""
        for value, source in self.sources.items():
            if source.tape is not None:
                self.values.forget_elsewhere(value, source.tape.values, source.value)

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
        with no_refusal_is_caught(), differentiating():
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


def number_of_recording() -> int:
    """The number of the tape that is being recorded, for ``no_grad`` too; 0 if there is none."""
    tape = _CURRENT.get()
    return 0 if tape is None else tape.number


def is_grad_enabled() -> bool:
    """Whether what Tensors do is recorded: not inside of ``no_grad``."""
    return _ENABLED.get()


def recorded_tape() -> Tape | None:
    """The tape that is being recorded; None outside of transforms, and where nothing is."""
    return _CURRENT.get() if _ENABLED.get() else None


def operations_tape() -> Tape:
    """The tape for what is done next."""
    return recorded_tape() or Tape()


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


def note(tape: Tape) -> None:
    """Let those know of a tape who record in this place."""
    for watch in OPEN_WATCHES.get():
        watch.recorded.add(tape)
    for tapes in _OPEN_CALLS.get():
        tapes.append(ref(tape))


@contextmanager
def noting() -> Iterator[list[ref[Tape]]]:
    """The tapes that are recorded inside of the ``with``, in their order; nobody holds them."""
    noted: list[ref[Tape]] = []
    token = _OPEN_CALLS.set((*_OPEN_CALLS.get(), noted))
    try:
        yield noted
    finally:
        _OPEN_CALLS.reset(token)


_OPEN_CALLS: ContextVar[tuple[list[ref[Tape]], ...]] = ContextVar("staticpy_calls", default=())
OPEN_WATCHES: ContextVar[tuple[Watch, ...]] = ContextVar("staticpy_watches", default=())
"""The readers inside of whose ``with`` the program is, the innermost last."""
