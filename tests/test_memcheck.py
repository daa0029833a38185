"""What is read from valgrind's report: which errors are those of generated code."""

from __future__ import annotations

import shutil

import pytest

from tests.support.memcheck import check, errors_of

MAPS = "00100000-00200000 r-xp 00000000 fe:00 7    /usr/lib/libffi.so"


def report(kind: str, *frames: str) -> str:
    """One error; a frame is an address and, with commas between them, a function and its file."""
    stack = ""
    for frame in frames:
        place, *known = frame.split(",")
        named = "".join(
            f"<{tag}>{text}</{tag}>" for tag, text in zip(("fn", "obj"), known, strict=False)
        )
        stack += f"<frame><ip>{place}</ip>{named}</frame>"
    error = f"<kind>{kind}</kind><what>said</what><stack>{stack}</stack>"
    return (
        f"<valgrindoutput><test>one</test><error>{error}</error><maps>{MAPS}</maps>"
        "</valgrindoutput>"
    )


INTERPRETER = "0x900,_PyEval_EvalFrameDefault,libpython.so"


@pytest.mark.parametrize(
    ("kind", "frames", "is_ours"),
    [
        ("UninitCondition", ["0x5", INTERPRETER], True),
        ("UninitCondition", ["0x900,visit_decref,libpython.so"], False),
        ("UninitCondition", ["0x900,long_add,libpython.so", INTERPRETER, "0x5"], False),
        ("Leak_DefinitelyLost", ["0x900,malloc,memcheck.so", "0x5", INTERPRETER], True),
        ("Leak_DefinitelyLost", ["0x900,new,libllvmlite.so", "0x100010", INTERPRETER], False),
        ("InvalidRead", ["0x900,list_dealloc,libpython.so", INTERPRETER], True),
        ("InvalidRead", ["0x900,_dl_open,ld.so", INTERPRETER], False),
    ],
)
def test_whose_an_error_is(kind, frames, is_ours):
    (error,) = errors_of(report(kind, *frames))
    assert (error.kind, error.test, error.is_ours) == (kind, "one", is_ours)


def test_what_is_told():
    (error,) = errors_of(report("InvalidRead", "0x5", "0x100010", INTERPRETER))
    assert str(error).splitlines() == [
        "InvalidRead in one: said",
        "    generated code",
        "    ? (/usr/lib/libffi.so)",
        "    _PyEval_EvalFrameDefault (libpython.so)",
    ]


WRONG = """
import ctypes
import numpy as np
from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.engine import compile_modules
from staticpy.backends.llvm.units import Effort
from staticpy.backends.llvm.forms import I64, POINTER

KEPT = []

def compiled(emit):
    module = ir.Module("wrong")
    function = ir.Function(module, ir.FunctionType(I64, [POINTER]), "wrong")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(emit(builder, function.args[0]))
    KEPT.append(compile_modules([(module, Effort.LOOPS)], ["wrong"]))
    address = KEPT[-1].address("wrong")
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)

def test_reads_too_far():
    def emit(builder, array):
        return builder.load(builder.gep(array, [I64(4)], source_etype=I64), typ=I64)
    compiled(emit)(np.zeros(4, np.int64).ctypes.data)

def test_loses_memory():
    def emit(builder, _):
        builder.call(declare(builder.module, "malloc"), [I64(100)])
        return I64(0)
    compiled(emit)(0)
"""


@pytest.mark.slow
def test_errors_are_seen(tmp_path):
    """Generated code that reads behind an array, and that never frees."""
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("valgrind isn't installed")
    file = tmp_path / "test_wrong.py"
    file.write_text(WRONG)
    read, lost = (error for error in check(valgrind, [str(file)]) if error.is_ours)
    assert (read.kind, read.test.partition("::")[2]) == ("InvalidRead", "test_reads_too_far")
    assert "0 bytes after a block of size 32" in read.text
    assert lost.kind == "Leak_DefinitelyLost"
    assert "100 bytes in 1 blocks" in lost.text
