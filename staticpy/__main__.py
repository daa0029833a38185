"""``python -m staticpy``: the command line without the ``staticpy`` script.

Python puts the current folder in front of ``sys.path`` for ``-m``. A ``json.py`` in the folder that
is checked must not be run, so the folder goes before anything else is imported.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

if __name__ == "__main__":
    try:
        from staticpy.cli import main

        code = main()
    except KeyboardInterrupt:  # while modules are loaded; later on ``main`` knows what to do
        code = 130
    # CPython ends by the signal, whatever is said here, if it came while text was executed, as
    # ``dataclasses`` does when modules are loaded, until some text is executed again.
    exec("")
    sys.exit(code)
