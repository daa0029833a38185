"""``staticpy check``: what in these files could not be compiled, without importing or running them.

In: the arguments. Out: reports and an exit code. The findings are those of ``staticpy.check``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence

from staticpy.check import (
    STDIN,
    Baseline,
    Cache,
    Checker,
    FileResult,
    SettingsError,
    Target,
    as_table,
    check_files,
    discover,
    gathered,
    is_excluded,
    read_baseline,
    read_stdin,
    without_effect,
)
from staticpy.cli import arguments, rewriting
from staticpy.cli.console import warn
from staticpy.cli.exits import FINDINGS, INTERNAL, OK, USAGE
from staticpy.cli.formats import Run
from staticpy.cli.outputs import Output, outputs_of
from staticpy.cli.texts import Texts
from staticpy.cli.types import print_types
from staticpy.cli.watch import watch
from staticpy.diagnostics import Severity


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``staticpy check``."""
    arguments.add_parser(commands).set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the paths, write the reports, return the exit code."""
    try:
        if options.watch:
            return watch(options.paths, lambda: _watched(options))
        return _Check(options).run()
    except SettingsError as error:
        warn(str(error))
        return USAGE


def _watched(options: argparse.Namespace) -> set[str]:
    """Check once, and give the other files that this depends on."""
    check = _Check(options)
    check.run()
    return check.read


class _Check:
    """One run of the command.

    Raises:
        SettingsError: an argument or a setting can't be meant.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._settings = arguments.settings_of(options)
        folder = self._settings.path(self._settings.cache_dir)
        cache = None if options.no_cache else Cache(folder)
        self._checker = Checker(self._settings, is_verbose=options.verbose, cache=cache)
        for selector in without_effect(self._settings):
            warn(f"'{selector}' is in preview: it is reported with '--preview' only")
        self._outputs = outputs_of(options, self._settings)
        self._texts = Texts()
        self.read: set[str] = set()
        """The files that the checked ones depend on, after ``run``."""

    def run(self) -> int:
        """Do what the options ask for."""
        options = self._options
        if options.show_settings:
            place = str(self._settings.file) if self._settings.file else None
            print(json.dumps({"file": place, **as_table(self._settings)}, indent=2))
            return OK
        targets = list(self._targets())
        if options.show_files:
            sys.stdout.writelines(f"{target.path}\n" for target in targets)
            return OK
        if options.explain_types:
            is_json = any(output.style == "json" for output in self._outputs)
            return print_types(self._checker, targets, is_json=is_json)
        baseline = self._baseline()
        results = list(check_files(self._checker, targets, options.jobs))
        self.read = {file for result in results for file in result.read}
        unreadable = [result for result in results if result.unreadable is not None]
        for result in unreadable:
            warn(f"cannot read '{result.file}': {result.unreadable}")
        if options.diff or options.fix or options.fix_only or options.add_ignore is not None:
            code = self._rewrite(targets, results, baseline)
            return max(code, USAGE) if unreadable else code
        return self._report(gathered(self._checker, targets, results), baseline)

    def _targets(self) -> Sequence[Target]:
        """The files to check; standard input with what it holds."""
        name = self._options.stdin_filename
        found = [
            Target(name, True, read_stdin()) if target.path == STDIN and target.is_named else target
            for target in discover(self._options.paths, self._settings)
        ]
        if self._settings.force_exclude and is_excluded(name, self._settings):
            found = [target for target in found if target.data is None]
        if not found:
            warn("no Python files under the given paths")
        for target in found:
            if target.data is not None:
                self._texts.keep(target.path, target.data)
        return found

    def _baseline(self) -> Baseline | None:
        name, is_update = self._settings.baseline, self._options.update_baseline
        if name is None:
            if is_update:
                raise SettingsError("'--update-baseline' needs '--baseline FILE' or the setting")
            return None
        return read_baseline(self._settings.path(name), may_be_missing=is_update)

    def _rewrite(
        self, targets: Sequence[Target], results: Sequence[FileResult], baseline: Baseline | None
    ) -> int:
        """Change the files, or show how they would be changed; then report what is left."""
        options = self._options
        if options.add_ignore is not None:
            found = gathered(self._checker, targets, results)
            applied = [baseline.apply(result) if baseline else result for result in found]
            code = rewriting.add_ignores(applied, options.add_ignore)
            return max(code, rewriting.say_unchecked(found))
        if baseline:
            results = [baseline.apply(result) for result in results]
        rewritten = rewriting.Rewriting(self._checker, options, self._texts)
        if options.diff:
            return max(rewritten.show(targets, results), rewriting.say_unchecked(results))
        left = rewritten.write(targets, results)
        self._texts.forget()
        if options.fix_only:
            return rewriting.say_unchecked(results)
        if rewritten.has_written and any(result.elsewhere for result in results):
            left = list(check_files(self._checker, targets, options.jobs))
        found = gathered(self._checker, targets, left)
        return self._report(found, baseline, rewritten.notes())

    def _report(
        self, results: Sequence[FileResult], baseline: Baseline | None, notes: Sequence[str] = ()
    ) -> int:
        """Write the reports, and say how the command ends."""
        notes = list(notes)
        if baseline and self._options.update_baseline:
            self._update(baseline, results)
        if baseline:
            gone = sum(map(baseline.gone, results))
            if gone:
                notes.append(f"{gone} of what the baseline counts is mended: --update-baseline.")
            results = [baseline.apply(result) for result in results]
        code = self._exit_code(results)
        report = Run(results, self._texts.lines, exit_code=code, notes=notes)
        report.quiet, report.verbose = self._options.quiet, self._options.verbose
        report.lists_functions = self._settings.scope == "all"
        if self._options.statistics:
            print_statistics(report, self._outputs)
            return code
        is_written = [output.write(report) for output in self._outputs]
        return code if all(is_written) else USAGE

    def _update(self, baseline: Baseline, results: Sequence[FileResult]) -> None:
        baseline.update(result for result in results if result.unreadable is None)
        file = self._settings.path(str(self._settings.baseline))
        try:
            file.write_text(baseline.as_json(), encoding="utf-8")
        except OSError as error:
            raise SettingsError(f"cannot be written: {error.strerror}", str(file)) from None

    def _exit_code(self, results: Sequence[FileResult]) -> int:
        if any(result.has_failed for result in results):
            return INTERNAL
        if any(result.unreadable is not None for result in results):
            return USAGE
        failing = {Severity.ERROR}
        if self._settings.error_on_warning:
            failing.add(Severity.WARNING)
        has_failed = any(item.severity in failing for each in results for item in each.findings)
        return FINDINGS if has_failed and not self._options.exit_zero else OK


def print_statistics(report: Run, outputs: Sequence[Output]) -> None:
    """How many findings each rule has, the most first."""
    counts = Counter((item.code, item.spec.slug) for item in report.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    if any(output.style == "json" for output in outputs):
        items = [{"code": code, "name": name, "count": count} for (code, name), count in rows]
        print(json.dumps(items, indent=2))
        return
    widest = len(str(max(counts.values(), default=0)))
    for (code, name), count in rows:
        print(f"{count:{widest}}  {code}  {name}")
