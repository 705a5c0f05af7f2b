"""Generate questions over chains of statements from templates, in English and Chinese, among distractors.

Names and templates are nobody's data. The same seed generates the same set.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split("," if "," in text else None))


SEED: Final = 20_260_301
CHAINS: Final = 30  # of each language
_OWN: Final = 4  # which of five chains begins with the user

_PEOPLE_EN: Final = _words(
    "Anna Bruno Carla Dmitri Elena Farid Greta Hassan Ingrid Jorge Katya Luca Maren Nadia Oskar Priya"
    " Quentin Rosa Stefan Tanja Umar Vera Wanda Xenia Yusuf Zora Alba Boris Celine Dario Edda Felix"
    " Gloria Henrik Ivana Jonas Kira Lorenz Mina Nils Olga Pavel Rahel Samir Thea Ulrich Viola Willem"
    " Yara Zeno Amara Bence Clio Dorian Emre Fleur Gideon Hilde Imani Jasper Kaia Leander Milan Noemi"
    " Otis Petra Ramon Selma Tibor Ursa"
)
_FIRMS_EN: Final = _words(
    "Northwind,Bluepeak,Halden Bank,Orbital Foods,Vexcel,Tarnow Press,Quillon,Lumen Labs,Ferro Marine"
    ",Castellan,Brightwater,Ostrava Steel,Nimbus Air,Parcella,Zephyr Motors,Kestrel Games,Marlow Clinic"
    ",Redstone Mining,Solvay House,Tessera"
)
_CITIES_EN: Final = _words(
    "Lisbon Krakow Bergen Tallinn Porto Ghent Malmo Zagreb Seville Trieste Cork Bremen Basel Utrecht"
    " Turku Split Graz Leeds Nantes Varna"
)
_PEOPLE_ZH: Final = _words(
    "王芳 李雷 张伟 刘洋 陈静 杨帆 赵敏 黄磊 周杰 吴昊 徐丽 孙鹏 胡蝶 朱琳 高峰 林涛 何洁 郭靖 马超"
    " 罗丹 梁博 宋佳 郑爽 谢楠 韩梅 唐毅 冯坤 于洋 董洁 萧红 程飞 曹颖 袁泉 邓超 许晴 傅聪 沈腾 曾黎"
    " 彭飞 吕布 苏瑞 卢静 蒋欣 蔡琴 贾玲 丁宁 魏晨 薛凯 叶青 阎维 余华 潘虹 杜鹃 戴玉 夏雨 钟楚 汪涵"
    " 田雨 任重 姜文 范宁 方圆 石磊 姚晨 谭维 廖凡 邹市 熊黛 金星 陆毅"
)
_FIRMS_ZH: Final = _words(
    "远帆科技 青禾银行 星桥出版社 海岳集团 云杉医院 北辰汽车 松石软件 蓝鲸物流 晨光学院 白塔书店"
    " 银杉药业 长风航空 玉泉酒店 红岩矿业 金穗粮油 天枢实验室 丹枫传媒 翠湖中学 铁马重工 鹿鸣餐厅"
)
_CITIES_ZH: Final = _words(
    "杭州 成都 厦门 青岛 昆明 大连 苏州 长沙 西安 珠海 南宁 贵阳 洛阳 烟台 桂林 绍兴 泉州 温州 兰州 无锡"
)


@dataclass(frozen=True, slots=True)
class Chain:
    """A question and the statements that answer it together.

    Attributes:
        language: `en` or `zh`.
        question: The question.
        evidence: The statements.
    """

    language: str
    question: str
    evidence: tuple[str, ...]

    @property
    def hops(self) -> int:
        return len(self.evidence)


@dataclass(frozen=True, slots=True)
class Chains:
    """The questions, and all statements, which contain the evidence, in mixed order."""

    questions: tuple[Chain, ...]
    statements: tuple[str, ...]


_KIN_EN: Final = _words("sister,brother,manager,neighbour,landlord,dentist,piano teacher,best friend")
_KIN_ZH: Final = ("妹妹", "哥哥", "经理", "邻居", "房东", "牙医", "钢琴老师", "室友")
#: Templates of a relation, of a statement about the person at its end, and of the questions for it.
_TIES_EN: Final = (
    "{a}'s {kin} is {b}.",
    "{b} is {a}'s {kin}.",
    "{a} introduced us to {b}, the {kin} of {a}.",
    "{a} has a {kin} called {b}.",
)
_OWN_TIES_EN: Final = ("The user's {kin} is {b}.", "{b} is the user's {kin}.", "My {kin} is {b}.")
_WORK_EN: Final = (
    "{b} works at {c}.",
    "{b} has joined {c} as an accountant.",
    "{c} hired {b} two years ago.",
    "{b} is an engineer at {c}.",
)
_HOME_EN: Final = ("{b} lives in {c}.", "{b} moved to {c} last spring.", "{b} bought a flat in {c}.")
_WORK_QUESTIONS_EN: Final = ("Where does {a}'s {kin} work?", "Which company employs {a}'s {kin}?")
_HOME_QUESTIONS_EN: Final = ("Where does {a}'s {kin} live?", "Which city is the home of {a}'s {kin}?")
#: One memory answers these: the graph signal must not make them worse.
_TIE_QUESTION_EN: Final = "Who is {a}'s {kin}?"
_END_QUESTIONS_EN: Final = ("Where does {b} work?", "Where does {b} live?")
_SEAT_EN: Final = ("{c} has its head office in {d}.", "{c} is based in {d}.")
_SEAT_QUESTIONS_EN: Final = ("In which city is the company of {a}'s {kin} based?",)
_TIES_ZH: Final = (
    "{a}的{kin}是{b}。",
    "{b}是{a}的{kin}。",
    "{a}介绍了{kin}{b}给我们认识。",
    "{a}有个{kin}叫{b}。",
)
_OWN_TIES_ZH: Final = ("用户的{kin}是{b}。", "{b}是用户的{kin}。", "我的{kin}叫{b}。")
_WORK_ZH: Final = ("{b}在{c}工作。", "{b}最近加入了{c}。", "{c}前年聘请了{b}。", "{b}是{c}的工程师。")
_HOME_ZH: Final = ("{b}住在{c}。", "{b}去年搬到了{c}。", "{b}在{c}买了一套房子。")
_WORK_QUESTIONS_ZH: Final = ("{a}的{kin}在哪里上班？", "{a}的{kin}在哪家公司工作？")
_HOME_QUESTIONS_ZH: Final = ("{a}的{kin}住在哪个城市？", "{a}的{kin}家在哪里？")
_TIE_QUESTION_ZH: Final = "{a}的{kin}是谁？"
_END_QUESTIONS_ZH: Final = ("{b}在哪里上班？", "{b}住在哪个城市？")
_SEAT_ZH: Final = ("{c}的总部在{d}。", "{c}设在{d}。")
_SEAT_QUESTIONS_ZH: Final = ("{a}的{kin}的公司总部在哪个城市？",)
_CHATTER_EN: Final = (
    "{a} prefers tea to coffee.",
    "{a} ran a marathon in {d}.",
    "{a} collects stamps from {d}.",
    "{a} dislikes loud offices.",
    "{a} called about the invoice.",
    "{a} and {b} play chess on Fridays.",
    "The office of {c} was painted green.",
    "{d} had heavy rain in autumn.",
)
_CHATTER_ZH: Final = (
    "{a}更喜欢喝茶。",
    "{a}在{d}跑过马拉松。",
    "{a}收藏{d}的邮票。",
    "{a}不喜欢吵闹的办公室。",
    "{a}打电话问过发票的事。",
    "{a}和{b}每周五下棋。",
    "{c}的办公室刷成了绿色。",
    "{d}秋天下了大雨。",
)


@dataclass(frozen=True, slots=True)
class _Language:
    code: str
    people: Sequence[str]
    firms: Sequence[str]
    cities: Sequence[str]
    kin: Sequence[str]
    ties: Sequence[str]
    own_ties: Sequence[str]
    me: str
    work: Sequence[str]
    home: Sequence[str]
    seat: Sequence[str]
    work_questions: Sequence[str]
    home_questions: Sequence[str]
    seat_questions: Sequence[str]
    tie_question: str
    end_questions: Sequence[str]
    chatter: Sequence[str]


_LANGUAGES: Final = (
    _Language(
        "en", _PEOPLE_EN, _FIRMS_EN, _CITIES_EN, _KIN_EN, _TIES_EN, _OWN_TIES_EN, "my", _WORK_EN, _HOME_EN,
        _SEAT_EN, _WORK_QUESTIONS_EN, _HOME_QUESTIONS_EN, _SEAT_QUESTIONS_EN, _TIE_QUESTION_EN,
        _END_QUESTIONS_EN, _CHATTER_EN,
    ),
    _Language(
        "zh", _PEOPLE_ZH, _FIRMS_ZH, _CITIES_ZH, _KIN_ZH, _TIES_ZH, _OWN_TIES_ZH, "我", _WORK_ZH, _HOME_ZH,
        _SEAT_ZH, _WORK_QUESTIONS_ZH, _HOME_QUESTIONS_ZH, _SEAT_QUESTIONS_ZH, _TIE_QUESTION_ZH,
        _END_QUESTIONS_ZH, _CHATTER_ZH,
    ),
)  # fmt: skip


def make_chains(count: int = CHAINS, *, seed: int = SEED) -> Chains:
    """Generate `count` chains per language among more chatter than evidence, each with two questions of one
    hop.

    A fifth of the chains take three hops; a fifth are about the user's own people.
    """
    chosen = random.Random(seed)  # noqa: S311 - a bench is to repeat itself
    questions: list[Chain] = []
    statements: list[str] = []
    for language in _LANGUAGES:
        made = list(_chains(language, count, chosen))
        questions += made
        statements += [one for chain in made for one in chain.evidence if chain.hops > 1]
        statements += _chatter(language, 5 * count, chosen)
    statements = list(dict.fromkeys(statements))
    chosen.shuffle(statements)
    return Chains(tuple(questions), tuple(statements))


def _chains(language: _Language, count: int, chosen: random.Random) -> Iterator[Chain]:
    people = list(language.people)
    chosen.shuffle(people)
    for number in range(count):
        names = {
            "a": people[2 * number],
            "b": people[2 * number + 1],
            "kin": chosen.choice(language.kin),
            "d": chosen.choice(language.cities),
        }
        tie = chosen.choice(language.ties)
        if number % 5 == _OWN:
            names["kin"] = language.kin[number // 5]
            tie = chosen.choice(language.own_ties)
        if number % 5 == 0:
            names["c"] = language.firms[number // 5]
            parts = [tie, chosen.choice(language.work), chosen.choice(language.seat)]
            chain_question = chosen.choice(language.seat_questions)
        elif number % 2:
            names["c"] = chosen.choice(language.firms[count // 5 :])
            parts = [tie, chosen.choice(language.work)]
            chain_question = chosen.choice(language.work_questions)
        else:
            names["c"] = chosen.choice(language.cities)
            parts = [tie, chosen.choice(language.home)]
            chain_question = chosen.choice(language.home_questions)
        evidence = tuple(part.format(**names) for part in parts)
        at_home = number % 5 != 0 and number % 2 == 0
        of_one = ((language.tie_question, evidence[:1]), (language.end_questions[at_home], evidence[1:2]))
        for question, answer in ((chain_question, evidence), *of_one):
            mine = question.replace("{a}'s", language.me).replace("{a}", language.me)
            template = mine if number % 5 == _OWN else question
            yield Chain(language.code, template.format(**names), answer)


def _chatter(language: _Language, count: int, chosen: random.Random) -> list[str]:
    found = []
    for _ in range(count):
        a, b = chosen.sample(list(language.people), 2)
        names = {"a": a, "b": b, "c": chosen.choice(language.firms), "d": chosen.choice(language.cities)}
        found.append(chosen.choice(language.chatter).format(**names))
    return found
