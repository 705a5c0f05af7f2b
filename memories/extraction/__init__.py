"""Learning from what was said: by a language model where there is one, else by rules."""

from memories.extraction.english import third_person
from memories.extraction.extract import FALLBACK, LLM, Extraction, extract, found_by_rules
from memories.extraction.prompts import Line, Prompt, fenced
from memories.extraction.prose import is_chinese, own_prose, sentences
from memories.extraction.rules import asks_to_remember, extract_by_rules
from memories.extraction.windows import Unread, Window, window_of

__all__ = [
    "FALLBACK",
    "LLM",
    "Extraction",
    "Line",
    "Prompt",
    "Unread",
    "Window",
    "asks_to_remember",
    "extract",
    "extract_by_rules",
    "fenced",
    "found_by_rules",
    "is_chinese",
    "own_prose",
    "sentences",
    "third_person",
    "window_of",
]
