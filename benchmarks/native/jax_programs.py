"""The workloads in JAX: ``jax.jit`` of everything, loops by ``jax.lax``."""

from __future__ import annotations

import jax
from jax import lax
from jax import numpy as jnp

from benchmarks.native import arrays, networks
from benchmarks.native.peers import Peer


def counter(n):
    return lax.while_loop(lambda i: i < n, lambda i: i + 1, 0)


def mandelbrot(n, limit):
    row, column = jnp.mgrid[0:n, 0:n]
    a, b = -2.0 + 2.75 * column / n, -1.25 + 2.5 * row / n

    def step(_, state):
        x, y, counts = state
        inside = x * x + y * y <= 4.0
        x, y = jnp.where(inside, x * x - y * y + a, x), jnp.where(inside, 2 * x * y + b, y)
        return x, y, counts + inside

    zeros = jnp.zeros((n, n))
    return lax.fori_loop(0, limit, step, (zeros, zeros, jnp.zeros((n, n), jnp.int64)))[2]


def gelu(x):
    return jax.nn.gelu(x, approximate=True)


def adam(p, m, v, g):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * (g * g)
    return p - 0.001 * m / (jnp.sqrt(v) + 1e-8), m, v


def softmax_norm(x):
    s = jax.nn.softmax(x, axis=-1)
    return (s - s.mean(-1, keepdims=True)) / jnp.sqrt(s.var(-1, keepdims=True) + 1e-5)


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) * 0.125
    return jax.nn.softmax(scores, axis=-1) @ v


def perceptron(weights, x):
    for w, b in weights[:-1]:
        x = jax.nn.relu(x @ w + b)
    return x @ weights[-1][0] + weights[-1][1]


def loss(weights, x, labels):
    scores = jax.nn.log_softmax(perceptron(weights, x))
    return -scores[jnp.arange(len(labels)), labels].mean()


def train(weights, x, labels):
    lost, grads = jax.value_and_grad(loss)(weights, x, labels)
    return jax.tree.map(lambda w, g: w - networks.RATE * g, weights, grads), lost


def rnn(w, u, x):
    h, _ = lax.scan(lambda h, row: (jnp.tanh(row + h @ u), None), jnp.zeros_like(x[0]), x @ w)
    return h


def rnn_loss(w, u, x):
    h = rnn(w, u, x)
    return (h * h).mean()


def line_step(w, b, x, y):
    dw, db = jax.grad(networks.line_loss, argnums=(0, 1))(w, b, x, y)
    return w - networks.RATE * dw, b - networks.RATE * db


def stencil_1d(a, steps):
    def half(of, to):
        return to.at[1:-1].set((of[:-2] + of[1:-1] + of[2:]) / 3)

    def step(_, state):
        a, b = state
        b = half(a, b)
        return half(b, a), b

    return lax.fori_loop(0, steps, step, (a, a))[0]


def jacobi_2d(a, steps):
    def half(p, to):
        near = p[1:-1, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, 1:-1] + p[:-2, 1:-1]
        return to.at[1:-1, 1:-1].set(0.2 * near)

    def step(_, state):
        a, b = state
        b = half(a, b)
        return half(b, a), b

    return lax.fori_loop(0, steps, step, (a, a))[0]


def fdtd_2d(ex, ey, hz, steps):
    def step(t, state):
        ex, ey, hz = state
        ey = ey.at[0, :].set(t)
        ey = ey.at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        turn = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        return ex, ey, hz.at[:-1, :-1].add(-0.7 * turn)

    return lax.fori_loop(0, steps, step, (ex, ey, hz))


def triangular_solve(a, b):
    return jax.scipy.linalg.solve_triangular(a, b, lower=True)


def lu(a):
    places = jnp.arange(a.shape[0])

    def step(k, a):
        below = places > k
        column = jnp.where(below, a[:, k] / a[k, k], 0.0)
        row = jnp.where(below, a[k], 0.0)
        return a.at[:, k].set(jnp.where(below, column, a[:, k])) - jnp.outer(column, row)

    return lax.fori_loop(0, a.shape[0] - 1, step, a)


def floyd_warshall(path):
    def step(k, path):
        return jnp.minimum(path, path[:, k, None] + path[k])

    return lax.fori_loop(0, path.shape[0], step, path)


def edit_distance(a, b):
    """Row by row: what insertions add is a running minimum."""
    places = jnp.arange(b.shape[0] + 1)

    def step(row, letter):
        least = jnp.minimum(row[:-1] + (b != letter), row[1:] + 1)
        changed = jnp.concatenate([row[:1] + 1, least])
        return lax.cummin(changed - places) + places, None

    return lax.scan(step, places, a)[0][-1]


def crc32(data, table):
    def step(crc, byte):
        return table[(crc ^ byte) & 0xFF] ^ (crc >> 8), None

    return lax.scan(step, jnp.int64(0xFFFFFFFF), data)[0] ^ 0xFFFFFFFF


def n_body(position, velocity, mass, steps):
    def step(_, state):
        position, velocity = state
        way = position[None, :, :] - position[:, None, :]
        distance = (way * way).sum(-1) + 0.01
        pull = mass / (distance * jnp.sqrt(distance))
        velocity = velocity + 0.01 * (way * pull[:, :, None]).sum(1)
        return position + 0.01 * velocity, velocity

    return lax.fori_loop(0, steps, step, (position, velocity))


PROGRAMS = {
    "small": arrays.affine,
    "count_10": counter,
    "count_10000": counter,
    "affine": arrays.affine,
    "gelu": gelu,
    "softmax_norm": softmax_norm,
    "attention": attention,
    "perceptron": perceptron,
    "rnn": rnn,
    "rnn_gradient": jax.grad(rnn_loss, argnums=(0, 1)),
    "line": line_step,
    "stencil_1d": stencil_1d,
    "jacobi_2d": jacobi_2d,
    "fdtd_2d": fdtd_2d,
    "triangular_solve": triangular_solve,
    "lu": lu,
    "floyd_warshall": floyd_warshall,
    "edit_distance": edit_distance,
    "crc32": crc32,
    "n_body": n_body,
}


def peer(_: str) -> Peer:
    """With 64 bits, as NumPy has them; what is replaced gives its memory."""
    jax.config.update("jax_enable_x64", True)
    functions = {name: jax.jit(program) for name, program in PROGRAMS.items()}
    functions["mandelbrot"] = jax.jit(mandelbrot, static_argnums=0)
    functions["adam"] = jax.jit(adam, donate_argnums=(0, 1, 2))
    functions["train"] = jax.jit(train, donate_argnums=0)
    return Peer(functions, jnp.array, jax.block_until_ready)
