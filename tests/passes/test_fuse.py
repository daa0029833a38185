"""Which operations are computed together, and in which walks along a row."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import walk
from staticpy.passes import Schedule, fuse

F = np.float32


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x):
    m = x.mean(axis=-1, keepdims=True)
    v = ((x - m) ** 2).mean(axis=-1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5)


def two_results(x, y):
    a = x * y
    return a, a + 1


def stencil(a, b):
    a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return a


def in_place(p, g):
    p -= 0.1 * g
    return p


def moments(p, m, v, g):
    m[...] = 0.9 * m + 0.1 * g
    v *= 0.9
    v += g * g
    p[...] = p - m / v
    return p


def neighbours(x, y):
    y[1:] = 2 * x[1:]
    x[1:] += y[:-1] * y[1:]
    return x


def written_and_reduced(x, y):
    x[...] = x + y
    return (x * y).sum()


def around_a_product(x, w, b):
    return np.maximum(x @ w + b, 0) * 2


def around_a_write(x, y):
    a = x + 1
    y[0] = 5.0
    return a * y


def first_axis(x):
    return (x * x).sum(axis=0)


def mean_squared_error(x, y):
    return ((x - y) ** 2).mean()


def of_rows_and_columns(x):
    return x.sum(axis=1), (x * x).sum(axis=0)


def of_rows_and_all(x):
    return x.sum(axis=1), (x * x).sum()


def number_between(x, n):
    return x * (n + 1) - n


def stretched_for_others(x, y):
    a, b = np.broadcast_arrays(x * 2, y)
    return (a + b).reshape(-1)


X, V = np.ones((3, 4), F), np.ones(4, F)
CASES = {
    # one walk for the largest element, one for the sum, one for the quotients
    softmax: (
        (X,),
        ["max | subtract exp, sum | true_divide -> 1"],
    ),
    layer_norm: (
        (X,),
        ["mean | subtract pow, mean | add sqrt: true_divide -> 1"],
    ),
    two_results: ((V, V), ["multiply add -> 2"]),
    # the slices are views, so that all is one walk that ends in the array
    stencil: ((np.ones(9), np.ones(9)), ["add add true_divide store -> 0"]),
    in_place: ((V.copy(), V), ["multiply isub -> 0"]),
    # each place is read and written in the order of the program
    moments: (
        (V, V.copy(), V.copy(), V.copy()),
        [
            "multiply multiply add store imul multiply iadd true_divide subtract store -> 0",
        ],
    ),
    # what others see of it ends a cluster after the last write, not within a statement
    neighbours: (
        (np.ones(9), np.ones(9)),
        ["multiply store -> 0", "multiply iadd store -> 0"],
    ),
    written_and_reduced: ((V, V.copy()), ["add store -> 0", "multiply, sum |  -> 1"]),
    around_a_product: ((X, np.ones((4, 2), F), np.ones(2, F)), ["add maximum multiply -> 1"]),
    # what reads memory stays before what writes to it
    around_a_write: ((V, V.copy()), ["add -> 1", "multiply -> 1"]),
    first_axis: ((X,), ["multiply, sum -> 1"]),
    mean_squared_error: ((X, X), ["subtract pow, mean |  -> 1"]),
    of_rows_and_columns: ((X,), ["multiply, sum sum |  -> 2"]),
    # a row is one for all
    of_rows_and_all: ((X,), ["multiply, sum |  -> 2", "sum |  -> 1"]),
    number_between: ((V, 3), ["multiply subtract -> 1"]),
    stretched_for_others: ((X, V), ["multiply -> 1", "add -> 1"]),
}


def ahead(x, b):
    scaled = x[:, 1:] - x[:, :-1]
    row = b * 2 + 1
    return scaled * row[1:]


def ahead_of_all(x, b):
    y, row = x + 1, b * 2
    return y * row, row.sum()


def not_ahead(x, b):
    y = x + 1
    total = (b * y.sum()).max()
    return y * total


def log_sum_exp(x):
    largest = x.max(1)
    return np.log(np.exp(x - largest[:, None]).sum(1)) + largest


def by_their_norms(x):
    norms = np.sqrt((x * x).sum(axis=1))
    return x / norms[..., None], norms[:, None], norms[None]


def by_all(x):
    return x - x.mean()[None, None]


CASES |= {
    # numbers of rows are stretched by a view, which others may read, too
    log_sum_exp: ((X,), ["max | subtract exp, sum | log add:  -> 1"]),
    by_their_norms: ((X,), ["multiply, sum | sqrt: true_divide -> 2"]),
    by_all: ((X,), ["mean | subtract -> 1"]),
    # what is computed for rows is there before they are; views of it are, too
    ahead: ((X, np.ones(3, F)), ["multiply add -> 1", "subtract multiply -> 1"]),
    ahead_of_all: ((X, V), ["multiply, sum |  -> 2", "add multiply -> 1"]),
    not_ahead: ((X, np.ones(2, F)), ["add, sum |  -> 2", "multiply, max |  -> 1", "multiply -> 1"]),
}


def clusters(function, arguments):
    """The clusters of all blocks, each by its walks and what is done with the elements."""
    module = staticpy.jit(function).lower(*arguments).compile().module
    blocks = [module.main.block]
    blocks += [each.block for op in walk(module.main.block) for each in op.regions]
    return [text(each) for block in blocks for each in fuse(block, lambda _: True)]


def text(cluster):
    walks = []
    for each in Schedule(cluster).walks:
        numbers = [op.op.name for op in each.numbers]
        elements = [op.op.name for op in each.steps if op not in each.reducing]
        reductions = [op.op.name for op in each.reducing]
        parts = [" ".join(part) for part in (elements, reductions) if part]
        walks.append(": ".join([" ".join(numbers)] * bool(numbers) + [", ".join(parts)]))
    return f"{' | '.join(walks)} -> {len(cluster.outputs)}"


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_clusters(function):
    arguments, expected = CASES[function]
    assert clusters(function, arguments) == expected


def test_what_a_later_walk_reads_again_is_kept():
    module = staticpy.jit(softmax).lower(X).compile().module
    (cluster,) = fuse(module.main.block, lambda _: True)
    schedule = Schedule(cluster)
    assert [value.name for value in schedule.scratch] == ["e"]
    assert [value.defining_op.op.name for value in schedule.kept] == ["true_divide", "exp"]


def test_what_has_no_form_ends_a_cluster():
    module = staticpy.jit(softmax).lower(X).compile().module
    found = fuse(module.main.block, lambda operation: operation.op.name != "exp")
    assert [text(each) for each in found] == ["max | subtract -> 1", "sum | true_divide -> 1"]


def with_a_sum_that_nobody_reads(x, y, is_right):
    left, right = np.clip(x[1:], -1.0, 1.0), y + 7
    left * right  # which may not fit
    if not is_right:
        raise ValueError("no")
    return x


def test_what_goes_ahead_is_there_for_what_only_stretches():
    """The product is gone, but for the question whether its operands fit."""
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    call = staticpy.jit(with_a_sum_that_nobody_reads, backend="llvm")
    x, y = np.ones(4), np.ones(3)
    np.testing.assert_array_equal(call(x, y, is_right=True), x)
    with pytest.raises(ValueError, match="no"):
        call(x, y, is_right=False)
    with pytest.raises(ValueError, match="broadcast"):
        call(x, np.ones(2), is_right=True)
