"""What programs ask for themselves, and what they write around a person's words."""

from threads.completions.programs.scaffolding import (
    cut_scaffolding,
    find_last_example,
    find_written_calls,
    is_scaffolding,
)
from threads.completions.programs.side_requests import clean_reason, find_side_request

__all__ = [
    "clean_reason",
    "cut_scaffolding",
    "find_last_example",
    "find_side_request",
    "find_written_calls",
    "is_scaffolding",
]
