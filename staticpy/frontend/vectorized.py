"""``np.vectorize``, written in Python for the compiler to compile.

In: a function, and arrays, numbers or lists. Out: what the function gives for each element. As with
NumPy, it gets the elements of arrays as Python's numbers, and where the dtype of the result is not
told, it is called once more before, with the first elements as NumPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ops import zeros_for


def vectorized(
    function: Any, otypes: Any, excluded: Any, cache: Any, /, *args: Any, **kwargs: Any
) -> Any:
    """``np.vectorize(function, otypes=…, excluded=…, cache=…)(*args, **kwargs)``."""
    places = [place for place in range(len(args)) if place not in excluded]
    names = [name for name in kwargs if name not in excluded]

    def call(*elements: Any) -> Any:
        given = list(args)
        for place, element in zip(places, elements[: len(places)], strict=True):
            given[place] = element
        named = dict(zip(names, elements[len(places) :], strict=True))
        return function(*given, **{**kwargs, **named})

    varied = [args[place] for place in places] + [kwargs[name] for name in names]
    if not varied:
        return call()
    return for_each_element(call, otypes, cache, require_one_kind(varied))


def for_each_element(call: Any, otypes: Any, cache: Any, varied: Any) -> Any:
    """What ``call`` gives for the elements of what broadcasts together."""
    arrays = [np.asarray(each) for each in varied]
    if otypes is not None:
        return with_types(call, otypes, len(otypes) == 1, varied, arrays)
    for array in arrays:
        if array.size == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    first = call(*[array.flat[0] for array in arrays])
    is_single = not isinstance(first, tuple)
    dtypes = [np.asarray(each).dtype for each in ((first,) if is_single else first)]
    if not cache:
        return with_types(call, dtypes, is_single, varied, arrays)
    is_known = True

    def call_again(*elements: Any) -> Any:
        nonlocal is_known
        if is_known:
            is_known = False
            return first
        return call(*elements)

    return with_types(call_again, dtypes, is_single, varied, arrays)


def with_types(call: Any, dtypes: Any, is_single: bool, varied: Any, arrays: Any) -> Any:
    """What ``call`` gives for each element, in arrays of these dtypes."""
    made = [zeros_for(dtype, *arrays) for dtype in dtypes]
    shape, size = made[0].shape, made[0].size
    flats: list[Any] = [
        each if np.isscalar(each) else np.broadcast_to(array, shape).ravel()
        for each, array in zip(varied, arrays, strict=True)
    ]
    filled = [np.zeros(size, dtype) for dtype in dtypes]
    order = range(size) if len(shape) < 2 else order_in_memory(made[0])
    is_array = False
    for k in order:
        found = call(*[each if np.isscalar(each) else each[k].item() for each in flats])
        for target, result in zip(filled, (found,) if is_single else found, strict=True):
            is_array = is_array or np.ndim(result) > 0
            if np.ndim(result) == 0:
                target[k] = as_object(result, target)
    if is_array:
        raise ValueError("setting an array element with a sequence.")
    if len(shape) == 1:
        return filled[0] if is_single else tuple(filled)
    for target, values in zip(made, filled, strict=True):
        target[...] = values.reshape(shape)
    return made[0] if is_single else tuple(made)


def order_in_memory(array: Any) -> Any:
    """The flat index of each element, in the order in which they lie in memory."""
    indices = np.zeros_like(array, dtype=np.int64)
    indices[...] = np.arange(array.size).reshape(array.shape)
    return indices.ravel("K")


def as_object(result: Any, target: Any) -> Any:
    """A result as NumPy stores it by way of an array of objects: it asks objects for numbers."""
    if not isinstance(result, np.generic | np.ndarray):
        return result
    return number_for(result, target)


def number_for(result: Any, target: Any) -> Any:
    """As ``as_object``, of a number or an array of NumPy's."""
    if result.dtype == target.dtype:
        return result
    return result if result.dtype.kind == "c" else result.item()


def require_one_kind(varied: Any) -> Any:
    """Refuse, while compiling, lists of numbers of several types, which would keep these."""
    return varied
