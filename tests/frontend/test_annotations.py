"""Annotations: read from the text, and made at run time."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np
import pytest

from staticpy.frontend import annotations
from staticpy.frontend.annotations import f32, f64, i64, read_annotation
from staticpy.frontend.static_scope import StaticModule
from staticpy.ir import DTYPES, TensorType
from staticpy.source import from_text
from tests.frontend.helpers import tree_of

HEAD = """
import numpy
import numpy as np
import staticpy
import staticpy as sp
import typing as t
from jaxtyping import Float32, Bool, Int8 as Byte, Float
from numpy.typing import NDArray
from staticpy import f64, i64
from typing import Annotated, Literal, TypeVar
if t.TYPE_CHECKING:
    from jaxtyping import UInt8
N = TypeVar("N")
"""

READ = [
    ("int", "int"),
    ("float", "float"),
    ("bool", "bool"),
    ("complex", "complex"),
    ("np.float64", "f64"),
    ("numpy.int8", "i8"),
    ("np.bool_", "b1"),
    ("np.intp", "i64"),
    ("np.double", "f64"),
    ("staticpy.f32['n']", "f32[n]"),
    ("sp.c128['n', 3]", "c128[n, 3]"),
    ("f64[()]", "f64[]"),
    ("f64['']", "f64[]"),
    ("f64[3, 'n']", "f64[3, n]"),
    ("f64[n, ' m ']", "f64[n, m]"),
    ("f64['batch in']", "f64[batch, in]"),
    ("f64['batch 3', 'out']", "f64[batch, 3, out]"),
    ("f64['_', '_']", "f64[?, ?]"),
    ("f64[np.ndarray, 'n', 3]", "f64[n, 3]"),
    ("f64[np.ndarray]", "f64[]"),
    ("'f64[\"n\"]'", "f64[n]"),
    ("' int '", "int"),
    ("Float32[np.ndarray, 'batch in']", "f32[batch, in]"),
    ("Float32[np.ndarray, '']", "f32[]"),
    ("Bool[np.ndarray, 'n n+1 2*n #m a=3']", "b1[n, ?, ?, ?, 3]"),
    ("Byte[np.ndarray, '3']", "i8[3]"),
    ("UInt8[np.ndarray, 'n']", "u8[n]"),
    ("np.ndarray[tuple[int, int], np.dtype[np.float32]]", "f32[?, ?]"),
    ("np.ndarray[tuple[N, Literal[3]], np.dtype[np.int64]]", "i64[N, 3]"),
    ("np.ndarray[tuple[int], np.dtype[np.bool_]]", "b1[?]"),
    ("Annotated[int, 'a count']", "int"),
    ("tuple[int, f64['n']]", "(int, f64[n])"),
    ("t.Tuple[tuple[int, float], bool]", "((int, float), bool)"),
    ("tuple[int, set]", "(int, None)"),
]
UNKNOWN = [
    "None",
    "x",
    "str",
    "object",
    "int | None",
    "float | np.ndarray",
    "list[int]",
    "tuple[int, ...]",
    "tuple",
    "np.ndarray",
    "np.floating",
    "np.zeros",
    "np.nothing",
    "np.longdouble",
    "NDArray[np.float32]",
    "np.ndarray[t.Any, np.dtype[np.float32]]",
    "np.ndarray[tuple[int, ...], np.dtype[np.float32]]",
    "np.ndarray[tuple[int, int], np.dtype[np.float32], 3]",
    "f64",
    "f64['*batch', 'n']",
    "f64['... n']",
    "f64[-1]",
    "f64[1.5]",
    "f64[True]",
    "Float[np.ndarray, 'n']",
    "Float32[np.ndarray]",
    "Float32[np.ndarray, '... n']",
    "jaxtyping.Float32[np.ndarray, 'n']",
    "'not python'",
    "'\\'int\\''",
    "''",
    "3",
    "print('x')",
    "open('x').read()",
    "[int][0]",
    "'" + "(" * 500 + "'",
    "'" + "-" * 5000 + "1'",
    "(lambda: int)()",
]


def read(text: str) -> Any:
    unit = from_text(f"{HEAD}def f(x: {text}): pass\n", "a.py").units[0]
    annotation = unit.node.args.args[0].annotation
    return read_annotation(annotation, StaticModule(unit.source).scope.origin)


def shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(shown, value)) + ")"
    return str(value)


@pytest.mark.parametrize(("text", "expected"), READ)
def test_read(text: str, expected: str) -> None:
    assert shown(read(text)) == expected


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(("text", "expected"), READ)
def test_read_from_gast(text: str, expected: str) -> None:
    scope = StaticModule(from_text(HEAD, "a.py")).scope
    tree = tree_of(f"def f(x: {text}): pass")
    assert shown(read_annotation(tree.args.args[0].annotation, scope.origin)) == expected


def test_nothing_is_known_without_imports() -> None:
    tree = tree_of("def f(x: np.float64, y: f64['n']): pass")
    scope = StaticModule(from_text("", "a.py")).scope
    assert [read_annotation(p.annotation, scope.origin) for p in tree.args.args] == [None, None]


# --- at run time ----------------------------------------------------------------------------------


def test_each_dtype_has_an_annotation() -> None:
    for name in DTYPES:
        made = getattr(annotations, name)["n"]
        assert made.__metadata__ == (TensorType(DTYPES[name], ("n",)),)
        assert repr(getattr(annotations, name)) == f"staticpy.{name}"


MADE = [
    (f64[()], "f64[]"),
    (f64["n"], "f64[n]"),
    (f32["batch", 3], "f32[batch, 3]"),
    (i64[np.ndarray, "a b"], "i64[a, b]"),
]


@pytest.mark.parametrize(("annotation", "text"), MADE)
def test_made(annotation: Any, text: str) -> None:
    assert [str(item) for item in annotation.__metadata__] == [text]
    assert annotation.__origin__ is np.ndarray


@pytest.mark.parametrize("key", [1.5, -1, None, (3, int), True, ("*a", None)])
def test_what_names_no_sizes(key: Any) -> None:
    with pytest.raises(TypeError, match="the size of each axis"):
        f64[key]


def test_made_annotations_are_ordinary_ones() -> None:
    def f(x: f64[" n"], y: f32[" n", 3] | None = None) -> f64[()]:
        return np.zeros(()) if y is None else x

    hints = typing.get_type_hints(f)
    assert hints["x"] is np.ndarray
    assert hints["y"] == np.ndarray | None
    assert hints["return"] is np.ndarray
