"""SPY712: the class of what may be a Tensor."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def of_an_argument(x: f64[3]):
    return isinstance(x, np.ndarray), staticpy.Tensor(x)  # error: SPY712


@staticpy.jit
def of_a_tensor(x: f64[3]):
    tensor = staticpy.Tensor(x)
    return isinstance(tensor, np.ndarray)  # error: SPY712


@staticpy.jit
def by_type(x: f64[3]):
    tensor = staticpy.Tensor(x)
    return type(tensor) is staticpy.Tensor  # error: SPY712


@staticpy.jit
def among_arrays_alone(x: f64[3]):
    return isinstance(x, np.ndarray)


@staticpy.jit
def the_number_of_axes(x: f64[3]):
    tensor = staticpy.Tensor(x)
    return tensor.ndim == 1


@staticpy.jit
def of_a_number(n: int, x: f64[3]):
    tensor = staticpy.Tensor(x)
    return isinstance(n, int), tensor
