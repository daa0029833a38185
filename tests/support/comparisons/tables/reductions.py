"""Reductions and what runs along an axis: each with its options, as a function and as a method."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.comparisons.rows import Row

_REDUCTIONS = "sum prod mean std var max min ptp any all argmax argmin"
_NAN = "nansum nanprod nanmean nanstd nanvar nanmax nanmin nanargmax nanargmin nanmedian"
_MORE = "amax amin median count_nonzero average"
_SCANS = "cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod"
_METHODS = "sum prod mean std var max min any all argmax argmin cumsum cumprod"
_PARTS = "quantile percentile nanquantile nanpercentile"

_ANY = """
np.F(x)
np.F(x, axis=0)
np.F(x, -1)
np.F(x, axis=0, keepdims=True)
np.F(c)
np.F(a)
np.F([a, 1, 2])
np.F(x[::-1])
np.F(x.T, axis=0)
"""
_WITH = {
    "sum prod mean std var": ("dtype=np.float64", "0, np.float32", "axis=0, dtype=np.complex128"),
    "nansum nanprod nanmean nanstd nanvar": ("dtype=np.float64", "0, np.float32"),
    "std var nanstd nanvar": ("ddof=1", "axis=0, ddof=t"),
    "sum prod max min": ("initial=2", "axis=-1, initial=c", "where=w, initial=1"),
    "sum prod mean std var any all nansum nanmean": ("where=w", "axis=0, where=w"),
    "sum prod mean std var max min ptp any all argmax argmin nansum nanmax median": (
        "axis=0, out=h",
        "axis=0, out=q",
    ),
    "nanprod nanmean nanstd nanvar nanmin nanmedian": ("axis=0, out=h", "axis=0, out=q"),
    "sum prod mean std var max min any all nansum nanmax median count_nonzero ptp": (
        "axis=(0, -1)",
        "axis=(0,)",
    ),
    "average": ("weights=abs(x)", "axis=0, weights=x", "returned=True"),
    "argmax argmin": ("axis=-1, keepdims=True",),
}
_SCAN = """
np.F(x)
np.F(x, axis=0)
np.F(x, axis=-1)
np.F(x, axis=0, dtype=np.float64)
np.F(np.atleast_1d(x), axis=0, out=np.atleast_1d(o))
np.F(c)
"""
# NumPy 2.4 crashes where such a function of a number writes to an array without axes.
_METHOD = """
x.F()
x.F(0)
x.F(axis=-1)
c.F()
"""
_PART = """
np.F(x, 0.5)
np.F(x, [0.25, 0.5], axis=0)
np.F(x, t, axis=-1, keepdims=True)
np.F(x, 0.3, method='nearest')
np.F(x, 0.3, axis=0, method='lower')
np.F(x, 0.5, axis=0, out=q)
"""


def _filled(template: str, names: str) -> Iterator[str]:
    for name in names.split():
        yield from (line.replace("F", name) for line in template.split("\n") if line)


def _options() -> Iterator[str]:
    for names, options in _WITH.items():
        for name in names.split():
            yield from (f"np.{name}(x, {option})" for option in options)
            yield from (f"x.{name}({option})" for option in options if name in _METHODS.split())


_TEXTS = [
    *_filled(_ANY, f"{_REDUCTIONS} {_NAN} {_MORE}"),
    *_options(),
    *_filled(_SCAN, _SCANS),
    *_filled(_METHOD, _METHODS),
    *_filled(_PART, _PARTS),
    *("np.count_nonzero(x, axis=0, keepdims=True)", "np.cumulative_sum(x, include_initial=True)"),
]
ROWS = [
    *(Row(text, "reductions") for text in dict.fromkeys(_TEXTS)),
    *(Row(text, "reductions", (3,)) for text in _filled(_ANY, "sum mean max std any argmin")),
]
"""Every row of this module."""
