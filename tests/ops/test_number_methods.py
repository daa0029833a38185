"""Methods and attributes of numbers, texts of numbers, ``x.flat`` and random draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import BOOL, FLOAT, INT, STR, Block, Builder, ScalarType, ShapeFacts, TensorType
from staticpy.ops import (
    ATTRIBUTES,
    BUILTINS,
    FUNCTIONS,
    GENERATOR_METHODS,
    METHODS,
    REGISTRY,
    flat_getitem,
    flat_setitem,
    make_generator,
)

F8 = np.dtype("float64")


def _emit(call: Any, *arguments: Any) -> tuple[Any, list[Any]]:
    """What an adapter gives for arguments of these types, and what it emits."""
    block = Block()
    given = [block.add_arg(each, "x") if hasattr(each, "__slots__") else each for each in arguments]
    with Builder(block, ShapeFacts({})).current():
        found = call(*given)
    return found, list(block.operations)


@pytest.mark.parametrize(
    ("name", "type_", "expected"),
    [
        ("bit_length", INT, "int"),
        ("bit_count", BOOL, "int"),
        ("hex", FLOAT, "str"),
        ("is_integer", ScalarType(np.dtype("float32")), "bool"),
        ("__index__", INT, "int"),
    ],
)
def test_method_at_run_time(name: str, type_: Any, expected: str) -> None:
    found, operations = _emit(METHODS[name], type_)
    assert str(found.type) == expected
    assert operations[-1].attrs == {"name": name}


def test_method_with_two_results() -> None:
    found, _ = _emit(METHODS["as_integer_ratio"], FLOAT)
    assert [str(each.type) for each in found] == ["int", "int"]


@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [("bit_length", 5, 3), ("hex", 0.5, "0x1.0000000000000p-1"), ("as_integer_ratio", 2, (2, 1))],
)
def test_method_of_a_known_number(name: str, number: Any, expected: Any) -> None:
    found, operations = _emit(METHODS[name], number)
    assert (found, operations) == (expected, [])


def test_what_raises_is_left_to_the_run() -> None:
    _, operations = _emit(METHODS["as_integer_ratio"], float("inf"))
    assert [operation.name for operation in operations] == ["constant", "number.method"]


@pytest.mark.parametrize(("name", "type_"), [("bit_length", FLOAT), ("hex", INT)])
def test_method_of_another_box(name: str, type_: Any) -> None:
    with pytest.raises(DiagnosticError, match="SPY305"):
        _emit(METHODS[name], type_)


def test_attribute() -> None:
    found, _ = _emit(ATTRIBUTES["denominator"], INT)
    assert found.type == INT
    assert ATTRIBUTES["numerator"](True) == 1


@pytest.mark.parametrize("function", [bin, hex, oct, chr])
def test_texts(function: Any) -> None:
    found, _ = _emit(BUILTINS[function], INT)
    assert found.type == STR


# --- x.flat ---------------------------------------------------------------------------------------


def test_flat_elements() -> None:
    table = TensorType(F8, ("n", "m"))
    found, _ = _emit(lambda x: flat_getitem(x, 3), table)
    assert str(found.type) == "f64"
    found, _ = _emit(lambda x: flat_getitem(x, slice(2, None)), table)
    assert str(found.type) == "f64[?]"
    _, operations = _emit(lambda x: flat_setitem(x, slice(2, None), 1.5), table)
    assert operations[-1].name == "flat.setitem"


@pytest.mark.parametrize("key", [None, ..., (0, 1)])
def test_flat_with_another_index(key: Any) -> None:
    with pytest.raises(DiagnosticError, match="SPY50"):
        _emit(lambda x: flat_getitem(x, key), TensorType(F8, ("n", "m")))


def test_flat_writes_by_repetition() -> None:
    x = np.zeros((2, 3))
    kernel = REGISTRY["flat.setitem"].kernel
    assert kernel is not None
    kernel(x.T, np.array([1.0, 2.0]), spec=((None, None, None),))
    assert x.T.tolist() == [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]


# --- random numbers -------------------------------------------------------------------------------


def _draw(name: str, *arguments: Any, **named: Any) -> Any:
    method = GENERATOR_METHODS[np.random.Generator, name]
    return _emit(lambda: method(make_generator("default_rng", 3), *arguments, **named))


@pytest.mark.parametrize(
    ("name", "arguments", "named", "expected"),
    [
        ("normal", (), {}, "float"),
        ("normal", (), {"size": 3}, "f64[?]"),
        ("normal", (0.0, 1.0, (2, 3)), {}, "f64[?, ?]"),
        ("random", (3,), {"dtype": np.float32}, "f32[?]"),
        ("integers", (0, 5), {"size": (2, 2)}, "i64[?, ?]"),
    ],
)
def test_draws(name: str, arguments: Any, named: Any, expected: str) -> None:
    found, operations = _draw(name, *arguments, **named)
    assert str(found.type) == expected
    assert operations[-1].name == "random.draw"


def test_draws_of_the_generator_of_numpy_leave_its_state_alone() -> None:
    before = np.random.get_state()[1]  # noqa: NPY002
    _emit(FUNCTIONS[np.random.rand], 3)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
