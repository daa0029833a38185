"""Networks and what trains them, as plain NumPy; gradients are written out by hand, as the others'
are not.

A perceptron's weights are a tuple of ``(f32[in, out], f32[out])``, labels are ``i64[batch]``.
"""

from __future__ import annotations

import itertools

import numpy as np

RATE = 0.01


def perceptron(weights, x):
    """The scores of each class."""
    (w1, b1), (w2, b2), (w3, b3) = weights
    x = np.maximum(x @ w1 + b1, 0.0)
    x = np.maximum(x @ w2 + b2, 0.0)
    return x @ w3 + b3


def cross_entropy(scores, labels):
    """The mean of what is lost, of softmax."""
    scores = scores - scores.max(axis=1, keepdims=True)
    chosen = scores[np.arange(labels.shape[0]), labels]
    return (np.log(np.exp(scores).sum(axis=1)) - chosen).mean()


def loss(weights, x, labels):
    """What training lowers."""
    return cross_entropy(perceptron(weights, x), labels)


def train(weights, x, labels):
    """A step of gradient descent, and what was lost before it."""
    seen = [x]
    for w, b in weights[:-1]:
        seen.append(np.maximum(seen[-1] @ w + b, 0.0))
    scores = seen[-1] @ weights[-1][0] + weights[-1][1]
    lost = cross_entropy(scores, labels)
    g = np.exp(scores - scores.max(axis=1, keepdims=True))
    g = g / g.sum(axis=1, keepdims=True)
    g[np.arange(len(labels)), labels] -= 1.0
    g = g / np.float32(len(labels))
    updated = []
    for (w, b), below in zip(reversed(weights), reversed(seen), strict=True):
        updated.append((w - RATE * (below.T @ g), b - RATE * g.sum(axis=0)))
        g = (g @ w.T) * (below > 0.0)
    return tuple(reversed(updated)), lost


def rnn(w, u, x):
    """The last state of a tanh network; ``x`` is ``f32[steps, batch, width]``."""
    h = np.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u)
    return h


def rnn_loss(w, u, x):
    """The mean square of the last state."""
    h = rnn(w, u, x)
    return (h * h).mean()


def rnn_gradient(w, u, x):
    """Of both matrices, by going back in time."""
    states = [np.zeros_like(x[0])]
    for row in x:
        states.append(np.tanh(row @ w + states[-1] @ u))
    g = states[-1] * np.float32(2.0 / states[-1].size)
    to_w, to_u = np.zeros_like(w), np.zeros_like(u)
    for row, (before, after) in zip(x[::-1], itertools.pairwise(states[::-1]), strict=True):
        g = g * (1.0 - before * before)
        to_w += row.T @ g
        to_u += after.T @ g
        g = g @ u.T
    return to_w, to_u


def line_loss(w, b, x, y):
    """The mean square of what a line misses."""
    error = w * x + b - y
    return (error * error).mean()


def line_step(w, b, x, y):
    """One step of gradient descent."""
    error = w * x + b - y
    scale = np.float32(2.0 / x.size)
    return w - RATE * scale * (error * x).sum(), b - RATE * scale * error.sum()
