"""What is wrong with a function whatever it is given, where annotations leave open what that is.

In: a function with arguments of which each may be one of several. Out: what is found for each of
them. A function that always raises for some arguments, as one that first asks how many axes there
are, is not meant for these; they have no say where it is not so for others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from staticpy.diagnostics import Diagnostic, Diagnostics, Label, catalog
from staticpy.frontend.analyze import analyze
from staticpy.frontend.declared import parameters_of_text
from staticpy.frontend.inputs import Declared
from staticpy.frontend.scope import Scope
from staticpy.ir import Module, TensorType
from staticpy.source import SourceUnit

_MOST = 64
"""How many combinations of arguments are tried; where there are more, each parameter by itself."""

_Place = tuple[str, tuple[Any, ...]]


def found_for_all(
    unit: SourceUnit,
    scope: Scope,
    arguments: Mapping[str, Any],
    alternatives: Mapping[str, tuple[Any, ...]],
    known: Iterable[Diagnostic],
) -> Iterator[Diagnostic]:
    """What is found for each of the arguments that a function may be given, and not yet known.

    Args:
        unit: the function.
        scope: where its free names come from.
        arguments: for each parameter a Declared type, or what stands for one that is unknown.
        alternatives: what may be given for some of the unknown ones.
        known: what was found already.
    """
    said = {_place(item) for item in known}
    is_small = prod(map(len, alternatives.values())) <= _MOST
    groups = [alternatives] if is_small else [{name: alternatives[name]} for name in alternatives]
    for group in groups:
        if prod(map(len, group.values())) > _MOST:
            continue
        for item in _common(unit, scope, arguments, group, frozenset(said)):
            said.add(_place(item))
            yield item


def _common(
    unit: SourceUnit,
    scope: Scope,
    arguments: Mapping[str, Any],
    alternatives: Mapping[str, tuple[Any, ...]],
    said: frozenset[_Place],
) -> list[Diagnostic]:
    """What is found for all combinations of some arguments; the first that counts is shown."""
    common: dict[_Place, Diagnostic] | None = None
    of_raising: dict[_Place, Diagnostic] | None = None
    for given in product(*alternatives.values()):
        chosen = dict(zip(alternatives, given, strict=True))
        found, raises = _found(unit, scope, {**arguments, **chosen})
        new = {place: item for place, item in found.items() if place not in said}
        if raises:
            of_raising = _both(of_raising, new, chosen, unit)
        else:
            common = _both(common, new, chosen, unit)
            if not common:
                return []
    shown = of_raising if common is None else common
    return list((shown or {}).values())


def _found(
    unit: SourceUnit, scope: Scope, arguments: Mapping[str, Any]
) -> tuple[dict[_Place, Diagnostic], bool]:
    """What is found for these arguments, and whether the function raises whenever it is called."""
    found = Diagnostics()
    analysis = analyze(unit, scope, arguments, found)
    raises = analysis is not None and _always_raises(analysis.module)
    return {_place(item): item for item in found}, raises


def _both(
    common: dict[_Place, Diagnostic] | None,
    found: dict[_Place, Diagnostic],
    chosen: Mapping[str, Any],
    unit: SourceUnit,
) -> dict[_Place, Diagnostic]:
    """What was found before and is found now."""
    if common is None:
        return {place: _shown_for(item, chosen, unit) for place, item in found.items()}
    if any(_is_number(each) for each in chosen.values()):
        spec = catalog.ARRAY_CONDITION  # which an array without axes is fit for
        return {key: item for key, item in common.items() if key in found or item.spec is spec}
    return {place: item for place, item in common.items() if place in found}


def _is_number(argument: Any) -> bool:
    type_ = argument.tree if isinstance(argument, Declared) else None
    return isinstance(type_, TensorType) and not type_.dims


def _shown_for(item: Diagnostic, chosen: Mapping[str, Any], unit: SourceUnit) -> Diagnostic:
    """A finding with the arguments for which its message is written."""
    labels = list(item.labels)
    for parameter in parameters_of_text(unit):
        argument = chosen.get(parameter.arg)
        span = unit.span(parameter)
        if not isinstance(argument, Declared) or not isinstance(argument.tree, TensorType):
            continue
        labels = [each for each in labels if each.span != span]
        text = f"'{parameter.arg}' is taken for {argument.tree}; "
        labels.append(Label(span, text + "it is the same for all that this admits"))
    return replace(item, labels=tuple(labels))


def _always_raises(module: Module) -> bool:
    """Whether a graph has no path that returns."""
    return any(each.name == "raise" for each in module.main.block.operations)


def _place(item: Diagnostic) -> _Place:
    return item.code, item.span.place
