"""What the names of a file stand for, from its text alone."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import weakref
from collections import deque
from typing import Any

import numpy as np
import pytest

from staticpy.frontend.inputs import UNKNOWN_VALUE, Unknown
from staticpy.frontend.project import Project
from staticpy.frontend.static_scope import StaticModule
from staticpy.frontend.trusted import is_harmless, may_be_loaded
from staticpy.frontend.values import UserFunction
from staticpy.source import from_text

UNDEFINED = object()


def look_up(text: str, name: str, inside: str = "") -> Any:
    """What a name stands for in the module, or around one of its functions."""
    module = StaticModule(from_text(text, "a.py"))
    units = {unit.qualname: unit for unit in module.source.units}
    scope = module.scope_of(units[inside]) if inside else module.scope
    try:
        return scope.lookup(name)
    except KeyError:
        return UNDEFINED


KNOWN = [
    ("import numpy as np", "np", np),
    ("import numpy", "numpy", np),
    ("import numpy.linalg", "numpy", np),
    ("import numpy.linalg as la", "la", np.linalg),
    ("from numpy import tanh", "tanh", np.tanh),
    ("from numpy.linalg import norm as n", "n", np.linalg.norm),
    ("import math", "math", math),
    ("import math\nimport math", "math", math),
    ("from collections import deque", "deque", deque),
    ("try:\n    import math\nexcept ImportError:\n    pass", "math", math),
    ("with a:\n    import math", "math", math),
    ("a = 1", "a", 1),
    ("a = -1.5e3", "a", -1500.0),
    ("a: int = 1", "a", 1),
    ("a = (1, 'x', None, True, (2j,))", "a", (1, "x", None, True, (2j,))),
    ("", "len", len),
    ("a = 1", "range", range),
]


@pytest.mark.parametrize(("text", "name", "value"), KNOWN)
def test_known(text: str, name: str, value: Any) -> None:
    found = look_up(text, name)
    assert type(found) is type(value)
    assert found is value or found == value


UNKNOWN = [
    ("import os", "os"),
    ("from os import path", "path"),
    ("from . import numpy", "numpy"),
    ("from .numpy import tanh", "tanh"),
    ("from numpy import no_such_name", "no_such_name"),
    ("import numpy as np\nnp = 1", "np"),
    ("if a:\n    import numpy as np", "np"),
    ("a = 1\na = 2", "a"),
    ("a = 1\na += 2", "a"),
    ("a = b = 1", "a"),
    ("a, b = 1, 2", "b"),
    ("a = [1]", "a"),
    ("a = {1: 2}", "a"),
    ("a = ([1],)", "a"),
    ("a = 1 + 2", "a"),
    ("a = f()", "a"),
    ("a: int", "a"),
    ("if x:\n    a = 1", "a"),
    ("for a in x: pass", "a"),
    ("for i in x:\n    a = 1", "a"),
    ("while (a := 1): pass", "a"),
    ("with x as a: pass", "a"),
    ("try: pass\nexcept X as a: pass", "a"),
    ("match x:\n    case [a, *b]: pass", "b"),
    ("match x:\n    case {'x': a, **b}: pass", "b"),
    ("del a", "a"),
    ("a = 1\ndel a", "a"),
    ("a = 1\ndef f():\n    global a\n    a = 2", "a"),
    ("def f():\n    global a\n    a = 2", "a"),
    ("class A: pass", "A"),
    ("async def f(): pass", "f"),
    ("@other\ndef f(): pass", "f"),
    ("def f(): pass\ndef f(): pass", "f"),
    ("if x:\n    def f(): pass", "f"),
    ("from x import *", "anything"),
    ("globals()['anything'] = 1", "anything"),
    ("exec('anything = 1')", "anything"),
    ("del globals()['anything']", "anything"),
    ("f(x=globals())", "anything"),
    ("f(*vars())", "anything"),
    ("vars(sys.modules[__name__]).update(x)", "anything"),
    ("from sys import modules as m\nx = m[__name__]\nsetattr(x, 'anything', 1)", "anything"),
    ("import __main__ as x\nsetattr(x, 'anything', 1)", "anything"),
    ("import me.inner\nsetattr(me.inner, 'anything', 1)", "anything"),
    ("setattr(*x)", "anything"),
    ("vars(x)[globals()] = 1", "anything"),
    ("eval(x)[0]", "anything"),
    ("def f():\n    globals()['anything'] = 1", "anything"),
    ("", "__name__"),
    ("", "__file__"),
    ("len = 1\nlen = 2", "len"),
    ("print(x := 1)", "x"),
]


@pytest.mark.parametrize(("text", "name"), UNKNOWN)
def test_unknown(text: str, name: str) -> None:
    assert isinstance(look_up(text, name), Unknown)


NOWHERE = [
    ("", "np"),
    ("def f(): a = 1", "a"),
    ("class A:\n    a = 1", "a"),
    ("f = lambda a: a", "a"),
    ("def f():\n    exec('a = 1')", "a"),
    ("f(**vars(x))", "a"),
    ("f(*vars(x))", "a"),
    ("x = parser.parse_args()\nprint(vars(x))", "a"),
    ("x = vars(parser.parse_args())", "a"),
    ("class A: pass\nsetattr(A, 'a', 1)", "a"),
    ("y = '{x}'.format(**locals())", "a"),
    ("def f():\n    return globals()['x']", "a"),
]


@pytest.mark.parametrize(("text", "name"), NOWHERE)
def test_undefined(text: str, name: str) -> None:
    assert look_up(text, name) is UNDEFINED


def test_functions() -> None:
    text = "import staticpy\ndef f(): pass\ng = lambda: 1\n@staticpy.jit\ndef h(): pass\n"
    text += "i = staticpy.jit(f)\nj = staticpy.jit(lambda: 2)\n"
    module = StaticModule(from_text(text, "a.py"))
    found = {name: module.scope.lookup(name) for name in "fghij"}
    assert all(isinstance(value, UserFunction) for value in found.values())
    assert [found[name].unit.qualname for name in "fgh"] == ["f", "<lambda>", "h"]
    assert found["i"] is found["f"] is module.scope.lookup("f")
    assert found["j"] is not found["g"]


NESTED = """
import math
a = 1
def outer(p):
    import numpy as np
    b = 2
    c = 3
    def inner():
        nonlocal c
        d = 4
        def innermost():
            e = 5
    def helper(): pass
class A:
    f = 6
    def method(self): pass
"""


@pytest.mark.parametrize(
    ("name", "inside", "value"),
    [
        ("a", "outer", 1),
        ("b", "outer", UNDEFINED),
        ("math", "outer.<locals>.inner", math),
        ("np", "outer.<locals>.inner", np),
        ("b", "outer.<locals>.inner", 2),
        ("c", "outer.<locals>.inner", UNKNOWN_VALUE),
        ("p", "outer.<locals>.inner", UNKNOWN_VALUE),
        ("d", "outer.<locals>.inner", UNDEFINED),
        ("d", "outer.<locals>.inner.<locals>.innermost", 4),
        ("b", "outer.<locals>.inner.<locals>.innermost", 2),
        ("f", "A.method", UNDEFINED),
        ("a", "A.method", 1),
    ],
)
def test_enclosing_functions(name: str, inside: str, value: Any) -> None:
    found = look_up(NESTED, name, inside)
    assert found is value or found == value


def test_a_function_of_an_enclosing_function() -> None:
    found = look_up(NESTED, "helper", "outer.<locals>.inner")
    assert isinstance(found, UserFunction)
    assert found.unit.qualname == "outer.<locals>.helper"


ORIGINS = [
    ("import numpy as np", "np", "numpy"),
    ("import a.b.c", "a", "a"),
    ("import a.b.c as d", "d", "a.b.c"),
    ("from a.b import c as d", "d", "a.b.c"),
    ("if x:\n    from a import b", "b", "a.b"),
    ("from . import a", "a", None),
    ("a = 1", "a", None),
    ("", "int", "builtins.int"),
    ("int = 1", "int", None),
    ("", "nothing", None),
]


@pytest.mark.parametrize(("text", "name", "origin"), ORIGINS)
def test_origins(text: str, name: str, origin: str | None) -> None:
    assert StaticModule(from_text(text, "a.py")).scope.origin(name) == origin


JITTED = [
    ("import staticpy\n@staticpy.jit\ndef f(): pass", ["f"]),
    ("import staticpy as sp\n@sp.jit()\ndef f(): pass", ["f"]),
    ("from staticpy import jit\n@jit(static_argnames='n')\ndef f(n): pass", ["f n"]),
    ("from staticpy import jit as j\n@j(static_argnames=('n', 'm'))\ndef f(n, m): pass", ["f m n"]),
    ("from staticpy import jit\n@jit(static_argnames=names)\ndef f(n): pass", ["f"]),
    ("from staticpy import jit\nfrom functools import partial\n"
     "@partial(jit, static_argnames='n')\ndef f(n): pass", ["f n"]),
    ("from staticpy import jit\nclass A:\n    @jit\n    def f(self): pass", ["A.f"]),
    ("from staticpy import jit\nclass A:\n    @property\n    @jit\n    def f(self): pass", ["A.f"]),
    ("from staticpy import jit\n@jit\n@other\ndef f(): pass", []),
    ("from staticpy import jit\ndef f(): pass\nrun = jit(f)", ["f"]),
    ("from staticpy import jit\ndef f(n): pass\nrun = jit(f, static_argnames='n')", ["f n"]),
    ("from staticpy import jit\nrun = jit(lambda: 1)", ["<lambda>"]),
    ("from staticpy import jit\nrun = jit(unknown)", []),
    ("from staticpy import jit\ndef g():\n    def f(): pass\n    return jit(f)", ["g.<locals>.f"]),
    ("from staticpy import jit\ndef f(): pass\ndef g(f):\n    return jit(f)", []),
    ("def g():\n    from staticpy import jit\n    @jit\n    def f(): pass", ["g.<locals>.f"]),
    ("from other import jit\n@jit\ndef f(): pass", []),
    ("@jit\ndef f(): pass", []),
    ("import staticpy\n@staticpy.disable_jit\ndef f(): pass", []),
    ("from staticpy import jit\n@jit\nasync def f(): pass", ["f"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), JITTED)
def test_jitted(text: str, expected: list[str]) -> None:
    module = StaticModule(from_text(text, "a.py"))
    found = [" ".join([item.unit.qualname, *sorted(item.static)]) for item in module.jitted()]
    assert found == expected


def test_other_letters_name_the_package() -> None:
    text = "from \uff53taticpy import \uff4ait as j\n\n@j\ndef f(x):\n    return x\n"
    assert [item.unit.name for item in StaticModule(from_text(text, "a.py")).jitted()] == ["f"]


@pytest.mark.parametrize("has_project", [False, True])
def test_a_closed_module_is_freed_at_once(has_project: bool) -> None:
    source = from_text("import os\n\ndef f(x):\n    return os.sep\n", "a.py")
    project = Project([]) if has_project else None
    module = StaticModule(source) if project is None else project.open(source)
    assert module.function(source.units[0]).unit.name == "f"
    freed = weakref.ref(source)
    (project or module).close()
    gc.disable()
    try:
        del module, project, source
        assert freed() is None
    finally:
        gc.enable()


LOADED = [
    ("", "math", math),
    ("", "numpy.linalg", np.linalg),
    ("", "os.path", UNKNOWN_VALUE),
    ("", "hypothesis", UNKNOWN_VALUE),
    ("import turtle", "turtle", UNKNOWN_VALUE),
    ("", "turtle", KeyError),
    ("", "no_module_has_this_name.at_all", ModuleNotFoundError),
]


@pytest.mark.parametrize(("text", "name", "expected"), LOADED)
def test_what_is_loaded_does_not_depend_on_this_process(text, name, expected, monkeypatch):
    monkeypatch.setitem(sys.modules, "turtle", math)
    scope = StaticModule(from_text(text, "a.py")).scope
    if expected in (KeyError, ModuleNotFoundError):
        with pytest.raises(expected):
            scope.loaded(name)
    else:
        assert scope.loaded(name) is expected


def test_the_files_of_a_project_may_be_loaded(tmp_path):
    (tmp_path / "other.py").write_text("")
    module = Project([str(tmp_path)]).open(from_text("", str(tmp_path / "a.py")))
    assert module.scope.loaded("other") is UNKNOWN_VALUE
    with pytest.raises(ModuleNotFoundError):
        module.scope.loaded("another")


class Recording:
    """An import hook, of which every call would run code of the environment."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def find_spec(self, name: str, *_: Any) -> None:
        self.asked.append(name)


def test_no_import_hook_is_asked(tmp_path, monkeypatch):
    for name in ("package", "names_only"):
        (tmp_path / name).mkdir()
    (tmp_path / "package" / "__init__.py").write_text("raise SystemExit")
    (tmp_path / "single.py").write_text("raise SystemExit")
    (tmp_path / "__editable___linked_1_0_finder.py").write_text(
        "MAPPING = {'linked': '/src/linked'}"
    )
    hook = Recording()
    monkeypatch.setattr(sys, "meta_path", [hook, *sys.meta_path])
    monkeypatch.setattr(sys, "path_hooks", [hook.find_spec, *sys.path_hooks])
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    scope = StaticModule(from_text("", "a.py")).scope
    for name in ("package.inner", "names_only", "single", "linked", "pytest"):
        assert scope.loaded(name) is UNKNOWN_VALUE
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'absent\.inner'"):
        scope.loaded("absent.inner")
    assert hook.asked == []


def test_what_this_package_loads_is_known():
    """Of Python's own modules; a function may import these when it runs."""
    code = "import sys, staticpy; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    standard = set(found.stdout.split()) & sys.stdlib_module_names
    assert {name for name in standard if not may_be_loaded(name) and not is_harmless(name)} == set()


def test_a_transform_of_itself_has_an_end() -> None:
    text = "import staticpy\ng = staticpy.grad(g)\nh = staticpy.jit(g)\n"
    assert StaticModule(from_text(text, "a.py")).jitted() == []
