"""``out=``, ``where=``, ``dtype=``, ``initial=`` and the methods of ufuncs, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ops import FUNCTIONS
from tests.support.graphs import build
from tests.support.interpreter import run
from tests.support.proxy import Program, check, check_writes, graph_of

pytestmark = pytest.mark.filterwarnings("ignore")

_WRITES: dict[str, Program] = {
    "add": lambda np, _, x, y, o: np.add(x, y, out=o),
    "add-positional": lambda np, _, x, y, o: np.add(x, y, o),
    "add-tuple": lambda np, _, x, y, o: np.add(x, 2, out=(o,)),
    "add-itself": lambda np, _, x, y, o: np.add(x, y, out=x),
    "add-overlap": lambda np, _, x, y, o: np.add(x[1:], x[:-1], out=x[1:]),
    "add-view": lambda np, _, x, y, o: np.add(y, 1, out=o[0]),
    "add-row": lambda np, _, x, y, o: np.add(y, 1, out=o),
    "add-numbers": lambda np, _, x, y, o: np.add(1, 2, out=o),
    "add-huge": lambda np, _, x, y, o: np.add(x, 2**70, out=o),
    "add-where": lambda np, _, x, y, o: np.add(x, y, out=o, where=x > y),
    "add-where-list": lambda np, _, x, y, o: np.add(x, y, o, where=[True, False, True]),
    "add-where-static": lambda np, _, x, y, o: np.add(x, y, o, where=False),
    "add-dtype": lambda np, _, x, y, o: np.add(x, y, out=o, dtype=np.float64),
    "add-casting": lambda np, _, x, y, o: np.add(x, y, out=o, casting="unsafe"),
    "add-misfit": lambda np, _, x, y, o: np.add(x, y, out=o[:1]),
    "add-rank": lambda np, _, x, y, o: np.add(x, y, out=y),
    "add-number": lambda np, _, x, y, o: np.add(x, y, out=o[0, 0]),
    "add-bool": lambda np, _, x, y, o: np.add(x, y, out=x > y),
    "then-read": lambda np, _, x, y, o: (np.add(x, y, out=x) + x).sum(),
    "nested": lambda np, _, x, y, o: np.multiply(np.add(x, y, out=o), 2, out=o),
    "exp": lambda np, _, x, y, o: np.exp(x, out=o),
    "exp-itself": lambda np, _, x, y, o: np.exp(y, y),
    "negative": lambda np, _, x, y, o: np.negative(x, x),
    "less": lambda np, _, x, y, o: np.less(x, y, out=o),
    "divide-where": lambda np, _, x, y, o: np.divide(x, y, out=o, where=y != 0),
    "square-where": lambda np, _, x, y, o: np.square(x, out=x, where=x > 3),
    "divmod": lambda np, _, x, y, o: np.divmod(x, 3, out=(o, x)),
    "divmod-positional": lambda np, _, x, y, o: np.divmod(x, 3, o, x),
    "divmod-one": lambda np, _, x, y, o: np.divmod(x, 3, out=(None, o)),
    "modf": lambda np, _, x, y, o: np.modf(x, o, x),
    "sum": lambda np, _, x, y, o: np.sum(x, axis=0, out=o[0]),
    "sum-method": lambda np, _, x, y, o: x.sum(0, None, y),
    "sum-keepdims": lambda np, _, x, y, o: x.sum(axis=1, keepdims=True, out=o[:, :1]),
    "sum-where": lambda np, _, x, y, o: x.sum(axis=0, where=x > 2, out=y),
    "sum-zero-d": lambda np, _, x, y, o: np.sum(x, out=o[0, ..., 0]),
    "sum-misfit": lambda np, _, x, y, o: np.sum(x, axis=1, out=y),
    "mean": lambda np, _, x, y, o: np.mean(x, axis=0, out=y),
    "std": lambda np, _, x, y, o: x.std(axis=0, out=y, ddof=1),
    "max": lambda np, _, x, y, o: np.max(x, axis=0, out=y),
    "min-method": lambda np, _, x, y, o: x.min(0, y),
    "argmax": lambda np, _, x, y, o: np.argmax(x, axis=0, out=y),
    "any": lambda np, _, x, y, o: np.any(x, axis=0, out=y),
    "cumsum": lambda np, _, x, y, o: np.cumsum(x, axis=1, out=o),
    "cumsum-itself": lambda np, _, x, y, o: x.cumsum(0, out=x),
    "cumprod": lambda np, _, x, y, o: y.cumprod(out=y),
    "ptp": lambda np, _, x, y, o: np.ptp(x, axis=0, out=y),
    "median": lambda np, _, x, y, o: np.median(x, axis=0, out=y),
    "dot": lambda np, _, x, y, o: np.dot(x, x.T, out=np.zeros((2, 2), x.dtype)),
    "dot-wrong": lambda np, _, x, y, o: np.dot(x, y, out=o),
    "dot-method": lambda np, _, x, y, o: x.dot(y, out=o[:, 0].copy()),
    "matmul": lambda np, _, x, y, o: np.matmul(x, x.T, out=o[:, :2]),
    "matmul-tuple": lambda np, _, x, y, o: np.matmul(x, y, out=(o[:, 1],)),
    "outer": lambda np, _, x, y, o: np.outer(x[:, 0], y, out=o),
    "clip": lambda np, _, x, y, o: np.clip(x, 1, 3, out=x),
    "clip-one": lambda np, _, x, y, o: np.clip(x, None, y, out=o),
    "clip-method": lambda np, _, x, y, o: x.clip(2, out=o),
    "round": lambda np, _, x, y, o: np.round(x, 1, out=o),
    "concatenate": lambda np, _, x, y, o: np.concatenate([x[:1], x[1:]], out=o),
    "concatenate-axis": lambda np, _, x, y, o: np.concatenate((x[:, 1:], x[:, :1]), 1, o),
    "concatenate-cast": lambda np, _, x, y, o: np.concatenate([x * 1.5], out=o, casting="unsafe"),
    "stack": lambda np, _, x, y, o: np.stack([y, y], out=o),
    "take": lambda np, _, x, y, o: np.take(x, [1, 0], axis=0, out=o, mode="clip"),
    "take-method": lambda np, _, x, y, o: y.take([2, 9, 0], out=y, mode="wrap"),
    "trace": lambda np, _, x, y, o: np.trace(x, out=o[0, ..., 0]),
    "reduce": lambda np, _, x, y, o: np.add.reduce(x, out=y),
    "reduce-tuple": lambda np, _, x, y, o: np.maximum.reduce(x, axis=0, out=(y,)),
    "accumulate": lambda np, _, x, y, o: np.add.accumulate(x, 1, out=x),
    "outer-method": lambda np, _, x, y, o: np.subtract.outer(x[:, 0], y, out=o),
}
_OPERANDS: dict[str, tuple[Any, Any, Any]] = {
    "float64": (np.array([[1.5, 2, 0], [4, 5, 6]]), np.array([3.0, 0, 4]), np.zeros((2, 3))),
    "int": (np.arange(6).reshape(2, 3), np.array([3, 0, 4]), np.zeros((2, 3))),
    "int8-float32": (
        np.arange(6, dtype="i1").reshape(2, 3),
        np.array([3, 0, 4], "f4"),
        np.zeros((2, 3), "i2"),
    ),
    "bool-out": (np.arange(6.0).reshape(2, 3), np.array([3.0, 0, 4]), np.zeros((2, 3), "?")),
    "complex": (np.ones((2, 3), "c8"), np.array([3, 0, 4j]), np.zeros((3, 2), "c16").T),
}


@pytest.mark.parametrize("operands", _OPERANDS.values(), ids=_OPERANDS)
@pytest.mark.parametrize("program", _WRITES.values(), ids=_WRITES)
def test_out(program: Program, operands: tuple[Any, ...]) -> None:
    check_writes(program, *operands)
    check_writes(program, *operands, symbolic=False)


_REFUSED_BY_NUMPY = ("rank", "number", "bool", "wrong", "huge", "argmax")


@pytest.mark.parametrize("name", [n for n in _WRITES if n.split("-")[-1] not in _REFUSED_BY_NUMPY])
def test_out_compiles(name: str) -> None:
    graph_of(_WRITES[name], *_OPERANDS["float64"])


@pytest.mark.parametrize("name", ["add", "sum", "cumsum", "clip", "matmul", "concatenate"])
def test_the_result_is_out(name: str) -> None:
    def body(x: Any, o: Any) -> Any:
        adapter = FUNCTIONS[getattr(np, name)]
        rest = {"add": (x,), "clip": (0, 1), "matmul": (x,), "sum": (0,), "cumsum": (0,)}
        first = (x,) if name == "concatenate" else x
        return adapter(first, *rest.get(name, ()), out=o)

    x = np.ones((2, 2))
    out = np.zeros(2) if name == "sum" else np.zeros((2, 2))
    (result,) = run(build(body, x, out), x, out)
    assert result is out


_READS: dict[str, Program] = {
    "dtype": lambda np, _, x, y: np.add(x, y, dtype=np.float32),
    "dtype-int": lambda np, _, x, y: np.multiply(x, 2, dtype=np.int64),
    "dtype-name": lambda np, _, x, y: np.negative(x, dtype="complex128"),
    "dtype-unsafe": lambda np, _, x, y: np.add(x, y, dtype=np.int8, casting="unsafe"),
    "casting": lambda np, _, x, y: np.add(x, y, casting="no"),
    "casting-safe": lambda np, _, x, y: np.add(x, x, casting="safe"),
    "dtype-two": lambda np, _, x, y: np.modf(y, dtype=np.float64),
    "order": lambda np, _, x, y: np.add(x, y, order="F"),
    "sum-where": lambda np, _, x, y: np.sum(x, where=x > 2),
    "sum-where-axis": lambda np, _, x, y: x.sum(axis=0, where=y > 0, keepdims=True),
    "sum-initial": lambda np, _, x, y: np.sum(x, initial=10),
    "max-initial": lambda np, _, x, y: np.max(x, axis=0, initial=3),
    "max-initial-value": lambda np, _, x, y: x.max(axis=1, initial=y[0]),
    "max-where": lambda np, _, x, y: x.max(where=x < 3, initial=-1),
    "max-where-alone": lambda np, _, x, y: x.max(where=x < 3),
    "mean-where": lambda np, _, x, y: np.mean(x, axis=1, where=x > 1),
    "std-where": lambda np, _, x, y: np.std(x, where=[True, False, True]),
    "all-where": lambda np, _, x, y: np.all(x, axis=0, where=x > 1),
    "reduce": lambda np, _, x, y: np.add.reduce(x),
    "reduce-all": lambda np, _, x, y: np.multiply.reduce(x, axis=None),
    "reduce-axes": lambda np, _, x, y: np.add.reduce(x, axis=(0, 1), keepdims=True),
    "reduce-max": lambda np, _, x, y: np.maximum.reduce(y),
    "reduce-row": lambda np, _, x, y: np.minimum.reduce(x, axis=1, initial=2, where=x > 0),
    "reduce-none": lambda np, _, x, y: np.maximum.reduce(x, initial=None),
    "reduce-dtype": lambda np, _, x, y: np.add.reduce(x, dtype=np.float32),
    "reduce-logical": lambda np, _, x, y: np.logical_and.reduce(x > 0, axis=1),
    "reduce-subtract": lambda np, _, x, y: np.subtract.reduce(x),
    "reduce-list": lambda np, _, x, y: np.add.reduce([y, y]),
    "reduce-number": lambda np, _, x, y: np.add.reduce(3),
    "reduce-empty": lambda np, _, x, y: np.maximum.reduce(x[:0]),
    "accumulate": lambda np, _, x, y: np.add.accumulate(x),
    "accumulate-axis": lambda np, _, x, y: np.maximum.accumulate(x, axis=1),
    "accumulate-dtype": lambda np, _, x, y: np.multiply.accumulate(x, 0, np.float64),
    "reduceat": lambda np, _, x, y: np.add.reduceat(y, [0, 2]),
    "reduceat-axis": lambda np, _, x, y: np.add.reduceat(x, [0, 1], axis=1),
    "reduceat-outside": lambda np, _, x, y: np.add.reduceat(y, [9]),
    "outer": lambda np, _, x, y: np.add.outer(x, y),
    "outer-compare": lambda np, _, x, y: np.less.outer(y, y),
    "outer-number": lambda np, _, x, y: np.multiply.outer(y, 2),
    "outer-dtype": lambda np, _, x, y: np.multiply.outer(y, y, dtype=np.float64),
}


@pytest.mark.parametrize("operands", _OPERANDS.values(), ids=_OPERANDS)
@pytest.mark.parametrize("program", _READS.values(), ids=_READS)
def test_options(program: Program, operands: tuple[Any, ...]) -> None:
    check(program, *operands[:2])
    check(program, *operands[:2], symbolic=False)


@pytest.mark.parametrize(
    "name", [n for n in _READS if n not in ("dtype-int", "reduce-number", "max-where-alone")]
)
def test_options_compile(name: str) -> None:
    graph_of(_READS[name], *_OPERANDS["float64"][:2])


def test_types_of_results() -> None:
    x, y = _OPERANDS["int"][:2]
    expected = {
        "dtype": "f32[n0, n1]",
        "sum-where-axis": "i64[1, n1]",
        "reduce": "i64[n1]",
        "accumulate": "i64[n0, n1]",
        "reduceat-axis": "i64[n0, 2]",
        "outer": "i64[n0, n1, n2]",
    }
    for name, type_ in expected.items():
        assert str(graph_of(_READS[name], x, y).result_types[0]) == type_


@pytest.mark.parametrize(
    "program",
    [
        lambda np, _, x: np.add(x, x, out=x > 2),
        lambda np, _, x: np.add(x, x, out=2),
        lambda np, _, x: np.divmod(x, 2, out=x),
        lambda np, _, x: np.add(x, x, dtype=bool),
    ],
)
def test_refused(program: Program) -> None:
    with pytest.raises(DiagnosticError, match="invalid-array-call"):
        graph_of(program, np.ones((2, 3)))


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum"])
def test_running_sums_write_to_no_single_element(name: str) -> None:
    """NumPy before 2.5 would write past its end."""
    with pytest.raises(DiagnosticError, match="invalid-array-call"):
        graph_of(lambda np, _, x, o: getattr(np, name)(x, out=o), np.ones(3), np.array(1.0))
