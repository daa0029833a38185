"""Operators on operands that Python refuses, whatever they hold, where a handler catches that.

In: an operator that can't be compiled, in the body of a ``try`` that catches TypeError. Out: where
Python raises for samples of the operands' types, so that it raises for all of them, the operator as
Python itself runs it, and the end of the path. Anywhere else such a line is a mistake, and refused.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import is_instance
from staticpy.frontend.lower_annotations import Annotations
from staticpy.frontend.operands import example, python_operator
from staticpy.frontend.state import ABSENT
from staticpy.ir import ScalarType, TensorType, Value

_REFUSALS = (catalog.UNSUPPORTED_OPERANDS, catalog.NO_UFUNC_LOOP)
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}


class CaughtTypes(Annotations):
    """Lets operators raise TypeError where that is caught."""

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        run = partial(super().binary, symbol, left, right, node)
        if self.is_augmented or (symbol == "%" and self.text(left) is not None):
            return run()  # 'update' says what it raises; what the text says decides
        return self._or_raise(run, python_operator(symbol), (left, right), node)

    def unary(self, symbol: str, operand: Any, node: Any) -> Any:
        run = partial(super().unary, symbol, operand, node)
        return self._or_raise(run, _UNARY[symbol], (operand,), node)

    def compare_values(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        run = partial(super().compare_values, symbol, left, right, node)
        if symbol in ("==", "!="):
            return run()
        return self._or_raise(run, python_operator(symbol), (left, right), node)

    def update(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        run = partial(super().update, symbol, current, operand, node)
        if is_instance(current) or is_instance(operand):
            return run()
        function = python_operator(symbol, is_augmented=True)
        outer, self.is_augmented = self.is_augmented, True
        try:
            return self._or_raise(run, function, (current, operand), node)
        finally:
            self.is_augmented = outer

    def _or_raise(
        self, run: Callable[[], Any], function: Any, operands: tuple[Any, ...], node: Any
    ) -> Any:
        try:
            return run()
        except DiagnosticError as error:
            is_certain = error.spec in _REFUSALS and self._is_caught()
            if not is_certain or not _always_raises(function, operands):
                raise
        with self.at(node):
            named = self.static_object(function, function.__name__)
            values = [named, *map(self.to_object, operands)]
            self.emit("object.construct", values, names=())
        return self.fails("TypeError", "unsupported operands", node)

    def _is_caught(self) -> bool:
        """Whether a handler around this catches TypeError."""
        classes = [class_ for watch in self.watches for class_ in watch.classes]
        return any(isinstance(each, type) and issubclass(TypeError, each) for each in classes)


def _always_raises(function: Any, operands: tuple[Any, ...]) -> bool:
    """Whether an operator raises TypeError for all operands of these types."""
    samples = [_sample(operand) for operand in operands]
    has_numpy = any(isinstance(sample, np.ndarray | np.generic) for sample in samples)
    has_items = any(isinstance(sample, list | tuple | dict) for sample in samples)
    if any(sample is ABSENT for sample in samples) or (has_numpy and has_items):
        return False
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*samples)
    except TypeError:
        return True
    except Exception:
        return False
    return False


def _sample(operand: Any) -> Any:
    """Something that an operator treats as it treats every value of the type of ``operand``."""
    type_ = operand.type if isinstance(operand, Value) else None
    if isinstance(type_, TensorType):
        return np.ones((1,) * type_.rank, type_.dtype)
    return type_.dtype.type(1) if isinstance(type_, ScalarType) else example(operand)
