"""The openings of Chinese clauses that carry no content: greetings, fillers, markers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

_FILLER = re.compile(
    r"(?:你好|您好|嗨|哈喽|hello|hi|对了|另外|还有|顺便(?:说一下|提一下|一提|说一句)?|话说|哦+|噢|嗯+|啊|呃"
    r"|额|好的|好吧|好|行|那个|那|然后|而且|并且|但是|但|不过|可是|然而|所以|因此|因为|由于|毕竟|既然|虽然"
    r"|尽管|总之"
    r"|说实话|老实说|坦白说|坦率地说|讲真|真的|个人来说|就我个人而言|对我来说|补充一下|补充一点|谢谢|多谢"
    r"|你知道吗|告诉你|跟你说|我跟你说|我告诉你|我想说|我要说|需要说明的是|要知道|首先|其次|最后|第一|第二"
    r"|第三"
    r"|(?:千万|务必|一定)?(?:请)?你?要?注意|提醒(?:一下)?[你您](?:一下)?|考虑到|鉴于"
    r"|简单来说|一般来说|总的来说|众所周知|关于我|自我介绍(?:一下)?|介绍一下自己|介绍一下|先说一下|说一下"
    r"|背景|背景信息|(?:告诉你(?:一个|个)?|说(?:一|个)|有个)?(?:好|坏|大|喜|重大|最新)消息|近况(?:更新|汇报)?|最新(?:进展|情况|动态)|(?:报告|汇报|宣布|更新)(?:一下|个|一个)?(?:近况|进展|好消息|喜讯)?|喜讯|PS|ps|btw|BTW|哈哈+|嘿嘿|呵|哎|唉|诶|其实呢?(?=我?(?:是|叫)))"
    r"(?:[，,：:！!。~～…\s]+|(?=我))"
    r"|(?:但是?|不过(?!敏)|可是|然而|而且|并且|同时|另外|所以|因此|然后)(?=\S)",
)
#: Words of a person who corrects what they said: "I just said it wrong", "what I told you is not right".
MISSTATED: Final = (
    r"(?:(?:我|刚才|刚刚|刚|之前|上次|上回|前面|昨天|前天){1,3}(?:[跟给和对]你)?"
    r"(?:说|记|写|打|讲|搞|弄|发|报)(?:错|反|混|岔|漏)(?:(?:别?字|数字?|名字|日期|时间|地方|地址|号码?)了?|了)"
    r"|(?:我|刚才|刚刚|刚|之前|上次|上回|前面|昨天|前天){1,3}(?:告诉|[跟给和对])?你?(?:说|写|讲|发|报|给)?的"
    r"(?:[^，。]{0,6}?)(?:不对|有误|错了|是错的|不准确))"
)
_CORRECTION = re.compile(
    rf"(?:{MISSTATED}|(?:不对){{1,3}}|不是的?|不不+|错了|说错了|我说错了|记错了|我记错了|搞错了|你搞错了|你记错了|你弄错了|弄错了"
    r"|打错了|写错了|口误|更正(?:一下)?|纠正(?:一下)?|修正(?:一下)?|更新(?:一下)?|准确(?:地|来)?说"
    r"|确切(?:地|来)?说|应该说|抱歉|对不起|不好意思|等等|等一下|哦不|其实|事实上|实际上)"
    r"(?:[，,：:！!。…\s]+|(?=我)|(?=现在)|(?=是))"
)
_REQUEST_TO_REMEMBER = re.compile(
    r"(?:请|麻烦|拜托|你?(?:要|得|可以|能不能|能)?(?:请)?)?(?:你)?(?:帮我|给我|替我|务必|一定要?"
    r"|千万)?(?:请)?(?:牢牢)?"
    r"(?:记住|牢记|谨记|记一下|记下来?|记好|记着|记得(?!.{0,20}[吗么?？])|别忘了|别忘记|不要忘了|不要忘记"
    r"|勿忘"
    r"|(?:把)?(?:这个|这点|这条|这件事|它)?(?:加入|加到|存入|存到|存进|保存到|保存进|写入|写进|放进|记到"
    r"|记入|记进|添加到)"
    r"(?:你的|长期)?(?:记忆|备忘录?|笔记)(?:里面?|中)?|把这(?:个|点|条|件事)?(?:记下来|记住|记一下|记好)"
    r"|备注一下|存一下|保存一下|记录一下|留意一下|注意一下?)(?:一下|下|了|哈|啊|哦)?"
    r"(?:这(?:个|一点|件事|些)|以下(?:信息|内容)?|如下)?(?:[，,：:！!\s]+|(?=\S))"
)
_STILL_REMEMBER = re.compile(r"(?:你)?(?:还)?记得.*[吗么?？]")


@dataclass(frozen=True, slots=True)
class Opening:
    """A clause without its opening.

    Attributes:
        text: The rest of the clause.
        correction: Whether the opening announces a correction.
        requested: Whether the opening asks to remember the clause.
    """

    text: str
    correction: bool = False
    requested: bool = False


def open_clause(text: str) -> Opening:
    """Remove openings from a clause, at most six of them."""
    opening = Opening(text.strip())
    for _ in range(6):
        found = None
        if not _STILL_REMEMBER.match(opening.text):
            found = _REQUEST_TO_REMEMBER.match(opening.text)
            if found and found.end() < len(opening.text):
                opening = replace(opening, text=opening.text[found.end() :], requested=True)
                continue
        found = _CORRECTION.match(opening.text)
        if found and found.end() < len(opening.text):
            opening = replace(opening, text=opening.text[found.end() :], correction=True)
            continue
        found = _FILLER.match(opening.text)
        if not found or found.end() >= len(opening.text):
            break
        opening = replace(opening, text=opening.text[found.end() :])
    return opening
