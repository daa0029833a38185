"""From live functions to their source: which definition, and is it what runs?"""

# fmt: off
from __future__ import annotations

import ast
import copy
import functools
import importlib.util
import linecache
import os
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from staticpy.source import SourceError, from_function


def text_of(function: Any) -> str:
    """The definition that is found, without decorators, in Python's own spelling."""
    node = copy.copy(from_function(function).node)
    if not isinstance(node, ast.Lambda):
        node.decorator_list = []
    return ast.unparse(node)


def same(function: Any) -> Any:
    return function


def wrapping(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args) + 1
    return wrapper


@same
@same
def decorated(x):  # type: ignore[no-untyped-def]
    """Docstring."""
    return x + 1


def same_name(x):  # type: ignore[no-untyped-def]
    return x + 1


first_of_two = same_name


def same_name(x):  # type: ignore[no-untyped-def]
    return x + 2


@wrapping
def wrapped(x):  # type: ignore[no-untyped-def]
    return x


class Größe:  # noqa: PLC2401
    __private = 1

    def method(self, x):  # type: ignore[no-untyped-def]
        assert x, f"{self.__private} é"
        return self.__private + x

    @staticmethod
    def static(x): return x  # type: ignore[no-untyped-def]

    @classmethod
    def of_class(cls, x, /, *, y=2): return x + y  # type: ignore[no-untyped-def]

    @property
    def prop(self): return 3  # type: ignore[no-untyped-def]

    class Inner:
        text = """
not indented"""
        def method(self): return """
not indented"""  # type: ignore[no-untyped-def]


def outer(n: int) -> Callable[[int], int]:
    def inner(x: int) -> int:
        return x + n
    return inner


FOUND = [
    (decorated, 'def decorated(x):\n    """Docstring."""\n    return x + 1'),
    (first_of_two, "def same_name(x):\n    return x + 1"),
    (same_name, "def same_name(x):\n    return x + 2"),
    (wrapped, "def wrapper(*args: Any) -> Any:\n    return function(*args) + 1"),
    (Größe().method, "def method(self, x):\n    assert x, f'{self.__private} é'\n"
                     "    return self.__private + x"),
    (Größe.static, "def static(x):\n    return x"),
    (Größe.of_class, "def of_class(cls, x, /, *, y=2):\n    return x + y"),
    (Größe.prop.fget, "def prop(self):\n    return 3"),
    (Größe.Inner.method, "def method(self):\n    return '\\nnot indented'"),
    (outer(1), "def inner(x: int) -> int:\n    return x + n"),
    (lambda x: x + 1, "lambda x: x + 1"),
]


@pytest.mark.parametrize(("function", "text"), FOUND, ids=range(len(FOUND)))
def test_found(function: Any, text: str) -> None:
    assert text_of(function) == text


def test_names() -> None:
    assert from_function(Größe.Inner.method).qualname == "Größe.Inner.method"
    assert from_function(Größe.Inner.method).class_name == "Inner"
    assert from_function(outer(1)).qualname == "outer.<locals>.inner"
    assert from_function(wrapped).qualname == "wrapped"
    assert from_function(decorated).file == __file__


def test_the_file_is_parsed_once() -> None:
    assert from_function(decorated).source is from_function(same_name).source


LAMBDAS = [lambda x: x + 1, lambda x: x + 2, lambda: (lambda: 1), lambda a=lambda: 5: a, lambda: 0]


def test_lambdas_on_one_line() -> None:
    texts = ["lambda x: x + 1", "lambda x: x + 2", "lambda: lambda: 1", "lambda a=lambda: 5: a",
             "lambda: 0"]
    assert [text_of(function) for function in LAMBDAS] == texts
    assert text_of(LAMBDAS[2]()) == "lambda: 1"
    assert text_of(LAMBDAS[3]()) == "lambda: 5"


def module(text: str, path: Path) -> types.ModuleType:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def error_of(function: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        from_function(function)
    return caught.value


CHANGES = [
    ("return x + 1", "return x - 1"),
    ("return x + 1", "return x + 2"),
    ("return x + 1", "return x + 1.0"),
    ("return x + 1", "return y + 1"),
    ("def f(x)", "def f(y)"),
    ("def f(x)", "def f(x, y=1)"),
    ("def f(x)", "def f(*, x)"),
    ("def f(x)", "\ndef f(x)"),
    ("def f(x)", "def g(x)"),
    ("return x + 1", "return (lambda: x + 1)()"),
    ("return x + 1", "return x + True"),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_changed_file(before: str, after: str, tmp_path: Path) -> None:
    text = "def f(x):\n    return x + 1\n"
    function = module(text, tmp_path / "changing.py").f
    assert text_of(function) == text.rstrip()
    (tmp_path / "changing.py").write_text(text.replace(before, after))
    os.utime(tmp_path / "changing.py", (1, 1))
    error = error_of(function)
    assert error.kind == "SOURCE_CHANGED"
    assert error.fields["name"] == "f"
    assert error.span is not None
    assert error.span.line == 1


def test_a_change_elsewhere_is_no_change(tmp_path: Path) -> None:
    text = "def f(x):\n    return x + 1\n"
    function = module(text, tmp_path / "changing.py").f
    (tmp_path / "changing.py").write_text(text + "x = 1\n")
    os.utime(tmp_path / "changing.py", (1, 1))
    assert text_of(function) == text.rstrip()


def test_a_changed_assert(tmp_path: Path) -> None:
    text = "def f(x):\n    assert x > 1\n    return x\n"
    function = module(text, tmp_path / "changing.py").f
    (tmp_path / "changing.py").write_text(text.replace("1", "2"))
    os.utime(tmp_path / "changing.py", (1, 1))
    assert error_of(function).kind == "SOURCE_CHANGED"


def test_a_file_that_became_nonsense(tmp_path: Path) -> None:
    function = module("def f(x): return x", tmp_path / "changing.py").f
    (tmp_path / "changing.py").write_text("def f(x: return x")
    assert error_of(function).kind == "SYNTAX_ERROR"


def test_a_deleted_file(tmp_path: Path) -> None:
    function = module("def f(x): return x", tmp_path / "deleted.py").f
    (tmp_path / "deleted.py").unlink()
    linecache.clearcache()
    assert error_of(function).kind == "NO_SOURCE"


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def made(x): return x", namespace)
    error = error_of(namespace["made"])
    assert error.kind == "NO_SOURCE"
    assert error.fields == {"name": "made"}
    assert error_of(eval("lambda: 1")).kind == "NO_SOURCE"


@pytest.mark.parametrize("value", [len, functools.partial(outer, 1), Größe, 3, "f".join])
def test_not_a_python_function(value: Any) -> None:
    assert error_of(value).kind == "NOT_A_PYTHON_FUNCTION"


def test_a_notebook_cell() -> None:
    text = "def cell(x):\n    return x * 2\n"
    name = "<ipython-input-1-abc>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    assert text_of(namespace["cell"]) == text.rstrip()
    del linecache.cache[name]


def test_features_of_the_future(tmp_path: Path) -> None:
    text = "from __future__ import annotations\n\ndef f(x: nonsense):\n    def g(y: x): pass\n"
    assert "def f" in text_of(module(text, tmp_path / "future.py").f)


def test_crlf_and_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "encoded.py"
    module("x = 1", path)
    path.write_bytes(b"# coding: latin-1\r\ndef f(x):\r\n    return '\xe9\\\r\n', x\r\n")
    spec = importlib.util.spec_from_file_location("encoded", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    os.utime(path, (1, 1))
    spec.loader.exec_module(found)
    assert text_of(found.f) == "def f(x):\n    return ('é', x)"


def test_doctest_and_interactive_functions(tmp_path: Path) -> None:
    script = '''
    """
    >>> from staticpy.source import from_function
    >>> def f(x):
    ...     return x + 1
    >>> from_function(f).span(from_function(f).node).end_line
    2
    """
    import doctest
    assert doctest.testmod().failed == 0
    '''
    path = tmp_path / "with_doctest.py"
    path.write_text(textwrap.dedent(script).lstrip())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, path]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_lambdas_without_positions(tmp_path: Path) -> None:
    script = """
    from staticpy.source import SourceError, from_function
    alone = lambda x: x + 1
    two = [lambda x: x + 1, lambda x: x + 2]
    same = [lambda x: x + 1, lambda x: x + 1]
    def make(n):
        return [lambda: n + 1, lambda: n + 2]
    for function in [alone, *two, *same, *make(3)]:
        try:
            print(from_function(function).node.lineno)
        except SourceError as error:
            print(error.kind)
    """
    path = tmp_path / "lambdas.py"
    path.write_text(textwrap.dedent(script))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-X", "no_debug_ranges", path]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == [*"34455", *["AMBIGUOUS_LAMBDA"] * 2], ran.stderr
