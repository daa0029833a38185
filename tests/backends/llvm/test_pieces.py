"""Functions that are shared out among threads, which compile them."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import engine, ir, pieces
from staticpy.backends.llvm.units import Effort, Unit

I64 = ir.IntType(64)
UNARY = ir.FunctionType(I64, [I64])


def function(module, name, *, calls=(), adds=0, linkage="", is_inlined=False):
    """``adds`` more than what the sum of other functions is."""
    made = ir.Function(module, UNARY, name)
    made.linkage = linkage
    if is_inlined:
        made.attributes.add("alwaysinline")
    builder = ir.IRBuilder(made.append_basic_block())
    total = builder.add(made.args[0], I64(adds))
    for each in calls:
        total = builder.add(total, builder.call(each, [made.args[0]]))
    builder.ret(total)
    return made


def loops() -> ir.Module:
    module = ir.Module("loops")
    inlined = function(module, "inlined", adds=1, linkage="internal", is_inlined=True)
    table = ir.GlobalVariable(module, I64, "table")
    table.initializer, table.global_constant, table.linkage = I64(1000), True, "internal"
    helper = function(module, "f.helper", adds=10, calls=[inlined], linkage="internal")
    function(module, "f", calls=[helper, inlined], adds=100)
    for name in "gh":
        function(module, name, calls=[inlined], adds=7)
    reads = ir.Function(module, UNARY, "reads")
    builder = ir.IRBuilder(reads.append_basic_block())
    builder.ret(builder.add(builder.load(table, typ=I64), reads.args[0]))
    return module


EXPECTED = {"f": 5 * 4 + 112, "g": 2 * 5 + 8, "h": 2 * 5 + 8, "reads": 1005}


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_functions_are_the_same_in_pieces(threads, monkeypatch):
    monkeypatch.setattr(pieces, "LEAST_COST", 0)
    monkeypatch.setattr(engine, "get_num_threads", lambda: threads)
    code = engine.compile_modules([], EXPECTED, shared=[(loops(), Effort.LOOPS)])
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
    assert {name: prototype(code.address(name))(5) for name in EXPECTED} == EXPECTED
    assert len(code.units) == min(threads, 4)


def test_little_is_compiled_by_one_thread():
    lanes = pieces.shared_out([], [(loops(), Effort.LOOPS)], 4)
    assert sorted(map(len, lanes)) == [0, 0, 0, 1]


def test_functions_that_are_equal_are_compiled_once():
    found = pieces.Pieces(loops())
    assert sorted(found.sizes) == ["f", "f.helper", "g", "reads"]
    text = found.text(["g"])
    assert '@"h" = alias' in text
    assert text.count("define") == 2  # with what is inlined


def test_whoever_has_least_to_do_gets_more(monkeypatch):
    monkeypatch.setattr(pieces, "LEAST_COST", 0)
    long = Unit("x\n" * 1000, Effort.NUMBERS)
    busy, idle = pieces.shared_out([long], [(loops(), Effort.LOOPS)], 2)
    assert busy == [long]
    assert len(idle) == 1


def test_what_is_wrong_in_another_thread_is_raised():
    wrong = [Unit("define nonsense", Effort.LOOPS)]
    right = [Unit("define void @f() { ret void }", Effort.LOOPS)]
    for lanes in ([wrong, right], [right, wrong]):
        with pytest.raises(RuntimeError, match="parsing error"):
            engine.compile_units(lanes, keeps_code=False)


def test_equal_loops_of_a_function():
    @staticpy.jit(backend="llvm")
    def steps(a, b, c):
        return np.sin(a) * 2.0 + a, np.cos(b.sum()), np.sin(c) * 2.0 + c

    args = np.linspace(0.0, 3.0, 37), np.ones(4), np.linspace(1.0, 9.0, 50)
    for got, wanted in zip(steps(*args), steps.__wrapped__(*args), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-15)
    (again,) = [
        text for text in steps.lower(*args).compile().llvm_ir.split("\n") if "= alias" in text
    ]
    assert "cluster" in again
