"""A Kalman filter with a smoother: constant velocity, missing observations, gating of outliers.

Source: Rauch, Tung and Striebel, 1965; Bar-Shalom et al., "Estimation with Applications to
Tracking".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Belief:
    mean: np.ndarray
    cov: np.ndarray

    def predicted(self, F, Q) -> Belief:
        return Belief(F @ self.mean, F @ self.cov @ F.T + Q)

    def distance(self, z, H, R) -> float:
        innovation = z - H @ self.mean
        S = H @ self.cov @ H.T + R
        return float(innovation @ np.linalg.solve(S, innovation))

    def updated(self, z, H, R) -> Belief:
        S = H @ self.cov @ H.T + R
        K = np.linalg.solve(S, H @ self.cov).T
        return replace(
            self,
            mean=self.mean + K @ (z - H @ self.mean),
            cov=(np.eye(len(self.mean)) - K @ H) @ self.cov,
        )


def smooth(filtered, F, Q):
    result = [filtered[-1]]
    for belief in reversed(filtered[:-1]):
        ahead = belief.predicted(F, Q)
        G = np.linalg.solve(ahead.cov, F @ belief.cov).T
        mean = belief.mean + G @ (result[-1].mean - ahead.mean)
        cov = belief.cov + G @ (result[-1].cov - ahead.cov) @ G.T
        result.append(Belief(mean, cov))
    return result[::-1]


def program(observations, dt=1.0, gate=9.21):
    F = np.block([[np.eye(2), dt * np.eye(2)], [np.zeros((2, 2)), np.eye(2)]])
    H = np.hstack([np.eye(2), np.zeros((2, 2))])
    Q, R = 0.01 * np.eye(4), 0.25 * np.eye(2)
    belief = Belief(np.zeros(4), 10 * np.eye(4))
    filtered = []
    rejected = []
    for k, z in enumerate(observations):
        belief = belief.predicted(F, Q)
        if not np.isnan(z).any():
            if belief.distance(z, H, R) > gate:
                rejected.append(k)
            else:
                belief = belief.updated(z, H, R)
        filtered.append(belief)
    track = np.array([b.mean[:2] for b in smooth(filtered, F, Q)])
    spread = [float(np.trace(b.cov)) for b in filtered]
    return track, spread, rejected


def arguments(size):
    rng = np.random.default_rng(3)
    n = 2 * size
    z = np.column_stack([np.arange(n) * 0.7, np.arange(n) * -0.3]) + 0.5 * rng.normal(size=(n, 2))
    z[n // 2 :: 5] = np.nan
    z[n // 3 :: 7] += 30
    return (z,)
