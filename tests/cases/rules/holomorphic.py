"""SPY714: derivatives of holomorphic functions of what is not complex."""

import numpy as np

import staticpy
from staticpy import c128, f64


@staticpy.jit
def by_a_float(x: float):
    return staticpy.grad(lambda z: z * z, holomorphic=True)(x)  # error: SPY714


@staticpy.jit
def of_a_float(z: c128["n"]):
    return staticpy.grad(lambda z: abs(z), holomorphic=True)(z[0])  # error: SPY714


@staticpy.jit
def of_an_array(z: c128["n"]):
    return staticpy.grad(lambda z: z * z, holomorphic=True)(z)  # error: SPY714


@staticpy.jit
def jacobian_by_floats(x: f64["n"]):
    return staticpy.jacrev(lambda z: z * 1j, holomorphic=True)(x)  # error: SPY714


@staticpy.jit
def jacobian_of_floats(z: c128["n"]):
    return staticpy.jacfwd(lambda z: np.abs(z), holomorphic=True)(z)  # error: SPY714


@staticpy.jit
def a_square(z: c128["n"]):
    return staticpy.grad(lambda z: z * z, holomorphic=True)(z[0])


@staticpy.jit
def a_norm_that_is_not(z: c128["n"]):
    return staticpy.grad(lambda z: np.linalg.norm(z))(z)


@staticpy.jit
def squares(z: c128["n"]):
    return staticpy.jacrev(lambda z: z * z, holomorphic=True)(z)
