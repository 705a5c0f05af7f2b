"""Word lists of the Chinese rules, as alternations for patterns; the lists are in `lexicon.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memories.extraction.tables import read_table

_LISTS: Final = ("kin", "own_kin", "pets", "fleeting_things", "cities")
_EXPRESSIONS: Final = ("adverbs", "speech", "single_attributes", "traits", "goal_acts", "jobs")
_TABLE: Final = read_table(Path(__file__).with_suffix(".toml"), (*_LISTS, *_EXPRESSIONS))

SELF: Final = r"(?:我自己|我本人|我个人|我这边|我这个人|本人|我|俺|咱)(?!们|的|说|家)"
GROUP: Final = (
    r"(?:我们|咱们|我|咱)一?家(?:人|里)?(?=都|住|有|养|在|是)|(?:我们|咱们|咱俩|我俩|俺们)(?:俩"
    r"|一家(?:人|三口|四口|五口)?|全家|两口子|夫妻俩)?(?!的)"
)
ORGANISATION: Final = (
    r"(?:我们|咱们|我|咱)的? ?(?:team|公司|团队|部门|小组|组|项目组|实验室|学校|厂|单位|工作室|店"
    r"|(?:测试|生产|线上|预发布?|开发|正式|本地)?(?:环境|集群|服务器|数据库|机房))|我司|敝司"
)
SURNAMES: Final = (
    r"(?:[王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁董余苏叶吕魏蒋田杜丁沈"
    r"姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪"
    r"龚]"
    r"|欧阳|司马|诸葛|上官|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|司徒)"
)
KIN: Final = _TABLE.longest_of("kin")
OWN_KIN: Final = _TABLE.longest_of("own_kin")
PETS: Final = _TABLE.longest_of("pets")
FLEETING_THINGS: Final = _TABLE.longest_of("fleeting_things")
CITIES: Final = _TABLE.longest_of("cities")
#: Adverbs between subject and predicate that do not change the meaning of the statement.
ADVERBS: Final = f"(?:{_TABLE.any_of('adverbs')})"
SINGLE_ATTRIBUTES: Final = f"(?:{_TABLE.any_of('single_attributes')})"
JOBS: Final = rf"(?:\w{{0,12}}(?:{_TABLE.any_of('jobs')}))"
TRAITS: Final = f"(?:{_TABLE.any_of('traits')})"
SPEECH: Final = f"(?:{_TABLE.any_of('speech')})"
GOAL_ACTS: Final = f"(?:{_TABLE.any_of('goal_acts')})"
