"""Derivatives through what holds numbers and arrays: tuples, lists, dicts, objects, and values that
are an array on some paths only.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.autodiff import expand
from staticpy.diagnostics import CompileError
from staticpy.ir import verify
from staticpy.passes import inline, optimize
from tests.autodiff import (  # noqa: F401 - their programs
    held_int_programs,
    held_keys_programs,
    held_none_programs,
    held_sorting_programs,
    held_training_programs,
    held_writing_programs,
)
from tests.autodiff.held_programs import PROGRAMS
from tests.autodiff.programs import X
from tests.autodiff.test_gradients import slope

IDS = [function.__name__ for function, _ in PROGRAMS]
each_program = pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=IDS)


@each_program
def test_first_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    value, found = staticpy.value_and_grad(staticpy.jit(function))(*copy.deepcopy(args))
    assert value == function(*copy.deepcopy(args))
    assert type(found) is type(args[0])
    np.testing.assert_allclose(found, slope(function, args), rtol=1e-6, atol=1e-7)


@each_program
def test_second_order(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    weights = np.arange(1.0, np.size(args[0]) + 1).reshape(np.shape(args[0]))

    def weighted(x: Any, *others: Any) -> Any:
        return np.sum(staticpy.grad(function)(x, *others) * weights)

    if function.__name__ in FIRST_ORDER_ONLY:
        pytest.skip("what is no array of its own for sure is read while it is written to")
    found = staticpy.grad(staticpy.jit(weighted))(*copy.deepcopy(args))
    expected = slope(staticpy.jit(weighted), args, 1e-5)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


FIRST_ORDER_ONLY = {"a_dict_filled_before_finally"}
"""Programs of which the second derivative is refused."""


@each_program
def test_forward_mode(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def along(tangent: Any, x: Any, *others: Any) -> Any:
        return staticpy.jvp(function, (x, *others), (tangent, *[None] * len(others)))[1]

    move = staticpy.jit(along)
    units = np.eye(len(args[0])) if isinstance(args[0], np.ndarray) else [1.0]
    found = [move(unit, *copy.deepcopy(args)) for unit in units]
    expected = np.atleast_1d(slope(function, args))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@each_program
def test_every_stage_is_a_valid_graph(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    module = staticpy.grad(staticpy.jit(function)).lower(*copy.deepcopy(args)).module
    for change in (inline, expand, optimize):
        change(module)
        verify(module)


@each_program
def test_plain_functions_have_the_same(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    try:
        expected = staticpy.grad(function)(*copy.deepcopy(args))
    except (TypeError, ValueError, CompileError):
        pytest.skip("plain Python can't record this")
    found = staticpy.grad(staticpy.jit(function))(*copy.deepcopy(args))
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_items_of_other_kinds_stay() -> None:
    def f(x, names):
        held = [(name, x * len(name), len(name)) for name in names]
        return sum(value * count for _, value, count in held), held

    (value, held), found = staticpy.value_and_grad(staticpy.jit(f), has_aux=True)(0.5, ["a", "bc"])
    assert (value, found) == (2.5, 5.0)
    assert held == [("a", 0.5, 1), ("bc", 1.0, 2)]


def test_what_is_given_back_is_no_shadow() -> None:
    def f(x, n):
        held = {}
        for i in range(n):
            held[i] = (x * i, [x + i])
        return sum(held[i][0] * held[i][1][0] for i in range(n)) + x, held

    found, held = staticpy.grad(staticpy.jit(f), has_aux=True)(0.5, 3)
    assert found == pytest.approx(3 * 2 * 0.5 + 5 + 1)
    assert held == {i: (0.5 * i, [0.5 + i]) for i in range(3)}


def test_hessians_of_ints_and_arrays() -> None:
    def f(x, n):
        items = [2] * n
        items[1] = x
        return sum(np.sum(each * x * x) for each in items)

    expected = np.diag(4.0 * 2 + 6 * X)
    np.testing.assert_allclose(staticpy.hessian(staticpy.jit(f))(X, 3), expected)
    np.testing.assert_allclose(staticpy.jacrev(staticpy.grad(staticpy.jit(f)))(X, 3), expected)


def test_transforms_inside_and_around() -> None:
    def f(x, n):
        held = [(x * i, i) for i in range(n)]
        total = x * 0.0
        for value, i in held:
            total = total + np.sin(value) * i
        return total

    def scalar(x, n):
        return f(x, n) * x

    jacobian = staticpy.jacrev(staticpy.jit(f))(X, 3)
    expected = sum(i * i * np.cos(X * i) for i in range(3))
    np.testing.assert_allclose(jacobian, np.diag(expected), rtol=1e-12)
    each = staticpy.vmap(staticpy.grad(staticpy.jit(scalar)), in_axes=(0, None))(X, 3)
    np.testing.assert_allclose(each, [staticpy.grad(staticpy.jit(scalar))(x, 3) for x in X])

    def pulled(x, n):
        out, back = staticpy.vjp(lambda y: f(y, n), x)
        return out, back(np.ones(4))[0], back(out)[0]

    out, by_ones, by_out = staticpy.jit(pulled)(X, 3)
    np.testing.assert_allclose(by_ones, expected, rtol=1e-12)
    np.testing.assert_allclose(by_out, expected * out, rtol=1e-12)
