"""What staticpy makes of a function: graph, generated source, memory plan, and its errors.

The first program to read and to run: `python examples/graph_and_source.py`.
"""

from pathlib import Path

import numpy as np

import staticpy
from staticpy.cli import main as staticpy_command

REJECTED = Path(__file__).with_name("rejected.py")


@staticpy.jit
def product(w, x):
    """Two uses of ``w``."""
    return (w + x) * (w + 1)


@staticpy.jit
def line(w, x, b):
    """A product and a sum, which can share one buffer."""
    return w * x + b


def show(function, *args):
    """Print everything there is to see of a function, for arguments of these types."""
    lowered = function.lower(*args)
    compiled = lowered.compile()
    name = function.__name__
    print(f"--- {name}: the graph as written\n{lowered.ir}")
    print(f"--- {name}: the generated source\n{compiled.source}")
    print(f"--- {name}: the memory plan\n{compiled.memory_plan}\n")


def main():
    """Show two functions, run them, and show why three others can't be compiled."""
    w, x = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5, -1.0])
    b = np.array([10.0, 20.0, 30.0])
    show(product, w, x)
    show(line, w, x, b)
    results = {"product": product(w, x), "line": line(w, x, b)}
    for name, result in results.items():
        print(f"{name} gives {result}")
    print(f"\n--- what `staticpy check {REJECTED.name}` says")
    staticpy_command(["check", str(REJECTED)])
    return results


if __name__ == "__main__":
    main()
