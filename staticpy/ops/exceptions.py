"""Exceptions of the user's classes, where they are caught.

%e = exception.known %caught, %class {type = !object["m.LimitError"], names = (("limit",),)}
%v = exception.getattr %e {name = "limit", type = !float} : float

An exception may come from anywhere: the program was compiled for those that it makes itself. So
what comes is compared with that: a call that meets another one is refused at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import FLOAT, OBJECT, ObjectType, Type
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
