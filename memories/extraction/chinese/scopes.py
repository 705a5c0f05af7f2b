"""Chinese sentences that affect their neighbours, such as the announcement of a text or a correction."""

from __future__ import annotations

import re
from typing import Final

from memories.extraction.chinese.leads import MISSTATED
from memories.extraction.prose import Scope

_WORK: Final = (
    r"(?:翻译|改写|润色|校对|总结|概括|缩写|扩写|改错|纠错|修改|仿写|续写|转述|分析|点评|批改"
    r"|回复|朗读|造句|解释)"
)
_TEXT: Final = (
    r"(?:句子|句话|段话|段文字|文字|文本|文章|短文|段落|邮件|信件|封信|来信|回信|评论|内容|对话"
    r"|作文|简历|台词|歌词|帖子|聊天记录|消息|短信|介绍|例句|原文|语句|这话)"
)
_PAYLOAD = re.compile(
    rf"{_WORK}(?:成|为|下面|以下|这(?!个项目))|(?:翻译|改写|润色|校对|批改|缩写|扩写|造句)(?:一下)?[：:]"
    rf"|(?:翻译|改写|润色|校对)一?下|{_WORK}.{{0,10}}{_TEXT}|(?:下面|以下|这)(?:是|这"
    rf"|一)?.{{0,14}}{_TEXT}.{{0,10}}[：:]?$"
    rf"|(?:把|将)(?:下面|以下|这).{{0,10}}{_TEXT}?.{{0,6}}(?:翻译|改|转|译|变|缩|扩)|用(?:英语|英文|日语"
    r"|法语|韩语)怎么说|(?:说|写道|发来|发给我|回复|留言|内容如下|如下)[：:]\s*$"
)
_ABOVE = re.compile(
    rf"(?:上面|以上|上述|前面|刚才)(?:的|这|那)?.{{0,4}}{_TEXT}|(?:这|上面)(?:句"
    r"|段)话?(?:语法|通顺|对不对|有没有|翻译|怎么说|用英)|(?:帮我)?(?:改|翻译|润色)(?:一下)?(?:这"
    r"|上面)(?:句|段)话?[。！!]*$|语法(?:对|正确|有没有)"
)
# "I write summaries for a living" is about the user and is not a task.
_OWN_WORK = re.compile(
    r"(?:其实|现在|目前|平时|最近)?我(?!.{0,6}(?:请你|要你|让你|需要你"
    r"|收到))(?!.*[：:]\s*$)"
)
_FICTION = re.compile(
    r"(?:^|[，,：:]|请|帮我|给我|为我|替我|麻烦你?|你(?:能|可以|来)?)(?:写|编|讲|创作|来|生成|续写|作).{0,20}"
    r"(?:故事|诗|小说|歌词?|剧本|童话|笑话|段子|散文|日记|独白|对白|台词|情书|同人|脚本|对联|寓言|人设)"
    r"|扮演|(?:^|[，,。])(?:请|现在|那|好)?你?(?:现在)?(?:假装|假扮)|(?:^|[，,])(?:请)?你(?:现在)?(?:是"
    r"|就是|来当|来做|当)(?:一|个|我的|国王|皇帝|老师|面试官|医生)"
    r"|想象一下|想像一下|设想|^假设|^假定|假设我|假设你|(?:游戏|小说|故事|梦|剧情|设定)(?:里|中)"
    r"|在这个(?:故事|场景|设定|游戏)|(?:示例|例子|测试)(?:数据|句子|文本|输入)"
)
_SELF: Final = re.compile(
    r"(?:对了|顺便|另外|现实(?:中|里)|说正经的|言归正传|回到现实|认真(?:地)?说"
    r"|话说回来|题外话)"
)
_ROLE_PLAY = re.compile(
    r"扮演|跑团|(?:^|[，,。])(?:请|现在|那|好)?你?(?:现在)?(?:我们)?(?:来)?(?:假装|假扮)"
    r"|(?:^|[，,])(?:从现在起|从现在开始)?[，,]?(?:请)?你(?:现在)?(?:就是|是|来当|来做|当)(?:一|个|我的|国王|皇帝|老师|面试官|医生)"
)
_ROLE_PLAY_OVER = re.compile(
    r"(?:结束|停止|退出|不玩|不演|别演|先停|到此为止).{0,8}(?:扮演|游戏|角色|假装|故事|了|吧|$)|回到现实|恢复正常"
)
_TAKE_BACK = re.compile(
    r"(?:哈哈+[，,]?)?(?:开玩笑的?|开个玩笑|逗你的?|逗你玩的?|骗你的?|我瞎说的|才怪"
    r"|说着玩的?|不是真的|当我没说|算了|反话|忽略(?:上面|这句"
    r"|刚才).{0,6})[啦啊哈呢吧哦~～！!。.\s]*(?:哈哈+)?[。！!~～]*"
)
_WRONG = re.compile(
    r"(?:抱歉|对不起|不好意思|等等|等一下|哦|啊|嗯|诶|呃|刚才|刚刚|之前|上次|前面|[，,]){0,4}"
    rf"(?:{MISSTATED}|不对|不是|错了|不对不对|说错了"
    r"|我说错了"
    r"|记错了|我记错了|你记错了|搞错了|你搞错了|弄错了|打错了|你弄错了|更正一下|纠正一下|更正|纠正"
    r"|不是这样的?|不准确|过时了)[了哦啊哈，,。！!~～\s]*"
)
_REQUEST_TO_REMEMBER = re.compile(
    r"(?:请|麻烦|帮我|你|要){0,4}(?:记住|记一下|记下来?|记得|别忘了|保存|记录一下)(?:以下|下面"
    r"|这些|这个|如下|这几点|几件事|一下|几点|关于我的|信息|内容|的|事|事情|：|:){0,4}[。！!：:]*"
)


def turns_role_play(sentence: str) -> bool | None:
    """Return whether a sentence begins role play (True) or ends it (False); None for most sentences."""
    if _ROLE_PLAY_OVER.search(sentence) or _SELF.match(sentence):
        return False
    return True if _ROLE_PLAY.search(sentence) else None


def find_chinese_scope(sentence: str) -> Scope | None:
    """Return the effect of a sentence on its neighbours; None for most sentences."""
    for pattern, scope in (
        (_REQUEST_TO_REMEMBER, Scope.REQUESTED),
        (_TAKE_BACK, Scope.TAKE_BACK),
        (_WRONG, Scope.CORRECTION),
    ):
        if pattern.fullmatch(sentence.strip()):
            return scope
    if _SELF.match(sentence):
        return Scope.SELF
    if _ABOVE.search(sentence):
        return Scope.WORK_ON_ABOVE
    if _PAYLOAD.search(sentence) and not _OWN_WORK.match(sentence):
        return Scope.PAYLOAD
    return Scope.FICTION if _FICTION.search(sentence) else None
