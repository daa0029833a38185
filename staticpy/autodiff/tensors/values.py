"""What the Values of a tape are, and what of that is forgotten: computed again when it is read.

In: the operations of a checkpoint, which have been run. Out: a table without the arrays that they
have made. Who reads one of these runs the kernels again that lead to it, from what is still there.
While operations run of which it is known what they read, an array that was made again is there
until the last of them has read it, so that each kernel runs once for all.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.tensors.memory import Memory, owner_of
from staticpy.ir import OBJECT, Operation, Value
from staticpy.ops import REGISTRY, Effect


class Values(dict[Value, Any]):
    """A table of what Values are.

    Attributes:
        seen: of each array its memory, and which version of that it is.
        forgotten: what is not there, or for the time being.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[Value, tuple[Memory, int]] = {}
        self.forgotten: set[Value] = set()
        self._elsewhere: dict[Value, tuple[Values, Value]] = {}
        self._due: Counter[Value] = Counter()
        self._passing: set[Value] = set()
        self._is_planned = False

    def enter(self, value: Value, item: Any, memory: Memory | None) -> None:
        """Let ``value`` be a number or array, which is in ``memory``, or in one of its own."""
        self[value] = item
        if isinstance(item, np.ndarray):
            memory = memory or Memory(owner_of(item))
            self.seen[value] = memory, memory.version

    def knows(self, value: Value) -> bool:
        """Whether a Value can be read here."""
        return value in self or value in self.forgotten

    def copy_from(self, place: Value, other: Values, value: Value) -> None:
        """Let ``place`` be here what ``value`` is in another table, as it was seen there."""
        if value in other.seen:
            self.seen[place] = other.seen[value]
        if value not in other.forgotten:
            self[place] = other[value]
            return
        self.forgotten.add(place)
        if place.defining_op is None:
            self._elsewhere[place] = other, value

    def update_from(self, other: Values) -> None:
        """Know all that another table knows."""
        self.update(other)
        self.seen.update(other.seen)
        self.forgotten |= other.forgotten
        self._elsewhere.update(other._elsewhere)

    def clear(self) -> None:
        """Let go of everything."""
        super().clear()
        for each in (self.seen, self.forgotten, self._elsewhere):
            each.clear()

    # --- to forget --------------------------------------------------------------------------------

    def forget(
        self, operations: Iterable[Operation], own: set[Memory], saved: Collection[Value] = ()
    ) -> None:
        """Forget the arrays that operations have made but for those that are ``saved``, if nobody
        holds them, nobody has written to them, and their kernels would make the same again. ``own``
        is the memory that operations before these have made; that of these is added.
        """
        saved = set(saved)
        for operation in operations:
            around = {self.seen[each][0] for each in operation.operands if each in self.seen}
            made = {self.seen[each][0] for each in operation.results if each in self.seen}
            own |= made - around
            if self._is_repeatable(operation):
                for result in set(operation.results).difference(saved):
                    if result in self.seen and _is_unseen(self.seen[result][0], own):
                        self._drop(result)

    def forget_elsewhere(self, value: Value, other: Values, origin: Value) -> None:
        """Forget an argument that is forgotten where it was made."""
        if origin in other.forgotten and value in self:
            self._drop(value)
            self._elsewhere[value] = other, origin

    def _drop(self, value: Value) -> None:
        self.forgotten.add(value)
        self.pop(value, None)
        self.seen.pop(value, None)

    def _is_repeatable(self, operation: Operation) -> bool:
        op = REGISTRY[operation.name]
        types = [operand.type for operand in operation.operands]
        is_pure = Effect.WRITES not in op.effects_of(types, operation.attrs)
        if op.kernel is None or not is_pure or OBJECT in types:
            return False
        return all(map(self._is_as_seen, operation.operands))

    def _is_as_seen(self, value: Value) -> bool:
        if value not in self.seen:
            return True
        memory, version = self.seen[value]
        return memory.version == version

    # --- to read again ----------------------------------------------------------------------------

    @contextmanager
    def read_by(
        self,
        operations: Sequence[Operation],
        wanted: Iterable[Value] = (),
        *,
        is_passing: bool = False,
    ) -> Iterator[None]:
        """Inside of the ``with``, run ``operations``, and say of each that it ``was_run``. Then
        ``wanted`` are read. What is made again for them is there for as long as that, and so is
        what they make themselves, if it ``is_passing``.
        """
        due = Counter(wanted)
        for operation in operations:
            due.update(operation.operands)
        if not is_passing and self.forgotten.isdisjoint(due):
            yield
            return
        self._add_what_leads_to(due)
        saved = self._due, self._passing, self._is_planned
        results = (result for each in operations for result in each.results)
        self._due, self._passing = due, set(results) if is_passing else set()
        self._is_planned = True
        try:
            yield
        finally:
            self._due, self._passing, self._is_planned = saved
            for value in self.forgotten.intersection(due):
                self.pop(value, None)

    def _add_what_leads_to(self, due: Counter[Value]) -> None:
        """Count the reads of what has to be run again."""
        pending = [value for value in due if self._is_missing(value)]
        again: set[Operation] = set()
        while pending:
            made = pending.pop().defining_op
            if made is not None and made not in again:
                again.add(made)
                due.update(made.operands)
                pending += filter(self._is_missing, made.operands)

    def _is_missing(self, value: Value) -> bool:
        return value in self.forgotten and value not in self

    def was_run(self, operation: Operation) -> None:
        """Let go of what no other operation is going to read."""
        if not self._is_planned:
            return
        for operand in operation.operands:
            self._due[operand] -= 1
            if not self._due[operand]:
                if operand in self._passing and isinstance(self[operand], np.ndarray):
                    self._drop(operand)
                elif operand in self.forgotten:
                    self.pop(operand, None)

    def __missing__(self, value: Value) -> Any:
        """What was forgotten; where nobody has said what is read, it is there from now on."""
        if value not in self.forgotten:
            raise KeyError(value)
        if self._is_planned:
            self._make_again(value)
            return self[value]
        with self.read_by((), [value]):
            item = self[value]
        self.forgotten.discard(value)
        self.enter(value, item, None)
        return item

    def _make_again(self, value: Value) -> None:
        pending = [value]
        with warnings.catch_warnings(), np.errstate(all="ignore"):  # they have been given
            warnings.simplefilter("ignore")
            while pending:
                found = pending.pop()
                made = found.defining_op
                missing = list(filter(self._is_missing, made.operands)) if made else []
                if self._is_missing(found) and missing:
                    pending += [found, *missing]
                elif self._is_missing(found):
                    self._run_again(found)

    def _run_again(self, value: Value) -> None:
        operation = value.defining_op
        if operation is None:
            table, origin = self._elsewhere[value]
            self[value] = table[origin]
            return
        for operand in operation.operands:
            if operand in self.seen:
                memory, version = self.seen[operand]
                memory.require(version, "the way back, by a checkpoint that runs again,")
        kernel = REGISTRY[operation.name].kernel
        assert kernel is not None
        given = [self[operand] for operand in operation.operands]
        types = [result.type for result in operation.results]
        results = ops.results_of(kernel(*given, **operation.attrs), types)
        for result, item in zip(operation.results, results, strict=True):
            if self._is_missing(result) and (self._due[result] > 0 or result is value):
                self[result] = item
        self.was_run(operation)


def _is_unseen(memory: Memory, own: set[Memory]) -> bool:
    return memory in own and memory.version == 0 and not memory.alive()
