"""SPY91x: comments that hide findings of ``staticpy check`` and don't do what they seem to.

The examples are programs that write a file; the command under them is what finds the comment.
"""

from staticpy.diagnostics.spec import DiagnosticSpec, Severity

_HEAD = """\
from pathlib import Path

Path("model.py").write_text('''
import staticpy

@staticpy.jit
def f(x: float):
"""
_TAIL = """\
''')

# $ staticpy check model.py
"""
_GOOD = f"""\
{_HEAD}    class Unused: pass  # staticpy: ignore[class-definition] removed soon
    return x
{_TAIL}"""

UNUSED_SUPPRESSION = DiagnosticSpec(
    code="SPY910",
    slug="unused-suppression",
    message="nothing here has the code that this comment hides: {codes}",
    help="remove it; '--fix' does",
    explanation="""\
The comment `# staticpy: ignore[…]` names a code that no finding of this statement has. What it was
written for is mended, or is on another line. A comment that hides nothing today would hide a new
finding tomorrow.

Codes that the settings leave out are not counted.
""",
    bad=f"""\
{_HEAD}    return x  # staticpy: ignore[class-definition] removed soon
{_TAIL}""",
    good=_GOOD,
    severity=Severity.WARNING,
)

UNKNOWN_SUPPRESSION = DiagnosticSpec(
    code="SPY911",
    slug="unknown-suppression",
    message="this comment hides nothing, as {detail}",
    help="write a code or a name that 'staticpy rule' lists",
    explanation="""\
The comment names a rule that does not exist, so that it hides nothing: a typing error, or the code
of another tool. """,
    bad=f"""\
{_HEAD}    return x  # staticpy: ignore[class-definitions]
{_TAIL}""",
    good=_GOOD,
    severity=Severity.WARNING,
)

BARE_SUPPRESSION = DiagnosticSpec(
    code="SPY912",
    slug="bare-suppression",
    message="this comment names no code, and hides nothing",
    help="name what it is to hide: '# staticpy: ignore[class-definition]'",
    explanation="""\
A comment that hides everything would hide the next finding, too. So each names what it hides, by
code, by name or by the beginning of a code; `ALL` has to be written out.

What is hidden is hidden from `staticpy check` only: a function that can't be compiled is still
refused when it is called.
""",
    bad=f"""\
{_HEAD}    return x  # staticpy: ignore
{_TAIL}""",
    good=_GOOD,
    severity=Severity.WARNING,
)
