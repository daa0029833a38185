"""Random numbers: drawn anew at each call, from generators and from NumPy's own."""

# ruff: noqa: NPY002 - the older functions

from __future__ import annotations

import numpy as np

from tests.support.cases import case


# A generator of the program's own.
@case((3,), (7,))
def draws(seed: int):
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=4), rng.random(), rng.integers(0, 10, size=(2, seed)), rng.integers(5),
        rng.uniform(-1, 1, 3), rng.choice([1, 2, 3]), rng.permutation(5), rng.poisson(3.0, size=2),
        rng.standard_normal((2, 2)), rng.exponential(2.0), rng.random(3, dtype=np.float32),
    )  # fmt: skip


# A shuffle is seen by the array.
@case((3,))
def shuffles(seed: int):
    rng = np.random.default_rng(seed)
    deck = np.arange(6)
    rng.shuffle(deck)
    return deck, rng.choice(deck, size=2, replace=False)


# Numbers drawn in a run-time loop, in order.
@case((3, 500))
def estimates_pi(seed: int, n: int):
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            hits += 1
    return 4 * hits / n


# NumPy's own generator, seeded in the program.
@case((3,))
def draws_of_numpy(seed: int):
    np.random.seed(seed)
    a = np.random.rand(3)
    np.random.shuffle(a)
    return (
        a, np.random.randn(), np.random.randint(0, 5, 4), np.random.normal(0, 1, (2, 2)),
        np.random.choice(5), np.random.permutation(4), np.random.uniform(size=seed),
    )  # fmt: skip


# Two generators with one seed draw the same numbers, each on its own.
@case((3,))
def two_generators(seed: int):
    p, q = np.random.default_rng(seed), np.random.default_rng(seed)
    old = np.random.RandomState(seed)
    return p.random(), q.random(), p.random(), old.rand(2), old.randint(9)


def noisy(rng, x):
    return x + rng.normal(size=x.shape)


# A generator is passed on.
@case((5,))
def passes_a_generator(seed: int):
    rng = np.random.default_rng(seed)
    return noisy(rng, np.zeros(2)), noisy(rng, np.zeros((2, 2)))


class Walk:
    """A walk with a generator of its own."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.place = np.zeros(2)

    def step(self):
        self.place = self.place + self.rng.normal(size=2)
        return self.place


# An object holds a generator.
@case((1, 3), (2, 0))
def walks(seed: int, n: int):
    walk = Walk(seed)
    for _ in range(n):
        walk.step()
    return walk.place


# A generator draws from an object that others may draw from, too.
@case((3, 4), (0, 0))
def sources_of_bits(seed: int, n: int):
    bits = np.random.PCG64(seed)
    one, other = np.random.Generator(bits), np.random.Generator(bit_generator=bits)
    drawn = one.random(n), other.random(n), one.integers(0, 9, size=3)
    spread = np.random.default_rng(np.random.SeedSequence(entropy=seed)).normal(size=2)
    return drawn, spread, np.random.RandomState(np.random.MT19937(seed)).rand(2)


@case((3,), (4,))
def seeds_by_name(seed: int):
    rng = np.random.default_rng(seed=seed)
    return rng.random(), np.random.RandomState(seed=seed).randint(9), np.random.Philox(seed) is rng


# A list is put into another order in its place, as every name of it sees.
@case((3, [1.5, 2.5, 3.5, 4.5]), (4, [[1, 2], [3, 4], [5, 6]]), (0, [7]), (1, []))
def lists_in_another_order(seed, items):
    rng = np.random.default_rng(seed)
    same, places = items, list(range(5))
    rng.shuffle(items)
    rng.shuffle(places)
    old = np.random.RandomState(seed)
    old.shuffle(places)
    return same, places, rng.random(), old.rand()


@case((2,), (5,))
def lists_in_the_order_of_the_program(n: int):
    np.random.seed(n)
    cards = []
    for k in range(n):
        cards.append(k * k)
    np.random.shuffle(cards)
    return cards, np.random.rand()


# What is a generator already, default_rng gives back: both names draw from one stream.
@case((3,))
def default_rng_of_a_generator(seed: int):
    def draw(rng):
        rng = np.random.default_rng(rng)
        return rng.random()

    rng = np.random.default_rng(seed)
    return draw(rng), draw(rng), draw(seed), rng is np.random.default_rng(seed=rng)
