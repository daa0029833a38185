"""Exceptions of the user's classes, where they are caught.

%e = exception.known %caught, %class {type = !object["m.LimitError"], names = (("limit",),)}
%v = exception.getattr %e {name = "limit", type = !float} : float

An exception may come from anywhere: the program was compiled for those that it makes itself. So
what comes is compared with that: a call that meets another one is refused at run time.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any
from weakref import ref

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import FLOAT, INT, OBJECT, ObjectType, Type
from staticpy.ops.library import checked
from staticpy.ops.opdef import Effect, defop


class _Sample(ValueError):
    limit = 2.5


Names = tuple[tuple[str, ...], ...]


def _infer_known(value: Type, *classes: Type, type: Type, names: Names) -> Type:  # noqa: A002
    return type


def _known(value: Any, *classes: Any, type: Type, names: Names) -> Any:  # noqa: A002
    class_, held = value.__class__, vars(value).keys() - {"__notes__"}
    for each, known in zip(classes, names, strict=True):
        if class_ is each and held <= set(known):
            return value
    raise DiagnosticError(
        catalog.RESULT_OF_OTHER_TYPE,
        function="except",
        found=_shown(class_, sorted(held)),
        expected=" or ".join(map(_shown, classes, names)),
    )


def _shown(class_: Any, held: Sequence[str]) -> str:
    return f"{class_.__name__}({', '.join(held)})"


known = defop(
    "exception.known",
    infer=_infer_known,
    kernel=_known,
    effects=Effect.RAISES,
    view=True,
    samples=lambda _: [((_Sample(1), _Sample), {"type": OBJECT, "names": ((),)})],
)
"""The exception itself, which must be of one of just these classes, and keep nothing but what
``names`` has for its class; ``type`` names the classes."""


def _infer_getattr(value: Type, *, name: str, type: Type) -> Type:  # noqa: A002
    if not isinstance(value, ObjectType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{value} is no exception")
    return type


def _getattr(value: Any, *, name: str, type: Type) -> Any:  # noqa: A002
    found = getattr(value, name)
    return found if type == OBJECT else checked(f"the attribute '{name}'", (found,), (type,))


getattr_ = defop(
    "exception.getattr",
    infer=_infer_getattr,
    kernel=_getattr,
    effects=Effect.RAISES,
    view=True,
    samples=lambda _: [
        ((_Sample(1),), {"name": "limit", "type": FLOAT}),
        ((_Sample(1),), {"name": "limit", "type": OBJECT}),
        ((_Sample(1),), {"name": "value", "type": FLOAT}),
    ],
)
"""``exception.name``, which must be of ``type``; of ``object`` it may be anything."""


_NUMBERS: dict[int, tuple[ref[Any], int]] = {}
"""What has a number, by its ``id``, which another object may have later."""
_COUNT = itertools.count()


def _identity(value: Any) -> int:
    place = id(value)
    known, number = _NUMBERS.get(place, (None, 0))
    if known is not None and known() is value:
        return number
    number = next(_COUNT)
    _NUMBERS[place] = ref(value, lambda _: _NUMBERS.pop(place, None)), number
    return number


identity = defop(
    "exception.identity",
    infer=lambda _: INT,
    kernel=_identity,
    effects=Effect.RAISES,
    samples=lambda _: [((_Sample(1),), {})],
)
"""A number of the exception, which no other object has: it is found by that in a dict, whatever it
says that it is equal to. TypeError of one that can't be referred to weakly."""
