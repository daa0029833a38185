"""What a round of a loop has found: the structures that the loop carries.

A structure is what variables hold, with a place for each part that only the running program knows:
a Carry for a number or an array, a CarryRef for a list, dict or object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from staticpy.frontend.state import ABSENT, Cell, Log
from staticpy.frontend.values import DEAD, PENDING, POISON, Ref
from staticpy.ir import Type


@dataclass(frozen=True, slots=True)
class Carry:
    """The place of a run-time leaf."""

    type: Type


@dataclass(frozen=True, slots=True)
class CarryRef:
    """The place of a list, dict or object that is another one in each round.

    ``number`` tells those apart that are not one object.
    """

    kind: type
    class_: Any
    content: Any
    number: int
    has_handle: bool = False

    def __hash__(self) -> int:
        return hash((self.kind, self.number))


Carried = dict[Cell, Any]
"""The carried structure of each cell."""


@dataclass(slots=True)
class Findings:
    """What a round has found: the structures that hold what it began and what it ended with."""

    start: int
    carried: Carried = field(default_factory=dict)
    entered: dict[int, Ref] = field(default_factory=dict)
    """The Ref that stands for each CarryRef in the round."""
    following: Carried = field(default_factory=dict)
    promote: dict[Ref, Type] = field(default_factory=dict)
    """The lists and dicts that must be memory before the loop, and of which type."""
    handles: list[Ref] = field(default_factory=list)
    """Those that must be objects before the loop."""
    numbers: dict[Any, int] = field(default_factory=dict)
    ends: dict[int, list[Ref]] = field(default_factory=dict)
    """For the number of a CarryRef, the Refs that it is where the round ends."""
    partners: dict[int, set[Ref]] = field(default_factory=dict)
    """For the number of a CarryRef, the Refs that it may be."""
    log: Log = field(default_factory=Log)
    """What the round has written, with what was there where it began."""
    lengthens: bool = False
    """Whether a tuple of run-time length is carried, for tuples that get longer."""
    nested: list[Any] = field(default_factory=list)
    """The objects in whose content we are: found in it again, there is no end to it."""
    objects: int = 0
    """How many objects that the round makes have been compared with what it began with."""

    def next_round(self) -> Findings:
        """What the next round starts from."""
        return Findings(self.start, self.following, numbers=self.numbers, partners=self.partners)

    def number_of(self, key: Any) -> int:
        """The number of the CarryRef that is found like this: what is one object on both sides of
        a round is one CarryRef.
        """
        return self.numbers.setdefault(key, len(self.numbers))

    def number_at_end(self, number: int, end: Ref) -> int:
        """The number of a CarryRef that ends a round as ``end``: another one, if what was one
        object where the round began is two where it ends.
        """
        ends = self.ends.setdefault(number, [])
        if end not in ends:
            ends.append(end)
        position = ends.index(end)
        return number if position == 0 else self.number_of((number, position))


def is_absent(value: Any) -> bool:
    """Whether a cell says nothing of what it will hold."""
    return value is ABSENT or value is DEAD or value is PENDING or value is POISON
