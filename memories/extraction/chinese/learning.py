"""Find what a Chinese clause states about its speaker."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memories.extraction.chinese import lexicon, sayings
from memories.extraction.chinese.attributes import find_attribute
from memories.extraction.chinese.clauses import asks
from memories.extraction.chinese.rendering import deictic, object_of, sentence, swap, tidy
from memories.extraction.chinese.rules import RULES, Rule
from memories.extraction.chinese.subjects import HABIT, SubjectParts, split_subject
from memories.extraction.prose import Clause, ExtractedStatement, Frame
from memories.values import Kind

#: Characters. A shorter clause has no content.
_SHORTEST = 4
_LONGEST_LABEL = 8
_ADVERBS = re.compile(rf"(?:{lexicon.ADVERBS}[，,]?)*+")
_FLEETING = re.compile(
    r"(?:今天|刚才|此刻|这会儿|待会儿?|等会儿?|一会儿)|(?:现在|正)?在?(?:机场|路上|车上|地铁上|公司楼下"
    r"|外面|开会|排队|等(?:车|人|你)|吃饭|洗澡|睡觉|上厕所|加班)(?:了|呢|中|里){0,4}$|(?:好|很|太|有点|特别"
    r"|非常|真|超)(?:累|困|饿|忙|烦|冷|热|开心|难过|生气|无聊|郁闷|高兴|激动|紧张|焦虑|伤心|感动|尴尬|崩溃"
    r"|渴|疼|晕|难受|失望|幸福|后悔)(?:了|啊|呀|哦|死){0,4}$"
    r"|^.{0,4}(?:累|困|饿|渴|烦|冷|热|气|急|笑|吓|愁|疼|痛|忙|羞|尴尬|无聊|羡慕|郁闷)死(?:我|人)?(?:了|啦|啊|呀){0,2}$"
)
#: What one does while one likes something: "我写代码喜欢…". A person ("学生") likes by themselves.
_DOING = re.compile(
    r"(?!学生|学[弟妹长姐]|开发者|上[司级]|画家|读者|编辑|编剧|看护|买家|打工)"
    r"(?:(?:写|编|做|看|听|吃|喝|学|读|玩|出|开|买|睡|跑|打|画|弹|唱)[^，、的他她你我说觉是不喜偏习讨一更最]{1,3}"
    r"|工作|编程|开发|运动|健身|旅游|旅行|沟通|设计|聊天|写作|阅读|学习|开会|回答问题)(?:的?时候?|时|上|中)?"
    r"(?:一般|通常|都|更|最|比较|很|也|还|一直|总是){0,2}(?=喜欢|偏好|偏爱|习惯|讨厌|不喜欢|倾向)"
)
_LASTING_TODAY = re.compile(
    r"(?:从今天|今天(?:起|开始))|今天(?:才)?(?:学到|发现|明白)|教训|踩坑|生日|入职"
    r"|搬"
)
# Steps of the current task, not facts about the user.
_TASK = re.compile(
    r"函数(?!式)|文件|列表|变量|分支|循环|报错|错误|端口改|这么用|这样(?:用|写|做)"
    r"|这个(?:错误|函数)"
)
_FORMERLY = re.compile(r"以前|曾经?|原来|原本|当年|小时候|年轻时|那时候?|之前|过去|退休前|当时")
_ONLY_ONE = re.compile(
    r"(?:老婆|老公|妻子|丈夫|太太|媳妇|爱人|对象|女朋友|男朋友|女友|男友|未婚[妻夫]|爸+"
    r"|妈+|父亲|母亲|老板|领导|上司|岳父|岳母|公公|婆婆)$"
)
_KIN_DOES = re.compile(
    r"(?:也|都|就|现在|目前|今年|去年|已经|一直|特别|很|最|还|刚|从小|退休前|以前){0,4}(?:在(?!路上|外面|家"
    r"|睡"
    r"|吃|忙|等|旁边|问|看)|是(?!我|不是|谁|个好人)|有(?!点|事|空|问题)|属|姓|会|能|教|学|读|上(?!班了)|做"
    r"|当|开|卖|养|嫁|娶|移民|退休|去世|毕业|出生|住|怀孕|结婚|得了|患)"
)
_NO_HABIT = re.compile(
    r"(?:.*(?:觉得|认为|感觉|以为|想|希望|知道|说|听|在想|相信|支持你|问|用不了|报错"
    r"|打不开|出错|失败|崩|爱你|很好|很忙))"
)


#: The predicates of what was so before.
_OVER: Final = {
    "lives_in": "lived_in",
    "works_at": "worked_at",
    "likes": "used_to_like",
    "prefers": "used_to_prefer",
    "uses": "used_to_use",
    "consumes": "used_to_consume",
    "owns": "used_to_have",
    "has": "used_to_have",
    "plays": "used_to_play",
    "works_as": "used_to_be",
    "is_a": "used_to_be",
}


#: "First this, then that", which is a way of working although nobody is named.
_STEPS = re.compile(r"(?:一般|通常|平时|每次|总是|习惯)(?:都|会|是){0,2}先.{2,30}(?:再|然后|才).{2,}")


def find_chinese_statement(clause: Clause) -> ExtractedStatement | None:
    """Return the one finding of a clause, or None."""
    text = tidy(clause.text)
    found = _find_lasting_request(text) if clause.frame in {Frame.STATEMENT, Frame.COMMAND} else None
    if found is None and clause.frame is Frame.STATEMENT and not _of_the_moment(text):
        found = _lesson(text) or _experience(text) or _stated(text, clause.subject)
    requested = clause.requested and clause.frame is not Frame.QUOTATION and not asks(text)
    if found is None and requested and len(text) >= _SHORTEST and not deictic(text):
        found = ExtractedStatement(sentence(swap(text)), Kind.FACT)
    return found


def _of_the_moment(text: str) -> bool:
    return bool(_FLEETING.search(text)) and not HABIT.search(text) and not _LASTING_TODAY.search(text)


def _find_lasting_request(text: str) -> ExtractedStatement | None:
    named = sayings.CALL_ME.fullmatch(text)
    if named:
        name = named.group("o")
        return ExtractedStatement(
            f"用户希望被称呼为{name}。",
            Kind.PREFERENCE,
            predicate="named",
            object=name,
            single_valued=True,
            confidence=0.85,
        )
    if sayings.LASTING_REQUEST.fullmatch(text):
        return ExtractedStatement(f"用户要求：“{text}。”", Kind.PREFERENCE, confidence=0.85)
    return None


def _lesson(text: str) -> ExtractedStatement | None:
    for pattern, confidence in sayings.LESSONS:
        found = pattern.match(text)
        if found and not deictic(found.group("o")):
            # A short label before the lesson ("教训：") repeats the label that is added here.
            rendered = (
                found.group("o")
                if found.start("o") <= _LONGEST_LABEL and "：" in text[:_LONGEST_LABEL]
                else text
            )
            return ExtractedStatement(
                f"经验教训：{sentence(swap(rendered))}", Kind.LESSON, confidence=confidence
            )
    return None


def _experience(text: str) -> ExtractedStatement | None:
    """Return what went wrong, or what a tool needs, although no lesson is announced."""
    if sayings.CAUSED.match(text) or sayings.LAST_TIME.match(text):
        return ExtractedStatement(f"经验教训：{sentence(swap(text))}", Kind.LESSON, confidence=0.65)
    if sayings.PROBLEM.fullmatch(text):
        rendered = swap(text)
        return ExtractedStatement(
            sentence(rendered if rendered.startswith("用户") else f"用户{rendered}"),
            Kind.CONTEXT,
            confidence=0.65,
        )
    found = sayings.CONSTRAINT.fullmatch(text)
    if found is None:
        return None
    tool, relation, object_phrase = (
        found.group("s", "v", "o") if found.group("s") else found.group("s2", "v2", "o2")
    )
    if deictic(object_phrase):
        return None
    thing = object_of(object_phrase, "")
    return ExtractedStatement(
        sentence(swap(text)),
        subject=tool.strip(),
        predicate=relation if thing else "",
        object=thing,
        confidence=0.65,
    )


_NOT_THE_OTHER = re.compile(r"(?:，(?:而)?|\s*而)不是[^，]{1,20}$")


def _stated(text: str, subject: str) -> ExtractedStatement | None:
    found = _find_statement(text, subject)
    plain = _NOT_THE_OTHER.sub("", text)
    return found or (_find_statement(plain, subject) if plain != text else None)


def _find_statement(text: str, subject: str) -> ExtractedStatement | None:
    if text.startswith("就是") and subject:
        return None  # it follows a denial: "not this, it is just that"
    goal = sayings.NAMED_GOAL.match(text)
    if goal:
        statement = text if text.startswith(("我", "咱")) else f"我{text}"
        return ExtractedStatement(
            sentence(swap(statement)),
            Kind.GOAL,
            predicate="plans",
            object=object_of(goal.group("o"), ""),
            ahead=True,
        )
    own = find_attribute(text, subject)
    if own:
        return own
    parts = split_subject(text, subject)
    if parts is None:
        return None
    found = _by_rule(parts) or _goal(parts) or _habit(parts)
    if found is None:
        return None
    return replace(found, content=sentence(parts.predicate_text), subject=parts.owner, name=parts.name)


def _by_rule(parts: SubjectParts) -> ExtractedStatement | None:
    adverbs = _ADVERBS.match(parts.rest)
    starts = [adverbs.end() if adverbs else 0]
    bare_start = re.match(
        r"(?:现在|目前|最近|一直|平时|其实|还|也|都|已经|刚|去年|今年|上个月|昨天){0,4}", parts.rest
    )
    starts.append(bare_start.end() if bare_start else 0)
    doing = _DOING.match(parts.rest)
    if doing and not parts.person:
        starts.append(doing.end())
    for rule in RULES:
        if (parts.alone and not rule.alone) or (parts.person and not rule.person):
            continue
        for start in dict.fromkeys(starts):
            found = rule.pattern.match(parts.rest, start)
            if found:
                return _from_rule(rule, found, parts)
    return None


def _from_rule(rule: Rule, found: re.Match[str], parts: SubjectParts) -> ExtractedStatement | None:
    groups = found.groupdict()
    named = groups.get("o") or groups.get("p") or ""
    thing = object_of(named, rule.predicate)
    if deictic(named) or re.fullmatch(
        r"(?:一|几|两|三|些|个|点"
        rf"|\d){{0,4}}(?:{lexicon.FLEETING_THINGS})",
        thing,
    ):
        return None
    if ("o" in found.groupdict() and not thing) or _TASK.search(found.group()):
        return None
    if rule.predicate == "has" and re.search(rf"(?:{lexicon.FLEETING_THINGS})$", thing):
        return None
    predicate, single = rule.predicate, rule.single
    if predicate == "works_at" and re.match(rf"(?:{lexicon.CITIES})(?:市|省)?$", thing):
        predicate, single = "works_in", False
    ahead = (
        re.search(
            r"(?:打算|计划|准备|想|(?<!主)(?<!需)要|将|会|决定)(?:在|去|从|把)?.{0,8}$",
            parts.rest[: found.start()],
        )
        is not None
    )
    if ahead:
        return ExtractedStatement("", Kind.GOAL, predicate="plans", object=thing, ahead=True)
    if _FORMERLY.search(parts.rest[: found.start() + 2]):
        predicate, single = _OVER.get(predicate, ""), False
    single = single and (not parts.person or bool(parts.name) or _ONLY_ONE.search(parts.owner) is not None)
    kind = Kind.FACT if parts.person and rule.kind != Kind.GOAL else rule.kind
    if predicate == "likes" and re.search(r"更|比较|偏|还是", parts.rest[: found.start()]):
        predicate = "prefers"
    return ExtractedStatement(
        "",
        kind,
        predicate=predicate if thing else "",
        object=thing,
        single_valued=single and bool(thing),
        confidence=rule.confidence - 0.05 * parts.alone,
        dated=kind in {Kind.FACT, Kind.PROJECT} and rule.predicate not in {"age", "attends"},
    )


def _goal(parts: SubjectParts) -> ExtractedStatement | None:
    if parts.person:
        return None
    adverbs = _ADVERBS.match(parts.rest)
    rest = parts.rest[adverbs.end() if adverbs else 0 :]
    for start in (rest, parts.rest):
        firm = sayings.STRONG_GOAL.match(start)
        if firm and not sayings.NO_GOAL.match(firm.group("o")) and not deictic(firm.group("o")):
            return ExtractedStatement(
                "", Kind.GOAL, predicate="plans", object=object_of(firm.group("o"), ""), ahead=True
            )
        weak = sayings.WEAK_GOAL.match(start)
        if weak and _worthy(weak, parts.rest, alone=parts.alone):
            return ExtractedStatement(
                "",
                Kind.GOAL,
                predicate="plans",
                object=object_of(weak.group("o"), ""),
                confidence=0.75,
                ahead=True,
            )
    return None


def _worthy(weak: re.Match[str], whole: str, *, alone: bool) -> bool:
    action = weak.group("o")
    if sayings.NO_GOAL.match(action) or deictic(action):
        return False
    if not sayings.GOAL_ACT.match(action):
        return False
    if alone:
        return weak.group("verb").startswith(("希望", "想要")) and bool(sayings.GOAL_TIME.search(whole))
    return weak.group("verb").startswith(
        ("想", "希望", "很想", "特别想", "一直想", "期待", "渴望", "盼")
    ) or bool(sayings.GOAL_TIME.search(whole))


def _habit(parts: SubjectParts) -> ExtractedStatement | None:
    if parts.person and _KIN_DOES.match(parts.rest) and len(parts.rest) >= _SHORTEST:
        return ExtractedStatement("", Kind.FACT, confidence=0.65)
    if (
        (parts.alone and not _STEPS.match(parts.rest))
        or not HABIT.search(parts.rest)
        or _NO_HABIT.match(parts.rest)
        or _TASK.search(parts.rest)
        or len(parts.rest) < _SHORTEST
    ):
        return None
    return ExtractedStatement("", Kind.FACT, confidence=0.75)
