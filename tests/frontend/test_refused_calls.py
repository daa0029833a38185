"""What is said of calls in functions whose parameters have no types; the compiler is the judge."""

from __future__ import annotations

import linecache
import random
import statistics
import uuid
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.frontend import check_text
from staticpy.frontend.outside_world import PATHS, works_outside
from staticpy.frontend.refused_calls import CLASSES

IMPORTS = """\
import array
import builtins
import collections
import contextlib
import datetime
import decimal
import io
import json
import logging
import os
import pathlib
import pickle
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import types
import uuid
import warnings
from time import perf_counter as now

import numpy as np
import numpy.linalg as la

log = logging.getLogger(__name__)
place = pathlib.Path("a")


"""

REFUSED = [
    "open('x')",
    "input()",
    "eval('1')",
    "exec('1')",
    "compile('1', '', 'eval')",
    "breakpoint()",
    "locals()",
    "__import__('os')",
    "id(x)",
    "np.load('x')",
    "np.loadtxt('x')",
    "np.genfromtxt('x')",
    "np.memmap('x')",
    "np.matrix(x)",
    "np.ma.array(x)",
    "np.set_printoptions()",
    "np.tenh(x)",
    "np.save('x', x)",
    "np.savez('x', x)",
    "np.nditer(x)",
    "np.broadcast(x, x)",
    "np.frombuffer(x)",
    "np.frompyfunc(abs, 1, 1)",
    "np.isnat(x)",
    "np.datetime_as_string(x)",
    "np.product(x)",
    "la.nrom(x)",
    "time.time()",
    "time.perf_counter()",
    "time.sleep(0)",
    "time.time_ns()",
    "time.monotonic()",
    "random.random()",
    "os.getcwd()",
    "os.environ.get('x')",
    "os.path.join('x', 'y')",
    "os.listdir()",
    "os.urandom(2)",
    "datetime.datetime.now()",
    "sys.exit()",
    "log.info('x')",
    "place.write_text('x')",
    "now()",
    *(f"{path}()" for path in sorted(CLASSES)),
    *(f"{path}(x)" for path in sorted(PATHS) if path.split(".")[0] in IMPORTS),
]


def made(text: str, name: str) -> Any:
    """The function ``f`` of a text."""
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def compiled(text: str, name: str) -> tuple[str, ...]:
    """The codes of what the compiler says of ``f``."""
    try:
        staticpy.jit(made(text, name)).lower(np.ones(3))
    except staticpy.CompileError as error:
        return error.codes
    return ()


@pytest.mark.parametrize("call", REFUSED)
def test_refused_as_the_compiler_does(call: str) -> None:
    text = f"{IMPORTS}def f(x):\n    y = 1 + {call}\n    return x\n"
    (found,) = check_text(text, "m.py", "all")
    assert (found.code,) == compiled(text, f"<refused {call}>")
    assert found.span.line == text[: text.index("y = 1")].count("\n") + 1


@pytest.mark.parametrize(
    "body",
    [
        "import os; y = os.getcwd()",
        "from os import getcwd as here; y = here()",
        "import time; import time; y = time.time()",
        "import numpy.linalg as nl; y = nl.nrom(x)",
        "print(x, file=sys.stderr)",
        "from sys import stderr; print(x, end='', file=stderr)",
    ],
)
def test_refused_with_what_the_function_imports(body: str) -> None:
    text = f"{IMPORTS}def f(x):\n    {body}\n    return x\n"
    (found,) = check_text(text, "m.py", "all")
    assert (found.code,) == compiled(text, f"<refused {body}>")


@pytest.mark.parametrize(
    "body",
    [
        "for each in np.tenh(x): pass",
        "while np.tenh(x): pass",
        "if np.tenh(x): return 1",
        "y = np.tenh(x) if np.tonh(x) else 0",
        "y = [1 for each in np.tenh(x)]",
        "y = sum(1 for each in np.tenh(x))",
        "y = np.tenh(x) and x",
        "y = 0 < np.tenh(x) < np.tonh(x)",
        "for each in x: print(each)\n    y = np.tenh(x)",
        "if len(x) > 2: x = x[:2]\n    y = np.tenh(x)",
        "with np.errstate(all='ignore'):\n        y = np.tenh(x)",
        "with np.errstate(all='ignore'): x = x + 1\n    y = np.tenh(x)",
    ],
)
def test_refused_in_what_always_runs(body: str) -> None:
    text = f"{IMPORTS}def f(x):\n    {body}\n    return x\n"
    found = check_text(text, "m.py", "all")
    assert [each.code for each in found] == ["SPY501"]
    assert "SPY501" in compiled(text, f"<refused {body}>")


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("os.environ.get('x')", "os.environ.get"),
        ("os.environ['x']", "os.environ.__getitem__"),
        ("'x' in os.environ", "os.environ.__contains__"),
        ("len(os.environ)", "os.environ.__len__"),
        ("os.path.join('x', 'y')", "join"),
        ("os.path.exists('x')", "exists"),
        ("os.getenv('x')", "getenv"),
    ],
)
def test_the_compiler_names_what_works_outside(expression: str, name: str) -> None:
    text = f"import os\n\n\ndef f(x):\n    y = {expression}\n    return x\n"
    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(made(text, f"<outside {expression}>")).lower(1.0)
    (found,) = caught.value.diagnostics
    assert found.code == "SPY609"
    assert f"'{name}'" in found.message
    assert found.span.line == 5


ADMITTED = [
    "open = abs\n    y = open(x)",
    "y = open(x) if False else 1",
    "if x is None:\n        print(open('x'))",
    "y = [open(each) for each in ()]",
    "y = False and open('x')",
    "return x\n    open('x')",
    "y = np.linalg.norm(x) + np.tanh(x).sum()",
    "y = np.errstate(all='ignore')",
    "y = lambda: open('x')",
    "for each in ():\n        open(each)",
    "y = len(x) + abs(x).sum()",
    "os.getcwd()\n    import os",
    "import os\n    os = x\n    return os.getcwd()",
    "print(x, file=sys.stdout)",
    "if x is not None: return x\n    np.tenh(x)",
    "while True:\n        if len(x) > 2: return x\n    np.tenh(x)",
    "y = np.add.reduce(x)",
    "y = np.can_cast('f8', 'f4'), np.piecewise(x, [x > 1], [1])",
]


@pytest.mark.parametrize("body", ADMITTED)
def test_what_may_be_compiled_is_not_refused(body: str) -> None:
    text = f"{IMPORTS}def f(x):\n    {body}\n    return x\n"
    assert list(check_text(text, "m.py", "all")) == []
    if "errstate" not in body:
        assert compiled(text, f"<admitted {body}>") == ()


@pytest.mark.parametrize(
    "body",
    [
        "for each in x:\n        raise ValueError\n    np.tenh(x)",
        "with contextlib.suppress(AttributeError): np.tenh(x)",
        "try: y = np.tenh(x)\n    except AttributeError: pass",
    ],
)
def test_what_may_not_run_is_left_to_the_compiler(body: str) -> None:
    assert list(check_text(f"{IMPORTS}def f(x):\n    {body}\n    return x\n", "m.py", "all")) == []


def test_a_name_of_the_file_hides_a_builtin() -> None:
    text = "def open(x):\n    return x\n\n\ndef f(x):\n    return open(x)\n"
    assert list(check_text(text, "m.py", "all")) == []


def test_what_follows_a_definition_is_read() -> None:
    body = "    def g():\n        return 1\n\n    return np.tenh(x)\n"
    (found,) = check_text(f"{IMPORTS}def f(x):\n{body}", "m.py", "all")
    assert found.code == "SPY501"


def test_what_works_in_the_program_alone() -> None:
    assert works_outside(random.Random.uniform)
    assert works_outside(uuid.uuid4)
    assert not works_outside(uuid.UUID.__init__)
    assert not works_outside(statistics.fmean)
    assert not works_outside(abs)
