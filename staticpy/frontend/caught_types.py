"""What Python refuses of operands of certain types, whatever they hold, where a handler catches it.

In: an operator, a call, an index or an attribute that can't be compiled, in the body of a ``try``
that catches what Python raises there: ``try: x[0] … except TypeError``. Out: where Python raises
for samples of the operands' types, so that it raises for all of them, what the program does there
as Python itself does it, and the end of the path. Anywhere else such a line is a mistake, and
refused.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.attributes import is_known_function
from staticpy.frontend.classes import is_instance
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_annotations import Annotations
from staticpy.frontend.operands import example, python_operator
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import ArrayMethod
from staticpy.ir import ScalarType, TensorType, Value

_REFUSALS = (
    catalog.UNSUPPORTED_OPERANDS,
    catalog.NO_UFUNC_LOOP,
    catalog.INVALID_ARRAY_CALL,
    catalog.BAD_CALL,
    catalog.NOT_AN_ARRAY,
    catalog.NOT_ITERABLE,
    catalog.UNSUPPORTED_ATTRIBUTE,
    catalog.UNSUPPORTED_SUBSCRIPT,
    catalog.UNSUPPORTED_STORE,
)
_OF_TYPES = (TypeError, AttributeError, IndexError, np.exceptions.AxisError)
"""The exceptions that types and numbers of axes decide on; others depend on what is computed."""
_KNOWN = (bool, int, float, complex, str, type(None), type(...), np.dtype)
_INDEXING = (operator.getitem, operator.setitem)
_ASKING = (len, iter)
"""Builtins that no op is of."""
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

    def attribute(self, base: Any, name: str, node: Any) -> Any:
        found = partial(super().attribute, base, name, node)

        def run() -> Any:
            made = found()
            if isinstance(made, ArrayMethod) and self._is_caught(AttributeError):
                sample = _sample(made.value)
                if sample is not ABSENT and not hasattr(sample, name):  # a number, not an array
                    self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=kind_of(base))
            return made

        return self._or_raise(run, getattr, (base, name), node)

    def get_item(self, base: Any, index: Any, node: Any) -> Any:
        run = partial(super().get_item, base, index, node)
        return self._or_raise(run, operator.getitem, (base, index), node)

    def set_item(self, base: Any, index: Any, value: Any, node: Any) -> None:
        run = partial(super().set_item, base, index, value, node)
        self._or_raise(run, operator.setitem, (base, index, value), node)

    def call_function(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        run = partial(super().call_function, function, args, kwargs, node)
        if not self.watches:
            return run()
        if isinstance(function, ArrayMethod):
            if not hasattr(_sample(function.value), function.name):
                return run()
            method = _method(function.name)
            return self._or_raise(run, method, (function.value, *args), node, kwargs)
        if not is_known_function(function) and function not in _ASKING:
            return run()
        return self._or_raise(run, function, tuple(args), node, kwargs)

    def _or_raise(
        self,
        run: Callable[[], Any],
        function: Any,
        operands: tuple[Any, ...],
        node: Any,
        kwargs: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        try:
            return run()
        except DiagnosticError as error:
            raised = self._certainly_raised(error, function, operands, kwargs)
            if raised is None:
                raise
        with self.at(node):
            named = self.static_object(function, function.__name__)
            values = [named, *map(self.to_object, (*operands, *kwargs.values()))]
            self.emit("object.construct", values, names=tuple(kwargs))
        return super().fails(raised, "unsupported operands", node)

    def _certainly_raised(
        self,
        error: DiagnosticError,
        function: Any,
        operands: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> str | None:
        """The exception that Python always raises in place of what was refused, if it is caught."""
        if error.spec not in _REFUSALS or not self.watches:
            return None
        raised = _raised(function, operands, kwargs)
        if raised is None or not issubclass(raised, _OF_TYPES) or not self._is_caught(raised):
            return None
        others = (*operands[1:], *kwargs.values())
        if issubclass(raised, np.exceptions.AxisError) and any(map(_has_run_time_number, others)):
            return None  # which axis it is decides
        return next(each.__name__ for each in raised.__mro__ if each.__module__ == "builtins")

    def _is_caught(self, raised: type[Exception]) -> bool:
        """Whether a handler around this catches an exception."""
        classes = [class_ for watch in self.watches for class_ in watch.classes]
        return any(isinstance(each, type) and issubclass(raised, each) for each in classes)


@cache
def _method(name: str) -> Callable[..., Any]:
    """What calls a method of whatever it is given: of a Tensor, too."""

    def call(value: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(value, name)(*args, **kwargs)

    call.__name__ = name
    return call


def _raised(
    function: Any, operands: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> type[Exception] | None:
    """The class of what a function raises for all operands of these types; None if that is not
    known.
    """
    samples = [_sample(operand) for operand in operands]
    named = {key: _sample(item) for key, item in kwargs.items()}
    every = [*samples, *named.values()]
    has_numpy = any(isinstance(sample, np.ndarray | np.generic) for sample in every)
    has_items = any(isinstance(sample, list | tuple | dict) for sample in every)
    may_become_array = has_numpy and has_items and function not in _INDEXING
    may_be_template = function is operator.mod and isinstance(samples[0], str)
    if may_become_array or may_be_template or any(sample is ABSENT for sample in every):
        return None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*samples, **named)
    except Exception as error:
        is_of_length = isinstance(error, IndexError) and isinstance(samples[0], list | tuple | str)
        return None if is_of_length else type(error)
    return None


def _has_run_time_number(operand: Any) -> bool:
    if type(operand) is tuple:
        return any(map(_has_run_time_number, operand))
    return isinstance(operand, Value) and not isinstance(operand.type, TensorType)


def _sample(operand: Any) -> Any:
    """Something that a function treats as it treats every value of the type of ``operand``."""
    type_ = operand.type if isinstance(operand, Value) else None
    if isinstance(type_, TensorType):
        return np.ones((1,) * type_.rank, type_.dtype)
    if type(operand) is tuple:
        items = tuple(map(_sample, operand))
        return ABSENT if any(item is ABSENT for item in items) else items
    if isinstance(operand, (*_KNOWN, type)):
        return operand
    return type_.dtype.type(1) if isinstance(type_, ScalarType) else example(operand)
