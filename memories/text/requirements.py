"""Recognise requirements: what a person wants every answer to respect. Pure.

Those tagged `always` say how the person wants to be answered ("answer in Chinese") and belong to every
context. Those tagged `diet` say what the person does not eat, drink or take, and belong to the context of an
input about food, drink or medicine. The words are in `requirements.toml`.

The other tags are of a field of life: `craft`, programming. A search tells by meaning which memories and
inputs are of a field, so that these tags are only set by hand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from memories.text.quotations import remove_frame
from memsite.values import TextEnum

#: A longer statement is no requirement: it says more than how to answer, and takes too many tokens.
REQUIREMENT_CHARACTERS: Final = 240
#: Characters of an input, from its beginning, in which its topic is looked for.
_INPUT_CHARACTERS: Final = 2_000
_KEYS: Final = (
    "english", "english_patterns", "chinese", "chinese_patterns", "except", "except_patterns",
)  # fmt: skip
#: The kinds of memories that may be requirements.
_KINDS: Final = frozenset({"preference", "fact", "habit"})
#: Beginnings of requests to the assistant.
_COMMAND: Final = re.compile(
    r"\s*(?:(?:please|always|never|only|from now on|in (?:the )?future|when you \w+|do not|don[’']t),? )*"
    r"(?:answer|reply|respond|write|talk|speak|explain|keep|use|give|avoid|stop|be|address|include|add|skip)\b"
    r"|(?:请|麻烦|以后|今后|从现在起|从今以后|都|不要|别|务必|尽量|，)*(?:用|使用|回[答复]|答复|解释|说话|称呼|写|保持|带)",
    re.IGNORECASE,
)
#: A request to the assistant, as learning quotes it.
_REQUEST: Final = re.compile(r"\s*(?:the user asked: [\"“]|用户要求：“)", re.IGNORECASE)
#: Beginnings of statements about the owner, and not about somebody or something of theirs.
_OWN: Final = re.compile(
    r"\s*(?:i\b|(?:the )?user\b(?!['’]s)|(?:我|用户)(?![的们家妈爸父母老哥姐弟妹爷奶外儿女先太朋同]))",
    re.IGNORECASE,
)
#: Beginnings of statements about other people and animals, though they name the owner.
_OTHERS: Final = re.compile(
    r"\s*(?:(?:my|our)\s+(?!pronouns)|(?:我|用户)(?:们?家)?的?"
    r"(?:[妈爸父母哥姐弟妹爷奶叔姑姨舅侄孙儿女闺婆猫狗]|老[公婆板师爸妈]|外[公婆甥孙]|表[哥姐弟妹]|堂[哥姐弟妹]|先生|太太|朋友|同[事学]"
    r"|男朋?友|对象|室友|邻居|客户|孩子|宝宝|家人))",
    re.IGNORECASE,
)
_USER: Final = frozenset({"", "user", "the user"})


class RequirementTag(TextEnum):
    """The tags of memories that are requirements."""

    ALWAYS = "always"
    DIET = "diet"
    CRAFT = "craft"


#: The tags of fields of life.
FIELDS: Final = (RequirementTag.CRAFT,)


class _Words:
    """The words of one section."""

    def __init__(self, section: Mapping[str, Sequence[str]], name: str, food: str) -> None:
        if set(section) != set(_KEYS):
            raise ValueError(f"requirements.toml: [{name}] must have {', '.join(_KEYS)}")
        self._words = _compile(section, food, "english", "chinese")
        self._excepted = _compile(section, food, "except")

    def occur(self, text: str) -> bool:
        """Return whether a text has one of the words outside the exceptions."""
        if self._words is None or self._words.search(text) is None:
            return False
        return self._excepted is None or self._words.search(self._excepted.sub(" ", text)) is not None


def _compile(section: Mapping[str, Sequence[str]], food: str, *names: str) -> re.Pattern[str] | None:
    """Return one pattern of the words and the patterns of these names; None if there are none."""
    found = [_pattern(word) for name in names for word in section[name]]
    found += [one.replace("{food}", food) for name in names for one in section[f"{name}_patterns"]]
    return re.compile("|".join(found), re.IGNORECASE) if found else None


def _pattern(word: str) -> str:
    """Return the pattern of a word: whole in English, where "n't" ends another word; anywhere in Chinese."""
    if not word.isascii():
        return re.escape(word)
    begins = "" if word.startswith("n't") else r"\b"
    ends = r"\w*" if word.endswith("*") else r"\b"
    plain = re.escape(word.removesuffix("*")).replace("'", "['’]")
    return f"{begins}{plain}{ends}"


def _load_words() -> dict[str, _Words]:
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    food = _join_food(content.pop("food"))
    return {name: _Words(section, name, food) for name, section in content.items()}


def _join_food(words: Mapping[str, Sequence[str]]) -> str:
    """Return one pattern of what is eaten, drunk or taken: "red meat", 牛肉."""
    sorts = "|".join(f"{sort} " for sort in words["sorts"])
    return rf"(?:(?:{sorts})?(?:{'|'.join(words['english'])})|{'|'.join(words['chinese'])})"


_WORDS: Final = _load_words()


def find_requirement(text: str, *, subject: str, kind: str) -> RequirementTag | None:
    """Return the tag of a statement if it is a requirement.

    Args:
        text: The statement, in English or Chinese.
        subject: Whom it is about; if empty, its beginning says it.
        kind: Its kind. A fact is about the answers only if it is worded as a request: "Answer in French."
    """
    if len(text) > REQUIREMENT_CHARACTERS or kind not in _KINDS:
        return None
    plain = remove_frame(text)
    asks = kind == "preference" or (_COMMAND.match(text) is not None and subject.lower() in _USER)
    if (kind == "preference" and _REQUEST.match(text)) or (asks and _WORDS["always"].occur(plain)):
        tag = RequirementTag.ALWAYS
    elif not _is_own(plain, subject):
        return None
    elif _WORDS["addressed"].occur(plain):
        tag = RequirementTag.ALWAYS
    else:
        return RequirementTag.DIET if _WORDS["diet"].occur(plain) else None
    return None if _WORDS["released"].occur(plain) else tag


def _is_own(text: str, subject: str) -> bool:
    """Return whether a statement is about the owner."""
    if subject:
        return subject.lower() in _USER and _OTHERS.match(text) is None
    return _OWN.match(text) is not None or text.lower().lstrip().startswith("my pronouns")


def follow_tags(
    tags: Sequence[str], before: Collection[RequirementTag], after: RequirementTag | None
) -> list[str]:
    """Return the tags of a statement that replaces others.

    A requirement's tag that only the earlier wordings earned goes, and one that only the new wording earns is
    added. One that an earlier wording earned and somebody took off stays off.

    Args:
        tags: The tags of the earlier wordings.
        before: The tags that the earlier wordings earned.
        after: The tag that the new wording earns.
    """
    kept = [tag for tag in tags if tag == after or tag not in before]
    return [*kept, after.value] if after and after not in before and after not in kept else kept


def list_requirement_tags(
    text: str, fields: Collection[RequirementTag] | None = None
) -> tuple[RequirementTag, ...]:
    """Return the tags of the requirements that an input needs.

    Args:
        text: The input.
        fields: The fields that it is of by its meaning; None if that is unknown, and words decide.
    """
    beginning = text[:_INPUT_CHARACTERS]
    by_words = (RequirementTag.DIET, *(FIELDS if fields is None else ()))
    found = {RequirementTag.ALWAYS, *(fields or ())}
    found.update(tag for tag in by_words if _WORDS[f"about_{tag}"].occur(beginning))
    return tuple(tag for tag in RequirementTag if tag in found)
