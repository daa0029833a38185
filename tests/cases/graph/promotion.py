"""What NumPy does silently is explicit: casts, weak scalars, broadcasts."""

from staticpy import f32, f64


def promotion(x: f32["n", "k"], b: f64["k"]):
    return (x * 2 + b) > 0


# graph
# module @promotion {
#   func @promotion(%x: f32[n, k], %b: f64[k]) -> b1[n, k] {
#     %0 = constant {value = f32(2.0)} : f32
#     %1, %2 = broadcast %x, %0 : f32[n, k], f32[n, k]
#     %3 = multiply %1, %2 : f32[n, k]
#     %4 = cast %3 {dtype = f64} : f64[n, k]
#     %5, %6 = broadcast %4, %b : f64[n, k], f64[n, k]
#     %7 = add %5, %6 : f64[n, k]
#     %8 = constant {value = f64(0.0)} : f64
#     %9, %10 = broadcast %7, %8 : f64[n, k], f64[n, k]
#     %11 = greater %9, %10 : b1[n, k]
#     return %11
#   }
# }
