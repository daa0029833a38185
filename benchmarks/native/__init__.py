"""Native code beside other compilers: `python -m benchmarks native`.

``arrays``, ``networks`` and ``loops`` hold the programs as plain NumPy, ``workloads`` the table of
them with their sizes and goals; each ``*_programs`` says them in the words of one peer. ``worker``
runs one of them in one peer, ``comparison`` lets the workers take turns, ``report`` prints.
"""
