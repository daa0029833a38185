"""Tracebacks in the user's terms.

In: an exception that left generated code, and the map from the lines of that code to spans of the
user's source. Out: the same exception, whose traceback shows the user's file, line, columns and
function, one frame for each call that was inlined, in place of the frames of generated code and of
staticpy.

A frame can't be made from nothing, so that each one comes from running a ``raise`` that was
compiled at the position of the span (the way Jinja2 does it).
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, TracebackType
from typing import TypeVar

from staticpy.diagnostics import CompileError, DiagnosticError
from staticpy.source import NO_SPAN, OWN_FILES, SourceSpan

_E = TypeVar("_E", bound=BaseException)

_ENTRY = "<staticpy entry "

Spans = Mapping[str, Mapping[int, SourceSpan]]
"""For each file name of generated code, the span of each of its lines."""


def in_users_terms(error: _E, spans: Spans) -> _E:
    """Rewrite the traceback of ``error``, which the calling frame caught.

    Args:
        error: what the compiled code raised.
        spans: for each file name of generated code, the span of each of its lines.

    Returns:
        ``error`` itself, with the frames below the calling one rewritten and without that one,
        which raising adds again.
    """
    below = error.__traceback__.tb_next if error.__traceback__ else None
    return _with_frames(error, _rewritten(below, spans))


def raised_natively(error: BaseException, spans: Spans) -> BaseException:
    """The same of what native code raised with no frame around it: the exception to raise."""
    refusal = refused_at_run_time(error, spans)
    if refusal is not None:
        refusal.__cause__ = None  # as ``from None``
        error = refusal
    return _with_frames(error, _rewritten(error.__traceback__, spans))


def _with_frames(error: _E, rewritten: Iterator[TracebackType]) -> _E:
    frames = list(rewritten)
    chain: TracebackType | None = None
    for frame in reversed(frames):
        chain = TracebackType(chain, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    error.__traceback__ = chain
    return error


def refused_at_run_time(error: BaseException, spans: Spans) -> CompileError | None:
    """The CompileError for what an op refuses only once it sees the values; None for any other."""
    if not isinstance(error, DiagnosticError):
        return None
    span, traceback = NO_SPAN, error.__traceback__
    while traceback is not None:
        lines = spans.get(traceback.tb_frame.f_code.co_filename, {})
        span = lines.get(traceback.tb_lineno, span)
        traceback = traceback.tb_next
    refusal = CompileError([error.diagnostic(span)])
    return refusal.with_traceback(error.__traceback__)


def _rewritten(traceback: TracebackType | None, spans: Spans) -> Iterator[TracebackType]:
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        if filename in spans:
            span = spans[filename].get(traceback.tb_lineno)
            yield from _frames_of(span) if span else ()
        elif not filename.startswith((_ENTRY, OWN_FILES)):
            yield traceback
        traceback = traceback.tb_next


def _frames_of(span: SourceSpan) -> list[TracebackType]:
    """One frame for each function of the chain of calls that ``span`` was inlined through."""
    chain = [span]
    while (call := chain[-1].inlined_at) is not None:
        chain.append(call)
    return [_frame_at(each) for each in reversed(chain) if each.line > 0]


def _frame_at(span: SourceSpan) -> TracebackType:
    try:
        exec(_raise_at(span), {"__name__": "staticpy", "__file__": span.file})
    except ZeroDivisionError:
        traceback = sys.exc_info()[2]
        assert traceback is not None
        assert traceback.tb_next is not None
        return traceback.tb_next
    raise AssertionError("the compiled code did not raise")


def _raise_at(span: SourceSpan) -> CodeType:
    """Code that raises at the position of ``span``, in a function named as the user's."""
    tree = ast.parse("1 // 0")
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr):
            node.lineno, node.end_lineno = span.line, span.end_line
            node.col_offset = _byte_column(span.file, span.line, span.col)
            node.end_col_offset = _byte_column(span.file, span.end_line, span.end_col)
    code = compile(tree, span.file, "exec")
    name = span.function.rpartition(".")[2] or "<module>"
    return code.replace(co_name=name, co_qualname=span.function or name)


def _byte_column(file: str, line: int, column: int) -> int:
    """A column in UTF-8 bytes, in which code objects count, for one in characters."""
    text = linecache.getline(file, line)
    return len(text[:column].encode("utf-8", "surrogatepass")) if text else column
