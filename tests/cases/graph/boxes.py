"""A Python float that becomes a NumPy scalar: the box is that of the path taken."""

from staticpy import f64


def boxes(x: f64["n"]):
    total = 0.0
    for value in x:
        total += value
    return total


# graph
# module @boxes {
#   func @boxes(%x: f64[n]) -> f64|float {
#     %0 = dim %x {axis = 0} : int
#     %1 = constant {value = 0} : int
#     %2 = constant {value = 1} : int
#     %3 = constant {value = 0.0} : float
#     %total = for %1, %0, %2, %3 {breaks = false} : f64|float (%4: int, %total.1: f64|float) {
#       %value = index %x, %4 {spec = ("value",)} : f64
#       %total.2 = any.add %total.1, %value : f64
#       region_yield %total.2
#     }
#     return %total
#   }
# }
