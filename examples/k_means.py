"""Clusters of points by k-means, in terms of the Python array API standard alone.

The functions take their namespace as an argument, as code for any array library does; here it is
``staticpy.xp``, known while compiling. The number of steps is found at run time.
"""

import numpy as np

import staticpy
from staticpy import xp as arrays


def nearest(xp, points, centres):
    """The index of the nearest centre of each point: ``i64[n]``, and its squared distance."""
    apart = xp.expand_dims(points, axis=1) - centres
    distances = xp.vecdot(apart, apart)
    label = xp.argmin(distances, axis=1)
    return label, xp.take_along_axis(distances, xp.expand_dims(label, axis=1))[:, 0]


def moved(xp, points, centres, label):
    """The mean of the points of each centre; a centre without points stays."""
    rows = []
    for index, centre in enumerate(xp.unstack(centres)):
        own = points[label == index]
        rows.append(xp.mean(own, axis=0) if own.shape[0] > 0 else centre)
    return xp.stack(rows)


@staticpy.jit
def k_means(xp, points, centres, most):
    """The centres, the largest cluster first, their sizes, and the steps that it took."""
    label, distance = nearest(xp, points, centres)
    steps = 0
    while steps < most:
        steps += 1
        centres = moved(xp, points, centres, label)
        before, (label, distance) = xp.sum(distance), nearest(xp, points, centres)
        if xp.sum(distance) >= before:
            break
    sizes = xp.unique_counts(label).counts
    order = xp.argsort(sizes, descending=True)
    return xp.take(centres, order, axis=0), xp.take(sizes, order), steps


def main():
    """Find three clouds of points again, in either precision."""
    rng = np.random.default_rng(0)
    clouds = [rng.normal(place, 0.3, (count, 2)) for place, count in ((0, 40), (3, 70), (-3, 20))]
    results = []
    for dtype in (arrays.float32, arrays.float64):
        points = arrays.astype(arrays.concat(clouds), dtype)
        centres, sizes, steps = k_means(arrays, points, points[::60], 50)
        print(f"{centres.dtype}: {sizes} points around {arrays.round(centres)}, {steps} steps")
        results.append((centres, sizes, steps))
    return results


if __name__ == "__main__":
    main()
