"""Chinese words with the same meaning in any memory."""

from __future__ import annotations

from typing import Final

_GROUPS: Final = """
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
#: Word → the first word of its group.
SYNONYMS: Final = {word: group[0] for group in map(str.split, _GROUPS.split("|")) for word in group}
