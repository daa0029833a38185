"""SPY11x: parameters, decorators, targets of assignments, parts of statements."""

from staticpy.diagnostics.spec import DiagnosticSpec

LOOP_ELSE = DiagnosticSpec(
    code="SPY113",
    slug="loop-else",
    message="'else' after a loop cannot be compiled",
    help="set a flag before 'break' and test it after the loop",
    explanation="""\
The `else` of a loop runs when no `break` ended it. It is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    for i in range(n):
        if x[i] < 0:
            break
    else:
        x = x * 2
    return x


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    found = False
    for i in range(n):
        if x[i] < 0:
            found = True
            break
    if not found:
        x = x * 2
    return x


f(np.ones(3), 2)
""",
)

ANNOTATION_WITHOUT_VALUE = DiagnosticSpec(
    code="SPY114",
    slug="annotation-without-value",
    message="a declaration without a value cannot be compiled",
    help="give '{name}' a value here, or remove the line",
    explanation="""\
`y: float` alone declares a local variable and gives it no value. The types of variables are found
by the compiler.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y: float
    y = 2.0
    return x * y


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y: float = 2.0
    return x * y


f(np.ones(3))
""",
)

INDEX_ASSIGNMENT = DiagnosticSpec(
    code="SPY115",
    slug="index-assignment",
    message="this assignment to an index cannot be compiled yet",
    help="assign to the elements of an array, in a statement without an annotation; of a list or "
    "dict make a new one: 'items[:1] + [v]', '{{\"a\": a, \"b\": new}}'",
    explanation="""\
`x[i] = v` on an array is compiled, and every other name of the array sees the change, as in NumPy.
Lists and dicts are structures of the compiled program and can't be changed. An element with an
annotation, as in `x[i]: float = v`, isn't part of the language.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x, x]
    parts[0] = x * 2
    return np.concatenate(parts)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x, x]
    parts = [x * 2] + parts[1:]
    return np.concatenate(parts)


f(np.ones(3))
""",
)

ATTRIBUTE_ASSIGNMENT = DiagnosticSpec(
    code="SPY116",
    slug="attribute-assignment",
    message="assignment to an attribute of an object cannot be compiled",
    help="return the new value, and let the caller assign it",
    explanation="""\
Setting an attribute changes an object that lives outside of the graph. Reading attributes is part
of the language, and so is writing to the parts of an array: `x.real = v`, `x.imag = v`.
""",
    bad="""\
import numpy as np
import staticpy


class Counter:
    count = 0

    @staticpy.jit
    def step(self, x):
        self.count = self.count + 1
        return x * self.count


Counter().step(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


class Counter:
    count = 0

    @staticpy.jit
    def step(self, x):
        count = self.count + 1
        return x * count, count


counter = Counter()
y, counter.count = counter.step(np.ones(3))
""",
)

VARIADIC_PARAMETERS = DiagnosticSpec(
    code="SPY117",
    slug="variadic-parameters",
    message="the parameter '{name}' takes any number of arguments, which cannot be compiled",
    help="take a tuple or a dict as one parameter",
    explanation="""\
Parameters that collect any number of arguments are not part of this version. A tuple, list or
dict can be passed as one argument.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(*parts):
    return np.concatenate(parts)


f(np.ones(3), np.ones(2))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(parts):
    return np.concatenate(parts)


f((np.ones(3), np.ones(2)))
""",
)

NESTED_DECORATOR = DiagnosticSpec(
    code="SPY118",
    slug="nested-decorator",
    message="a decorator on a nested function cannot be compiled",
    help="remove it, or define the decorated function at the top of the module",
    explanation="""\
A decorator runs when the function is defined and may return anything. Dropping it could change
the program, so it is refused.
""",
    bad="""\
import functools

import numpy as np
import staticpy


@staticpy.jit
def f(x):
    @functools.lru_cache
    def g():
        return x * 2

    return g()


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    def g():
        return x * 2

    return g()


f(np.ones(3))
""",
)
