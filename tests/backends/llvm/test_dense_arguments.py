"""The lean edition takes for granted that arguments lie dense whose elements a ``while`` reads, and
that those can be written to that it writes to: what others give, write and raise is CPython's.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.backends.llvm import backend, editions
from staticpy.backends.llvm.dense_arguments import dense_arguments

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def until_larger(x, y, bound):
    i = 0
    while i < len(x) and x[i] <= bound:
        y[i] = x[i] + 1
        i += 1
    return i


def reversed_rows(x):
    for i in range(x.shape[0]):
        left = 0
        right = x.shape[1] - 1
        while left < right:
            x[i, left], x[i, right] = x[i, right], x[i, left]
            left += 1
            right -= 1


def counted(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1


def halves(x, wanted):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def outcome(function, *arguments):
    """What a call gives or raises, and what is then in its arrays."""
    try:
        result = function(*arguments)
    except (IndexError, ValueError) as error:
        result = type(error), str(error)
    return result, [each.tolist() for each in arguments if isinstance(each, np.ndarray)]


def layouts(*values):
    """One array of these values after the other, each lying in another way."""
    x = np.array(values)
    wide = np.zeros((3, 2 * len(x) + 1), x.dtype)
    parts = [x, wide[1, : len(x)], wide[1, : 2 * len(x) : 2], wide[0, len(x) - 1 :: -1]]
    for part in [*parts, wide.T[: len(x), 1], np.broadcast_to(x, (2, len(x)))[1].copy()]:
        made = part[: len(x)]
        made[...] = x
        yield made


@pytest.mark.parametrize("bound", [-1, 3, 10])
@pytest.mark.parametrize("values", [(1, 2, 3, 7, 1), (5,), (), (2, 2)])
def test_arrays_that_lie_otherwise(values, bound):
    native = staticpy.jit(until_larger, backend="llvm")
    if values:
        for x in layouts(*values):
            for y in layouts(*(0 for _ in values)):
                wanted = outcome(until_larger, x, y.copy(), bound)
                assert outcome(native, x, y, bound) == wanted
                y[...] = 0
    x = np.array(values, np.int64)
    assert outcome(native, x, x.copy(), bound) == outcome(until_larger, x, x.copy(), bound)


def test_an_array_that_is_both():
    native = staticpy.jit(until_larger, backend="llvm")
    for step in (1, 2):
        x, y = np.arange(8), np.arange(8)
        wanted = outcome(until_larger, x[: 8 - step : step], x[step::step], 9)
        assert outcome(native, y[: 8 - step : step], y[step::step], 9) == wanted
        assert x.tolist() == y.tolist()
    x, y = np.arange(8), np.arange(8)
    assert outcome(native, x, x, 5) == outcome(until_larger, y, y, 5)


def test_rows():
    native = staticpy.jit(reversed_rows, backend="llvm")
    for take in (
        lambda x: x,
        lambda x: x.T,
        lambda x: x[:, ::-1],
        lambda x: x[::2, 1:],
        lambda x: x[:, 1:2],
        lambda x: x[:0],
        np.asfortranarray,
    ):
        x, y = (take(np.arange(20).reshape(4, 5)) for _ in range(2))
        native(x)
        reversed_rows(y)
        assert x.tolist() == y.tolist()


def test_what_is_read_only():
    """It is seen where the first element is written, and nowhere else."""
    for function, arguments in [
        (until_larger, lambda: (np.arange(5), np.zeros(5, int), 3)),
        (until_larger, lambda: (np.arange(5), np.zeros(5, int), -1)),
        (until_larger, lambda: (np.arange(5), np.zeros(0, int), 3)),
        (counted, lambda: (np.array([1, 0, 2]), np.zeros(3, int))),
        (counted, lambda: (np.array([], int), np.zeros(3, int))),
        (counted, lambda: (np.array([7]), np.zeros(3, int))),
    ]:
        native = staticpy.jit(function, backend="llvm")
        for _ in range(2):
            outcomes = []
            for each in (native, function):
                given = arguments()
                assert outcome(each, *given)
                given = arguments()
                given[1].flags.writeable = False
                outcomes.append(outcome(each, *given))
            assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_elements_of_all_sizes(dtype):
    def last_true(x):
        i = len(x) - 1
        while i >= 0 and not x[i]:
            i -= 1
        return i

    native = staticpy.jit(last_true, backend="llvm")
    x = np.array([0, 1, 0, 1, 0, 0, 0]).astype(dtype)
    for part in (x, x[::2], x[::-1], x[:1], x[:0], x[1::3]):
        assert native(part) == last_true(part)


def test_which_edition(monkeypatch):
    made = []
    edition = backend.Llvm._edition

    def noted(self, module, lowering):
        made.append(lowering is editions.LeanLowering)
        return edition(self, module, lowering)

    monkeypatch.setattr(backend.Llvm, "_edition", noted)
    native = staticpy.jit(halves, backend="llvm")
    x = np.arange(20)
    assert native(x, 7) == 7
    assert made == [True]
    assert native(x[::2], 7) == 4
    assert native(x, 7) == 7
    assert made == [True, False]


def test_elements_are_found_without_a_multiplication():
    text = staticpy.jit(halves, backend="llvm").lower(np.arange(3), 1).compile().llvm_ir
    assert " mul " not in text


def in_a_for(x, y):
    for i in range(len(x)):
        y[i] = x[i]


@pytest.mark.parametrize(
    ("function", "read", "written"),
    [
        (until_larger, ["x", "y"], ["y"]),
        (halves, ["x"], []),
        (counted, ["counts"], ["counts"]),  # of ``x`` the loop knows before it begins
        (in_a_for, [], []),
    ],
)
def test_which_arguments(function, read, written):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    arrays = {"x": np.arange(4), "y": np.arange(4), "counts": np.arange(4)}
    given = [arrays.get(name, 3) for name in names]
    graph = staticpy.jit(function, backend="llvm").lower(*given).module.main
    found = dense_arguments(graph)
    assert [
        name for name, each in zip(names, graph.args, strict=True) if each in found.read
    ] == read
    which = [name for name, each in zip(names, graph.args, strict=True) if each in found.written]
    assert which == written


def test_an_array_without_axes():
    def counted(x, n):
        total = 0.0
        while total < n:
            total += x[()]
        return total

    x = np.array(0.5)
    assert staticpy.jit(counted, backend="llvm")(x, 3.2) == counted(x, 3.2)
