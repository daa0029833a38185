"""A small neural network with backpropagation written out, Adam, minibatches, early stopping.

Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015.
"""

import numpy as np


class Dense:
    def __init__(self, rng, n_in, n_out):
        self.W = rng.normal(size=(n_in, n_out)) * np.sqrt(2 / n_in)
        self.b = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.W + self.b

    def backward(self, grad):
        self.dW = self.x.T @ grad
        self.db = grad.sum(axis=0)
        return grad @ self.W.T

    def parameters(self):
        return [(self.W, self.dW), (self.b, self.db)]


class ReLU:
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

    def backward(self, grad):
        return grad * self.mask

    def parameters(self):
        return []


class Adam:
    def __init__(self, lr=0.01, b1=0.9, b2=0.999, eps=1e-8):
        self.lr, self.b1, self.b2, self.eps = lr, b1, b2, eps
        self.t = 0
        self.m, self.v = None, None

    def step(self, parameters):
        if self.m is None:
            self.m = [np.zeros_like(p) for p, _ in parameters]
            self.v = [np.zeros_like(p) for p, _ in parameters]
        self.t += 1
        for i, (p, g) in enumerate(parameters):
            self.m[i] = self.b1 * self.m[i] + (1 - self.b1) * g
            self.v[i] = self.b2 * self.v[i] + (1 - self.b2) * g**2
            m_hat = self.m[i] / (1 - self.b1**self.t)
            v_hat = self.v[i] / (1 - self.b2**self.t)
            p -= self.lr * m_hat / (np.sqrt(v_hat) + self.eps)


def softmax_cross_entropy(logits, y):
    z = logits - logits.max(axis=1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    n = len(y)
    grad = np.exp(log_p)
    grad[np.arange(n), y] -= 1
    return -log_p[np.arange(n), y].mean(), grad / n


def program(X, y, rng, epochs=8, batch_size=8, patience=2):
    layers = [Dense(rng, X.shape[1], 6), ReLU(), Dense(rng, 6, 3)]
    optimizer = Adam()
    losses = []
    best, waited = np.inf, 0
    for epoch in range(epochs):
        perm = rng.permutation(len(X))
        epoch_loss = 0.0
        for start in range(0, len(X), batch_size):
            idx = perm[start : start + batch_size]
            out = X[idx]
            for layer in layers:
                out = layer.forward(out)
            loss, grad = softmax_cross_entropy(out, y[idx])
            epoch_loss += loss * len(idx)
            for layer in reversed(layers):
                grad = layer.backward(grad)
            optimizer.step([p for layer in layers for p in layer.parameters()])
        losses.append(epoch_loss / len(X))
        if losses[-1] < best - 1e-4:
            best, waited = losses[-1], 0
        else:
            waited += 1
            if waited >= patience:
                break
    return losses, layers[0].W, layers[-1].b


def arguments(size):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(6 * size, 2))
    return X, np.digitize(X.sum(axis=1), [-0.7, 0.7]), rng
