"""Text for a prompt: neutralising, fencing, trimming and rendering it. Pure."""

from memories.text import new_mark
from threads.prompt.fence import fence, neutralise, without_fenced
from threads.prompt.rendering import Format, Rendered, counter, followed, paired, render, sendable
from threads.prompt.splitting import split_text, text_of_json
from threads.prompt.trimming import Count, Message, Strategy, split_into_units, trim

__all__ = [
    "Count",
    "Format",
    "Message",
    "Rendered",
    "Strategy",
    "counter",
    "fence",
    "followed",
    "neutralise",
    "new_mark",
    "paired",
    "render",
    "sendable",
    "split_into_units",
    "split_text",
    "text_of_json",
    "trim",
    "without_fenced",
]
