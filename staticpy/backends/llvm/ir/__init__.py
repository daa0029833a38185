"""The text of LLVM's modules, written while they are built.

In: types, and what a builder is told to emit. Out: a Module whose ``str`` LLVM parses. The names
are those of ``llvmlite.ir``, of which this is the part that is needed; it keeps no instructions
but their lines, which are written once, as most of the time of a compilation went into objects
for them.
"""

from staticpy.backends.llvm.ir.builder import IRBuilder
from staticpy.backends.llvm.ir.types import (
    Address,
    ArrayType,
    Constant,
    DoubleType,
    FloatType,
    FunctionType,
    IntType,
    LiteralStructType,
    MetaDataType,
    PointerType,
    Type,
    Undefined,
    Value,
    VectorType,
    VoidType,
)
from staticpy.backends.llvm.ir.values import (
    Block,
    Function,
    GlobalVariable,
    MetaDataString,
    Module,
)

__all__ = [
    "Address",
    "ArrayType",
    "Block",
    "Constant",
    "DoubleType",
    "FloatType",
    "Function",
    "FunctionType",
    "GlobalVariable",
    "IRBuilder",
    "IntType",
    "LiteralStructType",
    "MetaDataString",
    "MetaDataType",
    "Module",
    "PointerType",
    "Type",
    "Undefined",
    "Value",
    "VectorType",
    "VoidType",
]
