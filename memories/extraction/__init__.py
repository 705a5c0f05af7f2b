"""Learning from what was said: by a language model where there is one, else by rules."""

from memories.extraction.english import inflect_third_person
from memories.extraction.extract import Extraction, extract, extract_by_rules_in_context
from memories.extraction.prompts import FencedMessage, Prompt, fence_messages
from memories.extraction.prose import extract_own_prose, is_chinese, split_sentences
from memories.extraction.rules import Unstated, asks_to_remember, extract_by_rules, read_unstated
from memories.extraction.talk import keep_lasting
from memories.extraction.windows import ExtractionWindow, UnreadMessage, make_window

__all__ = [
    "Extraction",
    "ExtractionWindow",
    "FencedMessage",
    "Prompt",
    "UnreadMessage",
    "Unstated",
    "asks_to_remember",
    "extract",
    "extract_by_rules",
    "extract_by_rules_in_context",
    "extract_own_prose",
    "fence_messages",
    "inflect_third_person",
    "is_chinese",
    "keep_lasting",
    "make_window",
    "read_unstated",
    "split_sentences",
]
