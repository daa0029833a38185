"""Trees of numbers and arrays in plain Python: tuples, lists, dicts and dataclasses; None has no
leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from staticpy import ops
from staticpy.ops import tree_fields


def cell_parameters(tree: Any) -> dict[str, Any] | None:
    """The parameters of a Cell that require grad, by name; None of anything else."""
    if not hasattr(type(tree), "__staticpy_cell__"):
        return None
    return {name: item for name, item in tree.parameters_and_names() if item.requires_grad}


def opened(tree: Any) -> Any:
    """A tree with dicts of their parameters in the place of Cells."""

    def change(leaf: Any) -> Any:
        parameters = cell_parameters(leaf)
        return leaf if parameters is None else parameters

    return each(tree, change)


@contextmanager
def exchanged(trees: Sequence[Any], change: Callable[[Any, Any], Any]) -> Iterator[list[Any]]:
    """Trees with other leaves, for the call of a function. A Cell stays itself: its parameters
    stand for what ``change`` gives for them, until the end of the ``with``.

    Args:
        trees: the arguments of the call.
        change: a function of the place of a tree and a leaf of it.
    """
    with ExitStack() as stack:

        def given(place: int, leaf: Any) -> Any:
            parameters = cell_parameters(leaf)
            if parameters is None:
                return change(place, leaf)
            for tensor in parameters.values():
                stack.enter_context(tensor.standing_for(change(place, tensor)))
            return leaf

        yield [each(tree, partial(given, place)) for place, tree in enumerate(trees)]


def each(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A tuple, list, dict or dataclass of the same structure with other leaves."""
    if isinstance(tree, tuple):
        items = [each(item, change) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    if type(tree) is list:
        return [each(item, change) for item in tree]
    if type(tree) is dict:
        return {key: each(item, change) for key, item in tree.items()}
    names = tree_fields(type(tree))
    if names is None:
        return None if tree is None else change(tree)
    made = object.__new__(type(tree))
    for name in names:
        object.__setattr__(made, name, each(getattr(tree, name), change))
    return made


def settle(tree: Any, change: Callable[[Any], Any], seen: set[int] | None = None) -> Any:
    """A tree with other leaves, in which tuples alone are made anew: lists, dicts and objects are
    what others know, so they are changed themselves.
    """
    seen = set() if seen is None else seen
    if isinstance(tree, tuple):
        items = [settle(item, change, seen) for item in tree]
        if all(new is old for new, old in zip(items, tree, strict=True)):
            return tree
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    made = change(tree)
    parts = _changeable(tree) if made is tree else None
    if parts is not None and id(tree) not in seen:
        seen.add(id(tree))
        _settle_parts(parts, partial(settle, change=change, seen=seen))
    return made


def _changeable(tree: Any) -> list[Any] | dict[Any, Any] | None:
    """The list or dict that a tree is, or that holds the attributes of an object."""
    if type(tree) in (list, dict):
        return tree  # type: ignore[no-any-return]
    is_object = type(tree).__module__ != "builtins" and not callable(tree)
    found = getattr(tree, "__dict__", None) if is_object else None
    return found if type(found) is dict else None


def _settle_parts(parts: list[Any] | dict[Any, Any], settled: Callable[[Any], Any]) -> None:
    """Change a list or dict; keys stay in their order."""
    if isinstance(parts, list):
        for place, item in enumerate(parts):
            parts[place] = settled(item)
        return
    items = {settled(key): settled(item) for key, item in parts.items()}
    pairs = zip(items.items(), parts.items(), strict=True)
    if any(new is not old for made, had in pairs for new, old in zip(made, had, strict=True)):
        parts.clear()
        parts.update(items)


def matched(tree: Any, other: Any) -> list[tuple[Any, Any]]:
    """The leaves of a tree, each with what is there in another one.

    Raises:
        TypeError: the other one has another structure.
    """
    if tree is None and other is not None:
        raise TypeError(ops.COTANGENT_STRUCTURE)
    parts = {} if tree is None else items_of(tree)
    if parts is None:
        return [(tree, other)]
    others = items_of(other) if type(tree) is type(other) else None
    if tree is not None and (others is None or others.keys() != parts.keys()):
        raise TypeError(ops.COTANGENT_STRUCTURE)
    return [pair for key, part in parts.items() for pair in matched(part, (others or {})[key])]


def items_of(tree: Any) -> dict[Any, Any] | None:
    """What a tree holds, by its places; None of a leaf."""
    if isinstance(tree, tuple) or type(tree) is list:
        return dict(enumerate(tree))
    if type(tree) is dict:
        return tree
    names = tree_fields(type(tree))
    return None if names is None else {name: getattr(tree, name) for name in names}


def leaves_of(tree: Any) -> list[Any]:
    """The leaves of a tree, in the order in which ``each`` goes through them."""
    leaves: list[Any] = []
    each(tree, leaves.append)
    return leaves
