"""What a program can reach besides its arguments: the mutable objects of its module.

In: a function. Out: a World, which describes these objects, and puts back what a run has changed,
so that each route starts from the same state. Objects keep their identity.
"""

from __future__ import annotations

import inspect
import random
import types
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import numpy as np

from tests.support.walking import attributes_of, is_atom, reachable

_MISSING = object()


class World:
    """The state of the module of a function, as it was when the World was made."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._namespace = inspect.unwrap(function).__globals__
        saved = reachable(self.roots().values())
        self._saved = [(item, _content(item)) for item in saved]
        self._classes = {class_: dict(vars(class_)) for class_ in _classes(self._namespace)}

    def roots(self) -> dict[str, Any]:
        """The state of the module by name, as it is now."""
        return dict(_roots(self._namespace))

    def restore(self) -> None:
        """Put back what has changed, and start the global random numbers anew."""
        for item, content in self._saved:
            if content is not None:
                _put_back(item, content)
        for class_, attributes in self._classes.items():
            _put_back_class(class_, attributes)
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - what the programs draw from


def _classes(namespace: dict[str, Any]) -> Iterator[type]:
    for value in namespace.values():
        if isinstance(value, type) and value.__module__ == namespace["__name__"]:
            yield value


def _roots(namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is mutable in a module: globals, class attributes, defaults and closures."""
    for name, value in list(namespace.items()):
        if name.startswith("__"):
            continue
        if isinstance(value, types.FunctionType) and value.__globals__ is namespace:
            yield from _of_function(name, value)
        elif not is_atom(value):
            yield f"module {name}", value
    for class_ in _classes(namespace):
        for name, value in vars(class_).items():
            if not (_is_of_python(class_, name) or callable(value) or hasattr(value, "__get__")):
                yield f"module {class_.__name__}.{name}", value


def _is_of_python(class_: type, name: str) -> bool:
    """Whether Python keeps an attribute for itself: ``__dict__``, or the table of an enum in which
    stands the member that ``A | B`` made, by whichever route.
    """
    return name.startswith("__") or (
        issubclass(class_, Enum) and name.startswith("_") and name.endswith("_")
    )


def _of_function(name: str, function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    held = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    held += [cell.cell_contents for cell in function.__closure__ or ()]
    if not all(map(is_atom, held)):
        yield f"module {name}", held


def _content(item: Any) -> Any:
    """What an object holds, one step down; None where it holds nothing that can change."""
    if isinstance(item, np.ndarray):
        return item.copy() if item.flags.writeable else None
    if isinstance(item, list | dict | set):
        return item.copy()
    if isinstance(item, np.random.Generator):
        return item.bit_generator.state
    if is_atom(item) or isinstance(item, tuple | frozenset):
        return None
    return attributes_of(item)


def _put_back(item: Any, content: Any) -> None:
    if isinstance(item, np.ndarray):
        item[...] = content
    elif isinstance(item, list):
        item[:] = content
    elif isinstance(item, dict | set):
        item.clear()
        item.update(content)
    elif isinstance(item, np.random.Generator):
        item.bit_generator.state = content
    else:
        _put_back_attributes(item, content)


def _put_back_attributes(item: Any, content: dict[str, Any]) -> None:
    now = attributes_of(item)
    if list(now) == list(content) and all(now[name] is content[name] for name in now):
        return
    for name in now:
        object.__delattr__(item, name)
    for name, value in content.items():
        object.__setattr__(item, name, value)


def _put_back_class(class_: type, attributes: dict[str, Any]) -> None:
    now = dict(vars(class_))
    for name in now.keys() - attributes.keys():
        delattr(class_, name)
    for name, value in attributes.items():
        if now.get(name, _MISSING) is not value:
            setattr(class_, name, value)
