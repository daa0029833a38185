"""Functions have a lean edition, and a whole one where its loops take too much for granted: what
they give, write, raise and warn of is CPython's, whichever takes a call.
"""

from __future__ import annotations

import gc
import threading
import warnings
import weakref

import numpy as np
import pytest

import staticpy
from staticpy.backends.llvm import backend, editions

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


@pytest.fixture
def compiled(monkeypatch):
    """How each edition was lowered."""
    made = []
    edition = backend.Llvm._edition

    def noted(self, module, lowering):
        made.append(lowering is editions.LeanLowering)
        return edition(self, module, lowering)

    monkeypatch.setattr(backend.Llvm, "_edition", noted)
    return made


def before(x, k):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i - k] + 1.0
    return y


def test_the_whole_edition_is_compiled_when_it_is_needed(compiled):
    native = staticpy.jit(before, backend="llvm")
    x = np.arange(5.0)
    assert native(x, 0).tolist() == before(x, 0).tolist()
    assert compiled == [True]
    for _ in range(3):
        assert native(x, 1).tolist() == before(x, 1).tolist()
        assert native(x, 0).tolist() == before(x, 0).tolist()
    assert compiled == [True, False]


def test_exceptions_come_from_the_whole_edition(compiled):
    native = staticpy.jit(before, backend="llvm")
    for _ in range(2):
        with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 5"):
            native(np.arange(5.0), -1)
    assert compiled == [True, False]


def last(x):
    for each in x:  # noqa: B007
        pass
    return each


def test_the_lines_of_the_whole_edition_are_the_users(compiled):
    native = staticpy.jit(last, backend="llvm")
    assert native(np.ones(1)) == 1.0
    for _ in range(2):
        with pytest.raises(UnboundLocalError) as caught:
            native(np.ones(0))
        assert caught.traceback[-1].name == "last"
        assert caught.traceback[-1].lineno == last.__code__.co_firstlineno + 2
    assert compiled == [True, False]


def test_rows_that_are_not_dense(compiled):
    native = staticpy.jit(before, backend="llvm")
    x = np.arange(10.0)
    for part in (x[::2], x[::-1], x[3:]):
        assert native(part, 0).tolist() == before(part, 0).tolist()
    assert compiled == [True, False]


def doubled(x, k):
    for i in range(len(x)):
        x[i - k] = 2 * x[i - k]
    return x


def doubled_twice(x, k):
    for i in range(len(x)):
        x[i - k] = 2 * x[i - k]
    for i in range(len(x)):
        x[i] = x[i - k] + 1
    return x


@pytest.mark.parametrize("plain", [doubled, doubled_twice])
def test_what_has_been_written_is_not_written_again(plain):
    native = staticpy.jit(plain, backend="llvm")
    for k in (0, 1, 4, -1, 0):
        outcomes = []
        for function in (native, plain):
            x = np.arange(6.0)
            try:
                function(x, k)
            except IndexError as error:
                outcomes.append((str(error), x.tolist()))
            else:
                outcomes.append(x.tolist())
        assert outcomes[0] == outcomes[1]


def rows(x, start):
    out = np.zeros_like(x)
    for i in range(start, len(x)):
        for j in range(x.shape[1]):
            total = 0.0
            for k in range(x.shape[1]):
                total += abs(x[i, k] - x[i - 1, j])
            out[i, j] = total
    return out


@pytest.mark.parametrize("size", [(0, 0), (1, 3), (5, 4), (90, 80)])
@pytest.mark.parametrize("start", [0, 1, 7, -2])
def test_loops_on_several_threads(size, start):
    native = staticpy.jit(rows, backend="llvm")
    x = np.random.default_rng(0).normal(size=size)
    for given in (x, x[:, ::-1], x.T):
        if start < 0 and len(given) < 3:
            continue  # an IndexError
        np.testing.assert_array_equal(native(given, start), rows(given, start))


def test_warnings_of_the_whole_edition():
    def inverse(x, k):
        y = np.zeros_like(x)
        for i in range(len(x)):
            y[i] = 1.0 / x[i - k]
        return y

    native = staticpy.jit(inverse, backend="llvm")
    outcomes = []
    for k in (0, 1, 1, 0):
        for function in (inverse, native):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                found = function(np.array([2.0, 0.0, 4.0]), k).tolist()
            outcomes.append((found, [str(each.message) for each in warned]))
    assert outcomes[::2] == outcomes[1::2]
    assert outcomes[0][1] == ["divide by zero encountered in scalar divide"]


def test_several_threads_need_it_at_once(compiled):
    native = staticpy.jit(before, backend="llvm")
    x = np.arange(50.0)
    native(x, 0)
    found = []
    threads = [threading.Thread(target=lambda: found.append(native(x, 3))) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 8
    assert all(each.tolist() == before(x, 3).tolist() for each in found)
    assert compiled == [True, False]


def test_editions_go_with_their_function():
    made = []

    class Noted(editions.Whole):
        def __init__(self, *args):
            super().__init__(*args)
            made.append(weakref.ref(self))

    def run(monkey):
        monkey.setattr(backend, "Whole", Noted)

        def local(x, k):
            y = np.zeros_like(x)
            for i in range(len(x)):
                y[i] = x[i - k]
            return y

        native = staticpy.jit(local, backend="llvm")
        native(np.ones(3), 0)
        native(np.ones(3), 1)

    with pytest.MonkeyPatch.context() as monkey:
        run(monkey)
    gc.collect()
    assert made
    assert not any(each() for each in made)


def test_gradients_have_editions(compiled):
    def weighted(x, w):
        total = 0.0
        for i in range(len(x)):
            total += x[i - 1] * w[i]
        return total

    slope = staticpy.jit(staticpy.grad(weighted), backend="llvm")
    x, w = np.arange(4.0), np.arange(1.0, 5.0)
    assert slope(x, w).tolist() == [2.0, 3.0, 4.0, 1.0]
    assert compiled[0]
