"""``staticpy.check_source``: the findings of a text, for programs that check programs."""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.check.core import NO_FILE, Checker
from staticpy.check.settings import SCOPES, Settings, SettingsError
from staticpy.diagnostics import Diagnostic


def check_source(
    text: str,
    *,
    filename: str = NO_FILE,
    scope: str = "decorated",
    select: Sequence[str] = ("ALL",),
    ignore: Sequence[str] = (),
    preview: bool = False,
) -> list[Diagnostic]:
    """What ``staticpy check`` reports of the text of a module. Nothing is imported or run.

    Args:
        text: the text of the module.
        filename: what to call it in the findings. Files that the text imports are looked for beside
            a file of this name, in the current folder and in its ``src``; "<string>" has none.
        scope: ``decorated``: the functions that the text gives to ``staticpy.jit``; ``reachable``:
            those and the functions that they call; ``all``: every function, as if it
            were decorated.
        select: the rules to report, by code, prefix or name.
        ignore: rules to leave out of those.
        preview: report rules in preview, too.

    Returns:
        The findings in the order of the text, then those in functions of other files that it calls.
        What a comment in the text hides is not among them.
        Each has ``code``, ``message``, ``help``, ``severity``, ``span``, ``labels`` and ``fix``.

    Raises:
        ValueError: there is no such scope, or no such rule.
    """
    if scope not in SCOPES:
        raise ValueError(f"scope is '{scope}', not one of {', '.join(SCOPES)}")
    settings = Settings(select=tuple(select), ignore=tuple(ignore), preview=preview, scope=scope)
    try:
        checker = Checker(settings)
    except SettingsError as error:
        raise ValueError(str(error)) from None
    result = checker.check_text(text, filename)
    return [*result.findings, *result.elsewhere]
