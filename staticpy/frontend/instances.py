"""Objects of the user's classes in the memory of the running program.

As long as that goes well, an object is what it holds (``objects``). Where it does not, because a
loop links ever more of them or fills a list with them, the function is lowered once more, with the
objects of the classes that it makes in memory from the start: each is a Value of an ObjectType, and
its attributes are read and written where it is. What type an attribute has is found while lowering.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import class_lookup
from staticpy.ir import UNKNOWN, TensorType, Type, join, map_tensors

_MOST_PARTS = 500
"""Of how many types the type of an attribute is made at most: what holds what it was before is of
ever more of them.
"""


@dataclass(eq=False, slots=True)
class Instances:
    """The classes whose objects are in memory, with the types of their attributes.

    ``made`` are those whose objects the program makes, ``exceptions`` those of exceptions, and
    whether compiled code does that; ``caught`` are the classes that handlers ask for.
    ``has_grown``: an attribute has become of a further type after somebody ``asked`` for its type.
    """

    classes: set[type] = field(default_factory=set)
    made: set[type] = field(default_factory=set)
    exceptions: dict[type, bool] = field(default_factory=dict)
    caught: set[tuple[type, ...]] = field(default_factory=set)
    attributes: dict[tuple[type, str], Type] = field(default_factory=dict)
    asked: set[tuple[type, str | None]] = field(default_factory=set)
    has_grown: bool = False
    count: int = 0

    def note(self, class_: type, name: str, type_: Type) -> None:
        """An attribute is written, with a value of this type.

        Raises:
            DiagnosticError: there is no end to what it holds.
        """
        key, type_ = (class_, name), map_tensors(_of_any_size, type_)
        known = self.attributes.get(key)
        joined = type_ if known is None else join(known, type_)
        if joined != known:
            if len(ops.parts_of_type(joined)) > _MOST_PARTS:
                what = f"the attribute '{name}' of objects of the class '{class_.__name__}'"
                raise DiagnosticError(catalog.STRUCTURE_UNDECIDED, what=what)
            self.attributes[key] = joined
            is_new = known is None and (class_, None) in self.asked
            self.has_grown |= is_new or key in self.asked

    def type_of(self, class_: type, name: str) -> Type | None:
        """The type of an attribute, as far as it was written; None if it was not."""
        self.asked.add((class_, name))
        return self.attributes.get((class_, name))

    def names_of(self, class_: type) -> list[str]:
        """The attributes of the objects of a class, as far as they were written."""
        self.asked.add((class_, None))
        return sorted(name for each, name in self.attributes if each is class_)

    def make_exception(self, class_: type, *, is_known: bool) -> None:
        """An exception of a class of the user's is made, by compiled code or not."""
        if class_ not in self.exceptions:
            self.exceptions[class_] = is_known
            self.has_grown |= any(issubclass(class_, classes) for classes in self.caught)

    def exceptions_of(self, classes: tuple[type, ...]) -> list[type]:
        """The classes of the exceptions that the program makes and ``classes`` catch; none if it
        does not know all that they keep.
        """
        self.caught.add(classes)
        found = [each for each in self.exceptions if issubclass(each, classes)]
        is_known = all(self.exceptions[each] for each in found)
        return sorted(found, key=lambda each: each.__qualname__) if is_known else []

    def move_to_memory(self) -> bool:
        """Have the objects of the classes that the program makes in memory from now on; whether
        that changes anything.
        """
        if not self.classes:
            self.classes = set(filter(fits_memory, self.made))
            return bool(self.classes)
        return False

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
    is_library = class_.__module__ == contextlib.__name__  # its objects hold generators
    return is_plain and not is_library and not hasattr(class_, "__del__")


def has_fallback(class_: Any, name: str) -> bool:
    """Whether an attribute that an object does not hold itself may be found elsewhere."""
    return hasattr(class_, name) or hasattr(class_, "__getattr__")
