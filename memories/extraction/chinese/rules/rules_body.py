"""Chinese rules for tools, body, family and belongings."""

from __future__ import annotations

from typing import Final

from memories.extraction.chinese import lexicon
from memories.extraction.chinese.rules.patterns import COUNT, MEASURE, rule

# One rule per row: the formatter would put each argument on a line of its own.
# fmt: off
TOOLS_BODY_KIN: Final = (    # Tools.
    rule("fact", "does_not_use", r"(?:已经)?(?:不再|不|没)(?:使用|用|订阅)(?P<o>.{1,30}?)了$", alone=True),
    rule("fact", "does_not_use", r"不再(?:使用|用|订阅)(?P<o>.{1,30})$", alone=True),
    rule("fact", "does_not_live_in", r"(?:已经)?(?:不再|不|没)住在?(?P<o>.{2,20})了$", alone=True),
    rule("fact", "does_not_work_at", r"(?:已经)?(?:不再|不|没)在(?P<o>.{2,20}?)(?:工作|上班|任职|干|做)了?$",
        alone=True),
    rule("fact", "avoids", r"(?:已经)?(?:不再|不|没)(?:吃|喝|抽)(?P<o>.{1,20}?)了$", alone=True),
    rule("fact", "does_not_play", r"(?:已经)?(?:不再|不|没)玩(?P<o>.{1,20}?)了$", alone=True),
    rule("fact", "does_not_have", r"(?:已经)?(?:不再|不|没)(?:养|开)(?P<o>.{1,20}?)了$", alone=True),
    rule("fact", "no_longer", r"(?:已经)?(?:不再|不|没)(?:在|做|干)(?P<o>.{2,30})了$"),
    rule("fact", "uses", r"(?:已经)?[把将] ?[A-Za-z][^，,]{0,24}?(?:替?换|改|迁移?|升级)(?:成|到|为)了"
        r" ?(?P<o>[A-Za-z].*)"),
    rule("fact", "uses", r"(?:已经)?(?:放弃|弃用|抛弃)了?[^，,]{1,24}?[，,]?(?:改用|转用|换成|换用|转向)了?"
        r"(?P<o>.+)", alone=True),
    rule("fact", "uses", r"(?:已经)?用(?P<o>[^，,]{1,20}?)(?:代替|取代|替代|替换)了[^，,]{1,24}$",
        alone=True),
    rule("fact", "is_at", r"(?:总部|办公室|办公地点|分公司|工厂|机房)(?:设|就)?在(?P<o>.+)"),
    rule("fact", "uses", r"(?:从.{1,30}?)(?:换成了?|换到了?|切换?到了?|升级?到了?|迁移?到了?|转到了?"
        r"|改成了)(?P<o>(?!什么|哪).+)", alone=True),
    rule("fact", "uses", r"(?:用的?(?:都|就|一直|还|主要)?是|使用的?(?:都)?是?|用(?:着|惯了|上了|了)?(?!完"
        r"|心|力|不|来|户|掉|途|你|这|那|它|于|得|一下|以|法|到|在)|在用|常用|改用了?|换成了?|换到了?"
        r"|换用了?|切换?到了?|升级?到了?|迁移?到了?|转到了?|转用了?|采用的?(?:是)?|选用|改成了?|全面转向"
        r"|转向了?)(?P<o>(?!什么|哪).+)", alone=True),
    rule("fact", "deployed_on", r"(?:是)?(?:部署|跑|运行|托管|架设?|搭|放|监听|挂|存|开)(?:在|于|到"
        r"|的是)了?(?P<o>(?=.*[A-Za-z\d]).+)", alone=True),
    # Body, diet.
    rule("fact", "", r"(?:对(?:什么|任何.{0,6}|所有.{0,6})(?:东西)?(?:都|也)?不过敏"
        r"|(?:没有?|无)(?:任何|什么)?(?:食物|药物)?过敏(?:史|原|的)?)$", alone=True),
    rule("fact", "is_not_allergic_to", r"对(?P<o>[^，,什任]{1,20}?)(?:并|也|都)?不过敏$", alone=True),
    rule("fact", "allergic_to", r"对(?P<o>[^，,]{1,25}?)(?:都|也|严重|重度|轻度|有点|有些|特别|非常|会|很"
        r"|还){0,4}(?:过敏|不耐受).*", alone=True),
    rule("fact", "allergic_to",
        r"(?:有|是)?(?P<o>(?!(?:会|容易|也|就|都|很|经常|老是?|易|一吃|吃了){1,4}过敏)"
        r"[^，,不没无对]{1,8})(?:过敏|不耐受)(?:体质|症|史)?$",
        alone=True),
    rule("fact", "has_condition", r"(?:有|患有?|得了|得过|确诊(?:了|为|是)?|有点|被诊断(?:为|出"
        r"|患有)了?)(?:轻度|重度|中度|先天性|遗传性|一点|点|严重的?){0,4}(?P<o>[^，,]{0,8}(?:病|症|炎|瘤"
        r"|结石|脂肪肝|高血压"
        r"|糖尿病|哮喘|抑郁|焦虑|近视|散光|失眠|结节|癌|痛风|癫痫|息肉|突出|贫血|色盲|ADHD|多动))(?:.*)",
        alone=True),
    rule("fact", "has_condition", r"(?P<o>晕车|晕船|晕机|恐高|失眠|脱发|打呼噜?|贫血|夜盲|路痴|脸盲|(?:腰"
        r"|颈椎|胃|肠胃|膝盖|眼睛|视力|皮肤|睡眠(?:质量)?|肝|心脏|脾胃|听力|记性)(?:一直|都|很|比较|有点"
        r"|有些|不太|特别){0,4}(?:不好|好|差|弱|敏感|有问题|有毛病))(?:.{0,6})$", alone=True),
    rule("fact", "salary", r"(?:月薪|年薪|工资|薪水|月收入|年收入)(?:大概|大约|差不多|税前|税后|到手"
        r"|有|是){0,3}(?P<o>[\d一二两三四五六七八九十百千万.]{1,10}[wWkK]?(?:块|元|万)?.{0,3})$",
        single=True),
    rule("fact", "owes", r"欠(?:了|着)?(?P<o>.{1,16}(?:元|块|万|钱|债|贷款))(?:.{0,4})$"),
    rule("fact", "religion", r"信(?:仰|奉)?(?P<o>佛|道|基督|天主|伊斯兰)教?$"),
    rule("goal", "plans", r"(?:在|正在)(?P<o>减肥|健身|增肌|戒烟|戒酒|戒糖|存钱|攒钱|备孕|找工作|找房子?"
        r"|考研|考公|考驾照|备考.{0,12})(?:.{0,8})$", person=False),
    rule("fact", "avoids", r"(?:从来?|一直|完全|绝对|都|也|现在){0,4}(?:不|不能|不敢|不可以|不怎么|没法|无法"
        r"|不太能)(?:吃|喝|抽|碰|沾|食用)(?P<o>(?!了$|饭$|下|完|到|起|惯|消).+)", alone=True),
    rule("fact", "diet",
        r"(?:已经)?(?P<o>吃(?:纯|全)?素|茹素|素食|纯素|生酮|低碳饮食|忌口|轻断食|清真).*", alone=True),
    rule("fact", "gave_up", r"(?:已经)?戒(?:掉|了){0,4}(?P<o>烟|酒|糖|咖啡|奶茶|碳水|游戏"
        r"|.{1,6})(?:了)?(?:.{0,8})$", alone=True),
    rule("fact", "consumes", r"(?:只|主要|每天|天天|从不|都|平时){0,4}(?:喝|吃|抽)(?P<o>(?!饭|了|完|过|什么"
        r"|亏"
        r"|饱|不|惊|力|完饭).{1,20})$", confidence=0.65, person=False),
    # Family, belongings.
    rule("fact", "owns", r"养(?:了|着|过|的是)(?P<o>.+)", alone=True),
    rule("skill", "has", r"有(?P<o>(?:.{0,20})(?:经验|证书?|驾照|驾驶证|学位|基础|功底|天赋|背景|执照"
        r"|资格))(?:.{0,6})$", alone=True),
    rule("fact", "has", rf"有(?:了)?(?P<o>{COUNT}(?:{MEASURE}|年|多|人|员工|家).*"
        rf"|[个位只条](?:{lexicon.KIN}|{lexicon.PETS}).*|(?:{lexicon.KIN}|自己的).*)", alone=True),
    rule("fact", "", rf"(?:还)?没有?(?P<o>(?:{lexicon.KIN}|车|房|驾照|宗教信仰|兄弟姐妹|工作经验|结婚|对象"
        r"|要孩子).*)"),
    rule("fact", "owns", r"(?:新)?(?:(?:买了|入手了)(?=一|两|[二三四五六七八九十]|新|\d|[A-Za-z]|房|车|台"
        r"|辆|套|保险|基金|股票)|换了(?!工作|岗位)|提了|订了|买过|买的是|领养了|收养了|拥有|订阅了|开的是"
        r"|骑的是|开(?=一|两|的|辆|[A-Za-z\d]|国产|自己)|骑(?=一|两|辆|[A-Za-z])|戴(?=一|眼镜)"
        r"|收藏了?)(?P<o>(?!票|菜|单|早饭|饭|水果).+)", alone=True),
)
# fmt: on
