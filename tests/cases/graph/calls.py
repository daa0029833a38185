"""One graph function for each combination of argument types and compile-time arguments."""

from staticpy import f64


def scaled(x, factor=2.0):
    return x * factor


def calls(x: f64["n"], a: float):
    return scaled(x) + scaled(x, factor=3.0) + scaled(x), scaled(a)


# graph
# module @calls {
#   func @calls(%x: f64[n], %a: float) -> (f64[n], float) {
#     %0 = call %x {callee = "scaled", result_types = (!f64[n],)} : f64[n]
#     %1 = call %x {callee = "scaled_1", result_types = (!f64[n],)} : f64[n]
#     %2 = add %0, %1 : f64[n]
#     %3 = call %x {callee = "scaled", result_types = (!f64[n],)} : f64[n]
#     %4 = add %2, %3 : f64[n]
#     %5 = call %a {callee = "scaled_2", result_types = (!float,)} : float
#     return %4, %5
#   }
#   func @scaled(%x: f64[n]) -> f64[n] {
#     %0 = constant {value = f64(2.0)} : f64
#     %1, %2 = broadcast %x, %0 : f64[n], f64[n]
#     %3 = multiply %1, %2 : f64[n]
#     return %3
#   }
#   func @scaled_1(%x: f64[n]) -> f64[n] {
#     %0 = constant {value = f64(3.0)} : f64
#     %1, %2 = broadcast %x, %0 : f64[n], f64[n]
#     %3 = multiply %1, %2 : f64[n]
#     return %3
#   }
#   func @scaled_2(%x: float) -> float {
#     %0 = constant {value = 2.0} : float
#     %1 = py.mul %x, %0 : float
#     return %1
#   }
# }
