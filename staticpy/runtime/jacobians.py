"""``jacrev`` and ``hessian``: one way back for each number of a result.

They are programs in the language around ``pullback``, as ``grad`` is one around
``value_and_gradient``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy import autodiff, ops
from staticpy.frontend import lowered_as
from staticpy.runtime.decorator import jit_as
from staticpy.runtime.jitted import is_compiled
from staticpy.runtime.pullbacks import pullback
from staticpy.runtime.transforms import in_diagnostics


def jacrev(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """A function that gives the derivatives of all that ``fun`` gives, by reverse mode.

    Args:
        fun: gives floats and arrays of them, in any tree; with ``has_aux`` a pair of that and
            anything else.
        argnums: which positional arguments to differentiate by: a number, or several.
        has_aux: whether ``fun`` gives a pair.
        holomorphic: whether ``fun`` is holomorphic, and gives complex numbers for complex
            arguments.
        allow_int: whether these arguments may hold ints and bools. The derivatives by them are
            zeros of float64.

    Returns:
        A function of the arguments of ``fun`` that returns a tree like the result of ``fun``, in
        each place a tree like the argument, or a tuple of these where ``argnums`` are several;
        there is an array of the shape of the result and then that of the argument. With
        ``has_aux`` it returns ``(jacobian, aux)``. It is compiled if ``fun`` is.

    Raises:
        CompileError: SPY701 (no derivative), SPY702 (no pair), SPY703 (an argument that has no
            gradient), SPY706 (``fun`` is compiled, and running it again could be seen), SPY714
            (holomorphic, and not complex).
        TypeError: ``fun`` gives something else than floats: of complex numbers there is no one
            derivative, but where ``fun`` is holomorphic.
        ValueError: ``argnums`` is out of range.
    """
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        by = (numbers, allow_int, holomorphic)
        out, back, aux = pullback(fun, by, has_aux, args, kwargs)
        primals = opened(with_tangents(tuple([args[number] for number in numbers]), fun))
        if allow_int:  # of which there are sizes and dtypes to read
            primals = tree_like(primals, [leaf * 1.0 for leaf in tree_leaves(primals)])
        if holomorphic:
            require_complex(out, fun, None)
        leaves = tree_leaves(out) if holomorphic else real_leaves(out, ops.NO_REAL_NUMBERS)
        found = [_derivatives(back, out, leaves, place, primals) for place in range(len(leaves))]
        if isinstance(argnums, int):
            found = [trees[0] for trees in found]
        jacobians = tree_like(out, found)
        return (jacobians, aux) if has_aux else jacobians

    return jit_as(fun, jacobian) if is_compiled(fun) else jacobian


def hessian(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """A function that gives the second derivatives of all that ``fun`` gives.

    It is ``jacrev`` of ``jacrev``: see there for the arguments and errors. In each place of a tree
    like the result there is a tree like the argument, and in each place of that another one, with
    arrays of the shape of the result, and twice that of the argument.
    """
    slopes = jacrev(fun, argnums, has_aux, holomorphic)
    return jacrev(slopes, argnums, has_aux, holomorphic)


def _derivatives(
    back: Callable[[Any], Any], out: Any, leaves: Any, place: int, primals: tuple[Any, ...]
) -> Any:
    """The derivatives of one leaf of a result, in trees like ``primals``."""
    leaf = leaves[place]
    if isinstance(leaf, float | complex | np.generic):  # as it may be on some paths only
        return _pulled(back, out, leaves, place, np.ones_like(leaf))
    for rank in ranks_of(leaf)[1:]:  # and so may the number of its axes
        if leaf.ndim == rank:
            return _derivatives_of_array(back, out, leaves, place, leaf, primals)
    return _derivatives_of_array(back, out, leaves, place, leaf, primals)


def _derivatives_of_array(
    back: Callable[[Any], Any], out: Any, leaves: Any, place: int, leaf: Any, primals: Any
) -> Any:
    """The derivatives of the array ``leaf``, in trees like ``primals``."""
    shape, size = np.shape(leaf), np.size(leaf)
    if not shape:
        return _pulled(back, out, leaves, place, np.ones_like(leaf))
    arguments = tree_leaves(primals)
    rows, blocks = [], [_no_rows(size, argument) for argument in arguments]
    for number in range(size):
        unit = (np.arange(size) == number).astype(leaf.dtype).reshape(shape)
        row = tree_leaves(_pulled(back, out, leaves, place, unit))
        if is_recording():  # Tensors, which are put into no array
            rows.append(row)
            continue
        for block, item in zip(blocks, row, strict=True):
            block[number] = item
    if rows:
        blocks = [np.stack(column) for column in zip(*rows, strict=True)]
    if len(shape) > 1:  # of copies: what is written to has no derivative by way of a reshape
        pairs = zip(blocks, arguments, strict=True)
        blocks = [block.copy().reshape(shape + np.shape(item)) for block, item in pairs]
    return tree_like(primals, blocks)


def _pulled(back: Callable[[Any], Any], out: Any, leaves: Any, place: int, cotangent: Any) -> Any:
    """What comes back of the cotangent of one leaf of a result, and zeros for the others."""
    cotangents = [np.zeros_like(leaf) for leaf in leaves]
    cotangents[place] = cotangent
    return back(tree_like(out, cotangents))


def _no_rows(size: int, argument: Any) -> Any:
    return np.zeros_like(argument, shape=(size, *np.shape(argument)))


# --- what the language has no words for -----------------------------------------------------------


@lowered_as("is_recording")
def is_recording() -> bool:
    """Whether a plain function is run on Tensors; never in a compiled function."""
    return autodiff.is_recording()


@lowered_as("opened")
def opened(tree: Any) -> Any:
    """A tree with dicts of their parameters in the place of Cells."""
    return autodiff.opened(tree)


@lowered_as("tree_leaves")
def tree_leaves(tree: Any) -> tuple[Any, ...]:
    """The leaves of a tree."""
    return tuple(autodiff.leaves_of(tree))


@lowered_as("tree_like")
def tree_like(tree: Any, leaves: Sequence[Any]) -> Any:
    """A tree of the same structure with other leaves, which may be trees."""
    items = iter(leaves)
    return autodiff.each(tree, lambda _: next(items))


@lowered_as("real_leaves")
def real_leaves(tree: Any, otherwise: str) -> tuple[Any, ...]:
    """The leaves of a tree of real numbers.

    Raises:
        TypeError: something in it is none: the text ``otherwise``.
    """
    leaves = tree_leaves(tree)
    if not all(map(autodiff.is_real, leaves)):
        raise TypeError(otherwise)
    return leaves


@lowered_as("require_complex")
def require_complex(tree: Any, fun: Callable[..., Any], number: int | None) -> None:
    """Refuse an argument of ``fun``, by its number, or what it gives where that is None, which is
    not complex.

    Raises:
        CompileError: SPY714.
    """
    with in_diagnostics(fun):
        for leaf in tree_leaves(tree):
            ops.require_complex(ops.traced_type(leaf), number)


@lowered_as("ranks_of")
def ranks_of(leaf: Any) -> tuple[int, ...]:
    """How many axes an array has; in a compiled function all that it may have."""
    return (np.ndim(leaf),)


@lowered_as("inexact_tree")
def inexact_tree(tree: Any, otherwise: str) -> Any:
    """A tree like this one, of its own; in a compiled function, where a leaf may be no float, it is
    required to be one: otherwise a TypeError with the text ``otherwise``.
    """
    del otherwise
    return autodiff.each(tree, lambda leaf: leaf)


@lowered_as("with_tangents")
def with_tangents(tree: Any, fun: Callable[..., Any]) -> Any:
    """What ``fun`` gives; in a compiled function, where that may be an int or a float, required
    to be the float (SPY702).
    """
    del fun
    return tree


@lowered_as("has_tangent")
def has_tangent(leaf: Any, fun: Callable[..., Any]) -> bool:
    """Whether a leaf of what ``fun`` gives is a real or complex number, or an array of them.

    Raises:
        CompileError: SPY704, it is no number and no array.
    """
    with in_diagnostics(fun):
        return ops.has_tangent(ops.traced_type(leaf))
