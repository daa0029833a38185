"""The parameters of an optimiser, with their names and the groups that they are in.

In: a Cell, a list, a dict, or a list of groups. Out: the parameters in order, a name for each, and
the groups, which know theirs by their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.runtime import Tensor

_KEYS = ("params", "lr", "weight_decay")


@dataclass(eq=False)
class Group:
    """Some parameters of an optimiser, with settings of their own.

    Attributes:
        places: where these are among all parameters.
        lr: their learning rate, a number or a schedule; None for that of the optimiser.
        weight_decay: their weight decay; None for that of the optimiser.
    """

    places: tuple[int, ...]
    lr: Any = None
    weight_decay: float | None = None


def grouped(parameters: Any) -> tuple[list[str], list[Any], list[Group]]:
    """The names of parameters, the parameters, and the groups.

    Raises:
        TypeError: one is no array of real floats, or a group is no dict.
        ValueError: there are none, one is there twice, or a group has other keys than ``params``,
            ``lr`` and ``weight_decay``.
    """
    named: list[tuple[str, Any]] = []
    groups: list[Group] = []
    for given in _given(parameters):
        pairs = _pairs(given["params"])
        places = range(len(named), len(named) + len(pairs))
        groups.append(Group(tuple(places), given.get("lr"), given.get("weight_decay")))
        named += pairs
    _require_parameters(named)
    found = [each for _, each in named]
    names = [name or getattr(each, "name", "") for name, each in named]
    if "" in names or len(set(names)) < len(names):
        names = [str(place) for place in range(len(names))]
    return names, found, groups


def _given(parameters: Any) -> list[Mapping[str, Any]]:
    """The groups as dicts; one with all parameters, where none are given."""
    if not isinstance(parameters, list | tuple) or not any(
        isinstance(each, Mapping) for each in parameters
    ):
        return [{"params": parameters}]
    for each in parameters:
        if not isinstance(each, Mapping):
            raise TypeError(
                f"a group of parameters is a dict with 'params', and not a {type(each).__name__}: "
                "where there are groups, all parameters are in one"
            )
        unknown = [key for key in each if key not in _KEYS]
        if unknown or "params" not in each:
            raise ValueError(
                "a group of parameters is a dict with 'params', and perhaps 'lr' and "
                f"'weight_decay', and this one has {list(each)}: other settings are the optimiser's"
            )
    return list(parameters)


def _pairs(parameters: Any) -> list[tuple[str, Any]]:
    """The parameters of a group, with what they are called there."""
    if hasattr(parameters, "parameters_and_names"):
        pairs = parameters.parameters_and_names()
        return [(name, each) for name, each in pairs if each.requires_grad]
    if isinstance(parameters, Mapping):
        return list(parameters.items())
    if isinstance(parameters, Tensor | np.ndarray) or not isinstance(parameters, Iterable):
        raise TypeError("an optimiser takes several parameters: a Cell, or a list of Parameters")
    return [each if isinstance(each, tuple) else ("", each) for each in parameters]


def _require_parameters(named: list[tuple[str, Any]]) -> None:
    if not named:
        raise ValueError("there are no parameters that require grad")
    for name, each in named:
        array = array_of(each)
        if not isinstance(array, np.ndarray) or array.dtype.kind != "f":
            kind = getattr(array, "dtype", type(array).__name__)
            raise TypeError(
                f"parameter {name!r} is {kind}: an optimiser takes arrays of real floats"
            )
    if len({id(each) for _, each in named}) < len(named):
        raise ValueError("a parameter is there twice")


def array_of(item: Any) -> Any:
    """The array that a Tensor holds; in a graph a Tensor is that array already."""
    return getattr(item, "content", item)
