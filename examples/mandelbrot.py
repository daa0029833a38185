"""The Mandelbrot set: nested loops, `break` and early return, and the same over whole arrays."""

import numpy as np

import staticpy


def escape_count(c, limit):
    """How many steps of ``z * z + c`` stay within 2, up to ``limit``."""
    z = 0j
    for count in range(limit):
        if abs(z) > 2.0:
            return count
        z = z * z + c
    return limit


@staticpy.jit
def picture(rows, columns, limit):
    """A picture in one Python int: a bit a point, 1 inside of the set, and how many are inside."""
    bits, inside = 0, 0
    for row in range(rows):
        y = 1.25 - 2.5 * row / (rows - 1)
        for column in range(columns):
            x = -2.0 + 2.75 * column / (columns - 1)
            count = escape_count(x + y * 1j, limit)
            bits = bits * 2 + (1 if count == limit else 0)
            if count == limit:
                inside += 1
    return bits, inside


@staticpy.jit
def first_point_inside(rows, columns, limit):
    """The first point of the picture that doesn't escape: two loops left at once."""
    for row in range(rows):
        for column in range(columns):
            x, y = -2.0 + 2.75 * column / (columns - 1), 1.25 - 2.5 * row / (rows - 1)
            re, im = 0.0, 0.0
            escaped = False
            for _ in range(limit):
                re, im = re * re - im * im + x, 2.0 * re * im + y
                if re * re + im * im > 4.0:
                    escaped = True
                    break
            if not escaped:
                return row, column
    return -1, -1


@staticpy.jit
def escape_counts(c, limit):
    """The escape counts of a whole array of points at once."""
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=np.int64)
    for _ in range(limit):
        inside = np.abs(z) <= 2.0
        if not inside.any():
            break
        counts = counts + inside
        z = np.where(inside, z * z + c, z)
    return counts


def main():
    """Print the set, once by scalars and once by arrays."""
    rows, columns, limit = 21, 56, 30
    bits, inside = picture(rows, columns, limit)
    text = format(bits, f"0{rows * columns}b").replace("0", ".").replace("1", "#")
    for row in range(rows):
        print(text[row * columns : (row + 1) * columns])
    first = first_point_inside(rows, columns, limit)
    y, x = np.linspace(1.25, -1.25, rows)[:, None], np.linspace(-2.0, 0.75, columns)
    counts = escape_counts(x + 1j * y, limit)
    print(f"{inside} points inside, the first at {first}; by arrays: {(counts == limit).sum()}")
    return bits, inside, first, counts


if __name__ == "__main__":
    main()
