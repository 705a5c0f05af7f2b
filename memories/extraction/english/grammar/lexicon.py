"""Word lists of the English rules: closed classes here, open ones in `lexicon.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memories.extraction.tables import read_table


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


_LISTS: Final = words(
    "adverbs hedges frequency not_past not_progressive fleeting_verbs inflected_verbs doubling_verbs "
    "finite_verbs project_things"
)
_EXPRESSIONS: Final = words(
    "speech lasting_states fleeting_nouns people pets single_attributes goal_verbs technology works"
)
_TABLE: Final = read_table(
    Path(__file__).with_suffix(".toml"),
    _LISTS | _EXPRESSIONS,
    ("irregular_past", "irregular_participles"),
)

BE: Final = words("am is are was were be been being")
HAVE: Final = words("have has had having")
DO: Final = words("do does did")
MODALS: Final = words("can could will would shall should may might must")
NEGATIVES: Final = {
    "don't": "do", "doesn't": "do", "didn't": "did", "can't": "can", "cannot": "can", "couldn't": "could",
    "won't": "will", "wouldn't": "would", "shouldn't": "should", "mustn't": "must", "isn't": "is",
    "aren't": "are",
    "wasn't": "was", "weren't": "were", "haven't": "have", "hasn't": "have", "hadn't": "had", "ain't": "am",
    "mightn't": "might", "needn't": "must",
}  # fmt: skip
#: Contractions as people type them without the apostrophe.
BARE_CONTRACTIONS: Final = {"im": "I'm", "ive": "I've"} | {
    contraction.replace("'", ""): contraction for contraction in NEGATIVES
}

#: Adverbs that may occur between subject and verb without changing the statement.
ADVERBS: Final = _TABLE.words("adverbs")
#: Adverbs that make a clause a doubt or a guess.
HEDGES: Final = _TABLE.words("hedges")
FREQUENCY: Final = _TABLE.words("frequency")
#: Irregular forms, each with its base form.
IRREGULAR_PAST: Final = _TABLE.forms["irregular_past"]
IRREGULAR_PARTICIPLES: Final = _TABLE.forms["irregular_participles"]
#: Base forms that end like a past tense.
NOT_PAST: Final = _TABLE.words("not_past")
NOT_PROGRESSIVE: Final = _TABLE.words("not_progressive")
#: Verbs that the rules recognise in all forms. Other verbs are recognised in the base form only.
INFLECTED_VERBS: Final = _TABLE.words("inflected_verbs")
DOUBLING_VERBS: Final = _TABLE.words("doubling_verbs")
#: Verbs that end a subject such as "my old laptop", and things of a project, said with "the".
FINITE_VERBS: Final = _TABLE.words("finite_verbs")
PROJECT_THINGS: Final = _TABLE.words("project_things")
#: Verbs that in the first person present are about the conversation or the moment, not about the person.
FLEETING_VERBS: Final = _TABLE.words("fleeting_verbs")
#: Verbs of saying, thinking and wanting in the third person. What follows them is not the speaker's
#: statement. This list and those below are alternations for patterns.
SPEECH: Final = _TABLE.any_of("speech")
#: Adjectives and participles that stay true of a person for long.
LASTING_STATES: Final = _TABLE.any_of("lasting_states")
#: Nouns after "I have" or "my" that belong to the conversation, the task or the moment.
FLEETING_NOUNS: Final = _TABLE.any_of("fleeting_nouns")
PEOPLE: Final = _TABLE.any_of("people")
PETS: Final = _TABLE.any_of("pets")
#: Attributes of which a person has one at a time. A new value ends the old one.
SINGLE_ATTRIBUTES: Final = _TABLE.any_of("single_attributes")
#: Verbs of life goals, as opposed to requests to an assistant.
GOAL_VERBS: Final = _TABLE.any_of("goal_verbs")
#: Names of tools, so that moving to a tool is not read as moving house.
TECHNOLOGY: Final = _TABLE.any_of("technology")
#: Things that people make.
WORKS: Final = _TABLE.any_of("works")
