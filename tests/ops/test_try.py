"""``try`` and ``errstate``: what the type rules and the verifier say, and what they do."""

from __future__ import annotations

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Module, parse_module, print_module, verify
from staticpy.ops import REGISTRY, Effect, is_guard, operation_effects, raises_warnings
from tests.support.interpreter import run

TRY = """\
module @f {
  func @f(%a: int, %b: int, %x: f64[n], %own: object) -> (int, f64[?]) {
    %q, %y = try %own {handlers = (("ValueError", "ZeroDivisionError"), (0,))} : int, f64[?] {
      %0 = py.floordiv %a, %b : int
      region_yield %0, %x
    } (%error: object) {
      %1 = constant {value = -1} : int
      %2 = exp %x : f64[n]
      region_yield %1, %2
    } (%other: object) {
      %3 = zeros {shape = (2,), dtype = f64} : f64[2]
      region_yield %b, %3
    }
    return %q, %y
  }
}
"""

ERRSTATE = """\
module @f {
  func @f(%x: f64[n], %y: f64[n]) -> f64[n] {
    %q = errstate {options = (("divide", "raise"), ("invalid", "ignore"))} : f64[n] {
      %0 = true_divide %x, %y : f64[n]
      region_yield %0
    }
    return %q
  }
}
"""


def read(text: str) -> Module:
    module = parse_module(text, REGISTRY)
    verify(module)
    return module


@pytest.mark.parametrize("text", [TRY, ERRSTATE])
def test_the_text_reads_back(text: str) -> None:
    module = read(text)
    assert parse_module(print_module(module), REGISTRY) == module


def test_the_handler_of_the_exception_runs() -> None:
    module, x = read(TRY), np.ones(3)
    assert run(module, 7, 2, x, KeyError)[0] == 3
    assert run(module, 7, 0, x, KeyError)[0] == -1
    assert np.array_equal(run(module, 7, 0, x, KeyError)[1], np.exp(x))


def test_an_operand_holds_a_class() -> None:
    module = read(TRY.replace('("ValueError", "ZeroDivisionError")', '("ValueError",)'))
    assert run(module, 7, 0, np.ones(3), ArithmeticError)[0] == 0
    with pytest.raises(ZeroDivisionError):
        run(module, 7, 0, np.ones(3), KeyError)


def test_options_hold_inside() -> None:
    module = read(ERRSTATE)
    before = np.geterr()
    with pytest.raises(FloatingPointError):
        run(module, np.ones(1), np.zeros(1))
    assert np.isnan(run(module, np.zeros(1), np.zeros(1))[0]).all()
    assert np.geterr() == before


def test_effects_are_those_of_the_regions() -> None:
    guards = [read(text).main.block.operations[0] for text in (TRY, ERRSTATE)]
    assert all(map(is_guard, guards))
    assert Effect.RAISES in operation_effects(guards[0])
    assert operation_effects(guards[1]) == Effect.WARNS


def test_options_that_raise() -> None:
    assert raises_warnings((("over", "ignore"), ("under", "raise")))
    assert raises_warnings((("all", "call"),))
    assert not raises_warnings((("all", "ignore"),))


REFUSED = [
    (TRY, '(("ValueError", "ZeroDivisionError"), (0,))', '(("ValueError",),)', "needs 2 regions"),
    (TRY, '"ValueError", ', '"int", ', "a handler can't catch 'int'"),
    (TRY, '"ValueError", ', '"NoSuchError", ', "a handler can't catch 'NoSuchError'"),
    (TRY, "(0,)", "(1,)", "a handler can't catch 1"),
    (TRY, "(0,)", "()", "a handler must catch something"),
    (TRY, "(%other: object)", "(%other: int)", "takes one object"),
    (TRY, "(%other: object)", "", "takes one object"),
    (TRY, "region_yield %b, %3", "region_yield %b", "different numbers"),
    (
        TRY,
        "%1 = constant {value = -1} : int",
        "%1 = constant {value = 0.5} : float",
        "float for int",
    ),
    (ERRSTATE, '"divide"', '"division"', "no option 'division'"),
    (ERRSTATE, '"raise"', '"shout"', "no value 'shout'"),
    (ERRSTATE, "errstate {", "errstate %x {", "type rule fails"),
]


@pytest.mark.parametrize(("text", "old", "new", "detail"), REFUSED)
def test_what_does_not_fit_is_refused(text: str, old: str, new: str, detail: str) -> None:
    assert old in text
    module = parse_module(text.replace(old, new, 1), REGISTRY)
    with pytest.raises(DiagnosticError) as caught:
        verify(module)
    assert detail in str(caught.value.args) + str(caught.value.diagnostic(module.main.span).args)
