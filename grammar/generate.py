"""Writes ``staticpy/frontend/_grammar.py`` from ``staticpy.asdl``.

Run it as ``python grammar/generate.py`` after a change of the grammar.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import asdl

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "staticpy.asdl"
TARGET = HERE.parent / "staticpy" / "frontend" / "_grammar.py"

_HEADER = '''\
# Generated from grammar/staticpy.asdl by grammar/generate.py: do not edit.
"""The grammar of the language as data: what each field of each gast node may hold.

``PRODUCTIONS[type][class]`` holds the fields that may be filled, each as its name, the type of
what it holds, and a quantifier: ``""`` one, ``"?"`` may be None, ``"*"`` a list, ``"?*"`` a list
that may hold None.
"""

Field = tuple[str, str, str]

'''


def generate(text: str) -> str:
    """The Python module for a grammar."""
    grammar = asdl.parse(text)
    shared = sorted({other for others in grammar.includes.values() for other in others})
    lines = [f"TERMINALS = frozenset({sorted(asdl.TERMINALS)!r})".replace("'", '"'), ""]
    for type_ in shared:
        lines.append(f"_{type_.upper()}: dict[str, tuple[Field, ...]] = {{")
        lines.extend(_productions(grammar[type_]))
        lines.extend(["}", ""])
    lines.append("PRODUCTIONS: dict[str, dict[str, tuple[Field, ...]]] = {")
    for type_, productions in grammar.items():
        if type_ in shared:
            lines.append(f'    "{type_}": _{type_.upper()},')
            continue
        others = grammar.includes.get(type_, [])
        inherited = {name: grammar[other][name] for other in others for name in grammar[other]}
        own = {name: f for name, f in productions.items() if inherited.get(name) != f}
        lines.append(f'    "{type_}": {{')
        lines.extend(f"        **_{other.upper()}," for other in others)
        lines.extend(f"    {line}" for line in _productions(own))
        lines.append("    },")
    lines.append("}")
    return _HEADER + "\n".join(lines) + "\n"


def _productions(productions: asdl.Productions) -> list[str]:
    return [line for name, fields in productions.items() for line in _production(name, fields)]


def _production(name: str, fields: tuple[asdl.Field, ...]) -> list[str]:
    inner = [f'("{field.name}", "{field.type}", "{field.quantifier}"),' for field in fields]
    if len(inner) < 2:
        return [f'    "{name}": ({"".join(inner)}),']
    return [f'    "{name}": (', *(f"        {field}" for field in inner), "    ),"]


if __name__ == "__main__":
    TARGET.write_text(generate(SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
