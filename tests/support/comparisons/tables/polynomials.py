"""The functions of ``np.polynomial``: those of each of its families, and those of one alone."""

from __future__ import annotations

from tests.support.comparisons.arrays import CONTENTS
from tests.support.comparisons.rows import Row

_FAMILIES = {
    "polynomial": "poly",
    "chebyshev": "cheb",
    "legendre": "leg",
    "hermite": "herm",
    "hermite_e": "herme",
    "laguerre": "lag",
}
_EACH = """
add(x, [1, 2])
sub(x, y)
mul(x, [1, 2])
mulx(x)
div(x, [1, 2])
pow(x, 2)
der(x)
int(x)
val(x, [1, 2, 3])
val(a, x)
val2d(x, x, [[1, 2], [3, 4]])
val3d(x, x, x, [[[1], [2]], [[3], [4]]])
grid2d(x, [1, 2], [[1, 2], [3, 4]])
grid3d(x, x, [1, 2], [[[1], [2]], [[3], [4]]])
vander(x, 2)
vander2d(x, x, [1, 2])
vander3d(x, x, x, [1, 0, 1])
roots(b)
fromroots(b)
companion(b)
line(a, 2)
"""
_OF_FITS = "fit(b, b, 1)"
_OF_WEIGHTS = """
gauss(3)
weight(x)
"""
_OF_ONE = """
np.polynomial.polynomial.polyvalfromroots(x, [1, 2])
np.polynomial.chebyshev.chebpts1(3)
np.polynomial.chebyshev.chebpts2(3)
np.polynomial.polyutils.trimcoef(x)
np.polynomial.polynomial.polytrim(x)
"""


def _texts() -> list[str]:
    found = [text for text in _OF_ONE.split("\n") if text]
    for module, prefix in _FAMILIES.items():
        own = _EACH + ("" if prefix == "poly" else f"{_OF_FITS}{_OF_WEIGHTS}")
        found += [f"np.polynomial.{module}.{prefix}{text}" for text in own.split("\n") if text]
    return found


ROWS = [Row(text, "polynomials", (1,), CONTENTS[:1]) for text in _texts()]
"""Every row of this module; their values overflow soon."""
