"""The values that wait to be nested in what reads them.

In: the results of the operations of a block, in order. Out: which of them a reader may still take.
An effect must happen in the order of the graph, so that the values with one are a stack; the
others can be taken in any order. Each step takes time in proportion to what it adds or drops,
however many values wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from staticpy.ir import Value, is_mutable_memory


class Waiting:
    """The values of one block that may yet be nested."""

    def __init__(self) -> None:
        self._risky: dict[Value, None] = {}
        """Those with an effect, in the order of the graph."""
        self._quiet: dict[Value, None] = {}
        self._readers: dict[Value, dict[Value, None]] = {}
        """For a variable with memory: the values that would read it."""

    def __contains__(self, value: object) -> bool:
        return value in self._risky or value in self._quiet

    def add(self, value: Value, leaves: Iterable[Value], *, has_effect: bool) -> None:
        """Let ``value``, which would read the variables ``leaves``, wait."""
        (self._risky if has_effect else self._quiet)[value] = None
        for leaf in leaves:
            if is_mutable_memory(leaf.type):
                self._readers.setdefault(leaf, {})[value] = None

    def last_effects(self) -> Iterator[Value]:
        """The values with an effect, the last one first."""
        return reversed(self._risky)

    def discard(self, values: Iterable[Value]) -> None:
        """Let ``values`` wait no more."""
        for value in values:
            self._risky.pop(value, None)
            self._quiet.pop(value, None)

    def drop_until(self, value: Value, kept: set[Value]) -> None:
        """Drop ``value`` and, if it has an effect, all with one before it that are not ``kept``."""
        if value in self._risky:
            before = takewhile(lambda other: other is not value, self._risky)
            self.discard([other for other in before if other not in kept])
        self.discard([value])

    def drop_effects(self) -> None:
        """Drop all values with an effect."""
        self._risky.clear()

    def drop_readers(self, variables: set[Value] | None = None) -> None:
        """Drop the values that would read one of ``variables``; None: any with memory."""
        written = self._readers.keys() if variables is None else self._readers.keys() & variables
        for variable in list(written):
            self.discard(self._readers.pop(variable))
