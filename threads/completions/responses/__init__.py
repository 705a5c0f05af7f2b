"""OpenAI's Responses and Conversations, translated to chat completions and to threads."""

from threads.completions.responses.events import ResponseWriter
from threads.completions.responses.items import (
    ItemId,
    make_item_id,
    parse_item_id,
    read_item_messages,
    render_message_items,
)
from threads.completions.responses.stored_history import (
    find_conversation,
    find_item,
    find_reply,
    load_unsent_history,
    place_after_response,
    place_in_conversation,
    render_chat_messages,
    resolve_item,
)
from threads.completions.responses.tools import list_client_tools
from threads.completions.responses.translation import (
    ResponseOptions,
    Unsupported,
    read_options,
    render_response,
    translate_request,
)

__all__ = [
    "ItemId",
    "ResponseOptions",
    "ResponseWriter",
    "Unsupported",
    "find_conversation",
    "find_item",
    "find_reply",
    "list_client_tools",
    "load_unsent_history",
    "make_item_id",
    "parse_item_id",
    "place_after_response",
    "place_in_conversation",
    "read_item_messages",
    "read_options",
    "render_chat_messages",
    "render_message_items",
    "render_response",
    "resolve_item",
    "translate_request",
]
