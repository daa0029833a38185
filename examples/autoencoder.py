"""A variational autoencoder: images of strokes, each told by two numbers.

The encoder gives a mean and a width of these numbers, from which they are drawn; the decoder makes
an image of them. What is learned is a bound on the likelihood of the images (Kingma and Welling,
arXiv:1312.6114, eq. 10). The numbers are drawn in the graph, anew at each step, from a generator
that is an argument. The bar is tqdm's: `pip install 'staticpy[examples]'`.

Run it: python examples/autoencoder.py
"""

import numpy as np
from tqdm import tqdm

import staticpy
from staticpy import nn, optim

SIDE, LATENT = 8, 2


def make_images(seed, count=512):
    """Strokes that differ by their angle and their place.

    Returns:
        ``f32[count, 64]`` images of 8 by 8 from 0 to 1, and the ``f64[count]`` angles.
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, (count, 1, 1))
    place = rng.uniform(-1.5, 1.5, (count, 1, 1))
    down, right = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    distance = np.cos(angle) * down + np.sin(angle) * right - place
    images = np.exp(-(distance**2)).reshape(count, -1)
    return images.astype(np.float32), angle.ravel()


class Autoencoder(nn.Cell):
    """Two perceptrons, one into the two numbers and one out of them."""

    def __init__(self, rng):
        super().__init__()
        self.encoder = nn.SequentialCell(
            nn.Dense(SIDE**2, 64, rng=rng), nn.Tanh(), nn.Dense(64, 2 * LATENT, rng=rng)
        )
        self.decoder = nn.SequentialCell(
            nn.Dense(LATENT, 64, rng=rng), nn.Tanh(), nn.Dense(64, SIDE**2, rng=rng)
        )

    def encode(self, images):
        """``f32[n, 64]`` to the means and the logarithms of the variances, ``f32[n, 2]`` each."""
        found = self.encoder(images)
        return found[:, :LATENT], found[:, LATENT:]

    def construct(self, images, rng):
        """``f32[n, 64]`` to scores of the pixels ``f32[n, 64]``, means and log variances."""
        mean, log_variance = self.encode(images)
        noise = rng.normal(size=mean.shape).astype(np.float32)
        drawn = mean + np.exp(0.5 * log_variance) * noise
        return self.decoder(drawn), mean, log_variance


def loss(net, images, rng):
    """What the bound on the likelihood of an image lacks, on average.

    The cross entropy of the pixels, and the divergence of the numbers from a standard normal
    distribution (appendix B of the paper).
    """
    scores, mean, log_variance = net(images, rng)
    likely = np.maximum(scores, 0) - scores * images + np.log1p(np.exp(-np.abs(scores)))
    divergence = -0.5 * (1 + log_variance - mean**2 - np.exp(log_variance))
    return (likely.sum(axis=1) + divergence.sum(axis=1)).mean()


def train(net, images, steps, rng):
    """Train with Adam.

    Returns:
        The losses, a float for each step.
    """
    optimizer = optim.Adam(net, lr=5e-3)

    @staticpy.jit
    def step(net, batch, rng):
        value, grads = staticpy.value_and_grad(loss)(net, batch, rng)
        optimizer.step(grads)
        return value

    losses = []
    with tqdm(range(steps), unit="step") as bar:
        for _ in bar:
            batch = images[rng.integers(0, len(images), 64)]
            losses.append(step(net, batch, rng).item())
            bar.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    return losses


@staticpy.jit
def decoded(net, numbers):
    """The images that the decoder makes, ``f32[n, 64]`` from 0 to 1."""
    return nn.functional.sigmoid(net.decoder(numbers))


def shown(image):
    """An image as text, the brighter a pixel the darker its letter."""
    rows = image.reshape(SIDE, SIDE)
    return ["".join(" .:-=+*#%@"[int(9.99 * pixel)] * 2 for pixel in row) for row in rows]


def main(steps=600):
    """Train, and show images along a line through the numbers."""
    rng = np.random.default_rng(0)
    images, _ = make_images(seed=1)
    net = Autoencoder(rng)
    losses = train(net, images, steps, rng)
    first, last = float(np.mean(losses[:10])), float(np.mean(losses[-10:]))
    print(f"loss {first:.2f} at first, {last:.2f} at the end")
    line = np.linspace(-1.5, 1.5, 4, dtype=np.float32)[:, None] * np.ones(LATENT, np.float32)
    made = decoded(net, line).detach().numpy()
    for rows in zip(*map(shown, made), strict=True):
        print("   ".join(rows))
    return first, last, made


if __name__ == "__main__":
    main()
