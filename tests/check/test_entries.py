"""What is compiled, in all the ways in which a program can say it, with the program as judge.

Each program has a function ``run``, which calls what it has compiled. A line that ends in
``# error: CODE`` is where check finds an error in what is compiled, and where ``run`` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import staticpy
from staticpy.check import Checker, FileResult, Settings, Target
from tests.support.modules import imported

HEAD = "import staticpy\nfrom staticpy import nn\n"
GRAPH = "staticpy.set_context(mode=staticpy.GRAPH_MODE)\n"
BAD = "        return open(x)  # error: SPY609\n"
CELL = "class Net(nn.Cell):\n    def construct(self, x):\n" + BAD
RUN = "def run():\n    Net()(1.0)\n"
BASE = "import staticpy\nfrom staticpy import nn\nclass Base(nn.Cell):\n    pass\n"

METHODS = """\
class Plain:
    rate = 2.0

    @staticpy.jit
    def asks(self, x: float):
        if self is None or hasattr(self, "missing") or not isinstance(self, Plain):
            return x + [1]
        return x

    @staticpy.jit
    def passes_on(self, x: float):
        return [helper(each, x) for each in (self, self)]

    @staticpy.jit
    def in_a_function(self, x: float):
        return (lambda y: y * self.rate)(x)

    @staticpy.jit
    def binds(self, x: float):
        self = 3
        return self + x


def helper(plain, x):
    return plain.rate * x


def run():
    plain = Plain()
    plain.asks(1.0), plain.passes_on(1.0), plain.in_a_function(1.0), plain.binds(1.0)
"""
PROGRAMS = {
    "the types in a Cell": {
        "app.py": HEAD
        + "import numpy as np\n"
        + "class Net(nn.Cell):\n    def construct(self, x: staticpy.f64[3], y: staticpy.f64[2]):\n"
        + "        z = x * y  # error: SPY606\n        return self.scaled(z)\n"
        + GRAPH
        + "def run():\n    Net()(np.ones(3), np.ones(2))\n"
    },
    "the types in a method": {
        "app.py": HEAD
        + "class A:\n    @staticpy.jit\n    def add(self, x: float):\n"
        + "        return x + [1]  # error: SPY605\n"
        + "def run():\n    A().add(1.0)\n"
    },
    "what methods do with their object": {"app.py": HEAD + METHODS},
    "a Cell": {"app.py": HEAD + CELL + GRAPH + RUN},
    "a Cell of another name": {
        "app.py": HEAD + "from staticpy import nn as n\n" + CELL.replace("nn", "n") + GRAPH + RUN
    },
    "a Cell of a Cell": {
        "app.py": HEAD
        + "class Base(nn.Dense):\n    pass\n"
        + CELL.replace("nn.Cell", "Base")
        + GRAPH
        + RUN.replace("Net()", "Net(1, 1)")
    },
    "a Cell in a function": {
        "app.py": HEAD
        + "def make():\n"
        + re.sub("^", "    ", CELL, flags=re.MULTILINE).rstrip(" ")
        + "    return Net()\n"
        + GRAPH
        + RUN.replace("Net()", "make()")
    },
    "a Cell of a class of another file": {
        "app.py": HEAD + "from base import Base\n" + CELL.replace("nn.Cell", "Base") + GRAPH + RUN,
        "base.py": BASE,
    },
    "a Cell of another file": {
        "app.py": HEAD + "import net\n" + GRAPH + RUN.replace("Net", "net.Net"),
        "net.py": HEAD + CELL,
    },
    "a Cell and what it calls": {
        "app.py": HEAD
        + CELL.replace("open(x)  # error: SPY609", "undefined  # error: SPY301")
        + GRAPH
        + RUN
    },
    "a Cell in plain Python": {
        "app.py": HEAD + CELL.replace("open(x)  # error: SPY609", "print(x) or id(x)") + RUN
    },
    "a class that is no Cell": {
        "app.py": HEAD
        + "class Base: pass\n"
        + CELL.replace("nn.Cell", "Base").replace("  # error: SPY609", " if x else x")
        + GRAPH
        + RUN.replace("Net()(1.0)", "Net().construct(0.0)")
    },
    "a method": {
        "app.py": HEAD
        + "class A:\n    @staticpy.jit\n    def f(self, x):\n"
        + BAD
        + "def run():\n    A().f(1.0)\n"
    },
    "a method, passed to jit": {
        "app.py": HEAD
        + "class A:\n    def f(self, x):\n"
        + BAD
        + "g = staticpy.jit(A.f)\ndef run():\n    g(A(), 1.0)\n"
    },
    "methods of the object that a method calls": {
        "app.py": HEAD
        + "class A:\n    rate = 2.0\n"
        + "    @staticpy.jit\n    def f(self, x: float):\n"
        + "        return self.scaled(x) + self.rate\n"
        + "    def scaled(self, x):\n        return self.logged(x * self.rate)\n"
        + "    def logged(self, x):\n        self.scaled\n"
        + BAD
        + "def run():\n    A().f(1.0)\n"
    },
    "methods that may be other ones": {
        "app.py": HEAD
        + "class A:\n    def __init__(self):\n        self.g = abs\n"
        + "    def g(self, x):\n        return open(x)\n"
        + "    def h(self, x):\n        return open(x)\n"
        + "    def i(self, x):\n        return open(x)\n"
        + "    @staticpy.jit\n    def f(self, x: float):\n"
        + "        if self is None:\n            x = self.h(x)\n"
        + "        return self.g(x)\n"
        + "class B:\n    def i(self, x):\n        return x\n"
        + "    @staticpy.jit\n    def f(self, x: float):\n"
        + "        self = B()\n        return x\n"
        + "def run():\n    A().f(1.0), B().f(1.0)\n"
    },
    "a static method": {
        "app.py": HEAD
        + "class A:\n    @staticmethod\n    @staticpy.jit\n    def f(x: float):\n"
        + BAD
        + "def run():\n    A.f(1.0)\n"
    },
    "a class method": {
        "app.py": HEAD
        + "class A:\n    @classmethod\n    @staticpy.jit\n    def f(cls, x):\n"
        + BAD
        + "def run():\n    A.f(1.0)\n"
    },
    "a function, passed to jit": {
        "app.py": HEAD
        + "def f(x: float):\n    return open(x)  # error: SPY609\n"
        + "def run():\n    staticpy.jit(f)(1.0)\n"
    },
    "a lambda, passed to jit": {
        "app.py": HEAD
        + "g = staticpy.jit(lambda x: open(x))  # error: SPY609\n"
        + "def run():\n    g(1.0)\n"
    },
    "the derivative of a function, passed to jit": {
        "app.py": HEAD
        + "def f(x):\n    return open(x)  # error: SPY609\n"
        + "def run():\n    staticpy.jit(staticpy.grad(f))(1.0)\n"
    },
    "the derivative of a lambda, by names": {
        "app.py": HEAD
        + "import numpy as np\n"
        + "slope = staticpy.value_and_grad(lambda x: open(x), argnums=0)  # error: SPY609\n"
        + "slopes = staticpy.vmap(slope)\ng = staticpy.jit(slopes)\n"
        + "def run():\n    g(np.ones(3))\n"
    },
    "jit under another name": {
        "app.py": HEAD
        + "from staticpy import jit as compiled\n@compiled\n"
        + "def f(x: float):\n    return open(x)  # error: SPY609\ndef run():\n    f(1.0)\n"
    },
    "jit with options": {
        "app.py": HEAD
        + "import functools\n@functools.partial(staticpy.jit, static_argnames='n')\n"
        + "def f(x: float, n):\n    return open(x)  # error: SPY609\n"
        + "def run():\n    f(1.0, n=2)\n"
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty current folder; the mode is as before afterwards."""
    monkeypatch.chdir(tmp_path)
    mode = staticpy.get_context("mode")
    yield tmp_path
    staticpy.set_context(mode=mode)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).write_text(text)


def expected() -> set[tuple[str, int, str]]:
    return {
        (str(path), number, code[1])
        for path in Path().glob("*.py")
        for number, line in enumerate(path.read_text().split("\n"), start=1)
        if (code := re.search(r"# error: (SPY\d+)", line))
    }


def checked(**settings: bool) -> FileResult:
    return Checker(Settings(**settings)).check(Target("app.py", True))  # type: ignore[arg-type]


def errors(result: FileResult) -> set[tuple[str, int, str]]:
    found = [*result.findings, *result.elsewhere]
    wrong = (item for item in found if item.severity == "error")
    return {(item.span.file, item.span.line, item.code) for item in wrong}


@pytest.mark.parametrize("name", PROGRAMS)
def test_check_refuses_what_is_compiled(name: str, folder: Path) -> None:
    write(PROGRAMS[name])
    assert errors(checked()) == expected()
    with imported(folder, "app") as app:
        assert refused(app) == expected()


def refused(app: object) -> set[tuple[str, int, str]]:
    """Where the program is refused when it runs."""
    try:
        app.run()  # type: ignore[attr-defined]
    except staticpy.CompileError as error:
        spans = ((Path(item.span.file).name, item.span.line) for item in error.diagnostics)
        codes = (item.code for item in error.diagnostics)
        return {(*span, code) for span, code in zip(spans, codes, strict=True)}
    return set()


def test_a_project_in_graph_mode_can_say_so(folder: Path) -> None:
    write({"app.py": HEAD + CELL})
    assert errors(checked()) == set()
    assert errors(checked(graph_mode=True)) == expected() != set()
