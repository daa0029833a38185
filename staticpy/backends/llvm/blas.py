"""Where products of matrices are computed: the very BLAS that NumPy calls, or else SciPy's.

In: a name of Fortran's interface, such as ``sgemm``. Out: its declaration in a module, and its
address, which the engine is told. The library that NumPy is linked with gives NumPy's bits; where
it shows no symbols that tell how wide its integers are, ``scipy.linalg.cython_blas`` is taken,
whose integers have 32 bits.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import provide
from staticpy.backends.llvm.forms import F32, F64, I32, I64, POINTER

_ARGUMENTS = {"gemm": 13, "gemv": 11, "dot": 5}
"""How many pointers each function takes; a product of vectors is returned, others are stored."""

_PREFIX = "blas."
"""Before the names in a module, so that nobody else's symbols are found."""

_NAMES = tuple(f"{letter}{kind}" for letter in "sd" for kind in _ARGUMENTS)
_SPELLINGS = ("scipy_{}_64_", "{}_64_")
"""How OpenBLAS and others call Fortran's functions with integers of 64 bits."""

_CORES = ("scipy_openblas_get_corename64_", "openblas_get_corename64_")
"""How OpenBLAS calls the function that says for which processor its code is."""

_AVX2 = (b"Haswell", b"Zen")
"""Processors whose vectors of floats have 32 bytes."""

_THREADS = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_")
"""How OpenBLAS calls the functions that ``get`` and ``set`` the number of its threads."""


@dataclass(frozen=True, slots=True, eq=False)
class _Library:
    """A BLAS: the type of its integers, where its functions are, those that get and set the number
    of its threads, if they are known, and whether its vectors are AVX2's.
    """

    integer: ir.IntType
    addresses: Mapping[str, int]
    threads: tuple[int, int] | None = None
    is_avx2: bool = False


@cache
def _library() -> _Library:
    return _numpys() or _scipys()


def _numpys() -> _Library | None:
    """What NumPy is linked with, if its symbols can be seen."""
    library = ctypes.CDLL(np._core._multiarray_umath.__file__)  # type: ignore[attr-defined]  # noqa: SLF001
    for spelling in _SPELLINGS:
        names = {name: spelling.format(name) for name in _NAMES}
        if all(hasattr(library, symbol) for symbol in names.values()):
            functions = {name: getattr(library, symbol) for name, symbol in names.items()}
            addresses = {name: _address(each) for name, each in functions.items()}
            return _Library(I64, addresses, _numbers_of_threads(library), _is_avx2(library))
    return None


def _numbers_of_threads(library: ctypes.CDLL) -> tuple[int, int] | None:
    for spelling in _THREADS:
        get, set_ = (spelling.format(word) for word in ("get", "set"))
        if hasattr(library, get) and hasattr(library, set_):
            return _address(getattr(library, get)), _address(getattr(library, set_))
    return None


def _is_avx2(library: ctypes.CDLL) -> bool:
    for name in _CORES:
        function = getattr(library, name, None)
        if function is not None:
            function.restype = ctypes.c_char_p
            return function() in _AVX2
    return False


def _address(function: ctypes._FuncPointer) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _scipys() -> _Library:
    capsules = import_module("scipy.linalg.cython_blas").__pyx_capi__
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    places = {name: read(capsules[name], name_of(capsules[name])) for name in _NAMES}
    return _Library(I32, places)


def integer_type() -> ir.IntType:
    """The type of sizes and strides."""
    return _library().integer


def number_of_threads() -> tuple[int, int] | None:
    """The addresses of the functions that get and set the number of the library's own threads;
    None if it doesn't show them.
    """
    return _library().threads


def has_short_vectors() -> bool:
    """Whether its code is known to be for AVX2, whatever this processor has."""
    return _library().is_avx2


def declare_blas(module: ir.Module, name: str) -> ir.Function:
    """``sgemm`` and its kind in ``module``: all take pointers alone."""
    known: ir.Function | None = module.globals.get(_PREFIX + name)
    if known is not None:
        return known
    kind = name[1:]
    number = F32 if name[0] == "s" else F64
    result = number if kind == "dot" else ir.VoidType()
    type_ = ir.FunctionType(result, [POINTER] * _ARGUMENTS[kind])
    return ir.Function(module, type_, _PREFIX + name)


def _address_of(name: str) -> int:
    return _library().addresses[name]


for _name in _NAMES:
    provide(_PREFIX + _name, partial(_address_of, _name))
