"""SPY3xx: names, closures, objects from outside, mutation."""

from staticpy.diagnostics.spec import DiagnosticSpec

UNDEFINED_NAME = DiagnosticSpec(
    code="SPY301",
    slug="undefined-name",
    message="'{name}' is not defined",
    help="assign or import it before the function is called, or correct its spelling",
    explanation="""\
The name is not a local variable, not a variable of an enclosing function, not a global of the
module and not a builtin. Python would raise `NameError` (or `AttributeError` for a name of a
module) when it came to this line.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def scaled(x):
    return x * factr


scaled(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy

factor = 2.0


@staticpy.jit
def scaled(x):
    return x * factor


scaled(np.ones(3))
""",
)

UNBOUND_LOCAL = DiagnosticSpec(
    code="SPY302",
    slug="unbound-local",
    message="'{name}' is read before it is assigned",
    help="assign '{name}' before this line",
    explanation="""\
The function assigns this name somewhere, so Python takes it for a local variable everywhere in
the function, and no path reaches this line with a value in it. Python would raise
`UnboundLocalError`.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    y = x + total
    total = 1.0
    return y + total


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    total = 1.0
    y = x + total
    return y + total


f(np.ones(3))
""",
)

CONTAINER_MUTATION = DiagnosticSpec(
    code="SPY303",
    slug="container-mutation",
    message="'{name}' changes a {type} in place",
    help="make a new one instead: 'items = [*items, item]' in place of 'items.append(item)', "
    "'items = items[:-1]' in place of 'items.pop()'",
    explanation="""\
Lists and dicts are structures of the compiled program: they hold run-time values, but are
themselves known while compiling. Changing one in place would have to be seen through every other
name of it, and by the caller; this version refuses it rather than lose the change.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x]
    parts.append(x * 2)
    return np.concatenate(parts)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x]
    parts = parts + [x * 2]
    return np.concatenate(parts)


f(np.ones(3))
""",
)

IN_PLACE_UPDATE = DiagnosticSpec(
    code="SPY304",
    slug="in-place-update",
    message="'{name} {symbol}= …' changes a {kind} in place",
    help="write '{name} = {name} {symbol} …', which makes a new one",
    explanation="""\
For a number, `n += 1` gives the name `n` a new value. For a list it changes the object itself, and
every other name of that list sees the change. Lists and dicts are structures of the compiled
program and can't be changed; `parts = parts + [item]` says that a new one is meant. (`x += v` on an
array is compiled, and changes the array as NumPy does.)
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x]
    parts += [x * 2]
    return np.concatenate(parts)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    parts = [x]
    parts = parts + [x * 2]
    return np.concatenate(parts)


f(np.ones(3))
""",
)


UNSUPPORTED_ATTRIBUTE = DiagnosticSpec(
    code="SPY305",
    slug="unsupported-attribute",
    message="a value of type {type} has no attribute '{name}' that can be compiled",
    help="use a function or an operator that does the same, or compute it outside of the function "
    "and pass it as an argument",
    explanation="""\
Either the attribute doesn't exist, and Python would raise `AttributeError`; or it exists but is
not part of the language: methods that write to the array, that look at its memory, or that a
later version will bring.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x.tobytes()


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x * 2


f(np.ones(3)).tobytes()
""",
)


UNKNOWN_FROM_TEXT = DiagnosticSpec(
    code="SPY306",
    slug="unknown-from-text",
    message="the value of '{name}' is not known from the text of the file",
    help="pass it as an argument, or bind it once to a number, a string, a function or an "
    "import of NumPy",
    explanation="""\
`staticpy show` and an embedder that gives source text get no running program: nothing is imported
or run. What a name stands for is then known only where the file says so itself.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("import other\\n\\ndef f(n: int):\\n    return n + other.size\\n")

# $ staticpy show model.py:f --stage ir
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("SIZE = 3\\n\\ndef f(n: int):\\n    return n + SIZE\\n")

# $ staticpy show model.py:f --stage ir
""",
)
