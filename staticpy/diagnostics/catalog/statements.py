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

DELETE_STATEMENT = DiagnosticSpec(
    code="SPY101",
    slug="delete-statement",
    message="'del' cannot be compiled",
    help="remove it: what is no longer read takes no memory in a graph",
    explanation="""\
A name that is not read again is dropped by the compiler itself. Deleting items of lists and dicts
changes them in place, which is refused as well.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x * 2
    z = y + 1
    del y
    return z


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x * 2
    z = y + 1
    return z


f(np.ones(3))
""",
    nodes=("Delete",),
)

WITH_STATEMENT = DiagnosticSpec(
    code="SPY102",
    slug="with-statement",
    message="'with' cannot be compiled",
    help="enter the context outside: 'with np.errstate(…): y = f(x)'",
    explanation="""\
A context manager does something at run time when it is entered and left, which a graph can't
hold. Around the call of a compiled function it works as usual.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    with np.errstate(divide="ignore"):
        return 1 / x


f(np.zeros(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return 1 / x


with np.errstate(divide="ignore"):
    f(np.zeros(3))
""",
    nodes=("With", "withitem"),
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

TRY_STATEMENT = DiagnosticSpec(
    code="SPY105",
    slug="try-statement",
    message="'try' cannot be compiled",
    help="test for the case with 'if' or 'np.where', or catch the exception around the call",
    explanation="""\
Exceptions raised in a compiled function reach its caller as usual, where they can be caught.
Catching them inside is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    try:
        return x / (1 // n)
    except ZeroDivisionError:
        return x


f(np.ones(3), 1)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    if n != 0:
        return x / (1 // n)
    return x


f(np.ones(3), 1)
""",
    nodes=("Try", "TryStar", "ExceptHandler"),
)

RAISE_STATEMENT = DiagnosticSpec(
    code="SPY106",
    slug="raise-statement",
    message="'raise' cannot be compiled",
    help="use 'assert', or check the arguments before the call",
    explanation="""\
An `assert` is part of the language: it raises `AssertionError` at run time. Raising other
exceptions is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    if n < 0:
        raise ValueError("n is negative")
    return x * n


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    assert n >= 0, "n is negative"
    return x * n


f(np.ones(3), 2)
""",
    nodes=("Raise",),
)

MATCH_STATEMENT = DiagnosticSpec(
    code="SPY107",
    slug="match-statement",
    message="'match' cannot be compiled",
    help="write it as 'if … elif … else'",
    explanation="""\
Pattern matching is not part of this version. A chain of `if` and `elif` says the same, and one
whose conditions are known while compiling costs nothing at run time.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    match n:
        case 0:
            return x
        case _:
            return -x


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    if n == 0:
        return x
    else:
        return -x


f(np.ones(3), 2)
""",
    nodes=(
        "Match",
        "match_case",
        "MatchAs",
        "MatchClass",
        "MatchMapping",
        "MatchOr",
        "MatchSequence",
        "MatchSingleton",
        "MatchStar",
        "MatchValue",
    ),
)

GLOBAL_STATEMENT = DiagnosticSpec(
    code="SPY108",
    slug="global-statement",
    message="'global' cannot be compiled",
    help="remove it where the global is only read; where it is assigned, return the new value and "
    "let the caller assign it",
    explanation="""\
Assigning a global variable is an effect outside of the graph. Reading one needs no `global`
statement, and a change between two calls is seen.
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
    nodes=("Global",),
)

NONLOCAL_STATEMENT = DiagnosticSpec(
    code="SPY109",
    slug="nonlocal-statement",
    message="'nonlocal' cannot be compiled",
    help="return the new value from the inner function, and assign it in the outer one",
    explanation="""\
A nested function may read the variables of the functions around it, and sees their last value, as
in Python. Assigning them from inside is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = x

    def add(y):
        nonlocal total
        total = total + y

    add(x)
    return total


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = x

    def add(y):
        return total + y

    total = add(x)
    return total


f(np.ones(3))
""",
    nodes=("Nonlocal",),
)

IMPORT_STATEMENT = DiagnosticSpec(
    code="SPY110",
    slug="import-statement",
    message="'import' cannot be compiled",
    help="move the import to the top of the module",
    explanation="""\
Importing a module runs its code, once. Modules that are imported outside of the function can be
used inside.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    import math

    return x * math.pi


f(np.ones(3))
""",
    good="""\
import math

import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x * math.pi


f(np.ones(3))
""",
    nodes=("Import", "ImportFrom", "alias"),
)
