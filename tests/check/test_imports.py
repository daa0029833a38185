"""Calls across the files of a project: what ``check`` finds in them is what ``jit`` says.

Each case is a project. Its file ``app.py``, or ``pkg/app.py``, has the compiled function ``f``; a
line that ends in ``# error: CODE`` is where both find an error, in whatever file it is. What check
can't know from the texts it says so of: ``# unknown``, at the place where it is used.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import staticpy
from staticpy.check import Checker, FileResult, Settings, Target
from staticpy.diagnostics import Diagnostic, catalog
from tests.support.modules import imported

Found = set[tuple[str, int, str]]
"""File, line and code."""

APP = "\n@jit\ndef f(x: float):\n    return {call}\n"
IMPORT = "from staticpy import jit\n"
BAD = "def helper(x):\n    return open(x)  # error: SPY609\n"
GOOD = "def helper(x):\n    return x * 2\n"


def app(imports: str, call: str) -> str:
    return IMPORT + imports + APP.format(call=call)


CASES = {
    "a name of a module": {
        "app.py": app("from tools import helper\n", "helper(x)"), "tools.py": BAD,
    },
    "under another name": {
        "app.py": app("from tools import helper as h\n", "h(x)"), "tools.py": BAD,
    },
    "a module": {"app.py": app("import tools\n", "tools.helper(x)"), "tools.py": BAD},
    "a module as": {"app.py": app("import pkg.tools as t\n", "t.helper(x)"), "pkg/tools.py": BAD},
    "a module in a package": {
        "app.py": app("import pkg.tools\n", "pkg.tools.helper(x)"),
        "pkg/__init__.py": "", "pkg/tools.py": BAD,
    },
    "a module of a package": {
        "app.py": app("from pkg import tools\n", "tools.helper(x)"),
        "pkg/__init__.py": "", "pkg/tools.py": BAD,
    },
    "a package without a file": {
        "app.py": app("from space.pkg.tools import helper\n", "helper(x)"),
        "space/pkg/tools.py": BAD,
    },
    "the folder of sources": {
        "app.py": app("from pkg.tools import helper\n", "helper(x)"),
        "src/pkg/__init__.py": "", "src/pkg/tools.py": BAD,
    },
    "relative": {
        "pkg/__init__.py": "", "pkg/app.py": app("from .tools import helper\n", "helper(x)"),
        "pkg/tools.py": BAD,
    },
    "relative to the package": {
        "pkg/__init__.py": "", "pkg/app.py": app("from . import tools\n", "tools.helper(x)"),
        "pkg/tools.py": BAD,
    },
    "relative to the package around it": {
        "pkg/__init__.py": "", "pkg/sub/__init__.py": "",
        "pkg/app.py": app("from .sub.deep import h\n", "h(x)"),
        "pkg/sub/deep.py": "from ..tools import helper as h\n", "pkg/tools.py": BAD,
    },
    "relative in a package without a file": {
        "pkg/app.py": app("from .tools import helper\n", "helper(x)"), "pkg/tools.py": BAD,
    },
    "a function of the package": {
        "app.py": app("from pkg import helper\n", "helper(x)"), "pkg/__init__.py": BAD,
    },
    "a name that the package exports": {
        "app.py": app("from pkg import helper\n", "helper(x)"),
        "pkg/__init__.py": "from .tools import helper\n", "pkg/tools.py": BAD,
    },
    "an exported name like its module": {
        "app.py": app("from pkg import helper\n", "helper(x)"),
        "pkg/__init__.py": "from .helper import helper\n", "pkg/helper.py": BAD,
    },
    "a module that the package imports": {
        "app.py": app("import pkg\n", "pkg.tools.helper(x)"),
        "pkg/__init__.py": "from . import tools\n", "pkg/tools.py": BAD,
    },
    "all names": {"app.py": app("from tools import *\n", "helper(x)"), "tools.py": BAD},
    "all names that are listed": {
        "app.py": app("from tools import *\n", "_helper(x)"),
        "tools.py": "__all__ = ['_helper']\n" + BAD.replace("helper", "_helper"),
    },
    "all names through two files": {
        "app.py": app("from pkg import *\n", "helper(x)"),
        "pkg/__init__.py": "from .tools import *\n", "pkg/tools.py": BAD,
    },
    "all names after one": {
        "app.py": app("from good import helper\nfrom tools import *\n", "helper(x)  # unknown"),
        "good.py": GOOD, "tools.py": GOOD,
    },
    "a later name of two that take all": {
        "app.py": app("from good import *\nfrom tools import *\n", "helper(x)"),
        "good.py": GOOD, "tools.py": BAD,
    },
    "a name after all": {
        "app.py": app("from good import *\nfrom tools import helper\n", "helper(x)"),
        "good.py": GOOD, "tools.py": BAD,
    },
    "private names are not taken": {
        "app.py": app("from tools import *\n", "_helper(x)  # error: SPY301"),
        "tools.py": GOOD.replace("helper", "_helper"),
    },
    "a fallback that nobody needs": {
        "app.py": "try:\n    from staticpy import jit\nexcept ImportError:\n    jit = print\n"
        "from tools import helper\n" + APP.format(call="helper(x)"),
        "tools.py": BAD,
    },
    "on a condition": {
        "app.py": app(
            "import sys\nif sys.argv:\n    from tools import helper\nelse:\n"
            "    from good import helper\n", "helper(x)  # unknown"
        ),
        "tools.py": GOOD, "good.py": GOOD,
    },
    "files that import each other": {
        "app.py": app("import tools\ndef own(x):\n    return tools.last(x)\n", "tools.first(x)"),
        "tools.py": "import app\ndef first(x):\n    return app.own(x)\n"
        "def last(x):\n    return open(x)  # error: SPY609\n",
    },
    "names that go round": {
        "app.py": app("from a import g\n", "g(x)  # unknown"),
        "a.py": "try:\n    from b import g\nexcept ImportError:\n    g = abs\n",
        "b.py": "from a import g\n",
    },
    "jit of another file": {
        "app.py": "from own import compiled as jit\nfrom tools import helper\n"
        + APP.format(call="helper(x)"),
        "own.py": "from staticpy import jit as compiled\n", "tools.py": BAD,
    },
    "a compiled function of another file": {
        "app.py": app("from tools import helper\n", "helper(x)"),
        "tools.py": IMPORT + "@jit\n" + BAD,
    },
    "a function of another file, compiled": {
        "app.py": IMPORT + "import tools\nf = jit(tools.f)\n",
        "tools.py": "def f(x: float):\n    return open(x)  # error: SPY609\n",
    },
    "a function in three files": {
        "app.py": app("from one import one\n", "one(x)"),
        "one.py": "from two import two\ndef one(x):\n    return two(x)\n",
        "two.py": "def two(x):\n    return open(x)  # error: SPY609\n",
    },
    "numbers": {
        "app.py": app("from config import N\nimport config as c\n", "x if N == c.M else open(x)"),
        "config.py": "N = 3\nM = 3\n",
    },
    "a number decides": {
        "app.py": app("from config import IS_FAST\n", "x if IS_FAST else open(x)"),
        "config.py": "IS_FAST = True\n",
    },
    "another number decides": {
        "app.py": app("import config\n", "x if config.IS_FAST else open(x)  # error: SPY609"),
        "config.py": "IS_FAST = False\n",
    },
    "a type of another file": {
        "app.py": IMPORT + "import kinds\nfrom kinds import f64 as g\n@jit\n"
        "def f(v: kinds.f64['n'], w: g['n']):\n    return open(v @ w)  # error: SPY609\n",
        "kinds.py": "from staticpy import f64\n",
    },
    "NumPy of another file": {
        "app.py": app("from own import np\n", "np.no_such_name(x)  # error: SPY501"),
        "own.py": "import numpy as np\n",
    },
    "no such name": {
        "app.py": app("import tools\n", "tools.other(x)  # error: SPY301"), "tools.py": GOOD,
    },
    "a name of anybody": {
        "app.py": app("import tools\n", "tools.other(x)  # unknown"),
        "tools.py": "def __getattr__(name):\n    return abs\n",
    },
    "nothing wrong": {
        "app.py": app("from pkg.tools import helper as h\nfrom pkg import tools\n", "h(x)"),
        "pkg/tools.py": GOOD,
    },
    "a class of another file": {
        "app.py": app("from tools import A\n", "A(x).y  # unknown"),
        "tools.py": "class A:\n    def __init__(self, y):\n        self.y = y\n",
    },
    "another module of a standard name": {
        "app.py": app("import random\n", "random.helper(x)  # unknown"), "random.py": GOOD,
    },
    "a module that nobody imports": {
        "app.py": app("import pkg\n", "pkg.tools.helper(x)  # unknown"),
        "pkg/__init__.py": "", "pkg/tools.py": GOOD,
    },
    "a function that a module hides": {
        "app.py": app("import pkg\n", "pkg.helper(x)  # unknown"),
        "pkg/__init__.py": GOOD, "pkg/helper.py": "",
    },
}  # fmt: skip
ARGUMENTS = {"x": 1.5, "v": np.ones(3), "w": np.ones(3)}
NOT_TO_RUN = ("another module of a standard name", "a module that nobody imports")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(files: dict[str, str]) -> Path:
    """Write a project; its main file."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return next(Path(name) for name in files if name.endswith("app.py"))


def expected(files: dict[str, str]) -> Found:
    return {
        (name, number, code[1])
        for name, text in files.items()
        for number, line in enumerate(text.split("\n"), start=1)
        if (code := re.search(r"# error: (SPY\d+)", line))
    }


def places(found: list[Diagnostic], folder: Path) -> Found:
    start = f"{folder}/"
    return {(item.span.file.removeprefix(start), item.span.line, item.code) for item in found}


def checked(main: Path) -> FileResult:
    return Checker(Settings(), is_verbose=True).check(Target(str(main), True))


@pytest.mark.parametrize("name", CASES)
def test_check_finds_what_jit_refuses(name: str, folder: Path) -> None:
    files = CASES[name]
    main = write(files)
    result = checked(main)
    found = [*result.findings, *result.elsewhere]
    unchecked = {
        (item.span.file, item.span.line)
        for item in found
        if item.code == catalog.UNCHECKED_REST.code
    }
    errors = [item for item in found if item.severity == "error"]
    assert places(errors, folder) == expected(files)
    assert unchecked == {
        (name, number)
        for name, text in files.items()
        for number, line in enumerate(text.split("\n"), start=1)
        if "# unknown" in line
    }
    if not unchecked and name not in NOT_TO_RUN:
        assert places(refused(folder, main), folder) == expected(files)


def refused(folder: Path, main: Path) -> list[Diagnostic]:
    """What jit says of the function."""
    with imported(folder, ".".join(main.with_suffix("").parts)) as module:
        parameters = inspect.signature(module.f).parameters
        try:
            module.f.lower(*(ARGUMENTS[name] for name in parameters)).compile()
        except staticpy.CompileError as error:
            return list(error.diagnostics)
    return []
