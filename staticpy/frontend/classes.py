"""What classes define: special methods by operator, and lookups by CPython's rules.

Pure functions of live classes: nothing here emits anything, or knows of the state of lowering.
"""

from __future__ import annotations

import collections
import enum
import functools
import itertools
import types
import typing
import weakref
from typing import Any

from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import ObjectRef, UserFunction
from staticpy.ir import ObjectType, Value, is_of_class

REFLECTED = {
    "__add__": "__radd__",
    "__sub__": "__rsub__",
    "__mul__": "__rmul__",
    "__truediv__": "__rtruediv__",
    "__floordiv__": "__rfloordiv__",
    "__mod__": "__rmod__",
    "__pow__": "__rpow__",
    "__matmul__": "__rmatmul__",
    "__lshift__": "__rlshift__",
    "__rshift__": "__rrshift__",
    "__and__": "__rand__",
    "__or__": "__ror__",
    "__xor__": "__rxor__",
    "__lt__": "__gt__",
    "__gt__": "__lt__",
    "__le__": "__ge__",
    "__ge__": "__le__",
    "__eq__": "__eq__",
    "__ne__": "__ne__",
}
DUNDERS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "@": "__matmul__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<": "__lt__",
    ">": "__gt__",
    "<=": "__le__",
    ">=": "__ge__",
    "==": "__eq__",
    "!=": "__ne__",
}
ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
COMPARISONS = ("__eq__", "__ne__", *ORDER)


def class_lookup(class_: type, name: str, after: type | None = None) -> tuple[Any, Any]:
    """What the class or its bases define under ``name``, and which of them; ABSENT if nothing."""
    bases = class_.__mro__
    if after is not None:
        bases = bases[bases.index(after) + 1 :]
    for base in bases:
        if name in vars(base):
            return vars(base)[name], base
    return ABSENT, None


def is_default(class_: type, hook: str) -> bool:
    """Whether a hook, such as ``__setattr__``, is the one that Python itself gives to objects, to
    namespaces, or to exceptions.
    """
    base = class_lookup(class_, hook)[1]
    return base in (object, types.SimpleNamespace) or (
        issubclass(base, BaseException) and base.__module__ == "builtins"
    )


def is_generated(function: Any) -> bool:
    """Whether a function was made by ``dataclass``, and so has no source."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename == "<string>"


_LIBRARY_FILES = (enum.__file__, collections.__file__)


def python_function(value: Any) -> types.FunctionType | None:
    """The Python function that ``value`` is, or that a decorated function stands for."""
    if hasattr(type(value), "__staticpy_function__"):  # of the class: no __getattr__ is run
        value = value.__staticpy_function__
    return value if isinstance(value, types.FunctionType) else None


def shown_name(class_: type) -> str:
    """The name of a class in the texts of Python's exceptions."""
    return f"numpy.{class_.__name__}" if class_.__module__ == "numpy" else class_.__name__


def called(function: Any) -> Any:
    """What is called: of a class with its parameters, such as ``list[int]``, the class."""
    origin = typing.get_origin(function)
    return origin if isinstance(origin, type) else function


def is_jit(value: Any) -> bool:
    """Whether ``value`` is ``staticpy.jit``, which the frontend can't import."""
    return isinstance(value, types.FunctionType) and hasattr(value, "__staticpy_jit__")


def is_tensor_class(class_: type) -> bool:
    """Whether instances are Tensors, which the frontend can't import: a class that says by which
    attribute they hold an array. No metaclass is asked.
    """
    return any("__staticpy_array__" in vars(base) for base in class_.__mro__)


def is_cell_class(class_: type) -> bool:
    """Whether instances are Cells, which the frontend can't import: a class that says so."""
    return any("__staticpy_cell__" in vars(base) for base in class_.__mro__)


def is_no_grad(value: Any) -> bool:
    """Whether ``value`` is ``staticpy.no_grad``, which the frontend can't import."""
    return isinstance(value, types.FunctionType) and hasattr(value, "__staticpy_no_grad__")


def own_function(value: Any) -> types.FunctionType | None:
    """The function that ``value`` is, if it is one of the user's: not what ``enum`` and
    ``namedtuple`` put into the classes that they make.
    """
    function = python_function(value)
    if function is None or function.__code__.co_filename in _LIBRARY_FILES:
        return None
    return function


def is_enum_member(value: Any) -> bool:
    """Whether ``value`` is a member of an Enum."""
    return isinstance(value, enum.Enum)


def is_enum(value: Any) -> bool:
    """Whether ``value`` is an Enum class."""
    return isinstance(value, type) and issubclass(value, enum.Enum)


@functools.cache
def _defines_operators(class_: type) -> bool:
    """Whether a class of tuples has special methods of the user's."""
    names = {name for base in class_.__mro__ for name in vars(base) if name.startswith("__")}
    skipped = {"__new__", "__init__", "__repr__", "__str__", "__format__", "__init_subclass__"}
    return any(own_function(class_lookup(class_, name)[0]) for name in names - skipped)


_NAMED: weakref.WeakValueDictionary[str, type] = weakref.WeakValueDictionary()


def object_type(class_: type) -> ObjectType:
    """The type of the instances of a class in run-time memory."""
    plain = f"{class_.__module__}.{class_.__qualname__}"
    for name in itertools.chain([plain], (f"{plain}:{i}" for i in itertools.count(2))):
        if _NAMED.setdefault(name, class_) is class_:
            break
    return ObjectType(name)


def class_of_object(type_: Any) -> type | None:
    """The class that an ObjectType names; None for any other type."""
    return _NAMED.get(type_.class_name) if is_of_class(type_) else None


def instance_class(value: Any) -> Any:
    """The class of an instance of a class of the user's that may have special methods; else None.

    Instances are objects, members of an Enum, and named tuples with operators of their own.
    """
    if isinstance(value, ObjectRef):
        return value.class_
    if isinstance(value, Value):
        return class_of_object(value.type)
    if is_enum_member(value):
        return type(value)
    if isinstance(value, tuple) and type(value) is not tuple and _defines_operators(type(value)):
        return type(value)
    return None


def is_object(value: Any) -> bool:
    """Whether ``value`` is an object of a class of the user's, in memory or not."""
    return isinstance(value, ObjectRef) or (isinstance(value, Value) and is_of_class(value.type))


def is_instance(value: Any) -> bool:
    """Whether ``value`` is an instance whose class may have special methods of the user's."""
    return instance_class(value) is not None


_IMMUTABLE_TYPE, _HEAP_TYPE = 1 << 8, 1 << 9
"""Flags of classes: the second alone is that of one that a ``class`` statement made."""


def is_plain_class(class_: type) -> bool:
    """Whether instances hold nothing but their attributes: all bases are classes of Python code."""
    both = _IMMUTABLE_TYPE | _HEAP_TYPE
    return all(base is object or base.__flags__ & both == _HEAP_TYPE for base in class_.__mro__)


def is_changeable(class_: type) -> bool:
    """Whether attributes of the class itself can be set, as those of Python's own can't."""
    return not class_.__flags__ & _IMMUTABLE_TYPE


def may_hold_text(class_: type) -> bool:
    """Whether ``int`` and ``float`` may read instances as text, as they do with a bytearray."""
    return not is_plain_class(class_) or hasattr(class_, "__buffer__")


def has_attributes_of_its_own(value: Any) -> bool:
    """Whether a tuple is of a class whose instances have a ``__dict__``, unlike named tuples."""
    return isinstance(value, tuple) and type(value).__dictoffset__ != 0


def is_descriptor(raw: Any, method: str) -> bool:
    """Whether a class holds an object whose own class, of the user's, has ``method``."""
    return own_function(class_lookup(type(raw), method)[0]) is not None


def missing_message(class_: type, name: str) -> str:
    """What CPython, in this version, says where an attribute that is not there is deleted."""
    names: dict[str, Any] = {"__slots__": (name,)} if class_.__dictoffset__ == 0 else {}
    try:
        delattr(type(class_.__name__, (), names)(), name)
    except AttributeError as error:
        return str(error)
    raise AssertionError("an attribute that is not there was deleted")


@functools.singledispatch
def _dispatched(x: object) -> None:
    """What ``functools.singledispatch`` makes of any function has the same code."""


_DISPATCHING = _dispatched.__code__  # type: ignore[attr-defined]


def is_single_dispatch(function: Any) -> bool:
    """Whether a function was made by ``functools.singledispatch``."""
    live = function.function if isinstance(function, UserFunction) else None
    return live is not None and live.__code__ is _DISPATCHING


def has_own_equality(value: Any) -> bool:
    """Whether a dict or set would call a method of the user's to find this object, or have no hash
    of it.
    """
    if not is_object(value):
        return False
    class_ = instance_class(value)
    return getattr(class_, "__eq__", None) is not object.__eq__ or class_.__hash__ is None


def is_hashable(value: Any) -> bool:
    """Whether Python can hash this compile-time value."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
