"""Findings that were there when a project began to be checked, and are not reported until touched.

In: a file of counts, and results. Out: the results without what the file counts. An entry is found
by file, function and code, so that it outlives edits elsewhere in the file. Where there are more
findings than were counted, all of them are reported: which is the new one can't be known.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from staticpy.check.core import FileResult, Hidden
from staticpy.check.files import relative
from staticpy.check.selection import ALWAYS
from staticpy.check.settings import SettingsError
from staticpy.diagnostics import Diagnostic

_VERSION = 1
Key = tuple[str, str]
"""Function and code."""


@dataclass(slots=True)
class Baseline:
    """The counts of each file; ``root`` is the folder that its names are relative to."""

    root: Path
    counts: dict[str, Counter[Key]] = field(default_factory=dict)

    def apply(self, result: FileResult) -> FileResult:
        """A result without the findings that were there before."""
        known = self.counts.get(relative(result.file, self.root))
        if not known:
            return result
        found = Counter(map(_key, result.findings))
        old = [
            item
            for item in result.findings
            if item.code not in ALWAYS and found[_key(item)] <= known[_key(item)]
        ]
        hidden = tuple(Hidden(item, "external") for item in old)
        kept = tuple(item for item in result.findings if item not in old)
        return replace(result, findings=kept, hidden=result.hidden + hidden)

    def gone(self, result: FileResult) -> int:
        """How many findings of a file are counted here and are not there any more."""
        known = self.counts.get(relative(result.file, self.root), Counter())
        found = Counter(map(_key, result.findings))
        return (known - found).total()

    def update(self, results: Iterable[FileResult]) -> None:
        """Count the findings of results in the place of what was counted of their files."""
        for result in results:
            name = relative(result.file, self.root)
            counts = Counter(_key(item) for item in result.findings if item.code not in ALWAYS)
            self.counts.pop(name, None)
            if counts:
                self.counts[name] = counts
        for name in [name for name in self.counts if not (self.root / name).exists()]:
            del self.counts[name]

    def as_json(self) -> str:
        """The text of the file: sorted, so that it merges."""
        files: dict[str, dict[str, dict[str, int]]] = {}
        for name, counts in sorted(self.counts.items()):
            for (function, code), count in sorted(counts.items()):
                files.setdefault(name, {}).setdefault(function, {})[code] = count
        return json.dumps({"version": _VERSION, "files": files}, indent=2) + "\n"


def _key(item: Diagnostic) -> Key:
    return item.span.function or "", item.code


def read_baseline(file: Path, *, may_be_missing: bool = False) -> Baseline:
    """The counts of a file.

    Raises:
        SettingsError: it can't be read, or is not a baseline.
    """
    baseline = Baseline(file.parent)
    try:
        document = json.loads(file.read_bytes())
    except FileNotFoundError:
        if may_be_missing:
            return baseline
        raise SettingsError(
            "there is no such baseline; '--update-baseline' makes it", str(file)
        ) from None
    except OSError as error:
        raise SettingsError(f"cannot be read: {error.strerror}", str(file)) from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"is not a baseline: {error}", str(file)) from None
    try:
        if document["version"] != _VERSION:
            raise SettingsError(f"is of version {document['version']}", str(file))
        for name, functions in document["files"].items():
            baseline.counts[name] = Counter(
                {
                    (function, code): int(count)
                    for function, codes in functions.items()
                    for code, count in codes.items()
                }
            )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SettingsError("is not a baseline", str(file)) from None
    return baseline
