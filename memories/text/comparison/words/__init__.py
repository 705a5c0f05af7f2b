"""Words as comparison reads them: tokens, numbers, dates, synonyms, in English and Chinese."""

from memories.text.comparison.words import chinese, english, lexicon
from memories.text.comparison.words.details import covers, kinds, unmatched
from memories.text.comparison.words.english import MINE, SELF, words
from memories.text.comparison.words.folding import fold
from memories.text.comparison.words.lexicon import ATTRIBUTES, ONE_PLACE_ZH, QUANTIFIERS, keys
from memories.text.comparison.words.manners import FUNCTION, QUANTITIES, Manner, map_manners, map_segments
from memories.text.comparison.words.phrases import join_phrases
from memories.text.comparison.words.tokens import BREAK, LONGEST, NAME, SIGN, WORD, Token, split_tokens

__all__ = [
    "ATTRIBUTES",
    "BREAK",
    "FUNCTION",
    "LONGEST",
    "MINE",
    "NAME",
    "ONE_PLACE_ZH",
    "QUANTIFIERS",
    "QUANTITIES",
    "SELF",
    "SIGN",
    "WORD",
    "Manner",
    "Token",
    "chinese",
    "covers",
    "english",
    "fold",
    "join_phrases",
    "keys",
    "kinds",
    "lexicon",
    "map_manners",
    "map_segments",
    "split_tokens",
    "unmatched",
    "words",
]
