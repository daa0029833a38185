"""The command line: ``staticpy check``, ``explain``, ``rule``, ``show``, ``version``.

In: arguments. Out: text and an exit code. The top layer; what it doesn't need for a command (NumPy,
the frontend, a backend) it doesn't load.
"""

from staticpy.cli.main import main

__all__ = ["main"]
