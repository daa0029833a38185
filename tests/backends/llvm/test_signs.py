"""Ints that are known not to be negative: an index of which that is known doesn't count from the
end, a difference and a quotient of such need no look. Of all others CPython's rules hold.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import staticpy
from staticpy.backends.llvm.signs import Signs
from staticpy.ir import INT
from staticpy.passes import made_in

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

LAST = 2**63 - 1
EDGES = (0, 1, -1, 2, 3, -4, 7, LAST, LAST - 1, -LAST, -LAST - 1, 2**62)


def outcome(function, *arguments):
    """What a call gives or raises, and what is then in its arrays."""
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    try:
        result = function(*given)
    except (IndexError, ZeroDivisionError, OverflowError) as error:
        result = type(error), str(error)
    return result, [each.tolist() for each in given if isinstance(each, np.ndarray)]


# --- what is known --------------------------------------------------------------------------------


def runs_of_equals(x, lengths):
    i = 0
    runs = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        lengths[runs] = j - i
        runs += 1
        i = j
    return runs


def bits(n):
    count = 0
    for i in range(n):
        value = i
        while value:
            value &= value - 1
            count += 1
    return count


def halves(n, x):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < n:
            low = middle + 1
        else:
            high = middle
    return low


def down(n):
    left = abs(n)
    last = 0
    while left > 0:
        left -= 1
        last = left % 3
    for below in range(n, -1, -1):
        last = below
    return last


def to_minus_one(n):
    i = n % 5
    last = 0
    while i >= 0:
        last = i
        i -= 1
    return i, last


def goes_round(n):
    i = 0
    while i < 10:
        i += n
    return i


def is_greatest_divisor(a, b):
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


@pytest.mark.parametrize(
    ("function", "types", "known"),
    [
        (runs_of_equals, (np.ones(3, int), np.ones(3, int)), {"i", "j", "runs"}),
        (bits, (5,), {"i", "count", "value"}),
        (halves, (5, np.ones(3, int)), {"low", "high", "middle"}),
        (down, (5,), {"left", "last", "below"}),
        (to_minus_one, (5,), {"last"}),  # ``i`` only where it is read in the loop
        (goes_round, (5,), set()),
        (is_greatest_divisor, (5, 6), {"a", "b"}),
    ],
)
def test_what_is_known(function, types, known):
    """All ints of a name that are not arguments, nor made of what may be negative."""
    compiled = staticpy.jit(function, backend="llvm").lower(*types)
    graph = compiled.module.main
    signs = Signs(graph)
    ints = [each for each in made_in(graph.block) if each.type == INT]
    ints = [each for each in ints if each not in graph.args and each.name]
    unknown = {each.name for each in ints if not signs.is_never_negative(each)}
    assert {each.name for each in ints} - unknown == known


def test_indexes_and_differences_need_no_look():
    x = np.array([1, 1, 2])
    text = staticpy.jit(runs_of_equals, backend="llvm").lower(x, x).compile().llvm_ir
    assert "ssub.with.overflow" not in text
    assert not re.search(r"select i1 %.*, i64 %.*, i64 0\n", text)  # from where an index counts


@pytest.mark.parametrize("number", EDGES)
def test_programs_of_which_it_is_known(number):
    x = np.array([1, 1, 2, 3, 3, 3, 9])
    for function, arguments in [
        (runs_of_equals, (x, np.zeros_like(x))),
        (runs_of_equals, (x[:0], x[:0])),
        (runs_of_equals, (x, np.zeros(2, int))),
        (halves, (number, x)),
        (halves, (number, x[:0])),
        (to_minus_one, (number,)),
        (is_greatest_divisor, (number, 12)),
        (is_greatest_divisor, (number, -(2**40))),
    ]:
        native = staticpy.jit(function, backend="llvm")
        assert outcome(native, *arguments) == outcome(function, *arguments)


# --- what is not ----------------------------------------------------------------------------------


def both_are_equal(x, a, b):
    """Each isn't below the other: that says nothing of either."""
    total = 0
    while a == b:
        total += int(x[a]) + 10 * int(x[b])
        a += 1
    return total


def not_zero(x, a, b):
    """What isn't 0 may be below."""
    total = 0
    while a and total < 50:
        total += int(x[a]) + a % 3 + a // 3
        a += b
    return total


def one_above_the_other(x, a, b):
    total = 0
    while a >= b and b >= a:
        total += int(x[a]) + 10 * int(x[b])
        a -= 1
    return total


def falls_below(x):
    i = len(x) - 1
    total = 0
    while i > -len(x) - 1:
        total = 3 * total + int(x[i])
        i -= 1
    return total


def below_after_the_loop(x):
    i = 2
    while i >= 0 and x[i] > 1:
        i -= 1
    return i, int(x[i])


def from_the_end_in_a_branch(x, k):
    total = 0
    for i in range(len(x)):
        if i >= k:
            total += int(x[i - k])
        else:
            total -= int(x[i - k])
    return total


def not_where_it_is_asked(x, k):
    total = 0
    for _ in range(3):
        if not (k < 0 or k > 3):
            total += int(x[k])
        elif k < 0:
            total += 100 * int(x[k])
        k -= 2
    return total


def float_bound(x, k, bound):
    total = 0
    while not k < bound:  # of a NaN this says nothing
        total += int(x[k])
        k += 1
    return total


def one_less(v):
    w = v - 1 if v > 0 else -v - 1
    if w >= 0:
        w -= 1
    return w


def less_than_the_least(x, v):
    for _ in range(len(x)):
        v = v - 1
    return v


def quotients(a, b):
    found = []
    for k in range(1, 4):
        found.append(a // b)
        found.append(a % b)
        found.append(a // k)
        found.append(a % k)
        found.append(abs(a) // k)
        found.append(abs(a) % k)
        found.append(k // a)
        found.append(k % a)
        a += 1
    return found


def of_bits(x, a, b):
    total = 0
    for k in (a & b, a | b, a ^ b, ~a, a >> 1, a & 3, abs(a) & b):
        if -len(x) <= k < len(x):
            total = 7 * total + int(x[k])
    return total


def grows(x, step):
    i = 0
    total = 0
    while i < len(x):
        total += int(x[i])
        i += step
        if total > 50:
            break
    return total


def grows_beyond(x, step):
    i = 1
    count = 0
    while count < 3:
        i = i * step + i
        count += 1
    return i % 1000, i // 7, int(x[i % len(x)])


def carried_around(x, k):
    a = 0
    b = 1
    c = k
    total = 0
    for _ in range(4):
        total = 10 * total + int(x[a])
        a, b, c = b, c, a
    return total


def numpys_go_round(x, k):
    """NumPy's ints go round at 64 bits, with a warning."""
    i = np.int64(0)
    total = 0
    for _ in range(2):
        i = i + k
        if i < len(x):
            total += int(x[i])
    return total


@pytest.mark.parametrize(
    "function",
    [both_are_equal, not_zero, one_above_the_other],
)
def test_conditions_that_say_nothing(function):
    native = staticpy.jit(function, backend="llvm")
    x = np.array([1, 2, 3, 4])
    for a in (-5, -4, -1, 0, 3, 4):
        for b in (a, a - 1, a + 1):
            assert outcome(native, x, a, b) == outcome(function, x, a, b)


@pytest.mark.parametrize("function", [falls_below, below_after_the_loop])
def test_below_zero(function):
    native = staticpy.jit(function, backend="llvm")
    for x in ([1, 2, 3, 4], [5, 5, 5], [0, 0, 9, 9]):
        assert outcome(native, np.array(x)) == outcome(function, np.array(x))


@pytest.mark.parametrize(
    "function",
    [from_the_end_in_a_branch, not_where_it_is_asked, less_than_the_least, grows, grows_beyond,
     carried_around],
)  # fmt: skip
@pytest.mark.parametrize("number", EDGES)
def test_ints_that_may_be_negative(function, number):
    native = staticpy.jit(function, backend="llvm")
    if function is grows and number == 0:
        return
    x = np.array([1, 2, 3, 4, 5])
    assert outcome(native, x, number) == outcome(function, x, number)


@pytest.mark.parametrize("bound", [0.0, 2.5, float("nan")])
def test_a_float_is_no_bound(bound):
    native = staticpy.jit(float_bound, backend="llvm")
    x = np.array([1, 2, 3, 4, 5])
    for k in (-5, -1, 0, 3):
        assert outcome(native, x, k, bound) == outcome(float_bound, x, k, bound)


def test_numbers_at_the_ends_of_64_bits():
    natives = {each: staticpy.jit(each, backend="llvm") for each in (one_less, quotients, of_bits)}
    x = np.arange(10)
    for a in EDGES:
        assert natives[one_less](a) == one_less(a)
        for b in EDGES:
            assert outcome(natives[quotients], a, b) == outcome(quotients, a, b)
            assert natives[of_bits](x, a, b) == of_bits(x, a, b)


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_an_int_of_numpys_that_goes_round():
    native = staticpy.jit(numpys_go_round, backend="llvm")
    x = np.array([1, 2, 3, 4, 5])
    for k in (1, np.int64(LAST), np.int64(-3)):
        assert outcome(native, x, k) == outcome(numpys_go_round, x, k)
