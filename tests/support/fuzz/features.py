"""What a random program may be made of.

In: a seed and the features that are wanted. Out: those that one program uses: a few, so that a
feature that is refused doesn't hide all the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

FEATURES = (
    "branches",
    "calls",
    "closures",
    "comprehensions",
    "dicts",
    "exceptions",
    "exits",
    "generators",
    "lists",
    "loops",
    "match",
    "mutation",
    "numbers",
    "objects",
    "print",
    "recursion",
    "strings",
    "tuples",
    "types",
    "unbound",
    "views",
    "walrus",
)
"""Every feature; assignment, arithmetic and arrays are always there."""

_OFTEN = frozenset({"branches", "loops", "exits"})


def chosen(rng: random.Random, only: Iterable[str] = FEATURES) -> frozenset[str]:
    """The features of one program, some of ``only``."""
    wanted = [feature for feature in FEATURES if feature in set(only)]
    often = {feature for feature in wanted if feature in _OFTEN and rng.random() < 0.7}
    others = [feature for feature in wanted if feature not in _OFTEN]
    count = min(len(others), rng.choice((1, 2, 2, 3, 3, 4, 6)))
    return frozenset(often.union(rng.sample(others, count)))


def checked(names: Iterable[str]) -> tuple[str, ...]:
    """``names``, each of which must be a feature."""
    found = tuple(names)
    unknown = [name for name in found if name not in FEATURES]
    if unknown:
        raise ValueError(f"no such feature: {', '.join(unknown)}; there are {', '.join(FEATURES)}")
    return found
