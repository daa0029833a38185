"""The tape: what plain Python does with Tensors, operation by operation.

In: a plain function, run by Python, with Tensors in the place of the numbers and arrays that it is
differentiated by. Out: a block of the graph that grows as it runs. Each operation is emitted by the
same adapters as those of a compiled function and computed at once by its kernel; the way back is
emitted behind it by the same rules, and computed in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.ir import Block, Builder, Operation, Value, type_of
from staticpy.ops import REGISTRY, Effect, Traced, untrace
from staticpy.source import NO_SPAN, SourceSpan, line_span

_CURRENT: ContextVar[Tape | None] = ContextVar("staticpy_tape", default=None)

_IN_PLACE = (
    "nothing that Tensors go into is changed in place: make {}, or compile with @staticpy.jit"
)


class Tape:
    """A block that is computed as it grows; ``values`` holds what each Value is."""

    def __init__(self) -> None:
        self.block = Block()
        self.builder = Builder(self.block)
        self.values: dict[Value, Any] = {}
        self._computed = 0

    def given(self, item: Any) -> Value:
        """A number or array as a Value of the block."""
        type_ = type_of(item)
        assert type_ is not None
        value = self.block.add_arg(type_)
        self.values[value] = item
        return value

    def compute(self) -> None:
        """Run the kernels of what was emitted since the last time."""
        while self._computed < len(self.block.operations):
            operation = self.block.operations[self._computed]
            self._computed += 1
            self._run(operation)

    def _run(self, operation: Operation) -> None:
        op = REGISTRY[operation.name]
        if op.kernel is None:
            raise TypeError(f"{op.name} is not computed on Tensors: compile the function")
        given = [operand.type for operand in operation.operands]
        if Effect.WRITES in op.effects_of(given, operation.attrs):
            raise TypeError(_IN_PLACE.format("a new array"))
        operands = [self.values[operand] for operand in operation.operands]
        types = [result.type for result in operation.results]
        results = ops.results_of(op.kernel(*operands, **operation.attrs), types)
        self.values.update(zip(operation.results, results, strict=True))

    @property
    def length(self) -> int:
        """How many operations there are."""
        return len(self.block.operations)


@contextmanager
def recording() -> Iterator[Tape]:
    """The tape that is being recorded, or a new one."""
    tape = _CURRENT.get()
    if tape is not None:
        yield tape
        return
    token = _CURRENT.set(made := Tape())
    try:
        yield made
    finally:
        _CURRENT.reset(token)


def is_recording() -> bool:
    """Whether a tape is being recorded."""
    return _CURRENT.get() is not None


class Tensor(Traced):
    """A number or an array that a plain function is differentiated by.

    It speaks NumPy's protocols and has the operators, methods and attributes of what it holds. What
    is no real or complex number (a comparison, a shape, an index) comes out as NumPy's own.
    """

    __slots__ = ("tape",)

    def __init__(self, tape: Tape, value: Value) -> None:
        super().__init__(value)
        self.tape = tape

    def apply(self, adapter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What an adapter gives, computed."""
        tape = self.tape
        lifted = [_lifted(tape, item) for item in args]
        named = {name: _lifted(tape, item) for name, item in kwargs.items()}
        with tape.builder.current(), tape.builder.at(_users_line()):
            made = adapter(*lifted, **named)
        tape.compute()
        return held(tape, made)

    @property
    def data(self) -> Any:
        """The number or array."""
        return self.tape.values[self.value]

    def __bool__(self) -> bool:
        return bool(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return (self[place] for place in range(len(self)))

    def __float__(self) -> float:
        raise TypeError(
            "a Tensor is no float for Python's own functions: use np.sin for math.sin, "
            "np.asarray for a list, or compile the function with @staticpy.jit"
        )

    __int__ = __complex__ = __float__

    def __array__(self, *_: Any, **__: Any) -> Any:
        self.__float__()

    def __setitem__(self, _index: Any, _value: Any) -> None:
        raise TypeError(_IN_PLACE.format("a new array"))

    def _in_place(self, _other: Any) -> Any:
        raise TypeError(_IN_PLACE.format("x = x + y of x += y"))

    def __repr__(self) -> str:
        return f"Tensor({self.data!r})"


_OWN_FOLDER = str(Path(__file__).parent.parent)


def _users_line() -> SourceSpan:
    """The line of the program that is being run."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - inspect reads every file
    while frame is not None and frame.f_code.co_filename.startswith(_OWN_FOLDER):
        frame = frame.f_back
    if frame is None:
        return NO_SPAN
    return line_span(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


def _augmented(name: str) -> Callable[[Tensor, Any], Any]:
    plain = getattr(Traced, f"__{name}__")

    def run(self: Tensor, other: Any) -> Any:
        is_array = isinstance(self.data, np.ndarray)
        return self._in_place(other) if is_array else plain(self, other)

    return run


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Tensor, f"__i{_name}__", _augmented(_name))


def held(tape: Tape, made: Any) -> Any:
    """What an adapter has made: a Tensor where it is differentiable, else the object itself."""
    if isinstance(made, Value):
        return Tensor(tape, made) if is_differentiable(made.type) else tape.values[made]
    if isinstance(made, tuple):
        items = (held(tape, item) for item in made)
        return tuple.__new__(type(made), items)  # also of the named kind
    if type(made) is list:
        return [held(tape, item) for item in made]
    return made


def _lifted(tape: Tape, item: Any) -> Any:
    """An argument of an adapter: arrays as Values, what is known as it is."""
    item = untrace(item)
    if isinstance(item, np.ndarray | np.generic):
        return tape.given(item)
    if type(item) in (tuple, list):
        return type(item)(_lifted(tape, each) for each in item)
    if isinstance(item, slice):
        return slice(*(_lifted(tape, each) for each in (item.start, item.stop, item.step)))
    return item
