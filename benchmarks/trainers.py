"""One step of training MindSpore's tutorial network with Adam, in each framework's own words.

A 784-512-512-10 perceptron, batches of 64, cross entropy. Each maker gets the first weights and the
batches, and gives a function of the number of a batch that trains on it and gives the loss. Nothing
is imported before a maker is called.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

RATE = 1e-3
SIZES = (784, 512, 512, 10)
Batch = tuple[np.ndarray, np.ndarray]
Weights = list[tuple[np.ndarray, np.ndarray]]
Step = Callable[[int], Any]


def first_weights(seed: int = 0) -> Weights:
    """A matrix ``f32[out, in]`` and a bias ``f32[out]`` for each layer (He et al. 2015)."""
    rng = np.random.default_rng(seed)
    return [
        (
            (rng.normal(size=(wide, deep)) * np.sqrt(2.0 / deep)).astype(np.float32),
            np.zeros(wide, np.float32),
        )
        for deep, wide in itertools.pairwise(SIZES)
    ]


def make_batches(number: int, seed: int = 1) -> list[Batch]:
    """Images ``f32[64, 1, 28, 28]`` and labels ``i32[64]``, which depend on the images."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        images = rng.normal(size=(64, 1, 28, 28)).astype(np.float32)
        made.append((images, images.reshape(64, -1)[:, :10].argmax(axis=1).astype(np.int32)))
    return made


def staticpy_graph(weights: Weights, batches: list[Batch]) -> Step:
    """The whole step as one graph, by the Python-source backend."""
    import staticpy

    step = staticpy.jit(_staticpy_step(weights))
    return lambda number: step(*batches[number]).item()


def staticpy_eager(weights: Weights, batches: list[Batch]) -> Step:
    """The same function as plain Python."""
    step = _staticpy_step(weights)
    return lambda number: step(*batches[number]).item()


def _staticpy_step(weights: Weights) -> Callable[..., Any]:
    import staticpy
    from staticpy import nn, optim

    layers: list[Any] = [nn.Flatten()]
    for matrix, bias in weights:
        wide, deep = matrix.shape
        layers += [nn.Dense(deep, wide, weight_init=matrix, bias_init=bias), nn.ReLU()]
    net = nn.SequentialCell(*layers[:-1])
    loss = nn.CrossEntropyLoss()
    optimizer = optim.Adam(net, lr=RATE)

    def step(images: np.ndarray, labels: np.ndarray) -> Any:
        error, grads = staticpy.value_and_grad(lambda net: loss(net(images), labels))(net)
        optimizer.step(grads)
        return error

    return step


def mindspore_graph(weights: Weights, batches: list[Batch]) -> Step:
    """Graph mode; the step is a ``mindspore.jit``."""
    import mindspore as ms
    from mindspore import nn

    ms.set_context(mode=ms.GRAPH_MODE)
    layers: list[Any] = [nn.Flatten()]
    for matrix, bias in weights:
        wide, deep = matrix.shape
        given = {"weight_init": ms.Tensor(matrix), "bias_init": ms.Tensor(bias)}
        layers += [nn.Dense(deep, wide, **given), nn.ReLU()]
    net = nn.SequentialCell(*layers[:-1])
    loss = nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), RATE)

    def forward(images: Any, labels: Any) -> Any:
        return loss(net(images), labels)

    differentiated = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(images: Any, labels: Any) -> Any:
        error, grads = differentiated(images, labels)
        optimizer(grads)
        return error

    given_batches = [(ms.Tensor(images), ms.Tensor(labels)) for images, labels in batches]
    return lambda number: step(*given_batches[number]).asnumpy()


def _torch(weights: Weights, batches: list[Batch], compiled: bool) -> Step:
    import torch

    layers: list[Any] = [torch.nn.Flatten()]
    for matrix, bias in weights:
        wide, deep = matrix.shape
        dense = torch.nn.Linear(deep, wide)
        with torch.no_grad():
            dense.weight.copy_(torch.from_numpy(matrix))
            dense.bias.copy_(torch.from_numpy(bias))
        layers += [dense, torch.nn.ReLU()]
    net = torch.nn.Sequential(*layers[:-1])
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE, fused=True)
    forward = torch.compile(lambda x, y: loss(net(x), y)) if compiled else None

    def step(images: Any, labels: Any) -> float:
        optimizer.zero_grad()
        error = forward(images, labels) if forward else loss(net(images), labels)
        error.backward()
        optimizer.step()
        return error.item()

    given = [
        (torch.from_numpy(images), torch.from_numpy(labels).long()) for images, labels in batches
    ]
    return lambda number: step(*given[number])


def torch_eager(weights: Weights, batches: list[Batch]) -> Step:
    """PyTorch as it is, with its fused Adam."""
    return _torch(weights, batches, compiled=False)


def torch_compiled(weights: Weights, batches: list[Batch]) -> Step:
    """``torch.compile`` of the loss, and its fused Adam."""
    return _torch(weights, batches, compiled=True)


def jax_jitted(weights: Weights, batches: list[Batch]) -> Step:
    """``jax.jit`` of the whole step, which gets the memory of what it replaces."""
    import jax
    from jax import numpy as jnp

    def loss(parameters: Any, images: Any, labels: Any) -> Any:
        x = images.reshape(len(images), -1)
        for place, (matrix, bias) in enumerate(parameters):
            x = x @ matrix.T + bias
            x = jax.nn.relu(x) if place < len(parameters) - 1 else x
        return -jax.nn.log_softmax(x)[jnp.arange(len(labels)), labels].mean()

    def step(state: Any, images: Any, labels: Any) -> Any:
        parameters, means, squares, count = state
        error, grads = jax.value_and_grad(loss)(parameters, images, labels)
        count = count + 1
        means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, grads)
        squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, grads)
        root = jnp.sqrt(1.0 - 0.999**count)
        rate = RATE / (1.0 - 0.9**count)
        parameters = jax.tree.map(
            lambda p, m, s: p - rate * m / (jnp.sqrt(s) / root + 1e-8), parameters, means, squares
        )
        return (parameters, means, squares, count), error

    compiled = jax.jit(step, donate_argnums=0)
    own = jax.tree.map(jnp.asarray, weights)
    zeros = jax.tree.map(jnp.zeros_like, own)
    state = (own, zeros, jax.tree.map(jnp.copy, zeros), jnp.float32(0.0))

    def train(number: int) -> float:
        nonlocal state
        state, error = compiled(state, *batches[number])
        return float(error)

    return train


MAKERS: dict[str, tuple[str, Callable[[Weights, list[Batch]], Step]]] = {
    "staticpy": ("staticpy", staticpy_graph),
    "staticpy eager": ("staticpy", staticpy_eager),
    "MindSpore": ("mindspore", mindspore_graph),
    "PyTorch": ("torch", torch_eager),
    "torch.compile": ("torch", torch_compiled),
    "JAX": ("jax", jax_jitted),
}
"""Of each competitor: the package that it needs, and its maker."""
