"""Settings that hold for every test."""

from __future__ import annotations

import os

from hypothesis import settings

# On a shared machine an example may take any time, and a failure must come back on the next run.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
