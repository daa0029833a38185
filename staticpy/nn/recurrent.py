"""Recurrent layers: a state that goes along a sequence.

In: ``x: f[steps, n, input_size]``, and the state at the start. Out: the state after each step, and
the one at the end. The part of all steps that needs no state is one product of matrices.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from staticpy.nn.cell import Cell
from staticpy.nn.checks import require_size
from staticpy.nn.dropout import Dropout
from staticpy.nn.functional import linear, sigmoid
from staticpy.nn.init import Generator, uniform
from staticpy.nn.parameter import Parameter

State = tuple[Any, ...]


class RecurrentCell(Cell):
    """The base of cells that do one step.

    Args:
        input_size: of the input.
        hidden_size: of the state.
        has_bias: whether there are biases.
        dtype: of the parameters.
        rng: what their first values are drawn from, uniform to ``± 1 / sqrt(hidden_size)``; the
            generator of ``set_seed`` if None.

    Attributes:
        weight_ih: ``f[gates * hidden_size, input_size]``.
        weight_hh: ``f[gates * hidden_size, hidden_size]``.
        bias_ih: ``f[gates * hidden_size]``, or None.
        bias_hh: ``f[gates * hidden_size]``, or None.
    """

    gates = 1
    arrays = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.has_bias = input_size, hidden_size, has_bias
        bound = 1.0 / math.sqrt(hidden_size)
        rows = self.gates * hidden_size
        shapes = ((rows, input_size), (rows, hidden_size), (rows,), (rows,))
        made = [Parameter(uniform(shape, -bound, bound, rng, dtype)) for shape in shapes]
        self.weight_ih: Any = made[0]
        self.weight_hh: Any = made[1]
        self.bias_ih: Any = made[2] if has_bias else None
        self.bias_hh: Any = made[3] if has_bias else None

    def of_input(self, x: Any) -> Any:
        """What the input gives to the gates: ``f[..., input_size]`` to ``f[..., gates * size]``."""
        made = linear(x, self.weight_ih)
        return made if self.bias_ih is None else made + self.bias_ih

    def of_state(self, hidden: Any) -> Any:
        """What the state gives to the gates: ``f[n, size]`` to ``f[n, gates * size]``."""
        made = linear(hidden, self.weight_hh)
        return made if self.bias_hh is None else made + self.bias_hh

    def step(self, given: Any, state: State) -> State:
        """The next state, from ``of_input`` of the input; its first array is the output."""
        raise NotImplementedError(f"{type(self).__name__} has no step()")

    def construct(self, x: Any, hidden: Any = None) -> Any:
        """``x: f[n, input_size]``, ``hidden: f[n, hidden_size]``, zeros if None, to the next
        ``f[n, hidden_size]``.
        """
        if hidden is None:
            hidden = np.zeros((x.shape[0], self.hidden_size), x.dtype)
        return self.step(self.of_input(x), (hidden,))[0]

    def extend_repr(self) -> str:
        """The sizes."""
        return f"input_size={self.input_size}, hidden_size={self.hidden_size}"


class RNNCell(RecurrentCell):
    """``tanh(W x + b + U h + c)``, or with ``relu`` in place of ``tanh``."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        has_bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity is 'tanh' or 'relu', not {nonlinearity!r}")
        super().__init__(input_size, hidden_size, has_bias, dtype, rng)
        self.nonlinearity = nonlinearity

    def step(self, given: Any, state: State) -> State:
        """The next hidden state."""
        total = given + self.of_state(state[0])
        return (np.tanh(total) if self.nonlinearity == "tanh" else np.maximum(total, 0),)


class GRUCell(RecurrentCell):
    """The gated recurrent unit (Cho et al., arXiv:1406.1078, as PyTorch has it: ``r`` after the
    product).

    The gates are reset, update and new, in this order.
    """

    gates = 3

    def step(self, given: Any, state: State) -> State:
        """The next hidden state."""
        (hidden,) = state
        size = self.hidden_size
        own = self.of_state(hidden)
        both = sigmoid(given[:, : 2 * size] + own[:, : 2 * size])
        reset, update = both[:, :size], both[:, size:]
        new = np.tanh(given[:, 2 * size :] + reset * own[:, 2 * size :])
        return (new + update * (hidden - new),)


class LSTMCell(RecurrentCell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997, with a forget gate).

    The gates are input, forget, cell and output, in this order.
    """

    gates = 4
    arrays = 2

    def step(self, given: Any, state: State) -> State:
        """The next hidden and cell state."""
        hidden, cell = state
        size = self.hidden_size
        total = given + self.of_state(hidden)
        keep = sigmoid(total[:, : 2 * size])
        new = np.tanh(total[:, 2 * size : 3 * size])
        cell = keep[:, size:] * cell + keep[:, :size] * new
        return sigmoid(total[:, 3 * size :]) * np.tanh(cell), cell

    def construct(self, x: Any, hidden: Any = None) -> Any:
        """``x: f[n, input_size]`` and the states ``(h, c)``, each ``f[n, hidden_size]``, zeros if
        None, to the next ``(h, c)``.
        """
        if hidden is None:
            zeros = np.zeros((x.shape[0], self.hidden_size), x.dtype)
            hidden = (zeros, zeros)
        return self.step(self.of_input(x), hidden)


def along(cell: Any, x: Any, state: State, is_reversed: bool) -> tuple[Any, State]:
    """What a cell gives at each step of ``x: f[steps, n, input_size]``, and its state at the end.

    Args:
        cell: a RecurrentCell.
        x: the sequences.
        state: at the start.
        is_reversed: whether the last step comes first.

    Returns:
        ``f[steps, n, hidden_size]``, in the order of ``x``, and the state.
    """
    rows = cell.of_input(x)
    if is_reversed:
        rows = rows[::-1]
    outputs = []
    for row in rows:
        state = cell.step(row, state)
        outputs.append(state[0])
    made = np.stack(outputs)
    return (made[::-1] if is_reversed else made), state


class Recurrent(Cell):
    """The base of layers of recurrent cells, one above the other.

    Args:
        input_size: of the input.
        hidden_size: of each state.
        num_layers: how many layers there are.
        has_bias: whether there are biases.
        batch_first: whether sequences are ``f[n, steps, size]``; states are not.
        dropout: the probability of zero between layers in training.
        bidirectional: whether a second cell in each layer goes from the end to the start.
        dtype: of the parameters.
        rng: what their first values and Dropout are drawn from; the generator of ``set_seed`` if
            None.

    Attributes:
        cells_of_layers: the cells, layer by layer, in a layer forward before backward.
    """

    kind: type[RecurrentCell] = RecurrentCell

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = np.float32,
        rng: Generator = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.batch_first = batch_first
        self.directions = 2 if bidirectional else 1
        self.dropout = Dropout(dropout, rng)
        sizes = [input_size] + [hidden_size * self.directions] * (num_layers - 1)
        self.cells_of_layers = [
            self.kind(size, hidden_size, has_bias, dtype=dtype, rng=rng)
            for size in sizes
            for _ in range(self.directions)
        ]

    def construct(self, x: Any, hidden: Any = None) -> Any:
        """The states after each step, and at the end.

        Args:
            x: ``f[steps, n, input_size]``, or ``f[n, steps, input_size]`` with ``batch_first``.
            hidden: the states at the start, ``f[layers * directions, n, hidden_size]``, of an LSTM
                a tuple of two such; zeros if None.

        Returns:
            ``f[steps, n, directions * hidden_size]``, the two axes as in ``x``, and the states at
            the end, as ``hidden`` is.

        Raises:
            ValueError: an array has another shape.
        """
        if x.ndim != 3:
            raise ValueError(f"{type(self).__name__} takes three axes, and not the shape {x.shape}")
        require_size(type(self).__name__, x, -1, self.input_size, "inputs")
        if self.batch_first:
            x = np.swapaxes(x, 0, 1)
        starts = self._starts(x, hidden)
        ends = []
        for layer in range(self.num_layers):
            if layer > 0:
                x = self.dropout(x)
            outputs = []
            for direction in range(self.directions):
                place = layer * self.directions + direction
                cell = self.cells_of_layers[place]
                made, end = along(cell, x, starts[place], direction == 1)
                outputs.append(made)
                ends.append(end)
            x = outputs[0] if self.directions == 1 else np.concatenate(outputs, axis=2)
        if self.batch_first:
            x = np.swapaxes(x, 0, 1)
        return x, self._joined(ends)

    def _starts(self, x: Any, hidden: Any) -> list[State]:
        """The state at the start of each cell."""
        if hidden is None:
            zeros = np.zeros((x.shape[1], self.hidden_size), x.dtype)
            return [(zeros,) * self.kind.arrays for _ in self.cells_of_layers]
        arrays = (hidden,) if self.kind.arrays == 1 else hidden
        wanted = (len(self.cells_of_layers), x.shape[1], self.hidden_size)
        for array in arrays:
            if array.shape != wanted:
                raise ValueError(f"a state at the start has the shape {array.shape}, not {wanted}")
        places = range(len(self.cells_of_layers))
        return [tuple([array[place] for array in arrays]) for place in places]

    def _joined(self, ends: list[State]) -> Any:
        """The states at the end of all cells, as ``hidden`` is."""
        if self.kind.arrays == 1:
            return np.stack([end[0] for end in ends])
        return np.stack([end[0] for end in ends]), np.stack([end[1] for end in ends])

    def extend_repr(self) -> str:
        """The sizes."""
        return (
            f"input_size={self.input_size}, hidden_size={self.hidden_size}, "
            f"num_layers={self.num_layers}, batch_first={self.batch_first}, "
            f"bidirectional={self.directions == 2}"
        )


class RNN(Recurrent):
    """Layers of ``RNNCell``, with ``tanh``; arguments as those of ``Recurrent``."""

    kind = RNNCell


class GRU(Recurrent):
    """Layers of ``GRUCell``; arguments as those of ``Recurrent``."""

    kind = GRUCell


class LSTM(Recurrent):
    """Layers of ``LSTMCell``; arguments as those of ``Recurrent``, states are pairs ``(h, c)``."""

    kind = LSTMCell
