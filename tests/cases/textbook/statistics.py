"""Statistics and learning, as textbooks write them."""

import numpy as np

from staticpy import f64, i64


def moments(x: f64["n"]) -> tuple[float, float, float]:
    mean = x.mean()
    centred = x - mean
    variance = (centred**2).mean()
    skewness = (centred**3).mean() / variance**1.5
    return mean, variance, skewness


def welford(x: f64["n"]) -> tuple[float, float]:
    mean = 0.0
    m2 = 0.0
    for k, value in enumerate(x, start=1):
        delta = value - mean
        mean += delta / k
        m2 += delta * (value - mean)
    return mean, m2 / (len(x) - 1)


def correlation(x: f64["n"], y: f64["n"]) -> float:
    dx, dy = x - x.mean(), y - y.mean()
    return (dx * dy).sum() / np.sqrt((dx**2).sum() * (dy**2).sum())


def least_squares_line(x: f64["n"], y: f64["n"]) -> tuple[float, float]:
    n = x.size
    slope = (n * (x @ y) - x.sum() * y.sum()) / (n * (x @ x) - x.sum() ** 2)
    return slope, (y.sum() - slope * x.sum()) / n


def normal_equations(design: f64["n", "p"], y: f64["n"], ridge: float) -> f64["p"]:
    gram = design.T @ design + ridge * np.eye(design.shape[1])
    return np.linalg.solve(gram, design.T @ y)


def logistic_regression(x: f64["n", "p"], y: f64["n"], rate: float, rounds: int) -> f64["p"]:
    w = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        w -= rate * x.T @ (p - y) / len(y)
    return w


def softmax(scores: f64["n", "k"]) -> f64["n", "k"]:
    shifted = scores - scores.max(axis=1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=1, keepdims=True)


def cross_entropy(scores: f64["n", "k"], labels: i64["n"]) -> float:
    probabilities = softmax(scores)
    return -np.log(probabilities[np.arange(len(labels)), labels]).mean()


def k_means(points: f64["n", "d"], centres: f64["k", "d"], rounds: int) -> f64["k", "d"]:
    centres = centres.copy()
    for _ in range(rounds):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        for j in range(len(centres)):
            members = points[nearest == j]
            if len(members) > 0:
                centres[j] = members.mean(axis=0)
    return centres


def principal_axis(x: f64["n", "d"]) -> f64["d"]:
    centred = x - x.mean(axis=0)
    covariance = centred.T @ centred / (x.shape[0] - 1)
    values, vectors = np.linalg.eigh(covariance)
    axis = vectors[:, -1]
    return axis if axis[0] >= 0 else -axis


def median(x: f64["n"]) -> float:
    ordered = np.sort(x)
    half = x.size // 2
    if x.size % 2 == 1:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) / 2


def exponential_smoothing(x: f64["n"], alpha: float) -> f64["n"]:
    smooth = np.empty_like(x)
    level = x[0]
    for t in range(len(x)):
        level = alpha * x[t] + (1 - alpha) * level
        smooth[t] = level
    return smooth


_X = np.array([1.0, 2.5, -0.5, 3.0, 0.25])
_Y = np.array([2.0, 4.0, 0.5, 7.0, 1.0])
_DESIGN = np.column_stack([np.ones(5), _X])
_SCORES = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]])

EXAMPLES = {
    "moments": (_X,),
    "welford": (_X,),
    "correlation": (_X, _Y),
    "least_squares_line": (_X, _Y),
    "normal_equations": (_DESIGN, _Y, 0.1),
    "logistic_regression": (_DESIGN, (_Y > 1.5).astype(float), 0.5, 5),
    "softmax": (_SCORES,),
    "cross_entropy": (_SCORES, np.array([1, 2])),
    "k_means": (_DESIGN * _Y[:, None], _DESIGN[:2].copy(), 4),
    "principal_axis": (_DESIGN * _Y[:, None],),
    "median": (_X,),
    "exponential_smoothing": (_X, 0.3),
}
