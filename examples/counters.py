"""Two counters race: one loop, run on Python ints, on NumPy scalars and on arrays.

The trip count is known only at run time. What goes in comes out in the same box: ints stay ints of
any size, NumPy scalars keep their dtype, arrays stay arrays.
"""

import numpy as np

import staticpy


@staticpy.jit
def race(first, second):
    """Let ``first`` catch up with ``second``."""
    while first < second:
        first = first + 2
        second = second + 1
    return first, second


@staticpy.jit
def race_of_numbers(first, second):
    """The same with ``+=``, for numbers: on an array, ``+=`` would change the caller's."""
    while first < second:
        first += 2
        second += 1
    return first, second


def main():
    """Run the race on values of every kind."""
    results = {
        "Python ints": race_of_numbers(0, 10),
        "Python ints beyond 64 bits": race_of_numbers(2**70, 2**70 + 5),
        "NumPy scalars": race_of_numbers(np.int32(0), np.int32(10)),
        "arrays": race(np.array([0.0]), np.array([10.5])),
        "arrays of float32": race(np.array([[0]], np.float32), np.array([[7]], np.float32)),
    }
    for kind, (first, second) in results.items():
        print(f"{kind}: first = {first!r}, second = {second!r}")
    return results


if __name__ == "__main__":
    main()
