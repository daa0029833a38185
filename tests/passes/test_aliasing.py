"""Which arrays share memory, reach the caller, are written to; and when they are last read."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Function, Value, is_mutable_memory, parse_module, walk
from staticpy.ops import REGISTRY
from staticpy.passes import AliasAnalysis
from tests.passes.random_graphs import GraphMaker
from tests.passes.random_memory import MemoryMaker

TEXT = """\
module @f {
  func @f(%x: f64[n, n], %y: f64[n, n], %c: bool, %n: int) -> (f64[n, n], f64) {
    %a = exp %x : f64[n, n]
    %b = transpose %a {axes = (1, 0)} : f64[n, n]
    %d = negative %b : f64[n, n]
    %e = exp %d : f64[n, n]
    %w = iadd %e, %b : f64[n, n]
    %z = zeros {shape = (2, 2), dtype = f64} : f64[2, 2]
    %r = if %c : f64[n, n] {
      %g = exp %y : f64[n, n]
      region_yield %g
    } {
      region_yield %d
    }
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %p, %q = for %0, %n, %1, %r, %z {breaks = false} : f64[n, n], f64[?, ?]
        (%i: int, %u: f64[n, n], %v: f64[?, ?]) {
      %k = ravel %u : f64[?]
      %m = exp %u : f64[n, n]
      region_yield %m, %v
    }
    %s = sum %q {axis = none, keepdims = false} : f64
    return %p, %s
  }
}
"""


def setup(text: str = TEXT) -> tuple[AliasAnalysis, dict[str, Value]]:
    function: Function = parse_module(text, REGISTRY).main
    values: dict[str, Value] = {argument.name: argument for argument in function.args}
    for operation in walk(function.block):
        values |= {result.name: result for result in operation.results}
        for region in operation.regions:
            values |= {argument.name: argument for argument in region.block.args}
    return AliasAnalysis(function), values


def named(values: dict[str, Value], names: set[Value]) -> str:
    return " ".join(sorted(name for name, value in values.items() if value in names))


def test_what_reaches_the_caller() -> None:
    analysis, values = setup()
    escaping = {value for value in values.values() if analysis.escapes(value)}
    # The result %p of the loop is %r or %m; %r is %g or %d. Numbers are no arrays.
    assert named(values, escaping) == "d g m p r"


def test_what_is_written_to() -> None:
    analysis, values = setup()
    written = {value for value in values.values() if analysis.is_written(value)}
    assert named(values, written) == "e w"
    assert not analysis.is_private(values["e"])
    assert analysis.is_private(values["a"])
    assert analysis.is_private(values["s"])


def test_a_write_to_an_argument_may_be_one_to_every_argument() -> None:
    analysis, values = setup(TEXT.replace("iadd %e, %b", "iadd %x, %b"))
    written = {value for value in values.values() if analysis.is_written(value)}
    assert named(values, written) == "w x y"


def test_what_may_share_memory() -> None:
    analysis, values = setup()
    assert named(values, analysis.aliases(values["b"])) == "a b"
    assert named(values, analysis.aliases(values["e"])) == "e w"
    assert named(values, analysis.aliases(values["u"])) == "d g k m p r u"
    assert named(values, analysis.aliases(values["x"])) == "x"


def test_what_owns_its_buffer() -> None:
    analysis, values = setup()
    owners = {value for value in values.values() if analysis.owned_buffer(value)}
    assert named(values, owners) == "a d e g m z"


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("a", "iadd"),
        ("d", "return"),
        ("z", "sum"),
        ("x", "exp"),
        ("y", "if"),
        ("k", "region_yield"),
        ("m", "region_yield"),
        ("v", "region_yield"),
    ],
)
def test_the_last_use(name: str, last: str) -> None:
    analysis, values = setup()
    operation = analysis.last_use(values[name])
    assert operation is not None
    assert operation.name == last


def test_nobody_reads_it() -> None:
    analysis, values = setup(
        TEXT.replace("%k = ravel %u", "%k = exp %y").replace("f64[?]\n", "f64[n, n]\n")
    )
    assert analysis.last_use(values["k"]) is None


QUESTIONS: list[Callable[[AliasAnalysis, Value], object]] = [
    AliasAnalysis.escapes,
    AliasAnalysis.is_written,
    AliasAnalysis.owned_buffer,
    lambda analysis, value: {each for each in analysis.aliases(value) if type(each) is not Value},
]


@pytest.mark.parametrize("maker", [GraphMaker, MemoryMaker])
def test_what_the_graph_tells_at_once_is_what_the_flow_tells(maker: type[GraphMaker]) -> None:
    asked = 0
    for seed in range(40):
        function = maker(seed).module().main
        whole = AliasAnalysis(function)
        whole.is_written(next(each for each in function.args if is_mutable_memory(each.type)))
        for value in (result for each in walk(function.block) for result in each.results):
            for ask in QUESTIONS:  # a fresh analysis has no flow yet
                assert ask(AliasAnalysis(function), value) == ask(whole, value), seed
            asked += is_mutable_memory(value.type)
    assert asked > 500


def test_an_op_that_is_no_view_gives_fresh_memory() -> None:
    """What the analysis rests on: the ``view`` of each op, checked on its own samples."""
    wrong = []
    stretching = ("broadcast", "broadcast_arrays")
    holders = ("tuple", "list", "dict", "set", "object", "exception", "raise_value", "reraise")
    for op in REGISTRY.values():
        if op.name.partition(".")[0] in holders:
            continue  # what they hold flows on by a rule of its own
        samples = op.samples(np.random.default_rng(0)) if op.samples and op.kernel else ()
        for operands, attrs in samples:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # `~True` is deprecated
                try:
                    results = op.kernel(*operands, **attrs)
                except (ArithmeticError, LookupError, TypeError, ValueError, DiagnosticError):
                    continue
            for i, result in enumerate(results if isinstance(results, tuple) else (results,)):
                for j, operand in enumerate(operands):
                    allowed = op.view and j == (i if op.name in stretching else 0)
                    allowed |= op.name == "numpy.shared"
                    are_arrays = isinstance(operand, np.ndarray) and isinstance(result, np.ndarray)
                    if not allowed and are_arrays:
                        wrong += [op.name] * np.shares_memory(result, operand)
    assert not wrong
