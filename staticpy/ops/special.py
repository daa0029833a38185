"""Special functions that NumPy lacks, elementwise as its ufuncs are.

%y = erf %x : f64[n]

In: a real number or an array. Out: the same shape, in the dtype that ``np.cbrt`` would give: the
floating-point dtype of ``x``, and float64 for ints.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.ops.arguments import adapter
from staticpy.ops.nested import as_operand
from staticpy.ops.opdef import defop
from staticpy.ops.promote import elementwise, elementwise_type

_LOOPS = np.cbrt
"""The ufunc that has loops for the dtypes for which these functions are: the real ones."""

_ERF = np.frompyfunc(math.erf, 1, 1)


def _erf(x: Any) -> Any:
    """The C library's error function, in double precision, rounded to the dtype of the result."""
    given = np.asarray(x)
    dtype = _LOOPS.resolve_dtypes((given.dtype, None))[1]
    found = _ERF(given)
    return found.astype(dtype) if isinstance(found, np.ndarray) else dtype.type(found)


def _samples(rng: np.random.Generator) -> Any:
    for dtype in ("float32", "float64"):
        yield (rng.normal(size=(2, 3)).astype(dtype),), {}
        yield (np.dtype(dtype).type(0.5),), {}


erf_op = defop("erf", infer=elementwise_type(_LOOPS), kernel=_erf, ufunc=_LOOPS, samples=_samples)
"""The error function of arrays and NumPy's numbers."""


@adapter("erf")
def _erf_adapter(x: Any, /) -> Any:
    return elementwise(erf_op, as_operand(x, "erf()"))


def erf(x: Any, /) -> Any:
    """The error function, ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to ``x``.

    Elementwise: ``x: f[...]`` to ``f[...]``, of the dtype of ``x``; of ints it is float64 (and of
    small ones what ``np.cbrt`` makes of them). -1 and 1 at the infinities, NaN of NaN, without a
    warning. It is the C library's where the function runs as it is, and within one unit in the last
    place (two in float32) in native code. Takes part in derivatives.

    Raises:
        TypeError: ``x`` is complex, or not numeric.
    """
    override = getattr(type(x), "__array_function__", None)
    if override not in (None, np.ndarray.__array_function__):  # as NumPy asks Tensors
        return override(x, erf, (type(x),), (x,), {})
    return _erf(x)


ADAPTERS = {erf: _erf_adapter}
"""The adapters, by the functions themselves."""
