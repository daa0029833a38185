"""Handwritten digits: a perceptron and a convolution net, each step of training one graph.

The 8 x 8 images that ship with scikit-learn, a progress bar of tqdm, the loss as it falls, and a
picture of the curves and of what is taken for what, drawn by matplotlib: `pip install
'staticpy[examples]'`.

Run it: python examples/digits.py [--quick] [--live] [--picture digits.png]
"""

import argparse
import time

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import staticpy
from staticpy import nn, optim

BATCH = 64


class Perceptron(nn.Cell):
    """Two Dense layers over all pixels."""

    def __init__(self, rng):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Flatten(), nn.Dense(64, 128, rng=rng), nn.ReLU(), nn.Dense(128, 10, rng=rng)
        )

    def construct(self, x):
        """``f32[n, 1, 8, 8]`` to ``f32[n, 10]``, a score of each class."""
        return self.layers(x)


class ConvolutionNet(nn.Cell):
    """Like LeNet: convolutions and pooling, then Dense layers."""

    def __init__(self, rng):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 16, 3, has_bias=True, rng=rng),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, has_bias=True, rng=rng),
            nn.ReLU(),
            nn.MaxPool2d(2, stride=2),
        )
        self.head = nn.SequentialCell(
            nn.Flatten(),
            nn.Dropout(p=0.3, rng=rng),
            nn.Dense(32 * 4 * 4, 64, rng=rng),
            nn.ReLU(),
            nn.Dense(64, 10, rng=rng),
        )

    def construct(self, x):
        """``f32[n, 1, 8, 8]`` to ``f32[n, 10]``, a score of each class."""
        return self.head(self.features(x))


def load(seed):
    """Images and labels, in an order that the seed gives.

    Returns:
        ``f32[n, 1, 8, 8]`` images and ``i64[n]`` labels to train with, and the same to test with.
    """
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(images))
    images = (images[order] / 16).astype(np.float32).reshape(-1, 1, 8, 8)
    labels = labels[order]
    return (images[:1437], labels[:1437]), (images[1437:], labels[1437:])


@staticpy.jit
def classify(net, images):
    """The class of each image."""
    return np.argmax(net(images), axis=1)


class LivePlot:
    """A window with the loss of each step, drawn anew from time to time while a net learns.

    Where matplotlib has no window to show, as on a server, it is drawn all the same, unseen.
    """

    def __init__(self, title):
        plt.ion()
        self.figure, self.axes = plt.subplots(figsize=(6, 4), layout="constrained")
        self.axes.set(title=title, xlabel="step", ylabel="loss", yscale="log")
        (self.line,) = self.axes.plot([])
        self.losses = []

    def add(self, losses):
        """Draw some more."""
        self.losses += losses
        self.line.set_data(range(len(self.losses)), self.losses)
        self.axes.relim()
        self.axes.autoscale_view()
        self.figure.canvas.draw_idle()
        self.figure.canvas.flush_events()

    def close(self):
        """Close the window."""
        plt.close(self.figure)
        plt.ioff()


def train(net, data, test, epochs, rng, plot=None):
    """Train with Adam and a falling rate; a LivePlot gets the losses of each epoch.

    Returns:
        For each epoch the mean loss and the accuracy on the images to test with.
    """
    criterion = nn.CrossEntropyLoss()
    batches = nn.batches(*data, batch_size=BATCH, shuffle=True, rng=rng)
    optimizer = optim.Adam(net, lr=optim.schedules.Cosine(2e-3, steps=epochs * len(batches)))

    def loss(net, images, labels):
        return criterion(net(images), labels)

    @staticpy.jit
    def step(net, images, labels):
        value, grads = staticpy.value_and_grad(loss)(net, images, labels)
        optimizer.step(grads)
        return value

    curve = []
    with tqdm(total=epochs * len(batches), desc=type(net).__name__, unit="step") as bar:
        for _ in range(epochs):
            net.set_train()
            losses = []
            for images, labels in batches:
                losses.append(step(net, images, labels).item())
                bar.update()
            if plot is not None:
                plot.add(losses)
            net.set_train(False)
            right = classify(net, test[0]) == test[1]
            curve.append((float(np.mean(losses)), float(right.mean())))
            bar.set_postfix(loss=f"{curve[-1][0]:.4f}", accuracy=f"{curve[-1][1]:.2%}")
    return curve


def confusion(found, labels):
    """``i64[10, 10]``: how many images of the row's digit were taken for the column's."""
    matrix = np.zeros((10, 10), dtype=np.int64)
    np.add.at(matrix, (labels, found), 1)
    return matrix


def draw(path, curves, matrices):
    """The curves of the two, and below which digits are taken for which."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 8), layout="constrained")
    for name, curve in curves.items():
        losses, accuracies = zip(*curve, strict=True)
        epochs = range(1, len(curve) + 1)
        axes[0, 0].semilogy(epochs, losses, label=name)
        axes[0, 1].plot(epochs, accuracies, label=f"{name}: {accuracies[-1]:.2%}")
    axes[0, 0].set(title="training loss", xlabel="epoch")
    axes[0, 1].set(title="test accuracy", xlabel="epoch", ylim=(0.9, 1.0))
    axes[0, 0].legend()
    axes[0, 1].legend()
    for place, (name, matrix) in zip(axes[1], matrices.items(), strict=True):
        place.imshow(matrix, cmap="Blues", norm=mpl.colors.SymLogNorm(1, vmin=0, vmax=50))
        for row, column in np.argwhere(matrix > 0):
            color = "white" if matrix[row, column] > 10 else "black"
            place.text(column, row, matrix[row, column], ha="center", va="center", color=color)
        place.set(title=name, xlabel="taken for", ylabel="digit")
        place.set(xticks=range(10), yticks=range(10))
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(epochs=(30, 30), picture=None, live=False):
    """Train both, print their accuracies, and draw the picture if it has a path."""
    data, test = load(seed=0)
    curves, matrices = {}, {}
    for kind, count in zip((Perceptron, ConvolutionNet), epochs, strict=True):
        rng = np.random.default_rng(1)
        net = kind(rng)
        plot = LivePlot(kind.__name__) if live else None
        curve = train(net, data, test, count, rng, plot)
        if plot is not None:
            plot.close()
        curves[kind.__name__] = curve
        matrices[kind.__name__] = confusion(classify(net, test[0]), test[1])
        print(f"{kind.__name__}: {curve[-1][1]:.2%} of {len(test[1])} test images")
    if picture is not None:
        draw(picture, curves, matrices)
        print(f"drawn: {picture}")
    return curves, matrices


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a few epochs")
    parser.add_argument("--live", action="store_true", help="show the loss while it learns")
    parser.add_argument("--picture", default="digits.png", help="where the picture is saved")
    arguments = parser.parse_args()
    start = time.perf_counter()
    main((5, 2) if arguments.quick else (30, 30), arguments.picture, arguments.live)
    print(f"{time.perf_counter() - start:.0f} s")
