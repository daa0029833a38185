"""Exceptions of the user's own classes: made by compiled code, and known again where caught.

In: calls of exception classes with an ``__init__`` of their own, and what handlers do with what
they catch. Out: an exception is a real object from the start. Its ``__init__`` is compiled, so that
the types of its attributes are known (``instances``); a handler that catches such classes alone
asks at run time which of those that the program makes it has got, and goes on with an object of
that class: its attributes are of the types that were written, which the program checks when it
reads them, and its methods are compiled as those of any object.
"""

from __future__ import annotations

import types
from typing import Any

from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    class_lookup,
    class_of_object,
    is_default,
    object_type,
)
from staticpy.frontend.lower_raise import ATTRIBUTES, Raising, is_builtin_exception
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import ObjectRef, Partial
from staticpy.ir import (
    OBJECT,
    STR,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
)

_RESULTS = {"__str__": STR, "__repr__": STR}


class OwnExceptions(Raising):
    """Makes exceptions of the user's classes, and reads and writes their attributes."""

    caught_classes: dict[Value, tuple[type, ...]]
    """What was caught, or made, and by which classes."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.caught_classes = {}

    # --- making -----------------------------------------------------------------------------------

    def make_exception(
        self, class_: type, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Value:
        """An exception object: what ``__new__`` makes, and what ``__init__`` does with it."""
        made: Value
        if is_builtin_exception(class_):
            return super().make_exception(class_, args, kwargs, node)
        is_known = _is_plain(class_)
        self.compilation.instances.make_exception(class_, is_known=is_known)
        if not is_known or is_default(class_, "__init__"):
            made = super().make_exception(class_, args, kwargs, node)
        else:
            receiver = self.static_object(class_, class_.__name__)
            values = [receiver, receiver, *map(self.to_object, args)]
            made = self.emit("object.call", values, method="__new__", result=OBJECT)
            this = self.emit("object.cast", [made], type=object_type(class_))
            self._initialize(this, args, kwargs, node)
        self.caught_classes[made] = (class_,)
        return made

    def to_exception(self, value: Any) -> Any:
        """``value``, as a Value of which nothing is known if it is an exception."""
        if _exception_class(value) is not None:
            return self.emit("object.cast", [value], type=OBJECT)
        is_outside = isinstance(value, ObjectRef) and issubclass(value.class_, BaseException)
        return self.object_of(value) if is_outside else value

    # --- where it is caught -----------------------------------------------------------------------

    def caught_as(self, exception: Value, classes: tuple[type, ...]) -> None:
        """Note by which classes a handler has caught an exception."""
        if not any(map(is_builtin_exception, classes)):
            self.caught_classes[exception] = classes

    def _known(self, base: Any, name: str) -> Any:
        """What was caught, as an object of one of the classes that the program makes; ABSENT where
        nothing is known of it, or ``name`` is what every exception has.
        """
        if not isinstance(base, Value) or base not in self.caught_classes:
            return ABSENT
        instances, caught = self.compilation.instances, self.caught_classes[base]
        classes = instances.exceptions_of(caught)
        if not classes or hasattr(BaseException, name):
            return ABSENT
        known = [self.static_object(each, each.__name__) for each in classes]
        types_ = [object_type(each) for each in classes]
        type_: Type = types_[0] if len(types_) == 1 else UnionType(tuple(types_))
        names = tuple(tuple(instances.names_of(each)) for each in classes)
        return self.emit("exception.known", [base, *known], type=type_, names=names)

    def value_attribute(self, base: Any, name: str, node: Any) -> Any:
        known = self._known(base, name)
        if known is not ABSENT:
            return self.attribute(known, name, node)
        return super().value_attribute(base, name, node)

    def set_attribute(self, base: Any, name: str, value: Any, node: Any) -> None:
        known = self._known(base, name)
        super().set_attribute(base if known is ABSENT else known, name, value, node)

    # --- attributes -------------------------------------------------------------------------------

    def own_attribute(self, ref: Any, name: str, node: Any) -> Any:
        class_ = _exception_class(ref)
        if class_ is None:
            return super().own_attribute(ref, name, node)
        type_ = self.compilation.instances.type_of(class_, name)
        if type_ is None and class_lookup(class_, name)[0] is not ABSENT:
            return ABSENT
        if type_ is None or not _is_checked(type_):
            type_ = OBJECT
        return self.open(self.emit("exception.getattr", [ref], name=name, type=type_))

    def set_object_attribute(self, ref: Any, name: str, value: Any, node: Any) -> None:
        if _exception_class(ref) is not None and hasattr(BaseException, name):
            self.error(
                catalog.UNSUPPORTED_STORE, node, what=f"the attribute '{name}' of an exception"
            )
        super().set_object_attribute(ref, name, value, node)

    def class_member(
        self, raw: Any, base: type, name: str, receiver: Any, class_: type, node: Any
    ) -> Any:
        is_exception = _exception_class(receiver) is not None
        if not is_exception or not is_builtin_exception(base):
            return super().class_member(raw, base, name, receiver, class_, node)
        if not isinstance(raw, types.WrapperDescriptorType | types.MethodDescriptorType):
            return self.emit(
                "object.getattr", [receiver], name=name, type=ATTRIBUTES.get(name, OBJECT)
            )
        owner = self.static_object(base, base.__name__)

        def call(this: Value, *args: Any) -> Any:
            values = [owner, this, *map(self.to_object, args)]
            result = _RESULTS.get(name, OBJECT)
            found = self.emit("object.call", values, method=name, result=result)
            return None if name == "__init__" else found

        return Partial(call, (receiver,), ())


def _is_plain(class_: type) -> bool:
    """Whether Python makes objects of a class, and finds their attributes, as those of any
    exception.
    """
    hooks = ("__new__", "__getattribute__", "__setattr__", "__delattr__")
    return not hasattr(class_, "__del__") and all(is_default(class_, hook) for hook in hooks)


def _is_checked(type_: Type) -> bool:
    """Whether a value at run time tells that it is of a type."""
    if isinstance(type_, UnionType):
        return all(map(_is_checked, type_.members))
    if isinstance(type_, TupleType):
        return all(map(_is_checked, type_.items))
    return isinstance(type_, PythonType | ScalarType | TensorType)


def _exception_class(value: Any) -> Any:
    """The class of an exception in memory; None for anything else."""
    class_ = class_of_object(value.type) if isinstance(value, Value) else None
    return class_ if class_ is not None and issubclass(class_, BaseException) else None
