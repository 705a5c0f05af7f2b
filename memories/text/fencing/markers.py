"""Defuse marks that models read as structure: role labels, template tokens, tags, fences. Pure.

A marker is searched in the text's skeleton (compatibility forms and look-alike letters folded to plain
lower-case letters), so that it is found in any spelling. The change is made in the original text, and only to
the sign that makes it a marker: words are never removed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memories.text.fencing.invisible import LINE_BREAK

_ROLES: Final = "system|assistant|human|user|developer|系统|助手|助理|用户|人类|开发者"
_LABELS: Final = (
    rf"{_ROLES}|ai|bot|model|chatgpt|gpt|claude|gemini|tool|function|admin|administrator|root|operator"
    "|instructions?|prompt|response|thought|action|observation|指令|提示词?|回答|工具|管理员"
)
_QUALIFIERS: Final = (
    "(?:[ _-]?(?:messages?|prompts?|instructions?|notes?|notice|override|update|turn|role"
    "|消息|提示词?|指令)){0,2}"
)
_AFTER: Final = r"[*_`\"')\] ]{0,4}"
_TAG_WORDS: Final = (
    "system|assistant|user|human|developer|instruct|prompt|tool|function|invoke|param|message|memor|context"
    "|admin|think|thought|reason|turn|role|channel|result|response|reminder|reserved|document|im_|inst\\b"
)
_BARE_TAGS: Final = "s|bos|eos|pad|unk|mask|sep|cls|sop|eop|gmask|sys"
_BRACKETED: Final = (
    f"inst|sys|{_ROLES}|system_prompt|gmask|sop|available_tools|tools?|tool_calls?|tool_results?|tool_content"
    "|instructions?|prompt|context|memor(?:y|ies)|admin|override|begin|end"
)
_START: Final = rf"(?:^|{LINE_BREAK})[^\w{LINE_BREAK}]{{0,16}}(?:\d{{1,3}}[^\w{LINE_BREAK}]{{1,4}})?"


@dataclass(frozen=True, slots=True)
class _Marker:
    """A pattern and its replacements.

    Attributes:
        signs: Characters of which every match contains one; a skeleton without any need not be searched.
        pattern: Applies to the skeleton; its groups are replaced.
        instead: Replacements of the groups, in their order.
    """

    signs: frozenset[str]
    pattern: re.Pattern[str]
    instead: tuple[str, ...]


def _marker(signs: str, pattern: str, *instead: str) -> _Marker:
    return _Marker(frozenset(signs), re.compile(pattern), instead)


_MARKERS: Final = (
    # <|im_start|>, <|User|>: the opening always, the end only directly after a word
    _marker("<", r"(<)[ ]?\|", "‹"),
    _marker(">", r"(?<=[\w])\|[ ]?(>)", "›"),
    # <<SYS>>, <<<END>>>
    _marker("<", r"(<<)[ ]?/?[ ]?[a-z_ ]{1,40}(>>)", "‹‹", "››"),
    _marker("<", r"(<<)[ ]?/?[ ]?(?:sys|inst)", "‹‹"),
    _marker("<", r"(<{3,})", "‹‹‹"),
    _marker(">", r"(>{3,})", "›››"),
    # <system>, </user_query>, <tool_result id="1">, <!-- … -->, <?xml
    _marker("<", rf"(<)[ ]?/?[ ]?[\w:.-]{{0,40}}(?:{_TAG_WORDS})[^<>]{{0,200}}(>)", "‹", "›"),
    _marker("<", rf"(<)[ ]?/?[ ]?[\w:.-]{{0,40}}(?:{_TAG_WORDS})", "‹"),
    _marker("<", rf"(<)[ ]?/?[ ]?(?:{_BARE_TAGS})[ ]?/?(>)", "‹", "›"),
    _marker("<", r"(<)[!?]", "‹"),
    # [INST], [/INST], [SYSTEM OVERRIDE], 【系统】
    _marker("[", rf"(\[)[ ]?/?[ ]?(?:{_BRACKETED})(?![a-z0-9])[^\[\]]{{0,40}}(\])", "(", ")"),
    # System: …, **Assistant**: …, 用户:… at a line's start; "… system: …" anywhere
    _marker(":", rf"{_START}(?:{_LABELS}){_QUALIFIERS}{_AFTER}(:)", " –"),
    _marker(":", rf"(?<!\w)(?:{_ROLES}){_QUALIFIERS}{_AFTER}(:)(?=[\s\"'*`]|$|{LINE_BREAK})", " –"),
    # ### Instruction, ## System
    _marker("#", rf"(?:^|{LINE_BREAK})[ ]?(\#{{2,}}[ ]?)", ""),
    _marker("#", rf"(?:^|{LINE_BREAK})[ ]?(\#[ ]?)(?:{_LABELS})(?!\w)", ""),
    # ```, ~~~ and rules that part sections
    _marker("`", r"(`{3,})", "'''"),
    _marker("~", r"(~{3,})", "~~"),
    _marker("-=", rf"(?:^|{LINE_BREAK})[ ]?([-=]{{3,}})", "–"),
    _marker("-=", rf"(?<![-=])([-=]{{3,}}+)(?=[ ]?(?:$|{LINE_BREAK}))", "–"),
    _marker("-=*_+#", r"([-=*_+#]{4,})", "–"),
    # {"role": "system"}, role=assistant, "tool_calls": […]
    _marker(
        ":=", r"role[\"']?[ ]?([:=])[ ]?[\"']?(?:system|assistant|user|developer|tool|function|human)", " –"
    ),
    _marker(":", r"[\"'](?:tool_calls?|function_calls?|tool_call_id)[\"'][ ]?(:)", " –"),
)

#: Letters and signs that look like others, as far as markers require (after compatibility folding).
_ALIKE: Final = str.maketrans(
    "асԁеғɡһіıјкӏłмпоøрԛгѕтυѵԝху"
    "αβεηικνορστχγς"
    "սօհոցզ"
    "ꜱʏᴛᴇᴍɴᴀɪʀᴜʜᴅᴏᴘʟᴠɢᴄᴋ"
    "ᐸ❮⟨〈˂ᐳ❯⟩〉˃│∣ǀ¦❘∶ː꞉׃˸։⁚⁅【⁆】♯ˋ▁“”„«»‘’",
    "acdefghiijkllmnoopqrstuvwxy"
    "abenikvopstxys"
    "uohngq"
    "sytemnairuhdoplvgck"
    '<<<<<>>>>>|||||:::::::[[]]#`_"""""\'\'',
)


def defuse_markers(text: str) -> str:
    """Return the text with every marker turned into plain words and signs, according to the table above."""
    skeleton = text.lower() if text.isascii() else "".join(map(_fold, text))
    signs = frozenset(skeleton)
    found = [
        (match, marker.instead)
        for marker in _MARKERS
        if not marker.signs.isdisjoint(signs)
        for match in marker.pattern.finditer(skeleton)
    ]
    if not found:
        return text
    origin = _origin(text)
    edits: dict[int, str] = {}
    for match, instead in found:
        for group, plain in enumerate(instead, start=1):
            _replace(edits, origin, match.span(group), plain)
    return "".join(edits.get(place, character) for place, character in enumerate(text))


def _replace(edits: dict[int, str], origin: Sequence[int], span: tuple[int, int], instead: str) -> None:
    places = dict.fromkeys(origin[at] for at in range(*span))
    for first, place in enumerate(places):
        edits.setdefault(place, "" if first else instead)


def _origin(text: str) -> Sequence[int]:
    """Return for each character of the skeleton the position in the text that it comes from."""
    if text.isascii():
        return range(len(text))
    return [place for place, character in enumerate(text) for _ in _fold(character)]


@lru_cache(maxsize=8192)
def _fold(character: str) -> str:
    if character == LINE_BREAK:
        return character
    plain = unicodedata.normalize("NFKD", character).casefold()
    bare = "".join(one for one in plain if not unicodedata.combining(one))
    return bare.translate(_ALIKE)
