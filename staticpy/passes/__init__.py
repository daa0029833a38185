"""Passes: what makes a graph smaller and faster without anybody being able to tell.

In: a verified Module. Out: the same Module, optimized in place. A pass of your own is a function of
a Module; give it to a ``PassManager``.
"""

from staticpy.passes.aliasing import AliasAnalysis
from staticpy.passes.cse import cse
from staticpy.passes.dce import dce
from staticpy.passes.effects import (
    KEPT,
    Surroundings,
    all_effects,
    effects_by_op,
    functions_with_raising_warnings,
    reads_memory,
    write_epochs,
)
from staticpy.passes.fold import fold
from staticpy.passes.inline import inline
from staticpy.passes.licm import licm
from staticpy.passes.manager import Pass, PassManager, default_pipeline, optimize
from staticpy.passes.memory_plan import MemoryPlan, Reuse, plan_memory
from staticpy.passes.simplify import simplify
from staticpy.passes.slicing import keep_results

__all__ = [
    "KEPT",
    "AliasAnalysis",
    "MemoryPlan",
    "Pass",
    "PassManager",
    "Reuse",
    "Surroundings",
    "all_effects",
    "cse",
    "dce",
    "default_pipeline",
    "effects_by_op",
    "fold",
    "functions_with_raising_warnings",
    "inline",
    "keep_results",
    "licm",
    "optimize",
    "plan_memory",
    "reads_memory",
    "simplify",
    "write_epochs",
]
