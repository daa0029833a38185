"""Annotations against what is found: what is refused, and what is let through."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.frontend import check_text

HEAD = """
import numpy as np
import numpy.typing as npt
import typing as t
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, List, Literal, Optional, TypeVar, Union
from numpy.typing import NDArray
from staticpy import f32, f64
Arr = NDArray[np.float64]
Number = Union[int, float]
T = TypeVar("T")
class A: pass
class B(A): pass
def square(x): return x * x
"""

ARGUMENTS: dict[str, Any] = {
    "flag": True,
    "int": 2,
    "float": 1.5,
    "complex": 1j,
    "text": "sum",
    "none": None,
    "i64": np.int64(3),
    "f64": np.float64(3),
    "f32": np.float32(3),
    "vector": np.ones(3),
    "vector32": np.ones(3, np.float32),
    "matrix": np.ones((2, 3)),
    "point": np.array(1.0),
    "ints": [1, 2],
    "numbers": [1, 2.5],
    "pair": (1, 2.5),
    "triple": (1, 2, 3),
    "table": {"a": 1.5},
    "range": range(3),
    "a": "A()",
    "b": "B()",
    "function": "square",
}

FITS = [
    ("flag", "bool int float complex object Any Number T t.Any"),
    ("int", "int float complex int|None Optional[int] 'int' T object undefined Final[int]"),
    ("float", "float complex Number Annotated[float,'m'] str|float Literal[1,2]"),
    ("complex", "complex"),
    ("text", "str Literal['sum','max'] Sequence[str] Optional[str]"),
    ("none", "None Optional[int] int|None"),
    ("i64", "int float np.int64 np.integer np.ndarray"),
    ("f64", "float np.float64 np.floating np.number f64[()]"),
    ("f32", "float np.float32 np.generic"),
    ("point", "float f64[()] np.ndarray NDArray[np.float64]"),
    ("vector", "np.ndarray Arr f64['n'] f64['_'] npt.NDArray[np.floating] npt.ArrayLike"),
    ("vector", "Sequence[float] Iterable[float] np.ndarray|float f64['*n'] 'np.ndarray'"),
    ("matrix", "f64['n','m'] f64[2,'m'] f64['n',3] f64['...','m']"),
    ("matrix", "np.ndarray[tuple[int,int],np.dtype[np.float64]]"),
    ("ints", "list list[int] list[float] List[int] Sequence[int] Iterable[Any] list['int']"),
    ("numbers", "list[float] list[int|float]"),
    ("pair", "tuple tuple[int,float] tuple[float,...] tuple[Any,Any] Sequence[float]"),
    ("table", "dict dict[str,float] Mapping[str,float] dict[str,Any]"),
    ("range", "range Iterable[int] Sequence[int]"),
    ("a", "A 'A' A|None Optional[A]"),
    ("b", "A B"),
    ("function", "Callable Callable[[float],float] Callable[...,Any]"),
    ("int", "not-python 1+1 print('x')"),
]
CONTRADICTS = [
    ("int", "bool str None list[int] np.ndarray A Callable[[int],int] f64['n'] tuple[int,...]"),
    ("float", "int str|int Optional[int] np.float64 np.float32"),
    ("complex", "float Number"),
    ("text", "int Number Literal['max'] np.ndarray"),
    ("none", "int float np.ndarray A"),
    ("f64", "int np.float32 np.int64 f64['n'] f32[()]"),
    ("vector", "int float Number 'float' f32['n'] f64['n','m'] NDArray[np.float32] list[float]"),
    ("vector", "f64[4] tuple A Optional[float] np.float64"),
    ("vector32", "Arr f64['n'] f64['*n']"),
    ("matrix", "f64['n','n'] f64['n'] np.ndarray[tuple[int],np.dtype[np.float64]]"),
    ("ints", "tuple list[str] np.ndarray set Sequence[str] int"),
    ("numbers", "list[int]"),
    ("pair", "list tuple[int,int] tuple[int] tuple[int,...] tuple[()]"),
    ("table", "dict[int,float] dict[str,str] list[float] Mapping[str,str]"),
    ("range", "list[int] int"),
    ("a", "B int np.ndarray"),
    ("function", "int np.ndarray"),
]


def rows(table: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, annotation) for name, texts in table for annotation in texts.split(" ")]


def verdict(text: str, name: str, function: str = "f") -> tuple[str, ...]:
    """The codes that a call of ``f`` with an argument gets."""
    file = f"<conformance {abs(hash(text))}>"
    text = f"from __future__ import annotations\n{HEAD}{text}"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module: dict[str, Any] = {"__name__": "conformance"}
    exec(compile(text, file, "exec"), module)  # the text is our own
    value = ARGUMENTS[name]
    if name in ("a", "b", "function"):
        value = eval(value, module)
    try:
        staticpy.jit(module[function]).lower(value)
    except staticpy.CompileError as error:
        return error.codes
    return ()


@pytest.mark.parametrize(("name", "annotation"), rows(FITS))
def test_fits(name: str, annotation: str) -> None:
    annotation = annotation.replace("not-python", "'not python'")
    assert verdict(f"def f(x: {annotation}): return 1\n", name) == ()
    assert verdict(f"def f(x):\n  y: {annotation} = x\n  return 1\n", name) == ()


@pytest.mark.parametrize(("name", "annotation"), rows(CONTRADICTS))
def test_contradicts(name: str, annotation: str) -> None:
    code = ("SPY614",) if annotation in ("f64['n','n']", "f64[4]") else ("SPY613",)
    assert verdict(f"def f(x: {annotation}): return 1\n", name) == code
    assert verdict(f"def g(x: {annotation}): return 1\ndef f(x): return g(x)\n", name) == code
    if name not in ("a", "b", "function", "range"):
        assert verdict(f"def f(x) -> {annotation}: return x\n", name) == code


OTHERS = [
    ("def f(x: int = None): return 1", "none", ()),
    ("def f(x, *rest: int): return 1\ndef g(x): return f(x, 1, 2.5)", "int", ("SPY613",)),
    ("def f(x, **rest: int): return 1\ndef g(x): return f(x, a=1, b=2.5)", "int", ("SPY613",)),
    ("def f(x, **rest: int): return 1\ndef g(x): return f(x, a=1, b=2)", "int", ()),
    ("def g(x):\n  def h(y: str): return y\n  return h(x)", "int", ("SPY613",)),
    ("def g(x) -> int:\n  def h(y) -> Iterator[int]: yield y\n  return sum(h(x))", "int", ()),
    # Of two paths each is looked at; a value of one or the other type fits either.
    ("def g(x) -> int:\n  if x > 1: return None\n  return x", "int", ("SPY613",)),
    ("def g(x):\n  y = 1.5 if x > 1 else 1\n  z: int = y\n  return z", "int", ()),
    # A local class or variable is not the one of the module.
    ("def g(x):\n  int = float\n  def h(y: int): return y\n  return h(x)", "float", ()),
    # Sizes that a signature names.
    ("def g(x: f64['n', 'm']) -> f64['m', 'n']: return x.T", "matrix", ()),
    ("def g(x: f64['n', 'm']) -> f64['m', 'n']: return x + 1", "matrix", ("SPY614",) * 2),
    ("def g(x: f64['n', 'm']):\n  y: f64['m'] = x[0]\n  return y", "matrix", ()),
    ("def g(x: f64['n', 'm']):\n  y: f64['n'] = x[0]\n  return y", "matrix", ("SPY614",)),
    ("def g(x: tuple[int, str]): return 1", "pair", ("SPY613",)),
]


@pytest.mark.parametrize(("text", "name", "codes"), OTHERS)
def test_others(text: str, name: str, codes: tuple[str, ...]) -> None:
    function = "g" if "def g" in text else "f"
    assert verdict(text + "\n", name, function) == codes


def test_the_call_is_refused_later_too() -> None:
    @staticpy.jit
    def add(x: staticpy.f64[n], y: staticpy.f64[n]) -> Any:
        return x.sum() + y.sum()

    assert add(np.ones(3), np.ones(3)) == 6.0
    assert add(np.ones(2), np.ones(2)) == 4.0
    with pytest.raises(staticpy.CompileError) as error:
        add(np.ones(2), np.ones(3))
    assert error.value.codes == ("SPY614",)
    assert "the size 'n' is 2 by 'x', and 3 by 'y'" in str(error.value)
    assert add(np.ones(4), np.ones(4)) == 8.0
    assert add.cache_size == 1


def test_where_it_is_said() -> None:
    text = """\
import staticpy

def half(n: int) -> int:
    return n / 2

@staticpy.jit
def f(x: float):
    return half(x)
"""
    (found,) = check_text(text, "a.py")
    assert (found.code, found.span.line, found.span.col) == ("SPY613", 3, 12)
    assert found.message == "the parameter 'n' is annotated 'int', but it is float"
    assert [(label.span.line, label.text) for label in found.labels] == [(8, "float here")]
