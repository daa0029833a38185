"""Text, character by character: a GRU and a small transformer learn which one follows.

Both read 24 characters at a time and say of each what comes next. A step of training is one graph.
The text is that of this file's directory: `characters.txt`.

The bar is tqdm's: `pip install 'staticpy[examples]'`.

Run it: python examples/characters.py
"""

from pathlib import Path

import numpy as np
from tqdm import tqdm

import staticpy
from staticpy import nn, optim

LENGTH, BATCH, WIDTH = 24, 32, 48
TEXT = Path(__file__).with_name("characters.txt").read_text(encoding="utf-8")
LETTERS = sorted(set(TEXT))
CODES = np.array([LETTERS.index(letter) for letter in TEXT])


class Recurrent(nn.Cell):
    """A GRU reads one character after the other, and keeps in its state what it needs."""

    def __init__(self, rng):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS), WIDTH, rng=rng)
        self.gru = nn.GRU(WIDTH, WIDTH, batch_first=True, rng=rng)
        self.scores = nn.Dense(WIDTH, len(LETTERS), rng=rng)

    def construct(self, codes):
        """``i64[n, length]`` to ``f32[n, length, letters]``, scores of what follows."""
        states, _ = self.gru(self.letters(codes))
        return self.scores(states)


class Transformer(nn.Cell):
    """Each character looks at those before it, and knows where it stands."""

    def __init__(self, rng):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS), WIDTH, rng=rng)
        self.places = nn.Embedding(LENGTH, WIDTH, rng=rng)
        self.attention = nn.MultiHeadAttention(WIDTH, 4, batch_first=True, rng=rng)
        self.norms = [nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))]
        self.thinking = nn.SequentialCell(
            nn.Dense(WIDTH, 2 * WIDTH, rng=rng), nn.GELU(), nn.Dense(2 * WIDTH, WIDTH, rng=rng)
        )
        self.scores = nn.Dense(WIDTH, len(LETTERS), rng=rng)

    def construct(self, codes):
        """``i64[n, length]`` to ``f32[n, length, letters]``, scores of what follows."""
        x = self.letters(codes) + self.places(np.arange(codes.shape[1]))
        near = self.norms[0](x)
        x = x + self.attention(near, is_causal=True)
        x = x + self.thinking(self.norms[1](x))
        return self.scores(x)


def windows(rng):
    """Pieces of the text from random places, and the same one character later.

    Returns:
        Two ``i64[BATCH, LENGTH]``.
    """
    starts = rng.integers(0, len(CODES) - LENGTH - 1, BATCH)
    places = starts[:, None] + np.arange(LENGTH)
    return CODES[places], CODES[places + 1]


def train(net, steps, rng):
    """Train with Adam.

    Returns:
        The losses, a float for each step.
    """
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.Adam(net, lr=optim.schedules.Cosine(5e-3, steps=steps))

    def loss(net, codes, following):
        return criterion(net(codes).reshape((-1, len(LETTERS))), following.reshape(-1))

    @staticpy.jit
    def step(net, codes, following):
        value, grads = staticpy.value_and_grad(loss)(net, codes, following)
        optimizer.step(grads)
        return value

    losses = []
    with tqdm(range(steps), desc=type(net).__name__, unit="step") as bar:
        for _ in bar:
            losses.append(step(net, *windows(rng)).item())
            bar.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
    return losses


@staticpy.jit
def next_scores(net, codes):
    """The scores of what follows the last character."""
    return net(codes)[0, -1]


def written(net, beginning, count, rng):
    """The beginning, and what the net writes on: drawn by its probabilities, a little sharpened."""
    text = beginning
    for _ in range(count):
        codes = np.array([[LETTERS.index(letter) for letter in text[-LENGTH:]]])
        scores = next_scores(net, codes).detach().numpy().astype(float) / 0.7
        chances = np.exp(scores - scores.max())
        text += LETTERS[rng.choice(len(LETTERS), p=chances / chances.sum())]
    return text


def main(steps=400, count=120):
    """Train both, and let them write."""
    results = {}
    for kind in (Recurrent, Transformer):
        rng = np.random.default_rng(0)
        net = kind(rng)
        losses = train(net, steps, rng)
        first, last = losses[0], float(np.mean(losses[-20:]))
        text = written(net, "The river ", count, rng)
        print(f"{kind.__name__}: loss {first:.2f} at first, {last:.2f} at the end")
        print(text)
        results[kind.__name__] = first, last
    return results


if __name__ == "__main__":
    main()
