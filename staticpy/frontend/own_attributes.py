"""What an object in memory holds itself, also where its class has a property of the same name.

In: a Value that is an object, its class, the name of an attribute. Out: the ops that read, write or
remove it, past all hooks of the class. What a descriptor keeps in the ``__dict__`` of the object
under its own name is reached there: an assignment to the attribute would call the descriptor again.
"""

from __future__ import annotations

import types
from typing import Any

from staticpy.frontend.classes import class_lookup
from staticpy.frontend.inputs import Path
from staticpy.ir import OBJECT, Builder, Operation, Type, Value
from staticpy.ops import REGISTRY, as_value


def is_hidden(class_: type, name: str) -> bool:
    """Whether the class answers for ``name``, whatever the object itself holds."""
    raw, _ = class_lookup(class_, name)
    return hasattr(type(raw), "__set__") and not isinstance(raw, types.MemberDescriptorType)


def path_of_own(path: Path, class_: type, name: str) -> Path:
    """Where an object from outside holds the attribute."""
    return path.attr("__dict__").item(name) if is_hidden(class_, name) else path.attr(name)


def read_own(builder: Builder, owner: Value, class_: type, name: str, type_: Type) -> Value:
    """The attribute, which is of ``type_``."""
    if is_hidden(class_, name):
        return _call_of_dict(builder, owner, "__getitem__", name, result=type_).result
    attrs = {"name": name, "type": type_}
    return builder.emit(REGISTRY["object.getattr"], [owner], attrs).result


def write_own(builder: Builder, owner: Value, class_: type, name: str, item: Value) -> None:
    """Give the object the attribute."""
    if is_hidden(class_, name):
        _call_of_dict(builder, owner, "__setitem__", name, item)
        return
    is_plain = class_lookup(class_, "__setattr__")[0] is object.__setattr__
    op = "object.setattr" if is_plain else "object.set_slot"
    builder.emit(REGISTRY[op], [owner, item], {"name": name})


def delete_own(builder: Builder, owner: Value, class_: type, name: str) -> None:
    """Take the attribute from the object."""
    if is_hidden(class_, name):
        _call_of_dict(builder, owner, "__delitem__", name)
        return
    builder.emit(REGISTRY["object.delattr"], [owner], {"name": name})


def _call_of_dict(
    builder: Builder, owner: Value, method: str, *args: Any, **attrs: Any
) -> Operation:
    own_type = {"name": "__dict__", "type": OBJECT}
    own = builder.emit(REGISTRY["object.getattr"], [owner], own_type).result
    given = [own, *map(as_value, args)]
    return builder.emit(REGISTRY["object.call"], given, {"method": method, **attrs})
