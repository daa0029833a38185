"""Settings that hold for every test."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# On a shared machine an example may take any time, and so may making it; a failure must come back
# on the next run.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", **_PATIENT)
settings.register_profile("ci", **_PATIENT, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# A shell lets what it starts in the background ignore Ctrl-C, and so would the programs that tests
# start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
