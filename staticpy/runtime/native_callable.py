"""Objects that native code can be called through, with no frame of Python's between.

In: a class with a ``__call__`` of its own. Out: the same class, whose instances also speak
CPython's vectorcall protocol (PEP 590) as soon as they are given the address of a C function. As
long as they have none, and when it is taken away, a call is ``__call__`` as ever.

A base class made by ``PyType_FromSpec`` has the two fields for addresses. That calls may go
through them is a flag of the class: ``type`` sets it for classes of C alone, so that it is set
here, once the place where it stands has been found to be right.
"""

from __future__ import annotations

import ctypes
import platform
import sysconfig
from typing import TYPE_CHECKING, Any

_HEADER = 16
_FUNCTION, _TABLE, _SIZE = _HEADER, _HEADER + 8, _HEADER + 16
_BASE_TYPE, _VECTORCALL = 1 << 10, 1 << 11
_MEMBERS_SLOT, _SSIZE_MEMBER, _READ_ONLY = 72, 19, 1
_OFFSET_PLACE, _FLAGS_PLACE = 56, 168
"""Where a class keeps ``tp_vectorcall_offset`` and ``tp_flags``, since CPython 3.8."""


class _Member(ctypes.Structure):
    """``PyMemberDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Slot(ctypes.Structure):
    """``PyType_Slot``."""

    _fields_ = (("slot", ctypes.c_int), ("value", ctypes.c_void_p))


class _Spec(ctypes.Structure):
    """``PyType_Spec``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("item_size", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    )


def _is_known() -> bool:
    """Whether the interpreter is one whose objects are laid out as this package knows it."""
    if platform.python_implementation() != "CPython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    return not sysconfig.get_config_var("Py_GIL_DISABLED")


_MEMBERS = (_Member * 2)(
    _Member(b"__vectorcalloffset__", _SSIZE_MEMBER, _FUNCTION, _READ_ONLY, None), _Member()
)
_SLOTS = (_Slot * 2)(_Slot(_MEMBERS_SLOT, ctypes.addressof(_MEMBERS)), _Slot())


def _make_base() -> type:
    """The class with the two fields; an empty one where the interpreter isn't known."""
    if not _is_known():
        return type("NativeCallable", (), {"__slots__": ()})
    spec = _Spec(b"staticpy.runtime.NativeCallable", _SIZE, 0, _BASE_TYPE, _SLOTS)
    make = ctypes.pythonapi.PyType_FromSpec
    make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(_Spec)]
    made: type = make(ctypes.byref(spec))
    return made


if TYPE_CHECKING:

    class NativeCallable:
        """The base of classes for ``speaks_vectorcall``."""

else:
    NativeCallable = _make_base()


def speaks_vectorcall(class_: type) -> bool:
    """Let native code take the calls of instances of ``class_``, which has NativeCallable as its
    base; False where this interpreter doesn't offer it.
    """
    if not _is_known():
        return False
    flags = ctypes.c_ulong.from_address(id(class_) + _FLAGS_PLACE)
    offset = ctypes.c_ssize_t.from_address(id(class_) + _OFFSET_PLACE)
    if flags.value != class_.__flags__ or offset.value != _FUNCTION:
        return False
    flags.value |= _VECTORCALL
    return speaks(class_)


def speaks(class_: type) -> bool:
    """Whether native code may take the calls of instances of this very class."""
    return bool(class_.__flags__ & _VECTORCALL)


def set_native_call(callable_: Any, function: int | None, table: int | None) -> None:
    """Let ``function`` take the calls of an instance, or nobody but ``__call__``.

    Args:
        callable_: an instance of a class of which ``speaks_vectorcall`` is true.
        function: the address of a C function, of the form ``vectorcallfunc``.
        table: the address of what that function reads; it has to live as long as it is here.
    """
    places = [ctypes.c_void_p.from_address(id(callable_) + at) for at in (_FUNCTION, _TABLE)]
    if function is None:
        places[0].value = None
    places[1].value = table
    places[0].value = function
