"""``staticpy.xp`` has every name of the standard, and takes the arguments that it says."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import xp
from tests.xp.samples import SAMPLES
from tests.xp.standard import CONSTANTS, DTYPES, VERSION, signatures

SIGNATURES = signatures()
TOP = {name for name in SIGNATURES if "." not in name}


def find(dotted: str, namespace: Any = xp) -> Any:
    for part in dotted.split("."):
        namespace = getattr(namespace, part)
    return namespace


def is_own(name: str) -> bool:
    return str(getattr(find(name), "__module__", "")).startswith("staticpy.")


def test_names() -> None:
    expected = {*TOP, *CONSTANTS, *DTYPES, "fft", "linalg", "__array_api_version__"}
    assert set(xp.__all__) == expected
    for extension in ("fft", "linalg"):
        names = {n.partition(".")[2] for n in SIGNATURES if n.startswith(f"{extension}.")}
        assert set(find(extension).__all__) == names


def test_it_is_an_attribute_of_the_package() -> None:
    assert staticpy.xp is xp


def test_version() -> None:
    assert xp.__array_api_version__ == VERSION


def test_constants() -> None:
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(xp.nan)
    assert {type(xp.e), type(xp.pi), type(xp.inf), type(xp.nan)} == {float}


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(name: str) -> None:
    assert np.dtype(getattr(xp, name)) == np.dtype(name)


@pytest.mark.parametrize("name", SIGNATURES)
def test_what_is_not_numpys_has_the_signature_of_the_standard(name: str) -> None:
    function = find(name)
    if not is_own(name):
        assert function is find(name, np)
        return
    found = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    assert inspect.Signature(plain) == SIGNATURES[name]


def keywords(name: str) -> Iterator[str]:
    """The parameters that some sample of a function gives by name."""
    for text in SAMPLES[name][1]:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"xp.{name}":
                yield from (keyword.arg for keyword in node.keywords if keyword.arg)


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_parameter_with_a_name_is_in_a_sample(name: str) -> None:
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    wanted = {p.name for p in SIGNATURES[name].parameters.values() if p.kind in kinds}
    assert set(keywords(name)) == wanted


def test_every_sample_is_of_the_standard() -> None:
    assert set(SAMPLES) == set(SIGNATURES)


# --- inspection -----------------------------------------------------------------------------------

INFO = xp.__array_namespace_info__()


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (None, DTYPES),
        ("bool", ["bool"]),
        ("signed integer", ["int8", "int16", "int32", "int64"]),
        ("unsigned integer", ["uint8", "uint16", "uint32", "uint64"]),
        ("real floating", ["float32", "float64"]),
        ("complex floating", ["complex64", "complex128"]),
        ("integral", [name for name in DTYPES if "int" in name]),
        ("numeric", [name for name in DTYPES if name != "bool"]),
        (("bool", "real floating"), ["bool", "float32", "float64"]),
        ((), []),
    ],
)
def test_dtypes_of_a_kind(kind: Any, names: list[str]) -> None:
    assert INFO.dtypes(kind=kind) == {name: np.dtype(name) for name in names}


def test_unknown_kind_and_device() -> None:
    with pytest.raises(ValueError, match="unsupported kind: 'floating'"):
        INFO.dtypes(kind="floating")
    for ask in (INFO.dtypes, INFO.default_dtypes):
        with pytest.raises(ValueError, match="Device not understood"):
            ask(device="gpu")


def test_devices() -> None:
    assert INFO.devices() == (INFO.default_device(),)
    for device in (*INFO.devices(), None):
        assert xp.zeros(1, device=device).device == INFO.default_device()


def test_default_dtypes() -> None:
    assert INFO.default_dtypes() == {
        "real floating": xp.zeros(1).dtype,
        "complex floating": xp.asarray(1j).dtype,
        "integral": xp.asarray(1).dtype,
        "indexing": xp.argmax(xp.zeros(1)).dtype,
    }


def test_capabilities() -> None:
    found = INFO.capabilities()
    most = found.pop("max dimensions")
    assert found == {"boolean indexing": True, "data-dependent shapes": True}
    assert xp.zeros((1,) * most).ndim == most
    with pytest.raises(ValueError, match="maximum"):
        xp.zeros((1,) * (most + 1))
