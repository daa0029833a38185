"""A program that failed, as a case of the table.

In: a Program, and what went wrong. Out: a file that is one of ``tests/cases/accept``.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.support.programs import Program

FOLDER = Path(__file__).parents[2] / "cases" / "accept"


def case_text(program: Program, what: str) -> str:
    """The text of a file of cases with this program."""
    nodes = ast.parse(program.text).body
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in nodes if node not in imports]
    rest = "\n\n\n".join(map(ast.unparse, others))
    used = [text for text in map(ast.unparse, imports) if f"{text.split()[-1]}" in rest]
    used = [text for text in used if "numpy" not in text]
    calls = ",\n".join(f"    ({call},)" if call else "    ()" for call in program.calls)
    arrays = "\n".join(program.arrays)
    head = [f'"""Found by a random program (seed {program.seed}): {what}."""']
    head += ["from __future__ import annotations", *(["\n".join(used)] if used else [])]
    head += ["import numpy as np", "from tests.support.cases import case"]
    above = [ast.unparse(node) for node in others[:-1]]
    middle = [*above, arrays] if arrays else above
    decorated = f"@case(\n{calls},\n)\n{ast.unparse(others[-1])}"
    return "\n\n".join(head) + "\n\n\n" + "\n\n\n".join([*middle, decorated]) + "\n"


def write_case(program: Program, what: str, folder: Path = FOLDER) -> Path:
    """Write the file, named after the seed."""
    path = folder / f"found_{program.seed}.py"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(case_text(program, what), encoding="utf-8")
    return path
