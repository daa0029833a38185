"""SPY3xx: names, closures, objects from outside, mutation."""

from staticpy.diagnostics.spec import DiagnosticSpec, Severity

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

UNSUPPORTED_ATTRIBUTE = DiagnosticSpec(
    code="SPY305",
    slug="unsupported-attribute",
    message="a value of type {type} has no attribute '{name}' that can be compiled",
    help="use a function or an operator that does the same, or compute it outside of the function "
    "and pass it as an argument",
    explanation="""\
Either the attribute doesn't exist, and Python would raise `AttributeError`; or it exists but is
not part of the language: a special method where there is an operator or a function, or what a
later version will bring.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x.__add__(1)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + 1


f(np.ones(3))
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

UNCHECKED_REST = DiagnosticSpec(
    code="SPY307",
    slug="unchecked-rest",
    message="not checked: what '{name}' is can't be read off the text of the file",
    help="nothing is wrong; 'jit' sees the object, and checks what depends on it at the call",
    explanation="""\
`staticpy check` imports and runs nothing. Where a function uses something that the text of the file
doesn't tell, such as a class or a function of another module, what depends on it can't be decided:
it may compile or not. `staticpy check -v` shows the first such place of a function; without it they
are only counted. What doesn't depend on it is checked, unless it decides whether that runs.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import other, staticpy\\n\\n@staticpy.jit\\ndef f(n: int):\\n    return n + other.size\\n"
)

# $ staticpy check -v model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n\\nSIZE = 3\\n\\n@staticpy.jit\\ndef f(n: int):\\n    return n + SIZE\\n"
)

# $ staticpy check -v model.py
""",
    severity=Severity.INFO,
)
