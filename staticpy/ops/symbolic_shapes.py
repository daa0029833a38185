"""The shapes of values as terms: what is known of sizes that the types leave open.

In: Values of one function. Out: for each a tuple of terms, one for each axis; where two terms are
equal, so are the sizes at run time. The size of a slice of ``n`` numbers has no name in a type:

    %a = index %x {spec = ((1, None, None),)} : f64[?]           ("less", "n", 1)
    %b = index %x {spec = ((None, -1, None),)} : f64[?]          ("less", "n", 1)
    %c, %d = broadcast %a, %b : f64[?], f64[?]                   the same: nothing is stretched
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from staticpy.ir import UNKNOWN, OpResult, TensorType, Value, dims_of, members_of
from staticpy.ops.opdef import REGISTRY

Size = Any
"""An int, the symbol of a type, or a term: a tuple."""
Shape = tuple[Size, ...]

_OF_FIRST = frozenset(
    (
        *("copy", "astype", "cast", "byteswap", "real", "imag", "angle", "round", "pow"),
        *("zeros_like", "ones_like", "full_like", "ascontiguousarray", "asfortranarray"),
        *("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"),
        *("ilshift", "irshift", "iand", "ior", "ixor"),
    )
)
"""Ops whose result has the shape of their first operand, unless a ``shape`` is given."""
_FILLED = {"zeros": 0, "ones": 0, "full": 1, "broadcast_to": 1}
"""Ops whose shape is given: by the number of the operand at which open sizes begin."""
_SHAPED = ("reshape", "zeros_like", "ones_like", "full_like")
"""Ops whose shape may be given, by operands from the second on."""
_BROADCASTS = ("broadcast", "broadcast_arrays")


class SymbolicShapes:
    """Finds the terms of shapes, and remembers them."""

    def __init__(self) -> None:
        self._known: dict[Value, Shape] = {}

    def of(self, value: Value) -> Shape:
        """The shape of a number or an array."""
        pending = [value]
        while pending:  # the graph may be deeper than Python recurses
            current = pending[-1]
            if current in self._known:
                pending.pop()
                continue
            missing = [each for each in _sources(current) if each not in self._known]
            if missing:
                pending += missing
            else:
                self._known[pending.pop()] = self._found(current)
        return self._known[value]

    def are_same(self, left: Value, right: Value) -> bool:
        """Whether two values are known to have one shape."""
        return self.of(left) == self.of(right)

    def _found(self, value: Value) -> Shape:
        if len(members_of(value.type)) != 1:
            return (("size", value),)
        dims = dims_of(value.type)
        if UNKNOWN not in dims:
            return dims
        terms = self._by_operation(value) if isinstance(value, OpResult) else None
        if terms is None or len(terms) != len(dims):
            terms = tuple(("size", value, axis) for axis in range(len(dims)))
        return tuple(term if dim == UNKNOWN else dim for dim, term in zip(dims, terms, strict=True))

    def _by_operation(self, value: OpResult) -> Shape | None:
        operation, attrs = value.owner, value.owner.attrs
        name, operands = operation.name, operation.operands
        if name in _BROADCASTS:
            return _broadcast([self._known[each] for each in operands], operation)
        if name in _FILLED or (name in _SHAPED and attrs.get("shape") is not None):
            return self._given(attrs["shape"], operands[_FILLED.get(name, 1) :], value)
        if _is_elementwise(operation) or name in _OF_FIRST:
            return self._known[operands[0]]
        if name == "sum_to":
            return self._known[operands[1]]
        if name == "transpose":
            return tuple(self._known[operands[0]][axis] for axis in attrs["axes"])
        if name == "index" and "array" not in attrs["spec"]:
            return _indexed(self._known[operands[0]], attrs["spec"], operands[1:])
        return None

    def _given(
        self, shape: Sequence[int | None], sizes: Sequence[Value], value: OpResult
    ) -> Shape | None:
        """The shape that a program asks for. A number that it computes for ``reshape`` may be -1,
        which says that NumPy is to find out.
        """
        if len(sizes) != shape.count(None):
            return None
        rest = iter(sizes)
        found: list[Size] = [self._size(next(rest)) if n is None else n for n in shape]
        if value.owner.name == "reshape":
            for axis, size in enumerate(found):
                if size == -1 or (isinstance(size, tuple) and size[0] == "number"):
                    found[axis] = ("size", value, axis)
        return tuple(found)

    def _size(self, number: Value) -> Size:
        """The size that an int is."""
        made = number.defining_op
        if made is not None and made.name == "dim":
            return self._known[made.operands[0]][made.attrs["axis"]]
        is_known = made is not None and made.name == "constant"
        return made.attrs["value"] if is_known else ("number", number)  # type: ignore[union-attr]


def _sources(value: Value) -> Iterable[Value]:
    """The values whose shapes say what the shape of ``value`` is."""
    made = value.defining_op
    if made is None or UNKNOWN not in dims_of(value.type):
        return ()
    arrays = [each for each in made.operands if isinstance(each.type, TensorType)]
    numbers = [each.defining_op for each in made.operands if each not in arrays]
    dims = [each.operands[0] for each in numbers if each is not None and each.name == "dim"]
    return (*made.operands, *dims)


def _is_elementwise(operation: Any) -> bool:
    """Whether all operands and results have one shape."""
    ufunc = REGISTRY[operation.name].ufunc
    return operation.name == "where" or (ufunc is not None and ufunc.signature is None)


def _broadcast(shapes: Sequence[Shape], operation: Any) -> Shape:
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    found: list[Size] = []
    for axis, sizes in enumerate(zip(*padded, strict=True)):
        others = {size for size in sizes if size != 1}
        numbers = [size for size in others if isinstance(size, int)]
        if len(others) > 1 and not numbers:
            found.append(("broadcast", operation, axis))
        else:
            found.append(numbers[0] if numbers else next(iter(others), 1))
    return tuple(found)


def _indexed(shape: Shape, spec: Sequence[Any], operands: Iterable[Value]) -> Shape | None:
    """The shape of a basic index of an array."""
    values = iter(operands)
    taken = sum(entry not in ("newaxis", "ellipsis") for entry in spec)
    entries = [*spec] if "ellipsis" in spec else [*spec, "ellipsis"]
    found: list[Size] = []
    axis = 0
    for entry in entries:
        if entry == "newaxis":
            found.append(1)
        elif entry == "ellipsis":
            found += shape[axis : axis + len(shape) - taken]
            axis += len(shape) - taken
        else:
            if isinstance(entry, tuple):
                parts = tuple(next(values) if part == "value" else part for part in entry)
                found.append(_sliced(shape[axis], parts))
            elif entry == "value":
                next(values)
            axis += 1
    return tuple(found)


def _sliced(size: Size, parts: tuple[Any, ...]) -> Size:
    """The size of a slice: what is cut off is the same at either end."""
    start, stop, step = parts
    first = 0 if start is None else start
    last = 0 if stop is None else stop
    is_cut = step in (None, 1) and type(first) is int and type(last) is int
    if not is_cut or first < 0 or last > 0 or (stop == 0):
        return ("slice", size, *parts)
    if isinstance(size, tuple) and size[0] == "less":
        _, size, before = size
        return ("less", size, before + first - last)
    cut = first - last
    if isinstance(size, int):
        return max(size - cut, 0)
    return ("less", size, cut) if cut else size
