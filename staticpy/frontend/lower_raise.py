"""Lowering of ``raise`` and ``assert``, and what is known of exceptions."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import gast

from staticpy.frontend.guarded import Guards
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.lower_base import Frame, NeedsInPlace
from staticpy.frontend.paths import nothing
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import PathEnds, is_scalar
from staticpy.ir import BOOL, INT, NONE, OBJECT, PYTHON_TYPES, STR, Type, UnionType, Value
from staticpy.ops import REGISTRY

_CAUSE = UnionType((NONE, OBJECT))
ATTRIBUTES: dict[str, Type] = {
    "__name__": STR,
    "__qualname__": STR,
    "__module__": STR,
    "__cause__": _CAUSE,
    "__context__": _CAUSE,
    "__suppress_context__": BOOL,
}
"""The attributes of objects and classes whose type is known whatever the object is."""


def is_builtin_exception(class_: Any) -> bool:
    """Whether ``class_`` is one of Python's own exceptions."""
    is_class = isinstance(class_, type) and issubclass(class_, BaseException)
    return is_class and getattr(builtins, class_.__name__, None) is class_


class Raising(Guards):
    """Lowers what raises."""

    # --- exceptions as values ---------------------------------------------------------------------

    def value_attribute(self, base: Any, name: str, node: Any) -> Any:
        """An attribute of an object that is known at run time only, such as an exception."""
        if not (isinstance(base, Value) and base.type == OBJECT):
            return super().value_attribute(base, name, node)
        type_ = ATTRIBUTES.get(name, OBJECT)
        return self.emit("object.getattr", [base], name=name, type=type_)

    def get_item(self, base: Any, index: Any, node: Any) -> Any:
        if not (isinstance(base, Value) and base.type == OBJECT):
            return super().get_item(base, index, node)
        args = [base, self.to_value(index)]
        return self.emit("object.call", args, method="__getitem__", result=OBJECT)

    def length(self, container: Any, node: Any) -> Any:
        if isinstance(container, Value) and container.type == OBJECT:
            return self.emit("object.call", [container], method="__len__", result=INT)
        return super().length(container, node)

    def call_type(self, node: Any, value: Any) -> Any:
        if isinstance(value, Value) and value.type == OBJECT:
            return self.emit("object.getattr", [value], name="__class__", type=OBJECT)
        return super().call_type(node, value)

    def _number(self, class_: Any, value: Any, given: dict[str, Any], node: Any) -> Any:
        """``int(x)`` and its kin, of an object that nothing of the program's makes a number."""
        is_object = isinstance(value, Value) and value.type == OBJECT
        made = self.compilation.instances.made if is_object else ()
        if not is_object or given or any(_is_number_to_itself(each) for each in made):
            return super()._number(class_, value, given, node)
        operands = [self.static_object(class_, class_.__name__), value]
        result = PYTHON_TYPES[class_]
        return self.emit("object.call", operands, method="__call__", result=result)

    def _ask(self, function: Any, value: Any, classes: Any) -> Value:
        """``isinstance`` or ``issubclass``, of classes that are known at run time only."""
        operands = [self.static_object(function, function.__name__)]
        operands += [self.to_object(value), self.to_object(classes)]
        return self.emit("object.call", operands, method="__call__", result=BOOL)

    def call_isinstance(self, node: Any, value: Any, classes: Any) -> Any:
        if _is_run_time(classes):
            return self._ask(isinstance, value, classes)
        if isinstance(value, Value) and value.type == OBJECT:
            return self.is_instance(value, self._classes(classes, node))
        return super().call_isinstance(node, value, classes)

    def call_issubclass(self, node: Any, class_: Any, classes: Any) -> Any:
        if _is_run_time(classes):
            return self._ask(issubclass, class_, classes)
        if not isinstance(class_, Value):
            return super().call_issubclass(node, class_, classes)
        found: Any = False
        for each in self._classes(classes, node):
            receiver = self.static_object(each, each.__name__)
            args = {"method": "__subclasscheck__", "result": BOOL}
            found = self.either(found, self.emit("object.call", [receiver, class_], **args))
        return found

    def identical(self, left: Any, right: Any, node: Any) -> Any:
        """An object that exists at run time is another one, or None, or not."""
        live = [isinstance(side, Value) and side.type == OBJECT for side in (left, right)]
        if not any(live):
            return super().identical(left, right, node)
        other = right if live[0] else left
        if is_scalar(other) or isinstance(other, str):
            self.refuse_operands("is", left, right, node)
        return self.emit("object.is", [self.to_object(left), self.to_object(right)])

    def is_instance(self, exception: Value, classes: tuple[Any, ...]) -> Value:
        """Whether an object is of one of some classes."""
        is_builtin = [getattr(builtins, each.__name__, None) is each for each in classes]
        names = tuple(c.__name__ for c, known in zip(classes, is_builtin, strict=True) if known)
        others = [
            self.static_object(each, each.__name__)
            for each, known in zip(classes, is_builtin, strict=True)
            if not known
        ]
        return self.emit("object.isinstance", [exception, *others], names=names)

    # --- raise ------------------------------------------------------------------------------------

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        if exception != "StopIteration" or not self._ends_generator():
            super().emit_raise(exception, args, *operands)
            return
        message = self.to_value("generator raised StopIteration")
        cause = [*map(self.to_value, args), *operands]
        made = [
            self.emit("exception.make", [message], name="RuntimeError"),
            self.emit("exception.make", cause, name="StopIteration"),
        ]
        self.builder.emit(REGISTRY["raise_value"], made, {"has_cause": True})

    def _ends_generator(self) -> bool:
        """Whether a StopIteration leaves a generator, as no handler in it catches that."""
        inside: list[Frame] = []
        for frame in self._frames_around():
            inside.append(frame)
            if frame.consumer is not None or frame.state is not None:
                return not self.is_caught_in(inside, StopIteration)
        return False

    def _frames_around(self) -> Iterator[Frame]:
        """The frame and those around it, the innermost first.

        A frame may stand among the frames around it: a generator's body calls its consumer.
        """
        frame, frames = self.frame, list(self.frames)
        while True:
            yield frame
            if frame in frames:
                del frames[frames.index(frame) :]
            if not frames:
                return
            frame = frames.pop()

    def stmt_Raise(self, node: Any) -> None:
        if node.exc is None:
            self._raise_again()
            return
        if node.cause is None and isinstance(node.exc, gast.Call) and not node.exc.keywords:
            class_ = self.expression(node.exc.func)
            if is_builtin_exception(class_):
                args = self.elements(node.exc.args)
                self.raise_builtin(class_.__name__, args)
                return
            if not self.is_callable(class_):
                self.refuse_call(class_, node.exc)
            exception = self.call_function(class_, self.elements(node.exc.args), {}, node.exc)
        else:
            exception = self.expression(node.exc)
            if node.cause is None and is_builtin_exception(exception):
                self.raise_builtin(exception.__name__, [])
                return
        self.raise_exception(exception, node)

    def raise_builtin(self, name: str, args: list[Any]) -> None:
        """Raise one of Python's own exceptions, and end the path."""
        plain = all(isinstance(arg, str | int | float | None) for arg in args)
        if plain and not any(isinstance(arg, Value) for arg in args):
            self.emit_raise(name, tuple(args))
        else:
            self.emit_raise(name, (), *(self.to_object(arg) for arg in args))
        self.end_path()

    def raise_exception(self, exception: Any, node: Any) -> None:
        """Raise an exception object or a class, and end the path."""
        value = self._exception_of(exception, node.exc)
        operands = [value]
        if node.cause is not None:
            cause = self.expression(node.cause)
            is_none = cause is None
            operands.append(self.to_value(None) if is_none else self._exception_of(cause, node))
        attrs = {"has_cause": len(operands) > 1}
        self.builder.emit(REGISTRY["raise_value"], operands, attrs)
        self.end_path()

    def _exception_of(self, exception: Any, node: Any) -> Value:
        if isinstance(exception, type) and issubclass(exception, BaseException):
            exception = self.make_exception(exception, [], {}, node)
        exception = self.to_exception(exception)
        if isinstance(exception, Value) and exception.type == OBJECT:
            return exception
        self.fails("TypeError", "exceptions must derive from BaseException", node)
        raise AssertionError("fails() raises")

    def to_exception(self, value: Any) -> Any:
        raise AssertionError("defined by OwnExceptions")

    def _raise_again(self) -> None:
        """Raise what is being handled: here, by a caller, or by who called the entry."""
        caught = self._handled()
        if caught is None and self.graph.chain is not None:
            raise NeedsInPlace
        self.builder.emit(REGISTRY["reraise"], [] if caught is None else [caught], {})
        self.end_path()

    def _handled(self) -> Value | None:
        """The exception that the innermost handler around has caught."""
        for frame in self._frames_around():
            if frame.env.serial <= self.graph.serial:
                return None
            caught = frame.env.get("%exception", ABSENT)
            if isinstance(caught, Value):
                return caught
        return None

    # --- assert -----------------------------------------------------------------------------------

    def stmt_Assert(self, node: Any) -> None:
        if not __debug__:  # `python -O` runs no assert
            return
        condition = self.condition(node.test)

        def fail() -> None:
            args = [] if node.msg is None else [self.expression(node.msg)]
            self.raise_builtin("AssertionError", args)

        if not isinstance(condition, Value):
            if not condition:
                fail()
            return
        live = self.frame.prepared.liveness.after(node)
        self.branch(condition, nothing, lambda: _ends(fail), live)


def _ends(fail: Any) -> None:
    fail()
    raise PathEnds


def _is_run_time(classes: Any) -> bool:
    """Whether some of the classes to compare with are objects of the running program."""
    leaves = tree_leaves(classes)
    return any(isinstance(leaf, Value) and leaf.type == OBJECT for leaf in leaves)


def _is_number_to_itself(class_: type) -> bool:
    """Whether a class says itself what number its objects are."""
    return any(hasattr(class_, name) for name in ("__int__", "__float__", "__index__"))
