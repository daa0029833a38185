"""Linear systems and eigenvalues, as textbooks write them."""

import numpy as np

from staticpy import f64


def forward_substitution(lower: f64["n", "n"], b: f64["n"]) -> f64["n"]:
    n = b.shape[0]
    x = np.zeros(n)
    for i in range(n):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def back_substitution(upper: f64["n", "n"], b: f64["n"]) -> f64["n"]:
    n = len(b)
    x = np.zeros_like(b)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(upper[i, i + 1 :], x[i + 1 :])) / upper[i, i]
    return x


def gauss_elimination(a: f64["n", "n"], b: f64["n"]) -> f64["n"]:
    a = a.copy()
    b = b.copy()
    n = b.size
    for k in range(n - 1):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            b[[k, pivot]] = b[[pivot, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


def thomas(lower: f64["n"], diagonal: f64["n"], upper: f64["n"], d: f64["n"]) -> f64["n"]:
    n = d.shape[0]
    c = np.zeros(n)
    e = np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    e[0] = d[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        e[i] = (d[i] - lower[i] * e[i - 1]) / m
    x = np.empty(n)
    x[-1] = e[-1]
    for i in range(n - 2, -1, -1):
        x[i] = e[i] - c[i] * x[i + 1]
    return x


def cholesky(a: f64["n", "n"]) -> f64["n", "n"]:
    n = a.shape[0]
    lower = np.zeros_like(a)
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.sum(lower[j, :j] ** 2))
        for i in range(j + 1, n):
            lower[i, j] = (a[i, j] - np.sum(lower[i, :j] * lower[j, :j])) / lower[j, j]
    return lower


def jacobi(a: f64["n", "n"], b: f64["n"], tolerance: float) -> tuple[f64["n"], int]:
    diagonal = np.diag(a)
    rest = a - np.diagflat(diagonal)
    x = np.zeros_like(b)
    rounds = 0
    while np.linalg.norm(a @ x - b) > tolerance and rounds < 200:
        x = (b - rest @ x) / diagonal
        rounds += 1
    return x, rounds


def gauss_seidel(a: f64["n", "n"], b: f64["n"], sweeps: int) -> f64["n"]:
    x = np.zeros(len(b))
    for _ in range(sweeps):
        for i in range(len(b)):
            s = a[i, :i] @ x[:i] + a[i, i + 1 :] @ x[i + 1 :]
            x[i] = (b[i] - s) / a[i, i]
    return x


def conjugate_gradient(a: f64["n", "n"], b: f64["n"], tolerance: float) -> f64["n"]:
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rho = r @ r
    for _ in range(2 * b.size):
        if np.sqrt(rho) < tolerance:
            break
        q = a @ p
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        rho, old = r @ r, rho
        p = r + (rho / old) * p
    return x


def power_iteration(a: f64["n", "n"], steps: int) -> tuple[float, f64["n"]]:
    v = np.ones(a.shape[0])
    eigenvalue = 0.0
    for _ in range(steps):
        w = a @ v
        v = w / np.linalg.norm(w)
        eigenvalue = v @ a @ v
    return eigenvalue, v


def gram_schmidt(a: f64["m", "n"]) -> tuple[f64["m", "n"], f64["n", "n"]]:
    n = a.shape[1]
    q = np.zeros_like(a)
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = q[:, i] @ v
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


_SPD = np.array([[4.0, 1.0, 0.5], [1.0, 5.0, 1.0], [0.5, 1.0, 6.0]])
_B = np.array([1.0, -2.0, 3.0])
_LINE = np.array([0.0, -1.0, -1.0])

EXAMPLES = {
    "forward_substitution": (np.tril(_SPD), _B),
    "back_substitution": (np.triu(_SPD), _B),
    "gauss_elimination": (_SPD[::-1].copy(), _B),
    "thomas": (_LINE, np.full(3, 4.0), _LINE[::-1].copy(), _B),
    "cholesky": (_SPD,),
    "jacobi": (_SPD, _B, 1e-8),
    "gauss_seidel": (_SPD, _B, 10),
    "conjugate_gradient": (_SPD, _B, 1e-10),
    "power_iteration": (_SPD, 20),
    "gram_schmidt": (_SPD[:, :2].copy(),),
}
