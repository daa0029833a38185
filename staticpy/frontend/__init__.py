"""The frontend: the source of a function → a verified graph, or diagnostics.

In: a SourceUnit and the arguments, live (``jit``) or declared (``check``). Out: an Analysis. The
one package that knows gast; it loads no backend.
"""

from staticpy.frontend.analyze import analyze, deep_recursion
from staticpy.frontend.annotations import ArrayAnnotation
from staticpy.frontend.axes import substituted
from staticpy.frontend.check import (
    FileReport,
    Stages,
    check_file,
    check_text,
    lower_function,
)
from staticpy.frontend.declared import declared_arguments
from staticpy.frontend.embed import build_module
from staticpy.frontend.inputs import (
    Argument,
    BindingTimes,
    Declared,
    Guard,
    Input,
    Instance,
    Object,
    Path,
    SizeAt,
    SizeRelation,
    map_tree,
)
from staticpy.frontend.listing import render_listing
from staticpy.frontend.lower import Analysis, Result
from staticpy.frontend.lowered_as import lowered_as
from staticpy.frontend.notes import Note, Notes
from staticpy.frontend.project import Project, Reader
from staticpy.frontend.scope import RuntimeScope, Scope
from staticpy.frontend.static_scope import StaticModule, StaticScope
from staticpy.frontend.summary import FunctionSummary, Verdict, in_words, verdict_on_file

__all__ = [
    "Analysis",
    "Argument",
    "ArrayAnnotation",
    "BindingTimes",
    "Declared",
    "FileReport",
    "FunctionSummary",
    "Guard",
    "Input",
    "Instance",
    "Note",
    "Notes",
    "Object",
    "Path",
    "Project",
    "Reader",
    "Result",
    "RuntimeScope",
    "Scope",
    "SizeAt",
    "SizeRelation",
    "Stages",
    "StaticModule",
    "StaticScope",
    "Verdict",
    "analyze",
    "build_module",
    "check_file",
    "check_text",
    "declared_arguments",
    "deep_recursion",
    "in_words",
    "lower_function",
    "lowered_as",
    "map_tree",
    "render_listing",
    "substituted",
    "verdict_on_file",
]
