"""Making a small graph from a Python function that works on Values, and comparing run-time
values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.ir import (
    Block,
    Builder,
    Function,
    Module,
    ScalarType,
    ShapeFacts,
    TensorType,
    Type,
    Value,
    parse_module,
    print_module,
    verify,
)
from staticpy.ops import REGISTRY, as_value, return_, sample_type


def is_machine_number(type_: Type) -> bool:
    """Whether a backend that computes with numbers in registers would have it there."""
    return isinstance(type_, ScalarType) or str(type_) in ("int", "float", "bool")


def symbolic_types(values: tuple[Any, ...]) -> tuple[list[Type], dict[str, int]]:
    """The types of run-time values with a symbol of its own for each size, and the hints."""
    hints: dict[str, int] = {}
    types: list[Type] = []
    for value in values:
        type_ = sample_type(value)
        if isinstance(type_, TensorType):
            symbols = tuple(f"n{len(hints) + i}" for i in range(type_.rank))
            hints.update(zip(symbols, value.shape, strict=True))
            type_ = TensorType(type_.dtype, symbols)
        types.append(type_)
    return types, hints


def build(body: Callable[..., Any], *values: Any, symbolic: bool = True) -> Function:
    """The graph of ``body`` for arguments like ``values``; ``body`` gets and returns Values.

    A static result is returned as a constant, and a tuple as several results. The graph has been
    verified.
    """
    types, hints = symbolic_types(values) if symbolic else ([sample_type(v) for v in values], {})
    block = Block(types)
    builder = Builder(block, ShapeFacts(hints))
    with builder.current():
        result = body(*block.args)
        results = result if isinstance(result, tuple) else (result,)
        builder.emit(return_, [as_value(item) for item in results])
    module = Module("f")
    function = module.add(Function("f", block))
    builder.facts.apply(module)
    verify(module)
    return function


def reread(function: Function) -> Function:
    """The function that the printed text of ``function`` gives."""
    module = Module(function.name)
    module.add(function)
    return parse_module(print_module(module), REGISTRY).main


def identity_of(value: Any) -> tuple[Any, ...]:
    """What must agree for two run-time values to be equal: class, dtype, shape and bits.

    All NaNs count as one; zeros keep their sign.
    """
    if isinstance(value, np.ndarray | np.generic):
        plain = np.array(value)
        if plain.dtype.kind in "fc":
            parts = np.stack([plain.real, plain.imag]) + 0 if plain.dtype.kind == "c" else plain
            parts = np.array(parts)
            parts[np.isnan(parts)] = np.nan
            plain = parts
        return type(value), value.dtype.str, value.shape, plain.tobytes()
    return type(value), repr(value)


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    """("value", identity) of what ``call`` returns, or ("error", class name) of what it raises."""
    try:
        result = call()
    except Exception as error:
        return "error", type(error).__name__
    if isinstance(result, tuple | list):
        return "value", tuple(map(identity_of, result))
    return "value", (identity_of(result),)


__all__ = ["Value", "build", "identity_of", "is_machine_number", "outcome", "symbolic_types"]
