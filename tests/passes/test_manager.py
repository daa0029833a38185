"""The pass manager, a pass of one's own, and what inlining does to spans."""

from __future__ import annotations

import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Module, parse_module, rewriter, walk
from staticpy.ops import REGISTRY
from staticpy.passes import PassManager, default_pipeline, inline, optimize

TEXT = """\
module @f {
  func @f(%x: float) -> float {
    %0 = constant {value = 1} : int
    %1 = py.neg %0 : int
    %y = call %x {callee = "g", result_types = (!float,)} : float loc("a.py":2:4-2:8 fn "f")
    return %y
  }
  func @g(%x: float) -> float {
    %y = call %x {callee = "h", result_types = (!float,)} : float loc("a.py":5:4-5:8 fn "g")
    return %y
  }
  func @h(%x: float) -> float {
    %y = py.neg %x : float loc("a.py":8:4-8:6 fn "h")
    %z = py.mul %y, %x : float
    return %z
  }
}
"""


def test_passes_of_ones_own() -> None:
    order: list[str] = []

    class Recorder:
        def __init__(self, name: str) -> None:
            self.name = name

        def __call__(self, module: Module, /) -> None:
            order.append(f"{self.name} {len(module.functions)}")

    manager = PassManager([Recorder("a"), *default_pipeline().passes, Recorder("b")])
    manager.run(parse_module(TEXT, REGISTRY))
    assert order == ["a 3", "b 1"]


def break_types(module: Module) -> None:
    for operation in walk(module.main.block):
        if operation.name == "py.neg":
            rewriter.set_operand(operation, 0, module.main.args[0])


def test_a_pass_that_breaks_the_graph_is_named() -> None:
    manager = PassManager([inline, break_types], verify_each=True)
    with pytest.raises(DiagnosticError) as caught:
        manager.run(parse_module(TEXT, REGISTRY))
    detail = str(caught.value.args_["detail"])
    assert detail.startswith("after the pass 'break_types': in @f, 'py.neg': it gives (int)")


def test_a_graph_that_is_broken_before_the_first_pass() -> None:
    module = parse_module(TEXT.replace("py.neg %0 : int", "py.neg %x : int"), REGISTRY)
    with pytest.raises(DiagnosticError) as caught:
        default_pipeline(verify_each=True).run(module)
    assert str(caught.value.args_["detail"]).startswith("in @f, 'py.neg'")


def test_inlined_operations_know_the_calls_that_led_to_them() -> None:
    module = parse_module(TEXT, REGISTRY)
    optimize(module)
    negative, product, _ = module.main.block.operations
    chain = []
    span = negative.span
    while span is not None:
        chain.append((span.line, span.function))
        span = span.inlined_at
    assert chain == [(8, "h"), (5, "g"), (2, "f")]
    assert product.span.line == 0
    assert product.span.inlined_at is not None
    assert product.span.inlined_at.line == 5
