"""Find where the messages of a request belong, and store those that are new."""

from threads.completions.alignment.aligning import align_history
from threads.completions.alignment.storing import store_new_messages

__all__ = ["align_history", "store_new_messages"]
