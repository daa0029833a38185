"""NumPy's functions that change an array in place, of Tensors: ``np.put(t, places, v)``,
``np.exp(x, out=t)``, ``t.sort()``, ``np.add.at(t, places, v)``.

In: such a call. Out: the memory as NumPy leaves it, and a record of the same as a write
(``tensors.writes``): of a function that puts items in, of those elements that got one; of one that
computes, of what it gives without ``out=``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.autodiff.tensors.conversions import Conversions
from staticpy.autodiff.tensors.writes import (
    before,
    change_memory,
    content_of,
    offsets,
    spread,
    writable,
    write,
)
from staticpy.ops import METHODS, Traced

_MOVES: dict[Any, tuple[str, ...]] = {
    np.copyto: ("dst", "src", "casting", "where"),
    np.fill_diagonal: ("a", "val", "wrap"),
    np.place: ("arr", "mask", "vals"),
    np.put: ("a", "ind", "v", "mode"),
    np.put_along_axis: ("arr", "indices", "values", "axis"),
    np.putmask: ("a", "mask", "values"),
}
"""Functions that put items into their first argument, by the names of their parameters."""
_ITEMS = ("src", "val", "vals", "v", "values")
_SIGNS = {np.add: 1, np.subtract: -1}


class InPlace(Conversions):
    """Changes in place by NumPy's functions and methods, all of which have the errors of writes by
    an index: RuntimeError of a leaf, TensorError (SPY711) of what belongs to the program.
    """

    __slots__ = ()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out", ())
        if method == "at" and _is_array(inputs[0]) and ufunc in _SIGNS:
            return _add_at(inputs[0], inputs[1], inputs[2], ufunc)
        if len(out) == 1 and _is_array(out[0]):
            function = ufunc if method == "__call__" else getattr(ufunc, method)
            return _compute(function, out[0], inputs, {**kwargs, "out": None})
        return super().__array_ufunc__(ufunc, method, *inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        names = _MOVES.get(function)
        if names is not None and len(args) <= len(names):
            given = {**dict(zip(names, args, strict=False)), **kwargs}
            if _is_array(given.get(names[0])):
                return _move_by(function, given)
        if _is_array(kwargs.get("out")):
            return _compute(function, kwargs["out"], args, {**kwargs, "out": None})
        return super().__array_function__(function, types, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if name not in METHODS:
            return found

        def method(*args: Any, **kwargs: Any) -> Any:
            if not _is_array(kwargs.get("out")):
                return found(*args, **kwargs)
            return _compute(_method_of(name), kwargs["out"], (self, *args), {**kwargs, "out": None})

        return method

    @property
    def real(self) -> Any:
        """The real part, a view of the same memory."""
        return self.__getattr__("real")

    @real.setter
    def real(self, values: Any) -> None:
        _set_part(self, "real", values, lambda old, part: part + 1j * np.imag(old))

    @property
    def imag(self) -> Any:
        """The imaginary part: of complex numbers a view of the same memory."""
        return self.__getattr__("imag")

    @imag.setter
    def imag(self, values: Any) -> None:
        _set_part(self, "imag", values, lambda old, part: np.real(old) + 1j * part)

    def fill(self, value: Any) -> None:
        """Write one number to all elements."""
        _move(self, value, lambda array, item: array.fill(item))

    def put(self, indices: Any, values: Any, mode: Any = "raise") -> None:
        """``np.put`` of this Tensor."""
        _move_by(np.put, {"a": self, "ind": indices, "v": values, "mode": mode})

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort it along an axis."""
        _leave(self, lambda array: array.sort(axis, kind), lambda tensor: np.sort(tensor, axis))

    def partition(self, kth: Any, axis: int = -1, kind: Any = "introselect") -> None:
        """``np.partition`` of this Tensor, in place."""
        _leave(
            self,
            lambda array: array.partition(kth, axis, kind),
            lambda tensor: np.partition(tensor, kth, axis, kind),
        )


def _method_of(name: str) -> Callable[..., Any]:
    """A method as a function of the array."""
    return lambda array, *args, **kwargs: getattr(array, name)(*args, **kwargs)


def _is_array(item: Any) -> bool:
    return isinstance(item, InPlace) and isinstance(content_of(item), np.ndarray)


# --- what puts items in ---------------------------------------------------------------------------


def _move_by(function: Any, given: dict[str, Any]) -> None:
    """Call a function of ``_MOVES`` with arguments by name."""
    names = _MOVES[function]
    name = next(name for name in names if name in _ITEMS)
    others = {key: content_of(item) for key, item in given.items() if key not in names[0:1]}

    def change(array: np.ndarray, item: Any) -> None:
        call = {names[0]: array, **others}
        if name in call:  # else NumPy says what is missing
            call[name] = item
        by_position = [call.pop(key) for key in names[:3] if key in call and key != "casting"]
        function(*by_position, **call)

    _move(given[names[0]], given.get(name), change)


def _move(tensor: Any, item: Any, change: Callable[[np.ndarray, Any], object]) -> None:
    """Put items into a Tensor; into an array of ints their numbers, it tells where they go."""
    memory, is_recorded = writable(tensor, [item])
    if memory is None:
        raise TypeError(f"a {type(content_of(tensor)).__name__} is no array, and can't be changed")

    def record(after: np.ndarray) -> None:
        given = np.asarray(content_of(item))
        numbers = np.arange(given.size).reshape(given.shape)
        chosen = np.full(after.shape, -1)
        change(chosen, numbers[()])
        is_changed = chosen >= 0
        items = spread(item, numbers, after.dtype)[chosen[is_changed]]
        write(tensor, memory, offsets(content_of(tensor))[is_changed], items, after)

    change_memory(tensor, [item], change, record if is_recorded else None, reads=False)


def _set_part(tensor: Any, name: str, item: Any, joined: Callable[[Any, Any], Any]) -> None:
    """Set the real or imaginary part of a Tensor; ``joined`` makes of the old numbers and the new
    part those that are there then.
    """
    memory, is_recorded = writable(tensor, [item])
    if memory is None or tensor.content.dtype.kind != "c":
        _set_real(tensor, name, item)
        return

    def record(after: np.ndarray) -> None:
        part, dtype = offsets(tensor.content), getattr(after, name).dtype
        items = np.reshape(spread(item, part, dtype), part.shape)
        write(tensor, memory, part, joined(before(tensor, memory), items), after)

    change = lambda array, given: setattr(array, name, given)  # noqa: E731
    change_memory(tensor, [item], change, record if is_recorded else None, reads=True)


def _set_real(tensor: Any, name: str, item: Any) -> None:
    """Set a part of a real Tensor, whose real part is all of it; or of a number, which has none
    that can be set.
    """
    content = content_of(tensor)
    if name == "real" and isinstance(content, np.ndarray):
        tensor[...] = item
    else:
        setattr(content, name, content_of(item))  # to raise what NumPy raises


# --- what computes --------------------------------------------------------------------------------


def _leave(tensor: Any, change: Callable[[Any], object], plain: Callable[[Any], Any]) -> None:
    """Leave in a Tensor what ``plain`` gives of it."""
    memory, is_recorded = writable(tensor, [])
    assert memory is not None

    def record(after: np.ndarray) -> None:
        write(tensor, memory, offsets(tensor.content), plain(before(tensor, memory)), after)

    change_memory(tensor, [], change, record if is_recorded else None, reads=True)


def _compute(function: Any, out: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """``function(*args, out=out, **kwargs)``."""
    operands = [item for item in _operands((args, kwargs)) if item is not None]
    memory, is_recorded = writable(out, operands)
    assert memory is not None

    def change(array: np.ndarray, *given: Any) -> None:
        positional, named = _exchanged((args, kwargs), iter(given))
        function(*positional, **{**named, "out": array})

    def record(after: np.ndarray) -> None:
        positional, named = _exchanged((args, kwargs), (before(x, memory) for x in operands))
        del named["out"]
        where = named.get("where", True)
        part = offsets(out.content)
        if where is not True and isinstance(function, np.ufunc):
            mask = np.broadcast_to(named.pop("where"), part.shape)
            positional = [np.broadcast_to(item, part.shape)[mask] for item in positional]
            part = part[mask]
        write(out, memory, part, function(*positional, **named), after)

    change_memory(out, operands, change, record if is_recorded else None, reads=True)
    return out


def _operands(tree: Any) -> list[Any]:
    """The Tensors and arrays in arguments."""
    if isinstance(tree, tuple | list | dict):
        parts = tree.values() if isinstance(tree, dict) else tree
        return [item for part in parts for item in _operands(part)]
    return [tree] if isinstance(tree, Traced | np.ndarray) else []


def _exchanged(tree: Any, items: Any) -> Any:
    """Arguments with others in the place of Tensors and arrays."""
    if isinstance(tree, dict):
        return {key: _exchanged(part, items) for key, part in tree.items()}
    if isinstance(tree, tuple | list):
        return type(tree)([_exchanged(part, items) for part in tree])
    return next(items) if isinstance(tree, Traced | np.ndarray) else tree


def _add_at(tensor: Any, key: Any, item: Any, ufunc: Any) -> None:
    """``np.add.at(tensor, key, item)``, or ``np.subtract.at``."""
    memory, is_recorded = writable(tensor, [item])
    assert memory is not None

    def change(array: np.ndarray, given: Any) -> None:
        ufunc.at(array, key, given)

    def record(after: np.ndarray) -> None:
        places = np.arange(after.size).reshape(after.shape)[key]
        items = spread(item, np.asarray(places), after.dtype)
        sums = np.bincount(np.ravel(places), weights=items, minlength=after.size)
        made = before(tensor, memory) + _SIGNS[ufunc] * sums.reshape(after.shape)
        write(tensor, memory, offsets(tensor.content), made, after)

    change_memory(tensor, [item], change, record if is_recorded else None, reads=True)
