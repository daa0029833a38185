"""Where the running program decides how many rounds there are, even a short loop stays one: the list
that it fills gets memory.
"""


def short_loop_that_breaks(x: float):
    history = [x]
    for _ in range(20):
        x = x / 2
        if x < 1.0:
            break
        history.append(x)
    return history


# graph
# module @short_loop_that_breaks {
#   func @short_loop_that_breaks(%x: float) -> list[float] {
#     %0 = constant {value = 0} : int
#     %1 = constant {value = 20} : int
#     %2 = constant {value = 1} : int
#     %3 = list.make %x {type = !list[float]} : list[float]
#     %x.1 = for %0, %1, %2, %x {breaks = true} : float (%_: int, %x.2: float) {
#       %4 = constant {value = 2} : int
#       %x.3 = py.truediv %x.2, %4 : float
#       %5 = constant {value = 1.0} : float
#       %6 = py.lt %x.3, %5 : bool
#       %break = if %6 : bool {
#         %7 = constant {value = true} : bool
#         region_yield %7
#       } {
#         list.append %3, %x.3
#         %8 = constant {value = false} : bool
#         region_yield %8
#       }
#       region_yield %break, %x.3
#     }
#     return %3
#   }
# }
