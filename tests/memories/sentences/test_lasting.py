"""A statement that no rule reads is kept if its sentence vector says that it tells something that lasts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from bench.lasting import DATA_FILE
from memories.extraction import extract_by_rules, keep_lasting
from memories.extraction.talk import LASTING_FILE, estimate_lasting, may_last
from memories.extraction.talk.lasting import MOST, MOST_CHARACTERS, Float32
from memories.storage import list_active_memories
from memories.values import Action, Candidate, Utterance
from memories.writing import CHANGES_NOTHING, keep_lasting_quotations, write_candidates
from memsite.accounts.models import User
from memsite.llm.embedding import SENTENCE_DIMENSIONS, SentenceEmbedder
from memsite.values import MessageRole

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
SHIFTS = "Night shifts only until the baby comes. Third year of the plumbing apprenticeship, one to go."
VAGUE = "The user said: “Swapped teaching for gardening and never looked back.”"


def extract_vague(text: str) -> list[Candidate]:
    return extract_by_rules([Utterance("message:1", MessageRole.USER, text, NOW)], vague=True)


def find_sure_example(*, least: bool = False) -> Float32:
    """Return the vector (1, d) of an example that tells something that lasts, or, if `least`, does not."""
    with np.load(LASTING_FILE) as stored:
        examples = stored["examples"] / np.float32(25) * stored["spread"] + stored["mean"]
    scores = estimate_lasting(examples)
    place = scores.argmin() if least else scores.argmax()
    return np.asarray(examples[place][None], dtype=np.float32)


class FakeEmbedder:
    """Embeds every text as one that lasts, and notes the texts of each call."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed_passages(self, texts: Sequence[str]) -> Float32:
        self.calls.append(list(texts))
        return np.tile(find_sure_example(), (len(texts), 1))


def fail(self: SentenceEmbedder, texts: Sequence[str]) -> Float32:
    raise OSError("the weights are gone")


@pytest.mark.parametrize(
    "text",
    [
        "Swapped teaching for gardening and never looked back.",
        "Third year of the plumbing apprenticeship, one to go.",
        "Night shifts only until the baby comes in June.",
        "跟老伴搬到威海养老了。",
        "年底前把乡下的老屋翻修好给爸妈住。",
    ],
)
def test_statement_that_lasts_is_kept(text: str, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    found = extract_vague(text)
    assert [one.only_changes for one in found] == [True]
    assert [one.only_changes for one in keep_lasting_quotations(found)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "The kettle took ages this morning.",
        "Traffic on the ring road was murder again.",
        "Line 40 is where the loop begins.",
        "The guy at the bakery is moving to Spain.",
        "电梯里又是一股烟味。",
        "第三段的语气太硬了。",
    ],
)
def test_statement_of_the_moment_changes_what_is_known_or_nothing(text: str, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    assert [one.only_changes for one in keep_lasting_quotations(extract_vague(text))] == [True]


@pytest.mark.parametrize(
    "words",
    [
        "You are a pirate with one leg.",
        "He sings in a choir.",
        "Might move to Cork in the spring.",
        "她在银行上班。",
        "可能明年搬去大连。",
    ],
)
def test_what_is_unsure_or_true_of_somebody_unnamed_may_not_last(words: str) -> None:
    assert not may_last(words)


def test_what_somebody_unnamed_does_with_the_speaker_may_last() -> None:
    assert may_last("She left me in August.")


def test_only_the_words_of_vague_statements_are_embedded_in_one_call() -> None:
    embedder = FakeEmbedder()
    plain = Candidate("The user lives in Hull.")
    vague = Candidate(VAGUE, only_changes=True)
    chinese = Candidate("用户说：“改吃素了。”", only_changes=True)
    kept = keep_lasting([plain, vague, chinese], embedder.embed_passages)
    assert embedder.calls == [["Swapped teaching for gardening and never looked back.", "改吃素了。"]]
    assert not any(one.only_changes for one in kept)


def embed_only(lasting: str) -> Callable[[Sequence[str]], Float32]:
    """Return a function that embeds this text as one that lasts, and others as ones that do not."""
    yes, no = find_sure_example(), find_sure_example(least=True)
    return lambda texts: np.concatenate([yes if text == lasting else no for text in texts])


@pytest.mark.parametrize("text", [SHIFTS, "夜班上到孩子出生。管道学徒第三年了。"])
def test_sentences_that_last_only_together_are_kept_together(text: str) -> None:
    first, second = keep_lasting(extract_vague(text), embed_only(text))
    assert text in first.content
    assert (first.only_changes, second.only_changes) == (False, True)


def test_sentences_that_each_last_are_kept_apart() -> None:
    kept = keep_lasting(extract_vague(SHIFTS), FakeEmbedder().embed_passages)
    assert [one.only_changes for one in kept] == [False, False]
    assert not any(SHIFTS in one.content for one in kept)


def test_sentences_of_two_messages_are_not_joined() -> None:
    first, second = (replace(one, sources=(name,)) for name in "ab" for one in extract_vague(SHIFTS)[:1])
    embedder = FakeEmbedder()
    keep_lasting([first, second], embedder.embed_passages)
    assert len(embedder.calls[0]) == 2


def test_what_somebody_unnamed_did_is_not_joined_to_what_the_speaker_did() -> None:
    embedder = FakeEmbedder()
    keep_lasting(
        extract_vague("She moved to Leeds for the new job. Third year of the course."),
        embedder.embed_passages,
    )
    assert not any(text.startswith("She") for text in embedder.calls[0])


def test_nothing_is_embedded_without_a_vague_statement() -> None:
    embedder = FakeEmbedder()
    plain = [Candidate("The user lives in Hull.")]
    assert keep_lasting(plain, embedder.embed_passages) == plain
    assert embedder.calls == []


def test_statements_beyond_the_most_stay_as_they_are() -> None:
    some = [Candidate(f"The user said: “Hut {number}.”", only_changes=True) for number in range(MOST + 3)]
    kept = keep_lasting(some, FakeEmbedder().embed_passages)
    assert [one.only_changes for one in kept] == [False] * MOST + [True] * 3


def test_statements_beyond_the_most_characters_stay_as_they_are() -> None:
    long = Candidate(f"用户说：“{'船' * (MOST_CHARACTERS // 3)}。”", only_changes=True)
    kept = keep_lasting([long] * 4, FakeEmbedder().embed_passages)
    assert [one.only_changes for one in kept] == [False, False, True, True]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Suggest a route, the caravan is eight metres long.", "the caravan is eight metres long"),
        ("单位搬去了郊区，早上几点起合适", "单位搬去了郊区"),
        ("阳台封成书房了，冬天冷咋整？", "阳台封成书房了"),
        ("阳台封成书房了，能放钢琴不？", "阳台封成书房了"),
    ],
)
def test_statement_beside_a_question_or_request_is_quoted_without_it(text: str, kept: str) -> None:
    (found,) = extract_vague(text)
    assert found.only_changes
    assert kept in found.content
    assert "Suggest" not in found.content
    assert "几点" not in found.content
    assert not found.content.endswith("？”")


@pytest.mark.parametrize(
    "text",
    [
        "“My mother mended nets by the harbour.”",
        "'Call me Ishmael', who wrote that?",
        "阳台能封成书房，对吗？",
        "If the shop burnt down, the dog would save the till.",
        "My neighbour says the bridge is shut.",
    ],
)
def test_quotation_hypothesis_and_report_are_not_quoted(text: str) -> None:
    assert not any(one.only_changes for one in extract_vague(text))


def test_statement_that_lasts_is_written(alice: User, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    written = write_candidates([Candidate(VAGUE, only_changes=True)], owner=alice.pk, actor="test")
    assert [one.action for one in written.outcomes] == [Action.CREATED]
    assert list_active_memories(owner=alice.pk).get().content == VAGUE


def test_without_the_sentence_model_a_vague_statement_changes_or_is_refused(alice: User) -> None:
    written = write_candidates([Candidate(VAGUE, only_changes=True)], owner=alice.pk, actor="test")
    assert [one.reason for one in written.outcomes] == [CHANGES_NOTHING]


def test_what_rules_read_is_written_if_embedding_fails(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    monkeypatch.setattr(SentenceEmbedder, "embed_passages", fail)
    both = [Candidate(VAGUE, only_changes=True), Candidate("The user lives in Hull.")]
    written = write_candidates(both, owner=alice.pk, actor="test")
    assert [one.action for one in written.outcomes] == [Action.REFUSED, Action.CREATED]


def test_secret_in_a_statement_that_lasts_is_not_stored(alice: User, settings: Any) -> None:
    settings.MEMSITE_EMBEDDING = "local"
    secret = "sk-proj-" + "Ab3dE6gH9jK2mN5pQ8sT1vW4" * 2
    content = f"The user said: “Swapped teaching for gardening and never looked back, key {secret}.”"
    write_candidates([Candidate(content, only_changes=True)], owner=alice.pk, actor="test")
    assert not any(secret in one.content for one in list_active_memories(owner=alice.pk))


def test_every_line_of_the_data_has_an_author_a_source_a_label_and_a_text() -> None:
    lines = [line.split("\t") for line in DATA_FILE.read_text(encoding="utf-8").splitlines()]
    assert {tuple(line[1:3]) for line in lines} == {("message", "0"), ("message", "1"), ("pair", "1")}
    assert all(len(line) == 4 and line[3].strip() for line in lines)


def test_examples_fit_the_bundled_model() -> None:
    with np.load(LASTING_FILE) as stored:
        assert stored["examples"].shape == (stored["weights"].size, SENTENCE_DIMENSIONS)
