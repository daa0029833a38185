"""SPY62x: tuples, lists, dicts, and what exists only while compiling."""

from staticpy.diagnostics.spec import DiagnosticSpec

NOT_A_RUNTIME_VALUE = DiagnosticSpec(
    code="SPY623",
    slug="not-a-runtime-value",
    message="{what} is {type}, which has no value in the running program",
    help="use a number, text, an array, or a tuple, list or dict of them here",
    explanation="""\
Functions that are defined inside, generators and the like are known while compiling only. Here the
running program needs a value that it could keep, hand over or print.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    scale = lambda y: y * n
    print(scale)
    return scale(x)


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    scale = lambda y: y * n
    print(scale(1))
    return scale(x)


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
    help="convert an operand before: 'complex(x)' for a root of a negative number",
    explanation="""\
The type of a Python power depends on the values: a fractional power of a float is a float, unless
the float is negative; then it is complex. The compiled function takes the usual case, and tests at
run time that it is the one at hand. Where it is not, the call is refused: it never goes on with a
number of another type. (`2 ** n`, which is a float where `n` is negative, is compiled as it is.)
""",
    bad="""\
import staticpy


@staticpy.jit
def f(x):
    return x**0.5


f(-4.0)
""",
    good="""\
import staticpy


@staticpy.jit
def f(x):
    return complex(x) ** 0.5


f(-4.0)
""",
)

LIST_OF_OTHER_TYPE = DiagnosticSpec(
    code="SPY626",
    slug="list-of-other-type",
    message="the array made of this list is {found}, but the function was compiled for {expected}",
    help="give the dtype, as 'np.array(items, dtype=np.int64)' does",
    explanation="""\
NumPy finds the dtype and the number of axes of `np.array(items)` from the items. The compiled
function takes those that follow from the items' type. An empty list makes a float64 array of one
axis, whatever its items would have been, and Python ints that are too long for int64 make another
one. Then the call is refused: it never goes on with an array of another type. Lists of the running
program are part of graphs that are written as text; the lists of a compiled function have a length
that is known while compiling.
""",
    bad="""\
from staticpy.backends import get_backend
from staticpy.ir import parse_module
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%l: list[int]) -> i64[?] {
    %x = list.array %l {dtype = none, element = i64, rank = 1} : i64[?]
    return %x
  }
}
'''

f = get_backend("python_source").compile(parse_module(TEXT, REGISTRY))
f([])
""",
    good="""\
from staticpy.backends import get_backend
from staticpy.ir import parse_module
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%l: list[int]) -> i64[?] {
    %x = list.array %l {dtype = i64, element = i64, rank = 1} : i64[?]
    return %x
  }
}
'''

f = get_backend("python_source").compile(parse_module(TEXT, REGISTRY))
f([])
""",
)

RESULT_OF_OTHER_TYPE = DiagnosticSpec(
    code="SPY627",
    slug="result-of-other-type",
    message="'{function}' gives {found} for these values, but the function was compiled for "
    "{expected}",
    help="give what decides about the result as a constant, or call it outside of the function and "
    "pass the result as an argument",
    explanation="""\
What some of NumPy's functions return depends on the values or the sizes: `np.unravel_index(i, x)`
returns as many arrays as `x` has elements. The compiled function takes what the function gives for
samples of these types, and tests at run time that it is what comes out. Where it is not, the call
is refused: it never goes on with an array of another type.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(shape):
    return np.unravel_index(3, shape)


f(np.array([2, 2]))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(shape):
    return np.unravel_index(3, (shape[0], shape[1]))


f(np.array([2, 2]))
""",
)

HOLDS_ITSELF = DiagnosticSpec(
    code="SPY628",
    slug="holds-itself",
    message="a {kind} that holds itself can't be a value of the running program",
    help="put a copy into it, as in 'x.append(list(x))', or link objects of a class of your own",
    explanation="""\
What a list or dict holds is part of its type, all the way down: one that holds itself has no end of
it, and is known while compiling only. Objects of classes of the program may lead back to
themselves.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(n):
    levels = [n]
    levels.append(levels)
    return levels


f(2)
""",
    good="""\
import staticpy


@staticpy.jit
def f(n):
    levels = [n]
    levels.append(list(levels))
    return levels


f(2)
""",
)
