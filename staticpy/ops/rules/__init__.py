"""The derivatives of the ops, by their names."""

from staticpy.ops.rules.base import RULES, Rule

__all__ = ["RULES", "Rule"]
