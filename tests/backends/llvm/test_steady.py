"""Elements that no round of a loop changes are read once, and rounds that write them are pieces of
their own: results, writes and exceptions are those of a read in each round.
"""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from tests.support.observing import Call, differences

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def knapsack(weights, values, capacity):
    table = np.zeros((len(weights) + 1, capacity + 1), dtype=np.int64)
    for i in range(1, len(weights) + 1):
        for c in range(capacity + 1):
            table[i, c] = table[i - 1, c]
            if weights[i - 1] <= c:
                table[i, c] = max(table[i, c], table[i - 1, c - weights[i - 1]] + values[i - 1])
    return table


@pytest.mark.parametrize("weights", [[3, 1, 2], [0, 5, 9], [-1, 2, 2], [-9, 1, 1], [2**62, 1, 3]])
@pytest.mark.parametrize("values", [[4, 2, 3], [2**63 - 1, 1, 1], [-(2**62), -(2**62), 5]])
@pytest.mark.filterwarnings("ignore:overflow")
def test_an_index_of_the_table_is_read_of_another(weights, values):
    outcomes = []
    for function in (knapsack, staticpy.jit(knapsack, backend="llvm")):
        try:
            found = function(np.array(weights), np.array(values), 6)
            outcomes.append((found.dtype, found.tolist()))
        except IndexError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


def shortest(d, pick):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if pick:
                    d[i, j] = min(d[i, j], through)
                elif through < d[i, j]:
                    d[i, j] = through
    return d


@pytest.mark.parametrize("pick", [False, True])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.int32, np.float32])
@pytest.mark.parametrize("size", [0, 1, 7, 40])
def test_the_row_and_the_column_that_all_read(size, dtype, pick):
    rng = np.random.default_rng(size)
    given = rng.integers(-3, 50, (size, size)).astype(dtype)
    expected = shortest(given.copy(), pick)
    for layout in (np.ascontiguousarray, np.asfortranarray, lambda d: np.repeat(d, 2, 1)[:, ::2]):
        found = staticpy.jit(shortest, backend="llvm")(layout(given.copy()), pick)
        assert np.array_equal(found, expected)


def scaled(x, k, shift):
    for i in range(len(x) - 1):
        x[i + 1] = x[k] * 2 + shift
    return x


def two_of_them(x, k, shift):
    for i in range(len(x)):
        x[i] += x[k] - x[k + shift]
    return x


def into_another(x, k, shift):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[k] + y[shift]
    return y


def only_now_and_then(x, k, shift):
    y = np.zeros_like(x)
    for i in range(len(x)):
        if i > shift:
            y[i] = x[k]
    return y


def of_a_view(x, k, shift):
    y = np.zeros_like(x)
    z = y[1:]
    for i in range(len(x) - 1):
        y[i] = z[k] + i + shift
    return y


@pytest.mark.parametrize("shift", [-1, 0, 2])
@pytest.mark.parametrize("k", [-3, -1, 0, 1, 5, 11, 12, 2**62])
@pytest.mark.parametrize("plain", [scaled, two_of_them, into_another, only_now_and_then, of_a_view])
def test_one_element_in_all_rounds(plain, k, shift):
    outcomes = []
    for function in (plain, staticpy.jit(plain, backend="llvm")):
        x = np.arange(12.0)
        try:
            outcomes.append((function(x, k, shift).tolist(), x.tolist()))
        except IndexError as error:
            outcomes.append((str(error), x.tolist()))
    assert outcomes[0] == outcomes[1]


def a_slice(z, mask, index):
    total = 0.0
    for i in range(3):
        z[:2] = 4.0 + i
        total += z[0]
    return total


def every_other(z, mask, index):
    found = 0
    for i in range(3):
        z[i::2] = 1
        if z[2] == 1:
            found += 1
    return found


def where_a_mask_says(z, mask, index):
    total = 0.0
    for i in range(3):
        z[mask] = i
        z[0] += 1
        total = total * 2 + z[1] + z[0]
    return total


def where_indexes_say(z, mask, index):
    total = 0.0
    for i in range(3):
        if i:
            z[index] = 5.0
        total += z[1]
    return total


def all_of_a_view(z, mask, index):
    total, part = 0.0, z[1:]
    for i in range(3):
        part[...] = total + i
        total += z[1]
    return total


def a_row(z, mask, index):
    table, total = np.zeros((3, 3)), 0.0
    for i in range(3):
        table[i] = 2.0
        table[:, 1] = i
        total += table[0, 0] * 10 + table[2, 1]
        z[i] = table[1, 1]
    return total, table


@pytest.mark.parametrize("size", [4, 7])
@pytest.mark.parametrize(
    "plain", [a_slice, every_other, where_a_mask_says, where_indexes_say, all_of_a_view, a_row]
)
def test_one_number_that_goes_to_many_elements(plain, size):
    native = staticpy.jit(plain, backend="llvm")
    mask, index = np.arange(size) % 3 < 2, np.array([0, 1])
    call = Call((np.arange(float(size)), mask, index))
    assert differences(plain, [call], {"llvm": native}) == []


def test_no_round_reads_nothing():
    @staticpy.jit(backend="llvm")
    def nothing(x, k, n):
        y = np.zeros(3)
        for i in range(n):
            y[i] = x[k]
        return y

    assert nothing(np.ones(2), 5, 0).tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        nothing(np.ones(2), 5, 1)


# --- loops of a few rounds ------------------------------------------------------------------------


def polynomial(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        r = 0.0
        for k in range(12):
            r = r * x[i] + (k + 1) * 0.5
        out[i] = r
    return out


def with_a_table(x):
    weights = np.array([1.0, 2.0, 0.5])
    out = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        s = 0.0
        for k in range(3):
            s += x[i + k - 1] * weights[k]
        out[i] = s
    return out


def beyond_the_table(x):
    weights = np.array([1.0, 2.0])
    for i in range(len(x)):
        for k in range(3):
            x[i] += weights[k]
    return x


def until_it_is_small(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        r = x[i]
        for _ in range(20):
            if r < 1.0:
                break
            r = r / 2.0
        out[i] = r
    return out


@pytest.mark.parametrize("plain", [polynomial, with_a_table, beyond_the_table, until_it_is_small])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 37])
def test_loops_of_a_few_rounds(plain, size):
    rng = np.random.default_rng(size)
    values = rng.normal(size=2 * size) * 100
    for step in (1, 2):
        outcomes = []
        for function in (plain, staticpy.jit(plain, backend="llvm")):
            x = values.copy()[::step]
            try:
                outcomes.append((function(x).tolist(), x.tolist()))
            except IndexError as error:
                outcomes.append((str(error), x.tolist()))
        assert outcomes[0] == outcomes[1]


# --- flags ----------------------------------------------------------------------------------------


def squared(n):
    x = np.float64(1e300)
    for _ in range(3):
        x = x * x
    return x - n


def now_and_then(n):
    x = np.float32(1e30)
    for i in range(4):
        if i < n:
            x = x * x
    return x


def not_by_one(n):
    x = np.array([0.0, 2.0, 4.0])
    s = np.float64(1.0)
    for i in range(3):
        if i != n:
            s = s / x[i]
    return s


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("plain", [squared, now_and_then, not_by_one])
def test_warnings_of_known_numbers_in_loops(plain, n, recwarn):
    outcomes = []
    for function in (plain, staticpy.jit(plain, backend="llvm")):
        recwarn.clear()
        outcomes.append((function(n), sorted(str(each.message) for each in recwarn)))
    assert outcomes[0] == outcomes[1]


# --- indexes that are multiplied ------------------------------------------------------------------


def largest_of_four(x):
    out = np.empty((len(x) // 2, x.shape[1] // 2), dtype=x.dtype)
    for i in range(len(out)):
        for j in range(out.shape[1]):
            best = x[2 * i, 2 * j]
            for p in range(2):
                for q in range(2):
                    if x[2 * i + p, 2 * j + q] > best:
                        best = x[2 * i + p, 2 * j + q]
            out[i, j] = best
    return out


def pairs(x):
    out = np.zeros_like(x)
    for i in range(len(x) // 2):
        for j in range(x.shape[1]):
            out[2 * i, j] = x[2 * i, j] + x[2 * i + 1, j]
            out[2 * i + 1, j] = x[2 * i, j] - x[2 * i + 1, j]
    return out


def beyond(x):
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i, 0] = x[3 * i - 2, 0]
    return out


def handed_on(x):
    for i in range(1, x.shape[1] // 2):
        x[0, 2 * i] = x[0, 2 * i - 2] + 1
        x[1, 3 * i // 2] = x[1, i] + 1
    return x


@pytest.mark.parametrize("plain", [largest_of_four, pairs, beyond, handed_on])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("size", [(2, 2), (5, 4), (16, 38), (64, 66)])
def test_indexes_that_are_multiplied(plain, dtype, size):
    x = np.random.default_rng(0).normal(size=size) * 50
    x = x.astype(dtype)
    if dtype != np.int64:
        x[0, ::5] = np.nan
    for layout in (np.ascontiguousarray, np.asfortranarray, lambda x: x[::-1, ::-1]):
        outcomes = []
        for function in (plain, staticpy.jit(plain, backend="llvm")):
            given = layout(x.copy())
            try:
                outcomes.append(function(given).tobytes() + given.tobytes())
            except IndexError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]


# --- what branches say of indexes -----------------------------------------------------------------


def first_row_and_column(x):
    d = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            if i == 0 and j == 0:
                d[i, j] = x[i, j]
            elif i == 0:
                d[i, j] = d[i, j - 1] + x[i, j]
            elif j == 0:
                d[i, j] = d[i - 1, j] + x[i, j]
            else:
                d[i, j] = min(d[i - 1, j], d[i, j - 1]) + x[i, j]
    return d


def not_the_first_of_either(x):
    d = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            if not (i == 0 or j == 0):
                d[i, j] = d[i - 1, j - 1] + x[i, j]
    return d


def not_before(x):
    d = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            if i > 1 and j >= 2 and i + j < len(x):
                d[i, j] = x[i - 2, j - 2] + x[i + j, 0]
    return d


def not_quite(x):
    d = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(x.shape[1]):
            if i == 0 or j == 1:
                d[i, j] = x[i - 1, j - 1]
            if i != 1:
                d[i, j] += x[i - 1, j]
    return d


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (1, 5), (6, 1), (7, 7), (40, 30)])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize(
    "plain", [first_row_and_column, not_the_first_of_either, not_before, not_quite]
)
def test_what_branches_say_of_indexes(plain, dtype, size):
    x = np.random.default_rng(0).integers(0, 90, size).astype(dtype)
    found, expected = staticpy.jit(plain, backend="llvm")(x), plain(x)
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("a", "b"), [(5, 2), (5, -1), (2**63 - 1, 0), (2**63 - 2, 1)])
def test_what_is_on_both_sides_says_nothing_of_an_index(a, b):
    """One of the two sums may leave 64 bits, and the comparison be wrong until that is seen."""

    def behind(x, a, b):
        y = np.zeros_like(x)
        for i in range(len(x)):
            if i + a < b + a:
                y[b - i - 1] = x[i] + 7
        return y

    x = np.arange(4)
    assert staticpy.jit(behind, backend="llvm")(x, a, b).tolist() == behind(x, a, b).tolist()
