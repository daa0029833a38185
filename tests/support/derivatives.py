"""Checking the derivative rule of an op on operands: against differences, against its transpose,
against itself in a graph, and its own derivative.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.backends import get_backend
from staticpy.ir import Function, Module, Value
from staticpy.ops import REGISTRY, OpDef, results_of, sample_type
from staticpy.ops.rules import RULES
from staticpy.ops.rules.base import flows, zeros_like
from staticpy.ops.traced import trace, untrace
from staticpy.passes import optimize
from tests.support.graphs import build, identity_of

Operands = tuple[Any, ...]
STEP = 1e-6
DIFFERENCES = 1e-6
"""How far a jvp may be from central differences, relative to the larger one of it and 1."""
PAIRING = 1e-10


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


def moved(x: Any, t: Any, step: float) -> Any:
    """``x + step * t`` in the type of ``x``."""
    return x if t is None else in_type_of(x + step * t, x)


def pairing(cotangents: Sequence[Any], tangents: Sequence[Any]) -> tuple[float, float]:
    """``Re(sum(g * t))``, and the sum of the sizes of all products."""
    pairs = [
        np.asarray(g * t).ravel()
        for g, t in zip(cotangents, tangents, strict=True)
        if g is not None and t is not None
    ]
    products = np.concatenate([*pairs, np.zeros(1)])
    return float(np.sum(products).real), float(np.sum(np.abs(products)))


class Checked:
    """An op with operands, its results and its rule; each method is one check."""

    def __init__(self, op: OpDef, operands: Operands, attrs: dict[str, Any]) -> None:
        self.op, self.operands, self.attrs = op, operands, attrs
        self.rule = RULES[op.name]
        types = op.result_types([sample_type(x) for x in operands], attrs)
        self.count = len(types)
        self.types = types
        self.results = self.values(*operands)
        rng = np.random.default_rng(0)
        self.tangents = [random_like(x, rng) for x in operands]
        self.cotangents = [random_like(x, rng) for x in self.results]

    @property
    def flows(self) -> bool:
        """Whether anything can flow through the op."""
        return any(map(flows, self.operands)) and any(map(flows, self.results))

    @property
    def is_precise(self) -> bool:
        """Whether all that is inexact has 64 bits for each part."""
        inexact = [np.asarray(x).dtype for x in (*self.operands, *self.results) if flows(x)]
        return all(dtype in (np.float64, np.complex128) for dtype in inexact)

    def values(self, *operands: Any) -> tuple[Any, ...]:
        """The results of the op."""
        assert self.op.kernel is not None
        return results_of(self.op.kernel(*operands, **self.attrs), self.types)

    def jvp(self, tangents: Any, results: Any, *operands: Any) -> tuple[Any, ...]:
        """The tangent of each result; zeros are None."""
        assert self.rule.jvp is not None
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

    # --- checks ---------------------------------------------------------------------------------

    def check(self) -> None:
        """All checks."""
        self.check_types()
        self.check_each()
        self.check_graph()
        if self.is_precise:
            self.check_differences()
            self.check_pairing()
            self.check_second()

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
        for rule, flowing, like in (
            (self.jvp, self.tangents, self.results),
            (self.vjp, self.cotangents, self.operands),
        ):
            whole = rule(flowing, self.results, *self.operands)
            totals: list[Any] = [None] * len(whole)
            for i, t in enumerate(flowing):
                if t is None:
                    continue
                alone = [t if i == j else None for j in range(len(flowing))]
                for j, each in enumerate(rule(alone, self.results, *self.operands)):
                    if each is not None:
                        assert sample_type(each) == sample_type(like[j]), (each, like[j])
                        totals[j] = each if totals[j] is None else totals[j] + each
            for total, each in zip(totals, whole, strict=True):
                assert (total is None) == (each is None)
                assert each is None or np.allclose(total, each, 1e-5)

    def check_differences(self) -> None:
        """The jvp is the derivative."""
        expected = self._differences(self.values)
        assert_near(self.jvp(self.tangents, self.results, *self.operands), expected)

    def _differences(self, function: Callable[..., Sequence[Any]]) -> list[Any]:
        """The central differences of ``function`` of the operands along the tangents."""
        ends = []
        for step in (STEP, -STEP):
            pairs = zip(self.operands, self.tangents, strict=True)
            ends.append(function(*(moved(x, t, step) for x, t in pairs)))
        return [
            (np.asarray(high) - np.asarray(low)) / (2 * STEP) if flows(high) else None
            for high, low in zip(*ends, strict=True)
        ]

    def check_pairing(self) -> None:
        """The vjp is the transpose of the jvp."""
        tangents = self.jvp(self.tangents, self.results, *self.operands)
        cotangents = self.vjp(self.cotangents, self.results, *self.operands)
        left, size = pairing(self.cotangents, tangents)
        right, _ = pairing(cotangents, self.tangents)
        assert abs(left - right) <= PAIRING * max(size, 1e-300), (left, right)

    def check_graph(self) -> None:
        """In a graph that is optimized and compiled, the rules give the same bits."""
        for rule, flowing in ((self.jvp, self.tangents), (self.vjp, self.cotangents)):
            expected = [x for x in rule(flowing, self.results, *self.operands) if x is not None]
            function, arguments = self._graph(rule, flowing)
            module = Module("f")
            module.add(function)
            optimize(module)
            executable = get_backend("python_source").compile(module)
            found = executable(*copy.deepcopy(arguments))
            found = (found,) if len(expected) == 1 else found
            assert list(map(identity_of, found)) == list(map(identity_of, expected))

    def _graph(self, rule: Any, flowing: Sequence[Any]) -> tuple[Function, list[Any]]:
        """The graph of a rule, and its arguments."""
        arguments = [x for x in flowing if x is not None]
        places = [i for i, x in enumerate(flowing) if x is not None]

        def body(*values: Value) -> Any:
            given: list[Any] = [None] * len(flowing)
            for place, value in zip(places, values, strict=False):
                given[place] = trace(value)
            others = [trace(value) for value in values[len(places) :]]
            results, operands = others[: self.count], others[self.count :]
            found = rule(given, results, *operands)
            return tuple(untrace(x) for x in found if x is not None)

        given = (*arguments, *self.results, *self.operands)
        return build(body, *given), list(given)

    def check_second(self) -> None:
        """The derivative of the jvp by the operands is what the rules of its graph give; left out
        where one of its ops has no rule.
        """

        def first(*operands: Any) -> list[Any]:
            found = self.jvp(self.tangents, self.values(*operands), *operands)
            return [x for x in found if x is not None]

        expected = self._differences(first)
        function, arguments = self._graph(self.jvp, self.tangents)
        count = len(arguments) - self.count - len(self.operands)
        ahead = self.jvp(self.tangents, self.results, *self.operands)
        tangents = [None] * count + list(ahead) + self.tangents
        found = push_forward(function, arguments, tangents)
        if found is not None:
            assert_near(found, expected)


def assert_near(found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Tangents are near to what differences say; None is zero."""
    for tangent, value in zip(found, expected, strict=True):
        if value is None:
            assert tangent is None
            continue
        error = np.abs((0 if tangent is None else tangent) - value)
        assert np.all(error <= DIFFERENCES * np.maximum(np.abs(value), 1)), (tangent, value)


def push_forward(
    function: Function, arguments: Sequence[Any], tangents: Sequence[Any]
) -> list[Any] | None:
    """The tangents of the results of a graph without control flow, by the rules of its ops; None
    where an op has no rule.
    """
    values: dict[Value, Any] = dict(zip(function.block.args, arguments, strict=True))
    moving: dict[Value, Any] = dict(zip(function.block.args, tangents, strict=True))
    for operation in function.block.operations[:-1]:
        operands = [values[x] for x in operation.operands]
        if operation.name == "constant":
            values[operation.result] = operation.attrs["value"]
            continue
        op = REGISTRY[operation.name]
        types = [result.type for result in operation.results]
        assert op.kernel is not None
        found = results_of(op.kernel(*operands, **operation.attrs), types)
        values.update(zip(operation.results, found, strict=True))
        given = tuple(moving.get(x) for x in operation.operands)
        if all(t is None for t in given) or not any(map(flows, found)):
            continue
        if op.name not in RULES or RULES[op.name].jvp is None:
            return None
        out = found[0] if len(found) == 1 else found
        moved_ = RULES[op.name].jvp(given, out, *operands, **operation.attrs)  # type: ignore[misc]
        moving.update(
            zip(operation.results, [moved_] if len(found) == 1 else moved_ or (), strict=False)
        )
    returned = function.block.operations[-1].operands
    return [zeros_like(values[x]) if moving.get(x) is None else moving[x] for x in returned]


def checked(op: OpDef, operands: Operands, attrs: dict[str, Any]) -> bool:
    """Check the rule of an op on operands; whether there was something to check."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            case = Checked(op, operands, attrs)
        except (ArithmeticError, TypeError, ValueError):
            return False  # the op raises
        if not case.flows:
            return False
        case.check()
    return True
