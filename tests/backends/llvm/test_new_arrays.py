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


def filled(x):
    m, n = x.shape
    made = [
        np.ones((m, n)),
        np.full((m, n), 2.5),
        np.ones_like(x),
        np.full_like(x, 3.0),
        np.eye(m, n),
    ]
    made += [np.ones((m, n), order="F"), np.full((m, n), 2, order="F"), x.astype(np.float32)]
    a, b, c, d, e, f, g, h = made
    for i in range(m):
        j = n - 1
        while j >= 0:
            a[i, j] += x[i, j]
            b[i, j] += x[i, j - 1]
            c[i, j] += x[i, -1]
            d[i, j] += a[i, j]
            e[i, j] += b[i, j]
            f[i, j] += c[i, j]
            g[i, j] = i + j
            h[i, j] += 1
            j -= 1
    return a, b, c, d, e, f, g, h, a[:, ::2], f.T, f[1:]


def counted(x):
    a, b = np.arange(len(x)), np.full(len(x) + 1, -1)
    i = 0
    while i < len(x):
        a[i] += i
        b[i] = a[i]
        i += 1
    return a, b, a[::2]


def exchanged(x):
    a, b = x.copy(), np.zeros_like(x)
    for n in range(3):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                b[i, j] = a[i, -1] + n
        a, b = b, a
    return a, b


def chosen(x):
    a = np.zeros(x.shape)
    if x.shape[0] > 2:
        a = np.ones((x.shape[1], x.shape[0]), order="F")
    while a[-1, 0] < 3:
        for j in range(a.shape[1]):
            a[-1, j] += 1
    return a, a[::-1]


def made_in_rounds(x):
    row = np.zeros(1)
    for i in range(x.shape[0]):
        row = np.zeros(i + 1)
        for j in range(i + 1):
            row[j] = x[i, 0] + j
        if i == 3:
            break
    return row, row[::2]


def described(arrays):
    return [(each.tobytes(), each.shape, each.strides, each.flags.writeable) for each in arrays]


LAYOUTS = {
    "rows": lambda x: x,
    "columns": np.asfortranarray,
    "steps": lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::-3],
    "read-only": lambda x: np.broadcast_to(x[:1], x.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "function",
    [
        copied,
        copied_as_it_lies,
        zeros_as_it_lies,
        zeros,
        filled,
        counted,
        exchanged,
        chosen,
        made_in_rounds,
    ],
)
def test_new_arrays(function, layout):
    native = staticpy.jit(function, backend="llvm")
    sizes = [(3, 5), (1, 4), (4, 1), (1, 1)]
    for m, n in sizes if function is chosen else [*sizes, (0, 3)]:
        x = LAYOUTS[layout](np.arange(1.0, m * n + 1).reshape(m, n))
        assert described(native(x)) == described(function(x)), (m, n)


def test_arrays_without_elements():
    native = staticpy.jit(zeros, backend="llvm")
    for shape in [(0, 0), (3, 0), (0, 3)]:
        assert described(native(np.ones(shape))) == described(zeros(np.ones(shape)))


def up_to(count, last):
    made = np.ones(count)
    i = 0
    while i < last:
        made[i] = i
        i += 1
    return made


def test_sizes_that_were_asked_for():
    native = staticpy.jit(up_to, backend="llvm")
    for count, last in [(5, 5), (5, 3), (0, 0), (3, 4), (0, 1), (-1, 0)]:
        outcomes = []
        for each in (native, up_to):
            try:
                outcomes.append(each(count, last).tolist())
            except (IndexError, ValueError) as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1]


def test_a_condition_on_the_size_is_one_on_the_index():
    def function(count):
        made = np.ones(count)
        i = 0
        while i < count:
            made[i] = i
            i += 1
        return made

    text = staticpy.jit(function, backend="llvm").lower(4).compile().llvm_ir
    assert "refuse." not in text


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


def exchanged_with_an_argument(x):
    a, b = x, np.zeros_like(x)
    for _ in range(2):
        for i in range(len(x)):
            b[i] = a[i] + 1
        a, b = b, a
    return a


def test_what_may_be_an_argument_is_no_new_array():
    native = staticpy.jit(exchanged_with_an_argument, backend="llvm")
    for writeable in (True, False):
        x, y = np.arange(3.0), np.arange(3.0)
        outcomes = []
        for function, argument in ((native, x), (exchanged_with_an_argument, y)):
            argument.flags.writeable = writeable
            try:
                outcomes.append(function(argument).tolist())
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
        assert x.tolist() == y.tolist()
