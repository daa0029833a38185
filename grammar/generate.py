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
    lines = [f"TERMINALS = frozenset({sorted(asdl.TERMINALS)!r})".replace("'", '"'), ""]
    lines.append("PRODUCTIONS: dict[str, dict[str, tuple[Field, ...]]] = {")
    for type_, productions in grammar.items():
        lines.append(f'    "{type_}": {{')
        for name, fields in productions.items():
            lines.extend(_production(name, fields))
        lines.append("    },")
    lines.append("}")
    return _HEADER + "\n".join(lines) + "\n"


def _production(name: str, fields: tuple[asdl.Field, ...]) -> list[str]:
    inner = [f'("{field.name}", "{field.type}", "{field.quantifier}"),' for field in fields]
    if len(inner) < 2:
        return [f'        "{name}": ({"".join(inner)}),']
    return [f'        "{name}": (', *(f"            {field}" for field in inner), "        ),"]


if __name__ == "__main__":
    TARGET.write_text(generate(SOURCE.read_text(encoding="utf-8")), encoding="utf-8")
