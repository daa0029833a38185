"""SPY6xx: types, boxes, dtypes, shapes and structure of values."""

from staticpy.diagnostics.spec import DiagnosticSpec, Severity

NO_UFUNC_LOOP = DiagnosticSpec(
    code="SPY601",
    slug="no-ufunc-loop",
    message="'{function}' has no form for {types}",
    help="convert an operand first, for instance with '.astype(np.float64)'",
    explanation="""\
NumPy has a fixed list of type combinations for each elementwise function. For these types it has
none, and the same call raises `TypeError` in plain NumPy.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.bitwise_and(x, 1.5)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.bitwise_and(x.astype(np.int64), 1)


f(np.ones(3))
""",
)

UNSUPPORTED_ARGUMENT_TYPE = DiagnosticSpec(
    code="SPY602",
    slug="unsupported-argument-type",
    message="'{name}' is a {type}, which a compiled function cannot take",
    help="pass a plain number, string, tuple, list or dict: 'float({name})', 'tuple({name})'",
    explanation="""\
Arguments are numbers, strings, None, arrays, functions, and tuples, lists and dicts of those, or
plain objects whose attributes are such. A subclass of a number or of a container may give the
operators a meaning of its own, which compiling it as its base would drop.
""",
    bad="""\
import numpy as np
import staticpy


class Meters(float):
    pass


@staticpy.jit
def f(x, length):
    return x * length


f(np.ones(3), Meters(2.0))
""",
    good="""\
import numpy as np
import staticpy


class Meters(float):
    pass


@staticpy.jit
def f(x, length):
    return x * length


f(np.ones(3), float(Meters(2.0)))
""",
)

UNSUPPORTED_DTYPE = DiagnosticSpec(
    code="SPY603",
    slug="unsupported-dtype",
    message="'{name}' has dtype {dtype}, which cannot be compiled",
    help="use a bool, integer, floating-point or complex dtype, and convert arguments to one "
    "before the call",
    explanation="""\
Arrays of Python objects, text, dates and records are not part of the language: their elements
have no arithmetic that a compiled program could do.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + 1


f(np.array([1, 2], dtype=object))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + 1


f(np.array([1, 2], dtype=object).astype(np.float64))
""",
)

NDARRAY_SUBCLASS = DiagnosticSpec(
    code="SPY604",
    slug="ndarray-subclass",
    message="'{name}' is a {type}, a subclass of ndarray with operations of its own",
    help="pass a plain array: 'np.asarray({name})', or 'x.filled(…)' for a masked one",
    explanation="""\
Subclasses of `ndarray` (masked arrays, matrices, arrays with units) give the operators a meaning
of their own. Compiling them as plain arrays would drop the mask or the unit without a word.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x.sum()


f(np.ma.masked_array([1.0, 2.0], mask=[False, True]))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x.sum()


f(np.ma.masked_array([1.0, 2.0], mask=[False, True]).filled(0.0))
""",
)

UNSUPPORTED_OPERANDS = DiagnosticSpec(
    code="SPY605",
    slug="unsupported-operands",
    message="'{symbol}' cannot be applied to {types}",
    help="convert an operand, or use an operation that its type has: '==' for 'is' of numbers",
    explanation="""\
The operator or builtin has no meaning for operands of these types; Python would raise `TypeError`
when it came to this line. Or it has one that is not part of this version. `is` is for None, arrays,
lists, dicts and objects: whether equal numbers or tuples are one object, Python doesn't promise.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x * (n << 1.5)


f(np.ones(3), 2)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, n):
    return x * (n << 1)


f(np.ones(3), 2)
""",
)

NOT_ITERABLE = DiagnosticSpec(
    code="SPY607",
    slug="not-iterable",
    message="a value of type {type} cannot be iterated over",
    help="iterate over an array with at least one dimension, a 'range', a tuple, a list or a dict",
    explanation="""\
Functions and modules have no items. Python would raise `TypeError` when it came to this line.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    for i in np.sin:
        x = x * i
    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    for i in np.sin(x):
        x = x * i
    return x


f(np.ones(3))
""",
)

UNSUPPORTED_CALL = DiagnosticSpec(
    code="SPY609",
    slug="unsupported-call",
    message="a call of '{name}' cannot be compiled",
    help="call a Python function, a function of NumPy that can be compiled, or one of the builtins "
    "of the language; or call it outside and pass the result",
    explanation="""\
What is called is not a Python function whose source can be compiled, nor one of the functions of
NumPy and Python that are part of the language. It is never called while compiling: what it does
would then happen once, and not at each call.
""",
    bad="""\
import time

import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x * time.time()


f(np.ones(3))
""",
    good="""\
import time

import numpy as np
import staticpy


@staticpy.jit
def f(x, now):
    return x * now


f(np.ones(3), time.time())
""",
)

MISSING_ANNOTATION = DiagnosticSpec(
    code="SPY610",
    slug="missing-annotation",
    message="the type of '{name}' is not known: it has no annotation",
    help="annotate it: 'x: staticpy.f64[\"n\", 3]' for an array of two dimensions, 'n: int'",
    explanation="""\
A graph needs the types of the arguments. `jit` takes them from the call; `staticpy show` has no
call, and reads the annotations of the parameters.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("def f(x):\\n    return x + 1\\n")

# $ staticpy show model.py:f --stage ir
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("def f(x: float):\\n    return x + 1\\n")

# $ staticpy show model.py:f --stage ir
""",
)

UNSUPPORTED_ANNOTATION = DiagnosticSpec(
    code="SPY611",
    slug="unsupported-annotation",
    message="the annotation '{annotation}' does not name a type that can be compiled",
    help="use 'int', 'float', 'bool', 'complex', 'np.float64', 'staticpy.f64[\"n\", 3]' or a tuple "
    "of such",
    explanation="""\
The annotation was read as text, without importing anything. It doesn't say which dtype and how
many dimensions the argument has, or it names a type that is not part of the language.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("def f(x: set[int]):\\n    return x\\n")

# $ staticpy show model.py:f --stage ir
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("def f(x: int):\\n    return x\\n")

# $ staticpy show model.py:f --stage ir
""",
)

VARIADIC_PARAMETERS = DiagnosticSpec(
    code="SPY612",
    slug="variadic-parameters",
    message="the parameter '{name}' takes any number of arguments, and the text does not say how "
    "many there are",
    help="take a tuple as one parameter, or call the function: 'jit' sees the arguments",
    explanation="""\
`staticpy show` and an embedder that gives source text have no call at hand: the types of the
parameters come from their annotations, and those of `*args` and `**kwargs` don't say how many
arguments there will be. `staticpy.jit` compiles such a function for the arguments of each call.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("def f(*numbers: float):\\n    return numbers[0]\\n")

# $ staticpy show model.py:f --stage ir
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("def f(numbers: tuple[float, float]):\\n    return numbers[0]\\n")

# $ staticpy show model.py:f --stage ir
""",
)

ANNOTATION_MISMATCH = DiagnosticSpec(
    code="SPY613",
    slug="annotation-mismatch",
    message="{what} is annotated '{annotation}', but it is {found}",
    help="correct the annotation, or convert the value before; 'Any' says that it may be anything",
    explanation="""\
Python ignores annotations when it runs; here they are checked, because one of the two is a mistake:
what is written, or what is computed. Compared are the arguments of each function, what each
`return` gives, and what `name: annotation = value` assigns, where the type is known for certain: of
several possible types it is enough that one fits.

As for type checkers an `int` will do for a `float`, a `float` for a `complex`, a `bool` for an
`int`, and None for a parameter whose default it is. NumPy's scalars and 0-d arrays will do for
Python's numbers of their kind and for `np.ndarray`. Understood are Python's and NumPy's classes,
classes of yours, those of `typing` and `collections.abc`, arrays as in `staticpy.f64["n", 3]`,
`NDArray[np.float64]` and jaxtyping's form, in quotes, too; anything else admits every value.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x: float) -> float:
    return x * 2


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x: np.ndarray) -> np.ndarray:
    return x * 2


f(np.ones(3))
""",
)

ANNOTATED_SIZE_MISMATCH = DiagnosticSpec(
    code="SPY614",
    slug="annotated-size-mismatch",
    message="the size '{size}' is {first} by {other}, and {second} by {what}",
    help="pass arrays of the annotated sizes, or give sizes that may differ names of their own; "
    "'_' stands for any size",
    explanation="""\
Equal names of sizes in the annotations of a function stand for equal sizes, in every call, and a
number is the size itself. Here an array of another size was passed or returned.
""",
    bad="""\
import numpy as np
import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"], y: f64["n"]):
    return x.sum() + y.sum()


f(np.ones(3), np.ones(4))
""",
    good="""\
import numpy as np
import staticpy
from staticpy import f64


@staticpy.jit
def f(x: f64["n"], y: f64["m"]):
    return x.sum() + y.sum()


f(np.ones(3), np.ones(4))
""",
)

UNCHECKED_TYPES = DiagnosticSpec(
    code="SPY615",
    slug="unchecked-types",
    message="types in '{function}' are not checked: it is not known what '{name}' is",
    help="annotate it where that says enough: 'int', 'float', 'staticpy.f64[\"n\", 3]' or a tuple; "
    "'jit' checks the function for the arguments of each call",
    explanation="""\
`staticpy check` follows the types through a function where the annotations of all its parameters
say what they are. Otherwise it checks the syntax, the names, and the statements that don't depend
on the parameters that have none. Where an annotation leaves something open, as `np.ndarray`,
`NDArray[np.float32]` and `int | float` do, it says what is wrong with whatever they admit.
`staticpy check -v` shows these functions; without it they are only counted.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n\\n@staticpy.jit\\ndef f(n):\\n    return n + 1\\n"
)

# $ staticpy check -v model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n\\n@staticpy.jit\\ndef f(n: int):\\n    return n + 1\\n"
)

# $ staticpy check -v model.py
""",
    severity=Severity.INFO,
)
