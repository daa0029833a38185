"""SPY4xx: branches, loops, returns, recursion."""

from staticpy.diagnostics.spec import DiagnosticSpec

BRANCH_TYPE_MISMATCH = DiagnosticSpec(
    code="SPY402",
    slug="branch-type-mismatch",
    message="{name} is {left} after one branch and {right} after the other",
    help="give both branches the same type, for instance with 'float(…)' or '.astype(…)'",
    explanation="""\
The condition is known only at run time, so a value that both branches assign needs one type after
them: for arrays the same dtype and the same number of dimensions, for tuples, lists and dicts the
same structure. Sizes may differ, and so may the kind of a number: an int on one path and a float or
a NumPy scalar on the other is fine.

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
    message="a loop over {type} cannot be compiled together with the other things it loops over",
    help="make an array of the items: 'np.stack(items)', and loop over its rows",
    explanation="""\
A loop over a tuple, a list or a dict is written out item by item while compiling; a loop over an
array or a range stays a loop. `zip` and `enumerate` of both kinds at once fit neither.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, a, b):
    total = np.float64(0.0)
    for row, weight in zip(x, (a, b)):
        total = total + row * weight
    return total


f(np.ones(2), 1.0, 2.0)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, a, b):
    total = np.float64(0.0)
    for row, weight in zip(x, np.stack((a, b))):
        total = total + row * weight
    return total


f(np.ones(2), 1.0, 2.0)
""",
)
