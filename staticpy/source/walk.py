"""The children of syntax nodes, fast: every stage walks every node of what is checked."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

_WITHOUT_NODES = frozenset(
    (
        *("ctx", "op", "ops", "type_comment", "kind", "id", "attr", "arg", "asname", "module"),
        *("level", "conversion", "simple", "is_async", "rest", "kwd_attrs", "type_ignores", "str"),
    )
)
"""Fields that hold no nodes, or only nodes that say no more than their class does."""

_LISTS_OF_NODES = frozenset(
    (
        *("body", "orelse", "finalbody", "handlers", "targets", "items", "decorator_list", "cases"),
        *("values", "elts", "args", "keywords", "generators", "ifs", "comparators", "defaults"),
        *("posonlyargs", "kwonlyargs", "bases", "patterns", "kwd_patterns", "type_params"),
    )
)
"""Fields that are lists of nodes, or single nodes: of others a part may be None, or a name."""

_FIELDS: dict[type, tuple[str, ...]] = {}


def fields_of(class_: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a node of this class, of ``ast`` or ``gast``, that may hold nodes."""
    fields = _FIELDS.get(class_)
    if fields is None:
        hidden = _WITHOUT_NODES | ({"value"} if class_.__name__ == "Constant" else set())
        fields = tuple(field for field in class_._fields if field not in hidden)
        _FIELDS[class_] = fields
    return fields


def children(node: Any) -> list[Any]:
    """The nodes in ``node``, in the order of its fields, without operators and contexts."""
    found: list[Any] = []
    class_ = node.__class__
    fields = _FIELDS.get(class_)
    for field in fields_of(class_) if fields is None else fields:
        value = getattr(node, field, None)
        if not value:
            continue
        if value.__class__ is list:
            is_plain = field in _LISTS_OF_NODES
            found += value if is_plain else [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def descendants(node: Any) -> Iterator[Any]:
    """``node`` and all that it holds, in no order, without operators and contexts."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending += children(current)
