"""Derivatives of plain functions: they are run on Tensors, which note what is done on a tape.

In: a function and its arguments. Out: its value and the derivative, computed at once. The way back
over a tape is the graph's own transform, applied to the operations that the tape holds.
"""
