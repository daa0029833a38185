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


def refusal_of(
    parameters: list[Parameter], qualname: str, args: list[Any], kwargs: dict[str, Any]
) -> str:
    """What CPython, in this version, says of a call whose arguments don't fit."""
    code = compile(f"def f({_text_of(parameters)}): pass", "<parameters>", "exec").co_consts[0]
    optional = [each for each in parameters if each.default is not None]
    named = {each.name: None for each in optional if each.kind == "keyword_only"}
    function = types.FunctionType(code, {}, argdefs=(None,) * (len(optional) - len(named)))
    function.__kwdefaults__, function.__qualname__ = named, qualname
    try:
        function(*args, **kwargs)
    except TypeError as error:
        return str(error)
    raise AssertionError("the arguments fit")


def _text_of(parameters: list[Parameter]) -> str:
    """Parameters as Python text, without their defaults: those are given apart."""
    kinds = [parameter.kind for parameter in parameters]
    parts: list[str] = []
    for position, parameter in enumerate(parameters):
        before, after = kinds[:position], kinds[position + 1 :]
        if parameter.kind == "keyword_only" and not {"var_positional", "keyword_only"} & {*before}:
            parts.append("*")
        star = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
        parts.append(f"{star}{parameter.name}")
        if parameter.kind == "positional_only" and "positional_only" not in after:
            parts.append("/")
    return ", ".join(parts)


def is_part_of_key(leaf: Any) -> bool:
    """Whether a compile-time leaf can tell one call from another."""
    return isinstance(leaf, (*_PLAIN, *_BY_IDENTITY))


def call_key(node: Any, bound: dict[str, Any], facts: ShapeFacts) -> Any:
    """What a graph function depends on; None where an argument is a list, a dict or an object,
    which the callee may change or hand back, or a function that holds a run-time value.
    """
    parts: list[Any] = [node]
    unknown: list[Any] = []

    def part(leaf: Any) -> str:
        if isinstance(leaf, Value):
            parts.append(facts.resolve_type(leaf.type))
        elif isinstance(leaf, _PLAIN):
            parts.append((type(leaf), repr(leaf)))
        elif isinstance(leaf, _BY_IDENTITY):
            parts.append(leaf)
        elif isinstance(leaf, BoundFunction):
            map_tree(held, (leaf.function, leaf.self_value))
        elif isinstance(leaf, Partial):
            map_tree(held, (leaf.function, leaf.args, leaf.kwargs))
        else:
            unknown.append(leaf)
        return "leaf"

    def held(leaf: Any) -> str:
        """A part of a function object, which is no operand of the call."""
        if isinstance(leaf, Value):
            unknown.append(leaf)
        return part(leaf)

    shape = repr(map_tree(part, bound))
    classes = tuple(type(value) for value in bound.values() if isinstance(value, tuple))
    return None if unknown else (shape, classes, *parts)
