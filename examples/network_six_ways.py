"""One network, six ways to run it: MindSpore's tutorial, with only its import lines changed.

MindSpore: `import mindspore as ms; from mindspore import nn, Tensor`. Here: the lines below. The
mode says how undecorated code runs, `ms.jit` makes a graph of a function in either mode, and all
six give the same numbers.

Run it: python examples/network_six_ways.py
"""

import numpy as np

import staticpy as ms
from staticpy import Tensor, nn


class Network(nn.Cell):
    """A 784-512-512-10 perceptron; `construct` runs at once or as a graph, as the mode says."""

    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.dense_relu_sequential = nn.SequentialCell(
            nn.Dense(28 * 28, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10)
        )

    def construct(self, x):
        """The scores of ten classes; ``x`` is ``f32[batch, 1, 28, 28]``."""
        x = self.flatten(x)
        return self.dense_relu_sequential(x)


class JitNetwork(Network):
    """The same network, whose `construct` is a graph in either mode."""

    @ms.jit
    def construct(self, x):
        """The scores of ten classes; ``x`` is ``f32[batch, 1, 28, 28]``."""
        x = self.flatten(x)
        return self.dense_relu_sequential(x)


@ms.jit
def create_and_run(x):
    """A graph that creates the network and calls it."""
    model = Network()
    return model(x)


def run(x):
    """Plain Python, until it is given to `ms.jit`."""
    model = Network()
    return model(x)


run_with_jit = ms.jit(run)


@ms.jit
def scores_of(model, x):
    """A graph of a network from outside."""
    return model(x)


def classify(model, x):
    """Undecorated: it runs as Python, and what it calls as a graph."""
    scores = scores_of(model, x)
    return scores, [int(row) for row in scores.argmax(axis=1)][:5]


def six_ways(x):
    """The name of each way, and the scores that it gives from the same first values."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_seed(0)
    yield "pynative mode", Network()(x)

    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    yield "graph mode", Network()(x)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_seed(0)
    yield "@ms.jit, created inside", create_and_run(x)

    ms.set_seed(0)
    yield "run_with_jit = ms.jit(run)", run_with_jit(x)

    ms.set_seed(0)
    yield "@ms.jit on construct", JitNetwork()(x)

    ms.set_seed(0)
    scores, classes = classify(Network(), x)
    print(f"undecorated code read the classes {classes} of what a graph gave it")
    yield "called from plain Python", scores


def main():
    """Run the six, print them, and return their scores."""
    x = Tensor(np.ones([64, 1, 28, 28]).astype(np.float32))
    mode = ms.get_context("mode")
    try:
        results = dict(six_ways(x))
    finally:
        ms.set_context(mode=mode)
    first = next(iter(results.values()))
    with np.printoptions(threshold=100, precision=4):
        print(first)
    for way, scores in results.items():
        same = np.array_equal(scores.detach().numpy(), first.detach().numpy())
        print(f"{way:28} {scores.dtype}{list(scores.shape)}, as the first: {same}")
    return [scores.detach().numpy() for scores in results.values()]


if __name__ == "__main__":
    main()
