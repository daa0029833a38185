"""Linear algebra by hand: solvers in place, factorisations, eigenvalues, sparse forms."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 5.0]])
B = np.array([1.0, 2.0, 3.0])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


# Thomas' algorithm: the diagonals of the caller are overwritten.
@case(
    (np.array([0.0, 1.0, 1.0]), np.array([4.0, 4.0, 4.0]), np.array([1.0, 1.0, 0.0]), B),
    (np.array([0.0]), np.array([2.0]), np.array([0.0]), np.array([6.0])),
)
def tridiagonal(lower: f64["n"], middle: f64["n"], upper: f64["n"], right: f64["n"]):
    n = len(middle)
    for i in range(1, n):
        factor = lower[i] / middle[i - 1]
        middle[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    x = np.zeros(n)
    x[n - 1] = right[n - 1] / middle[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (right[i] - upper[i] * x[i + 1]) / middle[i]
    return x


# Gauss-Seidel with relaxation, until the residual is small.
@case((A, B, 1.0), (A, B, 1.3), (A, np.zeros(3), 1.0))
def relaxed_gauss_seidel(a: f64["n", "n"], b: f64["n"], omega: float):
    x = np.zeros_like(b)
    rounds = 0
    while np.abs(a @ x - b).max() > 1e-8 and rounds < 50:
        for i in range(len(b)):
            others = a[i, :i] @ x[:i] + a[i, i + 1 :] @ x[i + 1 :]
            x[i] = (1 - omega) * x[i] + omega * (b[i] - others) / a[i, i]
        rounds += 1
    return x, rounds


# Jacobi: the new and the old vector change places.
@case((A, B, 10), (A, B, 0))
def jacobi_with_two_vectors(a: f64["n", "n"], b: f64["n"], rounds: int):
    diagonal = np.diag(a)
    rest = a - np.diag(diagonal)
    new, old = np.empty_like(b), np.zeros_like(b)
    for _ in range(rounds):
        np.matmul(rest, old, out=new)
        np.subtract(b, new, out=new)
        new /= diagonal
        new, old = old, new
    return old


# Gram-Schmidt: columns of q are views that are written.
@case((A,), (np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),))
def gram_schmidt(a: f64["m", "n"]):
    q = a.copy()
    r = np.zeros((a.shape[1], a.shape[1]))
    for j in range(a.shape[1]):
        column = q[:, j]
        for i in range(j):
            r[i, j] = q[:, i] @ column
            column -= r[i, j] * q[:, i]
        r[j, j] = np.sqrt(column @ column)
        column /= r[j, j]
    return q, r


# Householder reflections.
@case((A,), (SINGULAR,))
def householder(a: f64["n", "n"]):
    r = a.copy()
    n = r.shape[0]
    for k in range(n - 1):
        v = r[k:, k].copy()
        length = np.sqrt((v * v).sum())
        v[0] += length if v[0] >= 0 else -length
        norm = v @ v
        if norm > 0:
            r[k:, k:] -= np.outer(v, 2 / norm * (v @ r[k:, k:]))
    return r


# Inverse by Gauss-Jordan on a matrix with the identity beside it; a singular one raises.
@case((A,), (SINGULAR,), (np.array([[0.0, 1.0], [1.0, 0.0]]),))
def inverse(a: f64["n", "n"]):
    n = len(a)
    wide = np.hstack([a, np.eye(n)])
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(wide[k:, k])))
        if abs(wide[pivot, k]) < 1e-12:
            raise ZeroDivisionError("singular matrix")
        if pivot != k:
            wide[[k, pivot]] = wide[[pivot, k]]
        wide[k] /= wide[k, k]
        for i in range(n):
            if i != k:
                wide[i] -= wide[i, k] * wide[k]
    return wide[:, n:]


# Eigenvalues of a symmetric matrix by Jacobi's rotations.
@case((A, 20), (np.eye(2), 5))
def eigenvalues(a: f64["n", "n"], limit: int):
    work = a.copy()
    n = len(work)
    for turn in range(limit):  # noqa: B007  read after the loop
        largest, p, q = 0.0, 0, 1
        for i in range(n):
            for j in range(i + 1, n):
                if abs(work[i, j]) > largest:
                    largest, p, q = abs(work[i, j]), i, j
        if largest < 1e-10:
            break
        theta = 0.5 * np.arctan2(2 * work[p, q], work[q, q] - work[p, p])
        rotation = np.eye(n)
        rotation[p, p] = rotation[q, q] = np.cos(theta)
        rotation[p, q] = np.sin(theta)
        rotation[q, p] = -np.sin(theta)
        work = rotation.T @ work @ rotation
    else:
        turn = -1
    return np.sort(np.diag(work)), turn


# A matrix to a power by squaring.
@case((np.array([[1, 1], [1, 0]]), 30), (np.array([[2, 0], [1, 1]]), 0), (np.eye(2, dtype=int), 1))
def matrix_power(a: i64["n", "n"], exponent: int):
    result = np.eye(a.shape[0], dtype=a.dtype)
    while exponent:
        if exponent & 1:
            result = result @ a
        a = a @ a
        exponent >>= 1
    return result


# A sparse matrix by rows times a vector.
@case(
    (np.array([1.0, 2.0, 3.0]), np.array([0, 2, 1]), np.array([0, 2, 2, 3]), B),
    (np.array([]), np.array([], dtype=int), np.array([0]), B),
)
def sparse_product(values: f64["k"], columns: i64["k"], starts: i64["r"], x: f64["n"]):
    result = np.zeros(len(starts) - 1)
    for row in range(len(starts) - 1):
        for at in range(starts[row], starts[row + 1]):
            result[row] += values[at] * x[columns[at]]
    return result


# From a dense matrix to its non-zero entries and back.
@case((A,), (np.zeros((2, 3)),))
def sparse_and_back(a: f64["m", "n"]):
    rows, columns = np.nonzero(a)
    values = a[rows, columns]
    back = np.zeros_like(a)
    back[rows, columns] = values
    return values, bool((back == a).all())


def page_rank_step(links, ranks, damping):
    n = len(ranks)
    new = np.full(n, (1 - damping) / n)
    for page, targets in enumerate(links):
        share = ranks[page] / (len(targets) or n)
        for target in targets or range(n):
            new[target] += damping * share
    return new


# Page rank: the links are compile-time lists.
@case((0.85, 10), (0.0, 1))
def page_rank(damping: float, rounds: int):
    links = [[1, 2], [2], [0], []]
    ranks = np.full(len(links), 1 / len(links))
    for _ in range(rounds):
        ranks = page_rank_step(links, ranks, damping)
    return ranks, int(np.argmax(ranks))


# A polynomial through points by least squares: normal equations and elimination.
@case((np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 3.0, 7.0, 13.0])))
def least_squares(x: f64["n"], y: f64["n"]):
    powers = np.stack([x**k for k in range(3)], axis=1)
    a, b = powers.T @ powers, powers.T @ y
    for k in range(3):
        for i in range(k + 1, 3):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    solution = np.zeros(3)
    for k in reversed(range(3)):
        solution[k] = (b[k] - a[k, k + 1 :] @ solution[k + 1 :]) / a[k, k]
    return solution


# The determinant by cofactors: recursion over minors of run-time size.
@case((A,), (SINGULAR,), (np.array([[3.0]]),))
def determinant_by_minors(a: f64["n", "n"]):
    if a.shape[0] == 1:
        return float(a[0, 0])
    total = 0.0
    for j in range(a.shape[0]):
        minor = np.concatenate([a[1:, :j], a[1:, j + 1 :]], axis=1)
        total += (-1) ** j * float(a[0, j]) * determinant_by_minors(minor)
    return total
