"""``jacfwd``: the matrix of all derivatives, column by column. A program in the language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.runtime.decorator import jit_as
from staticpy.runtime.forward_transforms import pushed_forward
from staticpy.runtime.jacobians import (
    has_tangent,
    inexact_tree,
    opened,
    real_leaves,
    require_complex,
    tree_leaves,
    tree_like,
    with_tangents,
)
from staticpy.runtime.jitted import is_compiled
from staticpy.runtime.vectorize import vmap

NO_REAL_ARGUMENT = (
    "jacfwd is by floats and arrays of them, not by other numbers, or complex ones of a "
    "holomorphic function: holomorphic=True"
)


def jacfwd(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """A function that gives the Jacobian of ``fun``, computed column by column in forward mode:
    for functions with more results than arguments.

    Args:
        fun: gives numbers and arrays, or a tuple, list or dict of them; with ``has_aux`` a pair of
            these and anything else.
        argnums: which positional arguments to differentiate by: a number, or several. These are
            floats and arrays of them, or tuples, lists and dicts of these.
        has_aux: whether ``fun`` gives a pair.
        holomorphic: whether ``fun`` is holomorphic, and gives complex numbers for complex
            arguments.

    Returns:
        A function of the arguments of ``fun`` that returns the Jacobian, or ``(jacobian, aux)``. It
        has the structure of what ``fun`` gives, and in each place that of the argument (where
        ``argnums`` are several, a tuple): arrays whose shape is that of the result and then that of
        the argument. ``fun`` is run once for each number in the arguments, and once more.

    Raises:
        CompileError: SPY701 (no derivative), SPY704 (``fun`` gives what has no tangent), SPY714
            (holomorphic, and not complex).
        TypeError: an argument holds what is no float, but where ``fun`` is holomorphic.
        ValueError: ``argnums`` is out of range.
    """

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        several = isinstance(argnums, tuple | list)
        places = _places(argnums if several else (argnums,), len(args))
        named = tuple(kwargs.items())
        arguments = tuple([args[place] for place in places])
        chosen = inexact_tree(arguments, NO_REAL_ARGUMENT)
        trees = opened(chosen)  # which nobody changes
        if holomorphic:
            for place, tree in zip(places, trees, strict=True):
                require_complex(tree, fun, place)
        primals = tree_leaves(trees) if holomorphic else real_leaves(trees, NO_REAL_ARGUMENT)

        def of_chosen(*given: Any) -> Any:
            inside = [
                given[places.index(place)] if place in places else arg
                for place, arg in enumerate(args)
            ]
            return fun(*inside, **dict(named))

        def numbers(*given: Any) -> Any:
            result = of_chosen(*given)
            out = with_tangents(result[0] if has_aux else result, fun)
            return tuple([leaf for leaf in tree_leaves(out) if has_tangent(leaf, fun)])

        result = of_chosen(*tree_like(chosen, tree_leaves(chosen)))
        out = with_tangents(result[0] if has_aux else result, fun)
        if holomorphic:
            require_complex(out, fun, None)
        moving = tuple([leaf for leaf in tree_leaves(out) if has_tangent(leaf, fun)])
        columns = [_columns(numbers, chosen, trees, n, moving) for n in range(len(primals))]
        found = _by_results(fun, out, columns, trees if several else trees[0])
        return (found, result[1]) if has_aux else found

    return jit_as(fun, jacobian) if is_compiled(fun) else jacobian


def _places(argnums: Any, count: int) -> tuple[int, ...]:
    """The positions of the arguments, counted from the front."""
    for number in argnums:
        if not -count <= number < count:
            raise ValueError(f"argnums is {argnums}, and the call has {count} positional arguments")
    return tuple([number % count for number in argnums])


# --- columns --------------------------------------------------------------------------------------


def _columns(
    fun: Callable[..., Any], primals: Any, trees: Any, number: int, out: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The derivatives of each of the results ``out`` by one of the leaves of ``trees``, which are
    the primals.
    """
    leaves = tree_leaves(trees)
    leaf = leaves[number]
    shape, size = np.shape(leaf), np.size(leaf)

    def push(tangent: Any) -> Any:
        tangents = [tangent if n == number else None for n in range(len(leaves))]
        return pushed_forward(fun, primals, tree_like(trees, tangents), False)[1]

    if not shape:
        return push(np.ones_like(leaf)[()])  # type: ignore[no-any-return]
    if size == 0:
        return tuple([np.zeros_like(item, shape=np.shape(item) + shape) for item in out])
    basis = np.eye(size, dtype=leaf.dtype).reshape((size,) + shape)  # noqa: RUF005
    columns = vmap(push, out_axes=-1)(basis)
    return tuple([column.reshape(np.shape(column)[:-1] + shape) for column in columns])


def _by_results(fun: Callable[..., Any], out: Any, columns: list[Any], trees: Any) -> Any:
    """A tree like ``out``, with one like the arguments in each place; None in that where a result
    has no tangent.
    """
    found = []
    number = 0
    for leaf in tree_leaves(out):
        if has_tangent(leaf, fun):
            found.append(tree_like(trees, [column[number] for column in columns]))
            number += 1
        else:
            found.append(tree_like(trees, [None for _ in columns]))
    return tree_like(out, found)
