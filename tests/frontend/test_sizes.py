"""Sizes in annotations: what they mean, to ``check`` and at each call."""

from __future__ import annotations

import ast
import linecache
from itertools import count
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.frontend import check_text

IMPORTS = """\
import numpy as np
import staticpy
from staticpy import f32, f64
from jaxtyping import Float, Int, Num, Shaped


"""
NUMBER = count()


def jitted(annotations: str) -> Any:
    """A compiled function of two arrays with these annotations, which returns the first."""
    first, _, second = annotations.partition(" | ")
    text = f"{IMPORTS}def f(x: {first!r}, y: {second!r}):\n    return x + 0\n"
    name = f"<sizes {next(NUMBER)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    # jaxtyping need not be installed: annotations are read, not evaluated.
    definition = ast.parse(text).body[-1]
    space: dict[str, Any] = {}
    exec(compile(ast.Module([definition], []), name, "exec"), space)
    return staticpy.jit(space["f"])


def codes(function: Any, *shapes: tuple[int, ...], dtype: Any = np.float64) -> tuple[str, ...]:
    """What a call with arrays of these shapes is refused for."""
    try:
        function(*(np.ones(shape, dtype) for shape in shapes))
    except staticpy.CompileError as error:
        return error.codes
    return ()


SIZES = [
    ('f64["n"] | f64["n+1"]', [((3,), (4,)), ((0,), (1,))], [((3,), (3,)), ((3,), (5,))]),
    ('f64["n-1"] | f64["n"]', [((3,), (4,)), ((0,), (1,))], [((3,), (3,))]),
    ('f64["n m"] | f64["2*n+m//2"]', [((3, 5), (8,))], [((3, 5), (7,)), ((3, 7), (8,))]),
    ('f64["*batch n"] | f64["n"]', [((2, 4, 3), (3,)), ((3,), (3,))], [((2, 3), (2,))]),
    ('f64["*b n"] | f64["*b"]', [((2, 4, 3), (2, 4)), ((3,), ())], [((2, 3), (3,)), ((2, 3), ())]),
    ('f64["... 3"] | f64["_"]', [((2, 3), (5,)), ((3,), (1,))], [((3, 2), (2,)), ((), (2,))]),
    ('f64["n ... m"] | f64["m n"]', [((2, 9, 3), (3, 2)), ((2, 3), (3, 2))], [((2, 3), (2, 3))]),
    ('f64["rows=3 n"] | f64["n"]', [((3, 2), (2,))], [((2, 2), (2,))]),
    ('Float[np.ndarray, "n 2"] | Shaped[np.ndarray, "n"]', [((3, 2), (3,))], [((3, 2), (2,))]),
]


@pytest.mark.parametrize(("annotations", "fitting", "others"), SIZES)
def test_sizes(annotations: str, fitting: Any, others: Any) -> None:
    # One function for all: what fits once is no licence for the next call.
    function = jitted(annotations)
    for shapes in (*fitting, *fitting):
        assert codes(function, *shapes) == ()
    for shapes in others:
        found = codes(function, *shapes)
        assert found
        assert set(found) <= {"SPY613", "SPY614"}
    for shapes in fitting:
        assert codes(function, *shapes) == ()
    for shapes in others:
        assert codes(function, *shapes)


def test_sizes_that_are_computed_need_no_compilation_of_their_own() -> None:
    function = jitted('f64["n"] | f64["n+1"]')
    for size in (2, 3, 7, 0):
        assert codes(function, (size,), (size + 1,)) == ()
    assert function.cache_size == 1


@pytest.mark.parametrize(
    ("annotation", "dtype", "fits"),
    [
        ("Float", np.float32, True),
        ("Float", np.int64, False),
        ("Int", np.int8, True),
        ("Int", np.uint8, False),
        ("Num", np.complex128, True),
        ("Num", np.bool_, False),
        ("Shaped", np.bool_, True),
    ],
)
def test_kinds_of_dtypes(annotation: str, dtype: Any, fits: bool) -> None:
    function = jitted(f'{annotation}[np.ndarray, "n"] | {annotation}[np.ndarray, "n"]')
    assert (codes(function, (3,), (3,), dtype=dtype) == ()) is fits


def checked(body: str) -> list[tuple[str, str]]:
    return [(item.code, item.message) for item in check_text(f"{IMPORTS}@staticpy.jit\n{body}")]


def test_check_computes_sizes() -> None:
    body = """\
def f(x: f64[3, 4]):
    return inner(x, np.zeros(4))


def inner(x: f64["n", "m"], y: f64["n+2"]) -> f64["2*n", "m"]:
    return x
"""
    assert checked(body) == [
        ("SPY614", "the size 'n+2' is 5 by 'x', and 4 by 'y'"),
    ]
    assert checked(body.replace("zeros(4)", "zeros(5)")) == [
        ("SPY614", "the size '2*n' is 6 by 'x', and 3 by what 'inner' returns"),
    ]


def test_what_is_no_size_is_any() -> None:
    function = jitted('f64["n@2 f(n)"] | f64["1+__import__(3)"]')
    assert codes(function, (2, 5), (9,)) == ()


def test_objects_for_type_checkers() -> None:
    assert "float64" in str(staticpy.f64["*batch", "n"])
    with pytest.raises(TypeError, match="takes the size of each axis"):
        staticpy.f64["*batch", 1.5]
