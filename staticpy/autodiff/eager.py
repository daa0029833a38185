"""Gradients of plain functions: Python runs them on Tensors, and the tape is gone back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.back import as_value
from staticpy.autodiff.regions import RegionReverse
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.tape import Tape, Tensor, held, is_recording, recording
from staticpy.autodiff.trees import each
from staticpy.ir import Value, type_of
from staticpy.ops import Traced


def value_and_gradient(
    fun: Callable[..., Any],
    argnums: Any,
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:
    """``fun(*args, **kwargs)``, what it has returned besides its value, and the gradients by the
    arguments ``argnums``: a tree, or a tuple of them.

    Raises:
        DiagnosticError: GRADIENT_OF_ARGUMENT, GRADIENT_OF_RESULT, NO_DERIVATIVE.
        ValueError: ``argnums`` is out of range.
        TypeError: the function does with a Tensor what plain Python can't record.
    """
    numbers = _numbers(argnums, len(args))
    is_inner = is_recording()
    with recording() as tape:
        leaves: list[Value] = []
        given = list(args)
        for number in numbers:
            primal = functools.partial(_primal, tape, leaves, number)
            given[number] = each(args[number], primal)
        start = tape.length
        result = fun(*given, **kwargs)
        result, aux = result if has_aux else (result, None)
        value = _output(tape, result)
        found = iter(_pulled_back(tape, leaves, value, start))
        gradients = tuple(each(args[n], lambda _: held(tape, next(found))) for n in numbers)
        gradient = gradients if isinstance(argnums, tuple | list) else gradients[0]
        if is_inner:
            return held(tape, value), aux, gradient
        return tape.values[value], each(aux, _data), each(gradient, _own_data)


def _pulled_back(tape: Tape, leaves: list[Value], value: Value, start: int) -> list[Value]:
    """The cotangents of ``leaves``, from the operations since ``start``."""
    forward = tape.block.operations[start:]
    activity = Activity(forward, leaves)
    shadows = Shadows(activity)
    reverse = RegionReverse(activity, shadows, tape.builder, tape.block, NOTHING)
    with tape.builder.current():
        reverse.add(value, Traced(ops.as_value(ops.seed_of(value.type))))
    reverse.run(forward)
    with tape.builder.current():
        flowing = [as_value(reverse.cotangents.take(leaf), leaf) for leaf in leaves]
    tape.compute()
    return flowing


def _numbers(argnums: Any, count: int) -> list[int]:
    numbers = argnums if isinstance(argnums, tuple | list) else (argnums,)
    if not all(-count <= number < count for number in numbers):
        message = f"argnums is {argnums}, and the call has {count} positional arguments"
        raise ValueError(message)
    return [number % count for number in numbers]


def _data(leaf: Any) -> Any:
    return leaf.data if isinstance(leaf, Tensor) else leaf


def _own_data(leaf: Any) -> Any:
    """An array that its reader may change: a rule may give a view of another one."""
    data = _data(leaf)
    return np.copy(data) if isinstance(data, np.ndarray) else data


def _primal(tape: Tape, leaves: list[Value], number: int, leaf: Any) -> Tensor:
    type_ = leaf.type if isinstance(leaf, Tensor) else type_of(leaf)
    ops.require_primal(type_, number)
    if isinstance(leaf, Tensor):  # a value of its own, apart from other uses of the same number
        value = leaf.apply(ops.unary, "+", leaf).value
    else:
        value = tape.given(np.copy(leaf) if isinstance(leaf, np.ndarray) else leaf)
    leaves.append(value)
    return Tensor(tape, value)


def _output(tape: Tape, result: Any) -> Value:
    type_ = result.type if isinstance(result, Tensor) else type_of(result)
    ops.require_output(type_)
    return result.value if isinstance(result, Tensor) else tape.given(result)
