"""The workloads in PyTorch, as its own functions say them; loops over numbers aren't its trade.

``compiled`` is ``torch.compile`` of the same functions. Training keeps its tensors and changes them
in place, as PyTorch's optimizers do.
"""

from __future__ import annotations

import os

import numpy as np
import torch
from torch.nn import functional

from benchmarks.native import arrays, networks
from benchmarks.native.peers import Peer


def gelu(x):
    return functional.gelu(x, approximate="tanh")


def adam(p, m, v, g):
    """In place, as such an optimizer is written."""
    m.mul_(0.9).add_(g, alpha=0.1)
    v.mul_(0.999).addcmul_(g, g, value=0.001)
    p.addcdiv_(m, v.sqrt().add_(1e-8), value=-0.001)
    return p, m, v


def softmax_norm(x):
    return functional.layer_norm(functional.softmax(x, dim=-1), x.shape[-1:], eps=1e-5)


def attention(q, k, v):
    return functional.scaled_dot_product_attention(q, k, v, scale=0.125)


def perceptron(weights, x):
    for w, b in weights[:-1]:
        x = torch.relu(torch.addmm(b, x, w))
    return torch.addmm(weights[-1][1], x, weights[-1][0])


def train(weights, x, labels):
    leaves = [part.requires_grad_() for pair in weights for part in pair]
    lost = functional.cross_entropy(perceptron(weights, x), labels)
    grads = torch.autograd.grad(lost, leaves)
    with torch.no_grad():
        torch._foreach_add_(leaves, grads, alpha=-networks.RATE)
    return weights, lost


def rnn(w, u, x):
    h = torch.zeros_like(x[0])
    for row in x @ w:
        h = torch.tanh(torch.addmm(row, h, u))
    return h


def rnn_gradient(w, u, x):
    w, u = w.detach().requires_grad_(), u.detach().requires_grad_()
    h = rnn(w, u, x)
    return torch.autograd.grad((h * h).mean(), (w, u))


def line_step(w, b, x, y):
    w, b = w.detach().requires_grad_(), b.detach().requires_grad_()
    dw, db = torch.autograd.grad(networks.line_loss(w, b, x, y), (w, b))
    with torch.no_grad():
        return w - networks.RATE * dw, b - networks.RATE * db


PROGRAMS = {
    "small": arrays.affine,
    "affine": arrays.affine,
    "gelu": gelu,
    "adam": adam,
    "softmax_norm": softmax_norm,
    "attention": attention,
    "perceptron": perceptron,
    "train": train,
    "rnn": rnn,
    "rnn_gradient": rnn_gradient,
    "line": line_step,
}
COMPILED = ("small", "affine", "gelu", "adam", "softmax_norm", "attention", "perceptron")
"""Without gradients of its own inside, and without loops that it would unroll 128 times."""


def _tensor(value: np.ndarray | np.generic) -> torch.Tensor:
    return torch.tensor(np.asarray(value))


def peer(variant: str) -> Peer:
    """With as many threads as the environment says."""
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    if variant == "compiled":
        return Peer({name: torch.compile(PROGRAMS[name]) for name in COMPILED}, _tensor)
    return Peer(PROGRAMS, _tensor)
