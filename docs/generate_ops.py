"""Write the generated pages of the ops and of ``xp``: ``python docs/generate_ops.py``.

In: the registry of ops, the tables of names, the backends and the namespace. Out:
``docs/reference/ops.md`` and ``docs/reference/xp.md``. With ``--check``, nothing is written, and a
page that differs ends the command with 1.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from staticpy import xp  # noqa: E402  after the path
from staticpy.frontend.decorations import Decorations  # noqa: E402
from staticpy.ir import FLOAT, INT, Block, Builder, TensorType, Type, Value  # noqa: E402
from staticpy.ops import (  # noqa: E402
    ATTRIBUTES,
    BATCHING,
    BUILTINS,
    FUNCTIONS,
    GENERATOR_METHODS,
    IN_PLACE,
    METHODS,
    REGISTRY,
    RULES,
    UFUNC_METHODS,
    Effect,
    OpDef,
    refused_parameters,
    sample_type,
)
from staticpy.ops.rules.batching_library import BATCHED_FUNCTIONS  # noqa: E402
from staticpy.ops.rules.library import LIBRARY  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "ops.md"
MARK = "<!-- Generated from staticpy/ops by docs/generate_ops.py: do not edit. -->"

NAMES = """\
# What a compiled function can call

The functions, methods and attributes below mean in a compiled function what they mean in NumPy and
Python. The tables say which arguments can be given; those under *not yet* are refused with a
diagnostic as soon as they are anything but the default, and so are what NumPy has and no table
names. *grad* says whether there is a rule for the derivative: it may be *zero*, of what gives no
inexact numbers or jumps, and *none* by its nature: of what is drawn at random, say. *vmap* says
what becomes of a batch: *yes* where a rule computes all of it at once, else a *loop* over it.
Native code does everything: what it has no form of it leaves to NumPy's function."""

OPS = """\
## Ops

What the functions above become in the graph. Each op is defined once, in `staticpy/ops/`. The
example shows the types of operands and results. *raises*: may raise, so it is never dropped or
moved; *warns*: may give a floating-point warning; *view*: the result may share memory with an
operand. Ops without a rule (-) are what transforms go through themselves: control flow, calls,
containers, objects, exceptions."""


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
_SINCE_NUMPY_2_5 = ("check_bounds", "descending", "ndmax")
"""Left out: the page is the same whichever Python and NumPy write it."""

_POLYNOMIALS = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
_MODULES = (
    "", "linalg.", "fft.", "random.", "lib.stride_tricks.", "lib.array_utils.", "emath.",
    *(f"polynomial.{module}." for module in _POLYNOMIALS),
)  # fmt: skip
_RULES = ("grad", "vmap")
_NO_RULE = "not yet"


# --- functions ------------------------------------------------------------------------------------


def _modules() -> Iterator[tuple[str, Any]]:
    for prefix in _MODULES:
        yield prefix, operator.attrgetter(prefix[:-1])(np) if prefix else np


def dotted_names(function: Any) -> list[str]:
    """The names by which programs reach a function of NumPy, its own first: ``linalg.solve``."""
    found = [
        f"{prefix}{name}"
        for prefix, module in _modules()
        for name, value in vars(module).items()
        if value is function and not name.startswith("_")
    ]
    own = str(getattr(function, "__name__", ""))
    return sorted(found, key=lambda name: (name.rpartition(".")[2] != own, name.count("."), name))


def functions() -> dict[str, Any]:
    """Every function of NumPy that a graph can call, by its dotted name; no classes."""
    found = {}
    for function in FUNCTIONS:
        names = dotted_names(function)
        is_old = function.__name__ in _BEFORE_NUMPY_2_5
        if names and not isinstance(function, type) and not is_old:
            found[names[0]] = function
    return dict(sorted(found.items()))


def _arguments(call: Callable[..., Any]) -> tuple[str, str]:
    """What can be given to an adapter, and what can't."""
    refused = (*refused_parameters(call), *_SINCE_NUMPY_2_5)
    given = []
    for parameter in inspect.signature(call).parameters.values():
        if parameter.name in refused:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL and parameter.name == "args":
            return "as in NumPy", ""
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        if parameter.kind is not parameter.VAR_KEYWORD:
            given.append(star + parameter.name)
    missing = [name for name in refused_parameters(call) if name not in _SINCE_NUMPY_2_5]
    return f"`{', '.join(given)}`" if given else "", ", ".join(f"`{name}`" for name in missing)


def _ops_of(name: str, function: Any) -> list[OpDef]:
    """The ops that do what a function does, without what it is called with."""
    is_ufunc = isinstance(function, np.ufunc)
    found = [
        op for op in REGISTRY.values() if (is_ufunc and op.ufunc is function) or op.numpy == name
    ]
    named = REGISTRY.get(name)
    return found or ([named] if named is not None else [])


def rules(name: str, ops: Iterable[OpDef], adapter: Callable[..., Any] | None = None) -> list[str]:
    """For each kind of rule whether a function, or one of the ops that do it, has it."""
    ops = list(ops)
    has_batch = name in BATCHED_FUNCTIONS or any(op.name in BATCHING for op in ops)
    found = _derivative(name, ops)
    if found == _NO_RULE and adapter is not None:
        found = _derivative_of(adapter)
    return [found, "yes" if has_batch else "loop"]


def _derivative(name: str, ops: list[OpDef]) -> str:
    """Whether a function that does these ops, one or the other, has a derivative."""
    if name in LIBRARY:
        return "zero" if LIBRARY[name].is_flat else "yes"
    found = [RULES[op.name] for op in ops if op.name in RULES]
    if name.startswith("random.") or (found and all(rule.reason for rule in found)):
        return "none"
    if not found:
        return "yes" if any(op.name in _WRITERS for op in ops) else _NO_RULE
    return "zero" if all(rule.is_flat for rule in found) else "yes"


def _derivative_of(adapter: Callable[..., Any]) -> str:
    """As ``_derivative``, of a function that becomes several ops, for a few arrays."""
    table = TensorType(np.dtype("float64"), (4, 4))
    given: dict[str, Type] = {
        "x": table,
        "y": table,
        "b": TensorType(np.dtype("bool"), (4, 4)),
        "t": TensorType(np.dtype("float64"), (4, 4, 4)),
        "i": TensorType(np.dtype("int64"), (4, 4)),
        "n": INT,
        "f": FLOAT,
    }
    for arguments in _TRIED:
        block = Block(list(given.values()))
        values = dict(zip(given, block.args, strict=True))
        try:
            with Builder(block).current():
                result = adapter(*_filled(arguments, values))
        except Exception:  # it takes no such arguments
            continue
        calls = [each for each in block.operations if each.name in ("numpy.call", "numpy.view")]
        if any(each.attrs["function"] not in LIBRARY for each in calls):
            continue
        made = [REGISTRY[each.name] for each in block.operations if each.name not in _SILENT]
        if not made:
            return "yes" if isinstance(result, Value) else "zero"
        known = all(op.name in RULES or op.name in _WRITERS for op in made)
        return _derivative("", made) if known else _NO_RULE
    return _NO_RULE


_OF_VECTORIZE = """\
What `np.vectorize` makes of a function is a loop, so it can be differentiated. It takes `otypes`,
`excluded` and `cache`, and no `signature`. The warnings of NumPy's own loop over objects are not
given: it takes an overflow of Python's floats, or a comparison with NaN, for one of its own."""

_TRIED: tuple[tuple[Any, ...], ...] = (
    *(("x",), ("x", "y"), (["x", "y"],), ("x", 0), ("x", 0, 1), ("x", 2), ("x", 0, "y")),
    *(("x", 2, 1), (["b"], ["x"]), ("f",), ("t", 2), ("x", "i", "y"), ("i", ["x", "y"]), ("i",)),
    *(("n",), (3,), (np.float32, np.float64)),
)
_WRITERS = (
    *(op.name for op in IN_PLACE.values()),
    *("store", "ufunc.at", "fill", "copyto", "put", "putmask", "place", "fill_diagonal"),
    *("put_along_axis", "flat.setitem"),
)
"""Ops that derivatives go through as writes to memory, and not by a rule."""
_SILENT = ("constant", "tuple.make", "tuple.items")


def _filled(item: Any, values: Mapping[str, Value]) -> Any:
    if isinstance(item, tuple | list):
        return type(item)(_filled(each, values) for each in item)
    return values[item] if isinstance(item, str) else item


def _function_row(name: str, function: Any, adapter: Callable[..., Any]) -> str:
    shown = ", ".join(f"`np.{each}`" for each in [name, *_other_names(name, function)])
    arguments, refused = _arguments(adapter)
    cells = [shown, arguments, refused, *rules(name, _ops_of(name, function), adapter)]
    return f"| {' | '.join(cells)} |"


def _other_names(name: str, function: Any) -> list[str]:
    """Aliases in the same module: ``np.abs``."""
    prefix = name.rpartition(".")[0]
    names = [each for each in dotted_names(function)[1:] if each.rpartition(".")[0] == prefix]
    return names if isinstance(function, np.ufunc) or prefix == "" else []


def _table(title: str, first: str, rows: Iterable[str]) -> str:
    columns = [first, "Arguments", "Not yet", *_RULES]
    header = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    return "\n".join([f"### {title}", "", *header, *rows])


def _functions() -> str:
    found = functions()
    ufuncs = {name: f for name, f in found.items() if isinstance(f, np.ufunc)}
    parts = {"Elementwise functions": ufuncs}
    titles = {"": "Functions of arrays", "linalg": "Linear algebra", "fft": "Fourier transforms"}
    titles |= {"emath": "Functions of any sign", "polynomial.polynomial": "Polynomials"}
    titles |= {f"polynomial.{each}": f"Series: `{each}`" for each in _POLYNOMIALS[1:]}
    titles |= {
        "lib.array_utils": "Numbers of axes",
        "lib.stride_tricks": "Windows",
        "random": "Random numbers",
    }
    for prefix, title in titles.items():
        inside = {n: f for n, f in found.items() if n.rpartition(".")[0] == prefix}
        parts[title] = {name: f for name, f in inside.items() if name not in ufuncs}
    return "\n\n".join(
        _table(title, "Function", (_function_row(n, f, FUNCTIONS[f]) for n, f in part.items()))
        for title, part in parts.items()
    )


# --- other names ----------------------------------------------------------------------------------


def _method_row(name: str) -> str:
    arguments, refused = _arguments(METHODS[name])
    _, _, rest = arguments.strip("`").partition(", ")
    given = f"`{rest}`" if rest else ""
    cells = [f"`.{name}`", given, refused, *rules(name, _ops_of(name, None), METHODS[name])]
    return f"| {' | '.join(cells)} |"


def _list(names: Mapping[str, Callable[..., Any]]) -> str:
    return ", ".join(f"`.{name}`" for name in sorted(names))


def _of_module(module: str, prefix: str = "") -> str:
    """The functions of one of Python's modules: ``_operator`` is what ``operator`` is made of."""
    named = [prefix + f.__name__ for f in BUILTINS if f.__module__ == module]
    return ", ".join(f"`{name}`" for name in named if name not in _SINCE_3_13)


def _generators() -> str:
    classes = sorted({class_ for class_, _ in GENERATOR_METHODS}, key=lambda each: each.__name__)
    parts = []
    for class_ in classes:
        names = sorted(name for owner, name in GENERATOR_METHODS if owner is class_)
        parts.append(", ".join(f"`{class_.__name__}.{name}`" for name in names))
    return ", ".join(parts)


def own_functions() -> list[str]:
    """The functions that are ops of their own, which NumPy lacks."""
    # A ufunc has no module before NumPy 2.1.
    own = (f for f in FUNCTIONS if getattr(f, "__module__", "").startswith("staticpy."))
    return [f"staticpy.ops.{f.__name__}" for f in own]


def _in_python() -> str:
    """The functions of NumPy that the frontend has in Python; ``unstack`` is there from 2.1 on."""
    names = {f.__name__ for f in Decorations.BUILTINS if f.__module__ == "numpy"} | {"unstack"}
    return ", ".join(f"`np.{name}`" for name in sorted(names))


def _others() -> str:
    classes = sorted(f"`np.{f.__name__}`" for f in FUNCTIONS if isinstance(f, type))
    methods = sorted({name for _, name in UFUNC_METHODS})
    return "\n\n".join(
        [
            _table("Methods", "Method", map(_method_row, sorted(METHODS))),
            "### Other names",
            f"**Attributes.** {_list(ATTRIBUTES)}.",
            f"**Scalar classes.** {', '.join(classes)}.",
            f"**What NumPy lacks.** {', '.join(f'`{name}`' for name in own_functions())}.",
            f"**With functions, and place by place.** {_in_python()}.",
            _OF_VECTORIZE,
            f"**Methods of ufuncs.** {', '.join(f'`np.add.{name}`' for name in methods)}.",
            f"**Generators of random numbers.** {_generators()}.",
            "**By an index.** `np.r_[…]`, `np.c_[…]`, `np.mgrid[…]`, `np.ogrid[…]`, `np.s_[…]`.",
            f"**Builtins.** {_of_module('builtins')}.",
            f"**Mathematics.** {_of_module('math', 'math.')}, {_of_module('cmath', 'cmath.')}.",
            f"**Operators.** {_of_module('_operator', 'operator.')}.",
        ]
    )


# --- ops ------------------------------------------------------------------------------------------


def _row(op: OpDef) -> str:
    found = rules("", [op])
    is_followed = found[0] == _NO_RULE
    cells = [f"`{op.name}`", *_cells(op), *(["-", "-"] if is_followed else found)]
    return f"| {' | '.join(cells)} |"


def _cells(op: OpDef) -> tuple[str, str, str]:
    """How it is called, an example of its types, and its effects."""
    if op.samples is None:
        return "", "", ""
    samples = list(op.samples(np.random.default_rng(0)))
    operands, attrs = next(filter(_is_plain, samples), samples[0])
    types = list(map(sample_type, operands))
    results = op.result_types(types, attrs)
    example = f"{', '.join(map(str, types))} → {', '.join(map(str, results))}"
    called = f"`{op.symbol.strip()}`" if op.symbol else f"`np.{op.numpy}`" if op.numpy else ""
    effects = [name for name, effect in _EFFECTS.items() if effect in op.effects_of(types, attrs)]
    traits = ", ".join([*effects, *(["view"] if op.view else [])])
    return called.replace("|", "\\|"), example.replace("|", "\\|"), traits


def _is_plain(sample: tuple[Any, Any]) -> bool:
    operands, _ = sample
    return bool(operands) and sample_type(operands[0]) in _PLAIN


_PLAIN = (TensorType(np.dtype("float64"), (2, 3)), TensorType(np.dtype("float64"), (2, 3, 4)))
_EFFECTS = {"raises": Effect.RAISES, "warns": Effect.WARNS, "writes": Effect.WRITES}


def page() -> str:
    """The text of the page."""
    rows = [_row(op) for name, op in sorted(REGISTRY.items()) if name not in _SINCE_3_13]
    columns = ["Op", "Called as", "Example", "Effects", *_RULES]
    table = "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *rows])
    counted = f"Functions of NumPy: {len(functions())}."
    return "\n\n".join([MARK, NAMES, counted, _functions(), _others(), OPS, table]) + "\n"


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
