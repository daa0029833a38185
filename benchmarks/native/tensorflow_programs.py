"""The workloads in TensorFlow: ``tf.function`` of everything, compiled by XLA but where that is
slower. Training keeps variables and changes them in place, as TensorFlow's optimizers do.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from tensorflow.compiler.tf2xla.ops import gen_xla_ops

from benchmarks.native import arrays, networks
from benchmarks.native.peers import Peer


def put(whole, part, *begin):
    """A tensor of which a part, from an index on, is another."""
    return gen_xla_ops.xla_dynamic_update_slice(whole, part, begin)


def counter(n):
    i = tf.constant(0, tf.int64)
    while i < n:
        i += 1
    return i


def mandelbrot(n, limit):
    a = -2.0 + 2.75 * tf.range(n, dtype=tf.float64)[None, :] / n
    b = -1.25 + 2.5 * tf.range(n, dtype=tf.float64)[:, None] / n
    x = y = tf.zeros((n, n), tf.float64)
    counts = tf.zeros((n, n), tf.int64)
    for _ in tf.range(limit):
        inside = x * x + y * y <= 4.0
        counts += tf.cast(inside, tf.int64)
        x, y = tf.where(inside, x * x - y * y + a, x), tf.where(inside, 2.0 * x * y + b, y)
    return counts


def gelu(x):
    return tf.nn.gelu(x, approximate=True)


def _updated(p, m, v, g):
    m.assign(0.9 * m + 0.1 * g)
    v.assign(0.999 * v + 0.001 * (g * g))
    p.assign_sub(0.001 * m / (tf.sqrt(v) + 1e-8))


def softmax_norm(x):
    s = tf.nn.softmax(x)
    mean, variance = tf.nn.moments(s, [-1], keepdims=True)
    return (s - mean) * tf.math.rsqrt(variance + 1e-5)


def attention(q, k, v):
    return tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.125) @ v


def perceptron(weights, x):
    for w, b in weights[:-1]:
        x = tf.nn.relu(x @ w + b)
    return x @ weights[-1][0] + weights[-1][1]


def _trained(weights, x, labels):
    with tf.GradientTape() as tape:
        scores = perceptron(weights, x)
        lost = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(logits=scores, labels=labels)
        )
    parts = [part for pair in weights for part in pair]
    for part, grad in zip(parts, tape.gradient(lost, parts), strict=True):
        part.assign_sub(networks.RATE * grad)
    return lost


def rnn(w, u, x):
    h = tf.zeros_like(x[0])
    for row in x @ w:
        h = tf.tanh(row + h @ u)
    return h


def rnn_gradient(w, u, x):
    with tf.GradientTape() as tape:
        tape.watch((w, u))
        h = rnn(w, u, x)
        lost = tf.reduce_mean(h * h)
    return tape.gradient(lost, (w, u))


def line_step(w, b, x, y):
    with tf.GradientTape() as tape:
        tape.watch((w, b))
        error = w * x + b - y
        lost = tf.reduce_mean(error * error)
    dw, db = tape.gradient(lost, (w, b))
    return w - networks.RATE * dw, b - networks.RATE * db


def stencil_1d(a, steps):
    def half(of, to):
        return put(to, (of[:-2] + of[1:-1] + of[2:]) / 3, 1)

    b = a
    for _ in tf.range(steps):
        b = half(a, b)
        a = half(b, a)
    return a


def jacobi_2d(a, steps):
    def half(p, to):
        near = p[1:-1, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, 1:-1] + p[:-2, 1:-1]
        return put(to, 0.2 * near, 1, 1)

    b = a
    for _ in tf.range(steps):
        b = half(a, b)
        a = half(b, a)
    return a


def fdtd_2d(ex, ey, hz, steps):
    for t in tf.range(steps):
        first = tf.fill((1, ey.shape[1]), tf.cast(t, ey.dtype))
        ey = tf.concat([first, ey[1:, :] - 0.5 * (hz[1:, :] - hz[:-1, :])], 0)
        ex = put(ex, ex[:, 1:] - 0.5 * (hz[:, 1:] - hz[:, :-1]), 0, 1)
        turn = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        hz = put(hz, hz[:-1, :-1] - 0.7 * turn, 0, 0)
    return ex, ey, hz


def triangular_solve(a, b):
    return tf.linalg.triangular_solve(a, b[:, None])[:, 0]


def lu(a):
    places = tf.range(a.shape[0])
    for k in tf.range(a.shape[0] - 1):
        below = places > k
        column = tf.where(below, a[:, k] / a[k, k], 0.0)
        row = tf.where(below, a[k], 0.0)
        a -= column[:, None] * row
        a = tf.where((places == k) & below[:, None], column[:, None], a)
    return a


def floyd_warshall(path):
    for k in tf.range(path.shape[0]):
        path = tf.minimum(path, path[:, k, None] + path[k])
    return path


def edit_distance(a, b):
    """Row by row: what insertions add is a running minimum, in steps that double."""
    places = tf.range(b.shape[0] + 1, dtype=tf.int64)
    row = places
    for letter in a:
        least = tf.minimum(row[:-1] + tf.cast(b != letter, tf.int64), row[1:] + 1)
        row = tf.concat([row[:1] + 1, least], 0) - places
        step = 1
        while step < row.shape[0]:
            row = tf.concat([row[:step], tf.minimum(row[step:], row[:-step])], 0)
            step *= 2
        row += places
    return row[-1]


def crc32(data, table):
    crc = tf.constant(0xFFFFFFFF, tf.int64)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ tf.bitwise.right_shift(crc, tf.constant(8, tf.int64))
    return crc ^ 0xFFFFFFFF


def n_body(position, velocity, mass, steps):
    for _ in tf.range(steps):
        way = position[None, :, :] - position[:, None, :]
        distance = tf.reduce_sum(way * way, -1) + 0.01
        pull = mass / (distance * tf.sqrt(distance))
        velocity += 0.01 * tf.reduce_sum(way * pull[:, :, None], 1)
        position += 0.01 * velocity
    return position, velocity


PROGRAMS = {
    "small": arrays.affine,
    "mandelbrot": mandelbrot,
    "affine": arrays.affine,
    "gelu": gelu,
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
    "crc32": crc32,
    "n_body": n_body,
}
WITHOUT_XLA = ("softmax_norm", "attention", "perceptron", "train", "triangular_solve")
"""What takes less time by TensorFlow's own kernels."""


def _compiled(name, program, **options):
    return tf.function(program, jit_compile=name not in WITHOUT_XLA, **options)


def _variables(tree):
    """The same, as variables; those that are stay what they are."""

    def variable(part):
        return part if isinstance(part, tf.Variable) else tf.Variable(part)

    return tf.nest.map_structure(variable, tree)


def _in_place(name, program, number):
    """A program that changes its first arguments, which are part of what is given back."""
    compiled = _compiled(name, program)

    def run(*args):
        state = _variables(args[:number])
        result = compiled(*state, *args[number:])
        return state if result is None else (*state, result)

    return run


def peer(_: str) -> Peer:
    """What a counter counts to is a tensor, or nothing would be left to do."""
    functions = {name: _compiled(name, program) for name, program in PROGRAMS.items()}
    number = [tf.TensorSpec((), tf.int64)]
    for name in ("count_10", "count_10000"):
        functions[name] = _compiled(name, counter, input_signature=number)
    functions["adam"] = _in_place("adam", _updated, 3)
    functions["train"] = _in_place("train", _trained, 1)
    return Peer(functions, lambda value: tf.constant(np.asarray(value)))
