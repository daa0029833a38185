"""Cells that hold Cells: one after the other, or in a list.

In: Cells. Out: a Cell whose parts have their place as name: ``"net.0.weight"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from staticpy.nn.cell import Cell

_OWN = frozenset({"_cells", "_names"})
_LISTS = (list, tuple, dict)


class _Sequence(Cell):
    """Cells in order, which are found by number.

    Args:
        cells: Cells or functions, one by one or as one list; or a dict of them, whose keys then
            are their names.

    Raises:
        TypeError: one can't be called.
    """

    def __init__(self, *cells: Any) -> None:
        super().__init__()
        given: Any = cells[0] if len(cells) == 1 and isinstance(cells[0], _LISTS) else cells
        if isinstance(given, dict):
            self._names = [str(name) for name in given]
            self._cells = list(given.values())
        else:
            self._cells = list(given)
            self._names = [str(place) for place in range(len(self._cells))]
        _require_cells(self._cells)

    def members(self) -> Mapping[str, Any]:
        """The attributes, and the Cells by their places or keys."""
        others = {name: item for name, item in vars(self).items() if name not in _OWN}
        return others | dict(zip(self._names, self._cells, strict=True))

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cells)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return type(self)(self._cells[place])
        if isinstance(place, str):
            return self._cells[self._names.index(place)]
        return self._cells[place]

    def __setitem__(self, place: int, cell: Any) -> None:
        _require_cells([cell])
        self._cells[place] = cell

    def append(self, cell: Any) -> Any:
        """Put a Cell behind the others; gives the container itself."""
        _require_cells([cell])
        self._names.append(str(len(self._cells)))
        self._cells.append(cell)
        return self


def _require_cells(cells: list[Any]) -> None:
    for cell in cells:
        if not callable(cell):
            raise TypeError(
                f"a container of Cells was given {type(cell).__name__}: give Cells or functions"
            )


class SequentialCell(_Sequence):
    """Cells of which each is given what the one before it gives.

    Args:
        cells: Cells, or functions of one argument, one by one or as one list; or a dict of them,
            whose keys then are their names.

    Raises:
        TypeError: one can't be called.
    """

    def construct(self, x: Any) -> Any:
        """What the last Cell gives."""
        for cell in self._cells:
            x = cell(x)
        return x


class CellList(_Sequence):
    """A list of Cells that are found as parts of the Cell it is in; it computes nothing itself.

    Args:
        cells: Cells, one by one or as one list.
    """

    def extend(self, cells: Iterable[Any]) -> CellList:
        """Put Cells behind the others."""
        for cell in cells:
            self.append(cell)
        return self


Sequential = SequentialCell
