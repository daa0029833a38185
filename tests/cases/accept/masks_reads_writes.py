"""Boolean masks on both sides of an assignment, and results whose size depends on the data."""

from __future__ import annotations

import numpy as np

from staticpy import b1, f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0, -3.0, 0.0])
Y = np.array([10.0, 20.0, 30.0, 40.0, 50.0])
K = np.array([3, -1, 4, 0])
M = np.array([[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]])


# A mask takes a number.
@case((X,), (np.abs(X),), (np.array([]),))
def clears_negatives(x: f64["n"]):
    x[x < 0] = 0.0
    return x


# ... an array of as many elements as there are True; another number is a ValueError.
@case((X, np.array([-7.0, -8.0])), (X, np.array([7.0])), (X, -Y))
def mask_takes_an_array(x: f64["n"], y: f64["k"]):
    x[x < 0] = y
    return x


# The same mask on both sides.
@case((X, Y), (-X, Y))
def same_mask_on_both_sides(x: f64["n"], y: f64["n"]):
    mask = x > 0
    x[mask] = y[mask]
    y[~mask] = x[~mask] * 2.0
    return x, y


# Augmented assignment under a mask.
@case((X, 2.0))
def augments_under_a_mask(x: f64["n"], factor: float):
    x[x > 0] *= factor
    x[x < 0] -= x[x < 0]
    x[(x == 0) | (x > 3)] += 1.0
    return x


# The mask is an argument; a length that does not fit is an IndexError.
@case((X, X > 0), (X, np.array([True, False])))
def mask_as_an_argument(x: f64["n"], mask: b1["k"]):
    x[mask] = 9.0
    return x


# The mask is computed before the write, and does not follow.
@case((X,))
def a_mask_does_not_follow(x: f64["n"]):
    mask = x > 0
    x[mask] = -1.0
    x[mask] -= 1.0
    return x, mask, x > 0


# A read by a mask is a copy of a size of its own.
@case((X,), (-np.ones(3),))
def reads_by_a_mask(x: f64["n"]):
    z = x[x > 0]
    z += 1.0
    return z, z.size, x


# `z = z[mask]` in a loop: the size shrinks until nothing is left.
@case((np.array([5.0, 1.0, 9.0, 3.0]),), (np.array([]),))
def shrinks_in_a_loop(x: f64["n"]):
    z = x
    rounds = 0
    while z.size > 0:
        z = z[z > z.min()]
        rounds += 1
    return rounds, z


# Points that have escaped leave the arrays.
@case((np.array([0.1, 0.5, -1.9, 0.3, 2.0]), 12), (np.array([9.0]), 3))
def escape_times(c: f64["n"], limit: int):
    times = np.full(len(c), limit)
    z = np.zeros(len(c))
    active = np.arange(len(c))
    for step in range(limit):
        z = z * z + c[active]
        out = np.abs(z) > 2.0
        times[active[out]] = step
        z = z[~out]
        active = active[~out]
        if active.size == 0:
            break
    return times


# The sieve as a mask over numbers that remain.
@case((30,), (2,))
def primes_by_masks(n: int):
    rest = np.arange(2, n + 1)
    primes = []
    while rest.size:
        p = int(rest[0])
        primes.append(p)
        rest = rest[rest % p != 0]
    return primes


# A mask over a matrix gives a vector.
@case((M,))
def mask_over_a_matrix(m: f64["m", "n"]):
    part = m[m > 0]
    m[m < 0] = part.mean()
    m[m > 4] **= 2
    return part, m


# A mask over the rows, over the columns.
@case((M,))
def masks_over_one_axis(m: f64["m", "n"]):
    rows = m.sum(axis=1) > 0
    columns = m[0] > 0
    m[rows] += 10.0
    m[:, columns] *= 2.0
    m[~rows, 1:] = 0.0
    return m, m[rows], m[:, columns]


# A mask and a number, a mask and a slice.
@case((M, 1), (M, 2))
def mask_and_number(m: f64["m", "n"], j: int):
    m[m[:, 0] > 0, j] = 100.0
    m[0, m[0] > 5] -= 1.0
    return m


# A mask and an index array are taken pairwise.
@case((M, np.array([0])), (M, np.array([2, 1])))
def mask_and_indexes(m: f64["m", "n"], j: i64["k"]):
    m[m[:, 0] > 0, j] = -100.0
    return m


# NaNs are replaced.
@case((np.array([1.0, np.nan, 3.0, np.inf]),))
def replaces_nans(x: f64["n"]):
    bad = ~np.isfinite(x)
    x[bad] = x[~bad].mean()
    return x, bad.sum()


# Outliers are dropped, again and again, until the rest is stable.
@case((np.array([1.0, 1.1, 0.9, 50.0, 1.05, -30.0]), 1.5))
def drops_outliers(x: f64["n"], width: float):
    rest = x
    while True:
        keep = np.abs(rest - rest.mean()) <= width * rest.std()
        if keep.all():
            break
        rest = rest[keep]
    return rest


# Clipping by two masks.
@case((X, -0.5, 1.0), (X, 1.0, -1.0))
def clips_by_masks(x: f64["n"], low: float, high: float):
    x[x < low] = low
    x[x > high] = high
    return x


# Elements, one by one, by a condition.
@case((X,))
def conditions_in_a_loop(x: f64["n"]):
    count = 0
    for i in range(len(x)):
        if x[i] < 0:
            x[i] = -x[i]
            count += 1
    return x, count


# A mask is written by masks.
@case((K,))
def writes_a_mask(k: i64["n"]):
    mask = np.zeros(len(k), dtype=bool)
    mask[k > 0] = True
    mask[-1] = not mask[-1]
    mask[:2] ^= True
    mask[mask] = k[mask] > 3
    return mask


# Negation, counting, any and all of a mask that is written.
@case((X,), (np.zeros(2),))
def facts_of_a_mask(x: f64["n"]):
    mask = x != 0
    before = mask.any(), mask.all(), mask.sum()
    mask[0] = False
    return before, mask.any(), mask.all(), np.count_nonzero(mask), (~mask).nonzero()[0]


# Positions of a mask; the first one, or an IndexError.
@case((X, 1.0), (X, 100.0))
def first_above(x: f64["n"], limit: float):
    places = np.nonzero(x > limit)[0]
    x[places[0]] += 0.5
    return places, x


# Two results of different sizes.
@case((X, 0.25))
def splits_by_a_mask(x: f64["n"], pivot: float):
    left = x[x < pivot]
    right = x[x >= pivot]
    return left, right, np.concatenate([left, right])


# Quicksort: recursion over parts whose sizes depend on the data.
def quicksorted(x):
    if x.size <= 1:
        return x
    pivot = x[0]
    rest = x[1:]
    return np.concatenate(
        [quicksorted(rest[rest < pivot]), x[:1], quicksorted(rest[rest >= pivot])]
    )


@case((X,), (np.array([]),), (np.array([2.0, 2.0, 1.0]),))
def quicksort(x: f64["n"]):
    return quicksorted(x)


# np.where with three arguments, then a write.
@case((X, Y))
def where_and_a_write(x: f64["n"], y: f64["n"]):
    z = np.where(x > 0, x, y)
    z[z > 15] = 15.0
    return z, x


# np.where with one argument gives indexes to write through.
@case((M,))
def where_gives_indexes(m: f64["m", "n"]):
    i, j = np.where(m < 0)
    m[i, j] = i * 10.0 + j
    return m, i, j


# Unique values, counted by masks.
@case((np.array([3, 1, 3, 3, 0]),), (np.array([], dtype=np.int64),))
def counts_values(k: i64["n"]):
    values = np.unique(k)
    counts = np.zeros(len(values), dtype=np.int64)
    for i, value in enumerate(values):
        counts[i] = (k == value).sum()
    return values, counts


# Run lengths out of a mask of changes.
@case((np.array([1, 1, 4, 4, 4, 2]),), (np.array([7]),))
def run_lengths(k: i64["n"]):
    starts = np.ones(len(k), dtype=bool)
    starts[1:] = k[1:] != k[:-1]
    places = np.flatnonzero(starts)
    lengths = np.diff(np.append(places, len(k)))
    return k[starts], lengths


# np.putmask, np.place, np.copyto, np.compress and np.extract.
@case((X, Y))
def functions_of_masks(x: f64["n"], y: f64["n"]):
    kept = np.compress(x > 0, x), np.extract(x < 0, y)
    np.putmask(x, x < 0, y)
    np.place(y, y > 25, [1.0, 2.0])
    np.copyto(y, x, where=y < 3)
    return kept, x, y


# A mask of no dimensions.
@case((X, True), (X, False))
def mask_of_no_dimensions(x: f64["n"], flag: bool):
    x[np.array(flag)] = 4.0
    return x, x[np.array(flag)].shape


# An array is chosen by a mask and summed until a limit is reached.
@case((Y, 65.0), (Y, 5.0), (Y, 1e9))
def takes_while(y: f64["n"], limit: float):
    taken = np.zeros(len(y), dtype=bool)
    total = 0.0
    for i, value in enumerate(y):
        if total + value > limit:
            break
        total += value
        taken[i] = True
    return y[taken], total
