"""Methods of Python's classes and of arrays that are taken from the class: ``str.upper``.

Such a method is an object of Python's that is known while compiling. A call of it with a receiver
of just its class is the call of the receiver's method.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from staticpy.frontend.inputs import Variant
from staticpy.frontend.lower_call import Calls
from staticpy.ir import UnionType, Value

_CLASSES = (str, bytes, list, dict, tuple, int, float, complex, np.ndarray)


def is_unbound(value: Any) -> bool:
    """Whether ``value`` is a method taken from a class whose methods can be compiled."""
    return isinstance(value, types.MethodDescriptorType) and value.__objclass__ in _CLASSES


class UnboundMethods(Calls):
    """Calls methods through their class."""

    def attribute(self, base: Any, name: str, node: Any) -> Any:
        if isinstance(base, type) and base in _CLASSES:
            found = vars(base).get(name)
            if is_unbound(found):
                return found
        return super().attribute(base, name, node)

    def is_callable(self, function: Any) -> bool:
        return is_unbound(function) or super().is_callable(function)

    def call_function(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        if not is_unbound(function):
            return super().call_function(function, args, kwargs, node)
        if not args:
            return self.refuse_call(function, node)
        receiver, *rest = args
        if isinstance(receiver, Variant) or _is_union(receiver):
            run = lambda each: self.call_function(function, [each, *rest], kwargs, node)  # noqa: E731
            return self.dispatch(receiver, run, node)
        if self.class_of(receiver) is not function.__objclass__:  # CPython may raise a TypeError
            return self.refuse_call(function, node)
        method = self.attribute(receiver, function.__name__, node)
        return self.call_function(method, rest, kwargs, node)


def _is_union(value: Any) -> bool:
    return isinstance(value, Value) and isinstance(value.type, UnionType)
