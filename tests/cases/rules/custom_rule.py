"""SPY707: rules of one's own that are none, and checkpoints of what is seen to run twice."""

import numpy as np

import staticpy
from staticpy import f64


@staticpy.jit
@staticpy.grad
def without_a_tuple(x: float):
    @staticpy.custom_vjp
    def cube(y):
        return y**3

    cube.defvjp(lambda y: (y**3, y), lambda y, g: 3 * y * y * g)
    return cube(x)  # error: SPY707


@staticpy.jit
@staticpy.grad
def prints_twice(x: float):
    def square(y):
        print(y)  # error: SPY707
        return y * y

    return staticpy.checkpoint(square)(x)


@staticpy.jit
@staticpy.grad
def writes_twice(x: f64[3]):
    out = np.zeros(3)

    def square(y):
        out[0] = y[1]  # error: SPY707
        return y * y

    return staticpy.checkpoint(square)(x).sum() + out[0]


@staticpy.jit
@staticpy.grad
def with_a_tuple(x: float):
    @staticpy.custom_vjp
    def cube(y):
        return y**3

    cube.defvjp(lambda y: (y**3, y), lambda y, g: (3 * y * y * g,))
    return cube(x)


@staticpy.jit
@staticpy.grad
def writes_to_its_own(x: f64[3]):
    def square(y):
        out = np.zeros(3)
        out[0] = y[1]
        return y * y + out

    return staticpy.checkpoint(square)(x).sum()


@staticpy.jit
@staticpy.grad
def prints_outside(x: float):
    print(x)
    return staticpy.checkpoint(lambda y: y * y)(x)


@staticpy.jit
@staticpy.grad
def saves_products(x: f64[3, 3]):
    layer = staticpy.checkpoint(
        lambda y: np.tanh(staticpy.checkpoint_name(y @ y, "product")),
        policy=staticpy.checkpoint_policies.save_only_these_names("product"),
        static_argnums=0,
    )
    return layer(x).sum()
