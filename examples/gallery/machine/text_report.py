"""A report in text: a table with aligned columns, a histogram, and a summary, made of strings.

Source: the stem-and-leaf display and the five-number summary of Tukey, "Exploratory Data Analysis".
"""

import numpy as np


def table(headers, rows):
    widths = [len(h) for h in headers]
    for row in rows:
        for i, cell in enumerate(row):
            widths[i] = max(widths[i], len(cell))
    lines = ["  ".join(h.rjust(w) for h, w in zip(headers, widths))]
    lines.append("-" * len(lines[0]))
    for row in rows:
        lines.append("  ".join(cell.rjust(w) for cell, w in zip(row, widths)))
    return "\n".join(lines)


def stem_and_leaf(x):
    stems = {}
    for v in np.sort(x.astype(int)):
        stems.setdefault(int(v) // 10, []).append(str(abs(int(v)) % 10))
    return [f"{stem:4d} | {''.join(leaves)}" for stem, leaves in sorted(stems.items())]


def histogram(x, bins=5, width=20):
    counts, edges = np.histogram(x, bins=bins)
    top = counts.max()
    lines = []
    for count, lo, hi in zip(counts, edges, edges[1:]):
        bar = "#" * int(round(width * count / top))
        lines.append(f"[{lo:7.2f}, {hi:7.2f}) {bar:<{width}} {count}")
    return lines


def program(columns):
    rows = []
    for name, x in columns.items():
        q = np.percentile(x, [0, 25, 50, 75, 100])
        rows.append([name, *(f"{v:.2f}" for v in q), f"{x.mean():.3g}±{x.std():.2g}"])
    text = table(["name", "min", "q1", "median", "q3", "max", "mean"], rows)
    first = columns["a"]
    parts = [text, "", *stem_and_leaf(first), "", *histogram(first)]
    print(f"{len(parts)} parts")
    return "\n".join(parts).splitlines()[0], "\n".join(parts), len(text)


def arguments(size):
    rng = np.random.default_rng(5)
    return ({name: 30 * rng.normal(size=3 * size) + k for k, name in enumerate("abc")},)
