"""One step of a path as Python text: what an object holds under a name or a key.

In: the expression of an object, its class where a guard has fixed that, and a step. Out: the
expression of what the step leads to, or the condition under which it leads to something. The entry
function (``entry``) is made of these.

Of an instance of a user's class only what it holds itself is read: no property, no ``__getattr__``
and no ``__getitem__`` of the user's runs before the function does. That its class gets no further
attributes is a guard of its own.
"""

from __future__ import annotations

import keyword
import types
from typing import Any

from staticpy.runtime.guards import Pool

_CONTAINERS = (tuple, list, dict)


def step_text(step: tuple[str, Any], parent: str, class_: type | None, pool: Pool) -> str:
    """The expression of what ``step`` leads to from the object that ``parent`` names.

    ``class_`` is the class that ``parent`` is known to have, if any.
    """
    kind, key = step
    if kind == "item":
        return _item(key, parent, class_, pool)
    if reads_plainly(key, class_):
        return _attribute(key, parent, pool)
    assert class_ is not None
    return _own_attribute(key, parent, class_, pool)


def reads_plainly(name: str, class_: type | None) -> bool:
    """Whether ``getattr`` reads what an object of this class, if it is known, has itself."""
    if class_ is None or not _is_users(class_):
        return True
    raw = _class_attribute(class_, name)
    is_slot = isinstance(raw, types.MemberDescriptorType)
    is_plain = is_slot or not hasattr(type(raw), "__get__")
    return name != "__dict__" and _has_plain_reads(class_) and is_plain


def indexed_as(class_: type | None) -> type | None:
    """Which of tuple, list and dict reads the items of an object of this class."""
    for container in _CONTAINERS:
        if class_ is not None and issubclass(class_, container):
            return container
    return None


def key_text(key: object, pool: Pool) -> str:
    """A key, or an index, as it is written in brackets."""
    return repr(key) if type(key) in (int, str) else pool("key", key)


def _item(key: object, parent: str, class_: type | None, pool: Pool) -> str:
    container = indexed_as(class_)
    if container is not None:
        getitem = _class_attribute(container, "__getitem__")
        if _class_attribute(class_, "__getitem__") is not getitem:
            name = pool(f"{container.__name__}_getitem", getitem)
            return f"{name}({parent}, {key_text(key, pool)})"
    return f"{parent}[{key_text(key, pool)}]"


def _attribute(name: str, parent: str, pool: Pool) -> str:
    if name.isascii() and name.isidentifier() and not keyword.iskeyword(name):
        return f"{parent}.{name}"
    return f"{pool('getattr', getattr)}({parent}, {name!r})"


def _is_users(class_: type) -> bool:
    """Whether reading an attribute of an instance may run code of the user's."""
    return not issubclass(class_, type | types.ModuleType) and class_.__module__ != "builtins"


def _class_attribute(class_: type | None, name: str) -> Any:
    for base in class_.__mro__ if class_ else ():
        if name in vars(base):
            return vars(base)[name]
    return None


def _has_plain_reads(class_: type) -> bool:
    reads = _class_attribute(class_, "__getattribute__")
    return reads is object.__getattribute__ and _class_attribute(class_, "__getattr__") is None


def _own_attribute(name: str, parent: str, class_: type, pool: Pool) -> str:
    """``parent.name`` past all hooks of the class."""
    if name == "__dict__":
        return _own_dict(parent, class_, pool)
    raw = _class_attribute(class_, name)
    if isinstance(raw, types.MemberDescriptorType):
        return f"{pool('slot', raw)}.__get__({parent})"
    return f"{_own_dict(parent, class_, pool)}[{name!r}]"


def _own_dict(parent: str, class_: type | None, pool: Pool) -> str:
    if class_ is not None and _has_plain_reads(class_):
        return f"{parent}.__dict__"
    return f"{pool('getattribute', object.__getattribute__)}({parent}, '__dict__')"


def holds_slot(slot: types.MemberDescriptorType, value: object) -> bool:
    """Whether the slot of an instance is set."""
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def lacks_fails(step: tuple[str, Any], parent: str, class_: type | None, pool: Pool) -> str:
    """The condition under which there is an own attribute, or an item, where there was none; empty
    where there can't be. An attribute that comes from the class of ``parent`` is not its own.
    """
    kind, key = step
    if kind == "item":
        return f"{key_text(key, pool)} in {parent}"
    raw = _class_attribute(class_, key)
    if isinstance(raw, types.MemberDescriptorType):
        return f"{pool('holds_slot', holds_slot)}({pool('slot', raw)}, {parent})"
    if class_ is None:
        return f"{key!r} in {pool('getattr', getattr)}({parent}, '__dict__', ())"
    if not class_.__dictoffset__:
        return ""
    return f"{key!r} in {_own_dict(parent, class_, pool)}"
