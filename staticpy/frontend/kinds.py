"""What a value is, in words, and whether it is known while compiling."""

from __future__ import annotations

from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.inputs import Variant, tree_leaves
from staticpy.frontend.values import (
    AttributesRef,
    ContainerMethod,
    DictRef,
    IteratorRef,
    ListRef,
    ObjectRef,
    SetRef,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    Value,
)


def is_run_time(tree: Any) -> bool:
    """Whether a key holds a run-time value."""
    return any(isinstance(leaf, Value) for leaf in tree_leaves(tree))


_KINDS = {ListRef: "list", DictRef: "dict", AttributesRef: "dict", SetRef: "set"}


def kind_of(value: Any) -> str:
    """What an operand is, in words for a message.

    Raises:
        DiagnosticError: that is not known.
    """
    if isinstance(value, Variant):
        what = "which object this is"
        raise DiagnosticError(catalog.NEEDS_COMPILE_TIME, None, (), what=what)
    if is_liftable(value):
        return str(leaf_type(value))
    if isinstance(value, ObjectRef):
        return str(value.class_.__name__)
    if isinstance(value, ContainerMethod):
        return "method"
    if isinstance(value, IteratorRef):
        return "iterator"
    return "None" if value is None else _KINDS.get(type(value), type(value).__name__)
