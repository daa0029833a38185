"""From Python objects to registers and back.

In: a reference, or the parts of a value. Out: the other one. The layouts of floats, NumPy scalars
and ndarrays are read in place: they are part of the binary interfaces of CPython and NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare_object
from staticpy.backends.llvm.common import MADE
from staticpy.backends.llvm.constants import Constants
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.either import is_one, unwrapped, wrapped
from staticpy.backends.llvm.forms import I1, I8, I32, I64, POINTER, Form, Native, size_in_memory
from staticpy.backends.llvm.status import OVERFLOWED, RAISED

HEADER = 16
"""The bytes of an object before its own fields: the count of references and the class."""

CLASS = 8
"""Where an object keeps its class."""

_CLASSES: dict[str, type] = {"int": int, "float": float, "bool": bool, "complex": complex}

DATA, RANK, SIZES, STRIDES, DTYPE, FLAGS = (HEADER + offset for offset in (0, 8, 16, 24, 40, 48))
"""Where an ndarray keeps its data, number of axes, sizes, strides and flags
(``PyArrayObject_fields``).
"""

WRITEABLE = 0x0400


class Boxes:
    """Emits the conversions.

    Args:
        constants: holds the dtypes.
        may_lack: whether the program leaves values undefined, which are None as objects.
    """

    def __init__(self, constants: Constants, *, may_lack: bool = False) -> None:
        self.constants = constants
        self._may_lack = may_lack

    def unbox(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """What a reference to an object of this form holds. An int that doesn't fit leaves the
        function.
        """
        if form.kind == "object":
            return Native(form, (reference,))
        if form.kind in ("array", "int"):
            unbox = self._unbox_if_any if self._may_lack else self._unbox_with_fields
            return unbox(cx, form, reference)
        if form.kind == "either":
            return self._unbox_either(cx, form, reference)
        if form.kind == "unsigned":
            return Native(form, (cx.call("PyLong_AsUnsignedLongLongMask", reference),))
        builder = cx.builder
        if form.kind == "bool":
            true = declare_object(cx.module, "_Py_TrueStruct")
            return Native(form, (builder.icmp_unsigned("==", reference, true),))
        place = cx.at(reference, HEADER)
        return Native(form, (load_number(builder, place, form.parts[0]),))

    def _unbox_if_any(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """The same of what the program may leave undefined: zeros then, which nobody reads. It is
        None, or what a kernel has made of None.
        """
        rest = slice(1, None) if form.kind == "array" else slice(None)
        variables = [cx.variable(part) for part in form.parts[rest]]
        for part, variable in zip(form.parts[rest], variables, strict=True):
            cx.builder.store(part(None), variable)
        with self._defined(cx, form, reference):
            native = self._unbox_with_fields(cx, form, reference)
            for value, variable in zip(native.parts[rest], variables, strict=True):
                cx.builder.store(value, variable)
        pairs = zip(form.parts[rest], variables, strict=True)
        parts = [cx.builder.load(variable, typ=part) for part, variable in pairs]
        return Native(form, (reference, *parts) if form.kind == "array" else tuple(parts))

    @contextmanager
    def _defined(self, cx: Context, form: Form, reference: ir.Value) -> Iterator[None]:
        """What is emitted within runs where a reference is to an object of this form."""
        builder = cx.builder
        if form.kind == "int":
            none = declare_object(cx.module, "_Py_NoneStruct")
            with cx.on(builder.icmp_unsigned("!=", reference, none), "defined"):
                yield
            return
        class_ = builder.load(cx.at(reference, CLASS), typ=POINTER)
        ndarray = declare_object(cx.module, "PyArray_Type")
        is_array = cx.call("PyType_IsSubtype", class_, ndarray)
        with cx.on(builder.icmp_signed("!=", is_array, I32(0)), "array"):
            rank = cx.builder.load(cx.at(reference, RANK), typ=I32)
            with cx.on(cx.builder.icmp_signed("==", rank, I32(form.rank)), "defined"):
                yield

    def _unbox_with_fields(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """What an ndarray or an int holds."""
        if form.kind == "array":
            return self.unbox_array(cx, form, reference)
        return Native(form, (self._unbox_int(cx, reference),))

    def unbox_number(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """The number in an object, of which the new reference is let go of."""
        slot = cx.new_slot()  # an int may not fit, and then the function is left
        cx.keep(reference, slot)
        native = self.unbox(cx, form, reference)
        cx.keep(NULL, slot)
        return native

    def _unbox_either(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """Which of the members of ``form`` the class says, and the number."""
        places = [cx.variable(part) for part in form.parts]
        class_ = cx.builder.load(cx.at(reference, CLASS), typ=POINTER)
        for part, place in zip(form.parts, places, strict=True):
            cx.builder.store(part(None), place)
        for member in form.members:
            wanted = self.constants.load(cx, _class_of(member))
            with cx.on(cx.builder.icmp_unsigned("==", class_, wanted), "unbox"):
                native = wrapped(cx.builder, self.unbox(cx, member, reference), form)
                for value, place in zip(native.parts, places, strict=True):
                    cx.builder.store(value, place)
        pairs = zip(form.parts, places, strict=True)
        return Native(form, tuple(cx.builder.load(place, typ=part) for part, place in pairs))

    def _box_either(self, cx: Context, native: Native) -> ir.Value:
        result = cx.variable(POINTER)
        for member in native.form.members:
            with cx.on(is_one(cx.builder, native, member), "box"):
                cx.builder.store(self.box(cx, unwrapped(cx.builder, native, member)), result)
        return cx.builder.load(result, typ=POINTER)

    def _unbox_int(self, cx: Context, reference: ir.Value) -> ir.Value:
        flag = cx.variable(I32)
        value = cx.call("PyLong_AsLongLongAndOverflow", reference, flag)
        wrong = cx.builder.icmp_signed("!=", cx.builder.load(flag, typ=I32), I32(0))
        cx.exit_if(wrong, OVERFLOWED)
        return value

    def unbox_array(self, cx: Context, form: Form, reference: ir.Value) -> Native:
        """The parts of an ndarray."""
        builder = cx.builder
        data = builder.load(cx.at(reference, DATA), typ=POINTER)
        parts = [reference, data]
        for field in (SIZES, STRIDES):
            table = builder.load(cx.at(reference, field), typ=POINTER)
            parts += [builder.load(cx.at(table, 8 * n), typ=I64) for n in range(form.rank)]
        return Native(form, tuple(parts))

    def box(self, cx: Context, native: Native) -> ir.Value:
        """A new reference to the value as a Python object."""
        form, builder = native.form, cx.builder
        if native.original is not None:
            cx.call("Py_IncRef", native.original)
            return native.original
        if form.kind == "object" or (form.kind == "array" and native.view is None):
            cx.call("Py_IncRef", native.value)
            return native.value
        if form.kind == "array":
            return self._box_view(cx, native)
        if form.kind == "numbers":
            return self._box_numbers(cx, native)
        if form.kind == "either":
            return self._box_either(cx, native)
        if form.kind == "int":
            return cx.call("PyLong_FromLongLong", native.value)
        if form.kind == "unsigned":
            return cx.call("PyLong_FromUnsignedLongLong", native.value)
        if form.kind == "float":
            return cx.call("PyFloat_FromDouble", native.value)
        if form.kind == "complex":
            parts = (builder.extract_element(native.value, I32(place)) for place in range(2))
            return cx.call("PyComplex_FromDoubles", *parts)
        if form.kind == "bool":
            names = ("_Py_TrueStruct", "_Py_FalseStruct")
            true, false = (declare_object(cx.module, name) for name in names)
            reference = builder.select(native.value, true, false)
            cx.call("Py_IncRef", reference)
            return reference
        assert form.dtype is not None
        place = cx.variable(ir.ArrayType(I64, 2))
        store_number(builder, native.value, place)
        dtype = self.constants.load(cx, form.dtype)
        return cx.call("PyArray_Scalar", place, dtype, NULL)

    def _box_numbers(self, cx: Context, native: Native) -> ir.Value:
        """A new list of the numbers in memory."""
        (form,) = native.form.members
        data = cx.builder.load(native.parts[0], typ=POINTER)
        length = cx.builder.load(native.parts[1], typ=I64)
        made = cx.call("PyList_New", length)
        cx.exit_if(cx.builder.icmp_unsigned("==", made, NULL), RAISED)
        table = cx.builder.load(cx.at(made, HEADER + 8), typ=POINTER)
        with counted(cx.builder, I64(0), length) as index:
            item = self.box(cx, load_item(cx, form, data, index))
            cx.builder.store(item, cx.at(table, cx.builder.mul(index, I64(8))))
        return made

    def _box_view(self, cx: Context, native: Native) -> ir.Value:
        """A new reference to the one ndarray that a view becomes."""
        assert native.view is not None
        slot = cx.slot_of(native.view)
        known = cx.builder.load(slot, typ=POINTER)
        with cx.on(cx.builder.icmp_unsigned("==", known, NULL), "box"):
            cx.builder.store(self.new_view(cx, native), slot)
        reference = cx.builder.load(slot, typ=POINTER)
        cx.call("Py_IncRef", reference)
        return reference

    def new_view(self, cx: Context, native: Native) -> ir.Value:
        """A new reference to a new ndarray that shares the memory of another."""
        form, builder = native.form, cx.builder
        assert form.dtype is not None
        tables = [cx.variable(ir.ArrayType(I64, max(form.rank, 1))) for _ in range(2)]
        for table, numbers in zip(tables, (native.sizes, native.strides), strict=True):
            for place, number in enumerate(numbers):
                builder.store(number, cx.at(table, 8 * place))
        dtype = self.constants.load(cx, form.dtype)
        cx.call("Py_IncRef", dtype)
        flags = builder.load(cx.at(native.value, FLAGS), typ=I32)
        view = cx.call(
            "PyArray_NewFromDescr",
            declare_object(cx.module, "PyArray_Type"),
            dtype,
            I32(form.rank),
            *tables,
            native.data,
            builder.and_(flags, I32(WRITEABLE)),
            NULL,
        )
        cx.call("Py_IncRef", native.value)
        cx.call("PyArray_SetBaseObject", view, native.value)
        return view

    def new_array(
        self,
        cx: Context,
        form: Form,
        sizes: Sequence[ir.Value],
        is_reverse: ir.Value | None = None,
    ) -> Native:
        """A new array of these sizes, in C order or, if that is so, in the reverse one, whose
        elements are not set; a large one is made of memory that others have left.
        """
        assert form.dtype is not None
        table = cx.variable(ir.ArrayType(I64, max(form.rank, 1)))
        made = self._array(cx, form, sizes, table, is_reverse)
        cx.exit_if(cx.builder.icmp_unsigned("==", made, NULL), RAISED)
        data = cx.builder.load(cx.at(made, DATA), typ=POINTER)
        strides = _steps(cx, form.dtype.itemsize, sizes[::-1])[::-1]
        if is_reverse is not None:
            pairs = zip(_steps(cx, form.dtype.itemsize, sizes), strides, strict=True)
            strides = [cx.builder.select(is_reverse, *pair) for pair in pairs]
        return Native(form, (made, data, *sizes, *strides))

    def made_array(self, cx: Context, form: Form, sizes: Sequence[ir.Value]) -> ir.Value:
        """The same in the first block of another function than the body: a new reference, NULL if
        NumPy has raised.
        """
        table = cx.builder.alloca(ir.ArrayType(I64, max(form.rank, 1)))
        return self._array(cx, form, sizes, table)

    def _array(
        self,
        cx: Context,
        form: Form,
        sizes: Sequence[ir.Value],
        table: ir.Value,
        is_reverse: ir.Value | None = None,
    ) -> ir.Value:
        assert form.dtype is not None
        for place, size in enumerate(sizes):
            cx.builder.store(size, cx.at(table, 8 * place))
        order = I1(0) if is_reverse is None else is_reverse
        dtype = self.constants.load(cx, form.dtype)
        rank, itemsize = I32(form.rank), I64(form.dtype.itemsize)
        return MADE.call(cx.builder, dtype, rank, itemsize, table, order)

    def result(self, cx: Context, natives: Sequence[Native]) -> ir.Value:
        """A new reference to what the function returns: the only result, or a tuple of them."""
        return self.box(cx, natives[0]) if len(natives) == 1 else self.tuple_of(cx, natives)

    def tuple_of(self, cx: Context, natives: Sequence[Native]) -> ir.Value:
        """A new reference to a tuple."""
        boxed = [self.box(cx, native) for native in natives]
        made = cx.call("PyTuple_New", I64(len(boxed)))
        for place, reference in enumerate(boxed):
            cx.builder.store(reference, tuple_item(cx, made, place))
        return made


def _steps(cx: Context, itemsize: int, sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """The strides of an array without gaps, from the axis that has the shortest."""
    steps: list[ir.Value] = []
    step: ir.Value = I64(itemsize)
    for size in sizes:
        steps.append(step)
        step = cx.builder.mul(step, size)
    return steps


def _class_of(form: Form) -> type:
    """The class of the numbers of a form."""
    return form.dtype.type if form.dtype is not None else _CLASSES[form.kind]


def tuple_item(cx: Context, items: ir.Value, place: int) -> ir.Value:
    """Where a tuple keeps an item of its own."""
    return cx.at(items, HEADER + 8 + 8 * place)


def load_number(builder: ir.IRBuilder, place: ir.Value, type_: ir.Type) -> ir.Value:
    """The number at an address; a bool takes a byte there."""
    if type_ == I1:
        return builder.trunc(builder.load(place, typ=I8, align=1), I1)
    return builder.load(place, typ=type_, align=1)


def store_number(builder: ir.IRBuilder, value: ir.Value, place: ir.Value) -> None:
    """Store a number to an address."""
    if value.type == I1:
        value = builder.zext(value, I8)
    builder.store(value, place, align=1)


_TAG = 8
"""Where one of several numbers says in memory which it is, which is 16 bytes then."""


def item_size(form: Form) -> int:
    """How many bytes a number takes in a list of such."""
    return 2 * _TAG if form.kind == "either" else size_in_memory(form)


def load_item(cx: Context, form: Form, data: ir.Value, place: ir.Value) -> Native:
    """A number of a list of such in memory."""
    address = cx.at(data, cx.builder.mul(place, I64(item_size(form))))
    parts = [load_number(cx.builder, address, form.parts[-1])]
    if form.kind == "either":
        parts.insert(0, load_number(cx.builder, cx.at(address, _TAG), form.parts[0]))
    return Native(form, tuple(parts))


def store_item(cx: Context, item: Native, data: ir.Value, place: ir.Value) -> None:
    """Store a number to a list of such in memory."""
    address = cx.at(data, cx.builder.mul(place, I64(item_size(item.form))))
    store_number(cx.builder, item.parts[-1], address)
    if item.form.kind == "either":
        store_number(cx.builder, item.parts[0], cx.at(address, _TAG))
