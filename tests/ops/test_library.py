"""Calls of NumPy's functions without an op: what comes out is found, and compared at each call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    FLOAT,
    INT,
    Block,
    Builder,
    ListType,
    ScalarType,
    ShapeFacts,
    TensorType,
    Type,
    Value,
)
from staticpy.ops import FUNCTIONS, METHODS, REGISTRY
from staticpy.ops.library import Known, outcome_of

F8 = np.dtype("float64")


def _row(dtype: str = "float64") -> TensorType:
    return TensorType(np.dtype(dtype), ("n",))


def _text(types: Any) -> str:
    return ", ".join(map(str, types))


_OUTCOMES: list[tuple[str, tuple[Type, ...], dict[str, Any], str]] = [
    ("interp", (ScalarType(F8), _row(), _row()), {}, "f64"),
    ("append", (_row("int64"), FLOAT), {}, "f64[?]"),
    ("append", (_row("bool"), INT), {}, "i64[?]"),
    ("linalg.eigh", (TensorType(F8, ("n", "n")),), {}, "f64[?], f64[?, ?]"),
    ("stack", (ListType(_row("float32")),), {"axis": 1}, "f32[?, ?]"),
    ("bincount", (_row("int64"),), {"minlength": 3}, "i64[?]"),
    ("fft.rfft", (_row("float32"),), {}, "c64[?]"),
]


@pytest.mark.parametrize(("function", "types", "attrs", "expected"), _OUTCOMES)
def test_outcome(
    function: str, types: tuple[Type, ...], attrs: dict[str, Any], expected: str
) -> None:
    _, results = outcome_of(types, {"function": function, **attrs})
    assert _text(results) == expected


def test_known_operands_are_used_as_they_are() -> None:
    known = Known("'ii'", "ii")
    _, results = outcome_of([known, TensorType(F8, ("n", "n"))], {"function": "einsum"})
    assert _text(results) == "f64"


def test_what_numpy_refuses_is_refused() -> None:
    with pytest.raises(DiagnosticError, match="SPY505"):
        outcome_of([TensorType(F8, ("n", "n", "n"))], {"function": "kaiser"})


def test_result_of_another_type_is_refused_at_run_time() -> None:
    kernel = REGISTRY["numpy.call"].kernel
    assert kernel is not None
    with pytest.raises(DiagnosticError, match="SPY627"):
        kernel(np.ones(3), np.ones(3), function="append", results=(_row("int64"),))


# --- adapters -------------------------------------------------------------------------------------


def _value(block: Block, argument: Any) -> Any:
    return block.add_arg(argument, "x") if isinstance(argument, Type) else argument


def _emitted(function: Any, *args: Any, **kwargs: Any) -> tuple[Any, list[str]]:
    """What an adapter returns for values of these types, and the ops that it emits."""
    block = Block()
    given = [_value(block, arg) for arg in args]
    kwargs = {name: _value(block, arg) for name, arg in kwargs.items()}
    with Builder(block, ShapeFacts({})).current():
        found = function(*given, **kwargs)
    return found, [operation.name for operation in block.operations]


def test_skipped_parameter_leaves_names_to_the_rest() -> None:
    found, _ = _emitted(FUNCTIONS[np.average], _row(), weights=_row())
    assert isinstance(found, Value)
    assert found.defining_op is not None
    assert found.defining_op.attrs["keywords"] == ("weights",)


def test_named_tuples_are_kept() -> None:
    found, _ = _emitted(FUNCTIONS[np.linalg.eigh], TensorType(F8, ("n", "n")))
    assert type(found).__name__ == "EighResult"
    assert found.eigenvalues is found[0]


def test_results_that_may_be_complex_are_of_two_types() -> None:
    found, _ = _emitted(FUNCTIONS[np.linalg.eigvals], TensorType(F8, ("n", "n")))
    assert str(found.type) == "c128[?]|f64[?]"


def test_arguments_that_are_written_to_are_refused() -> None:
    with pytest.raises(DiagnosticError, match="SPY502"):
        _emitted(FUNCTIONS[np.nanmedian], _row(), overwrite_input=True)


@pytest.mark.parametrize("name", ["sum", "argmax", "cumsum"])
def test_axis_that_is_known_at_run_time_only(name: str) -> None:
    found, names = _emitted(METHODS[name], TensorType(F8, ("n", "m")), axis=INT)
    assert isinstance(found, Value)
    assert names[-1] == "numpy.view"
