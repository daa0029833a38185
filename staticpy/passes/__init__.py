"""Passes: what makes a graph smaller and faster without anybody being able to tell.

In: a verified Module. Out: the same Module, optimized in place. A pass of your own is a function of
a Module; give it to a ``PassManager``.
"""

from staticpy.passes.aliasing import AliasAnalysis, reach
from staticpy.passes.bounded_sums import is_below_another
from staticpy.passes.cluster import Cluster, is_needed
from staticpy.passes.conjuncts import conjuncts
from staticpy.passes.contractions import with_contractions_as_products
from staticpy.passes.cse import cse
from staticpy.passes.dce import dce, reached_functions
from staticpy.passes.differences import with_differences_in_steps
from staticpy.passes.edge_rounds import edge_rounds_apart
from staticpy.passes.effects import (
    KEPT,
    Surroundings,
    all_effects,
    effects_by_op,
    functions_with_raising_warnings,
    reads_memory,
    write_epochs,
)
from staticpy.passes.epilogues import heads
from staticpy.passes.expected_sizes import expected_sizes
from staticpy.passes.fold import fold
from staticpy.passes.fuse import fuse
from staticpy.passes.gradients import with_gradients_in_steps
from staticpy.passes.halos import with_halos
from staticpy.passes.independence import (
    FIRST_INDEX,
    Independence,
    Written,
    independence,
    index_along,
    is_of_element,
    made_in,
    offset_from,
)
from staticpy.passes.inline import inline
from staticpy.passes.int_comparisons import compare_elements
from staticpy.passes.kernels import Kernel, kernel_of
from staticpy.passes.licm import licm
from staticpy.passes.loop_kinds import (
    accumulates_rows,
    gathered_by,
    is_accumulation,
    is_elementwise,
    is_gather,
    is_masked,
    is_reduction,
    is_row_gather,
    is_sink,
    is_view,
    last_axes,
    read_in_place,
    reduced_axes,
    stretched_from,
)
from staticpy.passes.manager import Pass, PassManager, default_pipeline, optimize
from staticpy.passes.memory_plan import MemoryPlan, Reuse, plan_memory
from staticpy.passes.nest_branches import nest_branches
from staticpy.passes.norms import with_norms_in_steps
from staticpy.passes.outer_products import with_outer_products_in_steps
from staticpy.passes.outline import extract, outline
from staticpy.passes.outputs import with_outputs_called, with_outputs_stored
from staticpy.passes.places import Place, is_there, place_of, target_of
from staticpy.passes.row_gathers import with_row_gathers
from staticpy.passes.schedule import Schedule, Walk
from staticpy.passes.selections import with_selections_in_steps
from staticpy.passes.simplify import simplify
from staticpy.passes.sizes import sizes_of_arguments
from staticpy.passes.slicing import keep_results
from staticpy.passes.slots import Slot, Source, slots_of
from staticpy.passes.stack_products import with_stacked_products
from staticpy.passes.stretch_again import stretch_again
from staticpy.passes.triangles import with_triangles_in_steps
from staticpy.passes.unions import split_unions
from staticpy.passes.unroll import unroll
from staticpy.passes.unswitch import unswitch
from staticpy.passes.variances import with_variances_in_steps

__all__ = [
    "FIRST_INDEX",
    "KEPT",
    "AliasAnalysis",
    "Cluster",
    "Independence",
    "Kernel",
    "MemoryPlan",
    "Pass",
    "PassManager",
    "Place",
    "Reuse",
    "Schedule",
    "Slot",
    "Source",
    "Surroundings",
    "Walk",
    "Written",
    "accumulates_rows",
    "all_effects",
    "compare_elements",
    "conjuncts",
    "cse",
    "dce",
    "default_pipeline",
    "edge_rounds_apart",
    "effects_by_op",
    "expected_sizes",
    "extract",
    "fold",
    "functions_with_raising_warnings",
    "fuse",
    "gathered_by",
    "heads",
    "independence",
    "index_along",
    "inline",
    "is_accumulation",
    "is_below_another",
    "is_elementwise",
    "is_gather",
    "is_masked",
    "is_needed",
    "is_of_element",
    "is_reduction",
    "is_row_gather",
    "is_sink",
    "is_there",
    "is_view",
    "keep_results",
    "kernel_of",
    "last_axes",
    "licm",
    "made_in",
    "nest_branches",
    "offset_from",
    "optimize",
    "outline",
    "place_of",
    "plan_memory",
    "reach",
    "reached_functions",
    "read_in_place",
    "reads_memory",
    "reduced_axes",
    "simplify",
    "sizes_of_arguments",
    "slots_of",
    "split_unions",
    "stretch_again",
    "stretched_from",
    "target_of",
    "unroll",
    "unswitch",
    "with_contractions_as_products",
    "with_differences_in_steps",
    "with_gradients_in_steps",
    "with_halos",
    "with_norms_in_steps",
    "with_outer_products_in_steps",
    "with_outputs_called",
    "with_outputs_stored",
    "with_row_gathers",
    "with_selections_in_steps",
    "with_stacked_products",
    "with_triangles_in_steps",
    "with_variances_in_steps",
    "write_epochs",
]
