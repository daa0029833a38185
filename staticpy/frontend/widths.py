"""How wide the items of lists and dicts in run-time memory are.

What a list or dict holds is part of the type of everything that leads to it: of the list that holds
it, say. So one that is held elsewhere can't get a wider type later: it has to have that from the
start. Which types must be wider is found while lowering, and the function is lowered once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from staticpy import ops
from staticpy.ir import NEVER, DictType, ListType, OpResult, Type, UnionType, Value, join

_MOST_TYPES = 16
"""A list that is put into itself has ever wider types."""


class LowerAgain(Exception):
    """Raised where lowering has to begin anew, with what it has found out."""


class WiderMemory(LowerAgain):
    """Raised where what is held in memory has to be of a wider type from the start."""


def join_all(types: list[Type]) -> Type:
    """The type that holds values of all of ``types``."""
    found: Type = NEVER
    for type_ in types:
        found = join(found, type_)
    return found


def wider_memory(types: list[Type]) -> Type:
    """The list or dict type that holds what each of some list or dict types holds."""
    lists = [type_ for type_ in types if isinstance(type_, ListType)]
    if lists:
        return ListType(join_all([type_.item for type_ in lists]))
    dicts = [type_ for type_ in types if isinstance(type_, DictType)]
    keys, values = ([getattr(type_, name) for type_ in dicts] for name in ("key", "value"))
    return DictType(join_all(keys), join_all(values))


def is_fresh(value: Value) -> bool:
    """Whether a list or dict was made by the operation that gives it, so that nothing leads to it
    yet.
    """
    if not isinstance(value, OpResult):
        return False
    operation = value.owner
    if operation.name == "list.from_array":  # whose items may be views of the array
        return True
    is_view = getattr(operation.op, "view", True)
    return not is_view and not operation.regions and operation.name != "call"


@dataclass(eq=False, slots=True)
class Widths:
    """For the type of a held list or dict the wider one that each such list or dict has."""

    known: dict[Type, Type] = field(default_factory=dict)

    def of(self, type_: Type) -> Type:
        """The type that a list or dict of this type has where it is held."""
        while type_ in self.known:
            type_ = self.known[type_]
        return type_

    def widen(self, type_: Type, wanted: Type) -> bool:
        """Note that ``type_`` must be as wide as ``wanted``; whether that is news."""
        wider = wider_memory([self.of(type_), wanted])
        is_news = type_ not in (wider, wanted) and self.of(type_) != wider
        if not is_news or len(self.known) == _MOST_TYPES:
            return False
        self.known[type_] = wider
        return True

    def unify(self, type_: Type) -> None:
        """Lists that a union leads to, and that nothing tells apart at run time, are of one type
        from the start; and so are dicts. The innermost are the first.

        Raises:
            WiderMemory: they are not yet.
        """
        for part in reversed(ops.parts_of_type(type_)):
            members = part.members if isinstance(part, UnionType) else ()
            for kind in (ListType, DictType):
                same: list[Type] = [member for member in members if isinstance(member, kind)]
                if len(same) > 1:
                    wider = wider_memory(same)
                    news = [self.widen(member, wider) for member in same]
                    if any(news):
                        raise WiderMemory
