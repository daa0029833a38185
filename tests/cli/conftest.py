"""The command in an empty folder, for every test here."""

from tests.support.command import check

__all__ = ["check"]
