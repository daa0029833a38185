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
#     %0 = constant {value = f64(0.5)} : f64
#     %1, %2 = broadcast %x, %0 : f64[n], f64[n]
#     %total = add %1, %2 : f64[n]
#     %3 = constant {value = f64(0.25)} : f64
#     %4, %5 = broadcast %total, %3 : f64[n], f64[n]
#     %total.1 = add %4, %5 : f64[n]
#     return %total.1
#   }
# }
