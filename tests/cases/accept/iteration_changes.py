"""Lists that change while they are gone through, side by side or numbered."""

from __future__ import annotations

from tests.support.cases import case

LONG = list(range(1, 20))


# Each round asks anew how long the lists are.
@case(([1, 2, 3],), ([],), (LONG,))
def pops_what_is_zipped(items):
    count = 0
    for _ in zip(items, items):
        items.pop()
        count += 1
    return count


# ... the shorter one may be another one meanwhile.
@case((8, [4]), (8, []), (8, LONG))
def grows_what_is_zipped(i, items):
    short = [1, i]
    for _ in zip(short, items):
        items.append(i)
    return short


# ... numbered.
@case(([5, 6],), ([],), (LONG,))
def grows_what_is_numbered(items):
    out = []
    for number, item in enumerate(items):
        if number < 4:
            items.append(number)
        out.append((number, item))
    return out


# ... in each other.
@case(([1, 2], 5), ([1, 2], 0), (LONG, 3))
def grows_in_a_zip_that_is_numbered(items, n):
    out = []
    for _, (item, j) in enumerate(zip(items, range(n), strict=False)):
        items.append(item)
        out.append(j)
    return out


# A list that grows beside the one that is gone through doesn't change that.
@case(([1, 2], [3.0, 4.0, 5.0]), (LONG, LONG))
def grows_beside(left, right):
    out = []
    for a, b in zip(left, right, strict=False):
        out.append(a * b)
    return out


# An exception in the middle leaves them as they are then.
@case((-2, [-2], 2), (-2, [-2, 3], 0))
def grows_in_a_handler(i, items, n):
    short = [1, i]
    for t, _ in zip(short, items, strict=False):
        try:
            t = 1 / n
        except ZeroDivisionError:
            items += [1]
    return t
