"""SPY63x: what is undecided while compiling: which object it is, how it is built, its order."""

from staticpy.diagnostics.spec import DiagnosticSpec

ALIAS_UNDECIDED = DiagnosticSpec(
    code="SPY631",
    slug="alias-undecided",
    message="which object this is depends on the path taken, so a write to it can't be followed",
    help="write to it where it is chosen, in each branch, or make a copy of it first",
    explanation="""\
An object that the caller has given is written back attribute by attribute when the call ends. A
name that a loop lets stand for such an object or for one of its own rounds, depending on run-time
values, has no one place to write to, and what was written could be seen through the other names of
either. The same holds for a dict of nested functions. Arrays, lists and dicts of numbers, text and
arrays, and objects that the function itself makes may be chosen and written to freely.
""",
    bad="""\
import staticpy


class Model:
    def __init__(self, scale):
        self.scale = scale


@staticpy.jit
def f(model, n):
    for k in range(n):
        model = Model(k * 0.5)
    model.scale = 3.0
    return model.scale


f(Model(2.0), 2)
""",
    good="""\
import staticpy


class Model:
    def __init__(self, scale):
        self.scale = scale


@staticpy.jit
def f(model, n):
    for k in range(n):
        last = Model(k * 0.5)
    if n > 0:
        last.scale = 3.0
    else:
        model.scale = 3.0
    return n


f(Model(2.0), 2)
""",
)

STRUCTURE_UNDECIDED = DiagnosticSpec(
    code="SPY632",
    slug="structure-undecided",
    message="what {what} is made of depends on the path taken",
    help="give it the same keys or items on every path, or use it inside of each path",
    explanation="""\
What a list or a dict of functions holds, and how far a generator has come, is known while
compiling. Here two paths, or two rounds of a loop, have left different ones, and something reads
them afterwards. Lists and dicts of numbers, text, arrays and objects may differ from path to path.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, flag):
    steps = {"scale": lambda y: y * 2}
    if flag > 0:
        steps["shift"] = lambda y: y + 1
    for step in steps.values():
        x = step(x)
    return x


f(np.ones(3), 1)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x, flag):
    steps = {"scale": lambda y: y * 2}
    steps["shift"] = lambda y: y + 1 if flag > 0 else y
    for step in steps.values():
        x = step(x)
    return x


f(np.ones(3), 1)
""",
)

STRUCTURE_TOO_LARGE = DiagnosticSpec(
    code="SPY633",
    slug="structure-too-large",
    message="this would be a structure of more than {limit} items",
    help="use an array, or a list that is filled in a loop",
    explanation="""\
Tuples, and loops over a list that grows while it is gone through, are taken apart while compiling:
each item has a place in the compiled code. That has a limit.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    many = (x[0],) * 1_000_000
    return many[3]


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    many = np.full(1_000_000, x[0])
    return many[3]


f(np.ones(3))
""",
)

SET_ORDER = DiagnosticSpec(
    code="SPY634",
    slug="set-order",
    message="the order in which a set is gone through is not one that can be relied on",
    help="go through sorted(the set), or use a list, a tuple or a dict",
    explanation="""\
Python goes through the members of a set in the order of their hashes, and the hash of a string
differs from run to run. Whether something is a member, the number of members and a sorted list of
them are the same each time.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    result = x
    for name in {"a", "b", "c"}:
        result = result * 2 + len(name)
    return result


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    result = x
    for name in sorted({"a", "b", "c"}):
        result = result * 2 + len(name)
    return result


f(np.ones(3))
""",
)

UNSUPPORTED_DELETE = DiagnosticSpec(
    code="SPY635",
    slug="unsupported-delete",
    message="{what} can't be deleted in a compiled function",
    help="delete names, items of lists and dicts, or attributes of objects; 'np.delete(x, i)' "
    "makes an array without an element",
    explanation="""\
`del` unbinds a name, or removes an item of a list or dict, or an attribute of an object. The size
of an array never changes, and modules, classes and functions belong to the program around the
graph.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    del x[0]
    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return np.delete(x, 0)


f(np.ones(3))
""",
)

UNSUPPORTED_CLASS = DiagnosticSpec(
    code="SPY636",
    slug="unsupported-class",
    message="objects of the class '{name}' can't be made or asked like this in a compiled function",
    help="use a plain class or a dataclass, without a metaclass or __getattribute__; in place of a "
    "deque, a generator from outside or the like a list or a dict",
    explanation="""\
Making an object of a plain class means calls of `__new__` and `__init__`, which are compiled like
any function. A class with a metaclass that changes what a call of it means, one that is written in
C, and one with a `__getattribute__` of its own do something else. The same holds for what operators
and builtins do with such objects: `len(q)` of a deque, `for x in g` of a generator that was passed.
""",
    bad="""\
import numpy as np
import staticpy


class Counting(type):
    def __call__(cls, *args):
        return super().__call__(*args)


class Single(metaclass=Counting):
    def __init__(self, value):
        self.value = value


@staticpy.jit
def f(x):
    single = Single(x)
    return single.value


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


class Single:
    def __init__(self, value):
        self.value = value


@staticpy.jit
def f(x):
    single = Single(x)
    return single.value


f(np.ones(3))
""",
)

UNSUPPORTED_IMPORT = DiagnosticSpec(
    code="SPY637",
    slug="unsupported-import",
    message="the module '{name}' is not loaded yet, and loading it may have effects",
    help="import it at the top of the file",
    explanation="""\
An import in a compiled function finds a module that is loaded already, or one of Python's and
NumPy's own mathematics. Any other would be loaded while the function is compiled, not when it runs.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    import antigravity

    return x


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    import math

    return x * math.pi


f(np.ones(3))
""",
)

UNSUPPORTED_CONTEXT = DiagnosticSpec(
    code="SPY638",
    slug="unsupported-context",
    message="a 'with' over a {name} can't be compiled",
    help="use it around the call of the compiled function, or write a class with __enter__ and "
    "__exit__ in Python",
    explanation="""\
Inside of a compiled function `with` takes `np.errstate(…)`, `contextlib.suppress(…)`, what
`contextlib.contextmanager` makes of a generator function that yields once, and objects of classes
whose `__enter__` and `__exit__` are Python functions, which are compiled as well. A file or a lock
belongs outside.
""",
    bad="""\
import threading

import numpy as np
import staticpy

LOCK = threading.Lock()


@staticpy.jit
def f(x):
    with LOCK:
        return x * 2


f(np.ones(3))
""",
    good="""\
import threading

import numpy as np
import staticpy

LOCK = threading.Lock()


@staticpy.jit
def f(x):
    return x * 2


with LOCK:
    f(np.ones(3))
""",
)
