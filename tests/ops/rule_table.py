"""The table of what the derivative rules are tested on, made from the registry of ops.

In: every op that has a rule, its own samples, and those of the modules beside this one, where its
own are too few. Out: each sample in several dtypes and layouts. A new op is in the table as soon as
it has a rule, and so is a function of NumPy's library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.ir import UNKNOWN, TensorType, map_tensors
from staticpy.ops import REGISTRY, sample_type
from staticpy.ops.library import call_numpy, items_of
from staticpy.ops.rules import RULES
from staticpy.ops.rules.library import LIBRARY
from tests.ops.array_rule_cases import CASES
from tests.ops.library_rule_cases import library_cases
from tests.ops.number_rule_cases import NUMBERS

Operands = tuple[Any, ...]
Sample = tuple[Operands, dict[str, Any]]

DTYPES = ("as given", "f4", "f8", "c16")
UFUNC_DTYPES = (*DTYPES, "f2", "c8")
LAYOUTS = ("contiguous", "broadcast", "no rows", "no columns", "one", "0-d", "scalar")

_NO_DIFFERENCE = {"stop_gradient"}
"""Ops whose differences are not what their rules say, as these are for."""
OPS = sorted(
    name
    for name, rule in RULES.items()
    if rule.vjp and REGISTRY[name].kernel and name not in _NO_DIFFERENCE
)
FUNCTIONS = sorted(LIBRARY)
NEVER_SMOOTH = ("intersect1d",)
"""Functions that jump wherever one operand moves alone."""


@dataclass(frozen=True)
class Entry:
    """One sample of an op in a dtype and a layout."""

    name: str
    sample: int
    dtype: str
    layout: str
    operands: Operands
    attrs: dict[str, Any]

    @property
    def is_first(self) -> bool:
        """Whether it is one of the first samples, as it is."""
        return self.sample < 2 and (self.dtype, self.layout) == (DTYPES[0], LAYOUTS[0])

    @property
    def is_plain(self) -> bool:
        """Whether the graph of its rule is no more than that of another entry in another size."""
        if self.name in ("numpy.call", "numpy.view"):
            return self.layout == "contiguous" and self.dtype in ("as given", "c16")
        return self.layout in ("contiguous", "0-d", "scalar")

    def __str__(self) -> str:
        shown = [f"{type(x).__name__}{getattr(x, 'shape', '')}" for x in self.operands]
        return f"{self.name}({', '.join(shown)}) {self.attrs}: {self.dtype}, {self.layout}"


def is_inexact(x: Any) -> bool:
    """Whether ``x`` is a number or array of NumPy that has a derivative."""
    return isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "fc"


# --- samples --------------------------------------------------------------------------------------


def samples_of(name: str) -> Iterator[Sample]:
    """The samples of an op: its own, as they are and with no two equal elements, and more."""
    op, rng = REGISTRY[name], np.random.default_rng(3)
    if op.ufunc is not None:
        yield from _of_ufunc(op.ufunc, op.kernel)
        return
    for operands, attrs in op.samples(rng) if op.samples else ():
        yield operands, attrs
        if any(map(is_inexact, operands)):
            yield tuple(_jittered(x, rng) for x in operands), attrs
    yield from NUMBERS.get(name, ())
    yield from CASES.get(name, lambda _: ())(rng)


def _jittered(x: Any, rng: np.random.Generator) -> Any:
    if not is_inexact(x):
        return x
    made = np.asarray(x + 0.3 * rng.normal(size=np.shape(x))).astype(x.dtype)
    return made if isinstance(x, np.ndarray) else made[()]


_RANGES = ((-0.9, -0.2), (0.2, 0.9), (1.3, 2.0))


def _of_ufunc(ufunc: np.ufunc, kernel: Any) -> Iterator[Sample]:
    """Operands of both signs, if the function is defined there, of one, and further on."""
    rng = np.random.default_rng(0)
    for pair in ((0, 1), (1, 1), (2, 2)):
        parts = [[rng.uniform(*_RANGES[each], (2, 3)) for each in pair] for _ in range(ufunc.nin)]
        operands = tuple(np.where(rng.random((2, 3)) < 0.5, *each) for each in parts)
        if ufunc is np.ldexp:
            operands = (operands[0], np.array([[1, 2, 0], [-1, 1, 3]]))
        if _is_defined(kernel, operands):
            yield operands, {}


def _is_defined(kernel: Any, operands: Operands) -> bool:
    try:
        return all(np.all(np.isfinite(x)) for x in items_of(kernel(*operands)))
    except TypeError:
        return False


# --- NumPy's library ------------------------------------------------------------------------------


def samples_of_function(name: str) -> Iterator[Sample]:
    """Calls of a function of NumPy: those that are written down, and all that it takes of a few."""
    rng = np.random.default_rng(7)
    yield from (case for case in library_cases(rng) if case[1]["function"] == name)
    for operands in _tried(rng):
        try:
            results = _results(operands, {"function": name})
        except Exception:
            continue
        if results is not None:
            yield operands, {"function": name, "results": results}


def _tried(rng: np.random.Generator) -> Iterator[Operands]:
    v, m, s, t = (rng.uniform(0.2, 0.9, shape) for shape in ((3,), (2, 3), (3, 3), (2, 3, 3)))
    s = s @ s.T + np.eye(3) + 0.1 * rng.random((3, 3))
    for x in (v, m, s, t, m + 1j * m[::-1]):
        yield (x,)
        yield (x, x[..., ::-1].copy())
        yield from ((x, each) for each in (0, 1, 2))
    yield from ((s, v), (v, s), (t, v), (m, s), (t, s), (v > 0.5, v))


def _results(operands: Operands, attrs: dict[str, Any]) -> Any:
    """The types of what a call returns, of any size; None if it is nothing that has a type."""
    plain = {name: value for name, value in attrs.items() if name != "results"}
    found = items_of(call_numpy(*operands, **plain))
    if not all(isinstance(x, np.ndarray | np.generic | int | float | complex) for x in found):
        return None
    return tuple(map_tensors(_any_size, sample_type(x)) for x in found)


def _any_size(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)


# --- dtypes and layouts ---------------------------------------------------------------------------


def entries(name: str, samples: Iterator[Sample], count: int | None = None) -> Iterator[Entry]:
    """Each sample, or the first ``count``, in all dtypes and layouts in which it is another one;
    the others as they are.
    """
    for at, (operands, attrs) in enumerate(samples):
        if count is not None and at >= count:
            yield Entry(name, at, DTYPES[0], LAYOUTS[0], operands, attrs)
            continue
        seen: set[Any] = set()
        for dtype in _dtypes(name):
            cast = tuple(_cast(x, dtype, operands) for x in operands)
            for layout in LAYOUTS:
                if _is_left_out(name, dtype, layout, attrs):
                    continue
                for laid in _laid_out(name, cast, layout):
                    key = (layout == "broadcast", *map(_kind, laid))
                    if key in seen:
                        continue
                    seen.add(key)
                    given = _with_results(name, laid, attrs)
                    if given is not None:
                        yield Entry(name, at, dtype, layout, laid, given)


TIED = (
    *("sort", "partition", "median", "nanmedian", "percentile", "quantile", "unique"),
    *("nanpercentile", "nanquantile", "corrcoef", "polyfit", "ufunc.method"),
    *("linalg.cholesky", "linalg.cond", "linalg.eigh", "linalg.eigvalsh", "linalg.lstsq"),
    *("linalg.pinv", "linalg.qr", "linalg.svd", "linalg.svdvals", "linalg.norm"),
    *("linalg.matrix_norm", "linalg.slogdet", "linalg.tensorsolve", "intersect1d"),
    *("histogram_bin_edges", "histogram", "histogram2d", "histogramdd", "interp"),
    *("linalg.eig", "linalg.eigvals", "setdiff1d", "setxor1d", "union1d"),
    *("unique_all", "unique_counts", "unique_inverse", "unique_values"),
)
"""Left out of the layout of equal rows: there they are not smooth, of which differences along one
direction need not tell."""


EDGES = {
    **dict.fromkeys(("cov", "corrcoef", "linalg.qr", "polyval"), ("no rows",)),
    **dict.fromkeys(("resize", "nanquantile", "nanpercentile"), ("no rows", "no columns")),
    "histogram": ("no rows", "no columns"),
    **dict.fromkeys(("fft.irfft", "fft.hfft", "interp"), ("no rows", "no columns")),
    "einsum": ("no rows",),
    "linalg.pinv": ("no columns",),
    **dict.fromkeys(("polyfit", "linalg.cond"), ("one",)),
    **dict.fromkeys(("polymul", "polynomial.polynomial.polyfromroots"), ("no rows", "no columns")),
    "polynomial.hermite_e.hermeder": ("no columns",),
    **dict.fromkeys(("scatter_add", "any.narrow", "any.inexact"), LAYOUTS[1:]),
}
"""Left out as well. Of nothing NumPy gives something there: a table without rows, zeros, what is in
memory, bins without edges, a sum of no terms, an inverse of no square, and ``hermeder`` other axes;
``polyfit`` scales what it fits by less points than it needs. The condition of a number is 1, but
for the rounding. The operands of ``scatter_add`` have the shapes that its mask asks for."""


ROUNDED = ("polydiv", "partition")
"""Left out in float32: ``polydiv`` drops coefficients that are zero but for the rounding, and a
step as wide as differences need there lets NumPy leave others where ``partition`` may have any.
"""


def _is_left_out(name: str, dtype: str, layout: str, attrs: dict[str, Any]) -> bool:
    names = (name, attrs.get("function"), attrs.get("mode"))
    if dtype == "f4" and any(each in ROUNDED for each in names):
        return True
    if layout == "broadcast" and any(each in TIED for each in names):
        return True
    return any(layout in EDGES.get(each, ()) for each in names)


def _with_results(name: str, operands: Operands, attrs: dict[str, Any]) -> dict[str, Any] | None:
    if name not in ("numpy.call", "numpy.view"):
        return attrs
    try:
        results = _results(operands, attrs)
    except Exception:  # whatever NumPy says to these
        return None
    return None if results is None else {**attrs, "results": results}


def _kind(x: Any) -> Any:
    if isinstance(x, list | tuple):  # which may hold others of unequal lengths
        return type(x), tuple(map(_kind, x))
    return type(x), np.shape(x), getattr(x, "dtype", None)


def _dtypes(name: str) -> tuple[str, ...]:
    if name == "any.narrow":  # to a type that is given
        return DTYPES[:1]
    return UFUNC_DTYPES if REGISTRY[name].ufunc else DTYPES


def _cast(x: Any, dtype: str, operands: Operands) -> Any:
    if dtype == "as given":
        return x
    if type(x) is float and dtype == "c16" and not any(map(is_inexact, operands)):
        return complex(x, 0.5 + x / 4)
    if not is_inexact(x) or (x.dtype.kind == "c" and dtype != "c16"):
        return x
    if dtype == "c16" and x.dtype.kind == "f":
        x = x + 1j * np.cos(5 * x)
    made = np.asarray(x, dtype)
    return made if isinstance(x, np.ndarray) else made[()]


def _first(x: Any, key: Any) -> Any:
    return x[key] if isinstance(x, np.ndarray) and x.ndim else x


_LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda x: x,
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
    "no rows": lambda x: x[:0],
    "no columns": lambda x: x[..., :0],
    "one": lambda x: x[(slice(0, 1),) * x.ndim],
    "0-d": lambda x: np.asarray(x.flat[0]),
    "scalar": lambda x: x.flat[0],
}


def _laid_out(name: str, operands: Operands, layout: str) -> Iterator[Operands]:
    """The operands in a layout: all arrays, and those of inexact numbers only, where the others may
    have another shape.
    """
    arrays = [isinstance(x, np.ndarray) and x.ndim > 0 for x in operands]
    numbers = [each and is_inexact(x) for each, x in zip(arrays, operands, strict=True)]
    if layout == "contiguous":
        yield operands
        return
    change = _LAYOUTS[layout]
    is_elementwise = REGISTRY[name].ufunc is not None or name == "where"
    for chosen in [arrays] if arrays == numbers or is_elementwise else [arrays, numbers]:
        if any(chosen):
            pairs = zip(operands, chosen, strict=True)
            yield tuple(change(x) if each and x.size else x for x, each in pairs)
    if layout in ("0-d", "scalar") and not any(arrays):
        boxes = {"0-d": np.asarray, "scalar": lambda x: np.asarray(x)[()]}
        yield tuple(boxes[layout](x) if type(x) in (float, complex) else x for x in operands)
