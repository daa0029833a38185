"""Random programs of the language, as text.

In: a seed. Out: the source of a function ``program(i, j, a, x, y)`` of two Python ints, a Python
float and two float64 vectors, with nested control flow, early exits, calls and variables that are
bound on some paths only. A program always ends: every loop is bounded, and so is the size of every
array. It may well raise; CPython decides what is right.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np

INTS = ("i", "j", "k", "m")
FLOATS = ("a", "b", "c")
ARRAYS = ("x", "y", "z")


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lines: list[str] = []
        self._loops = 0
        self._budget = 28
        self._kind = self._random.randrange(5)
        self._ints = INTS + ("u",) * (self._random.random() < 0.3)

    def program(self) -> str:
        self._line(0, "def helper(p, q=2):")
        self._line(1, f"if p {self._pick('< > ==')} q:")
        self._line(2, f"return p {self._pick('+ - *')} q")
        self._line(1, f"return q {self._pick('+ - *')} {self._random.randrange(5)}")
        self._line(0, "")
        self._line(0, "")
        self._line(0, "def program(i, j, a, x, y):")
        first = ["k = 3", "m = j", "b = 0.5", "c = a", "z = x + 1"]
        self._random.shuffle(first)
        for line in first[1:]:
            self._line(1, line)
        if self._random.random() < 0.8:
            self._line(1, "if i > j:")
        self._line(2 if self._lines[-1].endswith(":") else 1, first[0])
        if "u" in self._ints:  # bound late, or never
            self._line(1, "for u in range(j - 3):")
            self._line(2, "pass")
        self._block(1, 0, self._random.randint(3, 7))
        self._line(1, f"return {self._result()}")
        return "\n".join(self._lines) + "\n"

    def _line(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _pick(self, choices: str) -> str:
        return self._random.choice(choices.split())

    def _result(self) -> str:
        """The same structure at every return, of numbers that differ."""
        i, a = self._random.choice(self._ints), self._random.choice(FLOATS)
        texts = ["({0}, j, {1})", "({0}, k)", "{{'x': x, 'i': {0}}}", "[a, {1}, {0}]", "(x, y, z)"]
        return texts[self._kind].format(i, a)

    # --- statements -------------------------------------------------------------------------------

    def _block(self, depth: int, loops: int, length: int) -> None:
        for _ in range(length):
            self._statement(depth, loops)

    def _statement(self, depth: int, loops: int) -> None:
        self._budget -= 1
        simple = [self._assign, self._assign, self._assign_array, self._assign_float]
        nested = [self._if, self._if, self._while, self._for, self._for_rows, self._inner]
        if loops:
            simple += [self._exit]
        choices = simple if depth > 4 or self._budget < 0 else simple + nested
        self._random.choice(choices)(depth, loops)

    def _assign(self, depth: int, loops: int) -> None:
        if self._random.random() < 0.3:
            op = self._pick("+= -= //=")
            self._line(depth, f"{self._random.choice(self._ints)} {op} {self._int(1)}")
        elif self._random.random() < 0.15:
            self._line(depth, f"{self._pick('i,j k,m j,k')} = {self._int(1)}, {self._int(1)}")
        else:
            self._line(depth, f"{self._random.choice(self._ints)} = {self._int(2)}")

    def _assign_float(self, depth: int, loops: int) -> None:
        self._line(depth, f"{self._random.choice(FLOATS)} = {self._float(2)}")

    def _assign_array(self, depth: int, loops: int) -> None:
        if self._random.random() < 0.15:
            op = self._pick("+= *= -=")
            self._line(depth, f"{self._random.choice(ARRAYS)} {op} {self._float(1)}")
        else:
            self._line(depth, f"{self._random.choice(ARRAYS)} = {self._array(2)}")

    def _exit(self, depth: int, loops: int) -> None:
        kind = self._random.choice(["break", "continue", "return"])
        self._line(depth, f"if {self._condition(1)}:")
        self._line(depth + 1, f"return {self._result()}" if kind == "return" else kind)

    def _if(self, depth: int, loops: int) -> None:
        self._line(depth, f"if {self._condition(2)}:")
        self._block(depth + 1, loops, self._random.randint(1, 2))
        if self._random.random() < 0.3:
            self._line(depth, f"elif {self._condition(1)}:")
            self._block(depth + 1, loops, 1)
        if self._random.random() < 0.6:
            self._line(depth, "else:")
            self._block(depth + 1, loops, self._random.randint(1, 2))

    def _while(self, depth: int, loops: int) -> None:
        self._loops += 1
        counter = f"n{self._loops}"
        self._line(depth, f"{counter} = 0")
        self._line(
            depth, f"while {counter} < {self._random.randint(1, 4)} and ({self._condition(1)}):"
        )
        self._line(depth + 1, f"{counter} += 1")
        self._block(depth + 1, loops + 1, self._random.randint(1, 3))

    def _for(self, depth: int, loops: int) -> None:
        bounds = self._random.choice(["3", "k % 4", "i % 3, 5", "4, 0, -2", "j % 5"])
        target = self._random.choice(["k", "m", "t"])
        self._line(depth, f"for {target} in range({bounds}):")
        self._block(depth + 1, loops + 1, self._random.randint(1, 3))

    def _for_rows(self, depth: int, loops: int) -> None:
        headers = ["for e in x:", "for t, e in enumerate(y):", "for e, f in zip(x, y):"]
        headers += ["for t in (1, 2, i):", "for t, e in enumerate((a, 0.5)):"]
        header = self._random.choice(headers)
        self._line(depth, header)
        body = "m = m + 1" if "t in (" in header else "c = c * 0.5 + float(e)"
        self._line(depth + 1, body)
        self._block(depth + 1, loops + 1, self._random.randint(0, 2))

    def _inner(self, depth: int, loops: int) -> None:
        name = self._pick("g h")
        self._line(depth, f"def {name}(p):")
        self._line(depth + 1, f"return p {self._pick('+ - *')} {self._pick('i j 2')}")
        self._line(depth, f"k = {name}({self._int(1)})")

    # --- expressions ------------------------------------------------------------------------------

    def _int(self, depth: int) -> str:
        roll = self._random.random()
        if depth == 0 or roll < 0.35:
            return self._random.choice([*self._ints, str(self._random.randint(-4, 9)), "i", "j"])
        if roll < 0.7:
            op = self._pick("+ - // % *")  # a product is kept small: a loop would square it
            text = f"({self._int(depth - 1)} {op} {self._int(depth - 1)})"
            return f"({text} % 97)" if op == "*" else text
        if roll < 0.78:
            condition = self._condition(depth - 1)
            return f"({self._int(depth - 1)} if {condition} else {self._int(depth - 1)})"
        if roll < 0.84:
            return f"({self._int(depth - 1)} {self._pick('and or')} {self._int(depth - 1)})"
        if roll < 0.9:
            return f"helper({self._int(depth - 1)}, q={self._int(depth - 1)})"
        return self._random.choice(["len(x)", "x.shape[0]", "abs(i)", "-j", "min(i, j)"])

    def _float(self, depth: int) -> str:
        if depth == 0 or self._random.random() < 0.35:
            return self._random.choice([*FLOATS, "a", "1.5", "-0.25", "2.0"])
        roll = self._random.random()
        if roll < 0.6:
            return f"({self._float(depth - 1)} {self._pick('+ - * /')} {self._float(depth - 1)})"
        if roll < 0.75:
            return f"({self._float(depth - 1)} * {self._int(depth - 1)})"
        inner = self._array(depth - 1)  # the box depends on the path: a Python float, or NumPy's
        scalars = ["{}.sum()", "np.mean({})", "({0} @ {0})", "{}[i % 3]", "float({}[-1])"]
        return self._random.choice([*scalars, "np.max({})"]).format(inner)

    def _array(self, depth: int) -> str:
        roll = self._random.random()
        if depth == 0 or roll < 0.3:
            return self._random.choice([*ARRAYS, "x", "y"])
        if roll < 0.7:
            other = self._random.choice([self._array, self._float, self._int])(depth - 1)
            return f"({self._array(depth - 1)} {self._pick('+ - *')} {other})"
        inner = self._array(depth - 1)
        shapes = ["np.tanh({})", "np.maximum({}, 0.0)", "{}[::-1]", "np.where({} > 0, x, y)"]
        shapes += [
            "{}.copy()",
            "{}[1:]",
            "{}[k:]",
            "np.clip({}, -1.0, 1.0)",
            "{}.astype(np.float64)",
        ]
        shapes += [
            "np.concatenate([{}, x])[:5]",
            "{}.reshape(1, -1)[0]",
            "np.zeros_like({})",
            "abs({})",
        ]
        shapes += ["np.stack(({0}, {0})).sum(axis=0)", "{}[{0} > 0.25]".replace("{}", "{0}")]
        return self._random.choice(shapes).format(inner)

    def _condition(self, depth: int) -> str:
        roll = self._random.random()
        if depth == 0 or roll < 0.5:
            return f"{self._int(0)} {self._pick('< <= > >= == !=')} {self._int(0)}"
        if roll < 0.65:
            return (
                f"{self._condition(depth - 1)} {self._pick('and or')} {self._condition(depth - 1)}"
            )
        if roll < 0.75:
            return f"not {self._condition(depth - 1)}"
        if roll < 0.85:
            return f"{self._float(1)} > {self._float(0)}"
        return self._random.choice(["x.sum() > 0", "i", "(x > y).any()", "-3 < i < j", "x[0] < a"])


def load(seed: int) -> tuple[str, Callable[..., Any]]:
    """The text of a program, and the function."""
    text = "import numpy as np\n\n\n" + Generator(seed).program()
    file = f"<program {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), namespace)  # the text is our own
    return text, namespace["program"]


SIZES = ((3, 3), (4, 4), (3, 1), (1, 3), (2, 3), (0, 0))
"""The sizes of the two vectors: equal, one of them 1, none that fits, and empty."""


def arguments(seed: int) -> list[tuple[Any, ...]]:
    """An argument list for each pair of sizes."""
    rng = np.random.default_rng(seed)
    numbers = [(int(rng.integers(-5, 9)), int(rng.integers(0, 7)), float(rng.normal()))] * 2
    numbers += [(int(rng.integers(-5, 9)), int(rng.integers(0, 7)), float(rng.normal()))] * 4
    return [
        (*scalars, rng.normal(size=first), rng.normal(size=second))
        for scalars, (first, second) in zip(numbers, SIZES, strict=True)
    ]
