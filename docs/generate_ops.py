"""Write the generated pages of the ops and of ``xp``: ``python docs/generate_ops.py``.

In: the registry of ops, the tables of names and the namespace. Out: ``docs/reference/ops.md`` and
``docs/reference/xp.md``. With ``--check``, nothing is written, and a page that differs ends the
command with 1.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from staticpy import xp  # noqa: E402  after the path
from staticpy.ir import TensorType  # noqa: E402
from staticpy.ops import (  # noqa: E402
    ATTRIBUTES,
    BUILTINS,
    FUNCTIONS,
    METHODS,
    REGISTRY,
    Effect,
    OpDef,
    sample_type,
)

PAGE = ROOT / "docs" / "reference" / "ops.md"
MARK = "<!-- Generated from staticpy/ops by docs/generate_ops.py: do not edit. -->"

NAMES = """\
# What a compiled function can call

The functions, methods and attributes below mean in a compiled function what they mean in NumPy and
Python, with the same parameters; so do NumPy's other names for them (`np.abs`, `np.concat`). A
parameter that is not supported yet (such as `order=` of `np.zeros`) is refused with a diagnostic as
soon as it is used."""

OPS = """\
## Ops

What the functions above become in the graph. Each op is defined once, in `staticpy/ops/`. The
example shows the types of operands and results. *raises*: may raise, so it is never dropped or
moved; *warns*: may give a floating-point warning; *view*: the result may share memory with an
operand."""


XP_PAGE = ROOT / "docs" / "reference" / "xp.md"
XP_MARK = "<!-- Generated from staticpy/xp by docs/generate_ops.py: do not edit. -->"

XP_NUMPY = f"""\
# The names of `staticpy.xp`

The functions, constants and dtypes of the Python array API standard {xp.__array_api_version__}.
[How to use them](../xp.md).

These are NumPy's own objects, with the parameters that NumPy gives them:"""

XP_OWN = """\
## Written in staticpy

NumPy lacks these in some version from 2.0 on, or they do something else there. They are written in
the language itself, and have just the parameters of the standard."""

_SINCE_3_13 = ("math.fma",)
_BEFORE_NUMPY_2_5 = ("row_stack",)
"""Left out: the page is the same whichever Python and NumPy write it."""


def _dotted(function: Any) -> str:
    return f"`np.{function.__name__}`"


def _functions() -> str:
    ufuncs = [f for f in FUNCTIONS if isinstance(f, np.ufunc) and f.signature is None]
    classes = [function for function in FUNCTIONS if isinstance(function, type)]
    others = [function for function in FUNCTIONS if function not in (*ufuncs, *classes)]
    others = [function for function in others if function.__name__ not in _BEFORE_NUMPY_2_5]
    parts = [
        ("Elementwise functions", ufuncs),
        ("Other functions", others),
        ("Scalar classes", classes),
    ]
    return "\n\n".join(
        f"**{title}.** {', '.join(sorted({*map(_dotted, functions)}))}."
        for title, functions in parts
    )


def _list(names: Mapping[str, Callable[..., Any]]) -> str:
    return ", ".join(f"`.{name}`" for name in sorted(names))


def _of_module(module: str, prefix: str = "") -> str:
    """The functions of one of Python's modules: ``_operator`` is what ``operator`` is made of."""
    named = [prefix + f.__name__ for f in BUILTINS if f.__module__ == module]
    return ", ".join(f"`{name}`" for name in named if name not in _SINCE_3_13)


def _names() -> str:
    return "\n\n".join(
        [
            _functions(),
            f"**Methods.** {_list(METHODS)}.",
            f"**Attributes.** {_list(ATTRIBUTES)}.",
            f"**Builtins.** {_of_module('builtins')}.",
            f"**Mathematics.** {_of_module('math', 'math.')}, {_of_module('cmath', 'cmath.')}.",
            f"**Operators.** {_of_module('_operator', 'operator.')}.",
        ]
    )


def _row(op: OpDef) -> str:
    if op.samples is None:
        return f"| `{op.name}` | | | |"
    samples = list(op.samples(np.random.default_rng(0)))
    operands, attrs = next(filter(_is_plain, samples), samples[0])
    types = list(map(sample_type, operands))
    results = op.result_types(types, attrs)
    example = f"{', '.join(map(str, types))} → {', '.join(map(str, results))}"
    called = f"`{op.symbol.strip()}`" if op.symbol else f"`np.{op.numpy}`" if op.numpy else ""
    effects = [name for name, effect in _EFFECTS.items() if effect in op.effects_of(types, attrs)]
    traits = ", ".join([*effects, *(["view"] if op.view else [])])
    return f"| `{op.name}` | {called.replace('|', chr(92) + '|')} | {example} | {traits} |"


def _is_plain(sample: tuple[Any, Any]) -> bool:
    operands, _ = sample
    return bool(operands) and sample_type(operands[0]) in _PLAIN


_PLAIN = (TensorType(np.dtype("float64"), (2, 3)), TensorType(np.dtype("float64"), (2, 3, 4)))
_EFFECTS = {"raises": Effect.RAISES, "warns": Effect.WARNS, "writes": Effect.WRITES}


def page() -> str:
    """The text of the page."""
    rows = [_row(op) for name, op in sorted(REGISTRY.items()) if name not in _SINCE_3_13]
    table = "\n".join(["| Op | Called as | Example | Effects |", "|---|---|---|---|", *rows])
    return "\n\n".join([MARK, NAMES, _names(), OPS, table]) + "\n"


# --- the namespace of the array API standard ------------------------------------------------------


def _is_own(name: str) -> bool:
    value = getattr(_namespace(name), name.rpartition(".")[2])
    return isinstance(value, FunctionType) and value.__module__.startswith("staticpy.")


def _namespace(name: str) -> Any:
    return getattr(xp, name.partition(".")[0]) if "." in name else xp


def _xp_names() -> list[str]:
    names = [name for name in xp.__all__ if name not in ("fft", "linalg", "__array_api_version__")]
    below = [f"{part}.{name}" for part in ("fft", "linalg") for name in getattr(xp, part).__all__]
    return [*names, *below]


def _own_row(name: str) -> str:
    function = getattr(_namespace(name), name.rpartition(".")[2])
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    parameters = signature.replace(parameters=plain, return_annotation=signature.empty)
    summary = " ".join(inspect.getdoc(function).partition("\n\n")[0].split()).replace("``", "`")
    return f"| `xp.{name}{parameters}` | {summary} |"


def xp_page() -> str:
    """The text of the page of ``xp``."""
    own = [name for name in _xp_names() if _is_own(name)]
    numpys = ", ".join(f"`xp.{name}`" for name in _xp_names() if name not in own)
    table = "\n".join(["| Call | Meaning |", "|---|---|", *map(_own_row, own)])
    return "\n\n".join([XP_MARK, XP_NUMPY, f"{numpys}.", XP_OWN, table]) + "\n"


# --- writing --------------------------------------------------------------------------------------

PAGES = {PAGE: page, XP_PAGE: xp_page}


def outdated() -> list[str]:
    """The pages that are not what they would be if they were written now."""
    return [
        path.name
        for path, text in PAGES.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text()
    ]


def main() -> int:
    """Write the pages, or compare them."""
    if "--check" in sys.argv[1:]:
        for name in outdated():
            sys.stdout.write(f"docs/reference/{name} is not up to date\n")
        return int(bool(outdated()))
    for path, text in PAGES.items():
        path.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
