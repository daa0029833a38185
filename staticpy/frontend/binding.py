"""How arguments become the variables of a callee, and how a call of it is told from others.

In: the parameters of a prepared function, and the arguments of a call. Out: the arguments by
parameter name, as CPython binds them; and the key under which one graph function serves all calls
that are alike.
"""

from __future__ import annotations

import enum
import inspect
import types
from typing import Any

import numpy as np

from staticpy.frontend.inputs import map_tree
from staticpy.frontend.parse import Parameter
from staticpy.frontend.values import BoundFunction, Partial, UserFunction
from staticpy.ir import ShapeFacts, Value

_KINDS = {
    "positional_only": inspect.Parameter.POSITIONAL_ONLY,
    "positional": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "var_positional": inspect.Parameter.VAR_POSITIONAL,
    "keyword_only": inspect.Parameter.KEYWORD_ONLY,
    "var_keyword": inspect.Parameter.VAR_KEYWORD,
}
_PLAIN = (str, bytes, type(None), type(Ellipsis), bool, int, float, complex)
_BY_IDENTITY = (
    type,
    np.dtype,
    np.ufunc,
    types.BuiltinFunctionType,
    types.ModuleType,
    enum.Enum,
    UserFunction,
)


def signature_of(parameters: list[Parameter]) -> inspect.Signature:
    """The signature of a function, as ``inspect`` has it."""
    return inspect.Signature(
        [
            inspect.Parameter(
                parameter.name,
                _KINDS[parameter.kind],
                default=None if parameter.default is not None else inspect.Parameter.empty,
            )
            for parameter in parameters
        ]
    )


def is_part_of_key(leaf: Any) -> bool:
    """Whether a compile-time leaf can tell one call from another."""
    return isinstance(leaf, (*_PLAIN, *_BY_IDENTITY))


def call_key(node: Any, bound: dict[str, Any], facts: ShapeFacts) -> Any:
    """What a graph function depends on; None where an argument is a list, a dict or an object,
    which the callee may change or hand back, or a function that reads variables around it.
    """
    parts: list[Any] = [node]
    unknown: list[Any] = []

    def part(leaf: Any) -> Any:
        if isinstance(leaf, Value):
            parts.append(facts.resolve_type(leaf.type))
        elif isinstance(leaf, _PLAIN):
            parts.append((type(leaf), repr(leaf)))
        elif isinstance(leaf, _BY_IDENTITY):
            parts.append(leaf)
        elif isinstance(leaf, BoundFunction):
            map_tree(part, (leaf.function, leaf.self_value))
        elif isinstance(leaf, Partial):
            map_tree(part, (leaf.function, leaf.args, leaf.kwargs))
        else:
            unknown.append(leaf)
        return "leaf"

    shape = repr(map_tree(part, bound))
    classes = tuple(type(value) for value in bound.values() if isinstance(value, tuple))
    return None if unknown else (shape, classes, *parts)
