"""SPY1xx: statements and parameters outside of the language."""

from staticpy.diagnostics.spec import DiagnosticSpec

UNSUPPORTED_SYNTAX = DiagnosticSpec(
    code="SPY100",
    slug="unsupported-syntax",
    message="'{node}' is not part of the language that can be compiled",
    help="write it with the statements and expressions of the language, or leave it outside of the "
    "compiled function",
    explanation="""\
The grammar lists what is accepted; everything else is refused. Most refused constructs have a
code of their own: this one is for the rest, such as syntax that a newer Python has added.
""",
    bad="""\
from pathlib import Path

PROGRAM = '''
import staticpy


@staticpy.jit
def f(x):
    type Number = int | float
    return x
'''
Path("model.py").write_text(PROGRAM)

# $ staticpy check model.py  (Python 3.12)
""",
    good="""\
from pathlib import Path

PROGRAM = '''
import staticpy

type Number = int | float


@staticpy.jit
def f(x):
    return x
'''
Path("model.py").write_text(PROGRAM)

# $ staticpy check model.py  (Python 3.12)
""",
    nodes=("TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"),
)

ASYNC_CODE = DiagnosticSpec(
    code="SPY103",
    slug="async-code",
    message="'async' and 'await' cannot be compiled",
    help="await outside, and call the compiled function with what came back",
    explanation="""\
A graph runs from its inputs to its outputs without a stop, so it can't wait for something else.
An `async` function can call a compiled one.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    async def g(y):
        return y + 1

    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + 1


async def g(x):
    return f(x)


f(np.ones(3))
""",
    nodes=("AsyncFunctionDef", "AsyncFor", "AsyncWith", "Await"),
)

CLASS_DEFINITION = DiagnosticSpec(
    code="SPY104",
    slug="class-definition",
    message="a class cannot be defined inside of a compiled function",
    help="define the class outside; a method of it can be compiled",
    explanation="""\
Running a class statement makes a new type each time, which a graph can't do.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    class Scale:
        factor = 2.0

    return x * Scale.factor


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


class Scale:
    factor = 2.0


@staticpy.jit
def f(x):
    return x * Scale.factor


f(np.ones(3))
""",
    nodes=("ClassDef",),
)

EXCEPTION_GROUP = DiagnosticSpec(
    code="SPY105",
    slug="exception-group",
    message="'except*' cannot be compiled",
    help="use 'except' with a tuple of exceptions",
    explanation="""\
`except*` takes an exception group apart, which holds the exceptions of tasks that ran at once. A
graph runs one operation after the other, so there is one exception at a time.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    try:
        return x / (1 // n)
    except* ZeroDivisionError:
        n = 0
    return x


f(np.ones(3), 1)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    try:
        return x / (1 // n)
    except ZeroDivisionError:
        n = 0
    return x


f(np.ones(3), 1)
""",
    nodes=("TryStar",),
)

GLOBAL_WRITE = DiagnosticSpec(
    code="SPY108",
    slug="global-write",
    message="'{name}' is a variable of the module, and assigning it is an effect outside of the "
    "graph",
    help="return the new value, and let the caller assign '{name}'",
    explanation="""\
A graph computes its results and changes what its arguments hold. A variable of the module is
neither. Reading one is part of the language, with or without a `global` statement, and a change
between two calls is seen.
""",
    bad="""\
import numpy as np
import staticpy

count = 0


@staticpy.jit
def f(x):
    global count
    count = count + 1
    return x * count


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy

count = 0


@staticpy.jit
def f(x, count):
    count = count + 1
    return x * count, count


y, count = f(np.ones(3), count)
""",
)

NONLOCAL_WRITE = DiagnosticSpec(
    code="SPY109",
    slug="nonlocal-write",
    message="'{name}' is a variable of a function around the compiled one, and assigning it is an "
    "effect outside of the graph",
    help="return the new value, and let the caller assign '{name}'; or compile the function around "
    "this one",
    explanation="""\
A function that is nested in the compiled one may assign the variables of the functions around it,
as far as the compiled one. The variables beyond belong to plain Python, which would not see the
change.
""",
    bad="""\
import numpy as np
import staticpy


def counter():
    count = 0

    @staticpy.jit
    def step(x):
        nonlocal count
        count = count + 1
        return x * count

    return step


counter()(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    count = 0

    def step(y):
        nonlocal count
        count = count + 1
        return y * count

    return step(step(x))


f(np.ones(3))
""",
)
