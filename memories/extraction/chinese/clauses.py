"""Split a Chinese sentence into clauses, each with its frame and its own or inherited subject."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from memories.extraction.chinese import lexicon
from memories.extraction.chinese.leads import MISSTATED, Opening, open_clause
from memories.extraction.chinese.subjects import UNOWNED
from memories.extraction.prose import Clause, Frame

_COMMA = re.compile(
    r"[，,](?!\d{3}\b)|\s*——+\s*|…+|～+|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff]{2,}|我)|\s(?=(?:但是?"
    r"|不过|而且|所以|另外|并且)?我)"
    r"|(?<=[^，,、\s])(?=(?:但是?|不过|而且|所以|并且|可是|然而)(?:我|现在|不|也))"
)
_CONTINUES = re.compile(
    r"(?:分别|其中|一[只个条位匹辆台]|另一[只个条位]|另外一[只个条位]|大的|小的|老大|老二|包括|比如|例如"
    r"|以及|还有(?!我)|等等|或者|和|跟.{1,10}一样|(?:所以|因此)?(?:不能|不要|别|必须|千万|一定|要先)|否则"
    r"|不然|导致|而?不是(?=[^，]{1,20}$)"
    r"|(?:一共|总共|大概|才|只)?(?:花(?:了|费)|付了)(?=.{0,6}[\d一二两三四五六七八九十百千万])|(?:价格|售价|单价|租金|月租)(?:是|为)?(?=.{0,4}\d)"
    r"|(?:到现在)?(?:已经|都)?(?:干|做|学|练|住|养|用|开)了(?=.{0,4}[\d一二两三四五六七八九十半])|端口(?:号)?(?:是|为)?(?=\s*\d)"
    r"|用的(?:就)?是(?=\s*[A-Za-z])|考过了?(?=.{0,4}级)"
    r"|每(?:天|日|周|个?月|年|晚|个?星期|个?礼拜)[\d一二两三四五六七八九十半几]{1,3}个?"
    r"(?:节|次|堂|回|遍|趟|小时|钟头|分钟|公里)课?(?=\W*$)|(?:就|都)?会(?:过敏|拉肚子|起疹子|胃疼|头疼|肚子疼)(?=\W*$)"
    r"|(?:每次|每天|每日|一次|一天|早晚)(?:各|吃|服|喝)?(?=[\d一二两三四五六七八九十半]))"
)
_LONGEST_ADVERBIAL: Final = 30
#: An adverbial with a whole clause after it: what follows the comma is a clause of its own.
_HAS_TASTE = re.compile(
    r"我们?(?:一般|通常|都|更|最|比较|很|也|还|一直|平时|总是){0,3}(?:喜欢|习惯|偏好|偏爱|爱|讨厌|不喜欢|用|不吃|不喝)."
)
_LEADING_ADVERBIAL = re.compile(
    r"(?:比起|相比|相较|相对于|与其|除了|对于|关于|作为|至于|说到|在(?:\w{0,6})(?:方面|上面?)|每当|当我"
    r"|因为工作"
    r"|为了|自从|从[\u4e00-\u9fff\d]{1,12}(?:开始|起|以来)|[\u4e00-\u9fff\d]{1,10}(?:的时候|之前|之后|以后"
    r"|以来|期间)|上线前|写\w+时"
    r"|(?:每天|每周|周末|平时|早上|晚上|下班后|睡前|饭后|夏天|冬天|今年|去年|前年|\d{4}年|上个?月|上个?周"
    r"|最近|现在|目前|早|晚|的|里|时候|春节|暑假|寒假){1,4}$"
    r"|.{0,14}(?:踩坑|踩.{0,4}坑|教训|血泪|翻车|吃了?.{0,3}亏|总结|结论|经验|发现|明白|意识到|学到"
    r"|体会)(?:了|啊|是|一下|了?一个道理){0,4}$|(?:应该)?不是[^是]{1,20}$)"
)

_HYPOTHETICAL = re.compile(
    r"如果|假如|假设|要是|倘若|万一|若是|^若|假使|设想|想象一下|想像一下|要不是|就好了|但愿|恨不得"
    r"|(?:的话)(?:$|[，,])|只要我|除非|即使|哪怕|就算|假定|比方说我|打个比方|换作是我|有朝一日|下辈子"
    r"|本来(?:想|打算|要|可以)|原本(?:想|打算|要)|差点|曾想|^(?:例如|比如|譬如|举例|举个例子)|梦见|梦到"
    r"|做梦|梦里"
)
_DOUBT = re.compile(
    r"可能|也许|或许|大概会|说不定|没准|应该会|估计|似乎|好像|貌似|恐怕|不确定|不知道"
    r"|不清楚|不一定|没想好|在?考虑(?:要|是|去|换)|纠结|犹豫|听说|据说"
)
_QUESTION = re.compile(
    r"(?:吗|呢|么|吧)[?？~～]*$|(?<![没无])什么(?!都|的)|怎么(?!都)|怎样|怎么样|如何|哪(?:里|儿|个|些|家|种"
    r"|位|天|年|款|本|部|样|边|条)|(?<![没无])啥(?!都|的|也|事)|咋(?!都|呼|舌)|(?<!不管)谁(?!都)|为什么|为何|多少|几点|几岁|几号|是不是|是否|有没有|能不能|可不可以"
    r"|要不要|会不会|该不该|好不好|行不行|对不对|喜不喜欢|知不知道|想不想"
    r"|(?P<twice>[\u4e00-\u9fff])[不没](?P=twice)"
    r"|(?<![天管论])哪(?=$|[?？~～啊呀呢来]|[^怕吒都里儿个些家种位天年款本部样边条])|(?<![没无好])几(?:口人|年级|楼|月|班|斤|级|[?？~～]*$)"
    r"|(?:星期|周|礼拜|第)几|(?<![没差])多(?:大|高|重|长|久|远|胖|宽|深)(?:了|啊|呀|岁数|年纪|的)?[?？~～]*$|来着[?？~～]*$"
    r"|告诉我(?:一下)?(?:我|咱)"
    r"|(?:应该|该|要|是|选|用|去|吃|买).{1,20}还是(?!.{0,3}(?:喜欢|习惯|觉得|想|更)).{1,}|[?？]$"
)
#: "Wherever I go": a word of a question that asks nothing.
_WHATEVER = re.compile(r"(?:无论|不管|不论)[^吗?？]{1,20}[都也]")
#: What asks at the end of a clause with a question mark: "能洗不？", "有办法没？", "手表推荐？".
_ASKING_END = re.compile(r"(?:[^不没]不|[^没]没|没有|推荐|建议)$")
_TAG = re.compile(r"(?:对吧|对吗|对不对|是吧|是吗|是不是|没错吧|好吗|行吗|你信吗|真的吗|嗯|哈)[?？]*")
_REPORT = re.compile(
    r"(?!请|麻烦|帮|以后|今后|往后|将来|从|每次|默认|平时|你?可以"
    rf"|大家)(?!(?:{lexicon.ADVERBS}){{1,3}}+(?:觉得|认为|感觉))(?!{lexicon.SELF}(?!{lexicon.KIN}))(?:(?:我的?)?(?:{lexicon.KIN})(?:们"
    rf"|[A-Za-z\u4e00-\u9fff]{{1,4}}?)?|他们?|她们?|有人|别人|人家|大家|网友|同事们?|老板|朋友"
    rf"|[\u4e00-\u9fff]{{2,3}}|你)"
    r"(?:昨天|今天|刚才|刚刚|刚|总是|总|老是|老|一直|经常|常|也|都|就|还|曾经|曾|之前|以前|前几天"
    rf"|上周){{0,4}}(?:{lexicon.SPEECH}"
    r"|(?:发|打|写|来|给|在|对|跟)[^，,]{1,8}?(?:说|讲|写道?)(?=[，,：:]|[^，,]{0,3}(?:[我他她你]|自己)))"
)
_MISSPOKE = re.compile(
    rf"(?:我|刚才|刚刚|刚|之前|上次|前面|昨天){{1,3}}(?:说|记|写|打|讲|搞|弄|看)(?:错|反|漏)了?|{MISSTATED}"
)
_OWN_REPORT = re.compile(r"我(?:跟|对|和|告诉|骗|问|回|答|假装|装作|说|梦).{0,8}(?:说|讲|他|她|了|过|自己)?")
_THIRD = re.compile(r"(?:他|她|它|他们|她们|它们|你|您|你们|这|那|有人|别人|人家|大家|谁)")
_ORDER = re.compile(
    r"(?:用.{1,40}(?:造|写|编|组)(?:一|个|句)|请|麻烦|帮我|帮忙|给我|能不能|可以|可否|能否|翻译|改写|润色"
    r"|总结|概括|解释|告诉我|扮演|假装|假扮|想象|生成|列出|列举|推荐|介绍|写(?:一|个|首|篇|段|封|份|出)"
    r"|把(?!.{0,12}(?:迁移|升级)(?:到|成)了)|用(?:一句话|英文|中文|英语)(?:写|翻译|回答|解释|说|总结)"
    r"|设计一|做一份|画|讲一?个|来一?(?:个|首|段)|说说|分析|比较一下|检查|修改|计算|证明|续写|仿写|模仿"
    r"|查一?下|看看|看一下|提醒我|发一)"
)
#: Subjects that are the speaker.
_SPEAKER: Final = frozenset({"", "-", "我", "我们", "咱们", "我俩"})
#: What is done to somebody whom a clause before names is done by another: "女儿生日，送了她一只猫".
#: 其他 and drugs such as 他汀 are no pronouns.
_MEANS_BEFORE: Final = re.compile(
    r"(?<!^)(?<![其吉维])[他她它](?![汀啶定滨莫扎]|们?(?:的|自己|爸|妈|爷|奶|姥|外|哥|姐|弟|妹|同|老|朋))"
)
_AT_TIMES = re.compile(r"[^，,]{1,20}?(?:的时候|时(?=[，,]?我))")
_SARCASM = re.compile(
    r"呵呵|才怪|反话|(?:真是|可真|简直|太)(?:棒|好|爱|喜欢|享受|幸福|开心).{0,12}(?:加班"
    r"|bug|崩|堵车|出错|挂|排队|开会|报错|熬夜)|可真(?:喜欢|爱|享受)|真是谢谢|我谢谢你|🙄|🙃|doge|狗头"
)


def split_chinese_clauses(
    sentence: str, *, requested: bool = False, correction: bool = False, subject: str = ""
) -> list[Clause]:
    """Return the clauses of one sentence.

    Args:
        sentence: The sentence, quotations masked.
        requested: Whether the sentence before asked to remember what follows.
        correction: Whether the sentence before announced a correction.
        subject: Subject inherited from the sentence before.
    """
    opening = open_clause(sentence)
    if _SARCASM.search(sentence) or _quoting(opening.text):
        return [Clause(sentence, Frame.QUOTATION, chinese=True)]
    shared = Clause(
        "",
        chinese=True,
        requested=requested or opening.requested,
        correction=correction or opening.correction,
    )
    texts = _parts(opening.text)
    leads = [Opening(texts[0]), *(open_clause(text) for text in texts[1:])]
    frames = _frames([lead.text for lead in leads])
    clauses: list[Clause] = []
    for lead, frame in zip(leads, frames, strict=True):
        subject = _subject_after(lead.text, subject)
        clause = replace(
            shared, text=lead.text, frame=frame, subject=subject, requested=shared.requested or lead.requested
        )
        clauses.append(replace(clause, correction=clause.correction or lead.correction))
    return clauses


_LABELLED = re.compile(r"(?P<label>[^：:，,。]{1,30})[：:]\s*\S")
_OWN_LABEL = re.compile(
    r"我(?!.{0,6}(?:说|问))|.*(?:教训|经验|心得|踩坑|踩.{0,4}坑|总结|记住|一点|注意"
    r"|目标|计划|爱好|职业|过敏|饮食|忌口|背景|工具|习惯|偏好|结论|发现|重要|我们|项目|感悟|反思|道理|学到"
    r"|明白|体会|原则|原来)"
)


def _quoting(text: str) -> bool:
    """Return whether a label before a colon attributes the rest to someone else or makes it a task."""
    label = _LABELLED.match(text)
    return label is not None and not _OWN_LABEL.match(label.group("label"))


_NAMES_IT = re.compile(
    r"(?:名字?)?叫(?!我|你|他|她)|名字是|取名|名为|笔名|(?:题目|主题|课题|标题|品种|型号"
    r"|研究方向)(?:是|为|叫)"
)
_WHOLE = re.compile(
    r".{0,14}(?:教训|踩坑|踩.{0,4}坑|避坑|血泪|吃[了过]?.{0,4}亏|经验总结|经验|心得|感悟"
    r"|反思)(?:了|啊|总结|是|才明白|才知道|才发现|才懂){0,4}[：:，,]"
)


def _parts(text: str) -> list[str]:
    if _WHOLE.match(text):
        return [text]
    pieces = [piece.strip() for piece in _COMMA.split(text) if piece and piece.strip()]
    parts: list[str] = []
    for piece in pieces:
        joins = parts and (
            _NAMES_IT.match(piece)
            or _CONTINUES.match(piece)
            or (
                _LEADING_ADVERBIAL.match(parts[-1])
                and len(parts[-1]) < _LONGEST_ADVERBIAL
                and not _HAS_TASTE.search(parts[-1])
            )
        )
        joins = joins and not (piece.startswith("还有") and parts[-1].endswith("过敏"))
        if joins:
            parts[-1] += f"，{piece}"
        else:
            parts.append(piece)
    return parts or [text]


_NAMED: Final = (
    r"(?:[小老阿](?!家|婆|公|板|妈|爸|师|时候|区|学|孩|说|伴|人|年|名)[\u4e00-\u9fff]{1,2}"
    r"|[王李张刘陈杨赵黄吴徐孙胡朱郭何罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕][\u4e00-\u9fff]{1,2})"
)
_SOMEBODY = re.compile(
    rf"{_NAMED}(?:也|都|就|最|很|正|现在|目前|今年|平时|每天){{0,2}}(?:在|是|住|有|会|爱|喜欢|讨厌|叫|姓|教|开|做)"
)


def _subject_after(text: str, before: str) -> str:
    """Return the subject of a clause: its own, else the inherited one; "-" if it is about somebody else."""
    own = re.match(rf"我(?:家|们)?的?(?:{lexicon.KIN}|{lexicon.PETS})(?:们)?", text)
    if own:
        return own.group()
    unowned = UNOWNED.match(text)
    if unowned:
        return f"我{unowned.group('kin')}"
    organisation = re.match(lexicon.ORGANISATION, text)
    if organisation:
        return organisation.group()
    if text.startswith(("我", "本人", "俺", "咱")):
        return "我们" if text.startswith(("我们", "咱们", "我俩")) else "我"
    if before not in _SPEAKER and _MEANS_BEFORE.search(text):
        return "-"
    return "-" if _THIRD.match(text) or _SOMEBODY.match(text) else before


def _frames(texts: list[str]) -> list[Frame]:
    frames: list[Frame] = []
    scope = Frame.STATEMENT
    for text in texts:
        if scope is not Frame.STATEMENT and re.match(r"但是?|不过|可是|然而|其实|实际上|我现在", text):
            scope = Frame.STATEMENT
        if scope is Frame.COMMAND and text.startswith("我"):
            scope = Frame.STATEMENT
        own = _own_frame(text)
        if own in {Frame.HYPOTHETICAL, Frame.REPORTED, Frame.COMMAND}:
            scope = own if not (own is Frame.HYPOTHETICAL and _DOUBT.search(text)) else scope
        frames.append(scope if own is Frame.STATEMENT else own)
    if frames[-1] is Frame.QUESTION and (_TAG.fullmatch(texts[-1]) or not _asks(texts[-1])):
        return [Frame.QUESTION] * len(frames)
    return frames


def asks(text: str) -> bool:
    """Return whether a clause asks by its words, whatever mark it ends with; "isn't it?" alone does not."""
    bare = text.rstrip("?？ ")
    return not (_TAG.fullmatch(text) or _WHATEVER.search(text)) and _QUESTION.search(bare) is not None


def _asks(text: str) -> bool:
    """Return whether the clause is a question by its own words, so that preceding clauses stay statements."""
    bare = text.rstrip("?？ ")
    return bool(
        _QUESTION.search(bare) or _ASKING_END.search(bare) or _ORDER.match(text) or _THIRD.match(text)
    )


def _own_frame(text: str) -> Frame:
    if _HYPOTHETICAL.search(text) or _DOUBT.search(text):
        return Frame.HYPOTHETICAL
    if _MISSPOKE.match(text):
        return Frame.STATEMENT
    if _REPORT.match(text) or (
        _OWN_REPORT.match(text) and re.search(r"[说讲骗]|告诉|假装|装作|梦", text[:8])
    ):
        return Frame.REPORTED
    if _QUESTION.search(text) and not _WHATEVER.search(text):
        return Frame.QUESTION
    if _ORDER.match(text) and not _AT_TIMES.match(text):
        return Frame.COMMAND
    return Frame.STATEMENT
