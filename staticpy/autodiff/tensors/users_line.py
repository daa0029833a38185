"""Where the program is that uses Tensors, and what is said there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import numpy as np

from staticpy.diagnostics import (
    CompileError,
    DiagnosticError,
    Diagnostics,
    DiagnosticSpec,
    TensorError,
)
from staticpy.source import NO_SPAN, OWN_FILES, SourceSpan, line_span

Refusal = TypeVar("Refusal", bound=CompileError)

_NUMPY_FILES = str(Path(np.__file__).parent) + os.sep

_NOT_OF_USERS = (OWN_FILES, _NUMPY_FILES, "<staticpy ")  # the last is what the entries have


def users_line() -> SourceSpan:
    """The line of the program that is being run."""
    frame, _ = _users_frame()
    if frame is None:
        return NO_SPAN
    return line_span(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


def called_of_numpy() -> str:
    """The function of NumPy that the program has called, and that is written in Python; "" if there
    is none.
    """
    return _users_frame()[1]


def _users_frame() -> tuple[FrameType | None, str]:
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - inspect reads every file
    called = ""
    while frame is not None and frame.f_code.co_filename.startswith(_NOT_OF_USERS):
        if frame.f_code.co_filename.startswith(_NUMPY_FILES):
            called = frame.f_code.co_name
        frame = frame.f_back
    return frame, called


def refused(spec: DiagnosticSpec, **values: Any) -> TensorError:
    """The error of what can't be done with Tensors, at the line of the program."""
    diagnostics = Diagnostics()
    diagnostics.append(DiagnosticError(spec, None, **values).diagnostic(users_line()))
    return _noted(TensorError(diagnostics))


class SaidAtUsersLine:
    """A ``with`` that makes what is refused in it the error of the program, at its line."""

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, DiagnosticError):
            diagnostics = Diagnostics()
            diagnostics.append(error.diagnostic(users_line()))
            raise _noted(CompileError(diagnostics)) from None


_REFUSALS: ContextVar[list[CompileError] | None] = ContextVar("_REFUSALS", default=None)


@contextmanager
def no_refusal_is_caught() -> Iterator[None]:
    """A ``with`` that ends with what was refused in it, even where the program has caught that, as
    ``except Exception`` does: it must not go on after it.
    """
    own: list[CompileError] = []
    outer = _REFUSALS.get()
    token = _REFUSALS.set(own)
    try:
        yield
    finally:
        _REFUSALS.reset(token)
        if outer is not None:
            outer += own
    if own:
        raise own[0]


def _noted(error: Refusal) -> Refusal:
    refusals = _REFUSALS.get()
    if refusals is not None:
        refusals.append(error)
    return error


said_at_users_line = SaidAtUsersLine()
