"""Random programs of the language, as text.

In: a seed. Out: a ``Program``: the text of a module that ends with a function ``program``, and the
arguments of some calls. It uses what ``features`` names, a few things at a time. A program always
ends: every loop is bounded, and so is the size of every list and array. It may well raise; CPython
decides what is right.
"""

from __future__ import annotations

import ast
import linecache
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.support.fuzz.arguments import Arguments, parameters
from tests.support.fuzz.definitions import definitions
from tests.support.fuzz.expressions import Expressions
from tests.support.fuzz.features import FEATURES, chosen
from tests.support.fuzz.statements import Statements
from tests.support.observing import Call

IMPORTS = "import math\nfrom typing import NamedTuple\n\nimport numpy as np\n"
CALLS = 4

_LOCALS: dict[str, dict[str, tuple[str, ...]]] = {
    "numbers": {"complex": ("w", "h"), "bool": ("flag", "g"), "integers": ("v", "q")},
    "views": {"matrix": ("p", "r")},
    "lists": {"list": ("items", "li", "lj")},
    "dicts": {"dict": ("table", "d")},
    "objects": {"object": ("box", "o")},
    "tuples": {"tuple": ("pair", "t2")},
    "strings": {"str": ("text",)},
}
"""For each feature the names that it brings, by kind."""

_FIRST: dict[str, tuple[str, ...]] = {
    "numbers": ("h = w + 1j", "g = not flag", "q = v * 2", "c = s"),
    "views": ("r = p + 1.0",),
    "lists": ("li = [1, i]", "lj = items"),
    "dicts": ("d = {'n': j, 'q': 1}",),
    "objects": ("o = Box(i, a)",),
    "tuples": ("t2 = (j, a)",),
    "strings": ("text = ''",),
    "types": ("option = None",),
}
"""For each feature what binds its names."""

_RESULTS = {
    "numbers": "w, v, g",
    "views": "p, r",
    "lists": "li, lj",
    "dicts": "d",
    "objects": "o",
    "tuples": "t2",
    "strings": "text",
    "types": "option",
}
"""For each feature what a program returns beside numbers."""


@dataclass(frozen=True)
class Program:
    """A random program."""

    seed: int
    features: frozenset[str]
    text: str
    """The module, without the arguments."""

    arrays: tuple[str, ...]
    """Assignments that the arguments of the calls refer to."""

    calls: tuple[str, ...]
    """The arguments of each call."""


def generate(seed: int, only: Iterable[str] = FEATURES) -> Program:
    """The program of a seed, made of some of the features ``only``."""
    rng = random.Random(seed)
    features = chosen(rng, only)
    expressions = Expressions(rng, features)
    expressions.names = _names(features, rng)
    above = definitions(expressions)
    parts = [IMPORTS, *above, _body(expressions)]
    text = "\n\n".join(parts)
    arrays, calls = Arguments(seed, features).write(CALLS)
    return Program(seed, features, tidy(text), tuple(arrays), tuple(calls))


def tidy(text: str) -> str:
    """A module as ordinary source: without needless parentheses, blank lines where they belong."""
    parts = [ast.unparse(node) for node in ast.parse(text).body]
    imports = [part for part in parts if part.startswith(("import ", "from "))]
    others = [part for part in parts if part not in imports]
    return "\n\n\n".join(["\n".join(imports), *others]) + "\n"


def _names(features: frozenset[str], rng: random.Random) -> dict[str, list[str]]:
    names = {
        "int": ["i", "j", "k", "m"],
        "float": ["a", "b", "c"],
        "array": ["x", "y", "z"],
    }
    if "numbers" in features:
        names["float"].append("s")
    if "unbound" in features:
        names["int"].append(rng.choice(("u", "k")))
    for feature, kinds in _LOCALS.items():
        if feature in features:
            names |= {kind: list(its_names) for kind, its_names in kinds.items()}
    return names


def _body(e: Expressions) -> str:
    rng = e.rng
    statements = Statements(e, budget=rng.choice((8, 14, 22)), results=_results(e))
    statements.line(f"def program({', '.join(parameters(e.features))}):")
    first = ["k = 3", "m = j", "b = 0.5", "c = a", rng.choice(("z = x + 1", "z = x.copy()"))]
    first += [line for feature in sorted(e.features) for line in _FIRST.get(feature, ())]
    late = "k = 3" if "unbound" in e.features else ""
    statements.lines += [f"    {line}" for line in first if line != late]
    if late:
        statements.lines += [f"    if {e.condition(0).replace('k', 'i')}:", f"        {late}"]
        statements.lines += ["    for u in range(j - 3):", "        pass"]
    statements.body(rng.randint(3, 7))
    statements.line(f"    return {statements.result()}")
    return "\n".join(statements.lines) + "\n"


def _results(e: Expressions) -> list[str]:
    """The same structure at every return, of numbers that differ."""
    i, a = e.name("int"), e.name("float")
    texts = [f"({i}, j, {a})", f"({i}, k)", f"{{'x': x, 'i': {i}}}", f"[a, {i}, {a}]", "(x, y, z)"]
    extra = [_RESULTS[feature] for feature in sorted(e.features) if feature in _RESULTS]
    return [f"({e.rng.choice(texts)}, {', '.join(extra)})" if extra else e.rng.choice(texts)]


# --- loading --------------------------------------------------------------------------------------


def load(program: Program) -> tuple[Callable[..., Any], list[Call]]:
    """The function of a program, and its calls."""
    file = f"<program {program.seed}>"
    text = program.text
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace: dict[str, Any] = {"__name__": f"program_{program.seed}"}
    exec(compile(text, file, "exec"), namespace)  # the text is our own
    arguments = dict(namespace)
    exec("\n".join(program.arrays), arguments)
    calls = [Call(eval(f"({call},)" if call else "()", arguments)) for call in program.calls]
    return namespace["program"], calls
