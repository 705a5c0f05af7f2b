"""Chinese words for comparison: compound words, synonyms and fillers."""

from __future__ import annotations

from typing import Final

from memories.text.comparison.words.english import MINE, SELF, words
from memories.text.comparison.words.lexicon import (
    ATTRIBUTES,
    FORMER,
    KIN,
    MOODS,
    NEGATORS,
    ONE_PLACE_ZH,
    OPPOSITES,
    QUANTIFIERS,
    SYNONYMS_ZH,
)

#: Words that can be added or omitted without a change of meaning.
FILLERS: Final = words(
    "呢 啊 呀 嘛 哦 啦 哈 也 现在 目前 如今 当前 眼下 其实 本来 很 地 得 着 个 之 呗 哟 噢 喔 诶"
)
#: Words with a negating character that negate nothing, and other words that must not be split.
_WHOLE: Final = """
    不错 不能没有 不得已 不但 不仅 不过 不管 不论 不如 不得不 不断 不锈钢 不久 不少 不好意思 差不多 对不起
    没错 没关系 没事 没问题 非常 非洲
    非得 除非 无锡 无人机 无线 无论 未来 未婚 别人 别的 别墅 特别 分别 区别 性别 级别 告别 个别 类别 识别
    是否 莫斯科 要不
    要不是 不然 不止 不只 不光 不得了 了不起 不停 不由得 不知不觉 说不定 免费 免疫 避免 不同 不一样 除非
    未必 无聊 无花果 没落
    会议 会员 会计 机会 社会 晚会 聚会 音乐会 开会 学会 过敏 过去 过年 过程 通过 超过 不过 经过 过夜 难过
    太过 过生日 过期 过节
    目的 的确 了解 为了 除了 好了 算了 着急 觉得 记得 获得 值得 得到 懂得 感觉 爱好 爱情 爱人 可爱 恋爱
    爱尔兰 想法 理想 思想 想象
    用户 作用 费用 信用 信用卡 应用 实用 开发 开心 开始 开会 公开 离开 开车 开朗 关于 关系 关心 相关 海关
    大学 大家 大概 大约 大部分 大型
    小学 中学 高中 初中 小时 小说 小区 小组 小心 高兴 高级 高铁 高血压 低血糖 多少 至少 减少 少年 年轻 前端
    后端 后台 以后 之后 然后 最后
    今后 后来 之前 以前 目前 提前 前任 前妻 前夫 前女友 前男友 后悔 早上 早餐 早饭 早就 晚上 晚餐 晚饭 上午
    下午 中午 上班 下班 上海 上学 上网
    北京 南京 东京 西安 上海 广州 深圳 杭州 苏州 成都 重庆 天津 武汉 长沙 郑州 青岛 大连 厦门 济南 昆明 合肥
    南昌 福州 宁波 东莞 佛山 沈阳
    哈尔滨 长春 石家庄 太原 南宁 贵阳 兰州 海口 三亚 珠海 香港 澳门 台北 台湾 中国 美国 英国 法国 德国 日本
    韩国 意大利 西班牙 加拿大 澳大利亚
    俄罗斯 印度 泰国 新加坡 巴黎 伦敦 柏林 纽约 洛杉矶 旧金山 东北 西北 华为 小米 阿里 阿里巴巴 腾讯 百度
    字节跳动 京东 美团 网易 苹果 谷歌 微软
    猫咪 老师 老板 老家 老虎 不开心 牛肉 猪肉 羊肉 鸡肉 牛奶 水果 红茶 绿茶 红酒 白酒 啤酒 黑色 白色 一个人
    学校 医院 银行 汉语 英语 法语 德语 日语
    出生 长大 定居 从来 自从 从事 对于 对象 反对 面对 比如 比较 比赛 比例 到处 迟到 得到 收到 感到 直到 给予
    和平 共和国 跟踪 把握 被子 向来 方向 倾向 只是
    生日 名字 年龄 身高 体重 血型 端口 版本 邮箱 地址 颜色 食物 喜好 习惯 打算 计划 希望 需要 应该 可以 能够
    知道 认为 学习 研究 练习 运动 跑步 游泳
    """
#: Things that own other things: 数据库的端口 equals 数据库端口.
THINGS: Final = words(
    "数据库 接口 服务器 项目 公司 团队 系统 网站 电脑 手机 车 狗 猫 学校 家 服务 应用 产品 程序 邮箱 房子 "
    "办公室 店 部门 小区"
)
#: Verbs that express a present state with or without a final 了.
STATES: Final = words("是 在 住在 住 有 喜欢 爱 养 叫 岁 年 学会 会 搬到 换成 改成 改用")
_FIXED: Final = frozenset(_WHOLE.split())
_LISTS: Final = (
    THINGS,
    STATES,
    ATTRIBUTES,
    ONE_PLACE_ZH,
    NEGATORS,
    FORMER,
    KIN,
    MOODS,
    QUANTIFIERS,
    OPPOSITES,
    SYNONYMS_ZH,
    FILLERS,
)
WORDS: Final = frozenset({word for words in _LISTS for word in words if not word.isascii()} | _FIXED)
LONGEST: Final = max(map(len, WORDS))
#: First characters of longer words, computed once.
_FIRST: Final = frozenset(word[0] for word in WORDS if len(word) > 1)
PRONOUNS: Final = frozenset({SELF, MINE, "我们", "你", "您", "他", "她", "它", "他们", "她们", "自己"})


def words_at(text: str, place: int, end: int) -> str:
    """Return the longest known word at `place` that ends by `end`, or the single character there."""
    if text[place] in _FIRST:
        for length in range(min(LONGEST, end - place), 1, -1):
            word = text[place : place + length]
            if word in WORDS:
                return word
    return text[place]


#: Well-known places and companies, which are names in any position.
PLACES: Final = words(
    """
    北京 南京 东京 西安 上海 广州 深圳 杭州 苏州 成都 重庆 天津 武汉 长沙 郑州 青岛 大连 厦门 济南
    昆明 合肥 南昌 福州 宁波 东莞 佛山 沈阳 哈尔滨 长春 石家庄 太原 南宁 贵阳 兰州 海口 三亚 珠海 无锡
    香港 澳门 台北 台湾 美国 英国 法国 德国 日本 韩国 意大利 西班牙 加拿大 澳大利亚 俄罗斯 印度 泰国
    新加坡 巴黎 伦敦 柏林 纽约 洛杉矶 旧金山 华为 阿里巴巴 腾讯 百度 字节跳动 美团 网易 谷歌 微软
    """
)
