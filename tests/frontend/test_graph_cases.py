"""Source → graph: every file of ``tests/cases/graph`` and the graph that stands below it.

Each file holds a function of its own name, and after ``# graph`` the text of its graph. To write
the graphs anew, run this file as a script, and read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from staticpy.frontend import lower_function
from staticpy.ir import parse_module, print_module
from staticpy.ops import REGISTRY

FOLDER = Path(__file__).parent.parent / "cases" / "graph"
FILES = sorted(FOLDER.glob("*.py"))
MARK = "\n\n# graph\n"


def split(file: Path) -> tuple[str, str]:
    """The program of a file, and the expected graph."""
    program, _, comment = file.read_text(encoding="utf-8").partition(MARK)
    graph = "\n".join(line.removeprefix("#").removeprefix(" ") for line in comment.splitlines())
    return program + "\n", graph


def lowered(file: Path) -> str:
    """The graph of the function that has the name of its file."""
    program, _ = split(file)
    module, diagnostics = lower_function(program, str(file), file.stem)
    assert module is not None, list(diagnostics)
    return print_module(module).rstrip("\n")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_graph(file: Path) -> None:
    _, expected = split(file)
    assert lowered(file) == expected
    module = parse_module(expected, REGISTRY)
    assert print_module(module).rstrip("\n") == expected


if __name__ == "__main__":
    for path in FILES:
        text, _ = split(path)
        comment = "\n".join(f"# {line}".rstrip() for line in lowered(path).splitlines())
        path.write_text(text.rstrip("\n") + MARK + comment + "\n", encoding="utf-8")
