"""List the predicates with one value at a time and their variants. Data; English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final


def _list_variants(variants: str) -> tuple[str, ...]:
    return tuple(variants.split(", "))


#: Canonical predicate → its variants. `predicates` first removes case, underscores, third person and adverbs.
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "lives in": _list_variants(
        "live in, living in, is living in, resides in, reside in, residing in, dwells in, based in, "
        "is based in, moved to, has moved to, relocated to, settled in, home city, home town now, "
        "city of residence, residence, place of residence, current city, current residence, "
        "current location, 住在, 居住在, 居住于, 住于, 住, 居住, 现居, 现住, 现居住在, 定居在, "
        "定居于, 搬到, 搬到了, 搬去, 搬去了, 搬家到, 居住地, 常住地, 现居地, 所在城市, 居住城市, "
        "家在"
    ),
    "works at": _list_variants(
        "work at, working at, works for, work for, working for, works with company, employed by, "
        "is employed by, employed at, employer, current employer, company, workplace, place of work, "
        "joined company, 就职于, 任职于, 供职于, 工作于, 在职于, 上班于, 受雇于, 效力于, 在…工作, "
        "在...工作, 在…上班, 工作在, 雇主, 公司, 工作单位, 所在公司, 任职公司, 就职公司, 单位"
    ),
    "job title": _list_variants(
        "title, position, position title, occupation, profession, job, current job, works as, "
        "work as, working as, current position, current role, job role, 职位, 职务, 职称, 岗位, "
        "头衔, 职业, 担任"
    ),
    "born in": _list_variants(
        "born, was born, was born in, is born in, birthplace, place of birth, birth place, 出生于, "
        "出生在, 生于, 出生地"
    ),
    "born on": _list_variants(
        "was born on, birthday, birthdate, birth date, date of birth, dob, 生日, 出生日期, 生日是"
    ),
    "birth year": _list_variants("year of birth, born in year, 出生年份, 出生年"),
    "named": _list_variants(
        "is named, name, name is, is called, called, full name, real name, legal name, first name, "
        "has name, my name is, goes by the name, 叫, 名叫, 叫做, 姓名, 名字, 名字是, 名字叫, 全名, "
        "本名, 真名"
    ),
    "surname": _list_variants("last name, family name, 姓, 姓氏"),
    "age": _list_variants("is aged, aged, age is, years old, is years old, 年龄, 岁数, 年纪, 岁, 年龄是"),
    "married to": _list_variants(
        "is married to, spouse, husband, wife, married, engaged to, 配偶, 丈夫, 妻子, 老公, 老婆, "
        "嫁给, 嫁给了, 娶了, 结婚对象, 爱人"
    ),
    "marital status": _list_variants("relationship status, 婚姻状况, 感情状况"),
    "phone": _list_variants(
        "phone number, phone no, telephone, telephone number, tel, mobile, mobile number, "
        "mobile phone, cell, cell phone, cell number, contact number, 电话, 电话号码, 手机, 手机号, "
        "手机号码, 联系电话, 联系方式"
    ),
    "email": _list_variants(
        "e-mail, email address, e-mail address, mail address, 邮箱, 电子邮箱, 邮箱地址, 电子邮件, "
        "电邮, 邮件地址"
    ),
    "address": _list_variants(
        "home address, lives at, resides at, postal address, mailing address, street address, 地址, "
        "住址, 家庭住址, 家庭地址, 通讯地址, 收货地址"
    ),
    "time zone": _list_variants("timezone, tz, in time zone, in the timezone, 时区, 所在时区"),
    "native language": _list_variants(
        "mother tongue, first language, native speaker of, 母语, 第一语言, 母语是"
    ),
    "current version": _list_variants(
        "version, version number, at version, is at version, runs version, latest version, "
        "is on version, uses version, running version, 当前版本, 版本, 版本号, 最新版本, 现用版本, "
        "使用版本, 目前版本"
    ),
    "gender": _list_variants("sex, 性别"),
    "height": _list_variants("is tall, 身高"),
    "weight": _list_variants("weighs, 体重"),
    "blood type": _list_variants("blood group, 血型"),
    "zodiac sign": _list_variants("star sign, 星座"),
    "nationality": _list_variants("citizen of, 国籍"),
    "manager": _list_variants("boss, reports to, supervisor, line manager, 上司, 上级, 直属领导, 直属上级"),
    "located in": _list_variants(
        "location, is located in, situated in, headquartered in, headquarters, 位于, 坐落于, 总部, 总部在"
    ),
    "deadline": _list_variants("due date, due on, is due on, due, 截止日期, 截止时间, 到期日"),
    "capital": _list_variants("has capital, 首都"),
}

#: "favourite colour", 最喜欢的颜色: one value for each category.
FAVOURITES: Final = re.compile(
    r"^(?:favou?rite|most liked|best loved|最喜欢的?|最爱的?|最喜爱的?|喜欢的最)\s*(?P<what>\S.*)$"
)
#: What is called the main, default or current one has one value.
MAIN: Final = re.compile(
    r"^(?:has )?(?:current|primary|main|default|preferred|当前的?|主要的?|默认的?|首选的?)\s*(?P<what>\S.*)$"
)
