"""Which values live in registers, and in which form.

In: a Type of the graph. Out: its Form, which lists the LLVM types of its parts:

    int             i64                        Python's, as long as it fits
    unsigned        i64                        Python's from 0 to 2**64 - 1
    bool, b1        i1
    float           double
    complex         a vector of two doubles, the real part first
    i8 … u64, f32   the integer or float of that width
    c64, c128       a vector of two floats or doubles
    f64[n, m]       object, data, sizes, strides in bytes; the object owns the memory
    float|f64, …    which of these it is, and its register, or 64 bits where they have several
    anything else   object: a reference to a Python object
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.ir import PythonType, ScalarType, TensorType, Type, UnionType

POINTER = ir.PointerType()
I1, I8, I32, I64 = (ir.IntType(width) for width in (1, 8, 32, 64))
F32, F64 = ir.FloatType(), ir.DoubleType()

_PYTHON = {"int": I64, "float": F64, "bool": I1, "complex": ir.VectorType(F64, 2)}

UNSIGNED = PythonType("int", has_no_sign=True)
"""A Python int from 0 to 2**64 - 1, see ``unsigned``."""


@dataclass(frozen=True, slots=True)
class Form:
    """How values of a type are held.

    Attributes:
        kind: ``int``, ``unsigned``, ``float``, ``complex`` and ``bool`` of Python, ``number`` of
            NumPy, ``either`` of several, ``array``, ``object``; ``numbers``, a list of what
            ``members`` has, whose parts are variables (``number_lists``).
        parts: the LLVM type of each part.
        dtype: that of a number or of the elements of an array.
        rank: of an array.
        members: the forms of the numbers that it can be.
    """

    kind: str
    parts: tuple[ir.Type, ...]
    dtype: np.dtype | None = None
    rank: int = 0
    members: tuple[Form, ...] = ()

    @property
    def is_scalar(self) -> bool:
        """Whether there is no object, but a number alone."""
        return self.kind not in ("array", "object", "numbers")

    @property
    def is_float(self) -> bool:
        """Whether the number, or the elements, are floats."""
        return self.kind == "float" if self.dtype is None else self.dtype.kind == "f"

    @property
    def is_complex(self) -> bool:
        """Whether the number, or the elements, are complex."""
        return self.kind == "complex" if self.dtype is None else self.dtype.kind == "c"

    @property
    def is_whole(self) -> bool:
        """Whether it is an int or bool, Python's or NumPy's."""
        if self.kind == "number":
            return self.dtype is not None and self.dtype.kind in "biu"
        return self.kind in ("int", "bool")

    @property
    def is_signed(self) -> bool:
        """Whether integers of this form have a sign."""
        return self.kind == "int" if self.dtype is None else self.dtype.kind == "i"


OBJECT_FORM = Form("object", (POINTER,))


def has_registers(dtype: np.dtype) -> bool:
    """Whether elements of ``dtype`` have a form in registers."""
    return dtype.isnative and dtype.char not in "egG" and dtype.kind in "biufc"


def register_type(dtype: np.dtype) -> ir.Type:
    """The LLVM type of a number of ``dtype``."""
    if dtype.kind == "f":
        return F32 if dtype.itemsize == 4 else F64
    if dtype.kind == "c":
        return ir.VectorType(F32 if dtype.itemsize == 8 else F64, 2)
    return I1 if dtype.kind == "b" else ir.IntType(8 * dtype.itemsize)


def _common(dtype: np.dtype) -> np.dtype:
    """Of equal dtypes the one that NumPy names first: int64, and not longlong, which is equal."""
    return np.dtype(dtype.str)


@lru_cache(maxsize=4096)
def form_of(type_: Type) -> Form:
    """The form of values of ``type_``."""
    if type_ == UNSIGNED:
        return Form("unsigned", (I64,))
    if isinstance(type_, PythonType) and type_.kind in _PYTHON:
        return Form(type_.kind, (_PYTHON[type_.kind],))
    if isinstance(type_, ScalarType) and has_registers(type_.dtype):
        return Form("number", (register_type(type_.dtype),), _common(type_.dtype))
    if isinstance(type_, TensorType) and has_registers(type_.dtype):
        parts = (POINTER, POINTER, *[I64] * (2 * type_.rank))
        return Form("array", parts, _common(type_.dtype), type_.rank)
    if isinstance(type_, UnionType):
        return _either(tuple(map(form_of, type_.members)))
    return OBJECT_FORM


def is_float(type_: Type) -> bool:
    """Whether a value is a float, Python's or NumPy's, or one of several types of these."""
    form = form_of(type_)
    members = form.members if form.kind == "either" else (form,)
    return all(each.is_scalar and each.is_float for each in members)


def _either(members: tuple[Form, ...]) -> Form:
    """The form of what is one of several numbers."""
    registers = {member.parts[0] for member in members}
    is_mixed = len(registers) > 1 and any(member.is_complex for member in members)
    if is_mixed or not all(member.is_scalar for member in members):
        return OBJECT_FORM
    register = registers.pop() if len(registers) == 1 else I64
    return Form("either", (I8, register), members=members)


class View:
    """A view of an array where it came to be, which is made an ndarray when one is asked for.

    Attributes:
        block, last: the block and the last instruction there before the view.
        slot: where the only ndarray that it becomes is kept; NULL as long as there is none.
    """

    __slots__ = ("block", "last", "slot")

    def __init__(self, block: ir.Block) -> None:
        self.block = block
        self.last = block.instructions[-1] if block.instructions else None
        self.slot: ir.Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A value of the running program: its form and the LLVM value of each part.

    ``view``: where an array that is no ndarray yet becomes one, whose memory the object only keeps
    alive; without it the object is the very ndarray. ``slot``: where its reference is kept until it
    is let go of, if it is its own. ``original``: the Python object that a number was read from, if
    it outlives the function.
    """

    form: Form
    parts: tuple[ir.Value, ...]
    view: View | None = None
    slot: ir.Value | None = None
    original: ir.Value | None = None

    @property
    def value(self) -> ir.Value:
        """The only part of a number; the object of an array."""
        return self.parts[0]

    @property
    def data(self) -> ir.Value:
        """Where the first element of an array is."""
        return self.parts[1]

    @property
    def sizes(self) -> tuple[ir.Value, ...]:
        """The sizes of an array."""
        return self.parts[2 : 2 + self.form.rank]

    @property
    def strides(self) -> tuple[ir.Value, ...]:
        """The strides of an array, in bytes."""
        return self.parts[2 + self.form.rank :]


def size_in_memory(form: Form) -> int:
    """How many bytes a number takes."""
    if form.dtype is not None:
        return form.dtype.itemsize
    return {"bool": 1, "complex": 16}.get(form.kind, 8)


def holds_reference(form: Form) -> bool:
    """Whether the first part is a reference to a Python object."""
    return not form.is_scalar
