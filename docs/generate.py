"""Write the generated pages of the reference: ``python docs/generate.py``.

In: the catalogue of diagnostics. Out: ``docs/reference/diagnostics/``, a page for each code and an
index. With ``--check``, nothing is written, and a page that differs ends the command with 1.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from staticpy.diagnostics import DiagnosticSpec, catalog, category  # noqa: E402  after the path

FOLDER = ROOT / "docs" / "reference" / "diagnostics"
MARK = "<!-- Generated from staticpy/diagnostics/catalog by docs/generate.py: do not edit. -->"

TITLES = {
    "file": "Files and syntax",
    "statement": "Statements",
    "expression": "Expressions",
    "name": "Names, closures, mutation",
    "control-flow": "Control flow",
    "array": "Array functions",
    "type": "Types and shapes",
    "derivative": "Derivatives",
    "performance": "Performance hints",
    "internal": "Suppressions, configuration, internal",
}


def page(spec: DiagnosticSpec) -> str:
    """The page of one code."""
    parts = [
        MARK,
        f"# {spec.code} {spec.slug}",
        f"*{spec.severity}* · {TITLES[category(spec.code)].lower()}"
        + (" · in preview" if spec.is_preview else ""),
        f"> {spec.message}",
        spec.explanation.strip(),
        f"**Help:** {spec.help}",
        f"## Refused\n\n```python\n{spec.bad.strip()}\n```",
        f"## Accepted\n\n```python\n{spec.good.strip()}\n```",
    ]
    if spec.nodes:
        parts.append("Syntax nodes: " + ", ".join(f"`{node}`" for node in spec.nodes) + ".")
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """The page that lists all codes."""
    parts = [MARK, "# Diagnostics", "What `staticpy check` and the compiler report, by code."]
    for group, specs in groupby(catalog.ALL, lambda spec: category(spec.code)):
        rows = [
            f"| [{spec.code}]({spec.code}.md) | {spec.slug} | {_cell(spec)} |" for spec in specs
        ]
        table = "\n".join(["| Code | Name | Message |", "|---|---|---|", *rows])
        parts.append(f"## {TITLES[group]}\n\n{table}")
    return "\n\n".join(parts) + "\n"


def _cell(spec: DiagnosticSpec) -> str:
    return spec.message.replace("|", "\\|").replace("*", "\\*")


def pages() -> dict[str, str]:
    """Every generated file by name."""
    return {"index.md": index()} | {f"{spec.code}.md": page(spec) for spec in catalog.ALL}


def differing() -> list[str]:
    """The files that are not what they would be if they were written now."""
    expected = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    return sorted(
        name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)
    )


def main() -> int:
    """Write the pages, or compare them."""
    if "--check" in sys.argv[1:]:
        for name in differing():
            sys.stdout.write(f"docs/reference/diagnostics/{name} is not up to date\n")
        return 1 if differing() else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    expected = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in expected:
            path.unlink()
    for name, text in expected.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
