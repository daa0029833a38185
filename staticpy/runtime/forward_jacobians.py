"""``jacfwd``: the matrix of all derivatives, column by column.

A program in the language: trees are gone through by functions that call themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.runtime.decorator import jit
from staticpy.runtime.forward_transforms import pushed_forward
from staticpy.runtime.jitted import is_compiled
from staticpy.runtime.vectorize import vmap


def jacfwd(
    fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives the Jacobian of ``fun``, computed column by column in forward mode:
    for functions with more results than arguments.

    Args:
        fun: gives numbers and arrays, or a tuple, list or dict of them; with ``has_aux`` a pair of
            these and anything else.
        argnums: which positional arguments to differentiate by: a number, or several. These are
            floats and arrays of them, or tuples, lists and dicts of these.
        has_aux: whether ``fun`` gives a pair.

    Returns:
        A function of the arguments of ``fun`` that returns the Jacobian, or ``(jacobian, aux)``. It
        has the structure of what ``fun`` gives, and in each place that of the argument (where
        ``argnums`` are several, a tuple): arrays whose shape is that of the result and then that of
        the argument. ``fun`` is run once for each number in the arguments, and once more.

    Raises:
        CompileError: SPY701 (no derivative), SPY704 (``fun`` gives what has no tangent).
        TypeError: an argument holds what is no float.
        ValueError: ``argnums`` is out of range.
    """

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        several = isinstance(argnums, tuple | list)
        places = _places(argnums if several else (argnums,), len(args))
        named = tuple(kwargs.items())
        chosen = tuple([args[place] for place in places])
        primals = _leaves(chosen)
        forms = _forms(chosen, 0)

        def of_leaves(*leaves: Any) -> Any:
            given = _tree(forms, leaves)
            inside = [
                given[places.index(place)] if place in places else arg
                for place, arg in enumerate(args)
            ]
            return fun(*inside, **dict(named))

        result = of_leaves(*primals)
        out = result[0] if has_aux else result
        columns = [_columns(of_leaves, primals, n, out, has_aux) for n in range(len(primals))]
        found = _by_results(out, columns, forms if several else forms[2][0])
        return (found, result[1]) if has_aux else found

    return jit(jacobian) if is_compiled(fun) else jacobian


def _places(argnums: Any, count: int) -> tuple[int, ...]:
    """The positions of the arguments, counted from the front."""
    for number in argnums:
        if not -count <= number < count:
            raise ValueError(f"argnums is {argnums}, and the call has {count} positional arguments")
    return tuple([number % count for number in argnums])


# --- columns --------------------------------------------------------------------------------------


def _columns(
    fun: Callable[..., Any], primals: tuple[Any, ...], number: int, out: Any, has_aux: bool
) -> Any:
    """The derivatives by one primal: a tree like the results ``out``."""
    leaf = primals[number]

    def push(tangent: Any) -> Any:
        tangents = tuple([tangent if n == number else None for n in range(len(primals))])
        return pushed_forward(fun, primals, tangents, has_aux)[1]

    if isinstance(leaf, float | np.floating):
        return push(leaf.dtype.type(1) if isinstance(leaf, np.floating) else 1.0)
    if not isinstance(leaf, np.ndarray) or leaf.dtype.kind != "f":
        raise TypeError("jacfwd is by floats and arrays of them, not by other numbers")
    if leaf.ndim == 0:
        return push(np.ones_like(leaf))
    if leaf.size == 0:
        return _shaped(out, leaf.shape, True)
    basis = np.eye(leaf.size, dtype=leaf.dtype).reshape((leaf.size,) + leaf.shape)  # noqa: RUF005
    return _shaped(vmap(push, out_axes=-1)(basis), leaf.shape, False)


def _shaped(tree: Any, shape: tuple[int, ...], is_empty: bool) -> Any:
    """Columns, the last axis of each leaf, in the shape of a primal; of an empty one, made from the
    results.
    """
    if tree is None:
        return None
    if isinstance(tree, tuple | list | dict):
        return _by_items(tree, lambda _, item: _shaped(item, shape, is_empty))
    if is_empty:
        return np.zeros(np.shape(tree) + shape, np.asarray(tree).dtype)
    return tree.reshape(tree.shape[:-1] + shape)


def _by_results(out: Any, columns: list[Any], forms: Any) -> Any:
    """A tree like ``out``, with one like the arguments in each place."""
    if out is None:
        return None
    if not isinstance(out, tuple | list | dict):
        return _tree(forms, columns)

    def inner(key: Any, item: Any) -> Any:
        return _by_results(item, [None if each is None else each[key] for each in columns], forms)

    return _by_items(out, inner)


# --- trees ----------------------------------------------------------------------------------------


def _by_items(tree: Any, change: Callable[[Any, Any], Any]) -> Any:
    """A tree of the same class, with ``change(key, item)`` in the place of each item."""
    if isinstance(tree, dict):
        return {key: change(key, item) for key, item in tree.items()}
    items = [change(place, item) for place, item in enumerate(tree)]
    return _of_class(type(tree), items)


def _of_class(class_: type, items: list[Any]) -> Any:
    if class_ is list:
        return items
    return tuple(items) if class_ is tuple else class_(*items)


def _leaves(tree: Any) -> tuple[Any, ...]:
    if tree is None:
        return ()
    if not isinstance(tree, tuple | list | dict):
        return (tree,)
    found: tuple[Any, ...] = ()
    for item in tree.values() if isinstance(tree, dict) else tree:
        found += _leaves(item)
    return found


def _forms(tree: Any, first: int) -> Any:
    """The structure of a tree, in tuples, which nobody can change: the class, the keys and the
    items; of a leaf its number, counted from ``first``.
    """
    if tree is None:
        return None
    if not isinstance(tree, tuple | list | dict):
        return first
    keys = tuple(tree) if isinstance(tree, dict) else ()
    items = tuple(tree.values()) if isinstance(tree, dict) else tuple(tree)
    inner = [_forms(item, first + len(_leaves(items[:n]))) for n, item in enumerate(items)]
    return type(tree), keys, tuple(inner)


def _tree(forms: Any, leaves: Any) -> Any:
    """The tree of this structure that holds these leaves."""
    if forms is None:
        return None
    if isinstance(forms, int):
        return leaves[forms]
    class_, keys, inner = forms
    items = [_tree(each, leaves) for each in inner]
    if class_ is dict:
        return {key: items[place] for place, key in enumerate(keys)}
    return _of_class(class_, items)
