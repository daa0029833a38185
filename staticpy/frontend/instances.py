"""Objects of the user's classes in the memory of the running program.

As long as that goes well, an object is what it holds (``objects``). Where it does not, because a
loop links ever more of them or fills a list with them, the function is lowered once more, with the
objects of the classes that it makes in memory from the start: each is a Value of an ObjectType, and
its attributes are read and written where it is. What type an attribute has is found while lowering.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from staticpy.frontend.classes import class_lookup
from staticpy.ir import UNKNOWN, TensorType, Type, join, map_tensors

_MOST_TYPES = 200


@dataclass(eq=False, slots=True)
class Instances:
    """The classes whose objects are in memory, with the types of their attributes.

    ``made`` are those whose objects the program makes, ``exceptions`` those of exceptions.
    ``has_grown``: an attribute has become of a further type after somebody ``asked`` for its type.
    """

    classes: set[type] = field(default_factory=set)
    made: set[type] = field(default_factory=set)
    exceptions: set[type] = field(default_factory=set)
    attributes: dict[tuple[type, str], Type] = field(default_factory=dict)
    asked: set[tuple[type, str]] = field(default_factory=set)
    has_grown: bool = False
    count: int = 0

    def note(self, class_: type, name: str, type_: Type) -> None:
        """An attribute is written, with a value of this type."""
        key, type_ = (class_, name), map_tensors(_of_any_size, type_)
        known = self.attributes.get(key)
        joined = type_ if known is None else join(known, type_)
        if joined != known:
            self.attributes[key] = joined
            self.has_grown |= key in self.asked

    def type_of(self, class_: type, name: str) -> Type | None:
        """The type of an attribute, as far as it was written; None if it was not."""
        self.asked.add((class_, name))
        return self.attributes.get((class_, name))

    def may_go_on(self) -> bool:
        """Whether to lower once more, because the types of attributes have grown."""
        grown, self.has_grown = self.has_grown, False
        self.count += 1
        return grown and self.count < _MOST_TRIES


_MOST_TRIES = 20


def _of_any_size(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)


def fits_memory(class_: type) -> bool:
    """Whether nothing but compiled code decides what attributes of an instance mean."""
    is_plain = class_lookup(class_, "__getattribute__")[0] is object.__getattribute__
    return is_plain and not hasattr(class_, "__del__")


def has_fallback(class_: Any, name: str) -> bool:
    """Whether an attribute that an object does not hold itself may be found elsewhere."""
    return hasattr(class_, name) or hasattr(class_, "__getattr__")
