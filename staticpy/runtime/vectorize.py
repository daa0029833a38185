"""``vmap``: a function of one example, made one of many.

Like ``grad`` it is a program in the language: what it returns can be called inside of a compiled
function, be compiled, differentiated and vectorised again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff import Tensor, each, items_of, matched
from staticpy.frontend import lowered_as
from staticpy.ops import vmap_texts as texts
from staticpy.runtime.decorator import jit_as
from staticpy.runtime.jitted import is_compiled
from staticpy.runtime.transforms import in_diagnostics

Leaf = Callable[[Any, "int | None"], Any]


def vmap(
    fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, axis_size: int | None = None
) -> Callable[..., Any]:
    """A function that calls ``fun`` for each example along an axis, and stacks the results.

    Args:
        fun: gives a number, bool or array, or a tuple, list or dict of them, alike for all
            examples.
        in_axes: the axis of the examples in the positional arguments: an int, None for what is the
            same for all examples, or a tuple with an item for each argument, which may again be a
            tuple, list or dict. Arguments by name are batched along their first axis.
        out_axes: where the axis of the examples is in the results: an int, or a tuple, list or dict
            of them; None for a result that doesn't depend on the example.
        axis_size: the number of examples; needed where no argument is batched.

    Returns:
        A function of the same arguments, whose result is that of a loop over the examples. It is
        compiled if ``fun`` is, and then works on all examples at once where that gives the same.

    Raises:
        CompileError: SPY705: the results can't be stacked, or the calls depend on each other.
        ValueError: the sizes don't agree, there is no example, an axis is out of range, or a prefix
            doesn't fit its tree.
        TypeError: ``axis_size`` is no int.
    """

    def vectorized(*args: Any, **kwargs: Any) -> Any:
        return vectorize(fun, (in_axes, out_axes, axis_size), args, kwargs)

    return jit_as(fun, vectorized) if is_compiled(fun) else vectorized


@lowered_as("vectorize")
def vectorize(fun: Callable[..., Any], options: Any, args: Any, kwargs: Any) -> Any:
    """The results of ``fun`` for each example: in a compiled function an operation of the graph; in
    plain Python the loop.
    """
    in_axes, out_axes, axis_size = options
    axes = tuple(in_axes) if type(in_axes) is list else in_axes
    count = _size(axes, axis_size, args, kwargs)
    results = []
    for number in range(count):
        given, named = _arguments(axes, args, kwargs, _taken(number))
        results.append(fun(*given, **named))
        if number == 0:
            _along(out_axes, results[0], _require_output(fun), texts.OUT_AXES)
    if not results:
        raise ValueError(texts.NO_EXAMPLES)
    return _stacked(fun, out_axes, results)


def _along(axes: Any, tree: Any, change: Leaf, what: str) -> Any:
    """A tree with other leaves, each of which is given the axis of the prefix that holds it."""
    if axes is None and what == texts.IN_AXES:
        return tree
    if axes is None or type(axes) is int:
        return each(tree, lambda leaf: change(leaf, axes))
    if isinstance(axes, tuple) and isinstance(tree, tuple) and len(axes) == len(tree):
        items = [_along(a, item, change, what) for a, item in zip(axes, tree, strict=True)]
        return tuple.__new__(type(tree), items)
    if type(axes) is type(tree) is list and len(axes) == len(tree):
        return [_along(a, item, change, what) for a, item in zip(axes, tree, strict=True)]
    if type(axes) is type(tree) is dict and axes.keys() == tree.keys():
        return {key: _along(axes[key], item, change, what) for key, item in tree.items()}
    raise ValueError(what)


# --- arguments ------------------------------------------------------------------------------------


def _arguments(axes: Any, args: Any, kwargs: Any, change: Leaf) -> tuple[Any, dict[str, Any]]:
    named = {name: each(x, lambda leaf: change(leaf, 0)) for name, x in kwargs.items()}
    return _along(axes, tuple(args), change, texts.IN_AXES), named


def _size(axes: Any, axis_size: Any, args: Any, kwargs: Any) -> int:
    """The number of examples, in which all arrays agree."""
    if axis_size is not None and type(axis_size) is not int:
        raise TypeError(texts.AXIS_SIZE)
    sizes = [] if axis_size is None else [axis_size]

    def size_of(leaf: Any, axis: int | None) -> None:
        if axis is not None:
            if hasattr(type(leaf), "__staticpy_cell__"):
                raise ValueError(texts.CELL)
            shape = np.shape(leaf) if isinstance(leaf, np.ndarray | Tensor) else ()
            least = texts.least_rank(axis)
            if len(shape) < least:
                raise ValueError(texts.RANK.format(axis=axis, least=least, rank=len(shape)))
            sizes.append(shape[axis])

    _arguments(axes, args, kwargs, size_of)
    if not sizes:
        raise ValueError(texts.NO_SIZE)
    for other in sizes[1:]:
        if other != sizes[0]:
            raise ValueError(texts.SIZES.format(sizes[0], other))
    return sizes[0]


def _taken(number: int) -> Leaf:
    def take(leaf: Any, axis: int | None) -> Any:
        if axis is None:
            return leaf
        place = axis % leaf.ndim
        return leaf[(*[slice(None)] * place, number)] if place else leaf[number]

    return take


# --- results --------------------------------------------------------------------------------------


def _require_output(fun: Callable[..., Any]) -> Leaf:
    """Refuse a result that can't be stacked, or not along its axis."""

    def require(leaf: Any, axis: int | None) -> None:
        _require_stackable(fun, leaf)
        rank = len(np.shape(leaf))
        if axis is not None and texts.least_rank(axis) > rank + 1:
            raise ValueError(texts.OUT_RANK.format(axis=axis, rank=rank))

    return require


def _require_stackable(fun: Callable[..., Any], leaf: Any) -> None:
    with in_diagnostics(fun):
        ops.require_stackable(ops.traced_type(leaf))


def _stacked(fun: Callable[..., Any], out_axes: Any, results: list[Any]) -> Any:
    """The results as one tree, leaf by leaf."""
    columns = iter(
        list(zip(*(_leaves_like(results[0], result) for result in results), strict=True))
    )

    def stack(_: Any, axis: int | None) -> Any:
        column = next(columns)
        if axis is None:
            return _same(column)
        made = np.stack(column, axis)
        _require_stackable(fun, made)  # an int too large makes an array of objects
        return made

    return _along(out_axes, results[0], stack, texts.OUT_AXES)


def _leaves_like(first: Any, result: Any) -> list[Any]:
    """The leaves of a result, in the order of those of the first one: dicts may differ in theirs.

    Raises:
        ValueError: it has another structure.
    """
    try:
        pairs = matched(first, result)
    except TypeError:
        raise ValueError(texts.STRUCTURE) from None
    if any(other is None or items_of(other) is not None for _, other in pairs):
        raise ValueError(texts.STRUCTURE)
    return [other for _, other in pairs]


def _same(column: tuple[Any, ...]) -> Any:
    """The one value that all examples gave."""
    found = [each.data if isinstance(each, Tensor) else each for each in column]
    if not all(np.array_equal(found[0], other) for other in found):
        raise ValueError(texts.OUT_NONE)
    return column[-1]
