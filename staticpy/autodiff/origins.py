"""Where memory that is written to comes from, against the flow of the graph.

``Activity`` holds all values together that may be one memory anywhere. Here only what a value may
be counts, so that an array which a round of a loop makes, and hands on to the next round in the
place of an argument, is not that argument:

    %un = copy %u : f64[n]                  # %u: what the loop carries, at first the argument
    store %un, %v {spec = ("slice", …)}     # writes to no memory from outside
    region_yield %un
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from staticpy.autodiff.activity import IN_PLACE_OPS, may_be_view
from staticpy.ir import (
    DictType,
    ListType,
    Operation,
    Value,
    is_mutable_memory,
    with_inner,
)
from staticpy.ops import errstate, for_, if_, through_regions, while_

_CONTROL_FLOW = (if_, for_, while_, errstate)
_NEW = frozenset(
    (
        *("list.make", "list.copy", "list.concat", "list.repeat", "list.getslice"),
        *("list.from_array", "list.sorted_by", "dict.make", "dict.copy"),
    )
)
"""Ops that make a list or dict: what it holds may be of others, it is not."""
_HOLDERS = ("tuple", "list", "dict", "set", "object", "exception", "any")


class Origins:
    """What the values of some operations, those of regions included, may be."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._sources: dict[Value, list[Value]] = {}
        for operation in with_inner(operations):
            self._enter(operation)

    def may_be_of(
        self, value: Value, others: Collection[Value], otherwise: Callable[[Value], bool]
    ) -> bool:
        """Whether ``value`` may be one of ``others``, or a view of one; ``otherwise`` tells where
        that can't be seen.
        """
        seen: set[Value] = set()
        due = [value]
        while due:
            current = due.pop()
            if current in seen or not is_mutable_memory(current.type):
                continue
            seen.add(current)
            if current in others:
                return True
            if current not in self._sources:
                return otherwise(value)
            due += self._sources[current]
        return False

    def _enter(self, operation: Operation) -> None:
        """Note what the results of an operation may be; of those that are left out it is unknown,
        and so it is of the arguments of other regions.
        """
        if operation.op in _CONTROL_FLOW:
            for source, target in through_regions(operation):
                self._sources.setdefault(target, []).append(source)
            return
        if _says_more_of_a_list(operation):
            self._sources[operation.result] = list(operation.operands)
            return
        family = operation.name.partition(".")[0]
        is_holder = family in _HOLDERS and operation.name not in _NEW
        if is_holder or operation.regions or family == "call":
            return
        shown: Sequence[Value] = ()
        if operation.op in IN_PLACE_OPS:
            shown = operation.operands[:1]
        elif may_be_view(operation) and operation.name not in _NEW:
            shown = operation.operands
        for result in operation.results:
            self._sources[result] = list(shown)


def _says_more_of_a_list(operation: Operation) -> bool:
    """Whether an operation gives the list or dict that it gets, of which the graph knows more."""
    is_cast = operation.name == "object.cast"
    return is_cast and isinstance(operation.operands[0].type, ListType | DictType)
