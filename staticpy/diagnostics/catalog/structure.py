"""SPY62x: tuples, lists, dicts, and what exists only while compiling."""

from staticpy.diagnostics.spec import DiagnosticSpec

INDEX_OUT_OF_RANGE = DiagnosticSpec(
    code="SPY620",
    slug="index-out-of-range",
    message="the index {index} is out of range for {length} items",
    help="use an index from 0 to the number of items minus one, or a negative one from the end",
    explanation="""\
The tuple or list has a known number of items, and this is not the place of one of them. Python
would raise `IndexError` when it came to this line.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    pair = (x, -x)
    return pair[2]


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    pair = (x, -x)
    return pair[1]


f(np.ones(3))
""",
)

MISSING_KEY = DiagnosticSpec(
    code="SPY621",
    slug="missing-key",
    message="the dict has no key {key}",
    help="use one of its keys: {keys}",
    explanation="""\
The keys of a dict are known while compiling, and this is not one of them. Python would raise
`KeyError` when it came to this line.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(parameters):
    return parameters["weights"] * 2


f({"weight": np.ones(3)})
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(parameters):
    return parameters["weight"] * 2


f({"weight": np.ones(3)})
""",
)

MIXED_KINDS = DiagnosticSpec(
    code="SPY622",
    slug="mixed-kinds",
    message="'{function}' would return {types}, depending on run-time values",
    help="convert the arguments to one type first, for instance with 'float(…)'",
    explanation="""\
The builtin returns one of its arguments as it is, and the arguments have different types. Which
one it is is known only at run time, so the result has no one type.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x * max(n, 0.5)


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x * max(float(n), 0.5)


f(np.ones(3), 2)
""",
)

NOT_A_RUNTIME_VALUE = DiagnosticSpec(
    code="SPY623",
    slug="not-a-runtime-value",
    message="{what} is {type}, where only a number or an array can be compiled",
    help="use a number or an array here; text has to be a constant",
    explanation="""\
Strings, None, tuples, lists, dicts, functions, modules and classes are known while compiling. The
running program computes with numbers and arrays only, and here it needs one.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    assert n > 0, ("n is", n)
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
)

UNSUPPORTED_RETURN = DiagnosticSpec(
    code="SPY624",
    slug="unsupported-return",
    message="a compiled function cannot return a value of type {type}",
    help="return numbers, strings, None, arrays, or tuples, lists and dicts of them",
    explanation="""\
What a compiled function returns is made anew at each call from the results of the graph. For this
type of object there is no way to make it: a function defined inside, an iterator, a method.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    def g(y):
        return x + y

    return g


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, y):
    def g(y):
        return x + y

    return g(y)


f(np.ones(3), 1.0)
""",
)


POWER_OF_OTHER_TYPE = DiagnosticSpec(
    code="SPY625",
    slug="power-of-other-type",
    message="{power} is of type {found}, but the function was compiled for {kind}",
    help="convert an operand before: 'float(n)' for a negative exponent, 'complex(x)' for a root "
    "of a negative number",
    explanation="""\
The type of a Python power depends on the values: `2 ** 3` is an int and `2 ** -3` a float, and a
fractional power of a negative float is complex. The compiled function takes the usual case, and
tests at run time that it is the one at hand. Where it is not, the call is refused: it never goes on
with a number of another type.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(n):
    return 2**n


f(-3)
""",
    good="""\
import staticpy


@staticpy.jit
def f(n):
    return 2.0**n


f(-3)
""",
)
