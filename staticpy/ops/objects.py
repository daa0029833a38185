"""Live objects of the running program, of which the graph knows nothing but that they are there.

%o = object.new %class : object
object.setattr %o, %v {name = "count"}
object.call %log, %v {method = "append"}
%n = object.call %log {method = "pop", result = !int} : int

An object comes in as an input of the graph (a list, an instance or a class from outside), or is
made by an op. What is done to it is done by Python itself, at run time and in program order:
whatever a method or a hook such as ``__setattr__`` does counts as a write.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from types import MemberDescriptorType, SimpleNamespace
from typing import Any

import numpy as np

from staticpy.ir import (
    BOOL,
    INT,
    OBJECT,
    STR,
    DictType,
    ListType,
    ObjectType,
    TensorType,
    TupleType,
    Type,
)
from staticpy.ops.containers import WRITES, invalid
from staticpy.ops.opdef import Attrs, Effect, defop

_OBJECTS = (ObjectType, ListType, DictType, TensorType)


def _require_object(type_: Type) -> None:
    if not isinstance(type_, _OBJECTS):
        raise invalid(f"an object is due, not {type_}")


# --- methods and attributes -----------------------------------------------------------------------


def _infer_call(
    receiver: Type,
    *_: Type,
    method: str,
    result: Type | None = None,
) -> Type | tuple[Type, ...]:
    _require_object(receiver)
    return () if result is None else result


def _call(receiver: Any, *args: Any, method: str, result: Type | None = None) -> Any:
    function = _SPECIAL.get(method)
    value = function(receiver, *args) if function else getattr(receiver, method)(*args)
    return None if result is None else value


_SPECIAL: dict[str, Any] = {"__len__": len, "__getitem__": operator.getitem}
"""How Python calls these, which is by the class of the object; TypeError where it has none."""


def _call_samples(_: Any) -> Any:
    yield ([1, 2], 3), {"method": "append"}
    yield ([1, 2],), {"method": "pop", "result": INT}
    yield ([1, 2], 0, 3), {"method": "__setitem__"}
    yield ([1, 2], slice(0, 1), (7, 8)), {"method": "__setitem__"}
    yield ({"a": 1}, "a"), {"method": "__delitem__"}
    yield ({"a": 1}, "a"), {"method": "__getitem__", "result": INT}
    yield ({1, 2}, 3), {"method": "add"}
    yield ([1, 2],), {"method": "__len__", "result": INT}


object_call = defop(
    "object.call",
    infer=_infer_call,
    kernel=_call,
    effects=WRITES,
    view=True,
    samples=_call_samples,
)
"""``obj.method(*args)``; with ``result`` it gives a value of that type, else nothing."""


def _infer_write(receiver: Type, *_: Type, name: str) -> tuple[Type, ...]:
    _require_object(receiver)
    return ()


def _setattr(receiver: Any, value: Any, *, name: str) -> None:
    setattr(receiver, name, value)


def _write_samples(_: Any) -> Any:
    yield (SimpleNamespace(a=1), 2), {"name": "a"}
    yield (SimpleNamespace(), 2), {"name": "no identifier"}
    yield ([1], 2), {"name": "a"}


setattr_ = defop(
    "object.setattr", infer=_infer_write, kernel=_setattr, effects=WRITES, samples=_write_samples
)
"""``obj.name = value``."""


def _set_slot(receiver: Any, value: Any, *, name: str) -> None:
    object.__setattr__(receiver, name, value)


set_slot = defop(
    "object.set_slot", infer=_infer_write, kernel=_set_slot, effects=WRITES, samples=_write_samples
)
"""``object.__setattr__(obj, name, value)``: past the ``__setattr__`` of a frozen dataclass."""


def _delattr(receiver: Any, *, name: str) -> None:
    delattr(receiver, name)


def _delattr_samples(_: Any) -> Any:
    yield (SimpleNamespace(a=1),), {"name": "a"}
    yield (SimpleNamespace(),), {"name": "a"}


delattr_ = defop(
    "object.delattr", infer=_infer_write, kernel=_delattr, effects=WRITES, samples=_delattr_samples
)
"""``del obj.name``."""


def _infer_getattr(receiver: Type, *, name: str, type: Type) -> Type:  # noqa: A002
    _require_object(receiver)
    return type


def _getattr(receiver: Any, *, name: str, type: Type) -> Any:  # noqa: A002
    return getattr(receiver, name)


def _getattr_samples(_: Any) -> Any:
    yield (SimpleNamespace(a=2.5),), {"name": "a", "type": OBJECT}
    yield (ValueError("text", 2),), {"name": "args", "type": TupleType((STR, INT))}
    yield (SimpleNamespace(),), {"name": "a", "type": INT}


getattr_ = defop(
    "object.getattr",
    infer=_infer_getattr,
    kernel=_getattr,
    effects=Effect.RAISES,
    view=True,
    samples=_getattr_samples,
)
"""``obj.name``, which is known to be of ``type``."""


def _infer_truth(value: Type) -> Type:
    _require_object(value)
    return BOOL


def _truth_effects(operands: Sequence[Type], _: Attrs) -> Effect:
    is_array = isinstance(operands[0], TensorType)
    is_object = isinstance(operands[0], ObjectType)
    return WRITES if is_object else Effect.RAISES if is_array else Effect.NONE


truth = defop(
    "object.truth",
    infer=_infer_truth,
    kernel=bool,
    effects=_truth_effects,
    samples=lambda _: [(([],), {}), (([0],), {}), ((SimpleNamespace(),), {})],
)
"""``bool(obj)``, or whether a list or dict holds anything."""


def _infer_isinstance(value: Type, *classes: Type, names: tuple[str, ...]) -> Type:
    for type_ in (value, *classes):
        _require_object(type_)
    return BOOL


def _isinstance(value: Any, *classes: Any, names: tuple[str, ...]) -> bool:
    return isinstance(value, (*(getattr(builtins, name) for name in names), *classes))


def _isinstance_samples(_: Any) -> Any:
    yield (ValueError("text"),), {"names": ("KeyError", "ArithmeticError")}
    yield (KeyError("text"),), {"names": ("LookupError",)}
    yield (SimpleNamespace(), SimpleNamespace), {"names": ()}


isinstance_ = defop(
    "object.isinstance",
    infer=_infer_isinstance,
    kernel=_isinstance,
    samples=_isinstance_samples,
)
"""``isinstance(obj, classes)``: builtin classes by their ``names``, others as operands."""


def _infer_is_of(_: Type, class_: Type) -> Type:
    _require_object(class_)
    return BOOL


is_of = defop(
    "object.is_of",
    infer=_infer_is_of,
    kernel=lambda value, class_: type(value) is class_,
    samples=lambda _: [((SimpleNamespace(), SimpleNamespace), {}), ((3, SimpleNamespace), {})],
)
"""Whether a value is an instance of just this class."""


def _infer_holds(receiver: Type, *, name: str) -> Type:
    _require_object(receiver)
    return BOOL


def _holds(receiver: Any, *, name: str) -> bool:
    slot = getattr(type(receiver), name, None)
    is_slot = isinstance(slot, MemberDescriptorType)
    return hasattr(receiver, name) if is_slot else name in getattr(receiver, "__dict__", ())


holds = defop(
    "object.holds",
    infer=_infer_holds,
    kernel=_holds,
    samples=lambda _: [((SimpleNamespace(a=1),), {"name": n}) for n in ("a", "b")],
)
"""Whether an object itself, not its class, has an attribute of this name."""


def _infer_cast(value: Type, *, type: Type) -> Type:  # noqa: A002
    return type


def _cast_samples(_: Any) -> Any:
    yield ([1, 2],), {"type": ListType(INT)}
    yield ([1, 2],), {"type": OBJECT}
    yield (np.arange(3),), {"type": TensorType(np.dtype(np.int64), ("?",))}


cast = defop(
    "object.cast",
    infer=_infer_cast,
    kernel=lambda value, *, type: value,  # noqa: A006
    view=True,
    samples=_cast_samples,
)
"""The object itself, which is known to be of ``type``."""


# --- making ---------------------------------------------------------------------------------------


def _infer_new(class_: Type) -> Type:
    _require_object(class_)
    return OBJECT


new = defop(
    "object.new",
    infer=_infer_new,
    kernel=object.__new__,
    effects=Effect.RAISES,
    samples=lambda _: [((SimpleNamespace,), {})],
)
"""``object.__new__(cls)``: an instance that is not initialized yet."""


def _infer_construct(class_: Type, *args: Type, names: tuple[str, ...] = ()) -> Type:
    _require_object(class_)
    if len(names) > len(args):
        raise invalid("there are more names than arguments")
    return OBJECT


def _construct(class_: Any, *args: Any, names: tuple[str, ...] = ()) -> Any:
    count = len(args) - len(names)
    return class_(*args[:count], **dict(zip(names, args[count:], strict=True)))


def _construct_samples(_: Any) -> Any:
    yield (SimpleNamespace, 1), {"names": ("a",)}
    yield (slice, 1, 5), {"names": ()}
    yield (KeyError, "text"), {"names": ()}
    yield (SimpleNamespace, 1, 2), {"names": ("class", "b")}


construct = defop(
    "object.construct",
    infer=_infer_construct,
    kernel=_construct,
    effects=WRITES,
    samples=_construct_samples,
)
"""``cls(*args)``; ``names`` are the keywords of the last of them."""
