"""The programs that are differentiated, of all modules that enter some."""

from __future__ import annotations

from tests.autodiff import (  # noqa: F401 - their programs
    numerical_programs,
    recursive_trying_programs,
    testing_programs,
    trying_arrays_programs,
    trying_programs,
    trying_writes_programs,
    view_programs,
    writing_programs,
)
from tests.autodiff.programs import PROGRAMS, X

__all__ = ["PROGRAMS", "X"]
