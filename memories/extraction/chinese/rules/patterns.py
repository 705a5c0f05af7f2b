"""The structure of a Chinese rule, and phrases shared by many rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memories.values import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for the text after a subject and its adverbs.

    Attributes:
        kind: Kind of the finding.
        predicate: Predicate of the finding.
        pattern: Pattern of the text; its group `o` is the object.
        single: Whether the predicate is single-valued.
        confidence: Confidence of the finding.
        alone: Whether the rule also applies to a clause without any subject.
        person: Whether the rule also applies to other people.
    """

    kind: Kind
    predicate: str
    pattern: re.Pattern[str]
    single: bool = False
    confidence: float = 0.8
    alone: bool = False
    person: bool = True


COUNT: Final = r"(?:一|两|俩|三|四|五|六|七|八|九|十|几|好几|\d+)"
MEASURE: Final = r"(?:个|只|条|辆|套|台|位|名|把|家|匹|间|部|块|双|对|张|座|栋|本|架|头|群|窝|款|支|门|岁|口)"
NOT: Final = (
    r"(?:不(?:太|怎么|大|是很|是特别|再|那么|是|想|会)?|没那么|没有那么|并不|从来不|从不|绝不"
    r"|一点都不|一点也不)"
)
CREATION: Final = (
    r"(?:项目|系统|平台|[Aa][Pp][Pp]|小程序|网站|游戏|论文|书|小说|公众号|博客|课程|机器人|工具|插件|框架"
    r"|店|公司|软件|应用|模型|产品|频道|播客|网店|品牌|库|引擎|编译器|数据库|脚本库"
    r"|后台|引擎|手环|设备|硬件|芯片|专栏|教材|纪录片|专辑|服务|方案|组件|编辑器|助手|SDK|API|CLI|demo|Demo"
    r"|毕设|毕业设计|课题)"
)
BEGUN: Final = (
    r"(?:做|开发|写|搞|研发|设计|搭建|搭|筹备|弄|创办|运营|维护|制作|编写|撰写|重构|改造|研究"
    r"|装修|折腾|推进|准备做|打造|训练|录|画|拍)"
)
CHORE: Final = (
    r"(?!.{0,6}(?:作业|饭|晚饭|早饭|午饭|菜|梦|家务|核酸|题|考卷|邮件|报告吗|测试用例|代码$|饭吃"
    r"|事情?$|什么))"
)


def rule(
    kind: str,
    predicate: str,
    pattern: str,
    *,
    single: bool = False,
    confidence: float = 0.8,
    alone: bool = False,
    person: bool = True,
) -> Rule:
    """Build a rule; see `Rule` for the arguments."""
    return Rule(Kind(kind), predicate, re.compile(pattern), single, confidence, alone, person)
