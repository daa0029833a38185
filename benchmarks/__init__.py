"""Measurements of staticpy against plain Python and NumPy: `python -m benchmarks`."""
