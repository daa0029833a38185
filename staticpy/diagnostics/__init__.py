"""Diagnostics: what is said to the user, defined once and rendered in one place.

In: a ``DiagnosticSpec`` of ``catalog``, a span and the values of its message. Out: text for a
terminal, JSON for a tool, or a ``CompileError``. Every stage below and above speaks through this
package; it imports nothing but ``staticpy.source``.
"""

from staticpy.diagnostics import catalog
from staticpy.diagnostics.edits import edited
from staticpy.diagnostics.errors import CompileError, StaticpyError, TensorError
from staticpy.diagnostics.render import (
    as_json,
    category,
    render_concise,
    render_full,
    render_json,
    source_lines,
)
from staticpy.diagnostics.snippet import SourceLines
from staticpy.diagnostics.spec import (
    Diagnostic,
    DiagnosticError,
    Diagnostics,
    DiagnosticSpec,
    Edit,
    Fix,
    Label,
    Severity,
    with_label,
)
from staticpy.diagnostics.text import escape, shown_value

__all__ = [
    "CompileError",
    "Diagnostic",
    "DiagnosticError",
    "DiagnosticSpec",
    "Diagnostics",
    "Edit",
    "Fix",
    "Label",
    "Severity",
    "SourceLines",
    "StaticpyError",
    "TensorError",
    "as_json",
    "catalog",
    "category",
    "edited",
    "escape",
    "render_concise",
    "render_full",
    "render_json",
    "shown_value",
    "source_lines",
    "with_label",
]
