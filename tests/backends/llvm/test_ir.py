"""LLVM's text, as the backend writes it: what is built runs as it says."""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

from staticpy.backends.llvm import engine, ir, late, units

I1, I32, I64, F64 = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.DoubleType()
POINTER = ir.PointerType()


def begun(result, *types):
    module = ir.Module("test")
    function = ir.Function(module, ir.FunctionType(result, types), "f")
    return module, function, ir.IRBuilder(function.append_basic_block())


def run(module, prototype, *arguments):
    code = engine.compile_modules([(module, units.Effort.ONCE)], ["f"])
    return prototype(code.address("f"))(*arguments)


def of_ints(count):
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)


def test_phi_and_branches():
    """The steps of Collatz's sequence."""
    module, function, builder = begun(I64, I64)
    head, body, rest = (builder.append_basic_block(name) for name in ("head", "body", "rest"))
    first = builder.block
    builder.branch(head)
    builder.position_at_end(head)
    number, steps = builder.phi(I64), builder.phi(I64)
    builder.cbranch(builder.icmp_signed(">", number, I64(1)), body, rest).set_weights([9, 1])
    builder.position_at_end(body)
    is_odd = builder.trunc(number, I1)
    more = builder.add(builder.mul(number, I64(3)), I64(1))
    next_ = builder.select(is_odd, more, builder.sdiv(number, I64(2)))
    for phi, start, value in ((number, function.args[0], next_), (steps, I64(0), None)):
        phi.add_incoming(start, first)
        phi.add_incoming(value or builder.add(steps, I64(1)), body)
    builder.branch(head)
    builder.position_at_end(rest)
    builder.ret(steps)
    assert [run(module, of_ints(1), n) for n in (1, 2, 27)] == [0, 1, 111]


def test_where_lines_go():
    """After a line that others have the text of, before the jump of a block, and at its start."""
    module, _, builder = begun(I64)
    block = builder.block
    place = builder.alloca(I64)
    builder.store(I64(1), place)
    after = block.instructions[-1]
    builder.store(I64(1), place)
    rest = builder.append_basic_block()
    builder.branch(rest)
    builder.position_at_end(rest)
    with builder.goto_entry_block():
        builder.store(builder.add(builder.load(place, I64), I64(20)), place)
    builder.ret(builder.load(place, I64))
    builder.position_after(block, after)
    builder.store(I64(300), place)
    builder.position_at_start(block)
    builder.alloca(I32)
    lines = [str(line) for line in block.instructions]
    assert [lines[n] for n in (2, 3, 4)] == [lines[2], lines[2].replace("1,", "300,", 1), lines[2]]
    assert lines[0].endswith("alloca i32")
    assert lines[-1].startswith("br ")
    assert run(module, of_ints(0)) == 21


def test_switch_and_ways():
    module, function, builder = begun(I64, I64)
    other, ten = (builder.append_basic_block(name) for name in ("other", "ten"))
    builder.switch(function.args[0], other).add_case(I64(10), ten)
    builder.position_at_end(ten)
    builder.ret(I64(-10))
    builder.position_at_end(other)
    place = builder.alloca(I64)
    is_small = builder.icmp_unsigned("<", function.args[0], I64(5))
    with builder.if_else(is_small, likely=True) as (then, otherwise):
        with then:
            builder.store(I64(1), place)
        with otherwise:
            builder.store(I64(2), place)
            with builder.if_then(builder.icmp_signed("<", function.args[0], I64(0))):
                builder.ret(builder.neg(function.args[0]))
    builder.ret(builder.load(place, I64))
    assert [run(module, of_ints(1), n) for n in (10, 4, 5, -7)] == [-10, 1, 2, 7]


def test_vectors_structs_and_globals():
    module, _, builder = begun(F64)
    two, four = ir.VectorType(F64, 2), ir.VectorType(F64, 4)
    numbers = ir.ArrayType(I64, 3)
    table = ir.GlobalVariable(module, numbers, "table")
    table.initializer = ir.Constant(numbers, [1, 2, 3])
    third = builder.load(builder.gep(table, [I64(2)], I64), I64)
    vector = ir.Constant(four, [F64(0.1), F64(1e300), F64(-0.0), F64(2.5)])
    places = ir.Constant(ir.VectorType(I32, 2), [I32(3), I32(0)])
    half = builder.shuffle_vector(vector, ir.Constant(four, ir.Undefined), places)
    assert half.type == two
    pair = builder.insert_value(ir.Constant(ir.LiteralStructType([F64, I64]), None), third, 1)
    total = builder.sitofp(builder.extract_value(pair, 1), F64)
    for lane in range(2):
        total = builder.fadd(total, builder.extract_element(half, I32(lane)))
    builder.ret(total)
    assert run(module, ctypes.CFUNCTYPE(ctypes.c_double)) == 3.0 + 2.5 + 0.1


@pytest.mark.parametrize(
    ("number", "bits"), [(0.1, "0x3fb99999a0000000"), (-0.0, "0x80" + "0" * 14)]
)
def test_constants_of_32_bits_are_rounded(number, bits):
    assert ir.Constant(ir.FloatType(), number).text == bits


def test_arguments_of_a_call_have_its_types():
    module, function, builder = begun(I64, I64)
    with pytest.raises(AssertionError):
        builder.call(function, [I32(1)])
    assert module.globals == {"f": function}


def called(kept):
    """What a function of a module gives that calls a late function with 4."""
    module, _, builder = begun(I64)
    done = kept.call(builder, I64(4))
    builder.ret(builder.zext(done, I64))
    return run(module, of_ints(0))


def test_a_late_function_is_compiled_once():
    module, _, builder = begun(I64, I64)
    place = ir.GlobalVariable(module, I64, "sum")
    place.initializer = I64(0)
    number = builder.add(builder.load(place, I64), builder.function.args[0])
    builder.store(number, place)
    builder.ret(I64(1))
    codes = []

    def compiled():
        modules = [(module, units.Effort.ONCE)]
        codes.append(engine.compile_modules(modules, ["f", "sum"]))
        return codes[0].address("f")

    kept = late.LateFunction("late.1", [I64], compiled)
    assert [called(kept), called(kept)] == [1, 1]
    (code,) = codes
    assert ctypes.c_int64.from_address(code.address("sum")).value == 8


def test_a_late_function_that_cannot_be_compiled():
    asked = []

    def fails():
        asked.append(True)
        raise MemoryError

    kept = late.LateFunction("late.2", [I64], fails)
    assert called(kept) == 0
    assert asked == [True]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_late_function_that_is_interrupted():
    """It is not done by halves, and compiled when it is called again."""
    module, _, builder = begun(I64, I64)
    builder.ret(I64(1))
    codes = []

    def interrupted():
        codes.append(engine.compile_modules([(module, units.Effort.ONCE)], ["f"]))
        if len(codes) == 1:
            raise KeyboardInterrupt
        return codes[-1].address("f")

    kept = late.LateFunction("late.3", [I64], interrupted)
    assert [called(kept), called(kept)] == [0, 1]
