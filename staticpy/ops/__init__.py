"""The ops: what every operation of the graph means, said once.

In: operands that are arrays and numbers (the kernels compute) or Values of a graph (operations are
emitted). Out: results with NumPy's and Python's own values, boxes and dtypes. The frontend reaches
the ops by the tables of ``namespace`` and by ``binary``, ``unary``, ``compare``, ``getitem``;
passes and backends by ``REGISTRY``.
"""

from staticpy.ops.apply import apply, as_value, emit
from staticpy.ops.builtin_functions import len_
from staticpy.ops.control import (
    call,
    constant,
    for_,
    if_,
    raise_,
    region_yield,
    return_,
    undef,
    while_,
)
from staticpy.ops.create import arange, convert, copy, eye, full, ones, zeros
from staticpy.ops.in_place import IN_PLACE
from staticpy.ops.index import index, unpack
from staticpy.ops.index_functions import getitem
from staticpy.ops.join import concatenate, stack
from staticpy.ops.linalg import matmul_op
from staticpy.ops.namespace import ATTRIBUTES, BUILTINS, FUNCTIONS, METHODS, nearest
from staticpy.ops.nested import array
from staticpy.ops.nn_functions import gelu, log_softmax, relu, sigmoid, softmax
from staticpy.ops.opdef import (
    REGISTRY,
    Effect,
    OpDef,
    defop,
    operation_effects,
    same_type,
)
from staticpy.ops.operators import binary, compare, unary
from staticpy.ops.promote import (
    broadcast,
    broadcast_dims,
    cast,
    elementwise,
    from_python,
    loop_dtypes,
    unbox,
    weak_dtype,
)
from staticpy.ops.python_functions import to_python, truth, truth_op
from staticpy.ops.python_scalars import not_
from staticpy.ops.selection import where_op
from staticpy.ops.shape import dim, reshape, shape_of, transpose

__all__ = [
    "ATTRIBUTES",
    "BUILTINS",
    "FUNCTIONS",
    "IN_PLACE",
    "METHODS",
    "REGISTRY",
    "Effect",
    "OpDef",
    "apply",
    "arange",
    "array",
    "as_value",
    "binary",
    "broadcast",
    "broadcast_dims",
    "call",
    "cast",
    "compare",
    "concatenate",
    "constant",
    "convert",
    "copy",
    "defop",
    "dim",
    "elementwise",
    "emit",
    "eye",
    "for_",
    "from_python",
    "full",
    "gelu",
    "getitem",
    "if_",
    "index",
    "len_",
    "log_softmax",
    "loop_dtypes",
    "matmul_op",
    "nearest",
    "not_",
    "ones",
    "operation_effects",
    "raise_",
    "region_yield",
    "relu",
    "reshape",
    "return_",
    "same_type",
    "shape_of",
    "sigmoid",
    "softmax",
    "stack",
    "to_python",
    "transpose",
    "truth",
    "truth_op",
    "unary",
    "unbox",
    "undef",
    "unpack",
    "weak_dtype",
    "where_op",
    "while_",
    "zeros",
]
