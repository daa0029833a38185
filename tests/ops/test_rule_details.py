"""What the table of rules can't tell: equal elements, several types, and what is emitted."""

from __future__ import annotations

import math
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
    Value,
    verify,
)
from staticpy.ops import REGISTRY, as_value, return_, sample_type
from staticpy.ops.library import call_numpy
from staticpy.ops.rules import RULES, NoDerivativeError
from staticpy.ops.rules.base import sum_to
from staticpy.ops.traced import Traced, trace, untrace
from tests.support.graphs import build, identity_of
from tests.support.interpreter import run

_F8 = np.dtype("float64")

# --- equal elements -------------------------------------------------------------------------------


def _pulled(name: str, *operands: Any, **attrs: Any) -> Any:
    """The cotangents for ones."""
    out = REGISTRY[name].kernel(*operands, **attrs)  # type: ignore[misc]
    return RULES[name].vjp(np.ones_like(out), out, *operands, **attrs)  # type: ignore[misc]


@pytest.mark.parametrize("name", ["max", "nanmax"])
def test_the_largest_share(name: str) -> None:
    x = np.array([[3.0, 1.0, 3.0], [2.0, 2.0, 2.0]])
    (found,) = _pulled(name, x, axis=1)
    np.testing.assert_array_equal(found, [[0.5, 0, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    (found,) = _pulled("call_reduce", x[0], 3.0, function="max", keywords=("initial",))[:1]
    np.testing.assert_array_equal(found, [1 / 3, 0, 1 / 3])


def test_bounds_share() -> None:
    x, low, high = np.array([0.0, 0.5, 1.0]), np.zeros(3), np.ones(3)
    by_x, by_low, by_high = _pulled("clip", x, low, high)
    np.testing.assert_array_equal(by_x, [0.5, 1, 0.5])
    np.testing.assert_array_equal(by_low, [0.5, 0, 0])
    np.testing.assert_array_equal(by_high, [0, 0, 0.5])


def test_products_with_zeros() -> None:
    for x in ([2.0, 0.0, 3.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
        (found,) = _pulled("prod", np.array(x))
        others = [np.prod(np.delete(x, at)) for at in range(3)]
        np.testing.assert_array_equal(found, others)
    (found,) = _pulled("cumprod", np.array([2.0, 0.0, 3.0]))
    np.testing.assert_array_equal(found, [1, 2 + 6, 0])


def test_one_element_taken_twice() -> None:
    x = np.arange(3.0)
    np.testing.assert_array_equal(_pulled("index", x, [0, 0, 2], spec=("array",))[0], [2, 0, 1])
    np.testing.assert_array_equal(_pulled("take", x, np.array([0, 0, -1]))[0], [2, 0, 1])


def _emitted(name: str, *operands: Any, unwanted: tuple[int, ...] = (), **attrs: Any) -> list[str]:
    """The names of the ops that a vjp emits."""
    out = REGISTRY[name].kernel(*operands, **attrs)  # type: ignore[misc]

    def body(g: Value, out: Value, *values: Value) -> Any:
        given = [Traced(each, is_wanted=at not in unwanted) for at, each in enumerate(values)]
        found = RULES[name].vjp(Traced(g), Traced(out), *given, **attrs)  # type: ignore[misc]
        return tuple(untrace(each) for each in found if each is not None)

    graph = build(body, out, out, *operands)
    return [each.name for each in graph.body.block.operations if each.name not in ("dim", "return")]


def test_no_more_is_emitted_than_is_due() -> None:
    x = np.ones((3, 3))
    assert _emitted("matmul", x, x) == ["transpose", "matmul", "transpose", "matmul"]
    assert _emitted("matmul", x, x, unwanted=(0,)) == ["transpose", "matmul"]
    assert _emitted("matmul", x, x[0], unwanted=(0,)) == ["matmul"]
    assert _emitted("sum", x) == ["broadcast_to"]
    assert _emitted("sum", x, axis=0) == ["expand_dims", "broadcast_to"]
    assert _emitted("index", x, 1, spec=("value",)) == ["scatter_add"]
    assert _emitted("transpose", x, axes=(1, 0)) == ["transpose"]
    assert _emitted("reshape", x, shape=(9,)) == ["reshape"]
    assert _emitted("copy", x, order="C") == []


def _refusal(operands: tuple[Any, ...], **attrs: Any) -> str:
    """Why a call of NumPy's library has no derivative."""
    out = call_numpy(*operands, **attrs)
    with pytest.raises(NoDerivativeError) as caught:
        _vjp_of("numpy.call")((out,), out, *operands, results=(), **attrs)
    return str(caught.value)


def _vjp_of(name: str) -> Any:
    return RULES[name].vjp


def test_what_has_no_derivative_says_so() -> None:
    x = np.arange(6.0).reshape(2, 3)
    name = "lib.stride_tricks.as_strided"
    assert f"np.{name}()" in _refusal((x,), function=name, shape=(3,), strides=(8,))
    assert "'axes'" in _refusal((x, x), function="vecdot", axes=[(1,), (1,), ()])
    assert "a tuple or list" in _refusal(([x[0], x[1]],), function="linalg.norm")


def test_bins_of_no_numbers_stand_still() -> None:
    x, bins = np.zeros(0), {"results": (), "bins": 3}
    for name in ("histogram", "histogram_bin_edges"):
        out = getattr(np, name)(x, 3)
        moved = RULES["numpy.call"].jvp((x,), out, x, function=name, **bins)  # type: ignore[misc]
        edges = moved[1] if name == "histogram" else moved
        np.testing.assert_array_equal(edges, np.zeros(4))
        (found,) = _vjp_of("numpy.call")(out, out, x, function=name, **bins)
        assert found is None or found.shape == (0,)


_METHODS = """
lower higher nearest midpoint inverted_cdf closest_observation averaged_inverted_cdf linear hazen
weibull median_unbiased normal_unbiased interpolated_inverted_cdf
"""


@pytest.mark.parametrize("method", _METHODS.split())
def test_quantiles_at_their_steps(method: str) -> None:
    """A quantile of ``k x`` is ``k`` times that of ``x``, which is the tangent along ``x``."""
    rng = np.random.default_rng(0)
    for count in (1, 2, 5, 10, 12):
        x = rng.normal(size=count)
        parts = np.append(np.arange(2 * count + 1) / (2 * count), np.linspace(0, 1, 21))
        for name, given in (("quantile", parts), ("nanpercentile", 100 * parts)):
            for q in (given, *given[count // 2 :: 9].tolist()):
                out = getattr(np, name)(x, q, method=method)
                attrs = {"function": name, "results": (), "method": method}
                moved = RULES["numpy.call"].jvp((x, None), out, x, q, **attrs)  # type: ignore[misc]
                np.testing.assert_allclose(moved, out, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("axis", [0, (1,), (0, 1), (2, 0), (0, 1, 2), None], ids=repr)
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_quantiles_of_weighted_numbers(name: str, axis: Any) -> None:
    """The tangent along ``x`` is the quantile, also where NumPy gives elements others' weights, as
    along several axes before 2.4; or it is refused there.
    """
    rng = np.random.default_rng(0)
    x, weights = rng.normal(size=(3, 3, 3)), rng.random((3, 3, 3))
    attrs: Any = {"axis": axis, "method": "inverted_cdf"}
    for q in np.linspace(0, 1, 9).tolist():
        out = getattr(np, name)(x, q, weights=weights, **attrs)
        given: Any = {"function": name, "results": (), "keywords": ("weights",), **attrs}
        try:
            moved = RULES["numpy.call"].jvp((x, None, None), out, x, q, weights, **given)  # type: ignore[misc]
        except NoDerivativeError:
            assert isinstance(axis, tuple)
            assert len(axis) > 1
        else:
            np.testing.assert_allclose(moved, out, rtol=1e-12)


def test_a_column_that_is_not_reflected_is_so_at_one_point() -> None:
    """Columns that ``qr`` adds have no derivative where a first one is zero below the diagonal."""
    x = np.random.default_rng(0).normal(size=(2, 4, 2))
    x[0, 2:, 1] = x[0, 1:, 0] = 0
    out = tuple(np.linalg.qr(x, mode="complete"))
    attrs = {"results": (), "function": "linalg.qr", "mode": "complete"}
    moved = RULES["numpy.call"].jvp((x,), out, x, **attrs)[0]  # type: ignore[misc]
    assert np.isnan(moved[0, :, 2:]).all()
    assert not np.isnan(moved[1]).any()
    assert not np.isnan(moved[:, :, :2]).any()
    (found,) = _vjp_of("numpy.call")(tuple(map(np.ones_like, out)), out, x, **attrs)
    assert np.isnan(found[0]).any()
    assert not np.isnan(found[1]).any()


def test_a_reflection_that_is_none_has_no_derivative() -> None:
    """But for that of the last row of real numbers, which never is one."""
    x = np.random.default_rng(0).normal(size=(2, 3, 3))
    x[0, 1:, 0] = 0
    out = tuple(np.linalg.qr(x, mode="raw"))
    attrs = {"results": (), "function": "linalg.qr", "mode": "raw"}
    moved, factors = RULES["numpy.call"].jvp((x,), out, x, **attrs)  # type: ignore[misc]
    assert np.isnan(np.triu(moved[0], 1)).any()
    assert not np.isnan(np.tril(moved[0])).any()  # of R, turned
    assert not np.isnan(moved[1]).any()
    assert factors[1, 2] == 0.0


@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
def test_vectors_that_a_matrix_does_not_determine(shape: tuple[int, int]) -> None:
    """Of several that it maps to zero there is no derivative; of all others there is."""
    x = np.random.default_rng(0).normal(size=shape)
    out = tuple(np.linalg.svd(x))
    reduced = tuple(np.linalg.svd(x, full_matrices=False))
    attrs = {"results": (), "function": "linalg.svd"}
    g = [np.cos(np.arange(each.size)).reshape(each.shape) for each in reduced]
    (expected,) = _vjp_of("numpy.call")(g, reduced, x, full_matrices=False, **attrs)
    wide = [np.zeros_like(each) for each in out]
    for whole, part in zip(wide, g, strict=True):
        whole[tuple(map(slice, part.shape))] = part
    (found,) = _vjp_of("numpy.call")(wide, out, x, **attrs)
    np.testing.assert_allclose(found, expected)
    wide[0 if shape[0] > 3 else 2][-1, -1] = 1
    (found,) = _vjp_of("numpy.call")(wide, out, x, **attrs)
    assert np.isnan(found).all()
    moved = RULES["numpy.call"].jvp((x[::-1] + 1,), out, x, **attrs)  # type: ignore[misc]
    held = RULES["numpy.call"].jvp(  # type: ignore[misc]
        (x[::-1] + 1,), reduced, x, full_matrices=False, **attrs
    )
    for whole, part in zip(moved, held, strict=True):
        np.testing.assert_allclose(whole[tuple(map(slice, part.shape))], part)
        is_part = np.zeros(whole.shape, bool)
        is_part[tuple(map(slice, part.shape))] = True
        assert np.isnan(whole[~is_part]).all()


def test_singular_values_of_any_matrix() -> None:
    """They have a derivative, also where the vectors that span no part of it have none."""
    x = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    out = tuple(np.linalg.svd(x))
    g = (None, np.array([1.0, 10.0]), None)
    (found,) = _vjp_of("numpy.call")(g, out, x, results=(), function="linalg.svd")
    np.testing.assert_allclose(found, [[1, 0, 0], [0, 10, 0]], atol=1e-12)


# --- points without a derivative, besides those in the table of the docs --------------------------

_INF = math.inf


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "operands", "cotangents"),
    [
        ("absolute", (0j,), (0j,)),
        ("sign", (0j,), (0j,)),
        ("fabs", (0.0,), (0.0,)),
        ("cbrt", (0.0,), (_INF,)),
        ("arccos", (-1.0,), (-_INF,)),
        ("fmin", (2.0, 2.0), (0.5, 0.5)),
        ("power", (_INF, 0.0), (0.0, _INF)),
        ("logaddexp", (-_INF, 2.0), (0.0, 1.0)),
        ("logaddexp", (_INF, 2.0), (1.0, 0.0)),
        ("logaddexp", (-_INF, -_INF), (0.5, 0.5)),
        ("logaddexp2", (_INF, _INF), (0.5, 0.5)),
        ("logaddexp", (1e17, 1e17), (0.5, 0.5)),
        ("logaddexp", (0.0, -800.0), (1.0, 0.0)),
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


@pytest.mark.parametrize("side", [0.0, -0.0])
@pytest.mark.parametrize("place", [2.0, -2.0])
@pytest.mark.parametrize(
    "name",
    [
        *("arcsin", "arccos", "arccosh", "arcsinh"),
        *("cmath.asin", "cmath.acos", "cmath.acosh", "cmath.asinh"),
    ],
)
def test_a_number_on_a_cut_is_on_the_side_that_its_zero_tells(
    name: str, place: float, side: float
) -> None:
    function: Any = REGISTRY[name].kernel
    box = complex if name.startswith("cmath") else np.complex128

    def at(x: float) -> Any:
        return box(complex(side, x) if name.endswith("sinh") else complex(x, side))

    ends = at(place + 1e-6), at(place - 1e-6)
    slope = (function(ends[0]) - function(ends[1])) / (ends[0] - ends[1])
    (found,) = RULES[name].vjp(1 + 0j, function(at(place)), at(place))  # type: ignore[misc]
    assert found == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
def test_spreads_without_nan_leave_out_what_a_mask_does(name: str) -> None:
    x, mask = np.array([1.0, np.nan, 4.0, 9.0]), np.array([True, True, True, False])
    attrs, vjp = {"function": name, "results": ()}, RULES["numpy.call"].vjp
    out = getattr(np, name)(x, where=mask)
    found, _ = vjp(np.float64(1), out, x, mask, **attrs, keywords=("where",))  # type: ignore[misc]
    (expected,) = vjp(np.float64(1), out, x[:3], **attrs)  # type: ignore[misc]
    np.testing.assert_array_equal(found, [*expected, 0])


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
    assert tanh == ["multiply", "subtract", "multiply"]


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
