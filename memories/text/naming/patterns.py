"""Patterns of sentences that state relations and aliases. Pure.

⟦number⟧ represents a name, ⟦0⟧ for the owner. Groups a and b are the names and p is the relation between
them. The flag of a relation says whether it runs from b to a.
"""

from __future__ import annotations

import re
from typing import Final

_N: Final = r"⟦(?P<{}>\d+)⟧"
_A, _B = _N.format("a"), _N.format("b")
_WORD: Final = r"(?!(?:is|was|are|were|named|called|and|or|has|had|also|name|nickname)\b)[a-z][\w-]*"
#: The last word of a noun of several words is no verb with "s" or "ed" and no preposition: "mother lives in".
_NO_VERB: Final = r"(?!(?:[a-z]+ed|[a-z]*[b-rt-z]s|at|in|for|to|on|with|by|from|of|as)\b)"
_NOUN: Final = rf"(?P<p>(?:{_WORD}\s){{1,2}}{_NO_VERB}{_WORD}|{_WORD})"
_PREPOSITION: Final = r"(?:at|in|for|to|on|with|by|from|of|as|under|against|into|via|near|through)"
_VERB: Final = (
    rf"(?P<p>(?:(?:is|was|are|were)\s+(?:an?\s+|the\s+)?(?:[a-z][\w-]*\s+){{0,3}}?{_PREPOSITION}"
    rf"|(?:has\s+|have\s+)?(?:[a-z]{{2,}}(?:s|ed)|met|led|wrote|built|taught|bought|sold|left|won|knew|drove"
    rf"|went|came|ran|have|like|love|use|live|work|own|know|run|prefer|study|grew up|began|got to know)"
    rf"(?:\s+[a-z]+)?(?:\s+{_PREPOSITION})?))"
)
_VERB_ZH: Final = (
    "住在|搬[到去]了?|加入了?|入职了?|来自|毕业于|任职于|定居|嫁给了?|娶了|认识|喜欢|创办了?|管理|负责|养了?"
    "|使用|用的是|依赖|属于"
)
_ALIAS_EN: Final = (
    r"(?:,?\s*(?:is |was |are )?(?:also |better |otherwise |usually )?(?:known as|nicknamed)"
    r"|(?:,| is| was)\s+(?:also |usually )?called"
    r"|,?\s*\(?\ba\.?k\.?a\.?|,?\s*(?:who )?(?:goes|go) by|,?\s*or simply|,? alias| is short for| stands for"
    r"| is (?:a |another )?(?:nickname|name|alias|abbreviation|acronym) (?:for|of)"
    r"|['’]s (?:(?:nick|full |first |last |real |other )?name|alias|acronym) is)"
)
_ALIAS_ZH: Final = (
    r"[，,（(]?(?:又叫|也叫|又名|亦称|也称|别名|简称|绰号|昵称|外号|小名|英文名|大家都叫[他她它]|人称"
    r"|的(?:名字|姓名|别名|简称|绰号|昵称|外号|小名|英文名|全名))(?:做|是|叫|为|:|：)*"
)
_POSSESSED_ZH: Final = (
    "妹妹|姐姐|弟弟|哥哥|妈妈|爸爸|母亲|父亲|妻子|丈夫|老婆|老公|儿子|女儿|同事|朋友|室友|老师|老板|上司|经理|同学|邻居"
    "|舅舅|叔叔|阿姨|姑姑|爷爷|奶奶|外公|外婆|表[哥姐弟妹]|堂[哥姐弟妹]|女朋友|男朋友|狗|猫|导师|客户|项目|公司"
)
#: Up to four characters between a name and a verb that do not make somebody else its subject.
_BETWEEN_ZH: Final = rf"(?:(?!的|{_POSSESSED_ZH})[\u4e00-\u9fff]){{0,4}}"
ALIASES: Final = (
    re.compile(rf"{_A}{_ALIAS_EN}\s*[\"“]?{_B}(?!['’]s)"),
    re.compile(rf"{_A}{_ALIAS_ZH}[“「\"]?{_B}"),
    re.compile(rf"{_A}叫(?:做)?{_B}"),
    re.compile(rf"(?:everyone|everybody|people|friends|we|they|you) calls? {_A} {_B}"),
    re.compile(rf"^{_A}.*\b(?:everyone|everybody|people|friends) calls? (?:them|him|her|me) {_B}"),
)
#: Patterns that match without a Chinese character.
ALIASES_EN: Final = tuple(shape for shape in ALIASES if "叫" not in shape.pattern)
IN_PARENTHESES = re.compile(rf"{_A}\s*[（(]{_B}[)）]")
RELATIONS: Final = (
    (re.compile(rf"{_A}['’]s {_NOUN},? (?:is|was)(?: (?:called|named))? {_B}"), False),
    (re.compile(rf"{_A}['’]s {_NOUN},? {_B}"), False),
    (re.compile(rf"{_A} (?:is|was) {_B}['’]s {_NOUN}"), True),
    (re.compile(rf"{_A} (?:is|was) the {_NOUN} of {_B}"), True),
    (re.compile(rf"{_A} has an? {_NOUN} (?:called|named),? {_B}"), False),
    (re.compile(rf"{_A}\s+(?:now |currently |recently |just |still |also )?{_VERB}\s+(?:the )?{_B}"), False),
    (re.compile(rf"{_A}的?(?P<p>[\u4e00-\u9fff]{{1,5}}?)(?:是|叫做?|名叫|就是){_B}"), False),
    (re.compile(rf"{_A}是{_B}的(?P<p>[\u4e00-\u9fff]{{1,5}})"), True),
    (re.compile(rf"{_A}{_BETWEEN_ZH}在{_B}(?P<p>[\u4e00-\u9fff]{{2,3}})"), False),
    (re.compile(rf"{_A}{_BETWEEN_ZH}?(?P<p>{_VERB_ZH}){_B}"), False),
)
#: Patterns that match without a Chinese character.
RELATIONS_EN: Final = tuple(shape for shape in RELATIONS if "\\u4e00" not in shape[0].pattern)
CANONICAL: Final = {
    "工作": "works_at", "上班": "works_at", "任职": "works_at", "任职于": "works_at", "加入": "works_at",
    "入职": "works_at", "住在": "lives_in", "搬到": "lives_in", "搬去": "lives_in", "定居": "lives_in",
    "生活": "lives_in", "来自": "comes_from", "嫁给": "married_to", "娶": "married_to",
    "works_for": "works_at", "work_for": "works_at", "work_at": "works_at", "is_employed_by": "works_at",
    "joined": "works_at", "has_joined": "works_at", "live_in": "lives_in", "moved_to": "lives_in",
    "has_moved_to": "lives_in", "is_married_to": "married_to", "is_from": "comes_from", "use": "uses",
    "like": "likes", "love": "loves", "own": "owns", "know": "knows", "have": "has",
}  # fmt: skip
NOT_PLAIN = re.compile(
    r"[?？]|\b(?:not|never|no longer|nobody|without|if|unless|would|might|may|could|should|wants?|wish(?:es)?"
    r"|hopes?|plans?|perhaps|maybe|whether)\b|n['’]t\b|没|不|如果|假如|要是|想|打算|希望|可能|也许|吗|别(?!名)|未",
    re.IGNORECASE,
)
MARK = re.compile("[⟦⟧]")
SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；\n])")
#: Strings of which every match contains one; the pattern; the owner's mark.
OWNER_PATTERNS: Final = (
    (("My ", "my ", "Our ", "our "), re.compile(r"\b(?:My|my|Our|our)\b(?= [a-z])"), "⟦0⟧'s"),
    (("ser", "I"), re.compile(r"\b(?:[Tt]he [Uu]ser|[Uu]ser|I)\b(?!['’]m)"), "⟦0⟧"),
    (("I'm", "I’m"), re.compile(r"\bI['’]m\b"), "⟦0⟧ is"),
    (("用户", "我"), re.compile(r"用户|我们?(?!国|们)"), "⟦0⟧"),
)
POSSESSED: Final = (
    re.compile(
        r"(?P<owner>.{1,255}?)['’]s (?P<noun>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?)(?: (?P<name>[A-Z].*))?"
    ),
    re.compile(
        rf"(?P<owner>用户|我|[^的]{{1,8}}(?=的))的?(?P<noun>.{{0,2}}(?:{_POSSESSED_ZH}))(?P<name>.{{1,8}})?"
    ),
)
