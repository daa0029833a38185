"""The formats of a report, each a function from a run to its text, loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from staticpy.cli.formats.run import Run

FORMATS = {
    "full": "plain.full",
    "concise": "plain.concise",
    "grouped": "plain.grouped",
    "json": "values.json_array",
    "json-lines": "values.json_lines",
    "github": "annotations.github",
    "gitlab": "annotations.gitlab",
    "junit": "annotations.junit",
    "sarif": "sarif.sarif",
    "rdjson": "annotations.rdjson",
    "report": "values.report",
}
"""Where each format is, by the name that it has on the command line."""


def render(style: str, run: Run) -> str:
    """The report of a run in one of the formats."""
    module, _, name = FORMATS[style].partition(".")
    function: Callable[[Run], str] = getattr(import_module(f"{__name__}.{module}"), name)
    return function(run)


__all__ = ["FORMATS", "Run", "render"]
