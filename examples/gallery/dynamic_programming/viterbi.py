"""A hidden Markov model: the forward algorithm with scaling, Viterbi's path, and Baum-Welch.

Source: Rabiner, "A tutorial on hidden Markov models", 1989.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class HMM:
    A: np.ndarray
    B: np.ndarray
    pi: np.ndarray

    def forward(self, obs):
        T, N = len(obs), len(self.pi)
        alpha = np.zeros((T, N))
        scale = np.zeros(T)
        alpha[0] = self.pi * self.B[:, obs[0]]
        for t in range(T):
            if t > 0:
                alpha[t] = (alpha[t - 1] @ self.A) * self.B[:, obs[t]]
            scale[t] = alpha[t].sum()
            alpha[t] /= scale[t]
        return alpha, scale

    def backward(self, obs, scale):
        beta = np.ones((len(obs), len(self.pi)))
        for t in range(len(obs) - 2, -1, -1):
            beta[t] = self.A @ (self.B[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
        return beta

    def viterbi(self, obs):
        T, N = len(obs), len(self.pi)
        delta = np.log(self.pi) + np.log(self.B[:, obs[0]])
        psi = np.zeros((T, N), dtype=np.intp)
        logA, logB = np.log(self.A), np.log(self.B)
        for t in range(1, T):
            candidates = delta[:, np.newaxis] + logA
            psi[t] = candidates.argmax(axis=0)
            delta = candidates.max(axis=0) + logB[:, obs[t]]
        path = [int(delta.argmax())]
        for t in range(T - 1, 0, -1):
            path.append(int(psi[t, path[-1]]))
        return path[::-1], delta.max()

    def update(self, obs):
        alpha, scale = self.forward(obs)
        beta = self.backward(obs, scale)
        gamma = alpha * beta
        gamma /= gamma.sum(axis=1, keepdims=True)
        xi = np.zeros_like(self.A)
        for t in range(len(obs) - 1):
            x = alpha[t][:, None] * self.A * (self.B[:, obs[t + 1]] * beta[t + 1])[None, :]
            xi += x / x.sum()
        self.A = xi / xi.sum(axis=1)[:, None]
        for k in range(self.B.shape[1]):
            self.B[:, k] = gamma[obs == k].sum(axis=0)
        self.B /= self.B.sum(axis=1, keepdims=True)
        self.pi = gamma[0]
        return np.log(scale).sum()


def program(model, obs, rounds):
    likelihoods = []
    for _ in range(rounds):
        likelihoods.append(model.update(obs))
        if len(likelihoods) > 1 and likelihoods[-1] - likelihoods[-2] < 1e-6:
            break
    return model.viterbi(obs), likelihoods


def arguments(size):
    rng = np.random.default_rng(4)
    model = HMM(
        np.array([[0.7, 0.3], [0.4, 0.6]]),
        np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]),
        np.array([0.6, 0.4]),
    )
    return model, rng.integers(0, 3, size=3 * size), 5
