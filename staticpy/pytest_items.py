"""What ``pytest --staticpy-check`` collects: a test for each Python file.

In: a path. Out: a test that passes where ``staticpy check`` finds no errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest

from staticpy.check import Checker, FileResult, Target, gathered, is_excluded, load
from staticpy.diagnostics import Severity, render_full
from staticpy.source import SourceError, read_text


class NotCompilableError(Exception):
    """The findings of a file."""


class CheckFile(pytest.File):
    """A Python file."""

    def collect(self) -> Iterator[CheckItem]:
        """Its one test; none where the settings leave the file out."""
        if not is_excluded(str(self.path), checker_for(self.config.rootpath).settings):
            yield CheckItem.from_parent(self, name="staticpy")


class CheckItem(pytest.Item):
    """The test that a file can be compiled."""

    funcargs: ClassVar[dict[str, object]] = {}
    """None. Plugins such as pytest-lsp's ask any test for them."""

    def runtest(self) -> None:
        """Check the file."""
        checker = checker_for(self.config.rootpath)
        target = Target(str(self.path), True)
        for result in gathered(checker, [target], [checker.check(target)]):
            if is_failure(result, checker):
                raise NotCompilableError(_text(result, self.config.rootpath))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The findings, without a traceback of pytest."""
        if isinstance(excinfo.value, NotCompilableError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is."""
        return self.path, None, "staticpy check"


@cache
def checker_for(root: Path) -> Checker:
    """The checker with the settings of the project."""
    return Checker(load(root))


def is_failure(result: FileResult, checker: Checker) -> bool:
    """Whether the findings of a file make its test fail."""
    failing = {Severity.ERROR}
    if checker.settings.error_on_warning:
        failing.add(Severity.WARNING)
    is_wrong = any(item.severity in failing for item in result.findings)
    return is_wrong or result.unreadable is not None


def _text(result: FileResult, root: Path) -> str:
    if result.unreadable is not None:
        return f"cannot read '{result.file}': {result.unreadable}"
    return render_full(result.findings, lambda file: _lines(root / file))


def _lines(file: Path) -> list[str]:
    """The lines of a file; none where it can't be read, which is a finding of its own."""
    try:
        return read_text(file).split("\n")
    except SourceError:
        return []
