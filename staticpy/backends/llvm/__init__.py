"""The llvm backend: the whole function as one piece of machine code (extra ``native``).

In: an optimized Module. Out: an Executable whose function is a C function that LLVM has compiled.
The road through this package:

    ir           LLVM's text, written line by line
    forms        which types have a form in registers, and which stay Python objects
    context      values, references, errors: what every rule emits into
    boxes        from Python objects to registers and back
    outcomes     values that native code computes, or a kernel
    kernels      what has no native form calls its kernel, from inside
    control, python_numbers, extremes, math_functions, numbers, memory    the rules: what each op is
    low_bits, unsigned, unsigned_numbers    ints that are cut to 64 bits
    bounds, positions, loop_ranges    which elements need no look, as all rounds are in bounds
    elements, members    what elementwise ops are on one element or a vector
    complex_elements, complex_absolutes, divisions, moduli    of which these have more to say
    clusters, loops      what is computed together, in loops
    epilogues    products that are computed with their loops
    parts, packing, pool, workers, worth    long loops: copies of what has gaps, several threads
    linked, late    native functions that are compiled once: before what calls them, or when called
    products, stacks, gemm, blas     products of matrices
    layouts, counting        what several of these need
    lock, stretches          other threads of Python run meanwhile
    selections   what masks select
    extreme_places, running    where the largest is; running sums
    recycling    memory of large results that is used again
    function     all operations of a function, in order
    calls, depth functions of numbers that call each other; how deep
    clock        how long kernels take
    entry        the C function that Python calls
    dispatch     takes calls with no Python between
    units, pieces, engine    from LLVM's text to machine code, by several threads
    backend      all of it in order
"""

from staticpy.backends.llvm.backend import Llvm, prepare

__all__ = ["Llvm", "prepare"]
