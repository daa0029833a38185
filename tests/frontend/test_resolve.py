"""Names: local, free, captured, undefined."""

from __future__ import annotations

import symtable
import sys
from pathlib import Path
from typing import Any

import gast
import pytest

from staticpy.diagnostics import Diagnostics
from staticpy.frontend.parse import parse
from staticpy.frontend.resolve import (
    FunctionNames,
    assigned_names,
    report_undefined_names,
    resolve,
)
from staticpy.frontend.validate import validate
from staticpy.source import from_text, read_text
from tests.frontend.helpers import function, tree_of, unit_of

TEXT = """
def f(a, b=c, /, *, d=e):
    for i, (j, [k]) in g(a):
        l = m = n
        o += 1
    p: q = r
    def s(t, u=v):
        w = t + a + x
        return lambda y: y + w + z + i
    return [b, A.c]
"""


def test_names() -> None:
    names = resolve(tree_of(TEXT))
    assert names.params == ("a", "b", "d")
    assert names.locals == ("a", "b", "d", "i", "j", "k", "l", "m", "o", "p", "s")
    # Defaults of the function itself belong to what is around it; those of a nested one do not.
    assert names.free == {"g", "n", "r", "v", "x", "z", "A"}
    assert names.captured == {"a", "i"}
    (inner,) = names.nested.values()
    assert inner.locals == ("t", "u", "w")
    assert inner.free == {"a", "x", "z", "i"}
    (lambda_,) = inner.nested.values()
    assert lambda_.locals == ("y",)
    assert names.scope_of(lambda_.node) is lambda_
    with pytest.raises(KeyError):
        names.scope_of(names.node.body[0])


ASSIGNED = [
    ("x = y", ["x"]),
    ("x = y = z", ["x", "y"]),
    ("(a, [b, c]), d = e", ["a", "b", "c", "d"]),
    ("x += y", ["x"]),
    ("x: int = 1", ["x"]),
    ("def g(a): b = a", ["g"]),
    ("g = lambda a: a", ["g"]),
    ("for i in x:\n        j = i", ["i", "j"]),
    ("while x:\n        y = x", ["y"]),
    ("if a:\n        x = 1\n    else:\n        y = 1", ["x", "y"]),
    ("return x", []),
]


@pytest.mark.parametrize(("text", "names"), ASSIGNED)
def test_assigned_names(text: str, names: list[str]) -> None:
    assert assigned_names(tree_of(f"def f():\n    {text}").body) == names


Signature = tuple[object, ...]


def ours(names: FunctionNames) -> Signature:
    """What there is to compare of a scope and of those in it."""
    reads = {read.id for read in names.reads if not isinstance(read.ctx, gast.Del | gast.Store)}
    nested = sorted(map(ours, names.nested.values()), key=repr)
    kept = names.free - names.from_module
    if names.is_comprehension:  # of which CPython makes a function that rebinds these
        kept |= frozenset(assigned_names([names.node]))
    return names.node.lineno, sorted(names.locals), sorted(reads), sorted(kept), nested


def theirs(table: symtable.SymbolTable, outer: frozenset[str] = frozenset()) -> Signature:
    """The same, by CPython's own symbol table.

    It takes the name of a target of ``+=`` or ``del`` for no read; ``outer`` are the variables of
    the functions around.
    """
    symbols = {symbol.get_name(): symbol for symbol in table.get_symbols()}
    symbols.pop(".0", None)  # the iterable of a comprehension
    symbols.pop("__class__", None)  # read by ``super()``
    local = sorted(name for name, symbol in symbols.items() if symbol.is_local())
    reads = sorted(name for name, symbol in symbols.items() if symbol.is_referenced())
    inner = [child for child in table.get_children() if child.get_type() == "function"]
    visible = outer.union(local)
    nested = sorted((theirs(child, visible) for child in inner), key=repr)
    own = {n for n, symbol in symbols.items() if symbol.is_free() or is_implicit(symbol)}
    declared = {name for name, symbol in symbols.items() if symbol.is_declared_global()}
    free = own.union(*(item[3] for item in nested)).difference(local, declared)  # type: ignore[arg-type]
    return table.get_lineno(), local, reads, sorted(free), nested


def is_implicit(symbol: symtable.Symbol) -> bool:
    """Whether a name is the module's without a ``global`` statement."""
    return symbol.is_global() and not symbol.is_declared_global()


ALL_KINDS = """
def f(a, /, b=c0, *args, d, **kwargs):
    with o() as (p, q[r]), o():
        import m.n, m.o as mo
        from m import x1, x2 as x3
    try:
        s: 1
        t.u = 1
    except (E, F) as e:
        del g, h[i], t.u
    else:
        [j for k in l if (n := k) for k2 in k]
    finally:
        {v: w for v, w in (lambda y: y + z)(a)}
    match a:
        case C(D.x, k=[k1, *rest]) if k1: pass
        case {"a": av, **others} | [av, others] as whole: pass
        case _: pass
    global G, H
    print(G, H)
    @deco(a)
    def inner(aa=a, *, bb=(wal := 3)):
        nonlocal s, e
        global b
        s, *e = (yield b)
        def innermost():
            nonlocal e
            del e
            return b, G
        return (yield from (i1 for i1 in aa for i2 in [i1, b, s]))
    *st, x[a] = {*a}, {**b}, f"{c1:{c2}}"
    for fo.r, fr in a: pass
    return {s1 for s1 in [s1 for s1 in s2]}, (last := gen(g2 for _ in a)), [lambda: lv for lv in a]
"""


def test_every_kind_of_binding() -> None:
    (table,) = symtable.symtable(ALL_KINDS, "a.py", "exec").get_children()
    if sys.version_info < (3, 12):
        assert ours(resolve(tree_of(ALL_KINDS))) == theirs(table)
    names = resolve(tree_of(ALL_KINDS))
    assert names.globals_declared == names.from_module - {"b"} == {"G", "H"}
    (inner,) = (item for item in names.nested.values() if isinstance(item.node, gast.FunctionDef))
    assert inner.is_generator
    assert not names.is_generator
    assert inner.nonlocals_declared == inner.rebinds == names.rebound == {"s", "e"}
    assert names.rebinds == set()
    assert names.captured == {"s", "e"}


def test_the_names_are_those_of_cpython() -> None:
    path = Path(__file__).parent.parent / "cases" / "accept"
    compared = 0
    for file in sorted(path.glob("*.py")):
        source = from_text(read_text(file), str(file))
        tables = symtable.symtable(source.text, str(file), "exec").get_children()
        by_name = {(table.get_name(), table.get_lineno()): table for table in tables}
        for unit in source.units:
            diagnostics = Diagnostics()
            node = parse(unit, diagnostics)
            validate(node, unit, diagnostics)
            key = unit.qualname, unit.node.lineno
            known = key in by_name and not len(diagnostics)
            if known and not _annotates_variables(node) and not _is_inlined(node):
                assert ours(resolve(node)) == theirs(by_name[key]), key
                compared += 1
    assert compared > 100


def _is_inlined(node: Any) -> bool:
    """From 3.12 on, CPython makes comprehensions a part of the function around them."""
    inlined = (gast.ListComp, gast.SetComp, gast.DictComp)
    has_one = any(isinstance(inner, inlined) for inner in gast.walk(node))
    return has_one and sys.version_info >= (3, 12)


def _annotates_variables(node: Any) -> bool:
    """``symtable`` counts names in the annotations of variables, which nobody evaluates."""
    return any(isinstance(inner, gast.AnnAssign) for inner in gast.walk(node))


class Names:
    """A scope with these names."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def has(self, name: str) -> bool:
        return name in self._names


def undefined(text: str, *known: str) -> list[tuple[str, int, list[str]]]:
    unit, diagnostics = unit_of(text), Diagnostics()
    node = parse(unit, diagnostics)
    report_undefined_names(resolve(node), unit, Names(*known), diagnostics)
    return [
        (str(item.args["name"]), item.span.line, [label.text for label in item.labels])
        for item in diagnostics
    ]


def test_undefined_names() -> None:
    text = function("y = x + a", "def g(b, c=d):", "    return b + y + e", "return h + x")
    assert undefined(text, "a", "h") == [("d", 3, []), ("e", 4, [])]
    assert undefined(text, "a", "d", "e", "h") == []


def test_a_name_that_is_assigned_later_is_defined() -> None:
    assert undefined(function("y = z", "z = 1")) == []


SUGGESTIONS = [
    (function("return facotr", head="def f(factor):"), [], "factor"),
    (function("return lenn(x)"), ["len"], "len"),
    ("import numpy\n" + function("return nunpy.tanh(x)"), ["numpy"], "numpy"),
    ("def other(): pass\n" + function("return othr(x)"), ["other"], "other"),
    ("weights = 1\n" + function("return wieghts"), ["weights"], "weights"),
]


@pytest.mark.parametrize(("text", "known", "wanted"), SUGGESTIONS)
def test_suggestions(text: str, known: list[str], wanted: str) -> None:
    unit, diagnostics = from_text(text, "a.py").units[-1], Diagnostics()
    report_undefined_names(resolve(parse(unit, diagnostics)), unit, Names(*known), diagnostics)
    (item,) = diagnostics
    assert [label.text for label in item.labels] == [f"did you mean '{wanted}'?"]


def test_of_a_file_full_of_undefined_names_the_first_get_suggestions() -> None:
    """Comparing each name with each would take minutes where there are tens of thousands."""
    text = "".join(f"def name_{number}(x): return nam_{number}\n" for number in range(300))
    known, diagnostics = Names(*(f"name_{number}" for number in range(300))), Diagnostics()
    for unit in from_text(text, "a.py").units:
        report_undefined_names(resolve(parse(unit, diagnostics)), unit, known, diagnostics)
    told = [bool(item.labels) for item in diagnostics]
    assert len(told) == 300
    assert told[0]
    assert not told[-1]
