"""The tables of names: adapters have NumPy's parameters, and what is missing gets a suggestion."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from staticpy.ops import (
    ATTRIBUTES,
    BUILTINS,
    FUNCTIONS,
    METHODS,
    NUMBER_ATTRIBUTES,
    NUMBER_METHODS,
    nearest,
)

_ARGUMENTS_OF_C = {"arange", "array", "asarray", "concatenate", "where", "zeros"}
_ARGUMENTS_OF_C |= {"dot", "inner", "vdot", "normalize_axis_index"}
"""Written in C: what some versions of NumPy tell of their parameters isn't what they take."""


def _tells_parameters(function: Any) -> bool:
    """Whether the NumPy that runs tells them: few functions that are written in C do before 2.4."""
    try:
        inspect.signature(function)
    except ValueError:
        return False
    return True


def _name(function: Any) -> str:
    return str(function.__name__)


_PYTHON_FUNCTIONS = [
    function
    for function in FUNCTIONS
    if not isinstance(function, type | np.ufunc)
    and _name(function) not in _ARGUMENTS_OF_C
    and _tells_parameters(function)
    and getattr(np.random, _name(function), None) is not function
]


def _parameters(function: Any) -> list[str]:
    """The names of the parameters; ``kwargs`` of NumPy's own are those of ufuncs."""
    found = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in found if parameter.kind is not parameter.VAR_KEYWORD]


@pytest.mark.parametrize("function", _PYTHON_FUNCTIONS, ids=_name)
def test_adapter_has_the_parameters_of_numpy(function: Any) -> None:
    ours, theirs = _parameters(FUNCTIONS[function]), _parameters(function)
    if function is np.linspace or function is np.eye:
        theirs = theirs[: len(ours)]
    theirs = [name for name in theirs if name != "newshape"]  # deprecated, gone since NumPy 2.4
    missing = [name for name in theirs if name not in ours]
    assert missing == []
    positional = [name for name in ours if name in theirs]
    assert positional == theirs


_ELEMENTWISE = [f for f in FUNCTIONS if isinstance(f, np.ufunc) and f.signature is None]


@pytest.mark.parametrize("function", _ELEMENTWISE, ids=_name)
def test_adapter_of_a_ufunc(function: np.ufunc) -> None:
    parameters = list(inspect.signature(FUNCTIONS[function]).parameters.values())
    operands = [p for p in parameters if p.kind is p.POSITIONAL_ONLY and p.default is p.empty]
    assert len(operands) == function.nin
    names = {p.name for p in parameters}
    assert {"out", "where", "casting", "order", "dtype", "subok"} <= names


def test_every_method_and_attribute_exists_in_numpy() -> None:
    for name in {*METHODS, *ATTRIBUTES} - NUMBER_METHODS - NUMBER_ATTRIBUTES:
        assert hasattr(np.ndarray, name), name
    assert hasattr(float, "is_integer")


def test_every_key_is_callable() -> None:
    assert all(callable(key) for key in (*FUNCTIONS, *BUILTINS))
    assert all(callable(value) for value in (*FUNCTIONS.values(), *BUILTINS.values()))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tanhh", "tanh"), ("summ", "sum"), ("concatenat", "concatenate"), ("astipe", "astype")],
)
def test_nearest(name: str, expected: str) -> None:
    assert nearest(name) == expected


def test_nearest_of_nothing_alike() -> None:
    assert nearest("qqqqqqqq") is None


def test_aliases_share_one_adapter() -> None:
    assert FUNCTIONS[np.abs] is FUNCTIONS[np.absolute]
    assert FUNCTIONS[np.divide] is FUNCTIONS[np.true_divide]
    assert FUNCTIONS[np.mod] is FUNCTIONS[np.remainder]
