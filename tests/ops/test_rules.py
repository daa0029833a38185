"""Every op has a derivative rule, or says why not; and each rule is the derivative."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from staticpy.ir import (
    FLOAT,
    INT,
    UNKNOWN,
    Block,
    Builder,
    Function,
    Module,
    ScalarType,
    ShapeFacts,
    TensorType,
    Type,
    UnionType,
    verify,
)
from staticpy.ops import REGISTRY, as_value, return_, sample_type
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.rules import RULES, NoDerivativeError
from staticpy.ops.rules.base import sum_to
from staticpy.ops.traced import trace, untrace
from tests.ops.array_rule_cases import is_tested
from tests.support.derivatives import checked
from tests.support.graphs import identity_of
from tests.support.interpreter import run

_NOT_YET = """
    vjp vmap constant undef if while for call raise region_yield return try errstate raise_value
    reraise exception.known exception.getattr exception.make print
    any.matmul
    tuple.make tuple.items set.make slice.make
    list.make list.copy list.concat list.repeat list.len list.getitem list.getslice list.contains
    list.index list.count list.eq list.setitem list.delitem list.delslice list.setslice list.append
    list.extend list.insert list.pop list.remove list.clear list.reverse list.sort list.from_array
    list.array list.heapify list.heappush list.heappop list.heapreplace list.heappushpop
    list.nlargest list.nsmallest list.bisect_left list.bisect_right list.insort_left
    list.insort_right list.sorted_by list.sum math.fsum_of math.dist_of math.prod_of
    dict.make dict.copy dict.len dict.contains dict.getitem dict.get dict.keys dict.values
    dict.items dict.setitem dict.delitem dict.pop dict.update dict.clear
    store fill sort_in_place partition_in_place put copyto place putmask fill_diagonal
    put_along_axis set_array_attribute ufunc.at flat.setitem
    iadd isub imul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor imatmul
    call_out
    object.same_or_equal object.is object.compare object.call object.setattr
    object.set_slot object.delattr object.getattr object.truth object.isinstance object.is_of
    object.holds object.cast object.new object.construct
    str.call str.repeat str.getitem str.getslice str.contains str.items str.format str.str str.repr
    str.concat str.percent str.eq str.len str.int str.float str.complex
"""
"""Ops that have no rule so far."""


def test_every_op_has_a_rule_or_a_reason() -> None:
    assert set(REGISTRY) - set(RULES) == set(_NOT_YET.split())
    for name, rule in RULES.items():
        assert (rule.vjp is None) == (rule.jvp is None) == bool(rule.reason), name


# --- elementwise ----------------------------------------------------------------------------------

_RANGES: dict[str, tuple[float, float]] = {
    "log": (0.3, 2.0),
    "log2": (0.3, 2.0),
    "log10": (0.3, 2.0),
    "sqrt": (0.3, 2.0),
    "cbrt": (0.3, 2.0),
    "power": (0.3, 2.0),
    "float_power": (0.3, 2.0),
    "arccosh": (1.3, 2.0),
    "frexp": (0.55, 0.95),
    "rint": (0.6, 1.4),
}
"""Where the function is smooth, if it is not so between -0.9 and -0.2 and between 0.2 and 0.9."""

_SHAPES: dict[str, tuple[int, ...] | None] = {
    "contiguous": (2, 3),
    "stretched": (4, 3),
    "empty": (0, 3),
    "one": (1,),
    "scalar": None,
}


def _numbers(name: str, shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Any:
    def part() -> Any:
        if name in _RANGES:
            return rng.uniform(*_RANGES[name], shape)
        return rng.uniform(0.2, 0.9, shape) * rng.choice([-1, 1], shape)

    return (part() + 1j * part() if dtype.startswith("c") else part()).astype(dtype)


def _operand(name: str, layout: str, dtype: str, rng: np.random.Generator) -> Any:
    shape = _SHAPES[layout]
    if shape is None:
        return _numbers(name, (), dtype, rng)[()]
    if layout == "stretched":
        return np.broadcast_to(_numbers(name, shape[1:], dtype, rng), shape)
    return _numbers(name, shape, dtype, rng)


def _loop(ufunc: np.ufunc, dtype: str) -> list[str] | None:
    """The dtypes of the operands of a ufunc for operands of ``dtype``; None if it has no loop."""
    given = [dtype] * ufunc.nin if ufunc is not np.ldexp else [dtype, "int64"]
    try:
        found = ufunc.resolve_dtypes((*map(np.dtype, given), *[None] * ufunc.nout))
    except TypeError:
        return None
    return [each.name for each in found[: ufunc.nin]]


def _is_differentiable(name: str) -> bool:
    return name in RULES and not RULES[name].reason


_ELEMENTWISE = sorted(op.name for op in UFUNC_OPS.values() if _is_differentiable(op.name))


@pytest.mark.parametrize("layout", _SHAPES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_elementwise(dtype: str, layout: str) -> None:
    for name in (*_ELEMENTWISE, "complex_multiply"):
        ufunc = REGISTRY[name].ufunc
        assert ufunc is not None
        dtypes = _loop(ufunc, dtype)
        if dtypes is None or (name == "complex_multiply" and layout != "scalar"):
            continue
        rng = np.random.default_rng(len(name))
        operands = tuple(_operand(name, layout, each, rng) for each in dtypes)
        try:
            checked(REGISTRY[name], operands, {})
        except Exception as error:
            raise AssertionError(f"{name} of {operands}") from error


# --- other ops ------------------------------------------------------------------------------------

_F8 = np.dtype("float64")
_X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
_Z = np.complex128(0.5 - 1.5j)

_SAMPLES: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "from_python": [((2.5,), {"dtype": _F8}), ((1 - 2j,), {"dtype": np.dtype("complex128")})],
    "cast": [
        ((_X,), {"dtype": np.dtype("complex128")}),
        ((_X * (1 + 2j),), {"dtype": _F8}),
        ((_X.astype("f4"),), {"dtype": _F8}),
        ((_Z,), {"dtype": _F8}),
        ((_X[:0],), {"dtype": np.dtype("float32")}),
    ],
    "convert": [((2.5,), {"dtype": _F8}), ((np.array(2.5),), {"dtype": _F8})],
    "item": [((np.float64(2.5),), {}), ((np.ones((1, 1)),), {}), ((_Z,), {})],
    "py.complex": [((2.5,), {}), ((np.float64(2.5),), {}), ((_Z,), {})],
    "py.complex_of": [((1.5, 2.5), {}), ((1.5j, 2 - 1j), {}), ((np.float32(2), 3.5), {})],
    "broadcast": [
        ((_X, _X[0], np.float64(2)), {}),
        ((_X[:, :1], _X[:1], np.array(1.5)), {}),
        ((_X, np.arange(3)), {}),
        ((_X[:0], np.float32(2), _X[:1] * 1j), {}),
    ],
    "pow": [
        *(((_X, y), {}) for y in (0, 1, 2, 3, -1, np.int64(2), np.array(3))),
        *(((np.abs(_X), y), {}) for y in (0.5, 2.0, -1.0, np.float64(1.5), np.array(2.5), 1 + 2j)),
        *(((_X * (1 + 1j), y), {}) for y in (2, 2.5, 0.5j, np.complex128(1 + 1j))),
        ((2, np.float64(0.5)), {}),
        ((2.5, np.float64(0.5)), {}),
        ((np.float32(2.5), 2), {}),
        ((np.abs(_X).astype("f4"), 1.5), {}),
        ((_X[:0], 2), {}),
        ((np.float64(2.5), np.array(2)), {}),
    ],
    "py.pow": [
        *(((2.5, y), {}) for y in (0, 1, 2, 3, -1)),
        ((2.5, 1.5), {"kind": "float"}),
        ((2, 1.5), {"kind": "float"}),
        ((2.5, -1.5), {"kind": "float"}),
        ((0.5 + 1j, 1.5), {}),
        ((2.5, 1 + 2j), {}),
        ((1 - 2j, 2), {}),
        ((1 - 2j, 1 + 2j), {}),
    ],
    "py.min": [((3.5, 2.5, 4.5), {}), ((2.5, 4), {}), ((_X[0],), {}), ((_X[0].astype("f4"),), {})],
    "py.max": [((3.5, 2.5, 4.5), {}), ((2.5, 1), {}), ((_X[0],), {}), ((np.float64(2), 1.5), {})],
    "py.round": [((2.25,), {}), ((2.678, 2), {}), ((np.float64(2.26), 1), {})],
    "py.sum": [((0, 1.5, 2, 2.5), {}), ((0.5, 3, True), {}), ((1j, 0.5), {})],
    "math.frexp": [((0.75,), {}), ((-5.5,), {}), ((np.float32(3),), {})],
    "math.fsum": [((0.5, 1, True, np.float32(0.25), 2.5), {}), ((np.array(0.5), 2.5), {})],
    "math.remainder": [((0.75, 2.0), {}), ((5.5, 2), {}), ((5, 2.25), {}), ((-0.75, 2.5), {})],
    "math.fmod": [((5.75, 2.0), {}), ((-5.5, 2.5), {}), ((5, 2.25), {})],
    "math.log": [((2.5,), {}), ((2.5, 3.5), {}), ((2, 3.5), {}), ((2.5, 10), {})],
    "math.gamma": [((x,), {}) for x in (0.5, 2.5, 1.25, 7.5, -0.75, -2.3, np.float64(1.5))],
    "math.lgamma": [((x,), {}) for x in (0.5, 2.5, 1.25, 70.5, -0.75, -2.3, np.array(1.5))],
    "math.dist": [((0.5, 1.5, 2.5, 0.25, -1.0, 3), {"count": 3})],
    "math.modf": [((2.5,), {}), ((-2.25,), {}), ((np.float64(1.5),), {})],
    "cmath.log": [((0.5 - 1j,), {}), ((0.5 - 1j, 2 + 1j), {}), ((0.5, 2.5), {}), ((-2.0, 3j), {})],
    "cmath.rect": [((0.5, 1.5), {}), ((np.float64(2), -0.5), {}), ((2, 0.5), {})],
    "any.add": [((_X, _X[0]), {}), ((2.5, _X), {}), ((2.5, np.float64(1)), {}), ((3, 2.5), {})],
    "any.sub": [((_X[:1], _X[:, :1]), {}), ((2.5, _X), {}), ((np.float32(2.5), 1.5j), {})],
    "any.mul": [((_X, _X[0]), {}), ((2.5, _X), {}), ((_Z, 1.5), {}), ((_X[:0], 2.5), {})],
    "any.truediv": [((_X, _X[0]), {}), ((2.5, _X), {}), ((_Z, 1.5), {}), ((np.array(1.5), 2), {})],
    "any.mod": [((_X, 0.7), {}), ((7.5, 2), {}), ((7, np.float64(2.25)), {})],
    "any.pow": [((_X, 2), {}), ((np.abs(_X), _X), {}), ((2.5, 1.5), {}), ((_Z, 1.5), {})],
    "any.abs": [((_X,), {}), ((-2.5,), {}), ((3 - 4j,), {}), ((_Z,), {}), ((_X * 1j + 1,), {})],
    "any.neg": [((_X,), {}), ((-2.5,), {}), ((_Z,), {})],
    "any.pos": [((_X,), {}), ((-2.5,), {}), ((_Z,), {})],
    "any.divmod": [((_X, 0.7), {}), ((7.5, 2), {}), ((7, np.float64(2.25)), {})],
    "call_ufunc": [
        ((_X, _X[0]), {"function": "add"}),
        ((2.5, _X[:1]), {"function": "multiply", "casting": "unsafe"}),
        ((2.5, 1.5), {"function": "arctan2"}),
        ((_X[:, :1], 1.5), {"function": "divide", "dtype": np.dtype("float32")}),
        ((_X + 0.1,), {"function": "modf"}),
        ((_X, 3), {"function": "ldexp"}),
        ((np.array(1.5j), _Z), {"function": "multiply"}),
        ((_X * 1j,), {"function": "absolute"}),
    ],
    "number.method": [
        ((x,), {"name": f"__{name}__"})
        for x in (2.5, -1.5, np.float64(-2.5), np.float32(2.5))
        for name in ("neg", "pos", "abs", "float")
    ],
}
"""Samples at smooth points, for ops whose own are not at such ones, or too few."""

_OTHERS = sorted(
    name
    for name in RULES
    if name not in _ELEMENTWISE and _is_differentiable(name) and not is_tested(name)
    if name != "stop_gradient"  # whose difference is not its derivative
)


def _samples(name: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    if name in _SAMPLES:
        yield from _SAMPLES[name]
        return
    samples = REGISTRY[name].samples
    assert samples is not None
    yield from samples(np.random.default_rng(0))


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("cos", "exp"):
        monkeypatch.setitem(RULES, "sin", RULES[wrong])
        with pytest.raises(AssertionError):
            checked(REGISTRY["sin"], (_X,), {})


@pytest.mark.parametrize("name", _OTHERS)
def test_other_op(name: str) -> None:
    flowing = 0
    for operands, attrs in _samples(name):
        if any(isinstance(x, tuple | list | dict | str) for x in operands):
            continue
        try:
            flowing += checked(REGISTRY[name], operands, attrs)
        except Exception as error:
            raise AssertionError(f"{name} of {operands}, {attrs}") from error
    assert flowing or name not in _SAMPLES


# --- points without a derivative ------------------------------------------------------------------

_INF = math.inf


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "operands", "cotangents"),
    [
        ("absolute", (0.0,), (0.0,)),
        ("absolute", (0j,), (0j,)),
        ("sign", (0j,), (0j,)),
        ("fabs", (0.0,), (0.0,)),
        ("hypot", (0.0, 0.0), (0.0, 0.0)),
        ("sqrt", (0.0,), (_INF,)),
        ("cbrt", (0.0,), (_INF,)),
        ("arcsin", (1.0,), (_INF,)),
        ("arccos", (-1.0,), (-_INF,)),
        ("arccosh", (1.0,), (_INF,)),
        ("maximum", (2.0, 2.0), (0.5, 0.5)),
        ("minimum", (2.0, 2.0), (0.5, 0.5)),
        ("fmax", (2.0, math.nan), (1.0, 0.0)),
        ("fmin", (2.0, 2.0), (0.5, 0.5)),
        ("heaviside", (0.0, 0.25), (None, 1.0)),
        ("power", (0.0, 2.0), (0.0, 0.0)),
        ("power", (0.0, 1.0), (1.0, 0.0)),
        ("power", (0.0, 0.5), (_INF, 0.0)),
        ("power", (0.0, 0.0), (0.0, 0.0)),
        ("power", (_INF, 0.0), (0.0, _INF)),
        ("logaddexp", (-_INF, -_INF), (1.0, 1.0)),
        ("logaddexp", (-_INF, 2.0), (0.0, 1.0)),
        ("logaddexp", (_INF, 2.0), (1.0, 0.0)),
        ("floor", (2.0,), (None,)),
        ("rint", (0.5,), (None,)),
    ],
)
def test_point_without_derivative(name: str, operands: Any, cotangents: Any) -> None:
    given = [np.asarray(x)[()] for x in operands]
    out = REGISTRY[name].kernel(*given)  # type: ignore[misc]
    found = RULES[name].vjp(np.float64(1), out, *given)  # type: ignore[misc]
    assert found == cotangents


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "operands", "cotangents"),
    [
        ("py.abs", (0.0,), (0.0,)),
        ("py.abs", (0j,), (0j,)),
        ("py.max", (2.0, 2.0), (1.0, 0.0)),
        ("py.min", (2.0, 2.0, 1.0, 1.0), (0.0, 0.0, 1.0, 0.0)),
        ("py.max", (math.nan, 2.0), (1.0, 0.0)),
        ("py.max", (2.0, math.nan), (1.0, 0.0)),
        ("py.pow", (0.0, 0.5), (_INF, 0.0)),
        ("py.pow", (0.0, 0), (0.0, None)),
        ("py.pow", (0.0, 1), (1.0, None)),
        ("math.sqrt", (0.0,), (_INF,)),
        ("math.cbrt", (0.0,), (_INF,)),
        ("math.asin", (1.0,), (_INF,)),
        ("math.acos", (1.0,), (-_INF,)),
        ("math.acosh", (1.0,), (_INF,)),
        ("math.fabs", (0.0,), (0.0,)),
        ("math.pow", (10**30, 0.5), (None, 1e15 * math.log(1e30))),
        ("py.pow", (10**30, 0.5), (None, 1e15 * math.log(1e30))),
        ("math.hypot", (0.0, 0.0), (0.0, 0.0)),
        ("math.pow", (0.0, 0.5), (_INF, 0.0)),
    ],
)
def test_python_point_without_derivative(name: str, operands: Any, cotangents: Any) -> None:
    out = REGISTRY[name].kernel(*operands)  # type: ignore[misc]
    found = RULES[name].vjp(1.0, out, *operands)  # type: ignore[misc]
    assert found == cotangents
    assert all(type(x) in (float, complex, type(None)) for x in found)


# --- values of several types ----------------------------------------------------------------------

_F = ScalarType(_F8)
_V = TensorType(_F8, ("n0",))
_VECTOR = np.array([1.0, 2.0, 4.0])


def _graph_of_vjp(name: str, result: Type, *operands: Type) -> tuple[Function, list[bool]]:
    """The graph of a vjp of the cotangent, the result and the operands; and which have one."""
    block = Block([result, result, *operands])
    builder = Builder(block, ShapeFacts({"n0": 3}))
    with builder.current():
        g, out, *given = map(trace, block.args)
        found = RULES[name].vjp(g, out, *given)  # type: ignore[misc]
        builder.emit(return_, [as_value(untrace(x)) for x in found if x is not None])
    module = Module("f")
    function = module.add(Function("f", block))
    verify(module)
    return function, [x is not None for x in found]


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("any.add", 1, _VECTOR),
        ("any.add", _VECTOR, _VECTOR),
        ("any.sub", _VECTOR, np.float64(2)),
        ("any.mul", 3, np.float64(2)),
        ("any.mul", _VECTOR, np.float64(2)),
        ("any.truediv", _VECTOR, np.float64(2)),
        ("any.pow", _VECTOR, 3),
    ],
)
def test_operand_of_several_types(name: str, left: Any, right: Any) -> None:
    types = [UnionType((_V, INT)), sample_type(right)]
    if isinstance(right, np.ndarray):
        types[1] = _V
    (result,) = REGISTRY[name].result_types(types, {})
    function, has_one = _graph_of_vjp(name, result, *types)
    out = REGISTRY[name].kernel(left, right)  # type: ignore[misc]
    found = iter(run(function, out, out, left, right))
    expected = RULES[name].vjp(out, out, left, right)  # type: ignore[misc]
    for flows_, wanted in zip(has_one, expected, strict=True):
        given = next(found) if flows_ else None
        if wanted is not None:  # what flows to a member that is no float is not read
            assert identity_of(given) == identity_of(wanted)


def test_operand_of_several_types_without_a_derivative() -> None:
    union = UnionType((_V, INT))
    with pytest.raises(NoDerivativeError, match="several types"):
        _graph_of_vjp("any.pow", UnionType((_V, FLOAT)), union, FLOAT)
    with pytest.raises(NoDerivativeError, match="containers"):
        RULES["any.add"].vjp((1.0,), (1.0, 2.0), (1.0,), (2.0,))  # type: ignore[misc]


def test_where_a_mask_leaves_results_out_nothing_flows() -> None:
    x, mask, out = np.array([1.0, 2.0]), np.array([True, False]), np.array([np.e, np.nan])
    attrs: dict[str, Any] = {"function": "exp", "keywords": ("where",), "out": (None,)}
    rule = RULES["call_ufunc"]
    (cotangent, of_mask) = rule.vjp(np.ones(2), out, x, mask, **attrs)  # type: ignore[misc]
    assert (cotangent.tolist(), of_mask) == ([np.e, 0.0], None)
    tangent = rule.jvp((np.ones(2), None), out, x, mask, **attrs)  # type: ignore[misc]
    assert tangent.tolist() == [np.e, 0.0]


# --- economy --------------------------------------------------------------------------------------


def _op_names(name: str, *operands: Any) -> list[str]:
    (result,) = REGISTRY[name].result_types([sample_type(x) for x in operands], {})
    function, _ = _graph_of_vjp(name, result, *(sample_type(x) for x in operands))
    return [operation.name for operation in function.block.operations[:-1]]


def test_rules_read_the_result() -> None:
    assert _op_names("exp", np.float64(1)) == ["multiply"]
    assert _op_names("add", np.float64(1), np.float64(2)) == []
    assert _op_names("py.mul", 1.5, 2.5) == ["py.mul", "py.mul"]
    assert _op_names("py.mul", 2, 2.5) == ["py.mul"]
    assert _op_names("math.sin", 2.5) == ["math.cos", "py.mul"]
    tanh = [name for name in _op_names("tanh", np.float64(1)) if name != "constant"]
    assert tanh == ["multiply", "from_python", "subtract", "multiply"]


def test_nothing_is_summed_where_the_shape_is_known_to_be_the_same() -> None:
    for dim, names in (("n0", []), (UNKNOWN, ["sum_to"])):
        array = TensorType(_F8, (dim,))
        block = Block([array, array])
        with Builder(block).current():
            sum_to(*map(trace, block.args))
        assert [operation.name for operation in block.operations] == names


def test_nothing_flows_to_a_constant() -> None:
    block = Block([FLOAT, FLOAT, FLOAT])
    with Builder(block).current():
        exponent = trace(as_value(2))
        g, out, x = map(trace, block.args)
        cotangent, none = RULES["py.pow"].vjp(g, out, x, exponent)  # type: ignore[misc]
        assert none is None
        assert RULES["py.mul"].vjp(g, out, x, trace(as_value(2.5)))[1] is None  # type: ignore[misc]
    assert "py.pow" not in [operation.name for operation in block.operations]
    assert cotangent.type == FLOAT


@pytest.mark.parametrize("name", ["multiply", "py.mul", "py.truediv", "math.fmod", "any.mul"])
def test_what_is_not_wanted_is_not_emitted(name: str) -> None:
    type_ = _F if name == "multiply" else FLOAT
    block = Block([type_] * 4)
    with Builder(block).current():
        g, out, x, y = map(trace, block.args)
        y.is_wanted = False
        _, none = RULES[name].vjp(g, out, x, y)  # type: ignore[misc]
    assert none is None
    assert len(block.operations) <= 1


def test_a_traced_value_has_no_truth_and_no_end() -> None:
    x = trace(Block([_V]).args[0])
    with pytest.raises(TypeError):
        bool(x)
    with pytest.raises(TypeError):
        iter(x)
