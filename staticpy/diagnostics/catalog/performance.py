"""SPY8xx: hints. Nothing is refused for them: the program is compiled, and may not do what was
meant, or not as fast as it could.
"""

from staticpy.diagnostics.spec import DiagnosticSpec, Severity

ARRAY_CONDITION = DiagnosticSpec(
    code="SPY801",
    slug="array-condition",
    message="a condition on {type}, an array that may have several elements, raises ValueError "
    "unless it has one",
    help="ask for all or for any of them, '(…).all()' or '(…).any()', or choose element by element "
    "with 'np.where'",
    explanation="""\
NumPy gives no truth to an array of several elements: `if x > 0` raises `ValueError`, in plain
Python as in the compiled function. By the annotations, this array may have several.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "from staticpy import f64\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def relu(x: f64['n']):\\n"
    "    if x > 0:\\n"
    "        return x\\n"
    "    return 0 * x\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import numpy as np\\n"
    "import staticpy\\n"
    "from staticpy import f64\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def relu(x: f64['n']):\\n"
    "    return np.where(x > 0, x, 0)\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)

DERIVATIVE_CUT = DiagnosticSpec(
    code="SPY802",
    slug="derivative-cut",
    message="'{name}' cuts the derivative off: its result counts as a constant",
    help="leave it out where the derivative matters; where it does not, say so: "
    "'{name}(staticpy.stop_gradient(…))'",
    explanation="""\
What rounds is a staircase: its derivative is 0 wherever it has one. A gradient through `int`,
`round`, `np.floor` and the like is computed without that path, and no error says so.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def loss(x: float):\\n"
    "    return x * round(x)\\n"
    "\\n"
    "slope = staticpy.grad(loss)\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def loss(x: float):\\n"
    "    return x * round(staticpy.stop_gradient(x))\\n"
    "\\n"
    "slope = staticpy.grad(loss)\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)

JIT_IN_LOOP = DiagnosticSpec(
    code="SPY803",
    slug="jit-in-loop",
    message="'{name}' is compiled anew in each round of the loop",
    help="compile it once, before the loop: 'compiled = staticpy.jit({name})'",
    explanation="""\
What `staticpy.jit` returns keeps what it has compiled. Made in each round of a loop, it is thrown
away with all that, and the next one compiles the function from the start.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "def step(x: float):\\n"
    "    return x / 2\\n"
    "\\n"
    "def run(x):\\n"
    "    for _ in range(100):\\n"
    "        x = staticpy.jit(step)(x)\\n"
    "    return x\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "def step(x: float):\\n"
    "    return x / 2\\n"
    "\\n"
    "def run(x):\\n"
    "    compiled = staticpy.jit(step)\\n"
    "    for _ in range(100):\\n"
    "        x = compiled(x)\\n"
    "    return x\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)

STATIC_ARGUMENT_CHANGES = DiagnosticSpec(
    code="SPY804",
    slug="static-argument-changes",
    message="'{name}' is a static argument of '{function}', and gets another value in each round: "
    "each is compiled anew",
    help="take '{name}' out of 'static_argnames', so that it is a number of the running program",
    explanation="""\
A static argument is part of the compiled code, so there is one compilation for each value that it
ever has. A loop that passes its variable compiles the function in each round.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit(static_argnames='n')\\n"
    "def power(x: float, n: int):\\n"
    "    return x**n\\n"
    "\\n"
    "powers = [0.0]\\n"
    "for i in range(100):\\n"
    "    powers.append(power(2.0, i))\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def power(x: float, n: int):\\n"
    "    return x**n\\n"
    "\\n"
    "powers = [0.0]\\n"
    "for i in range(100):\\n"
    "    powers.append(power(2.0, i))\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)

GROWING_ARRAY = DiagnosticSpec(
    code="SPY805",
    slug="growing-array",
    message="'{name}' is copied in each round of the loop: '{function}' makes a new array",
    help="make the array before the loop, 'np.empty(…)', and assign its items, or collect them in "
    "a list and make one array of it after the loop",
    explanation="""\
An array has a fixed size. `np.append`, `np.concatenate` and the like copy all of it to make a
longer one: in a loop of n rounds that are n²/2 items, where a list, or an array of the final size,
has n.

This rule is in preview: it is given with `--preview` only, as it does not know how many rounds
there are.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import numpy as np\\n"
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def squares(n: int):\\n"
    "    found = np.zeros(0)\\n"
    "    for i in range(n):\\n"
    "        found = np.append(found, i * i)\\n"
    "    return found\\n"
)

# $ staticpy check --preview model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import numpy as np\\n"
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def squares(n: int):\\n"
    "    found = np.zeros(n)\\n"
    "    for i in range(n):\\n"
    "        found[i] = i * i\\n"
    "    return found\\n"
)

# $ staticpy check --preview model.py
""",
    severity=Severity.WARNING,
    is_preview=True,
)

MAYBE_UNBOUND = DiagnosticSpec(
    code="SPY806",
    slug="maybe-unbound",
    message="'{name}' may be unbound here: a path leads here that doesn't bind it",
    help="bind '{name}' {way_out}",
    explanation="""\
A variable that is bound in a branch or in a `try` is unbound where the branch isn't taken, or an
exception comes first. To read it then raises `UnboundLocalError`, in plain Python as in the
compiled function.

Nothing is said where the same condition guards both the binding and the read, and of a loop that
may have no round (see SPY807).
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def step(x: float, is_small: bool):\\n"
    "    if is_small:\\n"
    "        rate = 0.1\\n"
    "    return rate * x\\n"
)

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def step(x: float, is_small: bool):\\n"
    "    rate = 1.0\\n"
    "    if is_small:\\n"
    "        rate = 0.1\\n"
    "    return rate * x\\n"
)

# $ staticpy check model.py
""",
    severity=Severity.WARNING,
)

UNBOUND_AFTER_LOOP = DiagnosticSpec(
    code="SPY807",
    slug="unbound-after-loop",
    message="'{name}' may be unbound here: a loop that binds it may have no round",
    help="bind '{name}' {way_out}",
    explanation="""\
A variable that only a loop binds is unbound where the loop has no round. To read it then raises
`UnboundLocalError`, in plain Python as in the compiled function.

Nothing is said of a loop that is sure to have a round: through `range(3)`, a list that is written
down, or what was found not to be empty before.

This rule is in preview: it is given with `--preview` only, as many functions are made for data
that is never empty.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def solve(x: float, steps: int):\\n"
    "    for step in range(steps):\\n"
    "        x = (x + 2 / x) / 2\\n"
    "    return x, step\\n"
)

# $ staticpy check --preview model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text(
    "import staticpy\\n"
    "\\n"
    "@staticpy.jit\\n"
    "def solve(x: float, steps: int):\\n"
    "    step = 0\\n"
    "    for step in range(steps):\\n"
    "        x = (x + 2 / x) / 2\\n"
    "    return x, step\\n"
)

# $ staticpy check --preview model.py
""",
    severity=Severity.WARNING,
    is_preview=True,
)
