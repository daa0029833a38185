"""What NumPy does silently is explicit: casts, weak scalars, broadcasts."""

from staticpy import f32, f64


def promotion(x: f32["n", "k"], b: f64["k"]):
    return (x * 2 + b) > 0


# graph
# module @promotion {
#   func @promotion(%x: f32[n, k], %b: f64[k]) -> b1[n, k] {
#     %0 = constant {value = 2} : int
#     %1 = from_python %0 {dtype = f32} : f32
#     %2, %3 = broadcast %x, %1 : f32[n, k], f32[n, k]
#     %4 = multiply %2, %3 : f32[n, k]
#     %5 = cast %4 {dtype = f64} : f64[n, k]
#     %6, %7 = broadcast %5, %b : f64[n, k], f64[n, k]
#     %8 = add %6, %7 : f64[n, k]
#     %9 = constant {value = 0} : int
#     %10 = from_python %9 {dtype = f64} : f64
#     %11, %12 = broadcast %8, %10 : f64[n, k], f64[n, k]
#     %13 = greater %11, %12 : b1[n, k]
#     return %13
#   }
# }
