"""Random numbers have no derivative by what they are drawn from."""

from staticpy.ops.rules.base import no_rule

no_rule("what is drawn at random has no derivative", "random.draw", "random.make")
