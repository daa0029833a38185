"""How far the functions of a file are from being graphs: the summary of ``check``.

In: what was found in each function. Out: a FunctionSummary each, and the verdict on the file. A
function is

    ready                   it compiles as it stands
    ready after n fixes     n places keep it from compiling, and each can be written in another way
    not a graph             it does something that no graph does: it waits, yields to its caller,
                            runs text as code, or calls what works outside of the program
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from staticpy.diagnostics import Diagnostic, Severity, catalog
from staticpy.source import SourceSpan


class Verdict(StrEnum):
    """How far a function, or a file, is from being a graph."""

    READY = "ready"
    AFTER_FIXES = "ready after fixes"
    NOT_A_GRAPH = "not a graph"


_NO_GRAPH = frozenset(
    spec.code
    for spec in (
        catalog.ASYNC_CODE,
        catalog.CLASS_DEFINITION,
        catalog.ESCAPING_GENERATOR,
        catalog.EXCEPTION_GROUP,
        catalog.UNSUPPORTED_CALL,
        catalog.UNSUPPORTED_IMPORT,
        catalog.UNSUPPORTED_SYNTAX,
        catalog.YIELD_VALUE,
    )
)
"""The kinds of errors for which there is no other way to write the same."""


UNCHECKED = (catalog.UNCHECKED_REST, catalog.UNCHECKED_TYPES)
"""What says that something could not be checked."""


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """One function.

    ``span`` is its definition, with its qualified name as ``span.function``; ``fixes`` the number
    of places that keep it from compiling, also those in what it calls; ``is_partial`` says that
    some of it could not be checked, as the types of its parameters, or what it uses, are not known.
    """

    span: SourceSpan
    verdict: Verdict
    fixes: int
    is_partial: bool

    def __str__(self) -> str:
        return in_words(self.verdict, self.fixes)


def summarize(span: SourceSpan, found: Iterable[Diagnostic]) -> FunctionSummary:
    """The summary of the function at ``span``, in which ``found`` was found."""
    found = list(found)
    errors = [item for item in found if item.spec.severity is Severity.ERROR]
    places = {(item.code, item.function, item.span.place) for item in errors}
    verdict = Verdict.AFTER_FIXES if errors else Verdict.READY
    if any(item.code in _NO_GRAPH for item in errors):
        verdict = Verdict.NOT_A_GRAPH
    is_partial = any(item.spec in UNCHECKED for item in found)
    return FunctionSummary(span, verdict, len(places), is_partial)


def verdict_on_file(functions: Iterable[FunctionSummary]) -> Verdict:
    """The verdict on a file: that on the function that is farthest from being a graph."""
    order = list(Verdict)
    return max((each.verdict for each in functions), key=order.index, default=Verdict.READY)


def in_words(verdict: Verdict, fixes: int) -> str:
    """``ready after 2 fixes``."""
    if verdict is not Verdict.AFTER_FIXES:
        return str(verdict)
    return f"ready after {fixes} fix{'' if fixes == 1 else 'es'}"
