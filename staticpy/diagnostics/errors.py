"""The exceptions that a user of staticpy meets."""

from __future__ import annotations

from collections.abc import Iterable

from staticpy.diagnostics.render import render_full, source_lines
from staticpy.diagnostics.snippet import SourceLines
from staticpy.diagnostics.spec import Diagnostic


class StaticpyError(Exception):
    """The base of the errors that are staticpy's own; Python's and NumPy's keep their classes."""


class CompileError(StaticpyError):
    """A function that can't be compiled, with every reason that was found.

    ``str(error)`` is the whole report: source lines, carets, help. ``error.diagnostics`` are the
    findings themselves. ``lines`` says where source text comes from; without it, ``linecache``.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], lines: SourceLines = source_lines
    ) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        self._lines = lines
        super().__init__(self.diagnostics)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the diagnostics, in order."""
        return tuple(diagnostic.code for diagnostic in self.diagnostics)

    def __str__(self) -> str:
        # It starts on a line of its own, below the name of the exception.
        return "\n" + render_full(self.diagnostics, self._lines)


class TensorError(CompileError, TypeError):
    """What can't be done with a Tensor, at the line of the program. It is a TypeError as well: so
    Python's and NumPy's protocols know that they are to try nothing else.
    """
