"""Gradients of plain functions: Python runs them on Tensors, and the tape is gone back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.arguments import chosen
from staticpy.autodiff.back import as_value
from staticpy.autodiff.regions import RegionReverse
from staticpy.autodiff.reverse import NOTHING
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.tape import Tape, Tensor, held, is_recording, recording
from staticpy.autodiff.trees import each
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Value, type_of
from staticpy.ops import Traced


def value_and_gradient(
    fun: Callable[..., Any],
    by: tuple[Any, Any, bool],
    has_aux: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:
    """``fun(*args, **kwargs)``, what it has returned besides its value, and the gradients by the
    arguments ``by``, which is (argnums, argnames, allow_int): a tree, or a tuple of them.

    Raises:
        DiagnosticError: GRADIENT_OF_ARGUMENT, GRADIENT_OF_RESULT, NO_DERIVATIVE.
        ValueError: ``argnums`` is out of range, or there is no argument of a name.
        TypeError: the function does with a Tensor what plain Python can't record.
    """
    argnums, argnames, allow_int = by
    keys, is_one = chosen(fun, args, kwargs, argnums, argnames)
    given: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
    is_inner = is_recording()
    with recording() as tape:
        leaves: list[Value] = []
        trees = [given[key] for key in keys]
        for key in keys:
            primal = functools.partial(primal_of, tape, leaves, key, allow_int=allow_int)
            given[key] = each(given[key], primal)
        start = tape.length
        positional = [given.pop(number) for number in range(len(args))]
        result = fun(*positional, **given)
        result, aux = parts_of(result, has_aux)
        value = _output(tape, result)
        found = iter(_pulled_back(tape, leaves, value, start))
        gradients = gradients_of(tape, trees, found)
        gradient = gradients[0] if is_one else gradients
        if is_inner:
            return held(tape, value), aux, gradient
        return tape.values[value], each(aux, data_of), each(gradient, own_data)


def gradients_of(tape: Tape, trees: Sequence[Any], found: Iterator[Value]) -> tuple[Any, ...]:
    """Trees like ``trees``, of the gradients ``found``."""

    def gradient(leaf: Any) -> Any:
        type_ = leaf.type if isinstance(leaf, Tensor) else type_of(leaf)
        is_int = type_ is not None and not ops.is_inexact(type_)
        return ops.gradient_of_int(leaf) if is_int else held(tape, next(found))

    return tuple(each(tree, gradient) for tree in trees)


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


def parts_of(result: Any, has_aux: bool) -> tuple[Any, Any]:
    """What is differentiated of a result, and the rest."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise DiagnosticError(catalog.GRADIENT_OF_RESULT, None, what=ops.NO_PAIR)
    return result[0], result[1]


def data_of(leaf: Any) -> Any:
    """The number or array that a Tensor holds."""
    return leaf.data if isinstance(leaf, Tensor) else leaf


def own_data(leaf: Any) -> Any:
    """An array that its reader may change: a rule may give a view of another one."""
    return own(data_of(leaf))


def own(item: Any) -> Any:
    """A number, or an array of one's own."""
    return np.copy(item) if isinstance(item, np.ndarray) else item


def primal_of(
    tape: Tape, leaves: list[Value], key: int | str, leaf: Any, *, allow_int: bool = False
) -> Any:
    """What a function gets for a number that it is differentiated by."""
    type_ = leaf.type if isinstance(leaf, Tensor) else type_of(leaf)
    if not ops.require_primal(type_, key, allow_int=allow_int):
        return leaf
    if isinstance(leaf, Tensor):  # a value of its own, apart from other uses of the same number
        value = leaf.apply(ops.unary, "+", leaf).value
    else:
        value = tape.given(own(leaf))
    leaves.append(value)
    return Tensor(tape, value)


def _output(tape: Tape, result: Any) -> Value:
    type_ = result.type if isinstance(result, Tensor) else type_of(result)
    ops.require_output(type_)
    return result.value if isinstance(result, Tensor) else tape.given(result)
