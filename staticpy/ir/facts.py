"""What a compilation assumes of the sizes of its arguments.

Every size of an argument starts as a symbol of its own, with the size of the call at hand as a
hint. Where the program needs two sizes to fit, the hint says how they do: they are equal, or one of
them is 1. That becomes a fact: the symbol is replaced, in every type, so that in the end the types
of the arguments *are* the facts (``x: f64[n], y: f64[n]`` says that the two sizes are equal), and
the call checks them. Where no hint speaks (``staticpy check``, sizes that depend on data), nothing
is assumed and NumPy's own run-time check remains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from staticpy.ir.core import Module, walk
from staticpy.ir.types import UNKNOWN, Dim, TensorType, Type, map_tensors


class ShapeFacts:
    """The symbols that were found equal to another symbol or to a number."""

    def __init__(self, hints: Mapping[str, int]) -> None:
        self._hints = hints
        self._known: dict[str, Dim] = {}
        self._misfit: set[Dim] = set()
        """Sizes of operands that don't broadcast: the call raises there, and what was concluded
        from their types would not hold if they were replaced."""

    def resolve(self, dim: Dim) -> Dim:
        """``dim`` as the facts have it so far."""
        while isinstance(dim, str) and dim in self._known:
            dim = self._known[dim]
        return dim

    def size(self, dim: Dim) -> int | None:
        """The size at the call at hand; None where that is not known."""
        return self._hint(self.resolve(dim))

    def resolve_type(self, type_: Type) -> Type:
        """``type_`` as the facts have it so far."""
        return map_tensors(self._resolve_tensor, type_) if self._known else type_

    def resolve_types(self, types: Sequence[Type]) -> Sequence[Type]:
        """``types`` as the facts have them so far."""
        return [self.resolve_type(type_) for type_ in types] if self._known else types

    def _resolve_tensor(self, type_: TensorType) -> TensorType:
        return TensorType(type_.dtype, tuple(map(self.resolve, type_.dims)))

    def resolve_attr(self, attr: Any) -> Any:
        """An attribute as the facts have it: a type, or a tuple that may hold types."""
        if isinstance(attr, tuple):
            return tuple(map(self.resolve_attr, attr))
        return self.resolve_type(attr) if isinstance(attr, Type) else attr

    def assume_equal(self, left: Dim, right: Dim) -> None:
        """Record that two sizes are equal, where the hints say so."""
        left, right = self.resolve(left), self.resolve(right)
        if UNKNOWN in (left, right) or left == right:
            return
        if self._hint(left) is None or self._hint(left) != self._hint(right):
            return
        symbols = [dim for dim in (left, right) if isinstance(dim, str)]
        if symbols and not self._misfit.intersection(symbols):
            replaced = max(symbols, key=list(self._hints).index)  # the first symbol names the size
            self._known[replaced] = right if replaced is left else left

    def assume_broadcast(self, left: Dim, right: Dim) -> None:
        """Record how two sizes broadcast (equal, or one of them 1), where the hints say so."""
        left, right = self.resolve(left), self.resolve(right)
        self.assume_equal(left, right)
        if UNKNOWN in (left, right) or self._hint(left) == self._hint(right):
            return
        ones = [dim for dim in (left, right) if self._hint(dim) == 1]
        if not ones and None not in (self._hint(left), self._hint(right)):
            self._misfit |= {left, right}
        for dim in ones:
            if isinstance(dim, str) and dim not in self._misfit:
                self._known[dim] = 1

    def _hint(self, dim: Dim) -> int | None:
        return dim if isinstance(dim, int) else self._hints.get(dim)

    def apply(self, module: Module) -> None:
        """Write the facts into every type of ``module``, and what the symbols stand for."""
        module.hints = self._hints
        if not self._known:
            return
        for function in module.functions.values():
            for argument in function.args:
                argument.type = self.resolve_type(argument.type)
            for operation in walk(function.block):
                for name, attr in operation.attrs.items():
                    operation.attrs[name] = self.resolve_attr(attr)
                for result in operation.results:
                    result.type = self.resolve_type(result.type)
                for region in operation.regions:
                    for argument in region.block.args:
                        argument.type = self.resolve_type(argument.type)
