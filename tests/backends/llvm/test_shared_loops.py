"""Loops over numbers on several threads: results, what is written before an exception, and warnings
are those of one round after the other.
"""

from __future__ import annotations

import threading
import warnings
from functools import cache
from importlib import import_module

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

control = import_module("staticpy.backends.llvm.control")
shared_loops = import_module("staticpy.backends.llvm.shared_loops")


@pytest.fixture(autouse=True)
def parts_of_all_loops(monkeypatch):
    """Every loop that may be is cut into parts of a round each."""
    monkeypatch.setattr(import_module("staticpy.backends.llvm.parts"), "WORK", 1)
    monkeypatch.setattr(shared_loops, "_PIECE", 1)
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(3)
    yield
    staticpy.set_num_threads(before)


# --- loops that are shared ------------------------------------------------------------------------


def mandelbrot(x, y):
    n = len(x)
    counts = np.zeros((n, n), np.int64)
    for row in range(n):
        for column in range(n):
            a, b = x[row, column], y[row, column]
            u, v, count = 0.0, 0.0, 0
            while count < 50 and u * u + v * v <= 4.0:
                u, v = u * u - v * v + a, 2.0 * u * v + b
                count += 1
            counts[row, column] = count
    return counts


def stencil(x, y):
    rows, columns = x.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            y[i, j] = 0.2 * (x[i, j] + x[i, j - 1] + x[i, j + 1] + x[i + 1, j] + x[i - 1, j])


def product(x, y):
    out = np.zeros((x.shape[0], y.shape[1]))
    for i in range(x.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for k in range(y.shape[0]):
                total += x[i, k] * y[k, j]
            out[i, j] = total
    return out


def distances(x, y):
    out = np.zeros((len(x), len(y)))
    for i in range(len(x)):
        for j in range(len(y)):
            total = 0.0
            for k in range(x.shape[1]):
                difference = x[i, k] - y[j, k]
                total += difference * difference
            out[i, j] = np.sqrt(total)
    return out


def triangle(x, y):
    for i in range(len(x)):
        for j in range(i + 1):
            y[i, j] += x[i, j] * x[j, i]
        for j in range(i + 1, len(x)):
            y[i, j] = -x[j, i]


def columns(x, y):
    for j in range(x.shape[1]):
        largest = x[0, j]
        for i in range(1, x.shape[0]):
            largest = max(largest, x[i, j])
        for i in range(x.shape[0]):
            y[i, j] = x[i, j] - largest


def eliminated(x, y):
    """The rounds of each ``i`` read row ``k``, which is none of theirs."""
    for k in range(len(x)):
        for i in range(k + 1, len(x)):
            factor = x[i, k] / (x[k, k] + 9.0)
            for j in range(k, len(x)):
                x[i, j] -= factor * x[k, j]


def shortest(x, y):
    """The rounds of each ``i`` read row ``k``, which one of them writes."""
    for k in range(len(x)):
        for i in range(len(x)):
            for j in range(len(x)):
                x[i, j] = min(x[i, j], x[i, k] + x[k, j])


def seen(x, y):
    """What is counted, and divided by what no round changes, can't go wrong: the caller's array may
    be written to.
    """
    n, rate = len(x), float(len(y))
    for i in range(n):
        for j in range(n):
            count, a = 0, (i - 0.5 * j) / n
            while a < 50.0 and count < n:
                a, count = a * a + 1 / rate + i / -n, count + 1
            y[i, j] = count + 0.5 * (i // 2) + (i + j) % n + a


def pivot_that_changes(x, y):
    """Rounds before that of row 3 read what it was, those after it what it is."""
    three = 5 - len(y) // len(x) - 1
    for i in range(len(x)):
        for j in range(x.shape[1]):
            x[i, j] = x[i, j] * 0.5 + x[three, j]


def shifted_rows(x, y):
    for i in range(len(x) - 1):
        for j in range(x.shape[1]):
            y[i + 1, j] = x[i, j] + y[i + 1, j]


SHARED = [
    mandelbrot,
    stencil,
    product,
    distances,
    triangle,
    columns,
    eliminated,
    shortest,
    seen,
    pivot_that_changes,
    shifted_rows,
]

# --- loops whose rounds see each other ------------------------------------------------------------


def neighbours(x, y):
    for i in range(1, len(x)):
        for j in range(x.shape[1]):
            y[i, j] = y[i - 1, j] + x[i, j]


def carried(x, y):
    total = 0.0
    for i in range(len(x)):
        for j in range(x.shape[1]):
            total += x[i, j]
            y[i, j] = total


def one_place(x, y):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[0, j] += x[i, j]


def until(x, y):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j]
        if x[i, 0] > 0.8:
            break


def scattered(x, y):
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[int(x[i, j] * 9.0), j] = x[i, j]


def from_the_end(x, y):
    """The first rounds write to the last rows, where the last ones write again."""
    for i in range(-2, len(x)):
        for j in range(x.shape[1]):
            y[i, j] = y[i, j] * 0.5 + x[i, j]


SERIAL = [neighbours, carried, one_place, until, scattered, from_the_end]


def numbers(*dims, seed=0):
    return np.random.default_rng(seed).random(dims)


LAYOUTS = {
    "apart": lambda: (numbers(9, 9), numbers(9, 9, seed=1)),
    "in Fortran's order": lambda: (numbers(9, 9).T, numbers(9, 9, seed=1).T),
    "with gaps": lambda: (numbers(18, 18)[::2, ::2], numbers(9, 18, seed=1)[:, ::-2]),
    "the same": lambda: (numbers(9, 9),) * 2,
    "shifted": lambda: (memory := numbers(10, 9), (memory[1:], memory[:-1]))[1],
    "shifted down": lambda: (memory := numbers(10, 9), (memory[:-1], memory[1:]))[1],
    "upside down": lambda: (memory := numbers(9, 9), (memory, memory[::-1]))[1],
    "one row": lambda: (
        numbers(9, 9),
        np.lib.stride_tricks.as_strided(numbers(9, seed=1), (9, 9), (0, 8)),
    ),
}
"""Two arrays of 9 x 9: apart, or one where the other is, or where it is itself."""


def outcome(function, x, y):
    try:
        found = function(x, y)
    except (IndexError, ValueError, ZeroDivisionError, OverflowError) as error:
        found = type(error), str(error)
    found = found.tolist() if isinstance(found, np.ndarray) else found
    return found, x.tobytes(), y.tobytes()


@cache
def compiled(function):
    return staticpy.jit(function, backend="llvm")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", SHARED + SERIAL)
def test_results_are_those_of_one_round_after_the_other(function, layout):
    expected = outcome(function, *LAYOUTS[layout]())
    for number in (1, 3):
        staticpy.set_num_threads(number)
        assert outcome(compiled(function), *LAYOUTS[layout]()) == expected


@pytest.mark.parametrize("function", SHARED)
def test_all_rounds_are_done_by_parts(function, monkeypatch):
    """Without the form that looks at each index nothing is missing."""
    for_rule = control.for_rule
    monkeypatch.setattr(
        control,
        "for_rule",
        lambda cx, *given: for_rule(cx, *given) if cx.looks_ahead else (),
    )
    native = staticpy.jit(function, backend="llvm")
    expected = outcome(function, *LAYOUTS["apart"]())
    assert outcome(native, *LAYOUTS["apart"]()) == expected
    assert "rounds.0" in native.lower(*LAYOUTS["apart"]()).compile().llvm_ir


@pytest.mark.parametrize("function", SERIAL)
def test_no_parts_are_made_in_vain(function):
    text = compiled(function).lower(*LAYOUTS["apart"]()).compile().llvm_ir
    assert "rounds.0" not in text


# --- what may go wrong in the middle --------------------------------------------------------------


def out_of_bounds(x, y):
    for i in range(len(x) + 1):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + 1.0


def divided(x, y):
    rates = [1.0, 2.0]
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[i, j] = 1.0 / (5 - i) + len(rates)


def divided_in_a_copy(x, y):
    out = x.copy()
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i, j] = y[i, j] + 1 / (5 - i)
    y[:] = out


def powers_of_zero(x, y):
    """What Python does for 0.0 ** 2 the parts can't."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i, j] = ((i - 4) / 2) ** 2.0 + y[i, j]
    return out


def divided_by_what_is_known(x, y):
    none = len(x) - len(y)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            y[i, j] = 1.0
            y[i, j] = x[i, j] + i / none


def long_ints(x, y):
    out = np.zeros(x.shape)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            number = 1
            for _ in range(10 * i):
                number *= 10
            out[i, j] += number % 7
    return out


def after_a_write(x, y):
    """Once others may have seen something, nothing can be done again."""
    y[0, 0] = 7.0
    out = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i, j] = 1.0 / (5 - i)
    return out


def looked_up(x, y):
    out = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            out[i, j] = y[i, int(x[i, j] * 10.0)]
    return out


RAISING = [
    out_of_bounds,
    divided,
    divided_in_a_copy,
    divided_by_what_is_known,
    powers_of_zero,
    long_ints,
    after_a_write,
    looked_up,
]


@pytest.mark.parametrize("function", RAISING)
def test_an_exception_leaves_what_was_written_before(function):
    x, y = LAYOUTS["apart"]()
    expected = outcome(function, x, y)
    for _ in range(5):
        assert outcome(compiled(function), *LAYOUTS["apart"]()) == expected


def test_a_read_only_array_is_not_written_to():
    x, y = LAYOUTS["apart"]()
    y.flags.writeable = False
    before = y.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        staticpy.jit(stencil, backend="llvm")(x, y)
    assert y.tobytes() == before


@pytest.mark.parametrize("place", [(0, 0), (4, 4), (8, 8)])
def test_warnings_of_all_threads_are_seen(place):
    def quotients(x, y):
        out = np.zeros_like(x)
        for i in range(len(x)):
            for j in range(x.shape[1]):
                out[i, j] = x[i, j] / y[i, j]
        return out

    native = staticpy.jit(quotients, backend="llvm")
    x, y = LAYOUTS["apart"]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        native(x, y)
    y[place] = 0.0
    for _ in range(5):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            native(x, y)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        native(x, y)


# --- who calls, and what comes meanwhile ----------------------------------------------------------


def test_several_threads_of_python_call_at_once():
    native = staticpy.jit(product, backend="llvm")
    arguments = [(numbers(30, 40, seed=seed), numbers(40, 20, seed=seed)) for seed in range(4)]
    expected = [native(*each).tobytes() for each in arguments]
    wrong = []

    def run(number):
        if any(native(*arguments[number]).tobytes() != expected[number] for _ in range(100)):
            wrong.append(number)

    runners = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for runner in runners:
        runner.start()
    for number in (1, 2, 4, 3):
        staticpy.set_num_threads(number)
    for runner in runners:
        runner.join()
    assert not wrong


@pytest.mark.parametrize("length", [2**24, 2**24 + 1])
def test_rows_too_long_to_be_one_piece(length):
    @staticpy.jit(backend="llvm")
    def counted(out, n):
        for i in range(len(out)):
            total = 0
            for j in range(n):
                total += (i + j) & 1
            out[i] = total
        return out

    found = counted(np.zeros(3, dtype=np.int64), length)
    assert found.tolist() == [length // 2, (length + 1) // 2, length // 2]
