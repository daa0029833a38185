"""The tables: what is compared, row by row."""

from __future__ import annotations

from tests.support.comparisons.rows import Row
from tests.support.comparisons.tables import functions, mathematics, reductions, ufuncs

ROWS: list[Row] = [*ufuncs.ROWS, *reductions.ROWS, *functions.ROWS, *mathematics.ROWS]
"""Every row of every table."""

__all__ = ["ROWS"]
