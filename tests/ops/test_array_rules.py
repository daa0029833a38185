"""The derivatives of the ops on arrays.

For each op and each list of operands: the tangent against central differences, the cotangents
against the tangent by the pairing ``Re(sum(g * t))``, and the rule in a graph against the rule on
arrays, bit by bit.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from staticpy.ir import Value
from staticpy.ops import REGISTRY
from staticpy.ops.library import call_numpy
from staticpy.ops.rules import RULES, NoDerivativeError
from staticpy.ops.rules.library import is_number
from staticpy.ops.store_functions import as_item
from staticpy.ops.traced import Traced, trace, untrace
from tests.ops.array_rule_cases import CASES, JUMPING, REFUSED, is_tested
from tests.support.graphs import build, identity_of
from tests.support.interpreter import run

STEP = 1e-6


def _varies(x: Any) -> bool:
    return isinstance(x, float | complex) or (
        isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "fc"
    )


def _like(x: Any, rng: np.random.Generator) -> Any:
    """Random numbers of the shape, dtype and box of ``x``."""
    made = rng.normal(size=np.shape(x))
    if np.asarray(x).dtype.kind == "c":
        made = made + 1j * rng.normal(size=np.shape(x))
    if not isinstance(x, np.ndarray | np.generic):
        return type(x)(made)
    made = np.asarray(made).astype(x.dtype)
    return made if isinstance(x, np.ndarray) else made[()]


def _moved(x: Any, t: Any, step: float) -> Any:
    """``x + step * t``, in the box of ``x``; a stretched array is moved as one."""
    if t is None:
        return x
    made = x + step * t
    return np.asarray(made) if isinstance(x, np.ndarray) else type(x)(made)


def _items(out: Any) -> tuple[Any, ...]:
    return out if isinstance(out, tuple) else (out,)


def _pairing(left: Any, right: Any) -> float:
    return float(np.sum(np.asarray(left) * np.asarray(right)).real)


class Check:
    """One op on some operands."""

    def __init__(self, name: str, operands: tuple[Any, ...], attrs: dict[str, Any]) -> None:
        self.rng = np.random.default_rng(7)
        self.name, self.operands, self.attrs = name, operands, attrs
        self.rule = RULES[name]
        self.out = self.compute(operands)
        self.tangents = [_like(x, self.rng) if _varies(x) else None for x in operands]
        given = [np.asarray(x).dtype for x in (*operands, *_items(self.out)) if _varies(x)]
        epsilon = max(np.finfo(dtype).eps for dtype in given)
        self.wide = epsilon < 1e-15
        self.tolerance = 1e-10 if self.wide else 100 * float(epsilon)

    def compute(self, operands: Any) -> Any:
        return REGISTRY[self.name].kernel(*operands, **self.attrs)  # type: ignore[misc]

    def jvp(self, tangents: Any) -> tuple[Any, ...]:
        assert self.rule.jvp is not None
        found = self.rule.jvp(tuple(tangents), self.out, *self.operands, **self.attrs)
        outs = _items(self.out)
        found = (None,) * len(outs) if found is None else _items(found)
        assert len(found) == len(outs)
        return found

    def vjp(self, g: Any) -> tuple[Any, ...]:
        assert self.rule.vjp is not None
        found = self.rule.vjp(g, self.out, *self.operands, **self.attrs)
        assert isinstance(found, tuple)
        assert len(found) == len(self.operands)
        return found

    def choices(self) -> Iterator[list[Any]]:
        """All tangents, and each alone."""
        yield self.tangents
        active = [at for at, t in enumerate(self.tangents) if t is not None]
        for at in active if len(active) > 1 else []:
            yield [t if at == each else None for each, t in enumerate(self.tangents)]

    def check_differences(self) -> None:
        """Central differences."""
        for tangents in self.choices():
            found = self.jvp(tangents)
            sides = [
                _items(self.compute([*map(_moved, self.operands, tangents, [h] * len(tangents))]))
                for h in (STEP, -STEP)
            ]
            for t, out, high, low in zip(found, _items(self.out), *sides, strict=True):
                self._check_tangent(t, out, high, low)

    def _check_tangent(self, t: Any, out: Any, high: Any, low: Any) -> None:
        if not _varies(out):
            return
        if t is not None:
            assert np.shape(t) == np.shape(out)
            assert np.asarray(t).dtype == np.asarray(out).dtype
        if self.wide:
            expected = (high - low) / (2 * STEP)
            scale = np.nanmax(np.abs(expected), initial=1)
            given = np.zeros_like(expected) if t is None else t
            np.testing.assert_allclose(given, expected, rtol=1e-6, atol=1e-8 * scale + 1e-8)

    def cotangents(self) -> Iterator[Any]:
        outs = [_like(out, self.rng) if _varies(out) else None for out in _items(self.out)]
        if not isinstance(self.out, tuple):
            yield outs[0]
            return
        yield tuple(outs)
        for at in range(len(outs)):
            if outs[at] is not None:
                yield tuple(g if each == at else None for each, g in enumerate(outs))

    def check_pairing(self) -> None:
        """The transpose, and the types of the cotangents."""
        t = self.jvp(self.tangents)
        for g in self.cotangents():
            found = self.vjp(g)
            gs = _items(g)
            pairs = [(a, b) for a, b in zip(gs, t, strict=True) if not (a is None or b is None)]
            left = sum(_pairing(a, b) for a, b in pairs)
            right = 0.0
            for back, x, tangent in zip(found, self.operands, self.tangents, strict=True):
                if back is not None and tangent is not None:
                    right += _pairing(back, tangent)
                    self._check_type(back, x)
            np.testing.assert_allclose(left, right, self.tolerance, self.tolerance)

    def _check_type(self, back: Any, x: Any) -> None:
        assert np.shape(back) == np.shape(x)
        if isinstance(x, np.ndarray | np.generic):
            assert isinstance(back, np.ndarray | np.generic)
            assert back.dtype == x.dtype
        else:
            assert type(back) is type(x)

    def check_graph(self, symbolic: bool) -> None:
        """Emitted and computed are the same; what depends on a size may be refused."""
        if symbolic and self.attrs.get("function") == "linalg.svd":
            return
        for g in self.cotangents():
            self._check_emitted(g, symbolic)

    def _check_emitted(self, g: Any, symbolic: bool) -> None:
        gs, outs = _items(g), _items(self.out)
        given = [each for each in gs if each is not None]
        expected = [each for each in self.vjp(g) if each is not None]

        def body(*values: Value) -> Any:
            rest = self._with_fixed(values)
            traced_g = tuple(None if each is None else next(rest) for each in gs)
            traced_out = tuple(next(rest) for _ in outs)
            is_tuple = isinstance(self.out, tuple)
            made = self.rule.vjp(  # type: ignore[misc]
                traced_g if is_tuple else traced_g[0],
                traced_out if is_tuple else traced_out[0],
                *rest,
                **self.attrs,
            )
            return tuple(untrace(each) for each in made if each is not None)

        values = (*given, *outs, *filter(self._is_value, self.operands))
        self._compare(run(build(body, *values, symbolic=symbolic), *values), expected)

    def _is_value(self, operand: Any) -> bool:
        """Whether an operand comes as a value: what says what a function is to do is a constant."""
        function = self.attrs.get("function", "")
        is_steering = type(operand) is float and function.startswith("linalg.")
        return self.name != "numpy.call" or (is_number(operand) and not is_steering)

    def _with_fixed(self, values: tuple[Value, ...]) -> Iterator[Any]:
        """The arguments of the graph, with the constants between them."""
        count = sum(map(self._is_value, self.operands))
        yield from trace(values[: len(values) - count])
        rest = iter(values[len(values) - count :])
        for operand in self.operands:
            yield trace(next(rest) if self._is_value(operand) else as_item(operand))

    def check_tangent_graph(self) -> None:
        """Emitted and computed are the same; what depends on a size may be refused."""
        if self.attrs.get("function") == "linalg.svd":
            return
        expected = [each for each in self.jvp(self.tangents) if each is not None]
        outs = _items(self.out)
        given = [t for t in self.tangents if t is not None]

        def body(*values: Value) -> Any:
            rest = self._with_fixed(values)
            tangents = tuple(None if each is None else next(rest) for each in self.tangents)
            traced_out = tuple(next(rest) for _ in outs)
            made = self.rule.jvp(  # type: ignore[misc]
                tangents,
                traced_out if isinstance(self.out, tuple) else traced_out[0],
                *rest,
                **self.attrs,
            )
            found = () if made is None else _items(made)
            return tuple(untrace(each) for each in found if each is not None)

        values = (*given, *outs, *filter(self._is_value, self.operands))
        self._compare(run(build(body, *values), *values), expected)

    def _compare(self, found: list[Any], expected: list[Any]) -> None:
        assert len(found) == len(expected)
        for left, right in zip(found, expected, strict=True):
            assert identity_of(np.asarray(left)) == identity_of(np.asarray(right))


def _jittered(x: Any, rng: np.random.Generator) -> Any:
    """No two elements are equal."""
    if not _varies(x) or not isinstance(x, np.ndarray | np.generic):
        return x
    made = np.asarray(x + 0.3 * _like(x, rng)).astype(x.dtype)
    return made if isinstance(x, np.ndarray) else made[()]


def _is_constant(name: str, operands: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
    """Whether it is the root of what is zero."""
    return name == "std" and (operands[0].size == 1 or attrs.get("axis") == ())


def _has_tangent(name: str, operands: tuple[Any, ...], attrs: dict[str, Any]) -> bool:
    """Whether the op gives anything that has a tangent, and is no sample of an error."""
    kernel = REGISTRY[name].kernel
    assert kernel is not None
    try:
        return any(map(_varies, _items(kernel(*operands, **attrs))))
    except ValueError:
        return False


def cases(name: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The samples of an op that have a tangent, and its cases."""
    rng = np.random.default_rng(3)
    samples = None if name in JUMPING else REGISTRY[name].samples
    for operands, attrs in samples(rng) if samples else ():
        is_refused = attrs.get("function", attrs.get("mode")) in REFUSED or _is_constant(
            name, operands, attrs
        )
        if any(map(_varies, operands)) and not is_refused:
            yield tuple(_jittered(x, rng) for x in operands), attrs
    yield from CASES.get(name, lambda _: ())(rng)


OURS = sorted(filter(is_tested, RULES))


@pytest.mark.parametrize("name", OURS)
@pytest.mark.filterwarnings("ignore")
def test_rule(name: str) -> None:
    """The derivatives of an op."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        for operands, attrs in cases(name):
            if not _has_tangent(name, operands, attrs):
                continue
            try:
                check = Check(name, operands, attrs)
                check.check_differences()
                check.check_pairing()
                check.check_graph(symbolic=True)
                check.check_graph(symbolic=False)
                check.check_tangent_graph()
            except Exception as error:
                shown = [(type(x).__name__, np.shape(x)) for x in operands]
                error.add_note(f"{name}{shown} {attrs}")
                raise


# --- what differences can't tell ------------------------------------------------------------------


def _pulled(name: str, *operands: Any, **attrs: Any) -> Any:
    """The cotangents for ones."""
    check = Check(name, operands, attrs)
    return check.vjp(np.ones_like(check.out))


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
    assert "np.i0()" in _refusal((x,), function="i0")
    assert "'where'" in _refusal((x, x > 1), function="nanvar", keywords=("where",))
    assert "a tuple or list" in _refusal(([x[0], x[1]],), function="linalg.norm")
    assert "'period'" in _refusal((x, 3.5), function="unwrap", keywords=("period",))
    assert "'hermitian'" in _refusal((x[:, :2],), function="linalg.pinv", hermitian=True)
    assert "np.linalg.svd()" in _refusal_of_svd(x)


def _refusal_of_svd(x: Any) -> str:
    out = tuple(np.linalg.svd(x))
    with pytest.raises(NoDerivativeError) as caught:
        _vjp_of("numpy.call")(out, out, x, results=(), function="linalg.svd")
    return str(caught.value)


def test_singular_values_of_any_matrix() -> None:
    """They have a derivative, also where the vectors that span no part of it have none."""
    x = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    out = tuple(np.linalg.svd(x))
    g = (None, np.array([1.0, 10.0]), None)
    (found,) = _vjp_of("numpy.call")(g, out, x, results=(), function="linalg.svd")
    np.testing.assert_allclose(found, [[1, 0, 0], [0, 10, 0]], atol=1e-12)
