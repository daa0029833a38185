"""SPY2xx: expressions outside of the language."""

from staticpy.diagnostics.spec import DiagnosticSpec

YIELD_VALUE = DiagnosticSpec(
    code="SPY202",
    slug="yield-value",
    message="the value of a 'yield' cannot be used",
    help="write 'yield' as a statement of its own, and give the generator what it needs as an "
    "argument",
    explanation="""\
What a `yield` gives back is what the user of the generator sends into it. In a graph a generator
is consumed by a loop, a comprehension or a function such as `sum`, which send nothing; the value
that `yield from` gives back is what a generator returns, which those drop.
""",
    bad="""\
import numpy as np
import staticpy


def steps(x):
    factor = yield x
    yield x * (factor or 2)


@staticpy.jit
def f(x):
    return [step for step in steps(x)]


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


def steps(x, factor):
    yield x
    yield x * factor


@staticpy.jit
def f(x):
    return [step for step in steps(x, 2)]


f(np.ones(3))
""",
    nodes=("Yield", "YieldFrom"),
)

TEMPLATE_STRING = DiagnosticSpec(
    code="SPY205",
    slug="template-string",
    message="a template string cannot be compiled",
    help="use an f-string, or make the template outside of the compiled function",
    explanation="""\
A template string (Python 3.14) keeps its values apart for a library to put together, which would
have to run inside of the graph. An f-string is part of the language.
""",
    bad="""\
from pathlib import Path

PROGRAM = '''
import staticpy


@staticpy.jit
def f(n):
    print(t"n is {n}")
    return n
'''
Path("model.py").write_text(PROGRAM)

# $ staticpy check model.py  (Python 3.14)
""",
    good="""\
from pathlib import Path

PROGRAM = '''
import staticpy


@staticpy.jit
def f(n):
    print(f"n is {n}")
    return n
'''
Path("model.py").write_text(PROGRAM)

# $ staticpy check model.py
""",
    nodes=("TemplateStr", "Interpolation"),
)

ESCAPING_GENERATOR = DiagnosticSpec(
    code="SPY209",
    slug="escaping-generator",
    message="a generator cannot leave the compiled function",
    help="return a list of the values: 'return [… for …]', or 'return list(generator)'",
    explanation="""\
A generator is run in pieces, whenever its user asks for the next item; a graph is run once, from
its inputs to its outputs. Inside of the compiled function a generator may be consumed, by a `for`
loop, a comprehension or a function such as `sum`.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    yield x
    yield -x


list(f(np.ones(3)))
""",
    good="""\
import numpy as np
import staticpy


def signs(x):
    yield x
    yield -x


@staticpy.jit
def f(x):
    return list(signs(x))


f(np.ones(3))
""",
)

ITERATOR_UNDECIDED = DiagnosticSpec(
    code="SPY210",
    slug="iterator-undecided",
    message="which iterator {name} is, or how far it has been gone through, depends on the path "
    "taken",
    help="make it before the 'if' or the loop; or choose between lists, and go through those",
    explanation="""\
How far an iterator is, `iter(…)`, a generator, `map` and their kin, is kept for the one object that
was made at one place. It goes through branches and loops, and `next` and `for` go on where it is.
What can't be is one variable for several iterators, by the path taken, or one that a loop makes
anew in each round and that is gone through after the loop.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, up):
    items = iter(x) if up else reversed(x)
    first = next(items)
    return first, sum(items)


f(np.ones(3), True)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, up):
    items = iter(x if up else x[::-1])
    first = next(items)
    return first, sum(items)


f(np.ones(3), True)
""",
)

GENERATOR_RESULT = DiagnosticSpec(
    code="SPY211",
    slug="generator-result",
    message="'next()' may end with a StopIteration that holds what '{name}' returns",
    help="give 'next' a default, 'next(items, None)', or let the generator return nothing and "
    "yield its result last",
    explanation="""\
What a generator returns is the value of the `StopIteration` with which `next` ends. Loops,
comprehensions and functions such as `sum` drop it, and so does a graph, in which a `StopIteration`
holds nothing.
""",
    bad="""\
import numpy as np
import staticpy


def halves(x):
    yield x / 2
    return x.sum()


@staticpy.jit
def f(x):
    items = halves(x)
    first = next(items)
    try:
        return next(items)
    except StopIteration as end:
        return first * end.value


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


def halves(x):
    yield x / 2
    yield x.sum()


@staticpy.jit
def f(x):
    items = halves(x)
    first = next(items)
    return first * next(items)


f(np.ones(3))
""",
)
