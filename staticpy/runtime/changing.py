"""Numbers that turn out to change between calls.

A number in an attribute or a global is part of the compiled code. In: the numbers of the code that
there is, and the arguments of a call that it doesn't fit. Out: where the number is another one now.
The code that is compiled next reads these numbers at each call, so that a learning rate that is
lowered in every step is compiled twice, not once for each step.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from typing import Any

from staticpy.frontend import Argument, Guard, Path
from staticpy.runtime.guards import same_value

_NUMBERS = (int, float, complex)
_NOTHING = object()


def constant_numbers(guards: Iterable[Guard]) -> dict[Path, Any]:
    """The numbers that ``guards`` demand, by path. A bool decides what is compiled."""
    return {
        guard.path: guard.expected
        for guard in guards
        if guard.kind == "equals" and type(guard.expected) in _NUMBERS
    }


def changed_numbers(
    known: Iterable[Mapping[Path, Any]], arguments: Mapping[str, Any]
) -> frozenset[Path]:
    """Where there is a number now that is not the one that is known."""
    found: set[Path] = set()
    for constants in known:
        for path, expected in constants.items():
            value = value_at(path, arguments)
            if type(value) in _NUMBERS and not same_value(value, expected):
                found.add(path)
    return frozenset(found)


def value_at(path: Path, arguments: Mapping[str, Any]) -> Any:
    """What is at ``path`` now; no code of the user's is run to find it."""
    root = path.root
    if not isinstance(root, Argument):
        value = root.object
    elif root.name in arguments:
        value = arguments[root.name]
    else:
        return _NOTHING
    for kind, key in path.steps:
        value = _item(value, key) if kind == "item" else _attribute(value, key)
    return value


def _item(holder: Any, key: Any) -> Any:
    if type(holder) not in (list, tuple, dict, types.MappingProxyType):
        return tuple.__getitem__(holder, key) if isinstance(holder, tuple) else _NOTHING
    try:
        return holder[key]
    except (LookupError, TypeError):
        return _NOTHING


def _attribute(holder: Any, name: str) -> Any:
    if isinstance(holder, type | types.ModuleType):
        return getattr(holder, name, _NOTHING)
    own = getattr(holder, "__dict__", {}) if type(holder).__dictoffset__ else {}
    if name in own:
        return own[name]
    for base in type(holder).__mro__:
        raw = vars(base).get(name)
        if isinstance(raw, types.MemberDescriptorType | types.GetSetDescriptorType):
            try:
                return raw.__get__(holder)
            except (AttributeError, ValueError):
                return _NOTHING
    return _NOTHING
