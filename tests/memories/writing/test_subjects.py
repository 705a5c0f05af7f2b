"""A text that says how something is done now ends one that says how it was done, if both name the thing."""

from __future__ import annotations

import pytest

from memories.writing.changes import Change, find_change

ENDED = [
    ("I do my tax return on paper.", "These days my accountant handles my tax return."),
    ("I brew my tea in a mug.", "I've switched to a pot for my tea."),
    ("We do our laundry at the launderette.", "Our laundry runs through a machine at home now."),
    ("I practise scales before breakfast.", "I practise my scales at lunch from now on."),
    ("我用报纸学法语。", "如今我靠播客学法语。"),
    ("我在学校门口买豆浆。", "豆浆我改喝自己磨的。"),
]
SIDE_BY_SIDE = [
    ("I have a tabby cat.", "My cat is asleep on the printer now."),
    ("I ride the tram to the library.", "I left my gloves on the tram."),
    ("I keep bees behind the barn.", "The bees are calm now."),
    ("I brew my tea in a mug.", "I drink iced tea these days, too."),
    ("I teach pottery on Mondays.", "My neighbour has switched to pottery."),
    ("I grow tomatoes in the greenhouse.", "I'm at the greenhouse right now."),
    ("I bought a kettle.", "I use a kettle from the office now."),
    ("我养了两只鹦鹉。", "鹦鹉现在睡着了。"),
    ("我用报纸学法语。", "我现在也看报纸上的连环画。"),
    ("我弟弟在学法语。", "如今我靠播客学法语。"),
]


@pytest.mark.parametrize(("older", "newer"), ENDED)
def test_what_is_done_otherwise_now_ends(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.ENDS


@pytest.mark.parametrize(("older", "newer"), SIDE_BY_SIDE)
def test_what_stays_true_beside_it_does_not_end(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.NONE


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I work at the aquarium.", "I've handed in my notice at the aquarium."),
        ("I sew on a treadle machine.", "The treadle machine broke for good."),
    ],
)
def test_what_was_given_up_or_broke_ends(older: str, newer: str) -> None:
    assert find_change(newer, older) is Change.ENDS
