"""Passes in their order.

In: a verified Module. Out: the same Module, changed in place, valid again, and equivalent in
everything a caller can see: values, boxes, dtypes, identity of arrays, exceptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Module, verify
from staticpy.passes.cse import cse
from staticpy.passes.dce import dce
from staticpy.passes.fold import fold
from staticpy.passes.inline import inline
from staticpy.passes.licm import licm
from staticpy.passes.simplify import simplify
from staticpy.source import NO_SPAN


class Pass(Protocol):
    """A function, or an object with ``__call__``, that changes a module in place.

    Valid in, valid out: it changes the graph through Builder and rewriter alone.
    """

    def __call__(self, module: Module, /) -> None:
        """Change ``module`` in place."""


class PassManager:
    """Runs passes one after the other.

    With ``verify_each`` the graph is checked before the first pass and after each; a graph that is
    not valid is reported with the name of the pass that made it so.
    """

    def __init__(self, passes: Sequence[Pass], *, verify_each: bool = False) -> None:
        self.passes = list(passes)
        self.verify_each = verify_each

    def run(self, module: Module) -> None:
        """Run all passes on ``module``.

        Raises:
            DiagnosticError: INVALID_IR, if ``verify_each`` finds a pass that broke the graph.
        """
        if self.verify_each:
            verify(module)
        for pass_ in self.passes:
            pass_(module)
            if self.verify_each:
                _verify_after(pass_, module)


def default_pipeline(*, verify_each: bool = False) -> PassManager:
    """The passes that every compilation runs.

    Folding and simplifying make each other's work; the second round sees what merging and moving
    brought together.
    """
    cleanup = [fold, simplify, cse]
    return PassManager([inline, *cleanup, licm, *cleanup, dce], verify_each=verify_each)


def optimize(module: Module) -> None:
    """Run the default pipeline on ``module``."""
    default_pipeline().run(module)


def _verify_after(pass_: Pass, module: Module) -> None:
    try:
        verify(module)
    except DiagnosticError as error:
        name = getattr(pass_, "__name__", type(pass_).__name__)
        detail = f"after the pass '{name}': {error.diagnostic(NO_SPAN).args['detail']}"
        raise DiagnosticError(catalog.INVALID_IR, error.span, detail=detail) from error
