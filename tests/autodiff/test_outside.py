"""Derivatives through what a program puts into lists, dicts and objects from outside."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.source import SourceSpan
from tests.autodiff.outside_programs import PROGRAMS, RECORD, restore, state

Program = Callable[[float, int], Any]
X, STEP = 1.7, 1e-4


def run(program: Program, x: float, n: int) -> Any:
    restore()
    return program(x, n)


def pushed(program: Program) -> Program:
    return lambda x, n: staticpy.jvp(program, (x, n), (1.0, None))[1]


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("program", PROGRAMS)
def test_of_both_orders(program: Program, n: int, capsys: pytest.CaptureFixture[str]) -> None:
    low, value, high = (run(program, X + step, n) for step in (-STEP, 0.0, STEP))
    first, second = (high - low) / 2 / STEP, (high - 2 * value + low) / STEP**2
    capsys.readouterr()
    run(program, X, n)
    due, shown = state(), capsys.readouterr().out
    graph = staticpy.jit(program)
    slope = staticpy.grad(graph)
    for derivative, expected in [
        (slope, first),
        (pushed(graph), first),
        (staticpy.grad(slope), second),
        (pushed(slope), second),
        (staticpy.grad(staticpy.jit(pushed(graph))), second),
    ]:
        assert run(derivative, X, n) == pytest.approx(expected, rel=1e-5, abs=1e-5)
        assert (state(), capsys.readouterr().out) == (due, shown)


def test_one_list_as_two_arguments() -> None:
    def f(x, left, right, n):
        for _ in range(n):
            left.append(right[-1] * x)
        right.sort()
        return left[0] * right[-1] * x

    slope = staticpy.grad(staticpy.jit(f))

    @staticpy.jit
    def pushed(x, left, right, n):
        return staticpy.jvp(lambda x: f(x, left, right, n), (x,), (1.0,))[1]

    for derivative in (slope, pushed):
        both = [1.0, 2.0]
        assert derivative(1.5, [1.0, 2.0], [3.0, 1.0], 2) == 3.0
        assert derivative(1.5, both, both, 2) == pytest.approx(2.0 * 3 * 1.5**2)
        assert both == [1.0, 2.0, 3.0, 4.5]


@pytest.mark.parametrize("n", [1, 3])
def test_what_a_derivative_puts_in_is_read_by_one_within(n: int) -> None:
    def slope(x, steps, n):
        steps.append((np.ones(2) * x * x, (x, "outer")))

        def last(y):
            for _ in range(n):
                place, (size, _) = steps[-1]
                steps.append((y * place, (size * y, "inner")))
            return steps[-1][0].sum() * steps[-1][1][0]

        return staticpy.grad(last)(x)

    def steps() -> list[Any]:
        return [(np.ones(2), (1.0, "first"))]

    graph = staticpy.jit(slope)
    ahead, behind = (graph(X + step, steps(), n) for step in (1e-5, -1e-5))
    expected = pytest.approx((ahead - behind) / 2e-5, rel=1e-6)
    assert staticpy.grad(graph)(X, steps(), n) == expected
    assert staticpy.jvp(graph, (X, steps(), n), (1.0, None, None))[1] == expected


class Plate:
    """A simulation as users write them: it keeps its arrays, and changes them in place."""

    def __init__(self) -> None:
        self.heat, self.time = np.arange(4.0), 0.0

    def step(self, sources: Any) -> None:
        self.heat[1:-1] += 0.1 * (self.heat[2:] - 2 * self.heat[1:-1] + self.heat[:-2])
        self.heat += 0.1 * sources
        self.time += 0.1


def test_an_object_that_is_an_argument_and_is_changed_by_its_methods() -> None:
    def left(sources, plate, n):
        for _ in range(n):
            plate.step(sources)
        return (plate.heat**2).sum() * plate.time

    sources, along = np.array([0.5, -1.0, 0.25, 2.0]), np.array([1.0, 0.5, -2.0, 0.25])
    ahead, behind = (left(sources + step * along, Plate(), 3) for step in (1e-5, -1e-5))
    plate, due = Plate(), Plate()
    left(sources, due, 3)
    found = staticpy.grad(staticpy.jit(left))(sources, plate, 3)
    assert found @ along == pytest.approx((ahead - behind) / 2e-5)
    np.testing.assert_array_equal(plate.heat, due.heat)
    assert plate.time == due.time
    tangents = (along, None, None)
    moved = staticpy.jvp(staticpy.jit(left), (sources, Plate(), 3), tangents)[1]
    assert moved == pytest.approx(found @ along)
    bent = staticpy.hvp(staticpy.jit(left), (sources, Plate(), 3), tangents)
    value = left(sources, Plate(), 3)
    assert bent @ along == pytest.approx((ahead - 2 * value + behind) / 1e-10, rel=1e-4)


class Chain:
    def __init__(self, value: float, following: Chain | None = None) -> None:
        self.value, self.following = value, following


def test_what_is_read_of_an_object_by_another_way_is_not_lost() -> None:
    """An attribute that is set is read again, where a loop goes through linked objects."""

    def total(x, first, n):
        first.value = x * first.value
        current, found = first, 0.0
        for _ in range(n):
            found += current.value**2
            current.value *= x
            current = current.following
        return found + first.value * x

    def made() -> Chain:
        chain = Chain(1.0, Chain(2.0))
        assert chain.following is not None
        chain.following.following = chain
        return chain

    expected = (total(1.5 + 1e-6, made(), 3) - total(1.5 - 1e-6, made(), 3)) / 2e-6
    for derivative in (
        staticpy.grad(staticpy.jit(total)),
        staticpy.jit(lambda *args: staticpy.jvp(total, args, (1.0, None, None))[1]),
    ):
        try:
            found = derivative(1.5, made(), 3)
        except staticpy.CompileError:
            continue  # refused is not lost
        assert found == pytest.approx(expected)


def another_list_in_a_loop(x, n):
    for i in range(n):
        RECORD.items = [x * i]
    return RECORD.items[0] * x


def items_of_a_list_in_a_loop(x, n):
    for i in range(n):
        ROWS[i % 2].append(x)
    return ROWS[n % 2][-1] * x


def a_row_by_two_names(x, n):
    for _ in range(n):
        ROW.append(x * x)
        ROWS.append([x])
    return ROWS[0][-1] * ROWS[-1][0]


def a_row_that_may_be_from_outside(x, n):
    row = ROWS[0] if n > 4 else [x]
    for i in range(n):
        ROWS.append([x * i])
        RECORD.total = 1.0
    row.append(x)
    return ROWS[-1][0] * x


def an_array_by_two_names(x, n):
    for _ in range(n):
        PLACES.append((PLACE * x, 1))
        PLACE[0] = x
    return PLACES[-1][0].sum() * PLACES[0][0][0]


def a_list_that_stays_somewhere(x, n):
    for i in range(n):
        RECORD.same = RECORD.items
        RECORD.items = [item * x + i for item in RECORD.items]
    return RECORD.items[0] * x


def a_list_that_others_change(x, n):
    for i in range(n):
        ROW.append(x)
        RECORD.items = [item * x + i for item in RECORD.items]
    return RECORD.items[0] * ROW[-1]


ROW: list[Any] = [1.0]
ROWS: list[Any] = [ROW, [2.0]]
PLACE = np.ones(2)
PLACES: list[Any] = [(PLACE, 0)]
REFUSED = [
    (another_list_in_a_loop, "for i in", "a loop, .* hands on list.*: let the function", "items ="),
    (
        items_of_a_list_in_a_loop,
        "ROWS[n % 2][-1]",
        "an item of a list, .*: keep that in a variable",
        None,
    ),
]
"""What is said, where, and which line besides is shown."""

READ = "keep that in a variable"
REFUSED += [
    (a_row_by_two_names, "ROWS[0][-1]", READ, None),
    (a_row_that_may_be_from_outside, "ROWS[-1][0]", READ, None),
    (an_array_by_two_names, "PLACES[-1][0]", READ, None),
    (a_list_that_stays_somewhere, "for i in", "a loop, .* hands on list", None),
    (a_list_that_others_change, "for i in", "a loop, .* hands on list", "[item * x"),
]


def line_of(span: SourceSpan) -> str:
    return linecache.getline(span.file, span.line)


@pytest.mark.parametrize(("program", "line", "why", "shown"), REFUSED)
def test_what_has_no_way_yet_says_so(
    program: Program, line: str, why: str, shown: str | None
) -> None:
    """At its line, in the words of the program, and what to do instead."""
    with pytest.raises(staticpy.CompileError, match="SPY701") as caught:
        run(staticpy.grad(staticpy.jit(program)), 1.0, 3)
    (found,) = caught.value.diagnostics
    assert re.search(why, found.message)
    assert line in line_of(found.span)
    assert [shown in line_of(label.span) for label in found.labels] == [True] * bool(shown)
    with pytest.raises(staticpy.CompileError, match="SPY701"):
        run(pushed(staticpy.jit(program)), 1.0, 3)
