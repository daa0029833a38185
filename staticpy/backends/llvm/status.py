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

ROUNDS = 1 << 16
"""How many rounds of loops there are between two looks for signals."""

KEEP_FLAGS, CLEAR_FLAGS = "flags.keep", "flags.clear"
"""The functions around each call of a kernel, which has flags of its own; the entry defines them.
Both take the address of where the flags are kept."""

PIN_FLAGS = "flags.pin"
"""The function behind which an operation on floats has set its flags; the entry defines it."""

LETS_GO, STATE, NEXT = 12, 16, 24
"""Where what ``lock`` needs is kept."""

SIZE = 32
