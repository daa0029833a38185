"""Cell: a part of a network, which holds its parameters in plain attributes.

In: a class with ``construct``. Out: an object that can be called, in plain Python and in compiled
functions, and that knows its Parameters and the Cells in it by walking over its attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from reprlib import recursive_repr
from typing import Any

import numpy as np

from staticpy.nn.hooks import Hook, HookHandle, backward_pass
from staticpy.nn.parameter import Parameter
from staticpy.nn.state import copies, load_into
from staticpy.runtime import GRAPH_MODE, get_context, jit


class Cell:
    """The base of layers and networks.

    A subclass makes Parameters and Cells in ``__init__``, assigns them to attributes, also in
    lists, tuples and dicts, and computes in ``construct``:

        class Network(nn.Cell):
            def __init__(self):
                super().__init__()
                self.flatten = nn.Flatten()
                self.dense = nn.Dense(784, 10)

            def construct(self, x):
                return self.dense(self.flatten(x))

    Nothing watches the assignments: a Cell is an object like any other, and what was put into it
    at any time is found. All that this class keeps has defaults in the class, so that subclasses
    work that don't call ``super().__init__()``, dataclasses for one.

    Attributes:
        training: whether layers such as Dropout behave as in training; see ``set_train``.
    """

    __staticpy_cell__ = True  # by this a gradient by a Cell is known to be one by its parameters
    training: bool = False
    _forward_hooks: tuple[Hook, ...] = ()
    _forward_pre_hooks: tuple[Hook, ...] = ()
    _backward_hooks: tuple[Hook, ...] = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What ``construct`` gives, and the hooks make of it. In ``GRAPH_MODE`` it is compiled.

        Raises:
            CompileError: in ``GRAPH_MODE``, ``construct`` can't be compiled.
        """
        for hook in self._forward_pre_hooks:
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        way_back = backward_pass(self, self._backward_hooks)
        if way_back is not None:
            args = way_back.entered(args)
        if get_context("mode") == GRAPH_MODE:
            output = _construct_as_graph(self, *args, **kwargs)
        else:
            output = self.construct(*args, **kwargs)
        if way_back is not None:
            output = way_back.left(output)
        for hook in self._forward_hooks:
            changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """What the Cell computes; each subclass has its own.

        Raises:
            NotImplementedError: this one has none.
        """
        other = " (it has forward(), PyTorch's name)" if hasattr(self, "forward") else ""
        raise NotImplementedError(
            f"{type(self).__name__} has no construct(){other}: "
            "define 'def construct(self, x)' with what this Cell computes"
        )

    # --- what is in it ----------------------------------------------------------------------------

    def members(self) -> Mapping[str, Any]:
        """What parameters and Cells are looked for in, by name: the attributes. Containers name
        what they hold themselves.
        """
        return vars(self)

    def parameters_and_names(self, prefix: str = "") -> Iterator[tuple[str, Parameter]]:
        """Each Parameter once, with its dotted name, as ``"net.0.weight"``, in order of
        assignment.

        Args:
            prefix: what stands in front of the names.
        """
        return ((name, each) for name, each in walk(self, prefix) if isinstance(each, Parameter))

    def get_parameters(self) -> Iterator[Parameter]:
        """Each Parameter once, in order of assignment."""
        return (parameter for _, parameter in self.parameters_and_names())

    def trainable_params(self) -> list[Parameter]:
        """The Parameters that require grad."""
        return [parameter for parameter in self.get_parameters() if parameter.requires_grad]

    def untrainable_params(self) -> list[Parameter]:
        """The Parameters that don't require grad."""
        return [parameter for parameter in self.get_parameters() if not parameter.requires_grad]

    def parameters_dict(self) -> dict[str, Parameter]:
        """The Parameters by their dotted names."""
        return dict(self.parameters_and_names())

    def cells_and_names(self, prefix: str = "") -> Iterator[tuple[str, Cell]]:
        """This Cell, under the name ``prefix``, and each one in it, with its dotted name."""
        yield prefix, self
        for name, each in walk(self, prefix):
            if isinstance(each, Cell):
                yield name, each

    def name_cells(self) -> dict[str, Cell]:
        """The Cells that are directly in this one, by name."""
        return {name: each for name, each in _direct(self) if isinstance(each, Cell)}

    def cells(self) -> Iterator[Cell]:
        """The Cells that are directly in this one."""
        return iter(self.name_cells().values())

    # --- what is set for all of it ----------------------------------------------------------------

    def set_train(self, mode: bool = True) -> Cell:
        """Let this Cell and those in it behave as in training, or not; gives the Cell itself."""
        for _, cell in self.cells_and_names():
            cell.training = mode
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Let all Parameters require grad, or none; gives the Cell itself."""
        for parameter in self.get_parameters():
            parameter.requires_grad = requires_grad
        return self

    def apply(self, function: Callable[[Cell], object]) -> Cell:
        """Call ``function`` for each Cell in it and for the Cell itself, which comes last; gives
        the Cell itself.
        """
        for _, cell in [*self.cells_and_names()][::-1]:
            function(cell)
        return self

    def clear_grads(self) -> None:
        """Set ``grad`` of all Parameters to None."""
        for parameter in self.get_parameters():
            parameter.grad = None

    # --- what is saved ----------------------------------------------------------------------------

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of the contents of the Parameters, by their dotted names."""
        return copies(self)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Write arrays to the Parameters, in place.

        Raises:
            ValueError: a name is missing or not known, or an array has another shape or dtype;
                nothing has changed then.
        """
        load_into(self.parameters_dict(), state, f"this {type(self).__name__}")

    # --- hooks ------------------------------------------------------------------------------------

    def register_forward_pre_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(cell, inputs)`` before ``construct``, with the tuple of positional
        arguments; what it gives stands for them, unless it is None.
        """
        self._forward_pre_hooks = (*self._forward_pre_hooks, hook)
        return HookHandle(self, "_forward_pre_hooks", hook)

    def register_forward_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(cell, inputs, output)`` after ``construct``; what it gives stands for the
        output, unless it is None.
        """
        self._forward_hooks = (*self._forward_hooks, hook)
        return HookHandle(self, "_forward_hooks", hook)

    def register_backward_hook(self, hook: Hook) -> HookHandle:
        """Call ``hook(cell, grad_input, grad_output)`` when the way back has gone through the Cell:
        a tuple with the gradient by each positional input, None for what has none, and a tuple with
        the gradient of each Tensor of the output. What it gives stands for ``grad_input``, unless
        it is None. In a compiled function it is refused (SPY713).
        """
        self._backward_hooks = (*self._backward_hooks, hook)
        return HookHandle(self, "_backward_hooks", hook)

    register_full_backward_hook = register_backward_hook  # PyTorch's name

    # --- how it is shown --------------------------------------------------------------------------

    def extend_repr(self) -> str:
        """What ``repr`` says of this Cell beside its name and the Cells in it."""
        return ""

    @recursive_repr()
    def __repr__(self) -> str:
        rows = [f"({name}): {cell!r}" for name, cell in self.name_cells().items()]
        extra = self.extend_repr()
        if not rows:
            return f"{type(self).__name__}<{extra}>"
        lines = "\n".join([extra, *rows] if extra else rows).replace("\n", "\n  ")
        return f"{type(self).__name__}<\n  {lines}\n  >"


@jit
def _construct_as_graph(cell: Any, *args: Any, **kwargs: Any) -> Any:
    return cell.construct(*args, **kwargs)


_HOOKS = frozenset({"_forward_hooks", "_forward_pre_hooks", "_backward_hooks"})


def _direct(cell: Cell) -> Iterator[tuple[str, Any]]:
    """The Parameters and Cells of a Cell itself, with those in containers, in order."""
    named = [(name, item) for name, item in cell.members().items() if name not in _HOOKS]
    pending = named[::-1]
    containers: dict[int, Any] = {}
    while pending:
        name, item = pending.pop()
        if isinstance(item, Parameter | Cell):
            yield name, item
        elif isinstance(item, list | tuple | dict) and id(item) not in containers:
            containers[id(item)] = item
            keyed = item.items() if isinstance(item, dict) else enumerate(item)
            pending += [(f"{name}.{key}", each) for key, each in keyed][::-1]


def walk(cell: Cell, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All Parameters and Cells in a Cell, each once, with dotted names; a Cell comes before what is
    in it.
    """
    seen = {id(cell)}
    pending = _dotted(cell, prefix)
    while pending:
        name, item = pending.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        yield name, item
        if isinstance(item, Cell):
            pending += _dotted(item, name)


def _dotted(cell: Cell, prefix: str) -> list[tuple[str, Any]]:
    """What is directly in a Cell, the last one first."""
    start = f"{prefix}." if prefix else ""
    return [(start + name, item) for name, item in _direct(cell)][::-1]
