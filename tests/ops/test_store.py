"""Writing to arrays against NumPy: keys, items, dtypes, overlap, and the functions that write."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import DTYPES
from staticpy.ops import array, emit, setitem
from tests.ops.test_index import _PARTS, _fill, _leaves
from tests.support.graphs import build
from tests.support.proxy import Program, check_writes, graph_of

pytestmark = pytest.mark.filterwarnings("ignore")

_X = np.arange(4 * 3 * 5, dtype=np.float64).reshape(4, 3, 5)


def _set(x: Any, key: Any, item: Any) -> int:
    x[key] = item
    return 0


def _store(x: np.ndarray, key: Any, item: Any) -> None:
    """Check ``x[key] = item`` with the arrays in ``key``, and the item, known at run time."""
    leaves = _leaves(key)
    is_static = isinstance(item, list | tuple) or item is None
    values = (x, *leaves) if is_static else (x, item, *leaves)

    def program(np: Any, _: Any, target: Any, *rest: Any) -> Any:
        given = iter(rest)
        stored = item if is_static else next(given)
        return _set(target, _fill(key, given), stored)

    check_writes(program, *values)
    check_writes(program, *values, symbolic=False)


@pytest.mark.parametrize("count", [1, 2])
def test_every_key(count: int) -> None:
    for key in itertools.product(_PARTS, repeat=count):
        _store(_X, key, 7)
        if count == 1:
            for item in (np.float32(2), np.arange(5), np.ones((3, 5)), np.ones((2, 1, 5))):
                _store(_X, key, item)


def test_keys_of_many_parts() -> None:
    rng = np.random.default_rng(5)
    for _ in range(400):
        size = int(rng.integers(3, 6))
        key = tuple(_PARTS[i] for i in rng.integers(0, len(_PARTS), size))
        _store(_X, key, rng.choice([2.5, 3, True]))


_ITEMS: list[Any] = [
    *[True, 2, -1, 300, 2**40, 2**70, 2.7, float("nan"), 2j, None],
    *[np.array(2.5), np.array([1.5, 2, -3]), np.array([[1], [2]]), np.ones((1, 1, 3))],
    *[[1, 2, 3], (1, 2.5, 3), [1, 2, 300], [[1], [2]], [1, 2], [], [1j, 2, 3], [1, None, 2]],
    *[np.array([1 + 2j, 3, 4]), np.arange(3, dtype=np.uint8), np.ones(4), np.ones((2, 3))],
    *[dtype.type(3) for dtype in DTYPES.values()],
]


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_every_dtype(dtype: np.dtype) -> None:
    for item in _ITEMS:
        for key in (0, slice(None), (..., 1), (1, 2), np.array([0, 0]), np.array([True, False])):
            _store(np.ones((2, 3), dtype), key, item)


@pytest.mark.parametrize("item", [2, 2.5, np.float32(3), np.array(3), [2], np.ones((1, 1)), 1j])
@pytest.mark.parametrize("key", [(), ..., None, (..., None), True, False, 0])
def test_zero_d(key: Any, item: Any) -> None:
    for dtype in ("f8", "i1", "?", "c8"):
        _store(np.array(1, dtype), key, item)


def test_read_only_and_empty() -> None:
    locked = np.arange(3)
    locked.flags.writeable = False
    for x in (locked, np.zeros((0, 3)), np.zeros(0)):
        for key, item in itertools.product((0, slice(None), ...), (2, np.ones(3), [])):
            _store(x, key, item)


def _aug(x: Any, key: Any, item: Any) -> Any:
    x[key] = operator.add(x[key], item)


_PROGRAMS: dict[str, Program] = {
    "overlap": lambda np, _, x, y: _set(x, slice(1, None), x[:-1]),
    "overlap-back": lambda np, _, x, y: _set(x, slice(None), x[::-1]),
    "overlap-transpose": lambda np, _, x, y: _set(x, slice(None, 3), x[:3, :3].T[:, [0] * 5]),
    "view": lambda np, _, x, y: _set(x[1:], 0, y),
    "view-of-view": lambda np, _, x, y: _set(x[1:][:, ::2].T, (slice(None), 1), 9),
    "transposed": lambda np, _, x, y: _set(x.T, 0, 1),
    "reshaped": lambda np, _, x, y: _set(x.reshape(-1), slice(3, 5), [7, 8]),
    "raveled": lambda np, _, x, y: _set(x.ravel(), 3, 5),
    "raveled-copy": lambda np, _, x, y: _set(x.T.ravel(), 3, 5),
    "flattened": lambda np, _, x, y: _set(x.flatten(), 3, 5),
    "swapped": lambda np, _, x, y: _set(x.swapaxes(0, 1), (2, slice(None)), 5),
    "moved": lambda np, _, x, y: _set(np.moveaxis(x, 0, 1), (2, slice(None)), 5),
    "rolled": lambda np, _, x, y: _set(np.rollaxis(x, 1), (2, slice(None)), 5),
    "squeezed": lambda np, _, x, y: _set(x[None].squeeze(0), 1, 5),
    "expanded": lambda np, _, x, y: _set(np.expand_dims(x, 0), (0, 1), 5),
    "diagonal": lambda np, _, x, y: _set(x.diagonal(), 0, 5),
    "diag": lambda np, _, x, y: _set(np.diag(x), 0, 5),
    "broadcast": lambda np, _, x, y: _set(np.broadcast_to(y, (2, 5)), 0, 5),
    "flipped": lambda np, _, x, y: _set(np.flip(x), 0, y),
    "fancy": lambda np, _, x, y: _set(x[[0, 1]], 0, 5),
    "masked": lambda np, _, x, y: _set(x, x > 6, -1),
    "masked-items": lambda np, _, x, y: _set(x, x > 17, [1, 2]),
    "masked-rows": lambda np, _, x, y: _set(x, y > 1, 0),
    "mask-of-rows": lambda np, _, x, y: _set(x, x[:, 0] > 6, y),
    "asarray": lambda np, _, x, y: _set(np.asarray(x), 0, y),
    "array": lambda np, _, x, y: _set(np.array(x), 0, y),
    "array-no-copy": lambda np, _, x, y: _set(np.array(x, copy=None), 0, y),
    "asarray-copy": lambda np, _, x, y: _set(np.asarray(x, copy=True), 0, y),
    "view-method": lambda np, _, x, y: _set(x.view(), 0, y),
    "real": lambda np, _, x, y: _set(x.real, 0, y),
    "imag": lambda np, _, x, y: _set(x.imag, 0, y),
    "values": lambda np, _, x, y: _set(x, 0, [y[0], 2, 3.5, y[1], 5]),
    "rows": lambda np, _, x, y: _set(x, slice(0, 2), [y, y]),
    "nested": lambda np, _, x, y: _set(x, slice(0, 2), [[1, 2, 3, 4, y[0]], y]),
    "ragged": lambda np, _, x, y: _set(x, slice(0, 2), [[1, 2], [3]]),
    "augmented": lambda np, _, x, y: _aug(x, (slice(None), 0), 2),
    "augmented-fancy": lambda np, _, x, y: _aug(x, [0, 0, 1], 1),
    "number": lambda np, _, x, y: _set(x.sum(), 0, 1),
    "fill": lambda np, _, x, y: x.fill(3),
    "fill-float": lambda np, _, x, y: x.fill(3.7),
    "fill-scalar": lambda np, _, x, y: x.fill(y[1]),
    "fill-view": lambda np, _, x, y: x[:, 1:3].fill(300),
    "fill-huge": lambda np, _, x, y: x.fill(2**70),
    "fill-array": lambda np, _, x, y: x.fill(y),
    "sort": lambda np, _, x, y: x[::-1].sort(),
    "sort-axis": lambda np, _, x, y: x[::-1, ::-1].sort(axis=0),
    "sort-kind": lambda np, _, x, y: x[:, ::-1].sort(1, "stable"),
    "sort-stable": lambda np, _, x, y: x[:, ::-1].sort(stable=True),
    "sort-bad": lambda np, _, x, y: x.sort(axis=2),
    "sort-number": lambda np, _, x, y: x.sum().sort(),
    "partition": lambda np, _, x, y: x[:, ::-1].partition(2),
    "partition-several": lambda np, _, x, y: x[:, ::-1].partition((0, 3), axis=1),
    "put": lambda np, _, x, y: np.put(x, [0, 7], [y[0], 2]),
    "put-method": lambda np, _, x, y: x.put([0, 0, 1], y),
    "put-outside": lambda np, _, x, y: np.put(x, 99, 1),
    "put-clip": lambda np, _, x, y: np.put(x, 99, 1, mode="clip"),
    "put-wrap": lambda np, _, x, y: x.put([-1, 21], (1, 2), "wrap"),
    "copyto": lambda np, _, x, y: np.copyto(x, y),
    "copyto-number": lambda np, _, x, y: np.copyto(x, 3),
    "copyto-float": lambda np, _, x, y: np.copyto(x, 3.5),
    "copyto-where": lambda np, _, x, y: np.copyto(x, 0, where=x > 5),
    "copyto-list": lambda np, _, x, y: np.copyto(x, [1, 2, 3, 4, 5]),
    "copyto-unsafe": lambda np, _, x, y: np.copyto(x, y * 1.5, casting="unsafe"),
    "copyto-cast": lambda np, _, x, y: np.copyto(x, y * 1.5),
    "copyto-misfit": lambda np, _, x, y: np.copyto(x, y[1:]),
    "copyto-overlap": lambda np, _, x, y: np.copyto(x[1:], x[:-1]),
    "place": lambda np, _, x, y: np.place(x, x > 6, [1, 2]),
    "place-none": lambda np, _, x, y: np.place(x, x > 600, []),
    "place-number": lambda np, _, x, y: np.place(x, y > 0, 3),
    "putmask": lambda np, _, x, y: np.putmask(x, x > 6, y),
    "putmask-number": lambda np, _, x, y: np.putmask(x, x > 6, 3),
    "fill_diagonal": lambda np, _, x, y: np.fill_diagonal(x, 7),
    "fill_diagonal-wrap": lambda np, _, x, y: np.fill_diagonal(x.T, y, wrap=True),
    "fill_diagonal-row": lambda np, _, x, y: np.fill_diagonal(y, 7),
    "put_along_axis": lambda np, _, x, y: np.put_along_axis(x, np.argsort(x)[:, ::2], 9, axis=1),
    "put_along_axis-none": lambda np, _, x, y: np.put_along_axis(y, np.array([1, 2]), 9, None),
    "add-at": lambda np, _, x, y: np.add.at(y, [0, 0, 1], 1),
    "add-at-array": lambda np, _, x, y: np.add.at(x, ([0, 0], [1, 1]), [2, 3]),
    "add-at-slice": lambda np, _, x, y: np.add.at(x, slice(0, 2), y),
    "add-at-mask": lambda np, _, x, y: np.add.at(x, x > 4, 1),
    "add-at-outside": lambda np, _, x, y: np.add.at(x, [99], 1),
    "subtract-at": lambda np, _, x, y: np.subtract.at(y, 1, y[2]),
    "negative-at": lambda np, _, x, y: np.negative.at(y, [0, 0, 1]),
    "divide-at": lambda np, _, x, y: np.divide.at(y, 1, 2),
    "maximum-at": lambda np, _, x, y: np.maximum.at(x, [0, 0, 1], y),
    "at-number": lambda np, _, x, y: np.add.at(y[0], 0, 1),
    "setattr-real": lambda np, _, x, y: setattr(x, "real", 1),
    "setattr-imag": lambda np, _, x, y: setattr(x, "imag", y),
    "setattr-flat": lambda np, _, x, y: setattr(x, "flat", y),
    "setattr-flat-number": lambda np, _, x, y: setattr(x.T, "flat", 3),
    "setattr-flat-list": lambda np, _, x, y: setattr(x, "flat", [1, 2]),
}
_OPERANDS: dict[str, tuple[Any, Any]] = {
    "float64": (np.arange(20.0).reshape(4, 5), np.array([3.0, 1, 2, 0, 9])),
    "int8": (np.arange(20, dtype="i1").reshape(4, 5), np.array([3, 1, 2, 0, 9], "i1")),
    "complex64-int": (np.arange(20, dtype="c8").reshape(4, 5), np.array([3, 1, 2, 0, 9])),
    "transposed": (np.arange(20, dtype="f4").reshape(5, 4).T, np.arange(10.0)[::2]),
    "bool": (np.arange(20).reshape(4, 5) % 3 == 0, np.array([True, False, True, True, False])),
}


@pytest.mark.parametrize("operands", _OPERANDS.values(), ids=_OPERANDS)
@pytest.mark.parametrize("program", _PROGRAMS.values(), ids=_PROGRAMS)
def test_program(program: Program, operands: tuple[Any, Any]) -> None:
    check_writes(program, *operands)
    check_writes(program, *operands, symbolic=False)


_REFUSED_BY_NUMPY = ("number", "ragged", "bad", "row", "array", "sort-number", "cast", "imag")


@pytest.mark.parametrize(
    "name", [n for n in _PROGRAMS if n.split("-")[-1] not in _REFUSED_BY_NUMPY]
)
def test_program_compiles(name: str) -> None:
    graph_of(_PROGRAMS[name], *_OPERANDS["float64"])


@pytest.mark.parametrize("name", ["shape", "dtype", "T", "strides", "unheard_of"])
def test_attributes_that_are_refused(name: str) -> None:
    with pytest.raises(DiagnosticError, match="attribute-of-array"):
        graph_of(lambda np, _, x: setattr(x, name, x), _X)


def test_stores_that_never_fit_are_refused() -> None:
    for item, slug in ((np.ones(4), "shape-mismatch"), (1j, "invalid-array-call")):
        with pytest.raises(DiagnosticError, match=slug):
            build(lambda x, i=item: _set_value(x, i), np.ones(3), symbolic=False)
    with pytest.raises(DiagnosticError, match="unsupported-store"):
        graph_of(lambda np, _, x: _set(x.sum(), 0, 1), _X)


def _set_value(x: Any, item: Any) -> Any:
    items = list(item) if isinstance(item, np.ndarray) else item
    if isinstance(items, list):
        items = emit(array, *map(float, items), shape=(len(items),), dtype=np.dtype("f8"))
    setitem(x, slice(None), items)
    return 0
