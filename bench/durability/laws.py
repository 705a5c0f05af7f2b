"""The laws: what must be true after any number of kills."""

from __future__ import annotations

from enum import StrEnum


class Law(StrEnum):
    """The laws, as they are shown."""

    MESSAGES = "acknowledged messages are there once, in one chain"
    THREADS = "threads say the same as without kills"
    EPISODES = "every message is one episode, in order"
    LEARNT = "what was learnt is the same as without kills"
    LEARNT_ONCE = "every message was learnt from once"
    STATED = "stated memories are there once"
    EVENTS = "events have no gap and no double"
    INDEXED = "every memory has its vector"
    RECALLED = "what is stored is found"
    ANSWERS = "no request is answered by an internal error"
    RECOVERY = "work of a killed worker is done within 2 minutes"
    NO_WORK_LEFT = "no work is left"
    WHOLE = "the site is whole again, with no process too many"
    NO_ORPHAN = "no process outlives the site"
    SOUND = "the database's pages are sound, each index leads to its table's rows"
