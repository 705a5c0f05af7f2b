from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.gate import Redacted, redact_text
from memsite.values import MessageRole
from threads.conf import EPISODE_CHARACTERS, EPISODE_PARTS, REDACTED_MARGIN, SOURCE_CHARACTERS
from threads.learning import episodes as episodes_module
from threads.learning.episodes import SourceMessage, build_episodes, list_source_messages
from threads.models import Message
from threads.prompt import fence_memories, new_mark
from threads.prompt.splitting import split_text

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def said(text: str) -> SourceMessage:
    return SourceMessage("message:1", MessageRole.USER, text, "alice", "thread:1", NOON)


def test_message_becomes_one_episode_that_says_who_when_and_where() -> None:
    [episode] = build_episodes(said("I moved to Berlin."))
    assert (episode.layer, episode.kind, episode.content) == (
        "episodic",
        "conversation",
        "I moved to Berlin.",
    )
    assert (episode.speaker, episode.session, episode.occurred_at) == ("alice", "thread:1", NOON)
    assert (episode.sources, episode.written_by) == (("message:1",), "thread")


def test_long_message_becomes_numbered_parts_that_hold_all_of_it() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 300 for number in range(6))
    episodes = build_episodes(said(text))
    assert " ".join("".join(one.content for one in episodes).split()).replace(" ", "") == "".join(
        text.split()
    )
    assert [one.metadata["part"] for one in episodes] == list(range(1, len(episodes) + 1))
    assert {one.metadata["parts"] for one in episodes} == {len(episodes)}


def test_message_beyond_the_cap_says_that_it_was_cut() -> None:
    episodes = build_episodes(said("word " * (EPISODE_CHARACTERS * (EPISODE_PARTS + 1) // 5)))
    assert len(episodes) == EPISODE_PARTS
    assert [bool(one.metadata.get("cut")) for one in episodes] == [False] * (EPISODE_PARTS - 1) + [True]


def test_only_what_is_learnt_of_a_long_message_is_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []

    def redact(text: str) -> Redacted:
        lengths.append(len(text))
        return redact_text(text)

    monkeypatch.setattr(episodes_module, "redact_text", redact)
    message = Message(role="user", content="word " * 200_000)
    [source] = list_source_messages([message], "alice")
    assert (lengths, len(source.content)) == ([SOURCE_CHARACTERS + REDACTED_MARGIN], SOURCE_CHARACTERS)


@pytest.mark.parametrize("before", [SOURCE_CHARACTERS - 30, SOURCE_CHARACTERS + REDACTED_MARGIN - 30])
def test_a_secret_at_the_cut_of_a_long_message_is_redacted(before: int) -> None:
    secret = "ghp_" + "x7Kq9Lm2Pz" * 4
    text = "word " * (before // 5) + f" {secret} " + "word " * 40_000
    [source] = list_source_messages([Message(role="user", content=text)], "alice")
    assert "ghp_x7K" not in source.content


def test_blank_message_makes_no_episode() -> None:
    assert build_episodes(said(" \n ")) == []


def test_recalled_memories_in_a_message_are_not_its_own_words() -> None:
    block = fence_memories(["Alice lives in Berlin."], new_mark())
    [episode] = build_episodes(said(f"{block}\nWhere should I eat?"))
    assert episode.content == "Where should I eat?"


def test_message_of_nothing_but_recalled_memories_makes_no_episode() -> None:
    assert build_episodes(said(fence_memories(["Alice lives in Berlin."], new_mark()))) == []


@given(st.text(alphabet="ab .。\n", max_size=300), st.integers(4, 40))
def test_parts_are_short_enough_and_lose_nothing_but_space(text: str, longest: int) -> None:
    parts = split_text(text, longest)
    assert all(0 < len(part) <= longest for part in parts)
    assert "".join("".join(part.split()) for part in parts) == "".join(text.split())


def test_text_is_parted_between_paragraphs_where_there_are_any() -> None:
    assert split_text("one two three\n\nfour five six", 20) == ["one two three", "four five six"]
