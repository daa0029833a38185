"""Write the generated page of the ops: ``python docs/generate_ops.py``.

In: the registry of ops and the tables of names. Out: ``docs/reference/ops.md``. With ``--check``,
nothing is written, and a page that differs ends the command with 1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from staticpy.ir import TensorType  # noqa: E402  after the path
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


def differs() -> bool:
    """Whether the page is not what it would be if it were written now."""
    return not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page()


def main() -> int:
    """Write the page, or compare it."""
    if "--check" in sys.argv[1:]:
        if differs():
            sys.stdout.write("docs/reference/ops.md is not up to date\n")
        return int(differs())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
