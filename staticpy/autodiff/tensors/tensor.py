"""Tensor: an array that remembers what it was computed by.

In: NumPy's functions, operators, methods and indexing on Tensors. Out: Tensors, on a tape where
derivatives are to flow through them. ``backward`` goes back over what was recorded, in PyTorch's
way: the gradients are left in ``grad`` of the leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.tensors import gradients, writes
from staticpy.autodiff.tensors.conversions import plain_index
from staticpy.autodiff.tensors.flat import Flat
from staticpy.autodiff.tensors.hooks import Hook, HookHandle
from staticpy.autodiff.tensors.in_place import InPlace
from staticpy.autodiff.tensors.memory import Memory, owner_of
from staticpy.autodiff.tensors.numpy_errors import error_of_numpy
from staticpy.autodiff.tensors.tape import (
    OPEN_WATCHES,
    Source,
    Tape,
    enable_grad,
    is_grad_enabled,
    is_recording,
    no_grad,
    note,
    number_of_recording,
    operations_tape,
    recorded_tape,
    typed,
)
from staticpy.autodiff.tensors.users_line import (
    refused,
    said_at_users_line,
    users_line,
)
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Block, Value, type_of
from staticpy.ops import FUNCTIONS, TENSOR_METHODS, Traced, tensor_view, untrace


class Tensor(InPlace):
    """A real or complex number, or an array of them, that derivatives flow through.

    ``Tensor(data)`` holds a copy of what ``np.asarray(data)`` gives. It speaks NumPy's protocols,
    and has the operators, methods and attributes of the array. What is no real or complex number (a
    comparison, a shape, an index) comes out as NumPy's own. ndarrays go with Tensors; a copy of
    them is recorded, so that they may be written to later.

    Args:
        data: a number, an array or a list, real or complex.
        requires_grad: whether ``backward`` leaves the gradient by this Tensor in its ``grad``.

    Raises:
        TypeError: ``data`` is neither real nor complex.

    Attributes:
        grad: the sum of the gradients that ``backward`` has found: a Tensor, or None before.
        hooks: of a leaf, what its gradient goes through.
        content: the number or array itself, which is only to be read.
        memory: the array that this one is, or is a view of; None of a number.
        tape: what was recorded of it; None of a leaf.
        time: the number of the tape that was recorded when it was computed; 0 if there was none.
    """

    __slots__ = (
        "__weakref__",
        "_is_wanted_leaf",
        "content",
        "grad",
        "hooks",
        "memory",
        "tape",
        "time",
    )
    __staticpy_array__ = "content"  # by this the frontend knows Tensors, and takes the array

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        if isinstance(data, Tensor) and data.tape is not None and recorded_tape() is not None:
            made: Any = np.copy(data)  # which a function that is differentiated depends on
            made.tape.met_tensors = True
            self._set(made.tape, made.value, made.content, made.memory)
            return
        array = np.array(data.content if isinstance(data, Tensor) else data)
        if array.dtype.kind not in "fc":
            raise TypeError(
                f"a Tensor holds real or complex numbers, not {array.dtype}: "
                "Tensor(np.asarray(x, float)); ndarrays of others go with Tensors as they are"
            )
        self._set(None, Block().add_arg(typed(array)), array, Memory(array))
        self._is_wanted_leaf = requires_grad
        self.time = 0  # results that depend on what the program makes a Tensor are Tensors

    @classmethod
    def of(cls, tape: Tape | None, value: Value, content: Any, memory: Memory | None) -> Tensor:
        """A Tensor of what is there already; ``tape`` is where it was recorded."""
        made = cls.__new__(cls)
        made._set(tape, value, content, memory)  # noqa: SLF001 - of this class
        return made

    def _set(self, tape: Tape | None, value: Value, content: Any, memory: Memory | None) -> None:
        super().__init__(value)
        self.tape, self.content, self.memory = tape, content, memory
        self.grad: Tensor | None = None
        self.hooks: list[Hook] | None = None
        self._is_wanted_leaf = False
        self.time = number_of_recording()
        if memory is not None:
            memory.add(self)

    def take_over(self, other: Tensor) -> None:
        """Let this Tensor be what ``other`` is, a result of the same array."""
        assert other.content is self.content
        self.tape, self.value, self.memory = other.tape, other.value, other.memory
        self._is_wanted_leaf = False
        if self.memory is not None:
            self.memory.add(self)

    @contextmanager
    def standing_for(self, other: Tensor) -> Iterator[None]:
        """Be ``other`` inside of the ``with``: the same numbers, on another record."""
        names = ("tape", "value", "content", "memory", "_is_wanted_leaf")
        saved = [getattr(self, name) for name in names]
        for name in names:
            setattr(self, name, getattr(other, name))
        try:
            yield
        finally:
            for name, item in zip(names, saved, strict=True):
                setattr(self, name, item)

    # --- what it is -------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether derivatives flow through it: a leaf that was made so, or what was recorded."""
        return self._is_wanted_leaf or self.tape is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if self.tape is not None:
            raise RuntimeError("requires_grad is set of leaves alone: detach() gives one")
        self._is_wanted_leaf = wanted

    def requires_grad_(self, wanted: bool = True) -> Tensor:
        """Set ``requires_grad``; gives the Tensor itself."""
        self.requires_grad = wanted
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether it was given, and not computed from what requires grad."""
        return self.tape is None

    @property
    def data(self) -> Tensor:
        """The same memory without a record: ``w.data -= 0.1 * w.grad``."""
        return self.detach()

    @data.setter
    def data(self, values: Any) -> None:
        given = values.content if isinstance(values, Tensor) else values
        if np.shape(given) != np.shape(self.content):
            raise ValueError(f"data of shape {np.shape(self.content)}, not {np.shape(given)}")
        with no_grad():
            self[...] = values

    @property
    def flags(self) -> Any:
        """How the elements lie in memory, as NumPy says it."""
        return self.content.flags

    @property
    def flat(self) -> Flat:
        """The elements, one after the other."""
        return Flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        self.flat[:] = values

    def detach(self) -> Tensor:
        """A Tensor of the same memory that no derivative flows through; what is written to it is no
        part of the record of this one.
        """
        memory = self.memory
        return constant(self.content, None if memory is None else memory.detached())

    def view(self, *shape: Any, **options: Any) -> Any:
        """``reshape`` to the sizes that are given; otherwise NumPy's ``view``."""
        return self.apply(tensor_view, self, *shape, **options)

    # --- what is done with it ---------------------------------------------------------------------

    def apply(self, adapter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What an adapter gives, computed, and recorded if derivatives flow through it."""
        try:
            return _applied(operations_tape(), adapter, args, kwargs)
        except DiagnosticError as error:
            refusal = error
        raised = error_of_numpy(adapter, args, kwargs)
        if raised is not None:
            raise raised
        refusal.span = refusal.span or users_line()
        if is_recording():  # it becomes the error of the outermost function
            raise refusal
        with said_at_users_line:
            raise refusal

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if ufunc not in FUNCTIONS:
            if any(map(_decides_itself, inputs)):
                return NotImplemented
            raise refused(catalog.TENSOR_AS_PLAIN, by=f" by {ufunc.__name__}()")
        return super().__array_ufunc__(ufunc, method, *inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function not in FUNCTIONS:
            if not all(issubclass(each, Tensor | np.ndarray) for each in types):
                return NotImplemented
            name = f"np.{getattr(function, '__name__', function)}"
            raise refused(catalog.TENSOR_AS_PLAIN, by=f" by {name}()")
        return super().__array_function__(function, types, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(plain_index(index))

    def __setitem__(self, index: Any, item: Any) -> None:
        writes.store(self, index, item)

    def zero_(self) -> Tensor:
        """Write zeros to it; gives the Tensor itself."""
        self[...] = 0.0
        return self

    def __bool__(self) -> bool:
        return bool(self.content)

    def __len__(self) -> int:
        return len(self.content)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        return (self[place] for place in range(len(self)))

    def __reduce__(self) -> Any:
        if self.tape is not None:
            raise RuntimeError("only leaves can be copied and pickled: detach() gives one")
        return Tensor, (np.array(self.content), self._is_wanted_leaf)

    def __repr__(self) -> str:
        ending = ", requires_grad=True" if self.requires_grad else ""
        return f"Tensor({self.content!r}{ending})"

    def __hash__(self) -> int:  # type: ignore[override]
        """That of a number, which it is found by in a dict; of an array by identity, for tables of
        parameters.
        """
        is_array = isinstance(self.content, np.ndarray)
        return object.__hash__(self) if is_array else hash(self.content)

    # --- derivatives ------------------------------------------------------------------------------

    def register_hook(self, hook: Callable[[Any], Any]) -> HookHandle:
        """Call ``hook(gradient)`` each time the gradient by this Tensor is known; what it gives
        stands for the gradient, unless it is None. ``.remove()`` of the result takes it away.

        Raises:
            RuntimeError: this Tensor does not require grad; on the way back, the hook gives another
                shape.
        """
        if not self.requires_grad:
            raise RuntimeError("a hook is for a Tensor that requires grad, and this one does not")
        if self.tape is None:
            self.hooks = hooks = self.hooks or []
        else:
            hooks = self.tape.hooks.setdefault(self.value, [])
        hooks.append(partial(_through, hook))
        return HookHandle(hooks, hooks[-1])

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
    ) -> None:
        """Add the gradient by each leaf that requires grad to its ``grad``.

        Args:
            gradient: what flows in, of the shape of this Tensor; of one real number it is 1.
            retain_graph: keep the record for another ``backward``; otherwise it is freed.
            create_graph: let the gradients know how they were computed, so that they can be
                differentiated in turn.

        Raises:
            RuntimeError: nothing was recorded, or it was freed; no ``gradient`` is given of what is
                no real number, or one of another shape.
            CompileError: SPY701 (no derivative), SPY708 (a value was written to that the way back
                reads).
        """
        if is_recording():
            raise RuntimeError("backward() inside of a function that is differentiated: use grad")
        if not self.requires_grad:
            raise RuntimeError("this Tensor does not require grad, and nothing was recorded of it")
        seed = gradients.seed_of(self, gradient, create_graph)
        with said_at_users_line:
            leaves, found = gradients.by_leaves(self, seed, create_graph)
        if create_graph:
            note(found.tape)
        for leaf, value in zip(leaves, found.values, strict=True):
            if value is not None:
                _accumulate(leaf, handed_out(found.tape, value, create_graph))
        if not (create_graph if retain_graph is None else retain_graph):
            found.history.free()


def _through(hook: Callable[[Any], Any], tape: Tape, gradient: Value) -> Value:
    """What a hook of the program makes of a gradient on a tape."""
    with_history = tape.is_shared or tape.keeps_history
    own = ops.own_copy(gradient)
    tape.compute()
    given = handed_out(tape, own, with_history)
    with enable_grad() if with_history else no_grad():
        found = hook(given)
        if found is None:
            return gradient
        if np.shape(getattr(found, "content", found)) != np.shape(given.content):
            raise RuntimeError(
                f"a hook gives a gradient of the shape {np.shape(getattr(found, 'content', found))}"
                f" for one of {np.shape(given.content)}"
            )
        return place_on(tape, found) if isinstance(found, Tensor) else tape.given(found)


def _accumulate(leaf: Tensor, found: Tensor) -> None:
    """Add a gradient to that of a leaf: in place, unless it can be differentiated in turn."""
    known: Any = leaf.grad
    if known is None:
        leaf.grad = found
    elif found.requires_grad or known.memory is None:
        leaf.grad = known + found
    else:
        with no_grad():
            known += found


def handed_out(tape: Tape, value: Value, with_history: bool) -> Tensor:
    """A cotangent as a Tensor, with its history or without."""
    made: Tensor = held(tape, value)
    return made if with_history else made.detach()


def constant(content: Any, memory: Memory | None = None) -> Tensor:
    """A Tensor without a record."""
    if isinstance(content, np.ndarray) and memory is None:
        memory = Memory(owner_of(content))
    return Tensor.of(None, Block().add_arg(typed(content)), content, memory)


def _applied(tape: Tape, adapter: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    lifted = [_lifted(tape, item) for item in args]
    named = {name: _lifted(tape, item) for name, item in kwargs.items()}
    with tape.builder.current(), tape.builder.at(users_line()):
        made = adapter(*lifted, **named)
    tape.compute()
    if tape.sources:
        note(tape)
    return held(tape, made)


def held(tape: Tape, made: Any) -> Any:
    """What an adapter has made: a Tensor where it is differentiable, else the object itself."""
    if isinstance(made, Value):
        item = tape.values[made]
        type_ = type_of(item)
        if type_ is None or not is_differentiable(type_):
            return item
        if not (tape.sources or tape.is_shared):
            return constant(item, tape.memory_of(made))
        return Tensor.of(tape, made, item, tape.memory_of(made))
    if isinstance(made, tuple):
        items = (held(tape, item) for item in made)
        return tuple.__new__(type(made), items)  # also of the named kind
    if type(made) is list:
        return [held(tape, item) for item in made]
    return made


def place_on(tape: Tape, tensor: Tensor) -> Value:
    """A Tensor as a Value of a tape."""
    memory = tensor.memory
    if tensor.tape is tape:
        if memory is None or tape.version_of(tensor.value) == memory.version:
            return tensor.value
        return tape.renewed(tensor.value, tensor.content, memory, memory.version)
    needs_record = tape.keeps_history and is_grad_enabled() and is_needed(tensor)
    if needs_record and tensor.tape is not None and tensor.tape.is_open:
        raise RuntimeError(
            "a function is differentiated in the thread that it was called in: its Tensors are "
            "used in another one"
        )
    tape.met_tensors |= needs_record or tensor.time != tape.number
    value = tape.argument(tensor.content, memory)
    if needs_record:
        leaf = tensor if tensor.tape is None else None
        tape.sources[value] = Source(leaf, tensor.tape, tensor.value)
    return value


def is_needed(tensor: Tensor) -> bool:
    """Whether what is done with a Tensor is to be recorded."""
    if tensor.requires_grad:
        return True
    return any(id(tensor) in watch.watched for watch in OPEN_WATCHES.get())


def _lifted(tape: Tape, item: Any) -> Any:
    """An argument of an adapter: arrays as Values, what is known as it is."""
    if isinstance(item, Tensor):
        return place_on(tape, item)
    item = untrace(item) if isinstance(item, Traced) else item
    if isinstance(item, np.ndarray | np.generic):
        return tape.given(item)
    if type(item) in (tuple, list):
        return type(item)(_lifted(tape, each) for each in item)
    if isinstance(item, slice):
        return slice(*(_lifted(tape, each) for each in (item.start, item.stop, item.step)))
    return item


def _decides_itself(operand: Any) -> bool:
    """Whether it is of a class, no Tensor or array, that says what ufuncs do with it."""
    kind = type(operand)
    return hasattr(kind, "__array_ufunc__") and not issubclass(
        kind, Tensor | np.ndarray | np.generic
    )


_BESIDE = Traced | np.ndarray | np.generic | int | float | complex


def _beside_others(name: str) -> Callable[[Tensor, Any], Any]:
    """An operator for all that may stand beside an array: lists, which are arrays to NumPy, and
    objects that know themselves what to do.
    """
    plain = getattr(Traced, name)

    def run(self: Tensor, other: Any) -> Any:
        if isinstance(other, _BESIDE):
            return plain(self, other)
        if type(other) in (tuple, list) and type(self.content) not in (float, complex):
            return plain(self, self.apply(FUNCTIONS[np.asarray], other))
        if name in ("__eq__", "__ne__"):
            return getattr(self.content, name)(other)
        if isinstance(other, str | bytes):
            getattr(self.content, name)(other)  # to raise what NumPy says
        return NotImplemented

    return run


def _augmented(name: str) -> Callable[[Tensor, Any], Any]:
    plain = getattr(Tensor, f"__{name}__")

    def run(self: Tensor, other: Any) -> Any:
        if not isinstance(self.content, np.ndarray):
            return plain(self, other)
        if not isinstance(other, _BESIDE | list | tuple):
            return NotImplemented
        writes.augment(self, name, plain, other)
        return self

    return run


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    setattr(Tensor, f"__{_name}__", _beside_others(f"__{_name}__"))
    setattr(Tensor, f"__r{_name}__", _beside_others(f"__r{_name}__"))
    setattr(Tensor, f"__i{_name}__", _augmented(_name))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Tensor, f"__{_name}__", _beside_others(f"__{_name}__"))
for _name, _method in TENSOR_METHODS.items():
    setattr(Tensor, _name, _method)
