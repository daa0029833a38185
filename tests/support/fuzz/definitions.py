"""What stands above a random program in its module: classes, helpers, generators.

In: an ``Expressions``. Out: text, and the calls by which the program uses it.
"""

from __future__ import annotations

from tests.support.fuzz.expressions import Expressions

FAILURE = """\
class Failure(Exception):
    pass
"""

PAIR = """\
class Pair(NamedTuple):
    n: int
    w: float
"""

GENERATORS = """\
def numbers(n):
    for t in range(n):
        if t == {skipped}:
            continue
        yield t {op} {number}


def pairs(x):
    for t in x:
        yield t * 2
        yield t
"""

RECURSION = """\
def down(n, step=1):
    if n <= {stop}:
        return {last}
    return down(n - step) {op} n


def even(n):
    return n <= 0 or odd(n - 1)


def odd(n):
    return n > 0 and even(n - 1)
"""

BOX = """\
class Box:
    kind = {kind}

    def __init__(self, n, w=0.5):
        self.n = n
        self.w = w
        self.items = [{item}]
        self.x = np.array([w, 1.0])

    def add(self, n=1):
        self.n {augmented} n
        {effect}
        return self.n

    def peek(self, n):
        if n > self.n:
            return n {op} self.kind
        return self.n

    def scale(self, factor):
        self.w = self.w * factor
        self.x *= factor

    @property
    def twice(self):
        return self.n * 2

    @twice.setter
    def twice(self, n):
        self.n = n // 2

    def __call__(self, n):
        return self.n + n

    def __getitem__(self, position):
        return self.items[position]

    def __setitem__(self, position, value):
        self.items[position] = value

    def __add__(self, n):
        return Box(self.n + n, self.w)

    def __iadd__(self, n):
        self.n += n
        return self


class Child(Box):
    kind = 7

    def add(self, n=2):
        return super().add(n) + 1
"""


def helper(e: Expressions) -> str:
    """A function of two ints with an early return."""
    return (
        "def helper(p, q=2):\n"
        f"    if p {e.pick('< > ==')} q:\n"
        f"        return p {e.pick('+ - *')} q\n"
        f"    return q {e.pick('+ - *')} {e.rng.randrange(5)}\n"
    )


def variadic(e: Expressions) -> str:
    """Functions with variadic parameters, and one that calls its argument."""
    return (
        "def total(*values, start=0, **named):\n"
        f"    result = start {e.pick('+ -')} named.get('extra', 1)\n"
        "    for value in values:\n"
        f"        result = result {e.pick('+ -')} value\n"
        "    return result\n"
    )


def changer(e: Expressions) -> str:
    """Functions that write to what they are given."""
    return (
        "def change(values, position, value):\n"
        f"    values[position] {e.pick('= += -=')} value\n"
        f"    return {e.rng.choice(('value', 'values[0]', 'len(values)'))}\n"
    )


def classes(e: Expressions) -> str:
    """The class ``Box`` and one that inherits from it."""
    effects = ["self.items.append(n)", "self.x[0] += n", "self.w = self.w + 1", "self.last = n"]
    return BOX.format(
        kind=e.rng.randrange(1, 5),
        item=e.rng.choice(("n", "n, 1", "1, 2, 3")),
        augmented=e.pick("+= -="),
        effect=e.rng.choice(effects),
        op=e.pick("+ - *"),
    )


def definitions(e: Expressions) -> list[str]:
    """The text of each definition that the features ask for; the expressions then call them."""
    found: list[str] = []
    if e.has("exceptions"):
        found.append(FAILURE)
    if e.has("tuples"):
        found.append(PAIR)
    if e.has("objects"):
        found.append(classes(e))
    if e.has("generators"):
        number = e.rng.randrange(4)
        found.append(
            GENERATORS.format(skipped=e.rng.randrange(3), op=e.pick("+ - *"), number=number)
        )
    if e.has("recursion"):
        found.append(RECURSION.format(stop=e.rng.choice((0, 1)), last=1, op=e.pick("+ -")))
        e.functions += ["down(abs({}) % 7)", "int(even(abs({}) % 5))"]
    if e.has("calls"):
        found += [helper(e), variadic(e), changer(e)]
        e.functions += ["helper({})", "helper({}, q={})", "helper(q={}, p={})"]
        e.functions += ["total({}, {})", "total(*(1, {}), start={})", "total(extra={})"]
        if e.has("lists"):
            e.functions.append("change(li, 0, {})")
        if e.has("mutation"):
            e.functions.append("int(change(z, 0, {}) > {})")
    if e.has("closures"):
        found.append("def apply(function, value):\n    return function(value) + function(1)\n")
    return found
