"""Running one op on memory: the interpreter and the generated source against plain Python."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from staticpy.backends import get_backend
from staticpy.ir import Function, Module, current_builder
from staticpy.ops import REGISTRY
from tests.support.graphs import build, outcome
from tests.support.interpreter import run


def graph_of(op: str, operands: tuple[Any, ...], attrs: dict[str, Any]) -> Function:
    """A function that applies an op to its arguments and returns what that gives."""

    def body(*values: Any) -> Any:
        return current_builder().emit(REGISTRY[op], values, attrs).results

    return build(body, *operands, symbolic=False)


def observed(function: Callable[..., Any], operands: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a call gives or raises, and what is left of its operands."""
    given = deepcopy(operands)
    return outcome(lambda: function(*given)), outcome(lambda: given)


def check(op: str, plain: Callable[..., Any], *operands: Any, **attrs: Any) -> None:
    """Assert that an op does what ``plain`` does, in both ways of running it."""
    function = graph_of(op, operands, attrs)
    module = Module("f")
    module.add(function)
    executable = get_backend("python_source").compile(module)
    count = len(function.results)

    def as_results(*values: Any) -> Any:
        result = plain(*values)
        return [] if count == 0 else [result] if count == 1 else list(result)

    def of_source(*values: Any) -> Any:
        result = executable(*values)
        return [result] if count == 1 else list(result)

    expected = observed(as_results, operands)
    assert observed(lambda *values: run(function, *values), operands) == expected, operands
    assert observed(of_source, operands) == expected, executable.source
