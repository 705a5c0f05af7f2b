"""Times named in a clause, resolved against the moment it was said (Friday, 21 November 2025)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memories.extraction.rules.by_rules import extract_by_rules
from memories.text.dates import (
    CHINESE_RULES,
    ENGLISH_RULES,
    Lean,
    Moment,
    TimeRule,
    annotate_times,
    find_time_mentions,
)
from memories.values import Candidate, Utterance
from memsite.values import MessageRole

AT = datetime(2025, 11, 21, 9, 30, tzinfo=UTC)


def resolved(text: str, lean: Lean, rules: tuple[TimeRule, ...]) -> list[str]:
    return [one.span.start.date().isoformat() for one in find_time_mentions(text, Moment(AT, lean), rules)]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("yesterday", "2025-11-20"),
        ("last week", "2025-11-10"),
        ("last month", "2025-10-01"),
        ("last March", "2025-03-01"),
        ("last December", "2024-12-01"),
        ("last Monday", "2025-11-17"),
        ("last summer", "2025-06-01"),
        ("two weeks ago", "2025-11-03"),
        ("a couple of years ago", "2023-01-01"),
        ("since 2015", "2015-01-01"),
        ("on 3 May 2020", "2020-05-03"),
        ("May 3rd, 2020", "2020-05-03"),
        ("in September", "2025-09-01"),
        ("2020-05-03", "2020-05-03"),
        ("this morning", "2025-11-21"),
        ("last weekend", "2025-11-15"),
    ],
)
def test_english_past_time_is_resolved(text: str, date: str) -> None:
    assert resolved(text, Lean.PAST, ENGLISH_RULES) == [date]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("by June", "2026-06-01"),
        ("next year", "2026-01-01"),
        ("tomorrow", "2025-11-22"),
        ("next spring", "2026-03-01"),
    ],
)
def test_english_time_ahead_is_resolved(text: str, date: str) -> None:
    assert resolved(text, Lean.AHEAD, ENGLISH_RULES) == [date]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("昨天", "2025-11-20"),
        ("去年三月", "2024-03-01"),
        ("上个月", "2025-10-01"),
        ("上周三", "2025-11-12"),
        ("三年前", "2022-01-01"),
        ("半年前", "2025-05-01"),
        ("2019年3月5日", "2019-03-05"),
        ("二零一九年", "2019-01-01"),
        ("明年六月", "2026-06-01"),
        ("下周六", "2025-11-29"),
        ("年底", "2025-12-01"),
    ],
)
def test_chinese_time_is_resolved(text: str, date: str) -> None:
    assert resolved(text, Lean.PAST, CHINESE_RULES) == [date]


@pytest.mark.parametrize("text", ["31 February 2020", "May I ask", "in a minute", "2019年13月40日的事"])
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert "02-31" not in "".join(resolved(text, Lean.PAST, ENGLISH_RULES + CHINESE_RULES))
    assert (
        annotate_times(text, find_time_mentions(text, Moment(AT, Lean.PAST), ENGLISH_RULES), chinese=False)
        == text
    )


def learn(text: str, at: datetime = AT) -> Candidate:
    (learnt,) = extract_by_rules([Utterance("message:1", MessageRole.USER, text, at)])
    return learnt


def test_relative_time_is_followed_by_its_date() -> None:
    assert learn("I moved to Oslo last month").content == "The user moved to Oslo last month (October 2025)."
    assert learn("我去年三月搬到了成都").content == "用户去年三月（2024年3月）搬到了成都。"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I moved to Oslo last month", datetime(2025, 10, 1, tzinfo=UTC)),
        ("I've lived in Kraków since 2015", datetime(2015, 1, 1, tzinfo=UTC)),
        ("I've worked at Acme for 12 years", AT.replace(year=2013)),
        ("我去年三月搬到了成都", datetime(2024, 3, 1, tzinfo=UTC)),
        ("I live in Oslo", AT),
        ("My birthday is on 14 March", AT),
        ("I'm planning to visit Japan next spring", AT),
    ],
)
def test_valid_from_is_when_it_began_else_when_it_was_said(text: str, start: datetime) -> None:
    assert learn(text).valid_from == start


def test_days_are_those_of_the_speakers_own_clock() -> None:
    late = datetime(2025, 11, 21, 0, 30, tzinfo=timezone(timedelta(hours=8)))
    assert learn("I moved to Oslo yesterday", late).valid_from == late.replace(day=20, minute=0)


def test_birthday_gets_no_year() -> None:
    assert learn("My birthday is in March").content == "The user's birthday is in March."
