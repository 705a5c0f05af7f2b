"""Word lists for comparison, with English keys (as from `english.form`) and Chinese words side by side."""

from __future__ import annotations

import re
from typing import Final

from memories.text.comparison.words.english import form, words


def keys(text: str) -> frozenset[str]:
    """Return the words of a list as token keys: English by base and spelling, Chinese by synonym."""
    return frozenset(map(_key, text.split()))


def _key(word: str) -> str:
    return form(word)[0] if word.isascii() else SYNONYMS_ZH.get(word, word)


#: Chinese words with the same meaning in any memory.
_GROUPS_ZH: Final = """
    前 之前 | 后 之后 以后 | 希望 想要 | 每 每个 每一个 | 有人 某人 | 整个 整
    | @self 我 用户 本人 俺 | 我们 咱们 咱 | 妈妈 母亲 老妈 妈 | 爸爸 父亲 老爸 爸 | 妻子 老婆 太太 媳妇 爱人
    | 丈夫 老公
    | 女儿 闺女 | 孩子 小孩 娃 | 女朋友 女友 | 男朋友 男友 | 外婆 姥姥 | 外公 姥爷 | 哥哥 哥 | 弟弟 弟 |
    姐姐 姐 | 妹妹 妹
    | 喜欢 喜爱 | 工作 上班 | 叫 名叫 叫做 叫作 名字叫 名字是 名为 | 住在 居住在 | 经常 常常 常 时常 | 总是
    老是 总 | 星期 礼拜
    | 从不 从来不 | 从没 从未 从来没有 从来没 | 有时 有时候 | 手机 电话 | 土豆 马铃薯 | 番茄 西红柿 | 自行车
    单车 | 说 讲
    | 开启 打开 启用 | 关闭 停用 | 已 已经 | 是 为 | 会 会说 | 公司 企业 | 住处 住所 | 购买 买 | 因为 由于 |
    如果 要是 假如
    | 但是 但 不过 可是 | 并且 而且 | 医生 大夫 | 每天 天天 每日 | 每周 每星期 | 使用 用 采用 | 程序员 码农
    | 数据库 资料库
    | 一起 一同 | 晚饭 晚餐 | 早饭 早餐 | 午饭 午餐 | 里 里面 | 没 没有 | 老板 上司 | 讨厌 厌恶 | 戒 戒掉 |
    素食者 素食主义者
"""
#: Chinese word → the first word of its group.
SYNONYMS_ZH: Final = {word: group[0] for group in map(str.split, _GROUPS_ZH.split("|")) for word in group}
#: Words that negate their clause.
NEGATORS: Final = keys(
    "not no never without neither nor none hardly barely scarcely cease stop quit avoid refuse lack "
    "nolonger except "
    "不 没 没有 别 未 无 非 勿 从不 从未 从来不 从没 不再 并非 并不 绝不 毫无 拒绝 避免 停止 禁止 戒 戒掉 "
    "忌 免 不要 不用 除了"
)
#: Words that negate by their meaning, not by grammar. Another wording may do without them (stopped working,
#: broke down).
SOFT_NEGATORS: Final = keys(
    "hardly barely scarcely cease stop quit avoid refuse lack except without 拒绝 避免 停止 禁止 戒 戒掉 "
    "忌 免 除了"
)
#: Verbs that deny their object, like "not" with the opposite verb.
AVERSIONS: Final = keys("dislike hate despise averse 讨厌 厌恶 反感 恨 受不了 嫌弃")
#: Words for what was true and no longer is.
FORMER: Final = keys("usedto formerly former previously once ex 以前 曾经 曾 从前 过去 原先 原来 当年 前任")
_MOODS: Final = {
    "wish": "want hope wish dream 想 希望 梦想 渴望 想要 愿望",
    "plan": "plan intend consider aim 打算 计划 准备 考虑 有意",
    "doubt": "maybe might may probably seem likely could 可能 也许 大概 或许 似乎 好像 估计 说不定",
    "duty": "must should need haveto ought 必须 应该 需要 应当 得 得要 务必 该",
    "condition": "if unless whether provided 如果 要是 除非 假如 只要 是否",
    "attempt": "try 试着 尝试 试图 努力",
}
#: Words that make a statement a wish, plan, doubt, duty or condition.
MOODS: Final = {_key(word): mood for mood, listed in _MOODS.items() for word in listed.split()}
_QUANTIFIERS: Final = {
    "all": "always all every constantly everyone everybody everything both "
    "总是 总 老是 一直 所有 每 每天 每次 全部 都 永远 天天 始终",
    "most": "usually often mostly normally generally typically regularly most many "
    "通常 经常 常常 常 时常 一般 大多 大部分 往往 多数 习惯",
    "some": "sometimes occasionally some several 有时 有时候 偶尔 有些 一些 几 少数 间或",
    "half": "alternate 隔天 隔周",
    "rare": "few rarely seldom hardly 很少 极少 难得 几乎不",
    "only": "only solely exclusively merely 只 仅 仅仅 只有 唯一 光 只是 只会",
}
#: Words for amounts and frequencies.
QUANTIFIERS: Final = {_key(word): step for step, listed in _QUANTIFIERS.items() for word in listed.split()}
#: Words for people by their relation to someone.
KIN: Final = keys(
    "wife husband mother father parent brother sister son daughter grandmother grandfather uncle aunt "
    "cousin friend boss "
    "colleague neighbor neighbour girlfriend boyfriend fiance fiancee partner spouse roommate teacher "
    "child nephew niece "
    "manager doctor dentist therapist landlord team company employer client customer coach mentor "
    "妻子 丈夫 妈妈 爸爸 父母 哥哥 弟弟 姐姐 妹妹 儿子 女儿 奶奶 爷爷 外婆 外公 叔叔 阿姨 舅舅 姑姑 朋友 "
    "老板 同事 邻居 女朋友 "
    "男朋友 室友 老师 孩子 经理 医生 牙医 房东 团队 公司 客户 教练 导师 岳父 岳母 公公 婆婆 表哥 表姐 表弟 "
    "表妹 堂哥 同学 侄子 侄女"
)
_OPPOSITES: Final = """
    antonym: like love prefer favor 喜欢 爱 偏爱 热爱 最爱 / dislike hate despise 讨厌 厌恶 反感 恨
    antonym: start join 开始 / stop quit end finish leave 停止 结束 戒 戒掉
    antonym: enable on activate open unlock show 开启 打开 启用 开 开着 激活 开门 显示 / disable off
    deactivate close shut lock hide 关闭 停用 禁用 关 关着 关门 隐藏
    antonym: allow permit accept include 允许 接受 同意 包含 / forbid ban deny reject refuse exclude 禁止
    拒绝 反对 排除
    direction: buy 买 购买 / sell 卖 出售
    antonym: married 已婚 结婚 / single divorced 单身 未婚 离婚
    antonym: early 早 / late 晚 迟
    antonym: big large tall 大 / small little tiny short 小
    antonym: high 高 / low 低
    antonym: long 长 / short 短
    antonym: hot warm 热 / cold cool 冷 凉
    antonym: fast quick 快 / slow 慢
    antonym: new 新 / old 旧 老
    antonym: young 年轻 / old 老
    antonym: good great 好 / bad terrible awful poor 坏 差 糟
    antonym: more increase rise up add gain 多 增加 上升 涨 上涨 添加 增 / less decrease fall down remove
    lose reduce fewer 少 减少 下降 跌 降 删除 减 降低
    antonym: easy simple 容易 简单 / hard difficult complex 难 困难 复杂
    antonym: cheap 便宜 / expensive 贵
    antonym: light 轻 浅 / heavy dark 重 深
    antonym: strong 强 浓 / weak 弱 淡
    antonym: sweet 甜 / bitter salty savory sour spicy 苦 咸 酸 辣
    antonym: full 满 饱 / empty hungry 空 饿
    antonym: happy glad 开心 高兴 快乐 / sad unhappy upset 难过 伤心 不开心
    antonym: healthy well 健康 / ill sick unwell 生病
    antonym: true right correct 真 对 正确 / false wrong incorrect 假 错 错误
    antonym: public 公开 公共 / private 私有 私人
    antonym: public 公立 / private 私立
    antonym: safe 安全 / dangerous unsafe 危险
    antonym: first 最先 第一 / last 最后
    antonym: before 前 之前 以前 / after 后 之后 以后
    antonym: indoor indoors inside 室内 里 里面 / outdoor outdoors outside 室外 户外 外 外面
    antonym: vegetarian vegan veggie 素食 吃素 素 素食者 素食主义者 / meat carnivore 肉 荤 牛排
    antonym: alive 活 / dead 死 去世
    antonym: pass 通过 / fail 失败 挂
    antonym: win 赢 / lose 输
    antonym: remember 记得 / forget 忘记 忘
    antonym: employed 在职 / unemployed retired 失业 退休 离职
    antonym: introvert introverted 内向 / extrovert extroverted 外向
    antonym: left-handed / right-handed
    antonym: alone 独自 一个人 / together 一起
    antonym: single 单 / double 双
    antonym: 高于 大于 多于 / 低于 小于 少于
    antonym: 至少 / 至多 最多
    antonym: 以上 / 以下
    antonym: 以内 / 以外
    antonym: same 相同 一样 / different 不同 不一样
    antonym: online 线上 在线 / offline 线下 离线
    antonym: paid 付费 收费 / free 免费
    antonym: liberal / conservative
    antonym: maximum max most 最大 最多 最高 / minimum min least 最小 最少 最低
    antonym: major / minor
    value: male man boy he 男 男人 男孩 他 男生 / female woman girl she 女 女人 女孩 她 女生
    value: son 儿子 / daughter 女儿
    value: brother 哥哥 弟弟 / sister 姐姐 妹妹
    value: older elder 哥哥 姐姐 / younger 弟弟 妹妹
    value: wife 妻子 / husband 丈夫
    value: mother 妈妈 / father 爸爸
    value: dog 狗 / cat 猫
    value: tea 茶 / coffee 咖啡
    time: morning 早上 上午 早 清晨 / afternoon 下午 / evening night 晚上 夜里 晚 / noon 中午
    value: daily 每天 / weekly 每周 / monthly 每月 / yearly annual annually 每年
    value: weekday workday 工作日 平时 / weekend 周末
    value: tab / space
    value: breakfast 早餐 早饭 / lunch 午餐 午饭 / dinner supper 晚餐 晚饭
    value: red 红色 红 / blue 蓝色 蓝 / green 绿色 绿 / yellow 黄色 黄 / black 黑色 黑 / white 白色 白 /
    purple 紫色 紫 / pink 粉色 / orange 橙色 / brown 棕色 / gray 灰色 灰
    date: spring 春天 春季 春 / summer 夏天 夏季 夏 / autumn fall 秋天 秋季 秋 / winter 冬天 冬季 冬
    value: read get 读 / write set put 写
    value: client frontend 前端 客户端 / server backend 后端 服务端
    value: production prod 生产 / staging test 测试 / development dev 开发
    direction: north 北 / south 南 / east 东 / west 西
    direction: left 左 / right 右
    direction: give lend send teach sell 给 借给 送 教 寄 / get borrow receive learn take buy 收到 借 学 从
    direction: import upload push 上传 导入 / export download pull 下载 导出
    direction: arrive come enter 到达 抵达 / leave depart go exit 离开
    direction: above over top up 上 上面 / below under bottom down 下 下面
    order: before 前 之前 / after 后 之后
    order: first 先 / last then 后 最后
"""


def _sides() -> dict[str, tuple[tuple[int, int, str], ...]]:
    found: dict[str, list[tuple[int, int, str]]] = {}
    for group, line in enumerate(re.split(r"\n(?= ++\w+: )", _OPPOSITES.rstrip())):
        kind, _, rest = line.strip().partition(": ")
        for side, listed in enumerate(rest.split("/")):
            for word in listed.split():
                found.setdefault(_key(word), []).append((group, side, kind))
    return {word: tuple(places) for word, places in found.items()}


#: Word → (group, side, type) of each set of opposites it belongs to.
OPPOSITES: Final = _sides()
#: Nouns of which a person or thing has one value at a time.
ATTRIBUTES: Final = keys(
    "name surname nickname birthday birthplace age height weight address hometown employer profession "
    "occupation "
    "nationality timezone religion major username salary rent deadline version port host owner status "
    "email type capital "
    "price budget limit 姓 属 生肖 生日 年龄 身高 体重 地址 家乡 老家 籍贯 国籍 职业 专业 邮箱 血型 端口 "
    "版本 密码 截止日期 价格 工资 房租 时区 属相 星座 "
    "母语 用户名 手机号 学历 预算 上限"
)
#: Words that are followed by one place.
ONE_PLACE_ZH: Final = words("住在 住 出生在 生于 出生于 来自 就职于 定居 毕业于")
