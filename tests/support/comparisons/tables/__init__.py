"""The tables: what is compared, row by row."""

from __future__ import annotations

from tests.support.comparisons.rows import Row
from tests.support.comparisons.tables import functions, mathematics, programs, reductions, ufuncs

_ALL = (*ufuncs.ROWS, *reductions.ROWS, *functions.ROWS, *mathematics.ROWS, *programs.ROWS)

ROWS: list[Row] = list({(row.text, row.ranks): row for row in _ALL}.values())
"""Every row of every table."""

__all__ = ["ROWS"]
