"""What NumPy warns of one number at a time: native code warns in the same words, as often."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def operators(x, y):
    return x + y, x - y, x * y, -x, abs(x)


def divisions(x, y):
    return x / y, x // y, x % y


def functions(x, y):
    return np.add(x, y), np.subtract(x, y), np.multiply(x, y), np.negative(x), np.floor_divide(x, y)


def in_a_loop(x, y):
    for _ in range(3):
        x = x * y + x
    return x


def tabulated(x, y):
    table = np.zeros(6, y.dtype)
    table[0] = x
    for i in range(5):
        table[i + 1] = table[i] * 2 + y
    return table


def outcome(function, *arguments):
    raises = ArithmeticError, IndexError, TypeError, ValueError
    result, caught = with_warnings(function, *arguments, raises=raises)
    result = type(result) if isinstance(result, raises) else result
    return repr(result), [(each.category, str(each.message)) for each in caught]


def numbers(dtype):
    limits = np.iinfo(dtype)
    return [dtype(each) for each in (limits.min, limits.max, 0, 1, 7, limits.min + 1)]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("function", [operators, functions, in_a_loop, tabulated])
def test_integers(function, dtype):
    native = staticpy.jit(function, backend="llvm")
    for x in numbers(dtype):
        for y in numbers(dtype):
            assert outcome(native, x, y) == outcome(function, x, y), (x, y)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_divisions(dtype):
    """A call that is done again, for what ``/`` warns of, repeats the warnings of ``//``."""
    native = staticpy.jit(divisions, backend="llvm")
    for x in numbers(dtype):
        for y in numbers(dtype):
            expected, actual = outcome(divisions, x, y), outcome(native, x, y)
            assert actual[0] == expected[0], (x, y)
            assert set(actual[1]) == set(expected[1]), (x, y)


@pytest.mark.parametrize("dtype", [np.int8, np.int64])
def test_integers_where_warnings_are_errors(dtype):
    native = staticpy.jit(operators, backend="llvm")
    with np.errstate(all="raise"):
        for x in numbers(dtype):
            assert outcome(native, x, dtype(7)) == outcome(operators, x, dtype(7))


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.uint64])
def test_integers_in_arrays_without_axes(dtype):
    """NumPy's functions for arrays compute these, and warn of no overflow."""
    for function in (operators, functions):
        native = staticpy.jit(function, backend="llvm")
        for x in numbers(dtype):
            for y in (dtype(5), np.array(dtype(5))):
                array = np.array(x)
                assert outcome(native, array, y) == outcome(function, array, y), (x, y)


def beside_a_bool(x, y):
    truth = y > 3
    return x + truth, truth - x, x * truth, truth / x, x / truth, 3 + truth, truth * 2.5


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.uint64])
def test_integers_beside_a_bool(dtype):
    """NumPy warns of those that overflow where the bool is on the right."""
    native = staticpy.jit(beside_a_bool, backend="llvm")
    for x in numbers(dtype):
        for y in numbers(dtype):
            assert outcome(native, x, y) == outcome(beside_a_bool, x, y), (x, y)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_beside_a_bool(dtype):
    native = staticpy.jit(beside_a_bool, backend="llvm")
    for x in map(dtype, (0.0, 1.5, -np.inf, np.nan, np.finfo(dtype).max)):
        for y in (dtype(1), dtype(5)):
            assert outcome(native, x, y) == outcome(beside_a_bool, x, y), (x, y)


def invalid():
    return np.float32(0) / np.float32(0)


def divided():
    return np.int8(3) / 0


def infinite():
    return np.log(0.0)


def too_small():
    return np.exp(np.float64(-1e4) * 2) - np.sqrt(np.float64(1.0) - 3.0)


def too_large(x):
    return x / 1e300


@pytest.mark.parametrize("function", [invalid, divided, infinite, too_small])
def test_numbers_of_the_programs_text(function):
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        assert outcome(native) == outcome(function)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_a_number_of_the_programs_text_that_does_not_fit(dtype):
    native = staticpy.jit(too_large, backend="llvm")
    for x in (np.ones(3, dtype), dtype(1)):
        for _ in range(2):
            assert outcome(native, x) == outcome(too_large, x)


def written_at_the_end(x, y):
    z = x / y
    y[0] = 7.0
    return z


def test_warnings_before_a_write_have_numpys_words():
    native = staticpy.jit(written_at_the_end, backend="llvm")
    for x in (np.ones(3), np.zeros(3)):
        assert outcome(native, x, np.zeros(3)) == outcome(written_at_the_end, x, np.zeros(3))


def divided_if_it_can_be(x, y):
    for i in range(len(x)):
        y[i] = y[i] / x[i] if x[i] != 0.0 else 0.0


def roots_of_some(x, y):
    for i in range(len(x)):
        if x[i] > 0.0:
            y[i] = np.sqrt(x[i])
        else:
            y[i] = 0.0


def narrowed_if_it_fits(x, y):
    for i in range(len(x)):
        if abs(x[i]) < 1e30:
            y[i] = np.float32(x[i]) * np.float32(2.0)


def root_or_itself(x, y):
    y[0] = np.sqrt(x[0]) if x[0] > 0.0 else x[0]


@pytest.mark.parametrize(
    "function", [divided_if_it_can_be, roots_of_some, narrowed_if_it_fits, root_or_itself]
)
def test_no_warning_of_what_the_other_side_of_a_branch_would_compute(function):
    native = staticpy.jit(function, backend="llvm")
    for x in (
        np.ones(40),
        np.array([0.0, -1.0, 2.0, 1e300] * 10),
        np.full(40, -0.0),
        np.full(40, np.inf),
    ):
        for _ in range(2):
            found = outcome(native, x, np.arange(40.0))
            assert found == outcome(function, x, np.arange(40.0))


def squares(x):
    return x**2, x**3


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_powers_that_overflow(dtype):
    native = staticpy.jit(squares, backend="llvm")
    for x in (np.full(9, np.finfo(dtype).max), np.array([2.0, np.inf, np.nan], dtype)):
        for _ in range(2):
            assert outcome(native, x) == outcome(squares, x)


def spread(x):
    return x.max(axis=0) - x.min(axis=0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_integer_scalars_of_reductions_that_overflow(dtype):
    """They are scalars, whose operators warn; the items of an array only wrap around."""
    native = staticpy.jit(spread, backend="llvm")
    limits = np.iinfo(dtype)
    for x in (np.array([limits.min, limits.max], dtype), np.array([[limits.min], [limits.max]])):
        assert outcome(native, x) == outcome(spread, x)


def enlarged_where_positive(x, factor):
    x[x > 1.0] *= factor


def enlarged_then_out_of_bounds(x, factor):
    x[0] = 1.0
    x[1] = x[2] * factor
    x[len(x)] = 1.0


@pytest.mark.parametrize("function", [enlarged_where_positive, enlarged_then_out_of_bounds])
def test_warnings_before_an_exception(function):
    native = staticpy.jit(function, backend="llvm")
    for may_write in (True, False):
        given = np.full(3, 1e308), np.full(3, 1e308)
        for x in given:
            x.flags.writeable = may_write
        results = [
            outcome(each, x, np.float64(1e308))
            for each, x in zip((native, function), given, strict=True)
        ]
        assert [category for category, _ in results[0][1]] == [
            category for category, _ in results[1][1]
        ]
        assert results[0][0] == results[1][0]
        np.testing.assert_array_equal(*given)


def sum_and_difference(a, b, n):
    c = a + b
    return c, np.uint8(1) - n


def added_and_squared(a, b, n):
    a += b
    return a, n * n


def sum_and_quotient(a, b, n):
    c = a + b
    return c, np.float64(1) / 0.0


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("function", [sum_and_difference, added_and_squared, sum_and_quotient])
def test_no_warning_behind_sizes_that_do_not_fit(function, size):
    native = staticpy.jit(function, backend="llvm")
    expected = outcome(function, np.ones(3), np.ones(size), np.uint8(200))
    assert outcome(native, np.ones(3), np.ones(size), np.uint8(200)) == expected


def test_a_warning_that_is_an_exception_comes_after_what_is_written_before():
    def program(x, y, n):
        x *= 2.0
        total = np.uint8(1) - n
        y *= 3.0
        return total

    seen = []
    for function in (program, staticpy.jit(program, backend="llvm")):
        x, y = np.ones(4), np.ones(4)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning):
                function(x, y, np.uint8(3))
        seen.append((x.tolist(), y.tolist()))
    assert seen[0] == seen[1] == ([2.0] * 4, [1.0] * 4)


def filled(x, value):
    x[::2] = value
    return x


def test_a_store_of_a_scalar_that_comes_first():
    native = staticpy.jit(filled, backend="llvm")
    x = np.zeros((5, 3), np.float32)
    np.testing.assert_array_equal(native(x, np.float32(2.0)), filled(x.copy(), np.float32(2.0)))


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x * y,
        lambda x, y: x / (1 / y),
        lambda x, y: np.exp(x / y),
        lambda x, y: np.power(y, -x),
        lambda x, y: (x * y).sum(),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_underflows_is_told_where_it_is_asked_for(function, dtype):
    compiled = staticpy.jit(function, backend="llvm")
    tiny = np.finfo(dtype).tiny
    x, y = np.full(40, -0.75, dtype), dtype(0.5)
    for first, number in ((0.5, y), (-tiny, y), (-0.75, tiny), (tiny, dtype(1))):
        x[0] = first
        found = []
        for run in (compiled, compiled, function):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                with np.errstate(all="warn"):
                    run(x, number)
            found.append(sorted({str(each.message) for each in caught}))
        assert found[0] == found[1] == found[2]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compiled(x, number)
        assert not any("underflow" in str(each.message) for each in caught)


def test_what_underflows_raises_where_it_is_asked_for():
    compiled = staticpy.jit(lambda x: x * x, backend="llvm")
    compiled(np.full(9, 1e-200))
    with np.errstate(under="raise"), pytest.raises(FloatingPointError, match="underflow"):
        compiled(np.full(9, 1e-200))


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: np.where(a > 0, a, a * b),
        lambda a, b: np.where(a > 0, a / b, a),
        lambda a, b: np.where(a > 0, a - b, a + b),
        lambda a, b: np.where(a > 0, np.exp(a), np.log(a)),
        lambda a, b: np.where(a > 0, a, np.sqrt(a) * b).sum(),
        lambda a, b: np.where(a > 0, a.sum(axis=-1, keepdims=True) * b, a),
        lambda a, b: np.where(a > 0, (a + 0j) * b, a + 1j),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_a_condition_does_not_take_is_warned_of(function, dtype):
    compiled = staticpy.jit(function, backend="llvm")
    special = (0, -1, 1, -np.inf, np.inf, np.finfo(dtype).max, -np.finfo(dtype).max, 1000)
    for one in special:
        for other in special:
            a, b = np.full((2, 33), 1, dtype), np.full((2, 33), 2, dtype)
            a[1, 5], b[1, 5] = one, other
            assert outcome(compiled, a, b)[1] == outcome(function, a, b)[1]


def quotients_by_a_counter(y):
    for i in range(4):
        y[i] += np.float64(1) / i
    return y


def quotients_by_counters(y):
    total = np.float64(0)
    for i in range(3):
        for j in range(3):
            total += y[i] + np.float64(2) / np.float64(i - j)
    return total


def products_with_a_counter(y):
    total = 0.0
    for i in range(4):
        total = total + np.float64(1e308) * np.float64(i * 0.5)
    return total


def quotients_by_no_difference(y):
    k = y.astype(np.int64)
    return 1 / (k - k + k % 1), (k < k) / (k - k), np.log(k * 0)


def quotients_of_numbers(y):
    k = y.astype(np.int64)
    total = np.float64(0)
    for i in range(len(k)):
        total += np.float64(1) / (k[i] - k[i])
    return total


def quotients_by_what_a_branch_gives(y):
    total = np.float64(0)
    for i in range(3):
        divisor = np.float64(0) if i == 1 else np.float64(2)
        total += np.float64(1) / divisor
    return total


def quotients_by_what_a_round_leaves(y):
    total, divisor = np.float64(0), np.float64(1)
    for i in range(3):
        if i == 1:
            divisor = np.float64(0)
        total += np.float64(1) / divisor
    return total


@pytest.mark.parametrize(
    "function",
    [
        quotients_by_what_a_branch_gives,
        quotients_by_what_a_round_leaves,
        quotients_by_a_counter,
        quotients_by_counters,
        products_with_a_counter,
        quotients_by_no_difference,
        quotients_of_numbers,
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_the_compiler_could_compute_is_warned_of(function, dtype):
    """LLVM writes out short loops, and knows the counters then."""
    compiled = staticpy.jit(function, backend="llvm")
    y = np.arange(1, 5).astype(dtype)
    expected, warned = outcome(function, y.copy())
    assert warned
    for _ in range(2):
        found, given = outcome(compiled, y.copy())
        assert found == expected
        assert {_kind(text) for _, text in given} == {_kind(text) for _, text in warned}


def _kind(text):
    return text.partition(" encountered")[0]


def no_round(x, y):
    y[0] = 3
    total, a, b = 0.0, x[0], x[1]
    for _ in range(len(x) - 3):
        total += a / b
    return total


def no_round_of_a_while(x, y):
    y[0] = 3
    total, k, a, b = 0.0, len(x), x[0], x[1]
    while k > 5 and y[k] > 0:
        total += a / b
        k -= 1
    return total


def no_round_in_a_loop(x, y):
    for i in range(len(x)):
        y[i] = x[i]
        for _ in range(i, 0):
            y[i] += x[0] / x[1]
    return y


@pytest.mark.parametrize("function", [no_round, no_round_of_a_while, no_round_in_a_loop])
def test_what_no_round_computes_is_not_warned_of(function):
    """What is the same in each round may be done before them, and nothing can be done again."""
    compiled = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        with np.errstate(all="raise"):
            assert repr(compiled(np.array([1.0, 0, 3]), np.ones(3))) == repr(
                function(np.array([1.0, 0, 3]), np.ones(3))
            )


@pytest.mark.parametrize("backend", ["llvm", "python_source"])
def test_sizes_are_looked_at_before_a_number_is_converted_or_after_as_numpy_does(backend):
    def chosen(test, x, otherwise):
        return np.where(test, x, otherwise), np.where(test, 1e300, x)

    compiled = staticpy.jit(chosen, backend=backend)
    test = np.array([True, False, True])
    for x in (np.ones(2, np.float16), np.ones(3, np.float16), np.float32(2)):
        arguments = test, x, 1e300
        assert outcome(compiled, *arguments) == outcome(chosen, *arguments)


def less_its_first_column(x):
    x -= x[:, :1]
    return x


def all_at_once(x):
    x[:] = 1 / x + x[::-1]
    return x


def number_by_number(x):
    for i in range(len(x)):
        x[i, 0] = x[i, 0] / x[0, 0]
    x[0] = 7.0
    return x


def before_and_after(x):
    x[0] = 5.0
    x[1:] = x[1:] - np.inf
    x[0] = 6.0
    return x


@pytest.mark.parametrize("told", ["raise", "call", "warn", "ignore"])
@pytest.mark.parametrize(
    "function", [less_its_first_column, all_at_once, number_by_number, before_and_after]
)
def test_what_raises_stops_where_numpy_does(function, told):
    """Some hundred times, as NumPy is told something else each time."""
    compiled = staticpy.jit(function, backend="llvm")
    values = [-np.inf, np.inf, -0.0, 1.0, np.nan, 1e300]
    for seed in range(40):
        for step in (1, -1):
            seen = []
            for call in (compiled, function):
                x, heard = np.random.default_rng(seed).choice(values, (2, 3)), []
                with np.errstate(all=told, call=lambda text, _, heard=heard: heard.append(text)):
                    try:
                        with_warnings(call, x[::step, ::step])
                    except FloatingPointError as error:
                        heard.append(str(error))
                seen.append((heard, x.tobytes()) if told in ("raise", "call") else x.tobytes())
            assert seen[0] == seen[1]
