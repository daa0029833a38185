"""Type annotations, read from the text alone, and the objects to write them with.

In: the node of an annotation, and where its names come from. Out: a Type, a tuple of such, or None
where the annotation says too little. Nothing of the user's is imported or evaluated. Understood
are

    int  float  bool  complex  np.float64           a Python or NumPy scalar
    staticpy.f64["n", 3]   staticpy.f64[()]         an array, by name and number of each size
    staticpy.f64[np.ndarray, "n 3"]                 the same, in a form that type checkers accept
    Float64[np.ndarray, "n 3"]                      jaxtyping's form
    np.ndarray[tuple[int, int], np.dtype[np.float64]]
    tuple[int, f64["n"]]                            a tuple of the above

Equal names stand for equal sizes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import numpy as np

from staticpy.ir import DTYPES, PYTHON_TYPES, UNKNOWN, Dim, ScalarType, TensorType, Type

Origin = Callable[[str], str | None]
"""Where a name, or a name with attributes, comes from: ``"np.f64"`` from ``"numpy.f64"``."""

_JAXTYPING = {
    name: np.dtype(name.lower())
    for name in (
        "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64",
        "Float16", "Float32", "Float64", "Complex64", "Complex128",
    )
}  # fmt: skip
_PYTHON = {f"builtins.{class_.__name__}": type_ for class_, type_ in PYTHON_TYPES.items()}
TUPLES = ("builtins.tuple", "typing.Tuple")
"""The paths of the class of tuples."""
_MAX_TEXT = 1000


class ArrayAnnotation:
    """``staticpy.f64`` and its like: ``f64["batch", 3]`` annotates a float64 array of two axes.

    A size is a number, or a name, which stands for the same size wherever it is used in a
    signature; ``"_"`` may be anything. One string may hold several, as in ``f64["batch 3"]``;
    ``"n+1"``, ``"..."`` and ``"*batch"`` mean what they do to jaxtyping (``axes``).
    ``f64[()]`` is a 0-d array. Type checkers understand ``f64[np.ndarray, "batch", 3]``.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, key: Any) -> Any:
        items = key if isinstance(key, tuple) else (key,)
        if items and items[0] is np.ndarray:
            items = items[1:]
        dims = _dims(items)
        if dims is not None:
            return Annotated[np.ndarray, TensorType(DTYPES[self.name], dims)]
        if not all(isinstance(item, str) or _is_size(item) for item in items):
            raise TypeError(f"{self.name}[...] takes the size of each axis: a number or a name")
        return Annotated[np.ndarray, DTYPES[self.name], *items]  # of any number of axes

    def __repr__(self) -> str:
        return f"staticpy.{self.name}"


b1, i8, i16, i32, i64 = map(ArrayAnnotation, ("b1", "i8", "i16", "i32", "i64"))
u8, u16, u32, u64 = map(ArrayAnnotation, ("u8", "u16", "u32", "u64"))
f16, f32, f64, c64, c128 = map(ArrayAnnotation, ("f16", "f32", "f64", "c64", "c128"))


def _dims(items: Iterable[object]) -> tuple[Dim, ...] | None:
    """The sizes that the items of an annotation name; None where the rank is not known."""
    dims: list[Dim] = []
    for item in items:
        if isinstance(item, int) and _is_size(item):
            dims.append(item)
        elif isinstance(item, str):
            for word in item.split():
                if word == "..." or word.startswith(("*", "#*", "?*")):
                    return None
                dims.append(_dim(word))
        else:
            return None
    return tuple(dims)


def _is_size(item: object) -> bool:
    return isinstance(item, int) and not isinstance(item, bool) and item >= 0


def _dim(word: str) -> Dim:
    word = word.rpartition("=")[2]  # jaxtyping's "rows=3"
    if word.isdecimal():
        return int(word)
    return word if word.isidentifier() and word != "_" else UNKNOWN


# --- from the text
# ----------------------------------------------------------------------------------


def read_annotation(node: Any, origin: Origin) -> Any:
    """The type that an annotation names.

    Args:
        node: an ``ast`` or ``gast`` expression, or None.
        origin: where a name of the file comes from.

    Returns:
        A Type; a tuple for a tuple, None in it for what is not known; None.
    """
    if isinstance(node, ast.AST) and type(node).__name__ == "Constant":
        node = parse_quoted(getattr(node, "value", None))
    if node is None:
        return None
    if type(node).__name__ != "Subscript":
        return _plain(dotted_name(node, origin))
    base = dotted_name(node.value, origin)
    inner = node.slice
    arguments = inner.elts if type(inner).__name__ == "Tuple" else [inner]
    if base is None or not base.isascii():
        return None
    package, _, name = base.rpartition(".")
    if base in TUPLES:
        return _tuple(arguments, origin)
    if base in ("typing.Annotated", "typing_extensions.Annotated"):
        return read_annotation(arguments[0], origin) if arguments else None
    if package == "staticpy" and name in DTYPES:
        return _array(DTYPES[name], arguments, origin)
    if package == "jaxtyping" and name in _JAXTYPING and len(arguments) == 2:
        return _array(_JAXTYPING[name], arguments[1:], origin)
    if base == "numpy.ndarray" and len(arguments) == 2:
        return _ndarray(arguments[0], arguments[1], origin)
    return None


def parse_quoted(text: object) -> Any:
    """The expression in a quoted annotation."""
    if not isinstance(text, str) or len(text) > _MAX_TEXT:
        return None
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if isinstance(node, ast.Constant) else node


def dotted_name(node: Any, origin: Origin) -> str | None:
    """Where a name with its attributes comes from: ``np.float64`` is ``"numpy.float64"``."""
    attributes: list[str] = []
    while type(node).__name__ == "Attribute":
        attributes.append(node.attr)
        node = node.value
    if type(node).__name__ != "Name":
        return None
    return origin(".".join([node.id, *reversed(attributes)]))


def tuple_items(node: Any, origin: Origin) -> list[Any] | None:
    """The annotations of the items in that of a tuple of a known length; None for any other."""
    node = parse_quoted(node.value) if type(node).__name__ == "Constant" else node
    if type(node).__name__ != "Subscript" or dotted_name(node.value, origin) not in TUPLES:
        return None
    items: list[Any] = getattr(node.slice, "elts", [node.slice])
    return None if any(getattr(each, "value", None) is Ellipsis for each in items) else items


def array_dtype(node: Any, origin: Origin) -> np.dtype | None:
    """The dtype of the arrays that an annotation with brackets names, whatever their sizes."""
    base = dotted_name(node.value, origin) or ""
    package, _, name = base.rpartition(".")
    if package == "staticpy":
        return DTYPES.get(name)
    if package == "jaxtyping":
        return _JAXTYPING.get(name)
    if base == "numpy.typing.NDArray":
        return _numpy_dtype(dotted_name(node.slice, origin))
    inner: list[Any] = getattr(node.slice, "elts", [])
    if base == "numpy.ndarray" and len(inner) == 2 and type(inner[1]).__name__ == "Subscript":
        is_dtype = dotted_name(inner[1].value, origin) == "numpy.dtype"
        return _numpy_dtype(dotted_name(inner[1].slice, origin)) if is_dtype else None
    return None


def _plain(path: str | None) -> Type | None:
    """The type of a Python or NumPy scalar."""
    if path in _PYTHON:
        return _PYTHON[path]
    dtype = _numpy_dtype(path)
    return None if dtype is None else ScalarType(dtype)


def _numpy_dtype(path: str | None) -> np.dtype | None:
    package, _, name = (path or "").rpartition(".")
    class_ = getattr(np, name, None) if package == "numpy" else None
    dtypes = (dtype for dtype in DTYPES.values() if dtype.type is class_)
    return next(dtypes, None)


def _tuple(arguments: list[Any], origin: Origin) -> tuple[Any, ...] | None:
    if any(getattr(argument, "value", None) is Ellipsis for argument in arguments):
        return None
    return tuple(read_annotation(argument, origin) for argument in arguments)


def _array(dtype: np.dtype, arguments: list[Any], origin: Origin) -> Type | None:
    if arguments and dotted_name(arguments[0], origin) == "numpy.ndarray":
        arguments = arguments[1:]
    # ``f64[n]`` too: linters strip the quotes where annotations are not evaluated.
    dims = _dims(getattr(item, "id", getattr(item, "value", None)) for item in arguments)
    return None if dims is None else TensorType(dtype, dims)


def _ndarray(shape: Any, dtype: Any, origin: Origin) -> Type | None:
    """``np.ndarray[tuple[int, N], np.dtype[np.float32]]``."""
    parts = (shape, dtype)
    if any(type(part).__name__ != "Subscript" for part in parts):
        return None
    if (
        dotted_name(shape.value, origin) not in TUPLES
        or dotted_name(dtype.value, origin) != "numpy.dtype"
    ):
        return None
    element = _numpy_dtype(dotted_name(dtype.slice, origin))
    inner = shape.slice.elts if type(shape.slice).__name__ == "Tuple" else [shape.slice]
    dims = [_axis(item, origin) for item in inner]
    if element is None or None in dims:
        return None
    return TensorType(element, tuple(dim for dim in dims if dim is not None))


def _axis(node: Any, origin: Origin) -> Dim | None:
    kind = type(node).__name__
    if kind == "Subscript" and dotted_name(node.value, origin) == "typing.Literal":
        size = getattr(node.slice, "value", None)
        return size if isinstance(size, int) else None
    if kind == "Name":
        return UNKNOWN if origin(node.id) == "builtins.int" else str(node.id)
    return None
