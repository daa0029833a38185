"""A loop over a compile-time tuple is unrolled; a short range is, where its index must be known."""

from staticpy import f64


def unrolled(x: f64["n"]):
    weights = (0.5, 0.25)
    total = x
    for i in range(2):
        total = total + weights[i]
    return total


# graph
# module @unrolled {
#   func @unrolled(%x: f64[n]) -> f64[n] {
#     %0 = constant {value = 0.5} : float
#     %1 = from_python %0 {dtype = f64} : f64
#     %2, %3 = broadcast %x, %1 : f64[n], f64[n]
#     %total = add %2, %3 : f64[n]
#     %4 = constant {value = 0.25} : float
#     %5 = from_python %4 {dtype = f64} : f64
#     %6, %7 = broadcast %total, %5 : f64[n], f64[n]
#     %total.1 = add %6, %7 : f64[n]
#     return %total.1
#   }
# }
