"""Exceptions of the user's classes, where they are caught.

%e = exception.known %caught, %class {type = !object["m.LimitError"]} : object["m.LimitError"]
%v = exception.getattr %e {name = "limit", type = !float} : float

An exception may come from anywhere: the program was compiled for those that it makes itself. So
what comes is compared with that: a call that meets another one is refused at run time.
"""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import FLOAT, OBJECT, ObjectType, Type
from staticpy.ops.library import checked
from staticpy.ops.opdef import Effect, defop


class _Sample(ValueError):
    limit = 2.5


def _infer_known(value: Type, *classes: Type, type: Type) -> Type:  # noqa: A002
    return type


def _known(value: Any, *classes: Any, type: Type) -> Any:  # noqa: A002
    class_ = value.__class__
    if any(class_ is each for each in classes):
        return value
    raise DiagnosticError(
        catalog.RESULT_OF_OTHER_TYPE,
        function="except",
        found=class_.__name__,
        expected=" or ".join(each.__name__ for each in classes),
    )


known = defop(
    "exception.known",
    infer=_infer_known,
    kernel=_known,
    effects=Effect.RAISES,
    view=True,
    samples=lambda _: [((_Sample(1), _Sample), {"type": OBJECT})],
)
"""The exception itself, which must be of one of just these classes; ``type`` names them."""


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
