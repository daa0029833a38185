"""Comparisons of what a compiled function can call with NumPy itself."""
