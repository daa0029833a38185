"""SPY4xx: branches, loops, returns, recursion."""

from staticpy.diagnostics.spec import DiagnosticSpec, Severity

BRANCH_TYPE_MISMATCH = DiagnosticSpec(
    code="SPY402",
    slug="branch-type-mismatch",
    message="{name} is {left} after one branch and {right} after the other",
    help="give both branches the same type, or use the value inside of each branch",
    explanation="""\
The condition is known only at run time, so what is read after both branches is one value that may
be either. Numbers, arrays, strings, None, tuples and lists of them may differ in type; each use is
compiled for either. Functions, modules, sets and the like have no value in the running program.

If the condition can be known while compiling (it depends on shapes, types or constants only), the
branch that is not taken is not looked at.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        y = x
    else:
        y = lambda a: x + a
    return y


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        y = x
    else:
        y = (x, x)
    return y


f(np.ones(3))
""",
)

LOOP_TYPE_CHANGE = DiagnosticSpec(
    code="SPY403",
    slug="loop-type-change",
    message="'{name}' is {before} before the loop and {after} after one round",
    help="start with a value of the type that the loop computes, for instance "
    "'np.zeros_like(x)', 'np.float64(0.0)' or '0.0'",
    explanation="""\
How often the loop runs is known only at run time, so a variable that it changes needs one type,
from before the first round to after the last one. Python would give it one type when the loop
doesn't run, and another one when it does. The sizes of an array and the kind of a number may
change; the dtype and the number of dimensions of an array may not.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    row = x
    i = 0
    while i < n:
        row = (row, x)
        i = i + 1
    return row


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    row = x
    i = 0
    while i < n:
        row = row + x
        i = i + 1
    return row


f(np.ones(3), 2)
""",
)

RECURSION = DiagnosticSpec(
    code="SPY405",
    slug="recursion",
    message="'{name}' calls itself, directly or through other functions",
    help="give each call arguments and a result of the same types, let it write to lists and dicts "
    "rather than to attributes of an object from outside, or write it as a loop",
    explanation="""\
A function whose depth of recursion is known while compiling is written out; any other becomes a
function of the graph that calls itself. That needs types that come to an end: a tuple that is one
item longer in each call, or a result that holds the result of the next call, has another type at
each depth. A variable that such a function rebinds by `nonlocal` holds a number, an array or a
text, not a list or an object; and a generator that goes through itself must do so to a known depth.
What it writes to from outside, or gets as an argument, is a list or a dict, not an attribute.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def powers(x, n, found=()):
    if n == 0:
        return sum(found)
    return powers(x, n - 1, (*found, x**n))


powers(np.ones(3), 3)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def powers(x, n, total=0.0):
    if n == 0:
        return total
    return powers(x, n - 1, total + x**n)


powers(np.ones(3), 3)
""",
)

UNSUPPORTED_ITERABLE = DiagnosticSpec(
    code="SPY406",
    slug="unsupported-iterable",
    message="a loop over {type} cannot be compiled together with the other things it loops over",
    help="make a list of the items first: 'list(…)', 'sorted(the set)'",
    explanation="""\
A loop whose number of rounds is known only at run time takes each item by its place, or asks an
iterator for the next one. A set has no places, and a dict that the loop changes, or whose keys are
known at run time only, can't be asked item by item.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = 0.0
    for value, weight in zip(x, {1, 2}):
        total = total + value * weight
    return total


f(np.ones(2))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = 0.0
    for value, weight in zip(x, sorted({1, 2})):
        total = total + value * weight
    return total


f(np.ones(2))
""",
)

ALWAYS_RAISES = DiagnosticSpec(
    code="SPY407",
    slug="always-raises",
    message="this raises an exception whenever it is reached: {detail}",
    help="correct it; where the exception is meant, a 'raise' says so, or a 'try' around it",
    explanation="""\
Of what is known while compiling it follows that this raises: an index beyond a list whose items
are known, a key that a dict doesn't have, a variable that no path has bound, an attribute that the
object lacks, a division by the number 0. The function is compiled, and raises the exception when
it gets there, as Python does. Nothing is said where a handler around it catches the exception.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def f(x: float):\\n"
    "    weights = [0.5, 0.25]\\n"
    "    return x * weights[2]\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def f(x: float):\\n"
    "    weights = [0.5, 0.25]\\n"
    "    return x * weights[-1]\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)
