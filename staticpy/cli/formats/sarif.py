"""SARIF 2.1.0, as GitHub's code scanning and editors read it.

Source of the format: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from staticpy import __version__
from staticpy.check import Hidden
from staticpy.cli.formats.run import Run, digest
from staticpy.diagnostics import (
    Diagnostic,
    DiagnosticSpec,
    Edit,
    Severity,
    catalog,
    category,
    escape,
)
from staticpy.source import SourceSpan

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ROOT = "SRCROOT"
_Values = Mapping[str, object]


def sarif(run: Run) -> str:
    """One run: its rules, its results (the hidden ones, too), and how it ended."""
    found = [*run.findings, *(item.finding for item in run.hidden)]
    specs = sorted({item.code for item in found})
    index = {code: number for number, code in enumerate(specs)}
    results = [_result(item, index, fingerprint, run) for item, fingerprint in run.fingerprints()]
    results += [_hidden(item, index, run) for item in run.hidden]
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "staticpy",
                        "semanticVersion": __version__,
                        "version": __version__,
                        "rules": [_rule(catalog.by_code(code)) for code in specs],
                    }
                },
                "automationDetails": {"id": "staticpy/check/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri()}/"}},
                "invocations": [_invocation(run)],
                "results": results,
            }
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _rule(spec: DiagnosticSpec) -> _Values:
    return {
        "id": spec.code,
        "name": "".join(part.capitalize() for part in spec.slug.split("-")),
        "shortDescription": {"text": spec.message},
        "fullDescription": {"text": spec.explanation.strip()},
        "help": {"text": spec.help, "markdown": _markdown(spec)},
        "defaultConfiguration": {"level": _LEVELS[spec.severity]},
        "properties": {"tags": ["staticpy", category(spec.code)]},
    }


def _markdown(spec: DiagnosticSpec) -> str:
    examples = [
        f"**{title}**\n\n```python\n{program.strip()}\n```"
        for title, program in (("Refused", spec.bad), ("Accepted", spec.good))
    ]
    return "\n\n".join([spec.explanation.strip(), f"**Help:** {spec.help}", *examples])


def _invocation(run: Run) -> _Values:
    failed = [result.file for result in run.results if result.has_failed]
    notes = [f"cannot read {each.file}" for each in run.results if each.unreadable is not None]
    notes += [f"staticpy failed on {file}" for file in failed]
    return {
        "executionSuccessful": not notes,
        "exitCode": run.exit_code,
        "toolExecutionNotifications": [
            {"level": "error", "message": {"text": escape(note)}} for note in notes
        ],
    }


def _result(item: Diagnostic, index: Mapping[str, int], fingerprint: str, run: Run) -> _Values:
    text = f"{item.message}\n{item.help}" if item.help else item.message
    result: dict[str, object] = {
        "ruleId": item.code,
        "ruleIndex": index[item.code],
        "level": _LEVELS[item.severity],
        "message": {"text": text},
        "locations": [_location(item.span)],
        "partialFingerprints": {"staticpy/v1": fingerprint},
    }
    if item.labels:
        labels = enumerate(item.labels)
        result["relatedLocations"] = [_location(each.span, each.text, n) for n, each in labels]
    calls = _calls(item.span)
    if calls:
        steps = [{"location": _location(call, "called here")} for call in reversed(calls)]
        end = {"location": _location(item.span, item.message)}
        result["codeFlows"] = [{"threadFlows": [{"locations": [*steps, end]}]}]
    if item.fix:
        result["fixes"] = [_fix(item.fix.title, item.fix.edits)]
    return result


def _hidden(item: Hidden, index: Mapping[str, int], run: Run) -> _Values:
    fingerprint = digest(f"{run.key(item.finding)}\0hidden")
    suppression = {"kind": item.kind, "status": "accepted"}
    if item.reason:
        suppression["justification"] = escape(item.reason)
    result = _result(item.finding, index, fingerprint, run)
    return {**result, "suppressions": [suppression]}


def _calls(span: SourceSpan) -> list[SourceSpan]:
    """The calls that lead to a span, the nearest first."""
    found, call = [], span.inlined_at
    while call is not None:
        found.append(call)
        call = call.inlined_at
    return found


def _location(span: SourceSpan, text: str = "", number: int | None = None) -> _Values:
    location: dict[str, object] = {
        "physicalLocation": {"artifactLocation": _artifact(span.file), "region": _region(span)}
    }
    if number is not None:
        location["id"] = number
    if text:
        location["message"] = {"text": text}
    if span.function:
        logical = {"fullyQualifiedName": span.function, "kind": "function"}
        location["logicalLocations"] = [logical]
    return location


def _region(span: SourceSpan) -> _Values:
    return {
        "startLine": max(span.line, 1),
        "startColumn": span.col + 1,
        "endLine": max(span.end_line, 1),
        "endColumn": span.end_col + 1,
    }


def _artifact(file: str) -> _Values:
    """A file below the current folder relative to it, any other one by its whole path."""
    below = os.path.relpath(file)
    if below.startswith(".."):
        return {"uri": f"file://{quote(os.fsencode(Path(file).absolute()))}"}
    return {"uri": quote(os.fsencode(below.replace(os.sep, "/"))), "uriBaseId": _ROOT}


def _fix(title: str, edits: Sequence[Edit]) -> _Values:
    changes: dict[str, list[_Values]] = {}
    for edit in edits:
        replacement = {
            "deletedRegion": _region(edit.span),
            "insertedContent": {"text": edit.text},
        }
        changes.setdefault(edit.span.file, []).append(replacement)
    return {
        "description": {"text": title},
        "artifactChanges": [
            {"artifactLocation": _artifact(file), "replacements": parts}
            for file, parts in changes.items()
        ],
    }
