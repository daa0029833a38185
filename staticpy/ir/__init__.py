"""The SSA graph: its types, its structures, its text form, and what keeps it valid.

In: what the frontend's lowering, or a pass, builds through ``Builder`` and ``rewriter``, or text
that ``parse_module`` reads. Out: a ``Module`` that ``verify`` accepts, for autodiff, passes and
backends. The package knows no op: an op is anything that fits ``OpDefinition``, and the parser is
given a registry.
"""

from staticpy.ir import rewriter
from staticpy.ir.builder import Builder, current_builder
from staticpy.ir.clone import copy_body
from staticpy.ir.core import (
    Block,
    BlockArgument,
    Function,
    Module,
    OpDefinition,
    Operation,
    OpResult,
    Region,
    Value,
    walk,
)
from staticpy.ir.equality import attributes_key
from staticpy.ir.facts import ShapeFacts
from staticpy.ir.parser import parse_module
from staticpy.ir.printer import ValueNames, print_function, print_module, print_operation
from staticpy.ir.types import (
    BOOL,
    COMPLEX,
    DTYPES,
    FLOAT,
    INT,
    PYTHON_TYPES,
    UNKNOWN,
    Dim,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    accepts,
    array_type,
    dims_of,
    dtype_name,
    is_supported_dtype,
    join,
    join_dims,
    members_of,
    type_of,
)
from staticpy.ir.verify import verify

__all__ = [
    "BOOL",
    "COMPLEX",
    "DTYPES",
    "FLOAT",
    "INT",
    "PYTHON_TYPES",
    "UNKNOWN",
    "Block",
    "BlockArgument",
    "Builder",
    "Dim",
    "Function",
    "Module",
    "OpDefinition",
    "OpResult",
    "Operation",
    "PythonType",
    "Region",
    "ScalarType",
    "ShapeFacts",
    "TensorType",
    "Type",
    "UnionType",
    "Value",
    "ValueNames",
    "accepts",
    "array_type",
    "attributes_key",
    "copy_body",
    "current_builder",
    "dims_of",
    "dtype_name",
    "is_supported_dtype",
    "join",
    "join_dims",
    "members_of",
    "parse_module",
    "print_function",
    "print_module",
    "print_operation",
    "rewriter",
    "type_of",
    "verify",
    "walk",
]
