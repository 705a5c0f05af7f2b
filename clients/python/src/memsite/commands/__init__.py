"""The command `memsite`: `memsite mcp` and `memsite import FILE`."""

from memsite.commands.entry import main

__all__ = ["main"]
