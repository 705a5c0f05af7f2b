"""Keep the live tokens of a branch below a threshold by offloading bulky content behind pointers."""

from threads.compaction.compaction import (
    NO_COMPACTION,
    CompactionResult,
    compact_branch,
    queue_if_above_threshold,
    restore_messages,
)
from threads.compaction.context_settings import ContextSettings, change_settings, load_settings
from threads.compaction.offloading import load_offloaded, load_whole_content, offload_tool_results
from threads.compaction.token_counts import (
    add_to_metrics,
    add_to_total,
    count_summarisations,
    forget_compactions,
    load_metrics,
    sum_live_tokens,
)

__all__ = [
    "NO_COMPACTION",
    "CompactionResult",
    "ContextSettings",
    "add_to_metrics",
    "add_to_total",
    "change_settings",
    "compact_branch",
    "count_summarisations",
    "forget_compactions",
    "load_metrics",
    "load_offloaded",
    "load_settings",
    "load_whole_content",
    "offload_tool_results",
    "queue_if_above_threshold",
    "restore_messages",
    "sum_live_tokens",
]
