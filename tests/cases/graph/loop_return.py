"""A `return` in a loop carries a flag and the value out of it."""


def loop_return(n: int):
    for i in range(n):
        if i * i > n:
            return i
    return -1


# graph
# module @loop_return {
#   func @loop_return(%n: int) -> int {
#     %0 = constant {value = 0} : int
#     %1 = constant {value = 1} : int
#     %2 = constant {value = false} : bool
#     %3 = undef {type = !int} : int
#     %return, %result = for %0, %n, %1, %2, %3 {breaks = true} : bool, int (%i: int, %return.1: bool, %result.1: int) {
#       %4 = py.mul %i, %i : int
#       %5 = py.gt %4, %n : bool
#       %result.2, %return.2 = if %5 : int, bool {
#         %6 = constant {value = true} : bool
#         region_yield %i, %6
#       } {
#         %7 = constant {value = false} : bool
#         region_yield %result.1, %7
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
