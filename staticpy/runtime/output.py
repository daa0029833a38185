"""What a call returns, as Python text: fresh containers around the results of the graph.

In: the output tree of an Analysis, and the name of the variable that holds the results. Out: the
expression that the entry function (``entry``) returns. A list, dict or set of the tree is made anew
at each call, and one that stands at several places of the tree is one object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from staticpy.frontend import Instance, Path, Result
from staticpy.runtime.access import key_text


class Writer(Protocol):
    """What is needed of the writer of the entry function."""

    def pool(self, hint: str, value: object) -> str:
        """The name of an object."""

    def local(self, hint: str) -> str:
        """The name of a local variable."""

    def load(self, path: Path) -> str:
        """The expression of what is at a path."""


def _children(tree: Any) -> Iterable[Any]:
    if isinstance(tree, tuple | list | set | frozenset):
        return tree
    if type(tree) is dict:
        return tree.values()
    return (tree.start, tree.stop, tree.step) if type(tree) is slice else ()


def is_direct(tree: Any, count: int) -> bool:
    """Whether what the graph gives, ``count`` results, is what the function returns."""
    if count == 1:
        return isinstance(tree, Result)
    if type(tree) is not tuple or len(tree) != count:
        return False
    return all(isinstance(each, Result) and each.index == n for n, each in enumerate(tree))


def instance_paths(tree: Any) -> list[Path]:
    """The paths of the objects of the call that are in a tree."""
    found: list[Path] = []
    seen: set[int] = set()
    pending = [tree]
    while pending:
        each = pending.pop()
        if id(each) not in seen:
            seen.add(id(each))
            pending += _children(each)
            found += [each.path] if isinstance(each, Instance) else []
    return found


class OutputWriter:
    """Writes the expression of an output tree.

    Args:
        writer: gives names to objects, and loads what is at a path.
        results: the variable that holds what the compiled code returned.
        is_tuple: whether that is a tuple of results, or the only result itself.
    """

    def __init__(self, writer: Writer, results: str, *, is_tuple: bool) -> None:
        self._writer = writer
        self._results = results
        self._is_tuple = is_tuple
        self._uses: Counter[int] = Counter()
        self._names: dict[int, str] = {}

    def write(self, tree: Any) -> str:
        """The expression of the whole tree."""
        self._count(tree)
        return self._write(tree)

    def _count(self, tree: Any) -> None:
        """How often each container is met: one that is met twice gets a name."""
        self._uses[id(tree)] += 1
        if self._uses[id(tree)] == 1:
            for child in _children(tree):
                self._count(child)

    def _write(self, tree: Any) -> str:
        if id(tree) in self._names:
            return self._names[id(tree)]
        if isinstance(tree, Result):
            return f"{self._results}[{tree.index}]" if self._is_tuple else self._results
        if isinstance(tree, Instance):
            return self._writer.load(tree.path)
        if isinstance(tree, tuple | list | dict | set | frozenset | slice):
            return self._named(tree, self._display(tree))
        return self._writer.pool("constant", tree)

    def _named(self, tree: Any, text: str) -> str:
        if self._uses[id(tree)] < 2:
            return text
        self._names[id(tree)] = name = self._writer.local(f"o{len(self._names)}")
        return f"({name} := {text})"

    def _display(self, tree: Any) -> str:
        if isinstance(tree, tuple):
            return self._tuple(tree)
        if type(tree) is list:
            return f"[{self._items(tree)}]"
        if type(tree) is dict:
            pairs = [
                f"{key_text(key, self._writer.pool)}: {self._write(tree[key])}" for key in tree
            ]
            return f"{{{', '.join(pairs)}}}"
        if isinstance(tree, slice):
            return f"{self._writer.pool('slice', slice)}({self._items(_children(tree))})"
        if isinstance(tree, frozenset):
            return f"{self._writer.pool('frozenset', frozenset)}(({self._items(tree)}))"
        return f"{{{self._items(tree)}}}" if tree else f"{self._writer.pool('set', set)}()"

    def _tuple(self, tree: tuple[Any, ...]) -> str:
        items = f"({self._items(tree)})"
        if type(tree) is tuple:
            return items
        make = self._writer.pool("make_tuple", tuple.__new__)
        return f"{make}({self._writer.pool('class', type(tree))}, {items})"

    def _items(self, trees: Iterable[Any]) -> str:
        return "".join(f"{self._write(tree)}, " for tree in trees)
