"""What programs read: ``json``, ``json-lines`` and ``report``, as the schemas beside them say."""

from __future__ import annotations

import json

from staticpy import __version__
from staticpy.check import Hidden
from staticpy.cli.formats.run import Run
from staticpy.diagnostics import Severity, as_json


def json_array(run: Run) -> str:
    """An array of findings."""
    return json.dumps([as_json(item) for item in run.findings], indent=2) + "\n"


def json_lines(run: Run) -> str:
    """A finding a line."""
    return "".join(json.dumps(as_json(item)) + "\n" for item in run.findings)


def report(run: Run) -> str:
    """The whole run: what was checked, found and hidden, and how it ended."""
    document = {
        "version": __version__,
        "exit_code": run.exit_code,
        "summary": {
            "files": run.checked,
            "unreadable": len(run.results) - run.checked,
            "unchecked_functions": run.unchecked,
            "hidden": sum(1 for _ in run.hidden),
            **{str(kind): run.counts[kind] for kind in Severity},
        },
        "files": [
            {
                "filename": result.file,
                "findings": len(result.findings),
                "hidden": len(result.hidden),
                "unchecked_functions": result.unchecked,
                "unreadable": result.unreadable,
                "functions": [function._asdict() for function in result.functions],
            }
            for result in run.results
        ],
        "findings": [as_json(item) for item in run.findings],
        "hidden": [_hidden(item) for item in run.hidden],
    }
    return json.dumps(document, indent=2) + "\n"


def _hidden(item: Hidden) -> dict[str, object]:
    by = "comment" if item.kind == "inSource" else "baseline"
    return {"by": by, "reason": item.reason or None, "finding": as_json(item.finding)}
