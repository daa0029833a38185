"""Branches on two conditions that choose floats: the graphs that come of them, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.ir import FLOAT, Operation, ScalarType, Type, copy_module, members_of, verify, walk
from staticpy.passes import nest_branches, optimize

Program = Callable[..., Any]


def is_float(type_: Type) -> bool:
    return all(
        each == FLOAT or (isinstance(each, ScalarType) and each.dtype.kind == "f")
        for each in members_of(type_)
    )


def depths(program: Program, *args: Any) -> list[int]:
    """In how many others the branches that give something are."""
    module = copy_module(staticpy.jit(program).lower(*args).module)
    optimize(module)
    nest_branches(module, is_float)
    verify(module)
    found = []
    for each in walk(module.main.block):
        if each.op.name == "if" and each.results:
            around: Operation | None = each.parent
            depth = 0
            while around is not None:
                depth += around.op.name == "if"
                around = around.parent
            found.append(depth)
    return sorted(found)


def smaller_before(x, out):
    for i in range(len(x)):
        best = x[i]
        if i > 0 and x[i - 1] < best:
            best = x[i - 1]
        out[i] = best
    return out


def three(x, out):
    for i in range(len(x)):
        value = 0.5
        if i > 1 and x[i - 1] > 0 and x[i - 2] * 2 > value:
            value = x[i - 2] + x[i]
        out[i] = value
    return out


def fails_on_the_right(x, out):
    for i in range(len(x)):
        value = x[i]
        if x[i] > 1 and x[2 * i] > value:
            value = -value
        out[i] = value
    return out


def best_so_far(x, out):
    best = 0.0
    for i in range(len(x)):
        if i % 2 == 0 and x[i] > best:
            best = x[i]
        out[i] = best
    return out


def asked_twice(x, out):
    for i in range(len(x)):
        is_small = i > 0 and x[i - 1] < 1
        out[i] = x[i] if is_small else 2.0
        if is_small:
            out[i] += 1
    return out


def of_ints(x, out):
    for i in range(len(x)):
        k = 0
        if i > 0 and x[i - 1] < 1:
            k = i
        out[i] = k
    return out


def behind_a_branch_that_gives_two(x, out):
    for i in range(len(x)):
        k, is_small = 0, False
        if i > 1:
            k, is_small = i, x[i - 1] < 1
        value = 0.0
        if is_small:
            value = x[k]
        out[i] = value
    return out


def nested_already(x, out):
    for i in range(len(x)):
        value = x[i]
        if i > 0 and (x[i - 1] if i > 2 and x[i - 2] > 0 else 1.0) < value:
            value = x[i - 1] if i > 1 and x[i - 1] > x[i - 2] else 3.0
        out[i] = value
    return out


PROGRAMS = [
    *(smaller_before, three, fails_on_the_right, best_so_far, asked_twice, of_ints),
    *(behind_a_branch_that_gives_two, nested_already),
]


def test_graphs() -> None:
    x, out = np.arange(5.0), np.zeros(5)
    assert depths(smaller_before, x, out) == [0, 1]
    assert depths(three, x, out) == [0, 1, 2]
    assert max(depths(fails_on_the_right, x, out)) == 1


@pytest.mark.parametrize("program", [best_so_far, asked_twice, of_ints])
def test_what_stays(program: Program) -> None:
    """What a loop carries, what is asked elsewhere, and what isn't a float."""
    assert max(depths(program, np.arange(5.0), np.zeros(5))) == 0


@pytest.mark.parametrize("backend", ["llvm", "python_source"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_results(program: Program, backend: str) -> None:
    native = staticpy.jit(program, backend=backend)
    for x in ([3.0, 1.0, 2.0, 0.5, 0.7], [np.nan, 1.0, np.nan, -0.0, 0.0], [0.1, 0.2], []):
        outcomes = []
        for function in (program, native):
            out, raised = np.full(5, 7.0), ""
            try:
                function(np.array(x), out)
            except IndexError as error:
                raised = str(error)
            outcomes.append((out.tobytes(), raised))
        assert outcomes[0] == outcomes[1]
