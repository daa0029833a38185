"""The functions of ``numpy.polynomial`` and ``np.emath``, and of ``np.vectorize``, text by text."""

from __future__ import annotations

from operator import attrgetter

import numpy as np

from tests.support.comparisons.arrays import CONTENTS
from tests.support.comparisons.rows import Row

_MODULES = {
    "polynomial": "poly",
    "chebyshev": "cheb",
    "legendre": "leg",
    "hermite": "herm",
    "hermite_e": "herme",
    "laguerre": "lag",
}
_ENDS = """
add(b, s[0]) sub(b, s[0]) mul(b, s[0]) div(b, s[0]) mulx(b) pow(b, 2) der(b) der(s, 1, 2, 1)
int(b) int(b, k=[1]) val(x, b) val(b, s) val2d(b, b, s) val3d(b, b, b, s[:, :, None])
grid2d(b, b, s) grid3d(b, b, b, s[:, :, None]) valfromroots(x, b) vander(b, 2)
vander2d(b, b, [1, 2]) vander3d(b, b, b, [1, 1, 1]) fit(b, s[0], 1) roots(b) fromroots(b)
companion(b) line(1, 2) gauss(3) weight(b) pts1(3) pts2(3)
"""
_OTHERS = """
np.polynomial.polyutils.trimcoef(b)
np.emath.sqrt(x)
np.emath.log(x)
np.emath.log2(x)
np.emath.log10(x)
np.emath.logn(2, x)
np.emath.power(x, 2)
np.emath.power(x, 0.5)
np.emath.arccos(x)
np.emath.arcsin(x)
np.emath.arctanh(x)
np.emath.sqrt(c)
np.min_scalar_type(b)
np.mintypecode('fd')
np.vectorize(lambda each: each)(x)
np.vectorize(lambda each: each, otypes=[complex])(x)
"""


def _calls() -> list[str]:
    """The calls of the functions that this version of NumPy has."""
    ends = _ENDS.replace(")\n", ") ").strip().split(") ")
    found = []
    for module, prefix in _MODULES.items():
        for end in ends:
            name, _, arguments = end.strip().removesuffix(")").partition("(")
            full = f"polynomial.{module}.{prefix}{name}"
            if hasattr(attrgetter(f"polynomial.{module}")(np), f"{prefix}{name}"):
                found.append(f"np.{full}({arguments})")
    return found


ROWS = [
    Row(text, "polynomials", contents=CONTENTS)
    for text in (*_calls(), *_OTHERS.split("\n"))
    if text
]
ROWS += [Row("np.histogramdd((b, b), bins=2)", "bins", contents=CONTENTS[:1])]
"""Every row of this module."""
