"""Lowering of attributes and of objects from outside: ``np.tanh``, ``x.shape``, ``self.w``."""

from __future__ import annotations

import enum
import functools
import types
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import (
    is_enum_member,
    is_jit,
    is_no_grad,
    is_tensor_class,
    python_function,
    shown_name,
)
from staticpy.frontend.inputs import (
    Captured,
    Object,
    Path,
    Unknown,
    Variant,
    is_named_tuple,
    is_of_python,
    is_plain_fields,
    make_tuple,
)
from staticpy.frontend.lower_base import MeetsTensor, NeedsInPlace
from staticpy.frontend.lowered_as import transform_name
from staticpy.frontend.memory import Memory
from staticpy.frontend.outside_world import works_outside
from staticpy.frontend.scope import RuntimeScope
from staticpy.frontend.static_imports import ProjectModule
from staticpy.frontend.static_scope import StaticScope
from staticpy.frontend.values import (
    ArrayMethod,
    BoundFunction,
    ContainerMethod,
    DictRef,
    FlatIterator,
    ListRef,
    NoVerdict,
    ObjectRef,
    Partial,
    Ref,
    SetRef,
    SuperProxy,
    UfuncMethod,
    UnionMethod,
    UserFunction,
    is_liftable,
)
from staticpy.ir import (
    PYTHON_TYPES,
    PythonType,
    TensorType,
    Type,
    UnionType,
    Value,
    is_of_class,
)
from staticpy.source import SourceError, SourceUnit, from_function

_LEAVES = (*PYTHON_TYPES, str, bytes, type(None), type(...), np.ndarray, np.generic)
_METHODS = (ArrayMethod, BoundFunction, ContainerMethod)
_DEEP_MODULES = ("numpy", "math", "cmath", "staticpy", "operator", "itertools", "functools")


UFUNC_ATTRIBUTES = ("nin", "nout", "nargs", "identity", "__name__")
"""What is known of a ufunc while compiling; its other attributes are methods."""


def is_known_function(value: Any) -> bool:
    """Whether the ops say what a call of ``value`` means."""
    try:
        return value in ops.FUNCTIONS or value in ops.BUILTINS
    except (TypeError, ValueError):  # not hashable; a memoryview says so with a ValueError
        return False


_COMPILED_IN = (
    types.BuiltinFunctionType,
    types.ModuleType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    type,
    np.ufunc,
    np.dtype,
    range,
    slice,
    frozenset,
    enum.Enum,
)


def is_compiled_in(value: Any) -> bool:
    """Whether an object is part of the compiled code as it is: a class, a module, a member."""
    return isinstance(value, _COMPILED_IN) or type(value).__module__ == "typing"


def _is_tensor_type(type_: Type) -> bool:
    """Whether what plain Python has may be a Tensor where the graph has a value of this type."""
    return not isinstance(type_, PythonType) and ops.is_inexact(type_)


def _detached(x: Any) -> Any:
    """``t.detach()``, whose result is what Tensors that nobody goes back to are."""
    return ops.emit(ops.stop_gradient, x)


_OF_TENSORS = frozenset({"detach", "view", *ops.TENSOR_METHODS})


class Attributes(Memory):
    """Reads attributes, and gives objects from outside their compile-time form."""

    BUILTINS: ClassVar[dict[Any, str]] = {}
    """The builtins that need the lowerer, each with the name of the method that lowers it."""

    def outside(self, path: Path | None, value: Any, name: str, *, scalars: bool = False) -> Any:
        """The compile-time form of an object that a name or an attribute led to."""
        if isinstance(value, Unknown):
            raise NoVerdict(name, self.builder.span)
        if isinstance(value, SourceUnit):
            return UserFunction(value, self.frame.scope)
        if isinstance(value, UserFunction):  # in a program around a function of a file
            return value
        if path is not None and path in self.compilation.inputs.static:
            self.compilation.inputs.guard(path, "equals", value)
            path = None
        if path is None:
            return self._fixed(value)
        if is_tensor_class(type(value)):
            return self._outside_tensor(path, value, name)
        if isinstance(value, _LEAVES):
            if type(value) not in _LEAVES and not isinstance(value, np.generic | np.ndarray):
                return self._outside_object(path, value, name)
            captured = self.compilation.inputs.capture(path, value, scalars=scalars)
            return self.graph.value_of(captured) if isinstance(captured, Captured) else captured
        if isinstance(value, tuple):
            return self._outside_tuple(path, value, name, scalars=scalars)
        return self._outside_object(path, value, name)

    def _outside_tensor(self, path: Path, value: Any, name: str) -> Any:
        """A Tensor: the number or array that it holds, which is read at each call."""
        inputs = self.compilation.inputs
        if not inputs.expects_tensors:
            raise MeetsTensor
        known = inputs.places.setdefault(id(value), path)
        if known != path:
            inputs.guard(path, "same", known)
            path = known
        array = path.attr(type(value).__staticpy_array__)
        inputs.capture_tensor(path, array, type(value))
        return self.outside(array, value.content, name, scalars=True)

    def handed_out(self, item: Any) -> Value:
        """A number or array as the program around sees it: a Tensor, if it depends on one."""
        value: Value = ops.as_value(item)
        inputs = self.compilation.inputs
        if not (inputs.expects_tensors and self._is_tensor(value)):
            return value
        itself: Value | None = value
        while itself is not None and itself.defining_op is not None:
            made = itself.defining_op
            itself = made.operands[0] if made.op in ops.IN_PLACE.values() else None
        path = next((each for each, known in self.graph.captures.items() if known is itself), None)
        if path in inputs.tensors:
            return self.outside_object(inputs.tensors[path], "")
        return self.emit("tensor.make", [value], flows=True, shown=False)

    def shown(self, value: Value) -> Value:
        """A value as the program around sees it shown."""
        if not self.compilation.inputs.expects_tensors:
            return value
        if not any(map(_is_tensor_type, ops.parts_of_type(value.type))):
            return value
        return self.emit("tensor.make", [value], flows=True, shown=True)

    def _may_be_tensor(self, value: Value) -> bool:
        """Whether plain Python may have a Tensor here: floats that are computed of one.

        Raises:
            NeedsInPlace: it depends on what this graph function is called with.
        """
        inputs = self.compilation.inputs
        arguments = {value: path for path, value in self.graph.captures.items()}
        pending, seen = [value] if inputs.expects_tensors else [], {value}
        while pending:
            each = pending.pop()
            made = each.defining_op
            if not self._is_tensor(each):
                continue
            if each in arguments:
                if arguments[each] in inputs.tensors:
                    return True
            elif made is None or made.regions:
                is_given = made is None and each in self.graph.function.block.args
                if is_given and self.graph.chain is not None:
                    raise NeedsInPlace
                return True  # what goes round in a loop, or comes out of a branch
            else:
                pending += [operand for operand in made.operands if operand not in seen]
                seen.update(made.operands)
        return False

    def _is_tensor(self, value: Value) -> bool:
        return _is_tensor_type(value.type)

    def captured(self, tree: Any) -> Any:
        """A captured structure, with this function's Values in it."""
        if isinstance(tree, tuple):
            return make_tuple(tree, [self.captured(item) for item in tree])
        if isinstance(tree, dict):
            return self.new_dict({key: self.captured(item) for key, item in tree.items()})
        return self.graph.value_of(tree) if isinstance(tree, Captured) else tree

    def _fixed(self, value: Any) -> Any:
        """An object that no guard needs to watch, such as ``np.pi``."""
        if isinstance(value, np.generic):
            return ops.emit(ops.constant, value=value)
        if type(value) is list:
            return self.new_list([self._fixed(item) for item in value])
        if type(value) is dict:
            return self.new_dict({key: self._fixed(item) for key, item in value.items()})
        if is_known_function(value) or self._is_builtin(value):
            return value
        function = python_function(value)
        return self.user_function(function) if function else value

    def _outside_tuple(self, path: Path, value: Any, name: str, *, scalars: bool) -> Any:
        inputs = self.compilation.inputs
        if type(value) is tuple:
            inputs.guard(path, "tuple", len(value))
        elif is_named_tuple(value) and is_plain_fields(type(value)):
            inputs.guard(path, "type", type(value))
        elif is_of_python(value):
            inputs.remember(path, value)
            return value
        else:
            described = type(value).__name__
            raise DiagnosticError(catalog.UNSUPPORTED_ARGUMENT_TYPE, name=str(path), type=described)
        items = [
            self.outside(path.item(i), item, f"{name}[{i}]", scalars=scalars)
            for i, item in enumerate(value)
        ]
        made: Any = tuple.__new__(type(value), items)
        inputs.remember(path, made)
        return made

    def _outside_object(self, path: Path, value: Any, name: str) -> Any:
        """A container, a function, a class or an instance from outside."""
        if is_known_function(value) or self._is_builtin(value):
            return self.compilation.inputs.capture(path, value)
        if isinstance(value, types.MethodType):
            self.compilation.inputs.guard(path, "is", value)
            function = python_function(value.__func__)
            receiver = self.outside(path.attr("__self__"), value.__self__, name)
            return BoundFunction(self.user_function(function), receiver) if function else value
        function = python_function(value)
        if function is not None:
            self.compilation.inputs.guard(path, "is", value)
            return self.user_function(function)
        if isinstance(value, functools.partial):
            return self._outside_partial(path, value, name)
        if is_compiled_in(value):
            return self.compilation.inputs.capture(path, value)
        return self._outside_ref(path, value, name)

    def _is_builtin(self, value: Any) -> bool:
        """Whether the lowerer itself says what a call of a Python function means."""
        if is_jit(value) or is_no_grad(value) or transform_name(value) is not None:
            return True
        return isinstance(value, types.FunctionType) and value in self.BUILTINS

    def _outside_partial(self, path: Path, value: Any, name: str) -> Partial:
        self.compilation.inputs.guard(path, "is", value)
        function = self.outside(path.attr("func"), value.func, name)
        args = [self.outside(path.attr("args").item(i), v, name) for i, v in enumerate(value.args)]
        keywords = path.attr("keywords")
        named = [(k, self.outside(keywords.item(k), v, k)) for k, v in value.keywords.items()]
        return Partial(function, tuple(args), tuple(named))

    def _outside_ref(self, path: Path, value: Any, name: str) -> Ref:
        """The Ref of something mutable: one for each object, by whichever path it is reached."""
        known = self.compilation.outside.get(id(value))
        inputs = self.compilation.inputs
        if known is not None:
            if known.path != path:
                inputs.guard(path, "same", known.path)
            return self.graph.stand_ins.get(known, known)  # type: ignore[no-any-return]
        kinds: dict[Any, Any] = {list: ListRef, dict: DictRef, set: SetRef}
        kind = kinds.get(type(value))
        if kind is None:
            if isinstance(value, tuple | list | dict | set | str | int | float | complex):
                described = type(value).__name__
                raise DiagnosticError(
                    catalog.UNSUPPORTED_ARGUMENT_TYPE, name=str(path), type=described
                )
            inputs.guard(path, "type", type(value))
            made: Ref = ObjectRef(None, path, value, 0, name, class_=type(value))
        else:
            inputs.guard(path, "type", type(value))
            made = kind(None, path, value, 0, name)
            if kind is ListRef:
                inputs.capture_list(path, value)
        self.compilation.outside[id(value)] = made
        return made

    def user_function(self, function: types.FunctionType) -> UserFunction:
        """A live Python function, or what stands for it in a graph: its source, and the scope of
        its free names.
        """
        function = getattr(function, "__staticpy_graph__", function)
        known = self.compilation.functions.get(function)
        if known is None:
            known = UserFunction(self.source_of(function), RuntimeScope(function), function)
            self.compilation.functions[function] = known
            code = Path(Object(function, function.__name__)).attr("__code__")
            self.compilation.inputs.guard(code, "is", function.__code__)
        return known

    def source_of(self, function: types.FunctionType) -> SourceUnit:
        try:
            return from_function(function)
        except SourceError as error:
            if works_outside(function):
                name = function.__name__
                raise DiagnosticError(catalog.UNSUPPORTED_CALL, None, (), name=name) from None
            # The caller's line, not the callee's: the callee may have none.
            raise DiagnosticError(getattr(catalog, error.kind), None, (), **error.fields) from None

    def live_default(self, function: types.FunctionType, name: str) -> Any:
        """The default value of a parameter as it is now, reached through the function object."""
        root = Path(Object(function, function.__name__))
        keyword = function.__kwdefaults__ or {}
        if name in keyword:
            return self.outside(root.attr("__kwdefaults__").item(name), keyword[name], name)
        code, defaults = function.__code__, function.__defaults__ or ()
        index = code.co_varnames.index(name) - (code.co_argcount - len(defaults))
        return self.outside(root.attr("__defaults__").item(index), defaults[index], name)

    # --- attributes -------------------------------------------------------------------------------

    def expr_Attribute(self, node: Any) -> Any:
        base = self.expression(node.value)
        return self.attribute(base, node.attr, node)

    def expression(self, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def attribute(self, base: Any, name: str, node: Any) -> Any:
        """``base.name``."""
        if isinstance(base, Variant):
            return self.dispatch(base, lambda each: self.attribute(each, name, node), node)
        if name == "__class__":
            return self.call_type(node, base)
        if is_enum_member(base):
            return self.enum_attribute(base, name, node)
        if is_liftable(base):
            return self.value_attribute(base, name, node)
        if isinstance(base, ObjectRef) and base.class_ in ops.GENERATORS:
            return self._generator_method(base, name, node)
        if isinstance(base, ObjectRef):
            return self.object_attribute(base, name, node)
        if isinstance(base, types.ModuleType):
            return self.module_attribute(base, name, node)
        if isinstance(base, SuperProxy):
            return self.super_attribute(base, name, node)
        if isinstance(base, type) and not (is_known_function(base) and hasattr(np, base.__name__)):
            return self.class_attribute(base, name, node)
        if isinstance(base, ListRef | DictRef | SetRef | tuple | str | bytes | range):
            return self.container_attribute(base, name, node)
        if isinstance(base, np.ufunc) and name not in UFUNC_ATTRIBUTES:
            return UfuncMethod(base, name)
        return self.static_attribute(base, name, node)

    def value_attribute(self, base: Any, name: str, node: Any) -> Any:
        if not isinstance(base, Value) and name in ops.NUMBER_ATTRIBUTES:
            return ops.ATTRIBUTES[name](base)
        if not isinstance(base, Value) and name in ops.NUMBER_METHODS:
            return ArrayMethod(name, ops.METHODS[name], base)
        value = self.lift(base)
        if is_of_class(value.type):
            return self.object_attribute(value, name, node)
        if isinstance(value.type, UnionType):
            return self._union_attribute(value, name, node)
        if name == "flat" and isinstance(value.type, TensorType):
            return FlatIterator(value)
        if name in ops.ATTRIBUTES:
            return ops.ATTRIBUTES[name](value)
        if name in _OF_TENSORS and self._may_be_tensor(value):
            return self._tensor_method(value, name)
        if name in ops.METHODS:
            return ArrayMethod(name, ops.METHODS[name], value)
        class_ = self.class_of(value)
        if class_ is not None and not hasattr(class_, name) and not self._may_be_tensor(value):
            message = f"'{shown_name(class_)}' object has no attribute '{name}'"
            return self.fails("AttributeError", message, node)
        ops.refuse_memory(name, value)
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=str(value.type))

    def _tensor_method(self, value: Value, name: str) -> Any:
        """A method that a Tensor has, and an array has not."""
        if name in ops.TENSOR_METHODS:
            return BoundFunction(self.user_function(ops.TENSOR_METHODS[name]), value)  # type: ignore[arg-type]
        return ArrayMethod(name, _detached if name == "detach" else ops.tensor_view, value)

    def _union_attribute(self, value: Value, name: str, node: Any) -> Any:
        """An attribute of a value of one of several types. A method is found once more, by the
        type that the value then has, where it is called.
        """
        are_methods: set[bool] = set()

        def run(each: Any) -> Any:
            found = self.attribute(each, name, node)
            are_methods.add(isinstance(found, _METHODS))
            return True if isinstance(found, _METHODS) else found

        found = self.dispatch(value, run, node)
        if name == "ndim" and isinstance(found, Value):
            self.compilation.measures[found] = value, name
        if are_methods == {True, False}:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"whether '{name}' is a method")
        return UnionMethod(value, name) if True in are_methods else found

    def _generator_method(self, base: ObjectRef, name: str, node: Any) -> ArrayMethod:
        """A method of a generator of random numbers."""
        adapter = ops.GENERATOR_METHODS.get((base.class_, name))
        if adapter is None:
            shown = base.class_.__name__
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=shown)  # type: ignore[no-any-return]
        return ArrayMethod(name, adapter, self.materialize(base))

    def module_attribute(self, module: types.ModuleType, name: str, node: Any) -> Any:
        if isinstance(module, ProjectModule):
            return self._project_attribute(module, name, node)
        root = module.__name__.partition(".")[0]
        if not hasattr(module, name):
            spec = catalog.UNSUPPORTED_NUMPY_FUNCTION if root == "numpy" else catalog.UNDEFINED_NAME
            full_name = f"{module.__name__}.{name}"
            self.error(spec, node, name=full_name, way_out=ops.way_out(name))
        value = getattr(module, name)
        if root in _DEEP_MODULES:
            return self.outside(None, value, name)
        return self.outside(Path(Object(module, module.__name__)).attr(name), value, name)

    def _project_attribute(self, module: ProjectModule, name: str, node: Any) -> Any:
        """An attribute of a module of which only the text is known."""
        full_name = f"{module.__name__}.{name}"
        try:
            scope = self.frame.scope
            asking = scope.module.imports if isinstance(scope, StaticScope) else None
            found = module.attribute(name, asking)
        except KeyError:
            return self.error(catalog.UNDEFINED_NAME, node, name=full_name)
        return self.outside(None, found, full_name)

    # --- what the parts of the lowerer ask of each other ------------------------------------------

    def call_function(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        raise AssertionError("defined by Calls")

    def static_attribute(self, base: Any, name: str, node: Any) -> Any:
        raise AssertionError("defined by StaticAttributes")

    def enum_attribute(self, member: Any, name: str, node: Any) -> Any:
        raise AssertionError("defined by StaticAttributes")

    def container_attribute(self, base: Any, name: str, node: Any) -> Any:
        raise AssertionError("defined by StaticAttributes")

    def class_attribute(self, class_: type, name: str, node: Any) -> Any:
        raise AssertionError("defined by StaticAttributes")

    def object_attribute(self, ref: Any, name: str, node: Any) -> Any:
        raise AssertionError("defined by Objects")

    def call_type(self, node: Any, value: Any) -> Any:
        raise AssertionError("defined by Inspection")

    def super_attribute(self, proxy: SuperProxy, name: str, node: Any) -> Any:
        raise AssertionError("defined by Objects")

    def class_of(self, value: Any) -> type | None:
        raise AssertionError("defined by Inspection")

    def fails(self, exception: str, message: Any, node: Any) -> Any:
        raise AssertionError("defined by Branches")

    def dispatch(self, value: Any, run: Any, node: Any) -> Any:
        raise AssertionError("defined by Branches")
