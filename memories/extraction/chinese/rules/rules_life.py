"""Chinese rules for names, tastes, home and work."""

from __future__ import annotations

from typing import Final

from memories.extraction.chinese import lexicon
from memories.extraction.chinese.rules.patterns import NOT, rule

# One rule per row: the formatter would put each argument on a line of its own.
# fmt: off
NAMES_TASTES_HOME_WORK: Final = (
    # Personal names and numbers.
    rule("fact", "named", r"(?:的?(?:名字|全名|大名|英文名|中文名|小名|昵称|外号|网名)(?:是|就是|叫做?)?"
        r"|名?叫(?:做|作)?)(?!了|我|你|他|她|外卖|车|滴滴|醒|停|床|不|好|苦|来|去)(?P<o>[\u4e00-\u9fff·]{1,6}"
        r"|[A-Za-z][\w .·-]{0,30}|[\U000f0000-\U000ffffd])$", single=True),
    rule("fact", "surname", r"姓(?P<o>[\u4e00-\u9fff]{1,2})(?:$|[，,]|名)", single=True),
    rule("fact", "age", r"(?:今年|马上|刚满|刚过|虚岁|周岁|已经|满|年龄是?|是){0,4}(?P<o>\d{1,3}"
        r"|[一二三四五六七八九十]{1,3})(?:周)?岁(?:了|半|整|出头|的人)?", single=True, alone=True),
    rule("fact", "born_in", r"(?:(?:出生(?:于|在)|生于|生在)(?P<o>(?!\d|[一二]?[零九]"
        r"|[去今前]年)[^，]{2,20}?)|(?:是)?在(?P<p>[^，]{2,12})出生)(?:的)?$", single=True),
    rule("fact", "born_on", r"(?:出生于|生于|是)?(?P<o>\d{2,4}年(?:\d+月)?(?:\d+[日号])?)(?:出生|生"
        r"|的)(?:的|人)?", single=True),
    rule("fact", "height", r"(?:身高(?:是|有)?)(?P<o>.+)", single=True, alone=True),
    rule("fact", "weight", r"(?:体重(?:是|有)?)(?P<o>.+)", single=True, alone=True),
    rule("fact", "grew_up_in", r"(?:从小)?在(?P<o>.{2,15})长大(?:的)?"),
    rule("fact", "named", rf"是(?P<o>{lexicon.SURNAMES}[\u4e00-\u9fff]{{1,2}})$(?<!老师)(?<!先生)(?<!女士)("
        r"?<!医生)", single=True, confidence=0.75, person=False),
    # Tastes.
    rule("preference", "dislikes",
        rf"{NOT}(?:喜欢|爱(?!人)|习惯|感冒|待见|偏好|接受|欣赏|享受)(?P<o>.+)", alone=True),
    rule("preference", "dislikes", r"(?:最)?(?:讨厌|厌恶|反感|受不了|忍不了|忍受不了|不能忍受|无法忍受"
        r"|无法接受|接受不了|不能接受|烦(?!请|您|你)|恨(?!不得)|嫌弃|看不惯|不待见|痛恨|憎恨)(?P<o>.+)",
        alone=True),
    rule("preference", "dislikes", r"对(?P<o>[^，,]{1,20}?)(?:都|也|一直|完全|真的"
        r"|实在){0,4}(?:没(?:有)?(?:什么|太大|啥|多大)?兴趣|不感兴趣|提不起兴趣|不感冒|无感|没感觉)",
        alone=True),
    rule("preference", "likes", r"(?:更|比较|最)?(?:prefer|like|love)s? ?(?!你|这|那)(?P<o>.+)", alone=True),
    rule("fact", "afraid_of", r"(?:最)?(?:害怕|恐惧|怕)(?P<o>(?!你|麻烦|打扰|耽误|是|被|耽误|来不及"
        r"|不).{1,20})$"),
    rule("preference", "prefers", r"(?:偏好|偏爱|偏向于?|更愿意|更倾向于?|倾向于?|宁愿|宁可|更|比较"
        r"|偏)(?:喜欢|爱|习惯|愿意|倾向于?|想|偏好|偏爱|偏向)?(?:于|用)?(?P<o>.+)", alone=True),
    rule("preference", "likes", r"(?:最)?(?:喜欢(?:上了)?|爱(?!人|心|好|情|莫|因|尔|迪)(?:上了)?|热爱|喜爱"
        r"|钟爱|酷爱|钟情于?|青睐|中意|迷恋|痴迷于?|迷上了?|沉迷于?|最爱|着迷于?|热衷于?|享受|推崇"
        r"|(?:的)?爱好(?:是|有)?|对(?=.{1,12}(?:感兴趣|很有兴趣|有兴趣|着迷)))(?P<o>.+)", alone=True),
    rule("preference", "used_to_doing", r"习惯(?:于|了|用|在|先|性)?(?P<o>.+)", alone=True),
    # Home, origin.
    rule("fact", "lives_in", r"(?:住(?!院|宿|口)(?:在|的是)?|居住在|定居(?:在|于|到)?了?|现居(?:住在)?"
        r"|人在(?!江湖)|常住|租住在|家住(?:在)?|家(?:就)?在|生活在|落户(?:在|到)?了?|安家(?:在"
        r"|于)?)(?P<o>(?!酒店|宾馆|一起|哪|医院).{2,})", single=True, alone=True),
    rule("fact", "", r"(?:已经)?不住(?:在)?(?P<o>.{2,})"),
    rule("fact", "lives_in", r"在(?P<o>[^，,在]{2,12}?)(?:定居|生活|居住|安家|落户)(?!费|用品|习惯"
        r"|方式)(?:了)?.*", single=True),
    rule("fact", "lives_in", r"(?:从.{2,10})?(?:搬到|搬去|搬来|搬进|搬回|移居到?|迁居到?|移民到?了?"
        r"|搬家到)了?(?P<o>.{2,}?)(?:了|住|生活){0,4}$", single=True, alone=True),
    rule("fact", "comes_from", r"(?:来自(?:于)?|老家(?:就)?(?:在|是)|籍贯(?:是)?|祖籍(?:是)?|家乡(?:在|是)"
        r"|从(?=.{2,8}来的?$))(?P<o>.{2,20}?)(?:的|来的?)?$", alone=True),
    rule("fact", "comes_from", r"是(?:土生土长的|地道的?"
        r"|土著)?(?P<o>[\u4e00-\u9fff]{2,6})人$(?<!个人)(?<!本人)(?<!负责人)(?<!创始人)(?<!合伙人)(?<!的人)"
        r"(?<!成年人)(?<!好人)(?<!男人)(?<!女人)(?<!老人)(?<!年轻人)(?<!普通人)(?<!候选人)(?<!主持人)(?<!当"
        r"事人)(?<!机器人)(?<!打工人)(?<!代理人)"),
    # Work, study.
    rule("fact", "works_at", r"(?:就职于|任职于|供职于|工作于|受雇于|效力于|入职了?|跳槽(?:到|去)了?|加入了"
        r"|加入(?=.{2,12}(?:公司|团队|集团|实验室)?$)|进了(?=.{2,12}(?:公司|大厂|集团|银行|医院|局"
        r"|院)))(?P<o>.+)", single=True, alone=True),
    rule("fact", "works_at", r"在(?P<o>(?!家|路上|这里|那|做|开会|努力|认真|一起|慢慢|自己|独立|业余|帮"
        r"|试着|用|忙|等|看|写|学|想|考虑|工作|上班)[^，,在]{2,40}?)(?:里|那边|这边|下面)?(?:工作|上班|任职"
        r"|就职|打工|实习|供职|教书|当(?!时|地|年|天)|担任|做(?!过)|干|搞|从事|带|负责|开(?=.{0,8}(?:店"
        r"|公司|馆|厂|厅|吧|民宿|诊所|工作室)))(?P<role>.*)", single=True),
    rule("fact", "works_at", r"在(?P<o>一家.{1,16}(?:公司|企业|机构|医院|银行|工作室|律所|事务所))$",
        single=True),
    rule("fact", "studies_at", r"(?:就读于|毕业于|考上了?|保研到了?|考入了?|录取到了?"
        r"|被(?=.{2,15}录取))(?P<o>.+?)(?:录取了?)?$", alone=True),
    rule("fact", "studies_at", r"(?:是)?(?:从)?(?:在)?(?P<o>[\u4e00-\u9fffA-Za-z ]{0,20}?(?:大学|学院|中学"
        r"|高中|学校|清华|北大|复旦|交大|浙大|科大|MIT|专业|系))(?:.{0,12}?)(?:毕业|读书|读研|读博|上学"
        r"|念书|读|就读|学习|在读|念)(?:.*)"),
    rule("fact", "studies", r"(?:大学|本科|硕士|研究生|博士)?(?:学的(?:专业)?是?|专业是|主修(?:的是)?"
        r"|读的(?:专业)?是?|念的是?)(?P<o>.+)", alone=True),
    rule("skill", "has", r"(?:做|干|搞|写|用|学|教|练|玩|从事|当|弹|画|拍)(?:了|过)(?:快|将近"
        r"|大概)?(?P<o>(?:\d+|[一二三四五六七八九十两]+)(?:多|几)?年(?:多)?(?:的)?.+)"),
    rule("fact", "", rf"(?:已经)?不是(?P<o>{lexicon.JOBS}|{lexicon.TRAITS})(?:了)?$"),
    rule("fact", "works_as", r"(?:是|做|当|担任|任)(?:的是?|着|了"
        rf"|过)?(?:一?[名个位])?(?P<o>(?:[^，,的]{{1,12}}的)?{lexicon.JOBS})(?:.{{0,15}})$"),
    rule("fact", "works_in", r"(?:从事|干的是|做的是|搞的是|主要做|主业(?:是|做))(?P<o>.+?)(?:的?(?:工作"
        r"|行业|方面|领域|这行))?(?:的)?(?:，.*|\d+年了|.年了)?$", alone=True),
    rule("fact", "is_a", r"(?:是|属于)(?:一?[个名位只])?(?:那种|典型的?|标准的?|资深的?|重度"
        rf"|忠实)?(?P<o>{lexicon.TRAITS})(?:.{{0,10}})$"),
    rule("fact", "is_a", r"是(?:一[个名位]|个)(?P<o>(?!好主意|问题|傻|笨|废|错|谜|bug|坑|新用户"
        r"|人$).{2,30})$", confidence=0.7),
    rule("fact", "is_a", r"(?:是)?(?P<o>\d{2}后|[零九八七六]零后|独生子女?|左撇子|单身(?:狗)?|已婚|未婚"
        r"|离异)(?:$|[，,了])", alone=True),
    rule("fact", "is_a", r"属(?P<o>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的|相)?$"),
    rule("fact", "zodiac", r"是(?P<o>[\u4e00-\u9fff]{1,3}座|[A-O]{1,2}型血|[IE][NS][TF][JP])(?:的)?$"),
)
# fmt: on
