"""Text for a prompt: trimming and rendering it, beside the fence of `memories.text`. Pure."""

from memories.text import (
    fence_memories,
    fence_requirements,
    fence_summary,
    fence_task_state,
    neutralise_text,
    new_mark,
    remove_fenced,
)
from threads.prompt.rendering import (
    Format,
    RenderedContext,
    append_input,
    make_counter,
    pair_tool_results,
    render_context,
    select_sendable,
)
from threads.prompt.splitting import split_text, text_of_json
from threads.prompt.trimming import Count, Message, Strategy, split_into_units, trim_messages

__all__ = [
    "Count",
    "Format",
    "Message",
    "RenderedContext",
    "Strategy",
    "append_input",
    "fence_memories",
    "fence_requirements",
    "fence_summary",
    "fence_task_state",
    "make_counter",
    "neutralise_text",
    "new_mark",
    "pair_tool_results",
    "remove_fenced",
    "render_context",
    "select_sendable",
    "split_into_units",
    "split_text",
    "text_of_json",
    "trim_messages",
]
