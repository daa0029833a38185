"""``staticpy check`` as a library: files and settings in, findings out.

In: paths or texts, and settings. Out: results, of which the command line makes a report, the server
marks in an editor, and the pytest plugin tests. Above the runtime, and below all that shows.
"""

from staticpy.check.analysis import Function, source_diagnostic
from staticpy.check.baseline import Baseline, read_baseline
from staticpy.check.cache import Cache, clean
from staticpy.check.config import KEYS, as_table, load, target_version
from staticpy.check.core import Checker, FileResult, Hidden, at_call, read_stdin
from staticpy.check.files import STDIN, Target, discover, is_excluded, relative
from staticpy.check.fixes import Fixed, fix_file, fix_one, fix_text, is_applicable, write
from staticpy.check.gathering import gathered
from staticpy.check.ignoring import with_ignores
from staticpy.check.knowledge import STAGES, Known, known_of, lacking_for, show
from staticpy.check.run import check_files
from staticpy.check.selection import ALWAYS, codes_of, unknown_rule, without_effect
from staticpy.check.settings import SCOPES, Settings, SettingsError
from staticpy.check.source import check_source

__all__ = [
    "ALWAYS",
    "KEYS",
    "SCOPES",
    "STAGES",
    "STDIN",
    "Baseline",
    "Cache",
    "Checker",
    "FileResult",
    "Fixed",
    "Function",
    "Hidden",
    "Known",
    "Settings",
    "SettingsError",
    "Target",
    "as_table",
    "at_call",
    "check_files",
    "check_source",
    "clean",
    "codes_of",
    "discover",
    "fix_file",
    "fix_one",
    "fix_text",
    "gathered",
    "is_applicable",
    "is_excluded",
    "known_of",
    "lacking_for",
    "load",
    "read_baseline",
    "read_stdin",
    "relative",
    "show",
    "source_diagnostic",
    "target_version",
    "unknown_rule",
    "with_ignores",
    "without_effect",
    "write",
]
