"""What a value is, in words, and whether it is known while compiling."""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import class_of_object
from staticpy.frontend.inputs import RunTimeTuple, Variant, tree_leaves
from staticpy.frontend.python_classes import class_of_value
from staticpy.frontend.values import (
    ObjectRef,
    RangeIterable,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    DictType,
    ListType,
    ObjectType,
    ScalarType,
    TupleType,
    Type,
    UnionType,
    Value,
)


def is_run_time(tree: Any) -> bool:
    """Whether a key holds a run-time value, or a tuple of a run-time length."""
    return any(isinstance(leaf, Value) for leaf in tree_leaves(tree)) or _holds_tuple(tree)


def _holds_tuple(tree: Any) -> bool:
    if isinstance(tree, RunTimeTuple):
        return True
    parts = tree.values() if type(tree) is dict else tree
    return isinstance(tree, tuple | list | dict) and any(map(_holds_tuple, parts))


def kind_of(value: Any) -> str:
    """What an operand is, in words for a message.

    Raises:
        DiagnosticError: that is not known.
    """
    if isinstance(value, Variant):
        what = "which object this is"
        raise DiagnosticError(catalog.NEEDS_COMPILE_TIME, None, (), what=what)
    class_ = class_of_object(getattr(value, "type", None))
    if class_ is not None:
        return class_.__name__
    if is_liftable(value):
        return str(leaf_type(value))
    if isinstance(value, ObjectRef):
        return str(value.class_.__name__)
    if value is None:
        return "None"
    class_ = class_of_value(value)
    return "iterator" if class_ is None else class_.__name__


def is_number(type_: Type | None) -> bool:
    """Whether a value is a number of Python's or a scalar of NumPy's."""
    return isinstance(type_, ScalarType) or type_ in (BOOL, INT, FLOAT, COMPLEX)


def is_mixed(value: Any) -> bool:
    """Whether a Value may be a container, a text or an object, by the path taken."""
    if not (isinstance(value, Value) and isinstance(value.type, UnionType)):
        return False
    kinds = (TupleType, ListType, DictType, ObjectType)
    return any(isinstance(each, kinds) or each == STR for each in value.type.members)


def is_split(value: Any, other: Any) -> bool:
    """Whether an operator of a union has a meaning of its own for each member: one of them is no
    number and no array, or what stands beside it is not.
    """
    if not (isinstance(value, Value) and isinstance(value.type, UnionType)):
        return False
    return is_mixed(value) or not is_liftable(other)


def range_bounds(value: Any) -> tuple[Any, ...] | None:
    """Start, stop and step of a range, known or not; None for anything else."""
    if isinstance(value, range):
        return value.start, value.stop, value.step
    return value.parts() if isinstance(value, RangeIterable) else None


def out_of_range(sequence: Any) -> str:
    """What the IndexError of a sequence of Python's own says."""
    if isinstance(sequence, bytes):
        return "index out of range"
    names: dict[type, str] = {str: "string", range: "range object", list: "list"}
    return f"{names.get(type(sequence), 'tuple')} index out of range"
