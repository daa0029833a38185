"""SPY4xx: branches, loops, returns, recursion."""

from staticpy.diagnostics.spec import DiagnosticSpec

POSSIBLY_UNBOUND = DiagnosticSpec(
    code="SPY401",
    slug="possibly-unbound",
    message="'{name}' is not assigned on every path that reaches this line",
    help="assign '{name}' before the 'if' or the loop, or in the other branch too",
    explanation="""\
Which branch is taken, or whether a loop runs at all, is known only at run time, and one of the
paths leaves the name without a value. Where Python would raise `UnboundLocalError` only on that
path and the compiled program could not, the function is refused.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        pair = (x, x)
    return pair[0]


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    pair = (-x, -x)
    if x.sum() > 0:
        pair = (x, x)
    return pair[0]


f(np.ones(3))
""",
)

BRANCH_TYPE_MISMATCH = DiagnosticSpec(
    code="SPY402",
    slug="branch-type-mismatch",
    message="{name} is {left} after one branch and {right} after the other",
    help="give both branches the same type, for instance with 'float(…)' or '.astype(…)'",
    explanation="""\
The condition is known only at run time, so a value that both branches assign needs one type after
them: the same box (array, NumPy scalar, Python number), the same dtype, the same number of
dimensions, the same structure of tuples, lists and dicts. The sizes of the dimensions may differ.

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
        y = (x, x)
    return y


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        y = (x, -x)
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
    "'np.zeros_like(x)' or '0.0'",
    explanation="""\
How often the loop runs is known only at run time, so a variable that it changes needs one type,
from before the first round to after the last one. Python would give it one type when the loop
doesn't run, and another one when it does.
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

SOME_PATHS_RETURN_NONE = DiagnosticSpec(
    code="SPY404",
    slug="some-paths-return-none",
    message="'{name}' returns a value on some paths and None on others",
    help="add a 'return' with a value of the same type at the end of the function",
    explanation="""\
A path that reaches the end of a function without a `return` gives None. Whether it is taken is
known only at run time here, and a result that is an array or None has no type that the compiled
function could return.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    if x.sum() > 0:
        return x
    return -x


f(np.ones(3))
""",
)

RECURSION = DiagnosticSpec(
    code="SPY405",
    slug="recursion",
    message="'{name}' calls itself, directly or through other functions",
    help="write it as a 'while' or 'for' loop",
    explanation="""\
Calls are put in place of the call expression while compiling. A function that calls itself would
never come to an end there, so recursion is refused in this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def power(x, n):
    if n == 0:
        return x * 0 + 1
    return x * power(x, n - 1)


power(np.ones(3), 3)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def power(x, n):
    result = np.ones_like(x)
    for _ in range(n):
        result = result * x
    return result


power(np.ones(3), 3)
""",
)

UNSUPPORTED_ITERABLE = DiagnosticSpec(
    code="SPY406",
    slug="unsupported-iterable",
    message="a loop over a {type} cannot be compiled",
    help="loop over 'range', 'enumerate', 'zip', 'reversed', an array, a tuple, a list or a dict",
    explanation="""\
Python can iterate over this object, but a compiled loop has to know how many items there are, or
how to get one by its number. That is so for ranges, arrays (their rows), tuples, lists, dicts,
and `enumerate`, `zip` and `reversed` of them.
""",
    bad="""\
import numpy as np
import staticpy

pool = frozenset({1.0, 2.0})


@staticpy.jit
def f(x):
    for factor in pool:
        x = x * factor
    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy

factors = (1.0, 2.0)


@staticpy.jit
def f(x):
    for factor in factors:
        x = x * factor
    return x


f(np.ones(3))
""",
)

UNROLLED_TOO_OFTEN = DiagnosticSpec(
    code="SPY407",
    slug="unrolled-too-often",
    message="this loop has to be unrolled {count} times; the limit is {limit}",
    help="let every round compute the same types, so that the loop can stay a loop",
    explanation="""\
A loop whose rounds differ in type, or that picks items of a tuple by its number, is written out
round by round while compiling. Beyond a limit that would take more time and memory than it is
worth.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    pair = (x, x)
    for i in range(1000000):
        x = x + pair[i % 2]
    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    pair = np.stack((x, x))
    for i in range(1000):
        x = x + pair[i % 2]
    return x


f(np.ones(3))
""",
)
