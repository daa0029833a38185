"""The names of NumPy, of arrays and of Python that a compiled function can use.

``FUNCTIONS`` is keyed by the NumPy function or class, ``UFUNC_METHODS`` by ufunc and method,
``BUILTINS`` by Python's own, ``METHODS`` and ``ATTRIBUTES`` by name. Each value is an adapter: a
function with the parameters of what it stands for, to which the frontend binds the arguments of a
call. Adapters of methods and attributes get the array first.
"""

from __future__ import annotations

import difflib
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    DTYPES,
    INT,
    TWIN_DTYPES,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
)
from staticpy.ops import (
    closeness,
    create_functions,
    differences,
    index_functions,
    layout,
    library_functions,
    linalg,
    list_arrays,
    math_functions,
    math_sequences,
    number_methods,
    operator_functions,
    python_functions,
    random_numbers,
    rearrange,
    reduce_functions,
    result_layout,
    search,
    selection,
    shape_functions,
    special,
    splits,
    standard_methods,
    static_functions,
    store_functions,
    ufunc_functions,
    views,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    describe,
    is_number,
    number_type,
    static_axis,
    target_array,
)
from staticpy.ops.builtin_functions import BUILTINS
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.library_functions import with_run_time_numbers
from staticpy.ops.nested import as_sized, strong_dtype
from staticpy.ops.promote import elementwise, unbox
from staticpy.ops.python_scalars import BINARY, apply_scalar, is_python_scalar
from staticpy.ops.shape import ravel, shape_of
from staticpy.ops.ufunc_functions import UFUNC_METHODS

Adapter = Callable[..., Any]


FUNCTIONS: dict[Any, Adapter] = {
    **library_functions.ADAPTERS,
    **random_numbers.ADAPTERS,
    **ufunc_functions.UFUNCS,
    **static_functions.FUNCTIONS,
    **special.ADAPTERS,
}
"""The adapter of each NumPy function and scalar class, by the object itself."""

for _table in (
    shape_functions.ADAPTERS,
    index_functions.ADAPTERS,
    linalg.ADAPTERS,
    reduce_functions.ADAPTERS,
    create_functions.ADAPTERS,
    selection.ADAPTERS,
    store_functions.ADAPTERS,
    views.ADAPTERS,
    search.ADAPTERS,
    rearrange.ADAPTERS,
    differences.ADAPTERS,
    splits.ADAPTERS,
    closeness.ADAPTERS,
    static_functions.ADAPTERS,
):
    # Some names came after NumPy 2.0.
    for _name, _adapter in _table.items():
        if hasattr(np, _name):
            is_writer = _table is store_functions.ADAPTERS
            FUNCTIONS[getattr(np, _name)] = (
                _adapter if is_writer else with_run_time_numbers(_name, _adapter)
            )

for _functions in (math_functions, math_sequences, operator_functions):
    BUILTINS.update(_functions.ADAPTERS)
BUILTINS.update(number_methods.BUILTINS)
BUILTINS[result_layout.zeros_for] = result_layout.zeros_for

for _number in (*DTYPES.values(), *TWIN_DTYPES.values()):
    FUNCTIONS[_number.type] = create_functions.conversion_to(_number)


# --- sizes ----------------------------------------------------------------------------------------


def _size(value: Value) -> Any:
    """``x.size``: a plain int where all sizes are known."""
    total: Any = 1
    for size in shape_of(value):
        total = (
            size if type(total) is int and total == 1 else apply_scalar(BINARY["*"], total, size)
        )
    return total


@adapter("size")
def size_function(a: Any, axis: Any = None) -> Any:
    """``np.size(a)``."""
    value = as_sized(a, "np.size()")
    if axis is None:
        return _size(value)
    rank = len(dims_of(value.type))
    return shape_of(value)[static_axis(axis, rank, "np.size()")]


FUNCTIONS[np.size] = size_function


# --- attributes -----------------------------------------------------------------------------------


def _dtype(value: Value) -> np.dtype:
    return strong_dtype(value.type)


def _nbytes(value: Value) -> Any:
    return apply_scalar(BINARY["*"], _size(value), _dtype(value).itemsize)


def _class_of(type_: Type) -> type:
    """The class of arrays, or of NumPy scalars, of a type."""
    return type_.dtype.type if isinstance(type_, ScalarType) else np.ndarray


def _not_python(value: Any, name: str) -> Any:
    """``value``, which must be an array or a scalar of NumPy's."""
    is_number = not isinstance(value, Value) or isinstance(value.type, PythonType)
    if is_number or not hasattr(_class_of(value.type), name):
        raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name=name, type=describe(value))
    return value


def _numpy_only(name: str, call: Adapter) -> Adapter:
    """An adapter of something that arrays and NumPy scalars have, and Python's numbers have not."""

    @functools.wraps(call)
    def checked(value: Any, *args: Any, **kwargs: Any) -> Any:
        return call(_not_python(value, name), *args, **kwargs)

    return checked


_ARRAY_ATTRIBUTES: dict[str, Adapter] = {
    "shape": shape_of,
    "ndim": lambda x: len(dims_of(x.type)),
    "dtype": _dtype,
    "size": _size,
    "itemsize": lambda x: _dtype(x).itemsize,
    "nbytes": _nbytes,
    "T": lambda x: shape_functions.transpose_to(x, None, "x.T"),
    "mT": lambda x: shape_functions.swapaxes(x, -1, -2),
    **layout.ATTRIBUTES,
    **standard_methods.ATTRIBUTES,
}

ATTRIBUTES: dict[str, Adapter] = {
    **{name: _numpy_only(name, call) for name, call in _ARRAY_ATTRIBUTES.items()},
    "real": lambda x: selection.part_of(x, "real"),
    "imag": lambda x: selection.part_of(x, "imag"),
    **number_methods.ATTRIBUTES,
}
"""The attributes of run-time values by name; an adapter gets the value."""


# --- methods --------------------------------------------------------------------------------------


def _conjugate_into(target: Value, value: Value) -> Any:
    """``a.conjugate(out)``: what is not complex is copied."""
    if strong_dtype(value.type).kind == "c":
        FUNCTIONS[np.conjugate](value, target)
    else:
        FUNCTIONS[np.copyto](target, value)
    is_number = isinstance(value.type, ScalarType) and not dims_of(target.type)
    return emit(unbox, target) if is_number else target


@adapter("conjugate")
def conjugate(a: Any, out: Any = None, /) -> Any:
    """``a.conjugate()``: an array that is not complex is returned as it is."""
    if out is not None:
        return _conjugate_into(target_array(out, "a.conjugate()"), _not_python(a, "conjugate"))
    if is_python_scalar(a):
        return apply_scalar(python_functions.conjugate, a)
    if strong_dtype(a.type).kind != "c":
        return a
    return elementwise(UFUNC_OPS[np.conjugate], a)


@adapter("item")
def item(a: Any, *args: Any) -> Any:
    """``a.item()``, ``a.item(3)`` and ``a.item(1, 2)``."""
    if not args:
        return emit(python_functions.item, a)
    return item(_item_at(a, args))


def _item_at(array: Any, place: tuple[Any, ...]) -> Any:
    """The element at a flat index, or at one index for each axis."""
    place = place[0] if len(place) == 1 and isinstance(place[0], tuple) else place
    rank = len(dims_of(array.type))
    if len(place) == 1 and rank != 1 and _is_integer(place[0]):
        return index_functions.getitem(emit(ravel, array), place[0])
    if len(place) != rank or not all(map(_is_integer, place)):
        reason = f"it takes one index, or one for each of the {rank} axes"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function="a.item()", reason=reason)
    return index_functions.getitem(array, tuple(place))


def _is_integer(place: Any) -> bool:
    """Whether a place is an int, which ``item`` takes alone; bools, lists and None are none."""
    if not is_number(place):
        return False
    type_ = number_type(place)
    is_array = isinstance(type_, ScalarType | TensorType) and not dims_of(type_)
    return type_ == INT or (is_array and strong_dtype(type_).kind in "iu")


@adapter("tolist")
def tolist(a: Any) -> Any:
    """``a.tolist()``: Python numbers, in lists as deep as the array has axes."""
    if isinstance(a.type, TensorType) and a.type.dims:
        return emit(list_arrays.from_array, a, to_python=True)
    return item(a)


@adapter("compress")
def compress(a: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    """``a.compress(condition, axis)``."""
    return library_functions.library_call("compress", condition, a, axis, out=out)


@adapter("choose")
def choose(a: Any, *choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """``a.choose(choices)``, or ``a.choose(first, second)``."""
    given = choices[0] if len(choices) == 1 else choices
    return library_functions.library_call("choose", a, given, out=out, mode=mode)


_ARRAY_METHODS: dict[str, Adapter] = {
    "__getitem__": index_functions.getitem,
    "choose": choose,
    "compress": compress,
    **reduce_functions.METHODS,
    **shape_functions.METHODS,
    **create_functions.METHODS,
    **selection.METHODS,
    **store_functions.METHODS,
    **views.METHODS,
    **search.METHODS,
    **rearrange.METHODS,
    **standard_methods.METHODS,
    "dot": linalg.dot,
    "item": item,
    "tolist": tolist,
}

_WITHOUT_TWIN = {"byteswap", "copy", "dot", "partition", "put", "reshape", "sort", "transpose"}
"""Methods that are no function of NumPy, or one that does something else."""


def _method(name: str, call: Adapter) -> Adapter:
    checked = _numpy_only(name, call)
    return checked if name in _WITHOUT_TWIN else with_run_time_numbers(name, checked)


METHODS: dict[str, Adapter] = {
    **{name: _method(name, call) for name, call in _ARRAY_METHODS.items()},
    "conj": _numpy_only("conj", conjugate),
    "conjugate": conjugate,
    **number_methods.METHODS,
}
"""The methods of run-time values by name; an adapter gets the value first."""


NUMBER_METHODS = frozenset((*number_methods.METHODS, "conjugate"))
NUMBER_ATTRIBUTES = frozenset((*number_methods.ATTRIBUTES, "real", "imag"))
"""What Python's numbers have, too; these adapters take numbers that are known while compiling."""


# --- what is Python, and yet not compiled ---------------------------------------------------------

_OUT_OF_REACH = (
    "numpy.__config__",
    "numpy._core._ufunc_config",
    "numpy._core.arrayprint",
    "numpy._core.memmap",
    "numpy._core.records",
    "numpy.ctypeslib",
    "numpy.lib._npyio_impl",
    "numpy.lib._utils_impl",
    "numpy.ma",
    "numpy.matrixlib",
    "numpy.testing",
)
"""The modules of NumPy that read files, have a state of their own, or subclasses of the array."""


def is_out_of_reach(function: Any) -> bool:
    """Whether a function of NumPy's that is written in Python does what no compiled one can."""
    if function is np.errstate:  # whose ``with`` is in the language
        return False
    code = getattr(function, "__init__", None) if isinstance(function, type) else _code(function)
    module = getattr(code, "__globals__", {}).get("__name__", "")
    if isinstance(function, type) and issubclass(function, np.ndarray):
        return function.__module__.partition(".")[0] == "numpy"
    return any(module == each or module.startswith(f"{each}.") for each in _OUT_OF_REACH)


def is_without_op(function: Any) -> bool:
    """Whether a function or an iterator of NumPy's that is written in C is none of the ops."""
    if isinstance(function, type):
        return function in _ITERATORS
    code = _code(function)
    is_method = not isinstance(getattr(code, "__self__", None), types.ModuleType | None)
    is_in_c = isinstance(code, np.ufunc | types.BuiltinFunctionType) and not is_method
    return is_in_c and function not in FUNCTIONS


_ITERATORS = (np.broadcast, np.flatiter, np.nditer)


def _code(function: Any) -> Any:
    """What a function does that first looks at the classes of its arguments."""
    return getattr(function, "_implementation", function)


# --- suggestions ----------------------------------------------------------------------------------


def _known_names() -> list[str]:
    names = {name for name, value in vars(np).items() if _is_key(value)}
    return sorted(names | set(METHODS) | set(ATTRIBUTES))


def _is_key(value: object) -> bool:
    try:
        return value in FUNCTIONS
    except TypeError:  # not hashable
        return False


_INSTEAD = {
    "asmatrix": "asarray",
    "bmat": "block",
    "broadcast": "broadcast_shapes",
    "einsum_path": "einsum",
    "matrix": "array",
    "ndarray": "empty",
    "frombuffer": "a.view",
    "frompyfunc": "where",
    "nditer": "ndenumerate",
    "printoptions": "array2string",
    "seterr": "errstate",
    "set_printoptions": "array2string",
}
"""What does the work of functions whose names tell little."""
_LIKENESS = 0.7


def nearest(name: str) -> str | None:
    """The name of a supported function, method or attribute that does what ``name`` does, or looks
    most like it.
    """
    found = difflib.get_close_matches(name, _known_names(), n=1, cutoff=_LIKENESS)
    return _INSTEAD.get(name) or (found[0] if found else None)


def way_out(name: str) -> str:
    """How the help of a message begins that says that ``name`` can't be compiled."""
    found = nearest(name)
    return "" if found is None else f"the nearest that can be is {found}; or "


__all__ = [
    "ATTRIBUTES",
    "BUILTINS",
    "FUNCTIONS",
    "METHODS",
    "NUMBER_ATTRIBUTES",
    "NUMBER_METHODS",
    "UFUNC_METHODS",
    "is_out_of_reach",
    "is_without_op",
    "nearest",
    "way_out",
]
