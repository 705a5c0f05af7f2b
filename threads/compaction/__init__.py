"""Keep the live tokens of a branch below a threshold by offloading bulky content behind pointers."""

from threads.compaction import compaction
from threads.compaction.compaction import after_append
from threads.compaction.context_settings import ContextSettings, change_settings, settings_of
from threads.compaction.live_tokens import forget_compactions, grown, live_tokens
from threads.compaction.metrics import count, metrics_of, summarisations
from threads.compaction.offloading import put_away_results, read_in_thread, whole_of

__all__ = [
    "ContextSettings",
    "after_append",
    "change_settings",
    "compaction",
    "count",
    "forget_compactions",
    "grown",
    "live_tokens",
    "metrics_of",
    "put_away_results",
    "read_in_thread",
    "settings_of",
    "summarisations",
    "whole_of",
]
