"""The status of a call, which all functions of it get: how it ends, and what it has done so far.

In: nothing. Out: where in its memory everything is, in bytes. The entry of the function makes one.
"""

from __future__ import annotations

RETURNED, RAISED, OVERFLOWED, INTERRUPTED, LEFT_OUT = range(5)
"""What is stored at its start. INTERRUPTED: the handler of a signal has raised, which must not be
forgotten by running again. LEFT_OUT: see ``editions``."""

VISIBLE = 4
"""Where it says whether anything has been done that others can see."""

FLAGS = 8
"""Where the flags of the processor are kept that operations of NumPy have set."""

LETS_GO, STATE, NEXT = 12, 16, 24
"""Where what ``lock`` needs is kept."""

SIZE = 32
