"""SPY603: dtypes that are not part of the language."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
def a_conversion(x: f64[3]):
    return x.astype(np.longdouble)  # error: SPY603


@staticpy.jit
def a_new_array(x: f64[3]):
    return x + np.zeros(3, dtype=np.longdouble)  # error: SPY603


@staticpy.jit
def texts(x: f64[3]):
    return x.astype("U8")  # error: SPY603


@staticpy.jit
def of_half_the_size(x: f64[3]):
    return x.astype(np.float32)


@staticpy.jit
def of_numbers_of_two_parts(x: f64[3]):
    return x.astype("c16")


@staticpy.jit
def of_a_byte(x: f64[3]):
    return np.zeros(3, dtype=np.uint8)
