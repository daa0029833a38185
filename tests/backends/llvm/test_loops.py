"""Fused loops: the bits of NumPy, its memory layout and its exceptions."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

DTYPES = [np.float32, np.float64]
SHAPES = [(1, 1), (3, 5), (4, 7), (5, 8), (6, 129), (3, 1000), (2, 300), (7, 17), (0, 4), (4, 0)]


def native(function):
    return staticpy.jit(function, backend="llvm")


def linear(x, y):
    return x * y + 1.5


def squared_error(x, y):
    return ((x - y) ** 2).mean(axis=1)


def sums(x):
    return x.sum(axis=-1, keepdims=True), np.sum(x[0] * x[0]) if len(x) else x


def extrema(x):
    return x.max(axis=1), x.min(axis=1), x.sum(axis=1)


def layer_norm(x):
    m = x.mean(axis=-1, keepdims=True)
    v = ((x - m) ** 2).mean(axis=-1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5)


def selection(x):
    return np.where(x > 0.5, x, -x), (x > 0.5) & (x < 0.7), np.abs(np.sign(x))


def integers(x):
    return (x * 3 - 7) % 5 if False else x * 3 - 7, x << 2, x > 4, x.astype(np.float32) / 2


def outcome(function, *arguments):
    """What a call gives, or raises, and what it makes of its arguments, in all detail."""
    given = copy.deepcopy(arguments)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*given)
        except Exception as error:
            return type(error), str(error), [details(each) for each in given]
    messages = sorted({str(each.message) for each in caught})
    results = result if isinstance(result, tuple) else (result,)
    return [details(each) for each in (*results, *given)], messages


def details(value):
    if not isinstance(value, np.ndarray):
        return type(value), np.asarray(value).tobytes()
    return value.dtype, value.shape, value.strides, value.tobytes()


def numbers(*shape, dtype):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elementwise_on_all_layouts(dtype):
    call = native(linear)
    for n, m in SHAPES:
        x, y, row = (numbers(*s, dtype=dtype) for s in ((n, m), (n, m), (m,)))
        column = numbers(n, 1, dtype=dtype)
        for pair in (
            (x, y),
            (x, row),
            (row, x),
            (column, row),
            (x[:, ::2], y[:, ::2]),
            (x[::-1], y),
            (x.T, y.T),
            (x, y[:1]),
            (np.asfortranarray(x), y),
            (x.T[:, None], y.T[:, None]),
        ):
            assert outcome(call, *pair) == outcome(linear, *pair)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [sums, extrema, layer_norm, selection])
def test_rows(function, dtype):
    call = native(function)
    for shape in SHAPES:
        x = numbers(*shape, dtype=dtype)
        for each in (x, x[:, ::-1]):
            assert outcome(call, each) == outcome(function, each)


@pytest.mark.parametrize("dtype", DTYPES)
def test_errors_of_rows(dtype):
    call = native(squared_error)
    for n, m in SHAPES:
        x, y = numbers(n, m, dtype=dtype), numbers(1, m, dtype=dtype)
        assert outcome(call, x, x[::-1]) == outcome(squared_error, x, x[::-1])
        assert outcome(call, x, y) == outcome(squared_error, x, y)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64])
def test_integers(dtype):
    call = native(integers)
    x = np.arange(-20, 21).astype(dtype)
    assert outcome(call, x) == outcome(integers, x)


def test_special_numbers():
    x = np.array([[0.0, -0.0, np.nan, np.inf, -np.inf, 1e-310, -1e308, 5e307, 2.0]])
    for function in (linear, squared_error):
        for y in (x, x[:, ::-1].copy(), np.zeros_like(x)):
            assert outcome(native(function), x, y) == outcome(function, x, y)


def set_parts(x, v, i):
    x[i] = v
    x[:, 1] = 2.0
    x[1:] *= 0.5
    return x


def descend(p, g):
    p -= 0.1 * g
    return p


def shifted(x):
    x[1:] = x[:-1] + 1
    x += x[::-1]
    return x


def centered(x):
    x -= x.mean(axis=1, keepdims=True)
    y = x.T
    y[:1] = 3.0
    return x, y


def assigned(x, y):
    x[...] = y
    x[::2] += y[::2]
    return x


def reduced_and_overwritten(x, z):
    y = x * 2
    s, m = y.sum(axis=1), y.max(axis=1)
    x += y
    z += x
    w = z * 0.5
    t = x.sum(axis=1)
    x += w
    return s, m, t


def read_by_a_later_walk(x):
    y = x * 2
    m = x.max(axis=1, keepdims=True)
    s = (x - m).sum(axis=1)
    x += y
    return s


@pytest.mark.parametrize("dtype", DTYPES)
def test_writes_come_after_all_reads(dtype):
    for shape in ((3, 5), (4, 129)):
        x, z = numbers(*shape, dtype=dtype), numbers(*shape, dtype=dtype)
        for function, *arguments in ((reduced_and_overwritten, x, z), (read_by_a_later_walk, x)):
            assert outcome(native(function), *arguments) == outcome(function, *arguments)


@pytest.mark.parametrize("dtype", DTYPES)
def test_writes(dtype):
    for n, m in ((3, 5), (4, 7), (6, 129)):
        x, y, row = (numbers(*s, dtype=dtype) for s in ((n, m), (n, m), (m,)))
        column = numbers(n, 1, dtype=dtype)
        calls = [
            (set_parts, x, row, -1),
            (set_parts, x, row[:1], 0),
            (descend, x, y),
            (descend, x, row),
            (shifted, x),
            (centered, x),
            (assigned, x, y),
            (assigned, x, column),
        ]
        for function, *arguments in calls:
            assert outcome(native(function), *arguments) == outcome(function, *arguments)


@pytest.mark.parametrize(
    "call",
    [
        (set_parts, np.ones((3, 4)), np.ones(3), 1),
        (set_parts, np.ones((3, 4)), np.ones(4), 7),
        (linear, np.ones((3, 4)), np.ones(3)),
        (descend, np.ones(3), np.ones((4, 3))),
        (extrema, np.ones((3, 0))),
    ],
    ids=lambda call: call[0].__name__,
)
def test_exceptions(call):
    function, *arguments = call
    expected = outcome(function, *arguments)
    assert isinstance(expected[0], type)
    assert outcome(native(function), *arguments) == expected


def test_the_first_of_two_exceptions():
    def divided(x, y, n):
        return x * y + n % 0

    def indexed(x, y, z):
        return x * y + z[7]

    for function, other in ((divided, 3), (indexed, np.ones(5))):
        for x, y in ((np.ones(3), np.ones(2)), (np.ones(3), np.ones(3))):
            assert outcome(native(function), x, y, other) == outcome(function, x, y, other)


def test_an_array_that_is_not_writeable():
    x = np.ones(4)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        native(descend)(x, np.ones(4))
    assert x.tobytes() == np.ones(4).tobytes()


def test_two_names_of_one_memory():
    def both(a, b):
        a[1:] = b[:-1] * 2
        return a

    for shift in (0, 1, 2):
        memory, other = np.arange(8.0), np.arange(8.0)
        native(both)(memory[: 8 - shift], memory[shift:])
        both(other[: 8 - shift], other[shift:])
        assert memory.tolist() == other.tolist()


def test_the_line_of_an_error_is_the_users():
    with pytest.raises(ValueError, match="broadcast") as caught:
        native(linear)(np.ones((3, 4)), np.ones(3))
    assert caught.traceback[-1].statement.__str__().strip() == "return x * y + 1.5"


def transcendental(x):
    a = np.abs(x) + 0.5
    logarithms = np.log(a), np.log1p(a), np.log2(a), np.log10(a)
    return *logarithms, np.exp(x), np.tanh(x), np.expm1(x), np.sin(x), np.cos(x), np.hypot(x, a)


@pytest.mark.parametrize(("dtype", "ulps"), [(np.float32, 4), (np.float64, 2)])
def test_functions_of_the_math_library(dtype, ulps):
    """Both are within a bound of the true value (1 and 2 ulp here), and so near to each other."""
    x = np.linspace(-20, 20, 1003).astype(dtype)
    found, expected = native(transcendental)(x), transcendental(x)
    for ours, numpys in zip(found, expected, strict=True):
        assert ours.dtype == numpys.dtype
        assert np.abs(ours - numpys).max() <= ulps * np.spacing(np.abs(numpys)).max()
        np.testing.assert_array_max_ulp(ours, numpys, ulps)


@pytest.mark.parametrize(("dtype", "ulps"), [(np.float32, 4), (np.float64, 2)])
def test_functions_that_numpy_may_have_vectors_for(dtype, ulps, monkeypatch):
    def angles(x, y):
        ratio = x / 20
        return np.tan(x), np.arctan(x), np.arctan2(x, y), np.arcsin(ratio), np.arccos(ratio)

    x, y = (np.linspace(*limits, 1003).astype(dtype) for limits in ((-20, 20), (3, -5)))
    monkeypatch.setattr("staticpy.backends.llvm.loop_forms.numpy_has_vectors", lambda: False)
    compiled = native(angles)
    for ours, numpys in zip(compiled(x, y), angles(x, y), strict=True):
        np.testing.assert_array_max_ulp(ours, numpys, ulps)
    (kernel,) = compiled.lower(x, y).compile().kernels
    assert "arctan2" in str(kernel)


def test_a_walk_keeps_what_the_next_one_reads():
    def softmax(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True), e

    x = numbers(5, 300, dtype=np.float32)
    found, expected = native(softmax)(x), softmax(x)
    for ours, numpys in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, numpys, rtol=1e-6)


def test_comparisons_with_nan_warn_of_nothing():
    def clipped(x, y):
        y[...] = np.minimum(np.maximum(x, 0), 1)
        return x < 0.5, np.isfinite(x), np.sign(x)

    x = np.array([np.nan, 1.0, np.inf] * 7, np.float32)
    expected = outcome(clipped, x, x.copy())
    assert expected[1] == []
    assert outcome(native(clipped), x, x.copy()) == expected
