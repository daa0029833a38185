"""Classes of syntax nodes in both of their forms.

In: the names of classes. Out: the classes of ``ast`` and of ``gast``. Most functions that ``check``
is given are only read, never lowered: to make ``gast`` trees of them would take longer than all
that is asked of these. So validation and resolution read either form alike. Where the forms differ:

    parameter           ``arg`` in ``ast``; a ``Name`` in ``gast``
    ``except E as x``   ``name`` is a text in ``ast``; a ``Name`` in ``gast``
"""

from __future__ import annotations

import ast
from typing import Any

import gast


def forms(*names: str) -> tuple[Any, ...]:
    """The classes of these names, as ``isinstance`` takes them."""
    return tuple(getattr(module, name) for name in names for module in (gast, ast))


def as_gast(class_: type) -> Any:
    """The class that nodes of a class of either form have in ``gast``; None if there is none."""
    return gast.Name if class_ is ast.arg else getattr(gast, class_.__name__, None)


def parameter_nodes(function: Any) -> list[Any]:
    """The nodes of the parameters of a function, in the order of the text."""
    args = function.args
    found = [*args.posonlyargs, *args.args]
    if args.vararg is not None:
        found.append(args.vararg)
    found += args.kwonlyargs
    if args.kwarg is not None:
        found.append(args.kwarg)
    return found


def parameter_name(node: Any) -> str:
    """The name of a parameter."""
    name: str = node.arg if node.__class__ is ast.arg else node.id
    return name
