"""What services show beside the changed lines: GitHub, GitLab, JUnit's readers and reviewdog."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape as escape_html

from staticpy.cli.formats.run import Run, portable
from staticpy.diagnostics import Diagnostic, Severity, escape
from staticpy.source import SourceSpan

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def github(run: Run) -> str:
    """Workflow commands: an annotation for each finding."""
    return "".join(f"{_command(item)}\n" for item in run.findings)


def _command(item: Diagnostic) -> str:
    span = item.span
    line, end_line = max(span.line, 1), max(span.end_line, 1)
    properties = {
        "title": f"staticpy {item.code} {item.spec.slug}",
        "file": portable(span.file),
        "line": str(line),
        "endLine": str(end_line),
    }
    if line == end_line:  # GitHub refuses columns of several lines
        properties |= {"col": str(span.col + 1), "endColumn": str(max(span.end_col, span.col + 1))}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    place = f"{portable(span.file)}:{line}:{span.col + 1}"
    message = f"{place}: {item.code} {item.message}"
    return f"::{_GITHUB[item.severity]} {given}::{_data(message)}"


def _data(text: str) -> str:
    """The text of a command: nothing in it can begin another one."""
    return escape(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def gitlab(run: Run) -> str:
    """A report of GitLab's code quality."""
    items = [
        {
            "description": f"{item.code}: {item.message}",
            "check_name": item.code,
            "fingerprint": fingerprint,
            "severity": _GITLAB[item.severity],
            "location": {
                "path": portable(item.span.file),
                "positions": {
                    "begin": {"line": max(item.span.line, 1), "column": item.span.col + 1},
                    "end": {"line": max(item.span.end_line, 1), "column": item.span.end_col + 1},
                },
            },
        }
        for item, fingerprint in run.fingerprints()
    ]
    return json.dumps(items, indent=2) + "\n"


def junit(run: Run) -> str:
    """Test suites: one for each file, in which each finding is a test that fails."""
    found = sum(run.counts.values())
    head = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="staticpy" tests="{max(found, run.checked)}" failures="{found}"'
        ' errors="0">',
    ]
    body: list[str] = []
    for result in run.results:
        tests = [_testcase(item) for item in result.findings]
        passed = [f'    <testcase name="check" classname={_attribute(portable(result.file))}/>']
        name, count = _attribute(portable(result.file)), len(tests)
        body.append(
            f'  <testsuite name={name} tests="{max(count, 1)}" failures="{count}" errors="0">'
        )
        body += [*(tests or passed), "  </testsuite>"]
    return "\n".join([*head, *body, "</testsuites>", ""])


def _testcase(item: Diagnostic) -> str:
    span = item.span
    name = _attribute(f"{item.code} {item.spec.slug}")
    place = f'line="{max(span.line, 1)}" column="{span.col + 1}"'
    message = _attribute(f"line {span.line}, col {span.col + 1}: {item.message}")
    return (
        f"    <testcase name={name} classname={_attribute(portable(span.file))} {place}>\n"
        f'      <failure type="{item.severity}" message={message}/>\n    </testcase>'
    )


def _attribute(text: str) -> str:
    """A quoted attribute; XML has no form at all for most control characters."""
    return f'"{escape_html(escape(text))}"'


def rdjson(run: Run) -> str:
    """A DiagnosticResult of reviewdog, whose columns count bytes of UTF-8."""
    document = {
        "source": {"name": "staticpy"},
        "severity": "ERROR" if run.counts[Severity.ERROR] else "WARNING",
        "diagnostics": [_rd_diagnostic(item, run) for item in run.findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _rd_diagnostic(item: Diagnostic, run: Run) -> Mapping[str, object]:
    edits = item.fix.edits if item.fix else ()
    return {
        "message": item.message,
        "location": _rd_location(item.span, run),
        "severity": str(item.severity).upper(),
        "code": {"value": item.code},
        "suggestions": [{"range": _rd_range(e.span, run), "text": e.text} for e in edits],
        "relatedLocations": [
            {"message": label.text, "location": _rd_location(label.span, run)}
            for label in item.labels
        ],
    }


def _rd_location(span: SourceSpan, run: Run) -> Mapping[str, object]:
    return {"path": portable(span.file), "range": _rd_range(span, run)}


def _rd_range(span: SourceSpan, run: Run) -> Mapping[str, object]:
    lines = run.lines(span.file)

    def place(line: int, col: int) -> Mapping[str, int]:
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        before = text[:col].encode("utf-8", "surrogatepass")
        return {"line": max(line, 1), "column": len(before) + 1}

    return {"start": place(span.line, span.col), "end": place(span.end_line, span.end_col)}
