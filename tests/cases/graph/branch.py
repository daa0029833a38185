"""Both sides of a run-time `if` yield the variables that are read after it."""

from staticpy import f64


def branch(x: f64["n"], flag: bool):
    unused = 1
    if flag:
        y = x + 1.0
        unused = 2
    else:
        y = x
    return y


# graph
# module @branch {
#   func @branch(%x: f64[n], %flag: bool) -> f64[n] {
#     %y = if %flag : f64[n] {
#       %0 = constant {value = f64(1.0)} : f64
#       %1, %2 = broadcast %x, %0 : f64[n], f64[n]
#       %y.1 = add %1, %2 : f64[n]
#       region_yield %y.1
#     } {
#       region_yield %x
#     }
#     return %y
#   }
# }
