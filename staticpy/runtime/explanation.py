"""``explain``: what compiling a function for some arguments found out, line by line.

In: a function and the arguments of a call. Out: on standard output, the function's source with the
types and binding times of its variables and what became of its tests and loops; or the report of
why it can't be compiled. Nothing is run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from staticpy.diagnostics import CompileError, source_lines
from staticpy.frontend import render_listing
from staticpy.runtime.decorator import jit
from staticpy.source import from_function


def explain(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
    """Print the source of ``fn`` with what the compiler knows of each line.

    For each line: which values are known while compiling and which at run time, their types, which
    tests were folded, which loops were unrolled or kept, which functions were called and what is
    written in place. The functions that ``fn`` calls follow. ``fn`` is compiled for these
    arguments, and not run. Where it can't be compiled, the reasons are printed.

    Args:
        fn: a Python function or method; the options of a jitted one hold.
        args: positional arguments of a call.
        kwargs: keyword arguments of a call.

    Raises:
        TypeError: the arguments don't match the parameters, as in any call.
        CompileError: SPY010, ``fn`` is not a Python function.
    """
    compiled = jit(fn)
    try:
        notes = compiled.lower(*args, **kwargs).notes
    except CompileError as error:
        text = str(error).lstrip("\n")
    else:
        text = render_listing(from_function(compiled.__wrapped__), notes, source_lines)
    sys.stdout.write(f"{text}\n")
