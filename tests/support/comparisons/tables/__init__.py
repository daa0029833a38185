"""The tables: what is compared, row by row."""

from __future__ import annotations

from tests.support.comparisons.rows import Row
from tests.support.comparisons.tables import (
    functions,
    mathematics,
    polynomials,
    programs,
    reductions,
    ufuncs,
)

_TABLES = (ufuncs, reductions, functions, polynomials, mathematics, programs)
_ALL = [row for table in _TABLES for row in table.ROWS]

ROWS: list[Row] = list({(row.text, row.ranks): row for row in _ALL}.values())
"""Every row of every table."""

__all__ = ["ROWS"]
