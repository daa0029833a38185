"""Run-length encoding of bytes: PackBits, by elements, and runs of an array, by whole arrays.

Source: Apple Technical Note TN1023, "Understanding PackBits", 1996.
"""

import numpy as np


def pack(data):
    out = []
    i, n = 0, len(data)
    while i < n:
        run = 1
        while i + run < n and run < 128 and data[i + run] == data[i]:
            run += 1
        if run > 1:
            out += [257 - run, int(data[i])]
            i += run
            continue
        start = i
        while i < n and i - start < 128 and (i + 1 >= n or data[i] != data[i + 1]):
            i += 1
        out.append(i - start - 1)
        out.extend(data[start:i].tolist())
    return np.array(out, dtype=np.uint8)


def unpack(packed, size):
    out = np.zeros(size, dtype=np.uint8)
    pos = i = 0
    while i < len(packed):
        header = int(packed[i])
        i += 1
        if header < 128:
            count = header + 1
            out[pos : pos + count] = packed[i : i + count]
            i += count
        elif header == 128:
            continue
        else:
            count = 257 - header
            out[pos : pos + count] = packed[i]
            i += 1
        pos += count
    return out[:pos]


def runs(x):
    """Values, starts and lengths."""
    starts = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
    lengths = np.diff(np.append(starts, len(x)))
    return x[starts], starts, lengths


def program(data):
    packed = pack(data)
    values, starts, lengths = runs(data)
    restored = np.repeat(values, lengths)
    same = np.array_equal(unpack(packed, len(data)), data) and np.array_equal(restored, data)
    return packed, lengths.max(), same


def arguments(size):
    rng = np.random.default_rng(1)
    return (np.repeat(rng.integers(0, 4, 3 * size), rng.integers(1, 9, 3 * size)).astype(np.uint8),)
