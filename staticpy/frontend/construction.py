"""Objects of the user's classes: how they are made.

A call of a class is lowered to what it does: a new object, and its ``__init__``, which is compiled
like any function. What ``dataclass`` and ``namedtuple`` generate has no source; it is known.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    class_lookup,
    instance_class,
    is_generated,
    is_plain_class,
    is_tensor_class,
    object_type,
    own_function,
    python_function,
)
from staticpy.frontend.inputs import Object, Path, is_plain_fields
from staticpy.frontend.lower_base import MeetsTensor
from staticpy.frontend.objects import Objects
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import ObjectRef, SuperProxy
from staticpy.ir import Value


class Construction(Objects):
    """Calls of classes."""

    def construct(self, class_: type, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``class_(*args, **kwargs)`` for a class of the user's."""
        if class_ is super:
            return self._super(args, node)
        if issubclass(class_, BaseException):
            return self.make_exception(class_, args, kwargs, node)
        if issubclass(class_, enum.Enum):
            return self.enum_member(class_, args, node)
        if issubclass(class_, tuple) and hasattr(class_, "_fields"):
            return self._named_tuple(class_, args, kwargs, node)
        if is_tensor_class(class_):
            return self._tensor(args, kwargs, node)
        is_plain_call = class_lookup(type(class_), "__call__")[0] is type.__call__
        if not is_plain_call or ops.is_out_of_reach(class_):
            self._refuse_class(class_, node)
        made = self._new(class_, args, kwargs, node)
        made_class = instance_class(made)
        if made_class is not None and issubclass(made_class, class_):
            self._initialize(made, args, kwargs, node)
        return made

    def _tensor(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``Tensor(data)``: a copy of the data, which is a Tensor to the program around. Nobody
        goes back to it from there, so that nothing else about it counts.
        """
        data = args[:1] or [value for name, value in kwargs.items() if name == "data"]
        if not data:
            self.fails("TypeError", "missing a required argument: 'data'", node)
        inputs = self.compilation.inputs
        if not inputs.expects_tensors:
            raise MeetsTensor
        made = self.call_function(np.array, data, {}, node)
        if not ops.is_inexact(made.type):
            message = f"a Tensor holds real or complex numbers, not {made.type.dtype}"
            self.fails("TypeError", message, node)
        return self.emit("tensor.new", [made])

    def _refuse_class(self, class_: type, node: Any) -> None:
        """Report a class of which no object can be made."""
        name = class_.__name__
        if issubclass(class_, np.generic):
            self.error(catalog.UNSUPPORTED_DTYPE, node, name=f"np.{name}()", dtype=name)
        if class_.__module__.partition(".")[0] == "numpy":
            spec, way_out = catalog.UNSUPPORTED_NUMPY_FUNCTION, ops.way_out(name)
            self.error(spec, node, name=f"np.{name}", way_out=way_out)
        self.error(catalog.UNSUPPORTED_CLASS, node, name=name)

    def _super(self, args: list[Any], node: Any) -> SuperProxy:
        """``super(class_, instance)``; without arguments, the call is known where it stands."""
        if len(args) != 2 or not isinstance(args[0], type):
            self.error(catalog.UNSUPPORTED_CALL, node, name="super")
        class_ = args[1] if isinstance(args[1], type) else self.class_of(args[1])
        if class_ is None or not issubclass(class_, args[0]):
            message = "super(type, obj): obj must be an instance or subtype of type"
            self.fails("TypeError", message, node)
        return SuperProxy(args[0], args[1])

    def _new(self, class_: type, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """What ``__new__`` returns."""
        raw, base = class_lookup(class_, "__new__")
        if raw is object.__new__:
            return self.new_object(class_, node)
        function = own_function(raw.__func__ if isinstance(raw, staticmethod) else raw)
        if function is None or is_generated(function):
            self._refuse_class(class_, node)
        self._guard_member(base, "__new__", raw)
        return self.call_function(self.user_function(function), [class_, *args], kwargs, node)  # type: ignore[arg-type]

    def new_object(self, class_: Any, node: Any) -> Any:
        """A fresh object without attributes: ``object.__new__(class_)``."""
        missing = sorted(getattr(class_, "__abstractmethods__", ()))
        if missing:
            self.fails("TypeError", abstract_message(class_), node)
        if not is_plain_class(class_):
            self._refuse_class(class_, node)
        instances = self.compilation.instances
        instances.made.add(class_)
        if class_ in instances.classes:
            made = self.emit("object.new", [self.static_object(class_, class_.__name__)])
            return self.emit("object.cast", [made], type=object_type(class_))
        return self.make(ObjectRef(self.builder.span, class_=class_), {})

    def _initialize(self, ref: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> None:
        class_: Any = instance_class(ref)
        init, base = class_lookup(class_, "__init__")
        if is_generated(init):
            self._init_dataclass(ref, base, args, kwargs, node)
        elif init is object.__init__:
            has_new = class_lookup(class_, "__new__")[0] is not object.__new__
            if (args or kwargs) and not has_new:
                self.fails("TypeError", f"{class_.__name__}() takes no arguments", node)
        elif python_function(init) is None:
            self._refuse_class(class_, node)
        else:
            self._guard_member(base, "__init__", init)
            self.call_function(self.user_function(init), [ref, *args], kwargs, node)

    def generated_method(self, raw: Any, base: type, name: str, node: Any) -> Any:
        """A method that has no source, as a function of the object and the arguments."""
        if raw is object.__new__:
            return lambda class_, *_, **__: self.new_object(class_, node)
        if raw is object.__setattr__:
            return lambda ref, key, value: self.store_attribute(ref, key, value)  # noqa: PLW0108
        if raw is object.__init__:
            return lambda ref: None
        if name == "__init__" and dataclasses.is_dataclass(base):
            return lambda ref, *args, **kwargs: self._init_dataclass(
                ref, base, list(args), kwargs, node
            )
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=base.__name__)

    def make_exception(
        self, class_: type, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Value:
        """An exception object, made by the class itself at run time."""
        values = [self.to_object(argument) for argument in [*args, *kwargs.values()]]
        if class_.__module__ == "builtins" and not kwargs:
            return self.emit("exception.make", values, name=class_.__name__)
        known = self.static_object(class_, class_.__name__)
        return self.emit("object.construct", [known, *values], names=tuple(kwargs))

    def enum_member(self, class_: Any, args: list[Any], node: Any) -> Any:
        raise AssertionError("defined by EnumMembers")

    def _named_tuple(self, class_: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        if not is_plain_fields(class_):
            self.error(catalog.UNSUPPORTED_CLASS, node, name=class_.__name__)
        fields = class_._fields
        empty = inspect.Parameter.empty
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=class_._field_defaults.get(name, empty),
            )
            for name in fields
        ]
        given = self.bind_arguments(inspect.Signature(parameters), args, kwargs, class_, node)
        root = Path(Object(class_, class_.__name__)).attr("_field_defaults")
        items = [
            given[name]
            if name in given
            else self.outside(root.item(name), class_._field_defaults[name], name)
            for name in fields
        ]
        return tuple.__new__(class_, items)

    def bind_arguments(
        self,
        signature: inspect.Signature,
        args: list[Any],
        kwargs: dict[str, Any],
        function: Any,
        node: Any,
    ) -> dict[str, Any]:
        """The arguments by parameter name; TypeError as CPython where they don't fit."""
        try:
            return signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            name = getattr(function, "__name__", "the function")
            return self.error(catalog.BAD_CALL, node, name=name, detail=str(error))  # type: ignore[no-any-return]

    def _init_dataclass(
        self, ref: Any, class_: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> None:
        """The ``__init__`` that ``dataclass`` generates for ``class_``, which ``ref`` has."""
        signature = inspect.signature(class_.__init__)
        parameters = list(signature.parameters.values())[1:]
        given = self.bind_arguments(
            signature.replace(parameters=parameters), args, kwargs, class_, node
        )
        is_frozen = is_generated(class_lookup(class_, "__setattr__")[0])
        passed_on: list[Any] = []
        for field in class_.__dataclass_fields__.values():
            kind = field._field_type.name  # noqa: SLF001 - as in object_functions
            value = given.get(field.name, ABSENT)
            if value is ABSENT and kind != "_FIELD_CLASSVAR" and has_default(class_, field):
                value = self._field_default(class_, field, node)
            if kind == "_FIELD_INITVAR":
                passed_on.append(value)
            elif kind == "_FIELD" and value is not ABSENT and is_frozen:
                self.store_attribute(ref, field.name, value)
            elif kind == "_FIELD" and value is not ABSENT:
                self.set_object_attribute(ref, field.name, value, node)
        self._post_init(ref, passed_on, node)

    def _post_init(self, ref: Any, args: list[Any], node: Any) -> None:
        post, base = class_lookup(instance_class(ref), "__post_init__")
        if python_function(post) is not None:
            self._guard_member(base, "__post_init__", post)
            self.call_function(self.user_function(post), [ref, *args], {}, node)

    def _field_default(self, class_: Any, field: Any, node: Any) -> Any:
        path = Path(Object(class_, class_.__name__)).attr("__dataclass_fields__").item(field.name)
        if field.default is not dataclasses.MISSING:
            return self.outside(path.attr("default"), field.default, field.name)
        factory = self.outside(path.attr("default_factory"), field.default_factory, field.name)
        return self.call_function(factory, [], {}, node)


def has_default(class_: Any, field: Any) -> bool:
    """Whether the generated ``__init__`` gives a field a value that is not an argument."""
    if field.default_factory is not dataclasses.MISSING:
        return True
    if field.default is dataclasses.MISSING:
        return False
    return bool(field.init) or class_.__dictoffset__ == 0


def abstract_message(class_: Any) -> str:
    """What CPython says where a class with abstract methods is called."""
    try:
        object.__new__(class_)
    except TypeError as error:
        return str(error)
    raise AssertionError("an abstract class was made")
