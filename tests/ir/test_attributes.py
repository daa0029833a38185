"""Attribute values come back from their text bit for bit."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    COMPLEX,
    DTYPES,
    FLOAT,
    INT,
    NEVER,
    NONE,
    OBJECT,
    STR,
    Block,
    Builder,
    DictType,
    Function,
    ListType,
    Module,
    ScalarType,
    TensorType,
    TupleType,
    dtype_name,
    parse_module,
    print_module,
    union_of,
)
from staticpy.ir.attributes import attribute_text
from staticpy.ir.equality import attribute_key
from staticpy.ops import OpDef

SWAPPED = np.dtype("float64").newbyteorder()
"""A scalar is never in this byte order."""

HOLDER = OpDef("holder", infer=lambda **_: (), is_terminator=True)


def through_text(value: Any) -> Any:
    block = Block()
    Builder(block).emit(HOLDER, (), {"value": value})
    module = Module("f")
    module.add(Function("f", block))
    text = print_module(module)
    again = parse_module(text, {"holder": HOLDER})
    assert again == module
    return again.main.block.terminator.attrs["value"]


def bits(number: int, width: str = "<Q", as_: str = "<d") -> float:
    return struct.unpack(as_, struct.pack(width, number))[0]


F64_VECTOR = TensorType(np.dtype("float64"), ("n",))

VALUES = [
    (None, "none"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (-3, "-3"),
    (2**100, str(2**100)),
    (10**5000, hex(10**5000)),
    (-(10**5000), hex(-(10**5000))),
    (0.0, "0.0"),
    (-0.0, "-0.0"),
    (1.0, "1.0"),
    (0.1, "0.1"),
    (5e-324, "5e-324"),
    (1e300, "1e+300"),
    (math.inf, "inf"),
    (-math.inf, "-inf"),
    (math.nan, "nan"),
    (bits(0xFFF8000000000000), "float(0xfff8000000000000)"),
    (bits(0x7FF8000000000001), "float(0x7ff8000000000001)"),
    (complex(1, -0.0), "complex(1.0, -0.0)"),
    (complex(math.nan, -math.inf), "complex(nan, -inf)"),
    ("", '""'),
    ('a "b" \\ \n é \u202e \ud800', '"a \\"b\\" \\\\ \\n \\u00e9 \\u202e \\ud800"'),
    (..., "..."),
    ((), "()"),
    ((1,), "(1,)"),
    ((1, (2.0, ("x",)), None), '(1, (2.0, ("x",)), none)'),
    (slice(None), "slice(none, none, none)"),
    (slice(1, -2, 3), "slice(1, -2, 3)"),
    (np.dtype("float32"), "f32"),
    (np.dtype(bool), "b1"),
    (INT, "!int"),
    (FLOAT, "!float"),
    (BOOL, "!bool"),
    (COMPLEX, "!complex"),
    (ScalarType(np.dtype("int8")), "!i8"),
    (TensorType(np.dtype("complex64"), ("n", 3, "?")), "!c64[n, 3, ?]"),
    (TensorType(np.dtype("float64"), ()), "!f64[]"),
    (TensorType(SWAPPED, ("n",)), f"!{dtype_name(SWAPPED)}[n]"),
    (SWAPPED, dtype_name(SWAPPED)),
    (ScalarType(SWAPPED), "!f64"),
    (NONE, "!None"),
    (STR, "!str"),
    (OBJECT, "!object"),
    (NEVER, "!never"),
    (TupleType(()), "!()"),
    (TupleType((INT,)), "!(int,)"),
    (TupleType((INT, TupleType((F64_VECTOR, NONE)))), "!(int, (f64[n], None))"),
    (ListType(F64_VECTOR), "!list[f64[n]]"),
    (DictType(STR, ListType(NEVER)), "!dict[str, list[never]]"),
    (union_of((ScalarType(np.dtype("float64")), INT)), "!f64|int"),
    (union_of((F64_VECTOR, NONE, TupleType((INT,)))), "!(int,)|None|f64[n]"),
    (ListType(union_of((INT, FLOAT))), "!list[float|int]"),
    (np.bool_(True), "b1(true)"),
    (np.int8(-128), "i8(-128)"),
    (np.uint64(2**64 - 1), "u64(18446744073709551615)"),
    (np.float16(0.1), "f16(0.1)"),
    (np.float32(0.1), "f32(0.1)"),
    (np.float32(-0.0), "f32(-0.0)"),
    (np.float64("nan"), "f64(nan)"),
    (np.float64("-inf"), "f64(-inf)"),
    (np.complex64(complex(0.1, -0.0)), "c64(0.1, -0.0)"),
    (np.array([0xFF800001], "<u4").view("<f4")[0], "f32(0xff800001)"),
    (np.array([0x7E01], "<u2").view("<f2")[0], "f16(0x7e01)"),
]


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[text[:24] for _, text in VALUES])
def test_text_and_back(value: Any, text: str) -> None:
    assert attribute_text(value) == text
    again = through_text(value)
    assert attribute_key(again) == attribute_key(value)


def test_different_values_have_different_keys() -> None:
    keys = {attribute_key(value) for value, _ in VALUES}
    assert len(keys) == len(VALUES)
    ones = [1, True, 1.0, 1 + 0j, np.int64(1), np.int8(1), np.float64(1), np.bool_(True), (1,)]
    assert len({attribute_key(one) for one in ones}) == len(ones)


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_scalars_of_all_dtypes_and_bits(name: str) -> None:
    dtype = DTYPES[name]
    data = np.random.default_rng(0).bytes(50 * dtype.itemsize)
    array = np.frombuffer(data, dtype)
    for value in array != 0 if name == "b1" else array:
        assert attribute_key(through_text(value)) == attribute_key(value)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
))  # fmt: skip
def test_any_value(value: Any) -> None:
    assert attribute_key(through_text(value)) == attribute_key(value)


@pytest.mark.parametrize("value", [[1], {}, object(), b"x", len])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="an attribute can't be"):
        attribute_text(value)


@pytest.mark.parametrize(
    "text",
    [
        "(1)",
        "nil",
        "f32(1)x",
        "f64(1.0, 2.0)",
        "c64(1.0)",
        "i8(128)",
        "u8(-1)",
        "i8(true)",
        "b1(1)",
        "f16(0x10000)",
        "float(0x10000000000000000)",
        "complex(1, 2.0)",
        "slice(1, 2)",
        "!f99",
        "!f64[-1]",
        "!f64|",
        "!(int)",
        "!(int f64)",
        "!list[]",
        "!list[int, int]",
        "!dict[int]",
        "!" + "(" * 2000,
        '"\\q"',
        "-",
        "--1",
        "(" * 2000,
    ],
)
def test_text_that_is_no_value(text: str) -> None:
    module = f"module @f {{ func @f() -> () {{ holder {{value = {text}}} }} }}"
    with pytest.raises(DiagnosticError) as error:
        parse_module(module, {"holder": HOLDER})
    assert error.value.spec.code == "SPY904"
