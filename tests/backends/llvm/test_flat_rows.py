"""What loops in loops save for the way back: one list of numbers, in which each round has a part.

Most functions here are differentiated by ``x`` and run with several ``n``, so that inner loops have
no rounds, one, and different numbers of them.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.ir import parse_module, verify, walk
from staticpy.ops import REGISTRY
from tests.support.describing import compare_trees
from tests.support.direct import frames_of

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm.flat_rows import with_flat_rows


def fixed(x, n):
    guess = x
    for _ in range(n):
        for _ in range(10):
            guess = 0.5 * (guess + x / guess)
    return guess


def of_other_lengths(x, n):
    y = x
    for i in range(n):
        for _ in range(i):  # none at first
            y = y * (1.0 + 0.1 * x / y) + x / y
    return y


def with_numbers_of_the_outer_loop(x, n):
    y = x
    for _ in range(n):
        z = y * y
        for _ in range(n - 1):
            z = z * z * 0.5 + x
        y = y * z + 0.1
    return y


def two_in_a_row(x, n):
    y = x
    for i in range(n):
        for _ in range(i):
            y = y * y * 0.5 + x
        for _ in range(3 - i):
            y = y / (1.0 + y)
    return y


def three_deep(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            for _ in range(j):
                y = y * y * 0.5 + x
            y = y * x + 0.1
    return y


def whiles(x, n):
    y = x
    while n > 0:
        m = n
        while m > 1:
            y = 0.5 * (y + x / y)
            m -= 1
        n -= 1
    return y


def until_it_has_converged(x, n):
    y = x
    for i in range(n):
        guess = y + i
        for _ in range(50):
            new = 0.5 * (guess + x / guess)
            if abs(new - guess) < 1e-9:
                break
            guess = new
        y = y + guess * x
    return y


def left_from_within(x, n):
    y = x
    for _ in range(n):
        for _ in range(n):
            y = y * y * 0.5 + x
            if y > 0.6:
                return y * 2.0
    return y


def on_one_side(x, n):
    y = x
    for i in range(n):
        if y > 0.5:
            for _ in range(i):
                y = 0.5 * (y + x / y)
        else:
            y = y * 1.5 + x
    return y


def on_either_side(x, n):
    y = x
    for i in range(n):
        if i % 2:
            for _ in range(i):
                y = 0.5 * (y + x / y)
        else:
            m = i
            while m < 3:
                y = y * x + 0.1
                m += 1
    return y


def in_a_branch_in_a_branch(x, n):
    y = x
    for i in range(n):
        for j in range(3):
            if i != 1:
                y = y + 0.1 * x
                if j != 1:
                    for _ in range(j):
                        y = y * y * 0.5 + x
    return y


def in_a_branch_around_all(x, n):
    y = x
    if n != 2:
        for i in range(n):
            for _ in range(i):
                y = y * y * 0.5 + x
    return y


def flags_and_counts(x, n):
    y = x
    for i in range(n):
        left = i
        while left > 0:
            y = y * x + 0.3 if left % 2 and y < 1.0 else y * 0.5
            left -= 1 + (y > 0.5)
    return y


def elements(x, n):
    made = np.full(4, x)
    for i in range(n):
        for j in range(i % 4):
            made[j + 1 - 1] = made[j] * made[3] * 0.5 + x
    return made.sum()


def scalars(x, n):
    y = np.float32(x)
    for _ in range(n):
        for _ in range(3):
            y = y * y * np.float32(0.5) + np.float32(0.2)
    return float(y) * x


def complex_numbers(x, n):
    z = 0.1j + x
    for _ in range(n):
        for _ in range(3):
            z = z * z + 0.1 * x
    return z.real * z.imag


FLAT = [
    fixed,
    of_other_lengths,
    with_numbers_of_the_outer_loop,
    two_in_a_row,
    three_deep,
    whiles,
    until_it_has_converged,
    left_from_within,
    on_one_side,
    on_either_side,
    in_a_branch_in_a_branch,
    in_a_branch_around_all,
    flags_and_counts,
    scalars,
    complex_numbers,
]
ROUNDS = [0, 1, 2, 3, 7]
flat_programs = pytest.mark.parametrize("program", FLAT, ids=lambda each: each.__name__)


def optimized(function: Callable[..., Any], *args: Any) -> str:
    return str(staticpy.jit(function).lower(*args).optimized_ir)


def flattened(function: Callable[..., Any], *args: Any) -> str:
    """The graph that becomes native code."""
    made = with_flat_rows(parse_module(optimized(function, *args), REGISTRY))
    verify(made)
    return str(made)


@flat_programs
def test_no_row_is_an_object(program: Callable[..., Any]) -> None:
    slope = staticpy.grad(program)
    assert "list[list[" in optimized(slope, 0.4, 3)
    assert "list[list[" not in flattened(slope, 0.4, 3)


@flat_programs
def test_as_in_python(program: Callable[..., Any]) -> None:
    """Which goes through rows."""
    native, host = (
        staticpy.value_and_grad(staticpy.jit(program, backend=name))
        for name in ("llvm", "python_source")
    )
    for x, n in product((0.3, 0.8), ROUNDS):
        expected = host(x, n)
        assert list(compare_trees(expected, native(x, n), "native")) == []
        assert list(compare_trees(expected, native(x, n), "again")) == []


DIFFERENTIATED_AGAIN = [
    of_other_lengths,
    three_deep,
    until_it_has_converged,
    on_one_side,
    on_either_side,
    elements,
]
ORDERS: dict[str, Callable[[Callable[..., Any]], Callable[[float, int], Any]]] = {
    "grad of grad": lambda f: staticpy.grad(staticpy.grad(f)),
    "jvp of grad": lambda f: lambda x, n: staticpy.jvp(staticpy.grad(f), (x, n), (1.0, None)),
    "vmap of grad": lambda f: (
        lambda x, n: staticpy.vmap(staticpy.grad(f), in_axes=(0, None))(np.array([x, 0.8 * x]), n)
    ),
    "checkpoint": lambda f: staticpy.grad(staticpy.checkpoint(f)),
}


@pytest.mark.parametrize("program", DIFFERENTIATED_AGAIN, ids=lambda each: each.__name__)
@pytest.mark.parametrize("order", ORDERS)
def test_derivatives_of_derivatives(program: Callable[..., Any], order: str) -> None:
    """Where rows are read and written in other ways they stay lists, others are flat."""
    derive = ORDERS[order]
    native, host = (
        derive(staticpy.jit(program, backend=name)) for name in ("llvm", "python_source")
    )
    for n in ROUNDS:
        assert list(compare_trees(host(0.4, n), native(0.4, n), "native")) == []


# --- the graph ------------------------------------------------------------------------------------

BEFORE = """
module @f {
  func @f(%x: float, %n: int) -> (float, int) {
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %t = list.make {type = !list[list[float]]} : list[list[float]]
    for %0, %n, %1 {breaks = false} (%i: int) {
      %c = py.lt %i, %1 : bool
      %r = if %c : list[float] {
        %l = list.make {type = !list[float]} : list[float]
        for %0, %i, %1 {breaks = false} (%j: int) {
          list.append %l, %x
          region_yield
        }
        region_yield %l
      } {
        %u = undef {type = !list[float]} : list[float]
        region_yield %u
      }
      list.append %t, %r
      region_yield
    }
    %s = list.getitem %t, %0 {saved = "all"} : list[float]
    %a = list.getitem %s, %1 {saved = "all"} : float
    %m = list.len %s : int
    return %a, %m
  }
}
"""
AFTER = """
module @f {
  func @f(%x: float, %n: int) -> (float, int) {
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %f = list.make {type = !list[float]} : list[float]
    %t = list.make {type = !list[int]} : list[int]
    for %0, %n, %1 {breaks = false} (%i: int) {
      %c = py.lt %i, %1 : bool
      %r = list.len %f : int
      list.append %t, %r
      if %c {
        for %0, %i, %1 {breaks = false} (%j: int) {
          list.append %f, %x
          region_yield
        }
        region_yield
      } {
        region_yield
      }
      region_yield
    }
    %s = list.getitem %t, %0 : int
    %2 = constant {value = 1} : int
    %3 = py.add %0, %2 : int
    %4 = list.len %t : int
    %5 = py.lt %3, %4 : bool
    %6 = if %5 : int {
      %7 = list.getitem %t, %3 : int
      region_yield %7
    } {
      %8 = list.len %f : int
      region_yield %8
    }
    %9 = py.add %s, %1 : int
    %a = list.getitem %f, %9 {saved = "all"} : float
    %m = py.sub %6, %s : int
    return %a, %m
  }
}
"""


def test_before_and_after() -> None:
    before, after = (parse_module(text, REGISTRY) for text in (BEFORE, AFTER))
    made = with_flat_rows(before)
    verify(made)
    assert made == after
    assert before == parse_module(BEFORE, REGISTRY), "the twin keeps its rows"


UNLIKE_A_TAPE = {
    "a row that is appended twice": (
        "list.append %t, %r",
        "list.append %t, %r\nlist.append %t, %r",
    ),
    "an index that may be out of bounds": ('%s, %1 {saved = "all"}', "%s, %1"),
    "a row that is written to": ("%m = list", "list.setitem %s, %0, %x\n%m = list"),
    "a row that is handed on": ("return %a, %m", "%k = list.len %t : int\nreturn %s, %k"),
    "a row that each round shares": (
        "for %0, %n, %1 {breaks = false} (%i: int) {",
        "%z = list.make {type = !list[float]} : list[float]\n"
        "for %0, %n, %1 {breaks = false} (%i: int) {\nlist.append %t, %z",
    ),
    "rows that are read while there are more to come": (
        "list.append %t, %r",
        'list.append %t, %r\n%e = list.getitem %t, %0 {saved = "all"} : list[float]\n'
        "%g = list.len %e : int",
    ),
    "rows that are counted while one is begun": (
        "list.append %t, %r",
        "%e = list.len %t : int\nlist.append %t, %r",
    ),
}


@pytest.mark.parametrize("change", UNLIKE_A_TAPE.values(), ids=UNLIKE_A_TAPE)
def test_what_stays_a_list_of_lists(change: tuple[str, str]) -> None:
    text = BEFORE.replace(*change)
    if "return %s" in text:
        text = text.replace("-> (float, int)", "-> (list[float], int)")
    assert text != BEFORE
    made = with_flat_rows(parse_module(text, REGISTRY))
    verify(made)
    assert "list[list[" in str(made)


# --- lists of branches ----------------------------------------------------------------------------


def loop_in_a_branch(x, n):
    y = x
    if n > 1:
        for _ in range(n):
            y = 0.5 * (y + x / y)
    return y


@pytest.mark.parametrize("program", [loop_in_a_branch, in_a_branch_around_all, on_one_side])
def test_branches_yield_no_lists(program: Callable[..., Any]) -> None:
    """A list that is made before them is one value, whoever reads it."""
    made = with_flat_rows(parse_module(optimized(staticpy.grad(program), 0.4, 3), REGISTRY))
    yields = [each for each in walk(made.main.block) if each.name == "region_yield"]
    assert yields
    assert not any("list" in str(value.type) for each in yields for value in each.operands)
    native = staticpy.grad(staticpy.jit(program, backend="llvm"))
    for n in ROUNDS:
        assert native(0.4, n) == pytest.approx(staticpy.grad(program)(0.4, n), rel=1e-14)


# --- running --------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [fixed, three_deep, on_one_side, whiles])
def test_no_python_runs(program: Callable[..., Any]) -> None:
    slope = staticpy.grad(staticpy.jit(program, backend="llvm"))
    for _ in range(2):
        slope(0.4, 9)
    assert frames_of(slope, 0.4, 9) == []


def fails_within(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = y * y / (3 - j)
    return y


def caught_around(x, n):
    y = x
    try:
        for i in range(n):
            for j in range(i):
                y = y * y / (3 - j)
    except ZeroDivisionError:
        y = y * 2.0
    return y


def caught_within(x, n):
    y = x
    for i in range(n):
        try:
            for j in range(i):
                y = y * y / (3 - j)
        except ZeroDivisionError:
            y = y * 2.0
        for _ in range(i):
            y = y * y * 0.5 + x
    return y


def calls_itself(x, n):
    y = x
    for i in range(n):
        for _ in range(i):
            y = y * y * 0.5 + x
    return y + (calls_itself(y * 0.5, n - 1) if n > 0 else 0.0)


def in_a_try_in_a_function(x, n):
    slope = staticpy.grad(of_other_lengths)
    total = 0.0
    for i in range(n):
        try:
            total = total + slope(x + i, i) / (2 - i)
        except ZeroDivisionError:
            total = total + 1.0
    return total


def test_an_exception_in_the_midst() -> None:
    native = staticpy.grad(staticpy.jit(fails_within, backend="llvm"))
    for _ in range(3):
        assert native(0.5, 3) == staticpy.grad(fails_within)(0.5, 3)
        with pytest.raises(ZeroDivisionError):
            native(0.5, 5)


@pytest.mark.parametrize("program", [caught_around, caught_within, calls_itself])
def test_where_rows_are_not_for_native_code(program: Callable[..., Any]) -> None:
    """Handlers and functions that call themselves leave lists to Python."""
    native, host = (
        staticpy.grad(staticpy.jit(program, backend=name)) for name in ("llvm", "python_source")
    )
    for n in (0, 1, 3, 4, 5, 6):
        assert native(0.5, n) == host(0.5, n)


def test_gradients_in_a_function() -> None:
    native = staticpy.jit(in_a_try_in_a_function, backend="llvm")
    for n in (0, 1, 3, 5):
        assert native(0.5, n) == in_a_try_in_a_function(0.5, n)


def beyond_64_bits(x, n):
    y = x
    count = 1
    for _ in range(n):
        for _ in range(n):
            count = count * 10
            y = y * y * 0.5 + x / count
    return y


def test_the_twin_goes_through_rows() -> None:
    """Of ints that leave 64 bits; its source is that of the other backend."""
    native = staticpy.grad(staticpy.jit(beyond_64_bits, backend="llvm"))
    for n in (2, 4, 5, 6, 2):
        assert native(0.5, n) == staticpy.grad(beyond_64_bits)(0.5, n)


def test_memory_is_given_back() -> None:
    slope = staticpy.grad(staticpy.jit(three_deep, backend="llvm"))
    fails = staticpy.grad(staticpy.jit(fails_within, backend="llvm"))
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(3):
            for _ in range(20):
                slope(0.2, 20)
                with pytest.raises(ZeroDivisionError):
                    fails(0.5, 40)
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert sizes[2] - sizes[1] < 50_000
