"""SPY5xx: functions, methods and indexes of arrays."""

from staticpy.diagnostics.spec import DiagnosticSpec

UNSUPPORTED_NUMPY_FUNCTION = DiagnosticSpec(
    code="SPY501",
    slug="unsupported-numpy-function",
    message="'{name}' is not a NumPy function that can be compiled",
    help="{way_out}call it outside of the compiled function and pass the result",
    explanation="""\
Each NumPy function that can be compiled is defined once, with its types, and tested against NumPy
itself. This one is not among them yet, or NumPy has no such function. It is never called behind
your back.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.asmatrix(x) * np.asmatrix(x)


f(np.eye(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x @ x


f(np.eye(3))
""",
)

UNSUPPORTED_FUNCTION_ARGUMENT = DiagnosticSpec(
    code="SPY502",
    slug="unsupported-function-argument",
    message="the argument '{argument}' of '{function}' is not supported",
    help="leave '{argument}' out, and do its work with another operation",
    explanation="""\
NumPy's function has this argument, the compiled one has not yet. Leaving it out silently would
change the result, so it is refused.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.median(x, overwrite_input=True)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.median(x)


f(np.ones(3))
""",
)

BAD_CALL = DiagnosticSpec(
    code="SPY503",
    slug="bad-call",
    message="the arguments don't fit '{name}': {detail}",
    help="compare the call with the parameters of '{name}'",
    explanation="""\
Too many arguments, too few, or a keyword that the function doesn't have, in a call of a function of
NumPy's or one of the builtins. A call of a Python function that doesn't fit is compiled: it raises
`TypeError` where it stands, as in Python.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.sum(x, keep_dims=True)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.sum(x, keepdims=True)


f(np.ones(3))
""",
)

NEEDS_COMPILE_TIME = DiagnosticSpec(
    code="SPY504",
    slug="needs-compile-time",
    message="{what} must be known while compiling, but depends on run-time values",
    help="use a constant, the number of dimensions, or an argument named in "
    "'staticpy.jit(static_argnames=…)'",
    explanation="""\
The number of dimensions, the dtype and the structure of every value are fixed when a function is
compiled; numbers and array contents are known only at run time. A dtype, the question whether an
axis is kept, the key of a dict or the place in a tuple decide about the former, so they can't
depend on the latter.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, keep):
    return np.sum(x, axis=0, keepdims=keep)


f(np.ones((2, 3)), True)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit(static_argnames=("keep",))
def f(x, keep):
    return np.sum(x, axis=0, keepdims=keep)


f(np.ones((2, 3)), True)
""",
)

INVALID_ARRAY_CALL = DiagnosticSpec(
    code="SPY505",
    slug="invalid-array-call",
    message="'{function}' fails for these arguments: {reason}",
    help="change the arguments: NumPy fails for them in the same way, whatever the arrays hold",
    explanation="""\
The call would raise in plain NumPy too, for every array of these types: an axis that doesn't
exist, sizes that never fit, types that the function doesn't take. The reason is NumPy's own text.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.sum(x, axis=2)


f(np.ones((2, 3)))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.sum(x, axis=1)


f(np.ones((2, 3)))
""",
)

NOT_AN_ARRAY = DiagnosticSpec(
    code="SPY506",
    slug="not-an-array",
    message="'{function}' takes numbers and arrays, not a value of type {type}",
    help="pass an array or a number: 'np.stack(…)' or 'np.array(…)' makes one of a list",
    explanation="""\
The function was called with something that is neither a number nor an array, and that it can't
make an array of: None, a string, a function, a dict.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.tanh({"x": x})


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return {"x": np.tanh(x)}


f(np.ones(3))
""",
)

UNSUPPORTED_SUBSCRIPT = DiagnosticSpec(
    code="SPY507",
    slug="unsupported-subscript",
    message="a value of type {type} cannot be read with {index}",
    help="index arrays with numbers, slices, ranges, None and '...'; tuples and lists with a "
    "number or a slice that is known while compiling; dicts with a key",
    explanation="""\
Either the value can't be indexed at all, or not with an index of this type. Python would raise
`TypeError` or `IndexError`, or NumPy would select in a way that is not part of this version.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x * n[0]


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x[0] * n


f(np.ones(3), 2)
""",
)

UNSUPPORTED_STORE = DiagnosticSpec(
    code="SPY508",
    slug="unsupported-store",
    message="{what} cannot be assigned",
    help="write to the elements of an array, a list or a dict, or to the attributes of an object "
    "of a class of your own; a number is bound anew: 'n = …'",
    explanation="""\
Numbers, tuples and strings never change in Python: a store into one raises `TypeError`. The
attributes of functions, of modules' own objects and of most exceptions outlive the call, and are
not part of a graph.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = x.sum()
    total[0] = 1.0
    return total


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = x.sum(keepdims=True)
    total[0] = 1.0
    return total


f(np.ones(3))
""",
)

ATTRIBUTE_OF_ARRAY = DiagnosticSpec(
    code="SPY509",
    slug="attribute-of-array",
    message="the attribute '{name}' of {type} cannot be assigned",
    help="{way_out}",
    explanation="""\
Of an array, the elements can be written through `x.real`, `x.imag` and `x.flat`. Assigning to
`shape`, `dtype` or `strides` would change what every other name of the array sees, its number of
axes included, and that is fixed when the function is compiled. Other attributes are read-only in
NumPy, too.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x + 1
    y.shape = (2, 3)
    return y


f(np.ones(6))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x + 1
    y = y.reshape(2, 3)
    return y


f(np.ones(6))
""",
)

MEMORY_OF_ARRAY = DiagnosticSpec(
    code="SPY510",
    slug="memory-of-array",
    message="'{name}' of {type} cannot be compiled",
    help="{way_out}",
    explanation="""\
An array's memory is the compiler's to plan: whether an array owns it, where it lies and whether
it can grow says nothing about the program. Files, raw bytes and C pointers are the caller's.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x[1:]
    return y.base is x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x[1:]
    return np.shares_memory(x, y)


f(np.ones(3))
""",
)
