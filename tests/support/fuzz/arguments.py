"""Random arguments, as text.

In: a seed and the features. Out: assignments of arrays, and the argument lists of some calls that
name them: of several sizes, and where a feature writes, with arguments that share memory.
"""

from __future__ import annotations

import random

SIZES = ((3, 3), (4, 4), (3, 1), (1, 3), (2, 3), (0, 0), (5, 5))
"""The sizes of the two vectors: equal, one of them 1, none that fits, and empty."""

PARAMETERS = {
    "": ("i", "j", "a", "x", "y"),
    "numbers": ("w", "s", "v", "flag"),
    "views": ("p",),
    "lists": ("items",),
    "dicts": ("table",),
    "objects": ("box",),
    "tuples": ("pair",),
}
"""The parameters that each feature brings."""

_SHARED = ("{x}", "{x}[::-1]", "{x}[:]", "{x}[1:]", "{y}")


def parameters(features: frozenset[str]) -> tuple[str, ...]:
    """The parameter list of a program."""
    return tuple(
        name
        for feature, names in PARAMETERS.items()
        if not feature or feature in features
        for name in names
    )


class Arguments:
    """The arguments of a program's calls."""

    def __init__(self, seed: int, features: frozenset[str]) -> None:
        self._rng = random.Random(f"arguments {seed}")
        self._features = features
        self._share = bool(features & {"mutation", "views", "lists"})

    def write(self, count: int) -> tuple[list[str], list[str]]:
        """The text of the arrays, and of the arguments of ``count`` calls."""
        arrays: list[str] = []
        calls: list[str] = []
        sizes = [SIZES[0], *self._rng.sample(SIZES[1:], count - 1)]
        for number, (first, second) in enumerate(sizes):
            arrays.append(f"X{number} = {self._vector(first)}")
            arrays.append(f"Y{number} = {self._vector(second)}")
            if "views" in self._features:
                arrays.append(f"P{number} = {self._matrix()}")
            calls.append(self._call(number))
        return arrays, calls

    def _call(self, number: int) -> str:
        x, y = f"X{number}", f"Y{number}"
        if number and self._share and self._rng.random() < 0.5:
            y = self._rng.choice(_SHARED).format(x=x, y=y)
        n = self._rng.randint
        values = {
            "i": str(n(-5, 8)),
            "j": str(n(0, 6)),
            "a": self._float(),
            "x": x,
            "y": y,
            "w": f"complex({self._float()}, {self._float()})",
            "s": f"np.float64({self._float()})",
            "v": f"np.array([{n(-3, 5)}, {n(-3, 5)}, {n(0, 9)}])",
            "flag": str(self._rng.random() < 0.5),
            "p": f"P{number}",
            "items": str([n(-3, 6) for _ in range(n(0, 4))]),
            "table": f"{{'n': {n(-3, 6)}, 'q': {n(0, 4)}}}",
            "box": f"Box({n(-3, 6)}, {self._float()})",
            "pair": f"({n(-3, 6)}, {self._float()})",
        }
        return ", ".join(values[name] for name in parameters(self._features))

    def _float(self) -> str:
        return self._rng.choice(("0.0", "-0.0", "1.5", repr(round(self._rng.gauss(0, 1), 3))))

    def _vector(self, size: int) -> str:
        numbers = [round(self._rng.gauss(0, 1), 3) for _ in range(size)]
        return f"np.array({numbers})" if numbers else "np.zeros(0)"

    def _matrix(self) -> str:
        rows = [[round(self._rng.gauss(0, 1), 2) for _ in range(3)] for _ in range(2)]
        return f"np.array({rows})" if self._rng.random() < 0.8 else f"np.array({rows}).T[:2, ::-1]"
