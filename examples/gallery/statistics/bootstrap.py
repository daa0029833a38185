"""Resampling: bootstrap intervals for several statistics, permutation test, jackknife.

Source: Efron and Tibshirani, "An Introduction to the Bootstrap", chapters 11, 13 and 15.
"""

import numpy as np


def trimmed_mean(x, proportion=0.1):
    cut = int(proportion * len(x))
    x = np.sort(x)
    return x[cut : len(x) - cut].mean()


STATISTICS = {
    "mean": np.mean,
    "median": np.median,
    "trimmed": trimmed_mean,
    "std": lambda x: x.std(ddof=1),
}


def bootstrap(x, statistic, rng, B):
    n = len(x)
    values = np.array([statistic(x[rng.integers(0, n, n)]) for _ in range(B)])
    lo, hi = np.percentile(values, [2.5, 97.5])
    return lo, hi, values.std()


def jackknife(x, statistic):
    n = len(x)
    leave_one_out = np.empty(n)
    for i in range(n):
        leave_one_out[i] = statistic(np.delete(x, i))
    bias = (n - 1) * (leave_one_out.mean() - statistic(x))
    return bias, np.sqrt((n - 1) * leave_one_out.var())


def permutation_test(a, b, rng, rounds):
    pooled = np.concatenate([a, b])
    observed = abs(a.mean() - b.mean())
    extreme = 0
    for _ in range(rounds):
        rng.shuffle(pooled)
        if abs(pooled[: len(a)].mean() - pooled[len(a) :].mean()) >= observed - 1e-12:
            extreme += 1
    return (extreme + 1) / (rounds + 1)


def program(a, b, rng, rounds):
    table = {}
    for name, statistic in STATISTICS.items():
        low, high, error = bootstrap(a, statistic, rng, rounds)
        table[name] = {"ci": (low, high), "se": error, "jackknife": jackknife(a, statistic)}
    p = permutation_test(a, b, rng, rounds)
    verdict = "different" if p < 0.05 else "the same"
    return table, p, f"p = {p:.3f}: {verdict}"


def arguments(size):
    rng = np.random.default_rng(6)
    return rng.normal(0, 1, size + 2), rng.normal(0.8, 1, size + 3), rng, 8
