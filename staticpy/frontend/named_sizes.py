"""The sizes that the annotations of one signature name, and whether arrays have them.

In: what an annotation says of the axes, and the sizes of what was found. Out: the sizes that differ
from what they were before. Those that agree in the call at hand become facts of the compilation,
or, where one is computed of others (``"n+1"``), a guard: a call in which they don't is looked at
anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from staticpy.frontend.axes import Axes, evaluate, operands_of
from staticpy.frontend.inputs import InputSet
from staticpy.ir import UNKNOWN, Dim, ShapeFacts


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A size that was ``first`` by ``other``, and now is ``second``."""

    size: Dim
    first: object
    other: str
    second: object


@dataclass(slots=True)
class NamedSizes:
    """What is known of the sizes that a signature names."""

    facts: ShapeFacts
    inputs: InputSet
    _known: dict[str, tuple[Dim, str]] = field(default_factory=dict)
    _rests: dict[str, tuple[tuple[Dim, ...], str]] = field(default_factory=dict)

    def copy(self) -> NamedSizes:
        """The same sizes, for what only one statement says."""
        return NamedSizes(self.facts, self.inputs, dict(self._known), dict(self._rests))

    def note(self, axes: Axes, dims: Sequence[Dim], what: str) -> Iterator[Mismatch]:
        """Take the sizes that ``axes`` names from ``dims``, those of ``what``; those that differ
        from what they were.
        """
        for word, actual, _ in axes.pair(dims):
            if word == UNKNOWN or (isinstance(word, str) and operands_of(word)):
                continue
            known = word, "the annotation"
            if isinstance(word, str):
                known = self._known.setdefault(word, (actual, what))
            yield from self._compare(word, known[0], known[1], actual)
        if axes.rest:
            yield from self._note_rest(axes.rest, axes.middle(dims), what)

    def _note_rest(self, name: str, dims: tuple[Dim, ...], what: str) -> Iterator[Mismatch]:
        before, other = self._rests.setdefault(name, (dims, what))
        if len(before) != len(dims):
            yield Mismatch(f"*{name}", f"{len(before)} axes", other, f"{len(dims)} axes")
            return
        for first, second in zip(before, dims, strict=True):
            yield from self._compare(f"*{name}", first, other, second)

    def _compare(self, size: Dim, known: Dim, other: str, actual: Dim) -> Iterator[Mismatch]:
        first, second = self.facts.size(known), self.facts.size(actual)
        if first is None or second is None or first == second:
            self.facts.assume_equal(known, actual)
        else:
            yield Mismatch(size, first, other, second)

    def relate(self, axes: Axes, dims: Sequence[Dim]) -> Iterator[Mismatch]:
        """Compare the sizes that are computed of others, once these are known."""
        for word, actual, _ in axes.pair(dims):
            names = operands_of(word) if isinstance(word, str) else ()
            if names and all(name in self._known for name in names):
                yield from self._relate(str(word), names, actual)

    def _relate(self, text: str, names: tuple[str, ...], actual: Dim) -> Iterator[Mismatch]:
        dims = {name: self._known[name][0] for name in names}
        found = {name: self.facts.size(dim) for name, dim in dims.items()}
        sizes = {name: size for name, size in found.items() if size is not None}
        value, second = evaluate(text, sizes), self.facts.size(actual)
        if value is None or second is None:
            return
        if value != second:
            yield Mismatch(text, value, " and ".join(self._known[n][1] for n in names), second)
        else:
            self.inputs.relate(actual, text, {name: dims[name] for name in names})
