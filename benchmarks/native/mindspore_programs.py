"""The workloads in MindSpore: ``mindspore.jit`` in graph mode of what its graphs can say.

A loop over a number of Python is written out round by round by MindSpore's compiler, so that loops
count with a tensor. A round takes some 50 microseconds: the checksum, of 100,000 rounds, isn't
among them.
"""

from __future__ import annotations

import os

import mindspore as ms
from mindspore import ops
from mindspore.scipy.linalg import solve_triangular

from benchmarks.native import arrays, networks
from benchmarks.native.peers import Peer


def counter(n):
    i = ms.Tensor(0, ms.int64)
    while i < n:
        i = i + 1
    return i


def mandelbrot(n, limit):
    a = -2.0 + 2.75 * ops.arange(n).astype(ms.float64).reshape(1, n) / n
    b = -1.25 + 2.5 * ops.arange(n).astype(ms.float64).reshape(n, 1) / n
    x = ops.zeros((n, n), ms.float64)
    y = ops.zeros((n, n), ms.float64)
    counts = ops.zeros((n, n), ms.int64)
    i = ms.Tensor(0)
    while i < limit:
        inside = x * x + y * y <= 4.0
        counts = counts + inside.astype(ms.int64)
        further = ops.where(inside, x * x - y * y + a, x)
        y = ops.where(inside, 2.0 * x * y + b, y)
        x = further
        i = i + 1
    return counts


def gelu(x):
    return ops.gelu(x, approximate="tanh")


def adam(p, m, v, g):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * (g * g)
    return p - 0.001 * m / (ops.sqrt(v) + 1e-8), m, v


def softmax_norm(x):
    s = ops.softmax(x, -1)
    centred = s - s.mean(-1, keep_dims=True)
    return centred / ops.sqrt((centred * centred).mean(-1, keep_dims=True) + 1e-5)


def attention(q, k, v):
    return ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.125, -1), v)


def perceptron(weights, x):
    for w, b in weights[:-1]:
        x = ops.relu(ops.matmul(x, w) + b)
    return ops.matmul(x, weights[-1][0]) + weights[-1][1]


def loss(w1, b1, w2, b2, w3, b3, x, labels):  # noqa: PLR0913, PLR0917
    return ops.cross_entropy(perceptron(((w1, b1), (w2, b2), (w3, b3)), x), labels)


@ms.jit
def updated(*args):
    lost, grads = ms.value_and_grad(loss, (0, 1, 2, 3, 4, 5))(*args)
    new = ()
    for i in range(6):
        new += (args[i] - networks.RATE * grads[i],)
    return new, lost


def train(weights, x, labels):
    """The weights one by one: of what is in a tuple MindSpore has no gradient."""
    (w1, b1, w2, b2, w3, b3), lost = updated(*weights[0], *weights[1], *weights[2], x, labels)
    return ((w1, b1), (w2, b2), (w3, b3)), lost


def rnn(w, u, x):
    rows = ops.matmul(x, w)
    h = ops.zeros_like(x[0])
    for i in range(x.shape[0]):
        h = ops.tanh(rows[i] + ops.matmul(h, u))
    return h


def rnn_loss(w, u, x):
    h = rnn(w, u, x)
    return (h * h).mean()


def rnn_gradient(w, u, x):
    return ms.grad(rnn_loss, (0, 1))(w, u, x)


def line_step(w, b, x, y):
    dw, db = ms.grad(networks.line_loss, (0, 1))(w, b, x, y)
    return w - networks.RATE * dw, b - networks.RATE * db


def stencil_1d(a, steps):
    a = a.copy()
    b = a.copy()
    i = ms.Tensor(0)
    while i < steps:
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
        i = i + 1
    return a


def jacobi_2d(a, steps):
    a = a.copy()
    b = a.copy()
    i = ms.Tensor(0)
    while i < steps:
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
        i = i + 1
    return a


def fdtd_2d(ex, ey, hz, steps):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    step = ms.Tensor(0)
    while step < steps:
        ey[0, :] = step.astype(ms.float64)
        ey[1:, :] = ey[1:, :] - 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] = ex[:, 1:] - 0.5 * (hz[:, 1:] - hz[:, :-1])
        turn = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        hz[:-1, :-1] = hz[:-1, :-1] - 0.7 * turn
        step = step + 1
    return ex, ey, hz


def triangular_solve(a, b):
    return solve_triangular(a, b, lower=True)


def lu(a):
    n = a.shape[0]
    places = ops.arange(n)
    k = ms.Tensor(0)
    while k < n - 1:
        below = places > k
        column = ops.where(below, a[:, k] / a[k, k], 0.0)
        row = ops.where(below, a[k], 0.0)
        a = a - column.reshape(n, 1) * row
        kept = ops.logical_and(places == k, below.reshape(n, 1))
        a = ops.where(kept, column.reshape(n, 1), a)
        k = k + 1
    return a


def floyd_warshall(path):
    n = path.shape[0]
    k = ms.Tensor(0)
    while k < n:
        path = ops.minimum(path, path[:, k].reshape(n, 1) + path[k])
        k = k + 1
    return path


def edit_distance(a, b):
    """Row by row: what insertions add is a running minimum."""
    places = ops.arange(b.shape[0] + 1)
    row = places
    i = ms.Tensor(0)
    while i < a.shape[0]:
        changed = row[:-1] + (b != a[i]).astype(ms.int64)
        least = ops.cat((row[:1] + 1, ops.minimum(changed, row[1:] + 1)))
        row = ops.cummin(least - places, 0)[0] + places
        i = i + 1
    return row[-1]


def n_body(position, velocity, mass, steps):
    n = mass.shape[0]
    i = ms.Tensor(0)
    while i < steps:
        way = position.reshape(1, n, 3) - position.reshape(n, 1, 3)
        distance = (way * way).sum(-1) + 0.01
        pull = mass / (distance * ops.sqrt(distance))
        velocity = velocity + 0.01 * (way * pull.reshape(n, n, 1)).sum(1)
        position = position + 0.01 * velocity
        i = i + 1
    return position, velocity


PROGRAMS = {
    "small": arrays.affine,
    "count_10": counter,
    "count_10000": counter,
    "mandelbrot": mandelbrot,
    "affine": arrays.affine,
    "gelu": gelu,
    "adam": adam,
    "softmax_norm": softmax_norm,
    "attention": attention,
    "perceptron": perceptron,
    "rnn": rnn,
    "rnn_gradient": rnn_gradient,
    "line": line_step,
    "stencil_1d": stencil_1d,
    "jacobi_2d": jacobi_2d,
    "fdtd_2d": fdtd_2d,
    "triangular_solve": triangular_solve,
    "lu": lu,
    "floyd_warshall": floyd_warshall,
    "edit_distance": edit_distance,
    "n_body": n_body,
}


def peer(_: str) -> Peer:
    """With as many threads as the environment says."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.device_context.cpu.op_tuning.threads_num(int(os.environ.get("OMP_NUM_THREADS", "1")))
    functions = {name: ms.jit(program) for name, program in PROGRAMS.items()}
    return Peer({**functions, "train": train}, ms.Tensor)
