"""Free texts that cannot both hold."""

from __future__ import annotations

import pytest

from memories.text.comparison.contradiction import find_contradiction

CONTRADICTORY = [
    ("negation", "The site has a pool.", "The site has no pool."),
    ("negation", "My aunt can drive.", "My aunt can't drive."),
    ("negation", "我们周末营业。", "我们周末不营业。"),
    ("antonym", "I love opera.", "I hate opera."),
    ("antonym", "Caching is enabled.", "Caching is disabled."),
    ("antonym", "The alarm is on.", "The alarm is off."),
    ("antonym", "I'm vegetarian.", "I eat bacon on Sundays."),
    ("antonym", "自动备份已开启。", "自动备份已关闭。"),
    ("antonym", "我吃素。", "我爱吃羊肉。"),
    ("value", "My favourite fruit is quince.", "My favourite fruit is mango."),
    ("value", "I live in Turin.", "I live in Milan."),
    ("value", "My nephew is called Tom.", "My nephew is called Max."),
    ("value", "The broker listens on 1883.", "The broker listens on 8883."),
    ("value", "I'm 34 years old.", "I'm 36 years old."),
    ("value", "我住在绍兴。", "我住在嘉兴。"),
    ("value", "我最喜欢的水果是杨梅。", "我最喜欢的水果是荔枝。"),
    ("value", "截止日期是3月1日。", "截止日期是3月8日。"),
]


@pytest.mark.parametrize(("reason", "one", "other"), CONTRADICTORY)
def test_what_cannot_both_hold_contradicts(reason: str, one: str, other: str) -> None:
    assert find_contradiction(one, other) == find_contradiction(other, one) == reason


COMPATIBLE = [
    ("I live in Turin.", "I used to live in Milan."),
    ("I live in Turin.", "I live in Italy."),
    ("I live in Turin.", "I live in a loft."),
    ("I live in Turin.", "My aunt lives in Milan."),
    ("I don't eat pork.", "I eat meat."),
    ("I like hot soup.", "I like cold soup."),
    ("I didn't row on Monday.", "I rowed on Tuesday."),
    ("I bought a kayak.", "I sold a kayak."),
    ("I'm vegan.", "My husband eats bacon."),
    ("I want to learn Thai.", "I don't speak Thai."),
    ("My boss likes tea.", "My boss likes coffee."),
    ("I have a dog.", "I have a cat."),
    ("I ran 5 km.", "I ran 8 km."),
    ("I play tennis on Mondays.", "I play tennis on Fridays."),
    ("I don't drink.", "I drink water."),
    ("我喜欢热汤。", "我喜欢冷汤。"),
    ("我在家工作。", "我在邮局工作。"),
    ("我以前住在嘉兴。", "我住在绍兴。"),
    ("我想戒酒。", "我喝酒。"),
]


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_what_may_both_hold_does_not_contradict(one: str, other: str) -> None:
    assert find_contradiction(one, other) == ""
