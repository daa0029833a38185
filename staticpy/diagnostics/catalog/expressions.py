"""SPY2xx: expressions outside of the language."""

from staticpy.diagnostics.spec import DiagnosticSpec

YIELD_EXPRESSION = DiagnosticSpec(
    code="SPY202",
    slug="yield-expression",
    message="'yield' cannot be compiled",
    help="return a tuple or a list of the values",
    explanation="""\
A generator is run in pieces, whenever its user asks for the next item; a graph is run once, from
its inputs to its outputs.
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


@staticpy.jit
def f(x):
    return [x, -x]


list(f(np.ones(3)))
""",
    nodes=("Yield", "YieldFrom"),
)

NAMED_EXPRESSION = DiagnosticSpec(
    code="SPY203",
    slug="named-expression",
    message="':=' cannot be compiled",
    help="assign the name in a statement of its own before this one",
    explanation="""\
Assignment inside of an expression is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if (total := x.sum()) > 0:
        return x / total
    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = x.sum()
    if total > 0:
        return x / total
    return x


f(np.ones(3))
""",
    nodes=("NamedExpr",),
)

COMPREHENSION = DiagnosticSpec(
    code="SPY204",
    slug="comprehension",
    message="a comprehension cannot be compiled",
    help="write the items out, or use an array operation for all of them at once",
    explanation="""\
Comprehensions and generator expressions are not part of this version. Most of those over arrays
are one array operation; short ones can be written out.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.stack([x * k for k in (1, 2, 3)])


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.stack([x * 1, x * 2, x * 3])


f(np.ones(3))
""",
    nodes=("ListComp", "SetComp", "DictComp", "GeneratorExp", "comprehension"),
)

F_STRING = DiagnosticSpec(
    code="SPY205",
    slug="f-string",
    message="an f-string cannot be compiled",
    help="use a plain string, or make the text outside of the compiled function",
    explanation="""\
Text made from run-time values is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    assert n > 0, f"n is {n}"
    return x * n


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    assert n > 0, "n is not positive"
    return x * n


f(np.ones(3), 2)
""",
    nodes=("JoinedStr", "FormattedValue", "TemplateStr", "Interpolation"),
)

SET_DISPLAY = DiagnosticSpec(
    code="SPY206",
    slug="set-display",
    message="a set cannot be compiled",
    help="use a tuple or a list",
    explanation="""\
The items of a set have to be compared to each other, so how many there are would depend on
run-time values.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    if n in {1, 2}:
        return x
    return -x


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    if n == 1 or n == 2:
        return x
    return -x


f(np.ones(3), 2)
""",
    nodes=("Set",),
)

STARRED_EXPRESSION = DiagnosticSpec(
    code="SPY207",
    slug="starred-expression",
    message="'*' before an expression cannot be compiled",
    help="write the items out: 'g(pair[0], pair[1])'",
    explanation="""\
Unpacking into a call, a list, a tuple, or into a starred name is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(pair):
    return np.add(*pair)


f((np.ones(3), np.ones(3)))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(pair):
    return np.add(pair[0], pair[1])


f((np.ones(3), np.ones(3)))
""",
    nodes=("Starred",),
)

KEYWORD_UNPACKING = DiagnosticSpec(
    code="SPY208",
    slug="keyword-unpacking",
    message="'**' before an expression cannot be compiled",
    help="write the keywords or the keys out",
    explanation="""\
Unpacking a dict into a call or into another dict is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


def scale(x, factor):
    return x * factor


@staticpy.jit
def f(options):
    return scale(**options)


f({"x": np.ones(3), "factor": 2.0})
""",
    good="""\
import numpy as np
import staticpy


def scale(x, factor):
    return x * factor


@staticpy.jit
def f(options):
    return scale(x=options["x"], factor=options["factor"])


f({"x": np.ones(3), "factor": 2.0})
""",
)
