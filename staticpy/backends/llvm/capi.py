"""The C functions that compiled code calls: those of CPython, NumPy and the C library.

In: a name. Out: its signature, by which it is declared in a module, and its address, which the
engine is told. NumPy's are read from the table that it exports; their places there
never change.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from functools import cache

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import F32, F64, I32, I64, POINTER

_VOID = ir.VoidType()

_PYTHON: dict[str, tuple[ir.Type, tuple[ir.Type, ...]]] = {
    "Py_IncRef": (_VOID, (POINTER,)),
    "Py_DecRef": (_VOID, (POINTER,)),
    "PyLong_FromLongLong": (POINTER, (I64,)),
    "PyLong_FromUnsignedLongLong": (POINTER, (I64,)),
    "PyLong_AsUnsignedLongLongMask": (I64, (POINTER,)),
    "PyLong_AsLongLongAndOverflow": (I64, (POINTER, POINTER)),
    "PyFloat_FromDouble": (POINTER, (F64,)),
    "PyComplex_FromDoubles": (POINTER, (F64, F64)),
    "PyObject_Vectorcall": (POINTER, (POINTER, POINTER, I64, POINTER)),
    "PyTuple_New": (POINTER, (I64,)),
    "PyList_New": (POINTER, (I64,)),
    "PyThreadState_Get": (POINTER, ()),
    "PyErr_CheckSignals": (I32, ()),
    "PyEval_SaveThread": (POINTER, ()),
    "PyEval_RestoreThread": (_VOID, (POINTER,)),
    "PyErr_Clear": (_VOID, ()),
    "PyErr_Occurred": (POINTER, ()),
    "PyErr_GivenExceptionMatches": (I32, (POINTER, POINTER)),
    "PyObject_IsTrue": (I32, (POINTER,)),
    "PyContextVar_Get": (I32, (POINTER, POINTER, POINTER)),
    "PyObject_Size": (I64, (POINTER,)),
    "PyErr_Fetch": (_VOID, (POINTER, POINTER, POINTER)),
    "PyErr_NormalizeException": (_VOID, (POINTER, POINTER, POINTER)),
    "PyErr_Restore": (_VOID, (POINTER, POINTER, POINTER)),
    "PyException_GetTraceback": (POINTER, (POINTER,)),
    "PyException_SetTraceback": (I32, (POINTER, POINTER)),
    "PyType_IsSubtype": (I32, (POINTER, POINTER)),
    "PyDict_GetItemWithError": (POINTER, (POINTER, POINTER)),
    "PyDict_SetItem": (I32, (POINTER, POINTER, POINTER)),
    "PyList_Append": (I32, (POINTER, POINTER)),
    "PyList_SetSlice": (I32, (POINTER, I64, I64, POINTER)),
    "PyDict_Next": (I32, (POINTER, POINTER, POINTER, POINTER)),
    "PyDict_Size": (I64, (POINTER,)),
    "PyObject_GetAttr": (POINTER, (POINTER, POINTER)),
    "PyThread_get_thread_ident": (I64, ()),
    "PyObject_RichCompareBool": (I32, (POINTER, POINTER, I32)),
}

_NUMPY: dict[str, tuple[int, ir.Type, tuple[ir.Type, ...]]] = {
    "PyArray_Scalar": (60, POINTER, (POINTER, POINTER, POINTER)),
    "PyArray_NewFromDescr": (
        94,
        POINTER,
        (POINTER, POINTER, I32, POINTER, POINTER, POINTER, I32, POINTER),
    ),
    "PyArray_SetBaseObject": (282, I32, (POINTER, POINTER)),
    "PyDataMem_SetHandler": (304, POINTER, (POINTER,)),
}
"""By name: the place in the table, the result, the arguments."""

_ARRAY_TYPE = 2
"""The place of the class ndarray in the table."""

_LIBC: dict[str, tuple[ir.Type, tuple[ir.Type, ...]]] = {
    "malloc": (POINTER, (I64,)),
    "free": (_VOID, (POINTER,)),
    "calloc": (POINTER, (I64, I64)),
    "realloc": (POINTER, (POINTER, I64)),
    "clock_gettime": (I32, (I32, POINTER)),
}

_THREADS: dict[str, tuple[ir.Type, tuple[ir.Type, ...]]] = {
    "pthread_create": (I32, (POINTER, POINTER, POINTER, POINTER)),
    "pthread_join": (I32, (I64, POINTER)),
    "pthread_sigmask": (I32, (I32, POINTER, POINTER)),
    "pthread_mutex_init": (I32, (POINTER, POINTER)),
    "pthread_mutex_lock": (I32, (POINTER,)),
    "pthread_mutex_unlock": (I32, (POINTER,)),
    "pthread_cond_init": (I32, (POINTER, POINTER)),
    "pthread_cond_wait": (I32, (POINTER, POINTER)),
    "pthread_cond_broadcast": (I32, (POINTER,)),
    "sched_yield": (I32, ()),
    "sigfillset": (I32, (POINTER,)),
}

_LINUX: dict[str, tuple[ir.Type, tuple[ir.Type, ...]]] = {
    "madvise": (I32, (POINTER, I64, I32)),
    "sched_getcpu": (I32, ()),
    "sched_getaffinity": (I32, (I32, I64, POINTER)),
    "sched_setaffinity": (I32, (I32, I64, POINTER)),
}

_LIBM = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh"),
    *("atanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "erf", "erfc"),
)
_LIBM_OF_TWO = ("pow", "fmod", "atan2", "hypot", "nextafter")

MATH = frozenset((*_LIBM, *_LIBM_OF_TWO, "fmodf"))

SIGNATURES: dict[str, tuple[ir.Type, tuple[ir.Type, ...]]] = {
    **_PYTHON,
    **_LIBC,
    **_THREADS,
    **_LINUX,
    **{name: (result, arguments) for name, (_, result, arguments) in _NUMPY.items()},
    **dict.fromkeys(_LIBM, (F64, (F64,))),
    **dict.fromkeys(_LIBM_OF_TWO, (F64, (F64, F64))),
    **{f"{name}f": (F32, (F32, F32)) for name in ("fmod",)},
}

OBJECTS = (
    *("_Py_TrueStruct", "_Py_FalseStruct", "_Py_NoneStruct", "PyExc_Exception"),
    *("PyTuple_Type", "PyArray_Type"),
)
"""Objects whose addresses are known by name; that of an exception is where its address is."""


@cache
def addresses() -> dict[str, int]:
    """Where everything is, by name."""
    found = {name: _address(ctypes.pythonapi, name) for name in (*_PYTHON, *OBJECTS[:-1])}
    table = _numpy_table()
    found |= {name: table[place] for name, (place, _, _) in _NUMPY.items()}
    found["PyArray_Type"] = table[_ARRAY_TYPE]
    process = ctypes.CDLL(None)
    has_libm = hasattr(process, _LIBM[-1])  # else it has to be looked for, by another process
    library = process if has_libm else ctypes.CDLL(ctypes.util.find_library("m"))
    systems = _LINUX if sys.platform == "linux" else ()
    found |= {name: _address(process, name) for name in (*_LIBC, *_THREADS, *systems)}
    return found | {name: _address(library, name) for name in (*_LIBM, *_LIBM_OF_TWO, "fmodf")}


_provided: dict[str, Callable[[], int]] = {}


def provide(name: str, address: Callable[[], int]) -> None:
    """Let a symbol of modules be what ``address`` gives, once a module declares it."""
    _provided[name] = address


def resolve(name: str) -> int | None:
    """Where a symbol is that modules may declare; None if nobody knows it here."""
    known = addresses().get(name)
    if known is not None or name not in _provided:
        return known
    return _provided[name]()


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0


def _numpy_table() -> ctypes.Array[ctypes.c_size_t]:
    """The table of NumPy's C functions."""
    capsule = np._core._multiarray_umath._ARRAY_API  # type: ignore[attr-defined]  # noqa: SLF001
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    entries = ctypes.c_size_t * (max(place for place, _, _ in _NUMPY.values()) + 1)
    return entries.from_address(read(capsule, None))


def declare(module: ir.Module, name: str) -> ir.Function:
    """The C function ``name`` in ``module``."""
    known: ir.Function | None = module.globals.get(name)
    if known is not None:
        return known
    result, arguments = SIGNATURES[name]
    function = ir.Function(module, ir.FunctionType(result, arguments), name)
    if name in MATH:  # LLVM would compute some differently, and makes nothing of fmod(x, nan)
        function.attributes.add("nobuiltin")
    return function


def declare_object(module: ir.Module, name: str) -> ir.GlobalVariable:
    """The address of one of OBJECTS, or of another one that is provided, in ``module``."""
    known: ir.GlobalVariable | None = module.globals.get(name)
    if known is None:
        known = ir.GlobalVariable(module, ir.IntType(8), name)
    return known


def comes_again(module: ir.Module, builder: ir.IRBuilder) -> ir.Value:
    """Whether the exception that is set is raised anew where the same is done again: an Exception,
    not KeyboardInterrupt and its kind.
    """
    kind = builder.load(declare_object(module, "PyExc_Exception"), typ=POINTER)
    raised = builder.call(declare(module, "PyErr_Occurred"), [])
    matches = builder.call(declare(module, "PyErr_GivenExceptionMatches"), [raised, kind])
    return builder.icmp_signed("!=", matches, I32(0))
