"""Sets of compile-time values, and frozensets."""

from __future__ import annotations

from tests.support.cases import case

KINDS = {"sum", "mean"}
FROZEN = frozenset((1, 2, 3))


# Membership decides a branch while compiling.
@case((1.0, "sum"), (1.0, "max"))
def membership_of_a_string(x, kind):
    if kind in {"sum", "mean"}:
        return x + 1.0
    return x - 1.0


# A set of the module.
@case((1.0, "mean"), (1.0, "max"))
def set_of_the_module(x, kind):
    if kind not in KINDS:
        raise ValueError(kind)
    return x * len(KINDS)


# A run-time number against a set of constants.
@case((2,), (5,), (-1,))
def run_time_membership(n: int):
    return n in {1, 2, 3}, n not in FROZEN, n in set()


# Operators between sets.
@case((1,))
def set_operators(n: int):
    a, b = {1, 2, 3}, {3, 4}
    return sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), len(a | b) + n


# Comparisons between sets.
@case((1,))
def set_comparisons(n: int):
    a, b = {1, 2, 3}, {1, 2}
    return a == {3, 2, 1}, b < a, a <= a, a > b, b == a, not a.isdisjoint(b), b.issubset(a)


# Methods that write, on a set of constants.
@case((5,))
def set_methods(n: int):
    names = {"a"}
    names.add("b")
    names.add("a")
    names.discard("z")
    names.update(["c", "d"])
    names.remove("c")
    same = names
    same |= {"e"}
    return sorted(names), len(names), n


# remove of what isn't there: KeyError.
@case((0,), (1,))
def removes_what_is_not_there(n: int):
    names = {"a", "b"}
    if n:
        names.remove("z")
    names.remove("a")
    return sorted(names)


# A comprehension over constants.
@case((3,))
def set_comprehension(n: int):
    remainders = {i % 3 for i in range(10)}
    return len(remainders), sorted(remainders), n in remainders


# Set from a string, a list, a range; its truth.
@case((1,))
def sets_from_iterables(n: int):
    letters = set("abca")
    empty = set()
    return sorted(letters), len(set([1, 1, 2])), len(set(range(4))), bool(empty), bool(letters)


# A frozenset as a key of a dict.
@case((1, 2))
def frozenset_as_a_key(a: int, b: int):
    table = {frozenset("ab"): a, frozenset(("c",)): b}
    return table[frozenset("ba")] + table[frozenset("c")]


# Keys of dicts as sets.
@case(({"a": 1, "b": 2}, {"b": 3, "c": 4}))
def keys_as_sets(left, right):
    common = sorted(left.keys() & right.keys())
    new = sorted(right.keys() - left.keys())
    return {key: left[key] + right[key] for key in common}, new, sorted(set(left) | set(right))


# A loop over a sorted set unrolls.
@case((2.0,))
def loop_over_a_sorted_set(x: float):
    total = 0.0
    for power in sorted({3, 1, 2}):
        total += x**power
    return total


# Names that were seen, in a loop over constants.
@case((1, 2))
def seen_names(a: int, b: int):
    seen = set()
    out = []
    for name, value in (("a", a), ("b", b), ("a", a + b)):
        if name in seen:
            continue
        seen.add(name)
        out.append(value)
    return out, len(seen)


# A frozenset and a set of the same members are equal, and compare as sets do.
@case((1,))
def frozen_and_not(n: int):
    items = {1, 2, 3}
    frozen = frozenset(items)
    same = frozen == items, items == frozen, frozen != items, frozenset([1]) == {1.0}
    return same, frozen <= items, frozenset({1}) < items, items > frozenset({1}), n


# The operators of views make sets; they compare as sets do.
@case(({"a": 1, "b": 2}, {"b": 3, "c": 4}))
def views_as_sets(left, right):
    fixed = frozenset("ab")
    return (
        sorted(left.keys() | right.keys()),
        sorted(left.keys() ^ {"a", "z"}),
        sorted(fixed & left.keys()),
        left.keys() == right.keys(),
        left.keys() == {"a", "b"},
        fixed <= right.keys(),
        left.values() == left.values(),
    )


# An in-place operator with a view binds another set.
@case(({"a": 1},))
def set_and_view_in_place(d):
    first = {"x"}
    second = first
    first |= d.keys()
    return sorted(first), sorted(second)
