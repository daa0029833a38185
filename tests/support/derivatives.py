"""Checking the derivative rule of an op on operands: by central differences, by its transpose, by
what it gives in a graph, and by its own derivatives.

Where the op is not smooth differences say nothing: from both sides they are not the same. Such
elements are left out there (``Differences.smooth``), and only there.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.backends import get_backend
from staticpy.ir import Module, ScalarType, TensorType, Type, Value, map_tensors
from staticpy.ops import OpDef, results_of, sample_type
from staticpy.ops.rules import RULES, NoDerivativeError
from staticpy.ops.rules.base import flows
from staticpy.ops.rules.composed import Composed
from staticpy.ops.rules.library import is_number
from staticpy.ops.store_functions import as_item
from staticpy.ops.traced import is_traced, trace, untrace
from staticpy.passes import optimize
from tests.support.graphs import build, identity_of
from tests.support.interpreter import run

Operands = tuple[Any, ...]
STEP = 1e-6
KINK = 1e-3
"""How far differences from both sides may be apart where a function is smooth."""
TOLERANCES = {"f4": 1e-3, "f8": 1e-6}
"""How far a jvp may be from differences in f64, by the narrowest dtype. In f32 one operation
rounds by 6e-8; the rest is room for sums, and for what cancels out in matrices of a condition up to
1e4. f16 overflows too soon to be compared.
"""
PAIRINGS = {"f2": 0.1, "f4": 1e-4, "f8": 1e-10}
"""How far the vjp may be from the transpose of the jvp."""
UP_TO_A_PHASE = ("linalg.eigh", "linalg.svd")
"""Functions whose complex vectors NumPy turns by any phase, so that differences say nothing."""
NEVER_SMOOTH = 1e4
"""A larger slope is a jump."""

NOTHING, REFUSED = -1, -2

_WIDE = {"f2": "f8", "f4": "f8", "c8": "c16"}


def in_type_of(value: Any, x: Any) -> Any:
    """``value`` in the box and dtype of ``x``."""
    if isinstance(x, np.ndarray):
        return np.asarray(value, x.dtype)
    return x.dtype.type(value) if isinstance(x, np.generic) else type(x)(value)


def random_like(x: Any, rng: np.random.Generator) -> Any:
    """A random tangent or cotangent of ``x``; None where it has none."""
    if not flows(x):
        return None
    real = rng.uniform(0.5, 1.5, np.shape(x))
    is_complex = np.iscomplexobj(x)
    return in_type_of(real + 1j * rng.uniform(0.5, 1.5, np.shape(x)) if is_complex else real, x)


def widened(x: Any) -> Any:
    """A number, array, dtype or type with 64 bits for each part."""
    if isinstance(x, np.dtype):
        return np.dtype(_WIDE.get(x.str[1:], x))
    if isinstance(x, np.ndarray | np.generic):
        made = np.asarray(x, widened(x.dtype))
        return made if isinstance(x, np.ndarray) else made[()]
    if isinstance(x, ScalarType):
        return ScalarType(widened(x.dtype))
    if isinstance(x, Type):
        return map_tensors(lambda each: TensorType(widened(each.dtype), each.dims), x)
    return tuple(map(widened, x)) if type(x) is tuple else x


def pairing(cotangents: Sequence[Any], tangents: Sequence[Any]) -> tuple[float, float]:
    """``Re(sum(g * t))``, and the sum of the sizes of all products."""
    pairs = [
        np.asarray(g * t).ravel()
        for g, t in zip(cotangents, tangents, strict=True)
        if g is not None and t is not None
    ]
    products = np.concatenate([*pairs, np.zeros(1)])
    return float(np.sum(products).real), float(np.sum(np.abs(products)))


# --- differences ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Differences:
    """The central differences of a result, where it is smooth, and how exact they can be."""

    slope: Any
    smooth: Any
    scale: float

    def compare(self, tangent: Any, tolerance: float, noise: float = 0.1) -> int:
        """Assert that a tangent is near; how many numbers have been compared. ``noise``: what the
        differences themselves may be wrong by, as a multiple of the tolerance.
        """
        error = np.abs((0 if tangent is None else tangent) - self.slope)
        allowed = tolerance * (np.abs(self.slope) + noise * self.scale)
        assert np.all((error <= allowed)[self.smooth]), (tangent, self.slope)
        return int(np.sum(self.smooth))


def differences(
    function: Callable[..., Sequence[Any]], points: Sequence[Any], tangents: Sequence[Any]
) -> list[Differences | None]:
    """What ``function`` of the points does along the tangents; None for what has no tangent, or
    another shape on one of the sides.
    """
    pairs = list(zip(points, tangents, strict=True))
    low, here, high = (
        function(*(x if t is None else in_type_of(x + step * t, x) for x, t in pairs))
        for step in (-STEP, 0, STEP)
    )
    found = zip(low, here, high, strict=True)
    largest = max((_largest(x) for x, t in pairs if t is not None), default=0.0)
    return [
        _difference(*map(np.asarray, each), largest) if flows(each[1]) else None for each in found
    ]


def _largest(x: Any) -> float:
    return float(np.max(np.abs(x), where=np.isfinite(x), initial=0))


def _difference(low: Any, here: Any, high: Any, largest: float) -> Differences | None:
    if not low.shape == here.shape == high.shape:
        return None
    slope = (high - low) / (2 * STEP)
    kink = np.abs((high - here) - (here - low)) / STEP
    finite = np.isfinite(slope)
    scale = max(1.0, largest, _largest(here))
    smooth = finite & (kink <= KINK * np.maximum(np.abs(slope), scale))
    return Differences(slope, smooth & (np.abs(slope) < NEVER_SMOOTH), scale)


# --- an op ----------------------------------------------------------------------------------------


class Checked:
    """An op with operands, its results and its rule; each method is one check."""

    def __init__(self, op: OpDef, operands: Operands, attrs: dict[str, Any]) -> None:
        self.op, self.operands, self.attrs = op, operands, attrs
        self.rule = RULES[op.name]
        self.types = op.result_types([sample_type(x) for x in operands], attrs)
        self.count = len(self.types)
        self.results = self.values(*operands)
        self.rng = np.random.default_rng(0)
        self.tangents = [random_like(x, self.rng) if self._is_value(x) else None for x in operands]
        self.cotangents = [random_like(x, self.rng) for x in self.results]
        inexact = [np.asarray(x).real.dtype for x in (*operands, *self.results) if flows(x)]
        self.width = min((each.str[1:] for each in inexact), default="f8")

    @property
    def flows(self) -> bool:
        """Whether anything can flow through the op."""
        return any(map(flows, self.operands)) and any(map(flows, self.results))

    @property
    def _turns(self) -> bool:
        """Whether the results are given up to a phase."""
        is_complex = any(map(np.iscomplexobj, self.results))
        return is_complex and self.attrs.get("function") in UP_TO_A_PHASE

    def values(self, *operands: Any) -> tuple[Any, ...]:
        """The results of the op."""
        assert self.op.kernel is not None
        return results_of(self.op.kernel(*operands, **self.attrs), self.types)

    def jvp(self, tangents: Any, results: Any, *operands: Any) -> tuple[Any, ...]:
        """The tangent of each result; zeros are None."""
        assert self.rule.jvp is not None
        if all(t is None for t in tangents):
            return (None,) * self.count
        out = results[0] if self.count == 1 else tuple(results)
        found = self.rule.jvp(tuple(tangents), out, *operands, **self.attrs)
        if found is None:
            return (None,) * self.count
        return (found,) if self.count == 1 else tuple(found)

    def vjp(self, cotangents: Any, results: Any, *operands: Any) -> tuple[Any, ...]:
        """The cotangent of each operand; zeros are None."""
        assert self.rule.vjp is not None
        g, out = (
            (cotangents[0], results[0]) if self.count == 1 else (tuple(cotangents), tuple(results))
        )
        return tuple(self.rule.vjp(g, out, *operands, **self.attrs))

    @property
    def directions(self) -> tuple[tuple[Any, list[Any]], ...]:
        """Each direction of the rule, and what flows into it."""
        return (self.jvp, self.tangents), (self.vjp, self.cotangents)

    # --- on arrays ------------------------------------------------------------------------------

    def check_numbers(self) -> int:
        """What needs no graph; how many numbers were compared with differences."""
        self.check_types()
        self.check_each()
        self.check_pairing()
        return self.check_differences()

    def check_types(self) -> None:
        """A tangent has the type of its result, a cotangent that of its operand."""
        tangents = self.jvp(self.tangents, self.results, *self.operands)
        cotangents = self.vjp(self.cotangents, self.results, *self.operands)
        assert len(tangents) == len(self.results)
        assert len(cotangents) == len(self.operands)
        for found, x in [
            *zip(tangents, self.results, strict=True),
            *zip(cotangents, self.operands, strict=True),
        ]:
            if found is not None:
                assert flows(x), (found, x)
                assert sample_type(found) == sample_type(x), (found, x)

    def check_each(self) -> None:
        """What flows alone, flows as among others."""
        for rule, flowing in self.directions:
            whole = rule(flowing, self.results, *self.operands)
            totals: list[Any] = [None] * len(whole)
            places = [i for i, t in enumerate(flowing) if t is not None]
            for i in places if len(places) > 1 else ():
                alone = [t if i == j else None for j, t in enumerate(flowing)]
                for j, each in enumerate(rule(alone, self.results, *self.operands)):
                    if each is not None:
                        assert sample_type(each) == sample_type(whole[j]), (each, whole[j])
                        totals[j] = each if totals[j] is None else totals[j] + each
            for total, each in zip(totals, whole, strict=True):
                if len(places) > 1:
                    assert (total is None) == (each is None)
                    assert each is None or self._is_near(total, each)

    def _is_near(self, left: Any, right: Any) -> bool:
        tolerance = 1e-2 if self.width == "f2" else 1e-4
        return np.allclose(left, right, tolerance, tolerance, equal_nan=True)

    def check_pairing(self) -> None:
        """The vjp is the transpose of the jvp."""
        tangents = self.jvp(self.tangents, self.results, *self.operands)
        cotangents = self.vjp(self.cotangents, self.results, *self.operands)
        self._assert_transposed((self.cotangents, tangents), (cotangents, self.tangents))

    def _assert_transposed(self, ahead: tuple[Any, Any], back: tuple[Any, Any]) -> None:
        left, size = pairing(*ahead)
        right, other = pairing(*back)
        is_empty = all(np.size(t) == 0 for t in back[1] if t is not None)
        if is_empty or not (np.isfinite(size) or np.isfinite(other)):
            return
        allowed = PAIRINGS[self.width] * max(size, other, 1e-3)
        assert abs(left - right) <= allowed, (left, right)

    def check_differences(self) -> int:
        """The jvp is the derivative; how many numbers were compared."""
        if self.width == "f2" or self._turns:
            return 0
        attrs = {name: widened(value) for name, value in self.attrs.items()}
        operands = list(map(widened, self.operands))
        try:
            wide = Checked(self.op, tuple(operands), attrs)
            found = differences(wide.values, operands, list(map(widened, self.tangents)))
        except Exception:  # it raises beside the point, or takes nothing wider
            return 0
        tangents = self.jvp(self.tangents, self.results, *self.operands)
        pairs = zip(found, tangents, strict=True)
        return sum(by.compare(t, TOLERANCES[self.width]) for by, t in pairs if by is not None)

    # --- in graphs ------------------------------------------------------------------------------

    def check_graphs(self) -> None:
        """What is emitted, compiled and differentiated."""
        self.check_graph()
        if self.width == "f8":
            self.check_second()

    def check_graph(self) -> None:
        """In a graph, optimized and compiled, or of any size, the rules give the same bits."""
        for rule, flowing in self.directions:
            expected = [x for x in rule(flowing, self.results, *self.operands) if x is not None]
            module = Module("f")
            function, arguments = self._graph(rule, flowing, symbolic=False)
            module.add(function)
            optimize(module)
            executable = get_backend("python_source").compile(module)
            found = executable(*copy.deepcopy(arguments))
            self._assert_same((found,) if len(expected) == 1 else found, expected)
            function, arguments = self._graph(rule, flowing, symbolic=True)
            self._assert_same(run(function, *copy.deepcopy(arguments)), expected)

    def _assert_same(self, found: Any, expected: Any) -> None:
        assert list(map(identity_of, found)) == list(map(identity_of, expected))

    def _graph(self, rule: Any, flowing: Sequence[Any], *, symbolic: bool) -> Any:
        """The graph of a rule, and its arguments."""
        first, arguments = self._first(rule, flowing)

        def body(*values: Value) -> Any:
            return untrace(first(*map(trace, values)))

        return build(body, *arguments, symbolic=symbolic), arguments

    def _first(self, rule: Any, flowing: Sequence[Any]) -> tuple[Callable[..., Any], list[Any]]:
        """A rule as a function of what flows, the results and the operands; and these."""
        places = [i for i, x in enumerate(flowing) if x is not None]
        passed = [i for i, x in enumerate(self.operands) if self._is_value(x)]

        def first(*values: Any) -> tuple[Any, ...]:
            given: list[Any] = [None] * len(flowing)
            operands = list(self.operands)
            if is_traced(*values):
                operands = [x if i in passed else trace(as_item(x)) for i, x in enumerate(operands)]
            for place, value in zip(places, values, strict=False):
                given[place] = value
            rest = values[len(places) :]
            for place, value in zip(passed, rest[self.count :], strict=True):
                operands[place] = value
            found = rule(given, rest[: self.count], *operands)
            return tuple(x for x in found if x is not None)

        given = [self.operands[i] for i in passed]
        return first, [*(flowing[i] for i in places), *self.results, *given]

    def _is_value(self, operand: Any) -> bool:
        """Whether an operand comes as a value: what says what a function is to do is a constant."""
        if self.op.name not in ("numpy.call", "numpy.view"):
            return True
        is_steering = type(operand) is float and self.attrs["function"].startswith("linalg.")
        return is_number(operand) and not is_steering

    def check_second(self) -> None:
        """The derivatives of both directions: by differences, and of their transposes."""
        for rule, flowing in self.directions:
            first, arguments = self._first(rule, flowing)
            count = sum(x is not None for x in flowing)
            tangents = [random_like(x, self.rng) for x in arguments[:count]]
            ahead = self.jvp(self.tangents, self.results, *self.operands)
            passed = [t for t, x in zip(self.tangents, self.operands, strict=True)
                      if self._is_value(x)]  # fmt: skip
            tangents += [*ahead, *passed]
            made = Composed(first, arguments)
            pushed = made.push(tangents)
            self._compare_second(first, arguments, tangents, pushed)
            h = [random_like(x, self.rng) for x in first(*arguments)]
            pulled = made.pull(h, range(len(arguments)))
            self._assert_transposed((h, pushed), (pulled, tangents))

    def _compare_second(self, first: Any, arguments: Any, tangents: Any, pushed: Any) -> None:
        """``first`` by differences, where the results go with the operands."""
        if self._turns:
            return
        count = len(arguments) - sum(map(self._is_value, self.operands))
        flowing = count - self.count

        def moved(*points: Any) -> Any:
            given = iter(points[flowing:])
            operands = [next(given) if self._is_value(x) else x for x in self.operands]
            return first(*points[:flowing], *self.values(*operands), *points[flowing:])

        points = [*arguments[:flowing], *arguments[count:]]
        try:
            found = differences(moved, points, [*tangents[:flowing], *tangents[count:]])
        except Exception:  # it raises beside the point
            return
        for by, tangent in zip(found, pushed, strict=True):
            if by is not None:
                by.compare(tangent, TOLERANCES[self.width], noise=2)


def checked(op: OpDef, operands: Operands, attrs: dict[str, Any], *, graphs: bool = True) -> int:
    """Check the rule of an op on operands; how many numbers were compared with differences, or
    NOTHING, where the op raises or nothing flows, or REFUSED, where the rule says why it can't.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                case = Checked(op, operands, attrs)
        except Exception:  # no program
            return NOTHING
        if not case.flows:
            return NOTHING
        if _is_refused(case):
            return REFUSED
        found = case.check_numbers()
        if graphs:
            case.check_graphs()
    return found


def _is_refused(case: Checked) -> bool:
    """Whether the rule refuses these operands, which it does in both directions."""
    refusals = []
    for rule, flowing in case.directions:
        try:
            rule(flowing, case.results, *case.operands)
        except NoDerivativeError as error:
            refusals.append(str(error))
    assert len(refusals) != 1, refusals
    return bool(refusals)
