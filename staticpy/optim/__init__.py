"""Optimisers, learning rates that change, and clipping of gradients.

In: parameters and gradients. Out: parameters that were changed in place, by one compiled function a
step.
"""

from staticpy.optim import schedules
from staticpy.optim.clipping import clip_by_global_norm, clip_by_value, global_norm
from staticpy.optim.optimizer import Optimizer
from staticpy.optim.optimizers import SGD, Adagrad, Adam, AdamW, RMSProp, RMSprop

__all__ = [
    "SGD",
    "Adagrad",
    "Adam",
    "AdamW",
    "Optimizer",
    "RMSProp",
    "RMSprop",
    "clip_by_global_norm",
    "clip_by_value",
    "global_norm",
    "schedules",
]
