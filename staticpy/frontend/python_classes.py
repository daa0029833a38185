"""The class that CPython has for what the frontend holds: for Values, and for its own objects.

In: a value of the abstract run, or a Type. Out: the class that ``type`` gives of it in the running
program; None where that is not known, or depends on the path.
"""

from __future__ import annotations

import itertools
import operator
import types
from functools import partial
from typing import Any

import numpy as np

from staticpy.frontend.classes import class_lookup, class_of_object
from staticpy.frontend.inputs import RunTimeTuple
from staticpy.frontend.values import (
    AccumulateIterable,
    ArrayMethod,
    AttributesRef,
    BoundFunction,
    ChainIterable,
    Closure,
    ContainerMethod,
    CycleIterable,
    DictRef,
    DictView,
    EnumerateIterable,
    FilterIterable,
    FlatIterator,
    FlattenIterable,
    Generator,
    Getter,
    GroupIterable,
    IteratorRef,
    KnownIterable,
    ListRef,
    MapIterable,
    ObjectRef,
    PairwiseIterable,
    Partial,
    ProductIterable,
    RangeIterable,
    SetRef,
    SliceIterable,
    SuperProxy,
    UfuncMethod,
    UserFunction,
    ZipIterable,
    ZipLongestIterable,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    NONE,
    STR,
    DictType,
    ListType,
    ObjectType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
)

_CLASSES: dict[type, type] = {
    ListRef: list,
    RunTimeTuple: tuple,
    DictRef: dict,
    AttributesRef: dict,
    SetRef: set,
    UserFunction: types.FunctionType,
    Closure: types.FunctionType,
    BoundFunction: types.MethodType,
    Partial: partial,
    SuperProxy: super,
    UfuncMethod: types.BuiltinMethodType,
    FlatIterator: np.flatiter,
    EnumerateIterable: enumerate,
    ZipIterable: zip,
    ChainIterable: itertools.chain,
    SliceIterable: itertools.islice,
    AccumulateIterable: itertools.accumulate,
    PairwiseIterable: itertools.pairwise,
    ProductIterable: itertools.product,
    ZipLongestIterable: itertools.zip_longest,
    FlattenIterable: itertools.chain,
    CycleIterable: itertools.cycle,
    GroupIterable: itertools.groupby,
}
"""Of what is not here, more than one thing is made: ``reversed`` of a list is another class."""
_FILTERS: dict[str, type] = {
    "filter": filter,
    "filterfalse": itertools.filterfalse,
    "takewhile": itertools.takewhile,
    "dropwhile": itertools.dropwhile,
}
_VIEWS: dict[str, type] = {
    "keys": type({}.keys()),
    "values": type({}.values()),
    "items": type({}.items()),
}
_METHODS: dict[type, type] = {
    types.MethodDescriptorType: types.BuiltinMethodType,
    types.WrapperDescriptorType: types.MethodWrapperType,
    types.FunctionType: types.MethodType,
}
"""What reading a method from an object gives, by what its class holds."""
_NUMBERS = {"bool": bool, "int": int, "float": float, "complex": complex}


def class_of_type(type_: Type) -> type | None:
    """The class of the objects that a type describes; None where that is not known."""
    if isinstance(type_, PythonType):
        if type_ == NONE:
            return type(None)
        return str if type_ == STR else _NUMBERS[str(type_)]
    if isinstance(type_, ScalarType):
        return type_.dtype.type
    if isinstance(type_, ObjectType):
        return class_of_object(type_)
    known = {TensorType: np.ndarray, TupleType: tuple, ListType: list, DictType: dict}
    return known.get(type(type_))


def class_of_value(value: Any) -> type | None:
    """The class of a value; None where that is not known."""
    if is_liftable(value):
        return class_of_type(leaf_type(value))
    if isinstance(value, ObjectRef | Generator | IteratorRef | MapIterable | KnownIterable):
        return value.class_
    if isinstance(value, RangeIterable):
        return itertools.count if value.stop is None else range
    if isinstance(value, FilterIterable):
        return _FILTERS[value.kind]
    if isinstance(value, DictView):
        return _VIEWS[value.kind]
    if isinstance(value, ContainerMethod):
        return _class_of_method(value.receiver, value.name)
    if isinstance(value, ArrayMethod):
        return _class_of_method(value.value, value.name)
    if isinstance(value, Getter):
        return getattr(operator, value.kind, None)
    found = _CLASSES.get(type(value), type(value))
    is_ours = found.__module__.startswith(("staticpy.frontend", "staticpy.ops", "staticpy.ir"))
    return None if is_ours else found


def _class_of_method(receiver: Any, name: str) -> type | None:
    """The class of a method that was read from an object of Python's or NumPy's."""
    class_ = class_of_value(receiver)
    raw = None if class_ is None else class_lookup(class_, name)[0]
    return _METHODS.get(type(raw))
