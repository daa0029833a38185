"""Function: an operation on Tensors with a forward and a backward of its own, in PyTorch's way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from staticpy import ops
from staticpy.autodiff.tensors.memory import Memory
from staticpy.autodiff.tensors.tape import (
    Tape,
    enable_grad,
    going_back,
    is_grad_enabled,
    is_recording,
    no_grad,
    note,
    operations_tape,
    typed,
)
from staticpy.autodiff.tensors.tensor import Tensor, constant, handed_out, held, is_needed, place_on
from staticpy.autodiff.tensors.users_line import users_line
from staticpy.ir import OBJECT, Value
from staticpy.ops import Traced, untrace


class Call(Protocol):
    """What is known on a tape of an operation that brings its own way back."""

    def pull_back(self, tape: Tape, g: tuple[Any, ...], out: tuple[Any, ...]) -> list[Any]:
        """The cotangents of the operands, from those of the results; None for zero."""


class FunctionContext:
    """What ``forward`` leaves for ``backward``; any attribute can be set.

    Attributes:
        needs_input_grad: for each argument, whether a gradient of it is of use.
    """

    def __init__(self, function: type[Function], args: tuple[Any, ...]) -> None:
        self.needs_input_grad = tuple(isinstance(arg, Tensor) and _flows(arg) for arg in args)
        self._function = function
        self._count = len(args)
        self._shapes = [(number, np.shape(arg.content)) for number, arg in _tensors(args)]
        self._saved: list[_Saved] = []
        self._results: list[Tensor] = []
        self._with_history = False

    def save_for_backward(self, *tensors: Any) -> None:
        """Save Tensors, of which it is checked that nobody has written to them since."""
        self._saved = [_Saved(item, _version(item)) for item in tensors]

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was saved.

        Raises:
            CompileError: SPY708, one was written to.
            RuntimeError: the gradient is to be differentiated in turn, and what was saved is
                neither an argument nor a result.
        """
        return tuple(self._restored(saved) for saved in self._saved)

    def _restored(self, saved: _Saved) -> Any:
        if saved.result is not None:
            return self._results[saved.result]
        if isinstance(saved.item, Tensor) and saved.item.memory is not None:
            saved.item.memory.require(saved.version, "a saved Tensor, which 'backward'")
        if saved.is_inner and self._with_history:
            raise RuntimeError(
                "what backward() saved is neither an argument nor a result, so that the derivative "
                "of this gradient is not known"
            )
        return saved.item

    def know(self, args: tuple[Any, ...], results: tuple[Any, ...]) -> None:
        """Tell what was saved apart: an argument knows its history, a result gets its own back."""
        for saved in self._saved:
            item = saved.item
            if isinstance(item, Tensor) and not any(item is arg for arg in args):
                places = [number for number, result in enumerate(results) if result is item]
                saved.result, saved.is_inner = (places[0], False) if places else (None, True)
                saved.item = None if places else item

    def pull_back(self, tape: Tape, g: tuple[Any, ...], out: tuple[Any, ...]) -> list[Any]:
        """The cotangents of the arguments that are Tensors, by ``backward`` of the program."""
        self._with_history = tape.is_shared or tape.keeps_history
        if any(saved.result is not None for saved in self._saved):
            for result in out:
                tape.require_unchanged(result.value, "a saved Tensor, which 'backward'")
        self._results = [handed_out(tape, each.value, self._with_history) for each in out]
        given = [
            _gradient(tape, item, like, with_history=self._with_history)
            for item, like in zip(g, self._results, strict=True)
        ]
        with enable_grad() if self._with_history else no_grad():
            found = self._function.backward(self, *given)
            self._results = []
            return self._cotangents(tape, found if isinstance(found, tuple) else (found,))

    def _cotangents(self, tape: Tape, found: tuple[Any, ...]) -> list[Any]:
        name = f"{self._function.__name__}.backward()"
        if len(found) != self._count:
            raise RuntimeError(f"{name} gives {len(found)} gradients for {self._count} arguments")
        made: list[Any] = []
        for number, shape in self._shapes:
            item = found[number]
            if item is not None and np.shape(getattr(item, "content", item)) != shape:
                raise RuntimeError(f"{name} gives a gradient of another shape than {shape}")
            made.append(None if item is None else Traced(_placed(tape, item)))
        return made


@dataclass
class _Saved:
    """One of the Tensors of ``save_for_backward``: the version that it had then, its number among
    the results, and whether it is neither one of them nor an argument.
    """

    item: Any
    version: int
    result: int | None = None
    is_inner: bool = False


class Function:
    """An operation with a derivative of its own.

    Subclasses define two static methods::

        class ReLU(staticpy.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return np.maximum(x, 0.0)

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                grad = grad.copy()
                grad[x < 0] = 0
                return grad

        y = ReLU.apply(x)

    ``forward`` gets the arguments of ``apply``, and nothing in it is recorded. ``backward`` gets
    the gradient of each result, and returns one for each argument, None where nothing flows. Where
    gradients are differentiated in turn, ``backward`` itself is recorded: what flows through it
    then has to come from ``saved_tensors`` (arguments or results), as in PyTorch.
    """

    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any:
        """The results: a Tensor or an array, or a tuple of them."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient of each argument."""
        raise NotImplementedError

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Call ``forward`` and record it.

        Raises:
            RuntimeError: ``forward`` has changed an argument in place.
        """
        context = FunctionContext(cls, args)
        before = [_version(arg) for arg in args]
        with no_grad():
            made = cls.forward(context, *args)
        if before != [_version(arg) for arg in args]:
            raise RuntimeError(f"{cls.__name__}.forward() changes an argument in place: copy it")
        results = made if isinstance(made, tuple) else (made,)
        context.know(args, results)
        recorded = _recorded(context, args, [_own_content(item, args) for item in results])
        return recorded if isinstance(made, tuple) else recorded[0]


def _tensors(args: tuple[Any, ...]) -> list[tuple[int, Tensor]]:
    return [(number, arg) for number, arg in enumerate(args) if isinstance(arg, Tensor)]


def _flows(tensor: Tensor) -> bool:
    return is_grad_enabled() and (is_recording() or is_needed(tensor))


def _version(item: Any) -> int:
    memory = item.memory if isinstance(item, Tensor) else None
    return 0 if memory is None else memory.version


def _own_content(item: Any, args: tuple[Any, ...]) -> Any:
    """The number or array of a result, apart from the memory of the arguments."""
    if not isinstance(item, Tensor):
        return np.array(item)
    is_shared = any(arg.memory is item.memory for _, arg in _tensors(args))
    return np.copy(item.content) if is_shared else item.content


def _recorded(
    context: FunctionContext, args: tuple[Any, ...], contents: list[Any]
) -> tuple[Any, ...]:
    """The results as Tensors that know of the operation."""
    if not any(context.needs_input_grad):
        return tuple(map(constant, contents))
    return recorded_call(context, [arg for _, arg in _tensors(args)], contents)


def recorded_call(
    call: Call,
    operands: Sequence[Tensor],
    contents: Sequence[Any],
    memory_of: Callable[[Any], Memory | None] = lambda _: None,
) -> tuple[Any, ...]:
    """The results of an operation that brings its own way back, as Tensors that know of it.

    Args:
        call: pulls cotangents back.
        operands: the Tensors that derivatives flow to.
        contents: what was computed.
        memory_of: the memory that a result is in; None for one of its own.
    """
    tape = operations_tape()
    holder = tape.block.add_arg(OBJECT)
    tape.values[holder] = call
    given = [place_on(tape, operand) for operand in operands]
    attrs = {"types": tuple(map(typed, contents)), "pull_back": _pulled_back}
    with tape.builder.at(users_line()):
        made = tape.builder.emit(ops.user_function, [holder, *given], attrs)
    for value, content in zip(made.results, contents, strict=True):
        tape.enter(value, content, memory_of(content))
    tape.skip()
    note(tape)
    return tuple(held(tape, value) for value in made.results)


def _pulled_back(holder: Traced, g: Any, out: Any) -> list[Any]:
    """The rule of ``user.function``."""
    tape = going_back()
    tape.compute()
    call: Call = tape.values[holder.value]
    flowing, results = (item if isinstance(item, tuple) else (item,) for item in (g, out))
    return call.pull_back(tape, flowing, results)


def _gradient(tape: Tape, item: Any, like: Tensor, *, with_history: bool) -> Tensor:
    """What flows in, in an array that ``backward`` may write to."""
    if item is None:
        return constant(np.zeros_like(like.content))
    value = ops.own_copy(ops.as_value(untrace(item)))
    tape.compute()
    return handed_out(tape, value, with_history)


def _placed(tape: Tape, item: Any) -> Value:
    return place_on(tape, item) if isinstance(item, Tensor) else tape.given(item)
