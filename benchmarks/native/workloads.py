"""The workloads: what they are given, how they are called, and what is demanded of native code."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

Call = Callable[[], Any]
Driver = Callable[[Callable[..., Any], tuple[Any, ...]], Call]


def call(function: Callable[..., Any], args: tuple[Any, ...]) -> Call:
    """The same arguments each time; no Python runs between two calls."""
    return partial(function, *args)


def carry_all(function: Callable[..., Any], args: tuple[Any, ...]) -> Call:
    """The three results are the first three arguments of the next call."""
    state, rest = args[:3], args[3:]

    def run() -> Any:
        nonlocal state
        state = function(*state, *rest)
        return state

    return run


def carry_first(function: Callable[..., Any], args: tuple[Any, ...]) -> Call:
    """The first result is the first argument of the next call."""
    state, rest = args[0], args[1:]

    def run() -> Any:
        nonlocal state
        result = function(state, *rest)
        state = result[0]
        return result

    return run


def repeat(function: Callable[..., Any], args: tuple[Any, ...]) -> Call:
    """A number of calls, the last of the arguments, each of which gets the results of the last."""
    *first, x, y, number = args

    def run() -> Any:
        state: Any = first
        for _ in range(number):
            state = function(*state, x, y)
        return state

    return run


@dataclass(frozen=True, slots=True)
class Workload:
    """One row of the table.

    Attributes:
        name: the key of its functions.
        title: what it is, with its size.
        arguments: from numbers to arguments, the same ones in each process.
        size: the numbers that are measured.
        tiny: those of the tests.
        goal: the ratio to the best peer that isn't to be exceeded.
        goal_seconds: a time that isn't to be exceeded, instead of the ratio.
        bound_goal: the ratio to ``np.copyto`` that isn't to be exceeded, besides.
        driver: how a function is called.
        limit: what its time goes to, and why no less of it; said where a goal isn't met.
        is_derivative: making one is part of it, so that who has it written by hand is no peer.
    """

    name: str
    title: str
    arguments: Callable[..., tuple[Any, ...]]
    size: tuple[int, ...]
    tiny: tuple[int, ...]
    goal: float = 1.0
    goal_seconds: float | None = None
    bound_goal: float | None = None
    driver: Driver = call
    limit: str = ""
    is_derivative: bool = False


def _normal(*dims: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    return (scale * np.random.default_rng(seed).normal(size=dims)).astype(np.float32)


def _uniform(*dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(size=dims)


def _vector(n: int) -> tuple[Any, ...]:
    return (_normal(n),)


def _matrix(rows: int, columns: int) -> tuple[Any, ...]:
    return (_normal(rows, columns),)


def _moments(n: int) -> tuple[Any, ...]:
    return _normal(n), _normal(n, seed=1), _normal(n, seed=2) ** 2, _normal(n, seed=3)


def _heads(batch: int, heads: int, steps: int, width: int) -> tuple[Any, ...]:
    return tuple(_normal(batch, heads, steps, width, seed=seed) for seed in range(3))


def _network(batch: int, *sizes: int) -> tuple[Any, ...]:
    weights = tuple(
        (_normal(deep, wide, seed=deep, scale=(2.0 / deep) ** 0.5), np.zeros(wide, np.float32))
        for deep, wide in itertools.pairwise(sizes)
    )
    return weights, _normal(batch, sizes[0], seed=1)


def _labelled(batch: int, *sizes: int) -> tuple[Any, ...]:
    labels = np.random.default_rng(2).integers(0, sizes[-1], batch)
    return *_network(batch, *sizes), labels


def _sequence(steps: int, batch: int, width: int) -> tuple[Any, ...]:
    # As such networks are begun with: with half of that gradients become subnormal on their way
    # back, which costs some processors a hundred times as much, but not who takes them for 0.
    w, u = (_normal(width, width, seed=seed, scale=width**-0.5) for seed in (1, 2))
    return w, u, _normal(steps, batch, width)


def _line(points: int, steps: int) -> tuple[Any, ...]:
    x = _normal(points)
    y = np.float32(2.0) * x + np.float32(1.0)
    return np.float32(0.0), np.float32(0.0), x, y, steps


def _numbers(*numbers: int) -> tuple[Any, ...]:
    return numbers


def _row(n: int, steps: int) -> tuple[Any, ...]:
    return _uniform(n), steps


def _grid(n: int, steps: int) -> tuple[Any, ...]:
    return _uniform(n, n), steps


def _fields(n: int, steps: int) -> tuple[Any, ...]:
    return *(_uniform(n, n, seed=seed) for seed in range(3)), steps


def _dominant(n: int) -> tuple[Any, ...]:
    return (_uniform(n, n) + n * np.eye(n),)


def _triangle(n: int) -> tuple[Any, ...]:
    return np.tril(_dominant(n)[0]), _uniform(n)


def _ways(n: int) -> tuple[Any, ...]:
    return (_uniform(n, n),)


def _texts(n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.integers(0, 4, n), rng.integers(0, 4, n + 1)


def _checked(n: int) -> tuple[Any, ...]:
    table = np.arange(256, dtype=np.int64)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ 0xEDB88320, table >> 1)
    return np.random.default_rng(0).integers(0, 256, n), table


def _masses(n: int, steps: int) -> tuple[Any, ...]:
    return _uniform(n, 3), _uniform(n, 3, seed=1) - 0.5, _uniform(n, seed=2), steps


# Why no more, with times of AMD's Zen 3.
_CALL = """CPython's call of a function, a look at the types of its arguments, and an array and its
memory, made and freed"""

_MEMORY = """One walk in place, as Numba's, of four arrays, 28 MB read and written: a loop over the
same bytes that computes nothing takes as long"""

_POLYNOMIAL = """A tanh is some twenty operations, of which each waits for the one before, and a
quotient"""

_CACHES = """Each of its 40 walks reads and writes half a megabyte, which lies in the second cache
and the third"""

_STEPS = """A step waits for the one before. Most of it is a product of 32 rows: each of two threads
computes half of it, and waits for the other"""

_PRODUCTS = """Nine tenths of it are products of matrices, on both processors: where others want
one of them it waits"""

_CALLS = """A step is a call from Python, of which a fifth would go to a function of Python's that
does nothing"""

_WALKS = """Three walks a step, after each of which two threads wait for each other. In a process by
itself it took 0.73 to 0.81 ms; MindSpore took 0.80 to 1.34 in three runs"""

_FLAGS = """The same operations of LLVM as Numba's; what NumPy would warn of is looked for after
the loops"""

_SUMS = """Each of its three sums is asked whether it leaves 64 bits, which NumPy warns of; Numba's
wrap"""

_PAGES = """By where its two arrays lie it takes 45 to 59 us there, Numba's 49 to 55: at the same
place of a page, reads wait for the writes before them, and vectors are twice as long as Numba's"""

FIRST_CALL = """Most of a first call is LLVM's, some 25 us for each line of code. It compiles
several loops on several threads, but softmax and attention are one long loop each"""

_PERCEPTRON = (64, 784, 512, 512, 10)
_SMALL = (3, 5, 4, 6, 2)

WORKLOADS = (
    Workload("small", "a call, 4 elements", _vector, (4,), (4,), goal_seconds=0.3e-6, limit=_CALL),
    Workload("count_10", "`while` counter, 10 steps", _numbers, (10,), (10,)),
    Workload("count_10000", "`while` counter, 10,000 steps", _numbers, (10_000,), (17,)),
    Workload("mandelbrot", "Mandelbrot 256², 50 steps", _numbers, (256, 50), (9, 12), limit=_FLAGS),
    Workload("affine", "1.5 x + 0.5, 10M f32", _vector, (10_000_000,), (37,), 0.9, bound_goal=1.1),
    Workload("gelu", "gelu (tanh), 1M f32", _vector, (1_000_000,), (37,), 0.6, limit=_POLYNOMIAL),
    Workload(
        "adam", "Adam, 1M f32", _moments, (1_000_000,), (37,), 0.9, driver=carry_all, limit=_MEMORY
    ),
    Workload("softmax_norm", "softmax, norm, 4096 x 1024", _matrix, (4096, 1024), (3, 19), 0.8),
    Workload("attention", "attention 8 x 8 x 128 x 64", _heads, (8, 8, 128, 64), (2, 3, 5, 4), 0.9),
    Workload("perceptron", "perceptron 784-512-512-10", _network, _PERCEPTRON, _SMALL, 0.9),
    Workload(
        "train",
        "its training step, SGD",
        _labelled,
        _PERCEPTRON,
        _SMALL,
        0.9,
        driver=carry_first,
        limit=_PRODUCTS,
        is_derivative=True,
    ),
    Workload(
        "rnn", "tanh RNN 128 x 32 x 128", _sequence, (128, 32, 128), (5, 3, 4), 0.7, limit=_STEPS
    ),
    Workload(
        "rnn_gradient",
        "its gradient",
        _sequence,
        (128, 32, 128),
        (5, 3, 4),
        0.6,
        limit=_STEPS,
        is_derivative=True,
    ),
    Workload(
        "line",
        "1000 steps of a line",
        _line,
        (100, 1000),
        (9, 20),
        0.1,
        driver=repeat,
        limit=_CALLS,
        is_derivative=True,
    ),
    Workload("stencil_1d", "stencil, 2000, 100 steps", _row, (2000, 100), (11, 3), limit=_PAGES),
    Workload("jacobi_2d", "Jacobi 250², 20 steps", _grid, (250, 20), (7, 3), limit=_CACHES),
    Workload("fdtd_2d", "FDTD 250², 20 steps", _fields, (250, 20), (7, 3), limit=_WALKS),
    Workload("triangular_solve", "triangular solve, 1000", _triangle, (1000,), (9,)),
    Workload("lu", "LU, 200", _dominant, (200,), (9,)),
    Workload("floyd_warshall", "Floyd-Warshall, 200", _ways, (200,), (9,)),
    Workload("edit_distance", "edit distance, 500", _texts, (500,), (9,), limit=_SUMS),
    Workload("crc32", "CRC-32, 100,000 bytes", _checked, (100_000,), (50,), limit=_FLAGS),
    Workload("n_body", "n-body, 100, 10 steps", _masses, (100, 10), (5, 3), limit=_FLAGS),
)
BY_NAME = {workload.name: workload for workload in WORKLOADS}
