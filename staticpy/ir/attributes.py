"""The text of attribute values, exact to the last bit.

    none  true  3  -0.0  1e+300  inf  nan  complex(1.0, -0.0)  "text"  ...  (1, 2)  (1,)
    f32             the dtype            !f64[n, 3]        the type
    f32(1.5)        the NumPy scalar     slice(0, none, 2)

A float that no decimal gives back (a NaN with a sign or a payload) prints as its bits:
``float(0x...)``.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np

from staticpy.ir.types import ARRAY_DTYPES, Type, dtype_name

_HEX_BITS = 1024
"""Longer ints print as hexadecimal, which Python reads and writes at any length."""


def attribute_text(value: Any) -> str:
    """The text of one attribute value.

    Raises:
        TypeError: attributes can't hold a value of this kind.
    """
    if isinstance(value, tuple):
        items = ", ".join(map(attribute_text, value))
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, np.generic):
        return f"{dtype_name(value.dtype)}({_scalar_text(value)})"
    if isinstance(value, np.dtype):
        return dtype_name(value)
    if isinstance(value, Type):
        return f"!{value}"
    if isinstance(value, slice):
        parts = map(attribute_text, (value.start, value.stop, value.step))
        return f"slice({', '.join(parts)})"
    if isinstance(value, str):
        return json.dumps(value)
    return _python_text(value)


def _python_text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if value is Ellipsis:
        return "..."
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _HEX_BITS else hex(value)
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, complex):
        return f"complex({_float_text(value.real)}, {_float_text(value.imag)})"
    raise TypeError(f"an attribute can't be a {type(value).__name__}")


def _float_text(value: float) -> str:
    if not math.isnan(value) or struct.pack("<d", value) == struct.pack("<d", math.nan):
        return repr(value)
    return f"float({struct.unpack('<Q', struct.pack('<d', value))[0]:#x})"


def _scalar_text(value: np.generic) -> str:
    kind = value.dtype.kind
    if kind == "b":
        return str(bool(value)).lower()
    if kind in "iu":
        return str(value)
    if kind == "c":
        assert isinstance(value, np.complexfloating)
        return f"{_component_text(value.real)}, {_component_text(value.imag)}"
    return _component_text(value)


def _component_text(value: Any) -> str:
    """A real NumPy number, or half of a complex one: the shortest decimal that gives it back."""
    text = str(value)
    if type(value)(float(text)).tobytes() == value.tobytes():
        return text
    return f"{int.from_bytes(value.tobytes(), 'little'):#x}"


def scalar_from_parts(name: str, parts: list[Any]) -> np.generic:
    """The NumPy scalar that the parser found as ``name(parts)``. An int stands for the bits of a
    float, since decimals of floats have a point or an exponent.

    Raises:
        ValueError: the dtype has no such value.
    """
    dtype = ARRAY_DTYPES[name]
    kind = dtype.kind
    if kind == "c":
        half = np.dtype(f"f{dtype.itemsize // 2}")
        data = b"".join(_component(half, part).tobytes() for part in parts)
        return _from_bytes(data, dtype, len(parts) == 2)
    if len(parts) != 1:
        raise ValueError(f"{name} takes one number")
    (part,) = parts
    if kind == "f":
        return _component(dtype, part)
    if type(part) is not (bool if kind == "b" else int):
        raise ValueError(f"{part!r} is no {name}")
    try:
        return _from_array(np.array(part, dtype=dtype))
    except OverflowError:
        raise ValueError(f"{part} doesn't fit {name}") from None


def float_from_bits(bits: int) -> float:
    """The Python float with these 64 bits.

    Raises:
        ValueError: they are more than 64 bits.
    """
    if not 0 <= bits < 1 << 64:
        raise ValueError("a float has 64 bits")
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value


def _component(dtype: np.dtype, part: Any) -> np.generic:
    if type(part) is float:
        with np.errstate(over="ignore", under="ignore"):
            return _from_array(np.array(part, dtype=dtype))
    if type(part) is not int or not 0 <= part < 1 << (8 * dtype.itemsize):
        raise ValueError(f"{part!r} is no {dtype_name(dtype)}")
    return _from_bytes(part.to_bytes(dtype.itemsize, "little"), dtype, True)


def _from_bytes(data: bytes, dtype: np.dtype, fits: bool) -> np.generic:
    if not fits:
        raise ValueError(f"{dtype_name(dtype)} takes a real and an imaginary part")
    return _from_array(np.frombuffer(data, dtype=dtype)[0])


def _from_array(value: Any) -> np.generic:
    scalar: np.generic = value[()]
    return scalar
