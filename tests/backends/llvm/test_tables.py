"""Lists of rows of numbers, which are lists of numbers: what CPython does, without objects."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm.tables import with_tables
from staticpy.backends.llvm.wide_lists import with_wide_lists
from staticpy.ir import parse_module, verify, walk
from staticpy.ops import REGISTRY

# --- tables ---------------------------------------------------------------------------------------


def longest_common(a, b):
    n, m = len(a), len(b)
    t = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                t[i + 1][j + 1] = t[i][j] + 1
            else:
                t[i + 1][j + 1] = max(t[i][j + 1], t[i + 1][j])
    return t


def knapsack(weights, values):
    cap = 30
    best = [[0 for _ in range(cap + 1)] for _ in range(len(weights) + 1)]
    for i in range(1, len(weights) + 1):
        for c in range(cap + 1):
            best[i][c] = best[i - 1][c]
            if 0 < weights[i - 1] <= c and i <= len(values):
                best[i][c] = max(best[i][c], best[i - 1][c - weights[i - 1]] + values[i - 1])
    return best


def products(a, b):
    n = len(a)
    left = [[float(a[i] * j) for j in range(n)] for i in range(n)]
    right = [[0.5, 1.5, -0.0] for _ in range(n)]
    out = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        for j in range(3):
            s = 0.0
            for k in range(n):
                s += left[i][k] * right[k][j]
            out[i][j] = s
    return out, left[-1][-1] if n else 0.0


def triangle(a, b):
    rows = []
    for i in range(len(a)):
        row = [1]
        for j in range(i):
            row.append(row[j] * int(a[j]) % 1009 + len(row))
        row[-1] += 1
        rows.append(row)
    total = 0
    for row in rows:
        for v in row:
            total += v
    for i, row in enumerate(rows):
        total += row[i] * len(row) - len(rows)
    return rows, total


def empty_rows(a, b):
    rows = []
    for x in a:
        row = []
        for _ in range(int(x) % 3):
            row.append(x * 0.5)  # noqa: PERF401
        rows.append(row)
    return rows


def flags(a, b):
    seen = [[False, True] * 2 for _ in a]
    for i in range(len(b)):
        if b[i] < len(seen):
            seen[b[i]][i % 4] = not seen[b[i]][i % 4]
    return seen


def either(a, b):
    t = [[0, 1] for _ in range(len(a))]
    for i in range(len(a)):
        t[i][i % 2] = a[i] if i % 3 else i
    return t


def again(a, b):
    total = 0
    for k in range(3):
        t = [[k] * 4 for _ in range(len(a))]
        for i in range(len(a)):
            t[i][k] += int(a[i])
        for i in range(len(t)):
            total += t[i][0] * 10 + t[i][k]
    return total


def eliminated(a, b):
    n = len(a)
    m = [[float((i * i + 3 * j + int(a[i])) % 7) for j in range(n + 1)] for i in range(n)]
    for c in range(n):
        pivot = c
        for r in range(c + 1, n):
            if abs(m[r][c]) > abs(m[pivot][c]):
                pivot = r
        m[c], m[pivot] = m[pivot], m[c]
        if m[c][c] != 0.0:
            for r in range(c + 1, n):
                factor = m[r][c] / m[c][c]
                for k in range(c, n + 1):
                    m[r][k] -= factor * m[c][k]
    found = []
    for row in m:
        for v in row:
            found.append(v)  # noqa: PERF402
    return found


def one_row_twice(a, b):
    t = [[i, 2 * i] for i in range(len(a))]
    row = t[1]
    t[0] = row
    t[2] = t[-1]
    row[0] = 50
    t[0][1] += 7
    t[2][0] = int(a[0])
    found = []
    for row in t:
        for v in row:
            found.append(v)  # noqa: PERF402
    return found


def copied(a, b):
    first = [[i * j for j in range(3)] for i in range(len(a))]
    second = [row[:] for row in first]
    third = [list(row) for row in second]
    for i in range(len(a)):
        second[i][i % 3] += 100
        third[i - 1][0] = second[i][1]
    return first, second, third


def no_times(a, b):
    t = [[1.5] * (len(b) - 5) for _ in range(len(a))]
    return t, len(t)


TABLES = [
    *(longest_common, knapsack, products, triangle, empty_rows, flags, either, again, no_times),
    *(eliminated, one_row_twice, copied),
]

# --- what is none ---------------------------------------------------------------------------------


def same_row(a, b):
    row = [0] * 3
    t = [row for _ in range(len(a))]
    t[0][1] = int(a[0])
    return t, t[0] is t[1]


def grows_behind(a, b):
    t = []
    for i in range(len(a)):
        row = [i]
        t.append(row)
        row.append(int(a[i]))
    return t


def grows_in_the_table(a, b):
    t = [[] for _ in range(len(a) + 1)]
    for i in range(len(a)):
        t[i % 3].append(int(a[i]))
    return t


def swapped(a, b):
    t = [[i, int(a[i])] for i in range(len(a))]
    t[0], t[2] = t[2], t[0]
    t[0][0] = 9
    return t


def kept(a, b):
    t = [[i] for i in range(len(a))]
    row = t[1]
    rows = [row, row]
    row[0] = int(a[0])
    return t, rows


def made_before(a, b):
    row = [0] * len(a)
    t = []
    t.append(row)
    t[0][1] = int(a[0])
    return t


def twice(a, b):
    t = [[int(a[0])] * 2 for _ in range(len(b))]
    return t, t


OTHERS = [same_row, grows_behind, grows_in_the_table, swapped, kept, twice]

ARGUMENTS = [
    (np.array([1, 2, 3, 1, 2, 7]), np.array([2, 1, 3, 2, 5])),
    (np.array([5, 4, 3, 2]), np.array([3, 3, 3, 0, 1, 2, 0])),
    ([1, 2, 3, 1], [3, 1]),
    (np.array([7, 0, 7], np.int8), np.array([], int)),
]


def details(value):
    """A result with the types of all numbers, and which lists are the same."""
    if isinstance(value, tuple):
        return tuple(map(details, value))
    if not isinstance(value, list):
        return type(value), str(value)
    same = [[each is other for other in value] for each in value if isinstance(each, list)]
    return [list, [details(each) for each in value], same]


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=repr)
@pytest.mark.parametrize("program", [*TABLES, *OTHERS, made_before])
def test_it_is_what_python_gives(program, arguments):
    compiled = staticpy.jit(program, backend="llvm")
    for _ in range(2):
        assert details(compiled(*arguments)) == details(program(*arguments))


def _made(program, arguments):
    """The lists of lists that are made, of the module as it is, and without tables."""
    text = str(staticpy.jit(program).lower(*arguments).optimized_ir)
    module = parse_module(text, REGISTRY)
    for each in (module, with_tables(with_wide_lists(module))):
        verify(each)
        made = (o.result.type for o in walk(each.main.block) if o.name == "list.make")
        yield sum("list[list[" in str(type_) for type_ in made)


@pytest.mark.parametrize("program", TABLES)
def test_tables_are_lists_of_numbers(program):
    before, after = _made(program, ARGUMENTS[0])
    assert before > after == 0


@pytest.mark.parametrize("program", OTHERS)
def test_what_is_no_table_stays_a_list_of_lists(program):
    before, after = _made(program, ARGUMENTS[0])
    assert before == after > 0


# --- indexes --------------------------------------------------------------------------------------


def at(n, i, j, k):
    t = [[10 * r + c for c in range(r + 1)] for r in range(n)]
    seen = np.zeros(3)
    try:
        seen[0] = t[i][j]
        t[i][k] = -1
        seen[1] = 1
        t[k][j] += 5
        seen[2] = t[k][j]
    except IndexError as error:
        return str(error), seen, t[0][0]
    return t, seen, t[0][0]


def unguarded(n, i, j, k):
    t = [[10 * r + c for c in range(r + 1)] for r in range(n)]
    total = 0
    for step in range(3):
        t[i][k] = t[i - step][j] + step
        total += t[i][k]
    return total


def outcome(call, *arguments):
    try:
        found = call(*arguments)
    except Exception as error:
        return type(error), str(error)
    if not isinstance(found, tuple):
        return details(found)
    first, seen, last = found
    return details(first), seen.tolist(), last


@pytest.mark.parametrize("program", [at, unguarded])
def test_indexes_are_those_of_the_row(program):
    compiled = staticpy.jit(program, backend="llvm")
    for n in (1, 3, 4):
        for i in range(-5, 5):
            for j in range(-5, 5):
                for k in (-4, -1, 0, 1, 3):
                    assert outcome(compiled, n, i, j, k) == outcome(program, n, i, j, k)


def test_an_index_may_be_numpys():
    def pick(t, i):
        rows = [[v, 2 * v] for v in range(5)]
        return rows[i[0]][i[1]], rows[t][i[1]]

    compiled = staticpy.jit(pick, backend="llvm")
    for dtype in (np.int8, np.uint64, np.int64):
        i = np.array([3, 1], dtype)
        assert compiled(2, i) == pick(2, i) == (6, 4)


# --- numbers --------------------------------------------------------------------------------------


def test_rows_are_copied_of_lists_from_outside():
    def life(grid):
        cells = [row[:] for row in grid]
        n, m = len(cells), len(cells[0])
        after = [[0] * m for _ in range(n)]
        for i in range(n):
            for j in range(m):
                near = 0
                for k in range(3):
                    for h in range(3):
                        near += cells[(i + k - 1) % n][(j + h - 1) % m]
                after[i][j] = 1 if near == 3 or near - cells[i][j] == 3 else 0
        cells[0][0] = 7
        return after, cells

    grid = np.random.default_rng(0).integers(0, 2, (6, 5)).tolist()
    found = staticpy.jit(life, backend="llvm")(grid)
    assert details(found) == details(life(grid))
    assert grid[0][0] < 7


def test_an_int_may_leave_64_bits():
    def powers(n):
        t = [[3] * 2 for _ in range(n)]
        for i in range(1, n):
            t[i][0] = t[i - 1][0] * 3
            t[i][1] = t[i][0] + t[i - 1][1]
        return t

    compiled = staticpy.jit(powers, backend="llvm")
    for n in (5, 39, 45, 5):
        assert compiled(n) == powers(n)


def test_what_is_written_before_an_error_is_seen():
    def fill(x, n):
        t = [[0.5] * 3 for _ in range(2)]
        for i in range(n):
            t[i % 2][i] = x[i]
            x[i] = t[i % 2][i] * 2
        return t

    compiled = staticpy.jit(fill, backend="llvm")
    for n in (2, 3, 4, 5):
        one, other = np.arange(4.0), np.arange(4.0)
        assert outcome(compiled, one, n) == outcome(fill, other, n)
        assert one.tolist() == other.tolist()


def test_derivatives_go_through_a_table():
    def length(x):
        t = [[0.0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(3):
                t[i][j] = x[i] * x[j] + (t[i - 1][j] if i else 0.0)
        return t[2][2] + t[1][0] * t[2][1]

    x = np.array([0.5, -1.5, 2.0])
    expected = staticpy.grad(length)(x)
    found = staticpy.jit(staticpy.grad(length), backend="llvm")(x)
    assert np.array_equal(found, expected)
