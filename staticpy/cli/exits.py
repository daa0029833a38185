"""The exit codes of every command."""

OK = 0
FINDINGS = 1
"""There are errors in what was looked at."""
USAGE = 2
"""Bad arguments, or a path that was named and is missing or unreadable."""
INTERNAL = 3
"""staticpy itself failed on something; the rest was still looked at."""
INTERRUPTED = 130
