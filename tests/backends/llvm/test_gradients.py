"""Gradients run natively: as in Python source, bit for bit where the functions are NumPy's."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from tests.autodiff import numerical_programs
from tests.autodiff.all_programs import PROGRAMS
from tests.autodiff.twin_programs import PROGRAMS as TWINS
from tests.support.describing import compare_trees

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")
pytestmark = pytest.mark.usefixtures("numpys_functions")

TURN = int(os.environ.get("STATICPY_TURN", "0"))
SAMPLE = 12
"""One of so many programs is among the quick tests."""

TWICE = 6
"""Second derivatives are taken of one of so many, by the long tests."""

POINT = np.random.default_rng(5).uniform(0.5, 3.0, 4)
Program = tuple[Callable[..., Any], tuple[Any, ...]]
TABLE: list[Program] = [
    *PROGRAMS,
    *((program, (POINT[0], rounds)) for program in TWINS for rounds in (0, 3)),
]
IDS = [f"{number}-{function.__name__}" for number, (function, _) in enumerate(TABLE)]


def each(programs: slice) -> Any:
    return pytest.mark.parametrize("program", TABLE[programs], ids=IDS[programs])


@each(slice(TURN % SAMPLE, None, SAMPLE))
def test_as_in_python_source(program: Program) -> None:
    check(program)


@pytest.mark.slow
@each(slice(None))
def test_every_program(program: Program) -> None:
    check(program)


SECOND = (
    numerical_programs.forces_between_pairs,
    numerical_programs.products_of_sizes_that_rounds_tell,
    numerical_programs.paths_that_are_drawn,
    numerical_programs.attention_to_all_states_so_far,
)
"""Programs that lack arrays on one side, or in the first round, and long fused loops."""


def check(program: Program) -> None:
    function, args = program
    native, host = (
        staticpy.value_and_grad(staticpy.jit(function, backend=name))
        for name in ("llvm", "python_source")
    )
    expected = host(*copy.deepcopy(args))
    for _ in range(2):
        assert list(compare_trees(expected, native(*copy.deepcopy(args)), "found")) == []


@pytest.mark.parametrize(
    "program", [each for each in PROGRAMS if each[0] in SECOND], ids=lambda each: each[0].__name__
)
def test_some_second_derivatives(program: Program) -> None:
    check_second(program)


@pytest.mark.slow
@each(slice(TURN % TWICE, len(PROGRAMS), TWICE))
def test_second_derivatives_of_others(program: Program) -> None:
    check_second(program)


def check_second(program: Program) -> None:
    """Both ways: the gradient of a gradient, and tangents of tangents."""
    function, args = program
    ones = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
    others = (None,) * (len(args) - 1)

    def weighted(x, *more):
        return np.sum(np.ravel(staticpy.grad(function)(x, *more)) * np.arange(1.0, np.size(x) + 1))

    def pushed(x, *more):
        return staticpy.jvp(function, (x, *more), (ones, *others))[1]

    def twice(x, *more):
        return staticpy.jvp(pushed, (x, *more), (ones, *others))[1]

    for derivative in (staticpy.grad(weighted), twice):
        native, host = (
            staticpy.jit(derivative, backend=name)(*copy.deepcopy(args))
            for name in ("llvm", "python_source")
        )
        np.testing.assert_allclose(native, host, rtol=1e-9, atol=1e-12)


def in_a_dict(x, log):
    for i in range(len(x)):
        log[i] = x * i + (log[i - 1] if i > 0 else 0.0)
    return (log[0] * x).sum() + (log[1] * x).sum()


def on_one_path(x, n):
    y = x
    for i in range(4):
        y = (y + x / y) / 2
        if i == n:
            return (y * np.sin(y) * x).sum()
    return (y * x).sum()


def in_an_errstate(x):
    with np.errstate(all="ignore"):
        y = np.exp(x) * x
    return y / (1 + y)


@pytest.mark.parametrize(
    "program",
    [
        (in_a_dict, (POINT, {0: np.ones(4), 2: np.ones(4)})),
        *((on_one_path, (POINT, n)) for n in range(5)),
        (in_an_errstate, (0.3,)),
        (in_an_errstate, (np.float64(0.3),)),
    ],
    ids=lambda program: program[0].__name__,
)
def test_what_only_some_rounds_have(program: Program) -> None:
    """What is saved of a round that doesn't compute it is None."""
    check(program)


def test_second_derivatives_of_determinants() -> None:
    def determinant(a):
        return np.linalg.det(a) * 1.0

    singular = np.array([[1.0, 2.0], [3.0, 6.0]])
    hessians = (
        staticpy.hessian(staticpy.jit(determinant, backend=name))
        for name in ("llvm", "python_source")
    )
    found, expected = (hessian(singular) for hessian in hessians)
    np.testing.assert_allclose(found, expected, atol=1e-12)
