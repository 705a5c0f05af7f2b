"""What a context says of itself: why a memory was left out, and what is missing or otherwise than usual."""

from __future__ import annotations

from enum import StrEnum


class Remark(StrEnum):
    """A remark of a context, as the API returns it. `threads.pages` says each in the language of the page."""

    # Why a memory was left out.
    OUTDATED = "a newer statement has replaced it"
    IN_MESSAGES = "said in this context already"
    NO_ROOM = "relevant, but no room"
    LESS_RELEVANT = "less relevant than the best"
    REPEATS = "repeats what is known"
    IN_INCLUDED_MESSAGE = "part of a message that is included"
    ONLY_ASKS = "only asks"
    IS_REPLY = "said by the assistant"
    NOT_RELEVANT = "less relevant, and not said near a relevant one"
    NEARBY_NO_ROOM = "said near a relevant one, but no room"

    # About memories as a whole.
    NO_QUERY = "no memories were looked for: the input asks for nothing that could be remembered"
    LAST_QUERY = "memories were looked for by the last messages: the input only goes on from them"
    WORDS_ALONE = "memories were compared by words alone: the input's sentence vector was late"
    SOME_BY_WORDS = "some memories were compared by words alone: they have no sentence vector yet"

    # About other parts.
    OWN_MESSAGES = "the program sent its own messages"
    SYSTEM_PROMPT_CUT = "the system prompt was cut to fit"
    TASK_STATE_CUT = "the task state was cut to fit"
    SUMMARY_CUT = "the summary was cut to fit"
