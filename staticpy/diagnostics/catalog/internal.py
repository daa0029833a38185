"""SPY9xx: what is wrong on staticpy's own side of the line, or in the IR that an embedder made."""

from staticpy.diagnostics.spec import DiagnosticSpec

INVALID_IR = DiagnosticSpec(
    code="SPY901",
    slug="invalid-ir",
    message="the graph is not valid: {detail}",
    help="if you build or change graphs yourself, look at the last pass that ran; "
    "otherwise this is a bug of staticpy: please report it with the function",
    explanation="""\
The verifier checks every graph that a stage hands to the next: each value is defined before it is
used, operands and results have the types that the operation's rule gives, and each block ends in
one terminator. This one doesn't hold.

Passes and frontends of your own are checked by the same rules: call `verify` after each of them.
""",
    bad="",
    good="",
)

INTERNAL_ERROR = DiagnosticSpec(
    code="SPY902",
    slug="internal-error",
    message="staticpy failed on this code: {detail}",
    help="this is a bug of staticpy, not of your program: please report it with the function",
    explanation="""\
An exception that no stage expected. The rest of the files are still checked, and the command ends
with exit code 3. The report that helps most is the shortest function that still shows it, with
the line that this diagnostic names, and the output of `staticpy version`.
""",
    bad="",
    good="",
)

UNSUPPORTED_BY_BACKEND = DiagnosticSpec(
    code="SPY903",
    slug="unsupported-by-backend",
    message="the backend '{backend}' cannot run {what}",
    help="compile with another backend, or rewrite this operation with others that it has",
    explanation="""\
The function is part of the language, but the backend that was asked for has no form of this
operation or type. A backend never falls back to Python by itself: it says so.
""",
    bad="",
    good="",
)

IR_SYNTAX_ERROR = DiagnosticSpec(
    code="SPY904",
    slug="ir-syntax-error",
    message="this is not the text of a graph: {detail}",
    help="compare with the text that printing a graph gives",
    explanation="""\
The text form of a graph can be read back; this text cannot. The position is the first place where
the parser could not go on.
""",
    bad="",
    good="",
)
