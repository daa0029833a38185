"""The ops: what every operation of the graph means, said once.

In: operands that are arrays and numbers (the kernels compute) or Values of a graph (operations are
emitted). Out: results with NumPy's and Python's own values, boxes and dtypes. The frontend reaches
the ops by the tables of ``namespace`` and by ``binary``, ``unary``, ``compare``, ``getitem``;
passes and backends by ``REGISTRY``.
"""

from staticpy.ops.apply import apply, as_value, emit
from staticpy.ops.arguments import refused_parameters, static_dtype
from staticpy.ops.builtin_functions import len_
from staticpy.ops.by_member import compared, split_by_member
from staticpy.ops.calls import call_out
from staticpy.ops.containers import object_is, parts_of_type, sample_type, tuple_items, tuple_make
from staticpy.ops.contractions import einsum_matmul
from staticpy.ops.control import (
    call,
    constant,
    constant_range,
    constant_value,
    for_,
    if_,
    is_constant,
    is_undef,
    raise_,
    region_yield,
    return_,
    undef,
    while_,
)
from staticpy.ops.create import arange, convert, copy, eye, full, ones, own_copy, zeros
from staticpy.ops.custom import (
    RULE_OPS,
    UNSEEN,
    checkpoint,
    checkpoint_name,
    custom_forward,
    custom_jvp,
    custom_vjp,
    no_gradient,
    recall,
    stop_gradient,
    unwritten,
)
from staticpy.ops.dicts import dict_type
from staticpy.ops.differentiate import (
    ARGUMENT_TWICE,
    DIFFERENTIATING,
    gradient_of_int,
    is_inexact,
    no_argnums,
    no_such_name,
    no_such_number,
    outputs_among,
    parts_of,
    require_complex,
    require_output,
    require_primal,
    seed_of,
    tree_fields,
    vjp,
)
from staticpy.ops.dynamic import narrow
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.exceptions import known as exception_known
from staticpy.ops.flat import flat_getitem, flat_setitem
from staticpy.ops.forward import jvp
from staticpy.ops.guarded import Handlers, errstate, is_guard, raises_warnings, try_
from staticpy.ops.halos import halo_op, window_op
from staticpy.ops.heaps import heappush
from staticpy.ops.in_place import IN_PLACE, is_itself, may_be_in_place
from staticpy.ops.index import index, index_type, is_mask, unpack
from staticpy.ops.index_functions import getitem
from staticpy.ops.index_tricks import item_getter
from staticpy.ops.join import concatenate, stack
from staticpy.ops.kept_tapes import keep_tapes, take_tape
from staticpy.ops.last_written import last_written
from staticpy.ops.layout import ArrayFlags, refuse_memory, refuse_store, stride
from staticpy.ops.library import nesting_of
from staticpy.ops.linalg import matmul_op
from staticpy.ops.list_arrays import (
    COPIED,
    ListOfDtypesError,
    array_attrs,
    array_of_dtypes,
    is_sure_array,
    list_array,
)
from staticpy.ops.list_functions import sorted_by
from staticpy.ops.list_rows import list_place, list_rows, list_vector
from staticpy.ops.lists import list_type
from staticpy.ops.namespace import (
    ATTRIBUTES,
    BUILTINS,
    FUNCTIONS,
    METHODS,
    NUMBER_ATTRIBUTES,
    NUMBER_METHODS,
    UFUNC_METHODS,
    is_out_of_reach,
    is_without_op,
    nearest,
    way_out,
)
from staticpy.ops.nested import array
from staticpy.ops.nn_functions import gelu, log_softmax, relu, sigmoid, softmax
from staticpy.ops.none_calls import none_call, numpy_name
from staticpy.ops.objects import object_call
from staticpy.ops.opdef import (
    REGISTRY,
    Effect,
    OpDef,
    defop,
    operation_effects,
    results_of,
    same_type,
)
from staticpy.ops.operators import (
    COMPARE_INT,
    binary,
    compare,
    in_place,
    is_order_of_complex_scalars,
    unary,
)
from staticpy.ops.outcome import find_out, outcome
from staticpy.ops.output import print_, raise_value, reraise
from staticpy.ops.promote import (
    broadcast,
    broadcast_arrays,
    broadcast_dims,
    cast,
    elementwise,
    from_python,
    loop_dtypes,
    unbox,
    weak_dtype,
)
from staticpy.ops.pullback import (
    COTANGENT_SHAPE,
    COTANGENT_STRUCTURE,
    NO_NUMBERS,
    NO_REAL_NUMBERS,
    call_pullback,
    call_pushforward,
    cotangent_problem,
    is_real,
    make_pullback,
)
from staticpy.ops.python_functions import to_python, truth, truth_op
from staticpy.ops.python_scalars import not_
from staticpy.ops.random_numbers import GENERATORS, MAKERS, SOURCES, make_generator
from staticpy.ops.random_numbers import METHODS as GENERATOR_METHODS
from staticpy.ops.rank_lists import any_of, are_all_of, is_list_of_ranks, items_as, types_by_rank
from staticpy.ops.rearrange import roll_op
from staticpy.ops.region_flows import through_regions
from staticpy.ops.result_layout import zeros_for
from staticpy.ops.row_gathers import rows_op
from staticpy.ops.rules import (
    BATCHING,
    RULES,
    Alike,
    CannotBatchError,
    NoDerivativeError,
    NoRuleError,
    NotKnownError,
)
from staticpy.ops.rules import Operand as BatchingOperand
from staticpy.ops.rules.arrays import always_array, as_wide_array, wide_array
from staticpy.ops.rules.base import kind_of_type
from staticpy.ops.rules.base import sum_to as summed_to
from staticpy.ops.selection import where_op
from staticpy.ops.shape import dim, reshape, shape_of, transpose
from staticpy.ops.special import erf
from staticpy.ops.store import numpy_function, output, store
from staticpy.ops.store_functions import set_attribute, setitem
from staticpy.ops.string_methods import STRING_METHODS
from staticpy.ops.strings import str_format
from staticpy.ops.subscripts import labels_of
from staticpy.ops.symbolic_shapes import SymbolicShapes
from staticpy.ops.tangent_trees import are_of_float64, has_tangent, paired, require_tangent
from staticpy.ops.tensor_methods import TENSOR_METHODS, tensor_view
from staticpy.ops.tensors import TENSOR_MAKER, make_tensor, new_tensor
from staticpy.ops.traced import Traced, call_adapter, trace, traced_type, untrace
from staticpy.ops.traced import call as call_traced
from staticpy.ops.user_function import user_function
from staticpy.ops.variance import var_mean, var_quotient
from staticpy.ops.vectorize import (
    ROWS,
    example,
    example_type,
    is_stackable,
    require_rows,
    require_stackable,
    stacked_type,
    vmap,
)

__all__ = [
    "ARGUMENT_TWICE",
    "ATTRIBUTES",
    "BATCHING",
    "BUILTINS",
    "COMPARE_INT",
    "COPIED",
    "COTANGENT_SHAPE",
    "COTANGENT_STRUCTURE",
    "DIFFERENTIATING",
    "FUNCTIONS",
    "GENERATORS",
    "GENERATOR_METHODS",
    "IN_PLACE",
    "MAKERS",
    "METHODS",
    "NO_NUMBERS",
    "NO_REAL_NUMBERS",
    "NUMBER_ATTRIBUTES",
    "NUMBER_METHODS",
    "REGISTRY",
    "ROWS",
    "RULES",
    "RULE_OPS",
    "SOURCES",
    "STRING_METHODS",
    "TENSOR_MAKER",
    "TENSOR_METHODS",
    "UFUNC_METHODS",
    "UFUNC_OPS",
    "UNSEEN",
    "Alike",
    "ArrayFlags",
    "BatchingOperand",
    "CannotBatchError",
    "Effect",
    "Handlers",
    "ListOfDtypesError",
    "NoDerivativeError",
    "NoRuleError",
    "NotKnownError",
    "OpDef",
    "SymbolicShapes",
    "Traced",
    "always_array",
    "any_of",
    "apply",
    "arange",
    "are_all_of",
    "are_of_float64",
    "array",
    "array_attrs",
    "array_of_dtypes",
    "as_value",
    "as_wide_array",
    "binary",
    "broadcast",
    "broadcast_arrays",
    "broadcast_dims",
    "call",
    "call_adapter",
    "call_out",
    "call_pullback",
    "call_pushforward",
    "call_traced",
    "cast",
    "checkpoint",
    "checkpoint_name",
    "compare",
    "compared",
    "concatenate",
    "constant",
    "constant_range",
    "constant_value",
    "convert",
    "copy",
    "cotangent_problem",
    "custom_forward",
    "custom_jvp",
    "custom_vjp",
    "defop",
    "dict_type",
    "dim",
    "einsum_matmul",
    "elementwise",
    "emit",
    "erf",
    "errstate",
    "example",
    "example_type",
    "exception_known",
    "eye",
    "find_out",
    "flat_getitem",
    "flat_setitem",
    "for_",
    "from_python",
    "full",
    "gelu",
    "getitem",
    "gradient_of_int",
    "halo_op",
    "has_tangent",
    "heappush",
    "if_",
    "in_place",
    "index",
    "index_type",
    "is_constant",
    "is_guard",
    "is_inexact",
    "is_itself",
    "is_list_of_ranks",
    "is_mask",
    "is_order_of_complex_scalars",
    "is_out_of_reach",
    "is_real",
    "is_stackable",
    "is_sure_array",
    "is_undef",
    "is_without_op",
    "item_getter",
    "items_as",
    "jvp",
    "keep_tapes",
    "kind_of_type",
    "labels_of",
    "last_written",
    "len_",
    "list_array",
    "list_place",
    "list_rows",
    "list_type",
    "list_vector",
    "log_softmax",
    "loop_dtypes",
    "make_generator",
    "make_pullback",
    "make_tensor",
    "matmul_op",
    "may_be_in_place",
    "narrow",
    "nearest",
    "nesting_of",
    "new_tensor",
    "no_argnums",
    "no_gradient",
    "no_such_name",
    "no_such_number",
    "none_call",
    "not_",
    "numpy_function",
    "numpy_name",
    "object_call",
    "object_is",
    "ones",
    "operation_effects",
    "outcome",
    "output",
    "outputs_among",
    "own_copy",
    "paired",
    "parts_of",
    "parts_of_type",
    "print_",
    "raise_",
    "raise_value",
    "raises_warnings",
    "recall",
    "refuse_memory",
    "refuse_store",
    "refused_parameters",
    "region_yield",
    "relu",
    "require_complex",
    "require_output",
    "require_primal",
    "require_rows",
    "require_stackable",
    "require_tangent",
    "reraise",
    "reshape",
    "results_of",
    "return_",
    "roll_op",
    "rows_op",
    "same_type",
    "sample_type",
    "seed_of",
    "set_attribute",
    "setitem",
    "shape_of",
    "sigmoid",
    "softmax",
    "sorted_by",
    "split_by_member",
    "stack",
    "stacked_type",
    "static_dtype",
    "stop_gradient",
    "store",
    "str_format",
    "stride",
    "summed_to",
    "take_tape",
    "tensor_view",
    "through_regions",
    "to_python",
    "trace",
    "traced_type",
    "transpose",
    "tree_fields",
    "truth",
    "truth_op",
    "try_",
    "tuple_items",
    "tuple_make",
    "types_by_rank",
    "unary",
    "unbox",
    "undef",
    "unpack",
    "untrace",
    "unwritten",
    "user_function",
    "var_mean",
    "var_quotient",
    "vjp",
    "vmap",
    "way_out",
    "weak_dtype",
    "where_op",
    "while_",
    "wide_array",
    "window_op",
    "zeros",
    "zeros_for",
]
