"""A `return` in a loop carries a flag and the value out of it."""


def loop_return(n: int):
    for i in range(n):
        if i * i > n:
            return i
    return -1

# graph
# module @loop_return {
#   func @loop_return(%n: int) -> int {
#     %0 = constant {value = false} : bool
#     %1 = undef {type = !int} : int
#     %2 = constant {value = 0} : int
#     %3 = constant {value = 1} : int
#     %return, %result = for %2, %n, %3, %0, %1 {breaks = true} : bool, int (%i: int, %return.1: bool, %result.1: int) {
#       %4 = py.mul %i, %i : int
#       %5 = py.gt %4, %n : bool
#       %return.2, %result.2 = if %5 : bool, int {
#         %6 = constant {value = true} : bool
#         region_yield %6, %i
#       } {
#         %7 = constant {value = false} : bool
#         region_yield %7, %result.1
#       }
#       region_yield %return.2, %return.2, %result.2
#     }
#     %result.3 = if %return : int {
#       region_yield %result
#     } {
#       %8 = constant {value = -1} : int
#       region_yield %8
#     }
#     return %result.3
#   }
# }
