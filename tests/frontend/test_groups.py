"""``itertools.groupby`` of what is equal to itself alone: a nan is the key of its own group.

In native code a number in a register is no object, so that this is Python source.
"""

from __future__ import annotations

import itertools

import pytest

import staticpy

NAN = float("nan")


def groups(x):
    return [(key, len(list(group))) for key, group in itertools.groupby(x)]


@pytest.mark.parametrize(
    "items", [[NAN, NAN, 1.0], [NAN, float("nan"), 1.0], [None, NAN, None, None], [NAN, 1.0, NAN]]
)
def test_the_groups_are_pythons(items):
    compiled = staticpy.jit(groups, backend="python_source")
    found, expected = compiled(items), groups(items)
    assert [count for _, count in found] == [count for _, count in expected]
    assert all(one is other for (one, _), (other, _) in zip(found, expected, strict=True))
