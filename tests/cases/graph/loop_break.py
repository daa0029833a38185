"""`break` ends the `for` by the first value that its body yields."""


def loop_break(n: int, limit: int):
    total = 0
    for i in range(n):
        if total > limit:
            break
        total += i
    return total


# graph
# module @loop_break {
#   func @loop_break(%n: int, %limit: int) -> int {
#     %0 = constant {value = 0} : int
#     %1 = constant {value = 1} : int
#     %total = for %0, %n, %1, %0 {breaks = true} : int (%i: int, %total.1: int) {
#       %2 = py.gt %total.1, %limit : bool
#       %break, %total.2 = if %2 : bool, int {
#         %3 = constant {value = true} : bool
#         region_yield %3, %total.1
#       } {
#         %total.3 = py.add %total.1, %i : int
#         %4 = constant {value = false} : bool
#         region_yield %4, %total.3
#       }
#       region_yield %break, %total.2
#     }
#     return %total
#   }
# }
