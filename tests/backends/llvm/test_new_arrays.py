"""Arrays that a function makes: native code knows how they lie, and that it may write to them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def copied(x):
    y = x.copy()
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + y[i, j - 1]
    return y, y[1:], y.T, y[:, ::2]


def copied_as_it_lies(x):
    y = np.copy(x, order="K")
    for i in range(x.shape[0]):
        y[i, -1] = 7.0
    return y, y[1:], y.T


def zeros_as_it_lies(x):
    y = np.zeros_like(x)
    for j in range(x.shape[1]):
        for i in range(x.shape[0]):
            y[i, j] = x[i, j] * 2.0
    return y, y[:, 1:]


def zeros(x):
    y = np.zeros((x.shape[0], x.shape[1]))
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] += x[i, j]
    return y, y[1:], y.T, y[:, ::2]


def described(arrays):
    return [(each.tobytes(), each.shape, each.strides, each.flags.writeable) for each in arrays]


LAYOUTS = {
    "rows": lambda x: x,
    "columns": np.asfortranarray,
    "steps": lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::-3],
    "read-only": lambda x: np.broadcast_to(x[:1], x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", [copied, copied_as_it_lies, zeros_as_it_lies, zeros])
def test_new_arrays(function, layout):
    native = staticpy.jit(function, backend="llvm")
    for m, n in [(3, 5), (1, 4), (4, 1), (0, 3), (1, 1)]:
        x = LAYOUTS[layout](np.arange(1.0, m * n + 1).reshape(m, n))
        assert described(native(x)) == described(function(x)), (m, n)


def test_arrays_without_elements():
    native = staticpy.jit(zeros, backend="llvm")
    for shape in [(0, 0), (3, 0), (0, 3)]:
        assert described(native(np.ones(shape))) == described(zeros(np.ones(shape)))


def copied_or_given(x, copies):
    y = x.copy() if copies else x
    for i in range(len(y)):
        y[i] = i
    return y


def test_what_may_be_the_callers_is_asked():
    native = staticpy.jit(copied_or_given, backend="llvm")
    x = np.ones(4)
    x.flags.writeable = False
    assert native(x, True).tolist() == [0.0, 1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        native(x, False)
