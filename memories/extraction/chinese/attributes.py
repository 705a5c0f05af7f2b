"""Findings of Chinese clauses about the user's own things: 我的生日是…, 我最喜欢的…是…, 项目的预算是…."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.chinese import lexicon
from memories.extraction.chinese.rendering import deictic, object_of, sentence, swap
from memories.extraction.prose import ExtractedStatement
from memories.values import Kind

_ATTRIBUTE = re.compile(
    r"(?P<owner>(?:我|我们|咱们|咱|我家|俺)(?:家|们)?)(?:的(?P<noun>[^，,是叫在有]{1,16}?)|(?P<bare>"
    r"生日|专业|电脑|手机|车|名字|英文名|网名|血型|星座|身高|体重|邮箱|电话|手机号|微信号?|老家|家乡|母语"
    r"|职业|学校|爱好|座右铭|主力语言|主力机|编辑器|数据库|后端|前端|项目|服务器|仓库|预算|deadline|MBTI"
    r"|mbti|口味|饭量|酒量|作息|信仰|国籍|学历|工号|年薪|月薪|工资|家))"
    r"(?<!家(?=有))(?:一般|主要|目前|现在|一直|都|也|其实|大概|大约|正好|就|还|已经){0,4}(?P<verb>是|叫做?|为"
    r"|有|在|：|:|用的是|用|跑在|部署在|运行在|放在|换成了?|改成了?|升级到了?|来自|定在|截止到?|属于|支持"
    r"|基于)(?P<value>.+)"
)
#: The same predicates as in the English rules, so that a statement in one language can end one in the other.
_CANONICAL: Final = {
    "名字": "named", "姓名": "named", "全名": "named", "大名": "named", "生日": "birthday", "邮箱": "email",
    "电子邮箱": "email", "电话": "phone_number", "手机号": "phone_number", "年龄": "age", "职业": "job",
    "血型": "blood_type", "母语": "native_language", "国籍": "nationality", "数据库": "database",
    "截止日期": "deadline", "预算": "budget", "时区": "timezone", "身高": "height", "体重": "weight",
}  # fmt: skip
_FAVOURITE = re.compile(
    r"(?:我|我们)?(?:个人)?(?P<most>最(?:喜欢|爱|讨厌|怕|常用|擅长|想去"
    r"|拿手))的?(?P<noun>[^，,是]{1,14}?)(?:就)?(?:是|：|:)(?P<value>.+)"
)
_THING = re.compile(
    r"(?:这个|该)?(?P<noun>[^，,我你他她是]{0,10}?(?:项目|服务器|数据库|测试环境|预发环境|生产环境|线上环境"
    r"|线上|后端|前端|接口|仓库|预算|截止日期|截止时间|上线时间|上线日期|发布时间|团队|产品|系统|集群|部署"
    r"|网站|端口|版本|域名|密码规则))"
    r"(?:一共|总共|目前|现在|都|统一){0,4}(?P<verb>是|用的是|使用|用|在|跑在|部署在|运行在|为|定在|有|监听"
    r"|改成了?|换成了?|升级到了?|：|:)(?P<value>(?=.*(?:[\dA-Za-z]|[周月号年点][一二三四五六日天]?|明天"
    r"|后天)).+)"
)


def find_attribute(text: str, subject: str) -> ExtractedStatement | None:
    """Return the finding of a clause about a favourite or an attribute of the user's own, or None."""
    favourite = _FAVOURITE.match(text)
    if favourite:
        rendered = text if text.startswith("我") else f"我{text}"
        relation = f"{favourite.group('most')}的{favourite.group('noun')}"
        return ExtractedStatement(
            sentence(swap(rendered)),
            Kind.PREFERENCE,
            predicate=relation,
            object=object_of(favourite.group("value"), ""),
            single_valued=True,
        )
    own = _ATTRIBUTE.match(text)
    if own:
        return _own_attribute(text, own)
    thing = _THING.match(text)
    loose = subject in {"", "-"} or not text.startswith(("部署", "版本"))
    if thing and loose and not re.search(r"报错|错误|挂了|崩|失败|出错|\d+%|慢", text):
        rendered = f"用户的{text}" if subject.startswith("我") and not text.startswith(("这", "该")) else text
        return ExtractedStatement(
            sentence(rendered),
            Kind.FACT,
            subject=thing.group("noun"),
            predicate=thing.group("verb"),
            object=object_of(thing.group("value"), ""),
            confidence=0.65,
        )
    return None


def _own_attribute(text: str, own: re.Match[str]) -> ExtractedStatement | None:
    noun = (own.group("noun") or own.group("bare")).strip()
    if re.fullmatch(rf".*(?:{lexicon.FLEETING_THINGS})", noun) or re.match(
        rf"(?:{lexicon.KIN}|{lexicon.PETS})$", noun
    ):
        return None
    if deictic(own.group("value")) or re.match(r"(?:很|太|好|有点|不|坏|卡|慢|没)", own.group("value")):
        return None
    kind = (
        Kind.GOAL
        if re.search(r"目标|梦想|计划|愿望", noun)
        else Kind.PREFERENCE
        if re.search(r"爱好|最爱|偏好|习惯|口味", noun)
        else Kind.FACT
    )
    kind = Kind.PROJECT if re.search(r"项目|论文|毕设|毕业设计|小说|博客|公众号|频道", noun) else kind
    value = object_of(own.group("value"), "")
    single = re.fullmatch(lexicon.SINGLE_ATTRIBUTES, noun) is not None
    predicate = _CANONICAL.get(noun, noun)
    return ExtractedStatement(
        sentence(swap(text)),
        kind,
        predicate=predicate,
        object=value,
        single_valued=single,
        ahead=kind == Kind.GOAL,
    )
