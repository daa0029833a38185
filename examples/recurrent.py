"""A tanh recurrent network over time steps: a loop over the rows of an array.

One compilation serves every length of the sequence and every batch size.
"""

import numpy as np

import staticpy

INPUTS, UNITS, OUTPUTS = 8, 16, 3


def cell(parameters, h, x):
    """One time step."""
    return np.tanh(x @ parameters["w_x"] + h @ parameters["w_h"] + parameters["b"])


@staticpy.jit
def run(parameters, sequence):
    """The last state and its read-out; ``sequence`` is ``f64[time, batch, inputs]``."""
    h = np.zeros((sequence.shape[1], parameters["w_h"].shape[0]))
    for x in sequence:
        h = cell(parameters, h, x)
    return h, h @ parameters["w_out"]


@staticpy.jit
def run_until(parameters, sequence, limit):
    """Stop once the mean activity exceeds ``limit``: the state, and the steps it took."""
    h = np.zeros((sequence.shape[1], parameters["w_h"].shape[0]))
    for time, x in enumerate(sequence):
        h = cell(parameters, h, x)
        if np.mean(np.abs(h)) > limit:
            return h, time + 1
    return h, len(sequence)


def make_parameters(seed):
    """Random weights."""
    rng = np.random.default_rng(seed)
    return {
        "w_x": rng.normal(size=(INPUTS, UNITS)) * 0.3,
        "w_h": rng.normal(size=(UNITS, UNITS)) * 0.2,
        "b": np.zeros(UNITS),
        "w_out": rng.normal(size=(UNITS, OUTPUTS)),
    }


def main():
    """Run the network over sequences of several lengths."""
    parameters = make_parameters(0)
    rng = np.random.default_rng(1)
    results = []
    for steps, batch in ((12, 4), (30, 1), (0, 2)):
        sequence = rng.normal(size=(steps, batch, INPUTS))
        state, out = run(parameters, sequence)
        _, used = run_until(parameters, sequence, 0.5)
        print(f"{steps} steps, batch of {batch}: sum of outputs {out.sum():.6f}, {used} used")
        results.append((state, out, used))
    return results


if __name__ == "__main__":
    main()
