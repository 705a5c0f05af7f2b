"""A statement that a newer one replaces is no answer to a question about now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories import conf, curation
from memories.models import Memory
from memories.retrieval import SearchQuery, SearchResult, search_memories
from memories.retrieval.estimates import Statements, estimate_relevance, find_replacements
from memories.retrieval.ranking import outdated
from memories.values import Candidate, Kind, Layer, Status
from memories.writing import write_candidates
from memsite.accounts.models import User
from memsite.llm.embedding import SENTENCE_DIMENSIONS, SentenceEmbedder
from tests.memories.sentences.outdating import BESIDE, NEW, OLD, remember, search

DAY = 86400.0
CANOE = "I own a green canoe."
OLD_PHONE, NEW_PHONE = "My desk phone is extension 21.", "My desk phone is extension 90 now."
FEBRUARY = datetime(2024, 2, 5, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_outdated_statement_comes_last_and_says_why(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    hits = search(alice, "Where do I work?").hits
    assert [hits[0].memory.content, hits[-1].memory.content] == [NEW, OLD]
    assert (hits[-1].relevance, hits[-1].why) == (0.0, "a newer memory may replace it")


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_nothing_is_ended_or_changed(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    search(alice, "Where do I work?")
    assert set(Memory.objects.values_list("status", "valid_until")) == {("active", None)}


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_question_about_the_past_finds_what_was_so(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    hits = search(alice, "Where did I work before?").hits
    assert OLD in [hit.memory.content for hit in hits[:2]]


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_newer_statement_of_a_later_day_replaces_nothing_as_of_an_earlier_one(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    hits = search(alice, "Where do I work?", as_of=datetime(2025, 2, 1, tzinfo=UTC)).hits
    assert hits[0].memory.content == OLD


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
@pytest.mark.parametrize(
    ("text", "change"),
    [(OLD, {"pinned": True}), (OLD, {"status": Status.DISPUTED}), (NEW, {"confidence": 0.6})],
)
def test_what_is_pinned_disputed_or_much_surer_keeps_its_relevance(
    alice: User, text: str, change: dict[str, object]
) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    Memory.objects.filter(content=text).update(**change)
    found = {hit.memory.content: hit for hit in search(alice, "Where do I work?").hits}
    assert found[OLD].breakdown["outdated"] == 0
    assert found[OLD].relevance > 0


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_pin_counts_from_the_next_search_on(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    assert search(alice, "Where do I work?").hits[-1].memory.content == OLD
    curation.edit_memory(Memory.objects.get(content=OLD).pk, {"pinned": True}, owner=alice.pk, actor="person")
    assert OLD in [hit.memory.content for hit in search(alice, "Where do I work?").hits[:2]]


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_identifier_of_the_question_keeps_its_relevance(alice: User) -> None:
    old, new = "I work on desk INV-8123 at the shipyard.", "I work at the harbour office now, desk B7-40."
    remember(alice, [old, *BESIDE, new])
    found = {hit.memory.content: hit for hit in search(alice, "Do I work at desk INV-8123?").hits}
    assert found[old].relevance == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_unconfirmed_statement_replaces_nothing(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    Memory.objects.filter(content=NEW).update(status=Status.PENDING)
    query = SearchQuery("Where do I work?", min_similarity=0, statuses=(Status.ACTIVE, Status.PENDING))
    assert all(hit.breakdown["outdated"] == 0 for hit in search_memories(query, owner=alice.pk).hits)


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_secondary_query_does_not_bring_back_what_is_outdated(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    query = SearchQuery(
        "Where do I work?", secondary=("the accounts at a shipyard in Turku",), min_similarity=0.3
    )
    assert OLD not in [hit.memory.content for hit in search_memories(query, owner=alice.pk).hits]


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_message_of_an_outdated_fact_is_outdated(alice: User) -> None:
    fact = Candidate(content=OLD, sources=("message:1",), occurred_at=datetime(2025, 1, 5, tzinfo=UTC))
    turn = replace(fact, layer=Layer.EPISODIC, kind=Kind.CONVERSATION, session="one")
    write_candidates([turn, fact], owner=alice.pk, actor="test")
    remember(alice, [*BESIDE, NEW])
    query = SearchQuery("Where do I work?", min_similarity=0.05)
    found = [hit.memory.content for hit in search_memories(query, owner=alice.pk).hits]
    assert found[0] == NEW
    assert OLD not in found


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
@pytest.mark.parametrize(("others", "is_outdated"), [(0, True), (20, False)])
def test_what_was_learnt_from_one_message_is_outdated_together_but_no_file(
    alice: User, *, others: int, is_outdated: bool
) -> None:
    texts = [OLD, CANOE, *(f"The user owns book {number}." for number in range(others))]
    first = Candidate(content=OLD, sources=("source:1",), occurred_at=datetime(2025, 1, 5, tzinfo=UTC))
    write_candidates([replace(first, content=text) for text in texts], owner=alice.pk, actor="test")
    remember(alice, [*BESIDE, NEW])
    query = SearchQuery("Where do I work?", top_k=30, min_similarity=0.0)
    found = {hit.memory.content: hit for hit in search_memories(query, owner=alice.pk).hits}
    assert (found[CANOE].breakdown["outdated"] > 0) == is_outdated


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_source_of_both_the_older_and_the_newer_statement_keeps_its_relevance(alice: User) -> None:
    old = Candidate(content=OLD, sources=("source:1",), occurred_at=datetime(2025, 1, 5, tzinfo=UTC))
    new = replace(old, content=NEW, occurred_at=datetime(2025, 9, 5, tzinfo=UTC))
    write_candidates([old, replace(old, content=CANOE), new], owner=alice.pk, actor="test")
    remember(alice, BESIDE)
    found = {hit.memory.content: hit for hit in search(alice, "Where do I work?", top_k=9).hits}
    assert found[OLD].breakdown["outdated"] > 0
    assert found[NEW].breakdown["outdated"] == found[CANOE].breakdown["outdated"] == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_message_of_a_fact_that_was_outdated_twice_is_outdated(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outdated, "find_replacements", replace_the_oldest_two)
    old = Candidate(content=OLD, sources=("message:1",), occurred_at=datetime(2024, 1, 5, tzinfo=UTC))
    docks = replace(old, content="I work at the docks.", sources=("message:2",), occurred_at=FEBRUARY)
    canoe = replace(old, content=CANOE, occurred_at=None)
    write_candidates([old, docks, canoe], owner=alice.pk, actor="test")
    remember(alice, [NEW])
    found = {hit.memory.content: hit.breakdown["outdated"] for hit in search(alice, "Where do I work?").hits}
    assert min(found[OLD], found[CANOE]) > 0
    assert found[NEW] == 0


def replace_the_oldest_two(_query: np.ndarray, statements: Statements, **_: object) -> np.ndarray:
    """Let each of the two oldest statements be replaced by the next one."""
    times = statements.times
    first, second, third, *_others = np.argsort(times)
    found = np.full(len(times), -1)
    found[[first, second]] = second, third
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
@pytest.mark.parametrize("change", [{"pinned": True}, {"status": Status.DISPUTED}])
def test_what_is_pinned_or_disputed_keeps_its_relevance_beside_an_outdated_fact(
    alice: User, change: dict[str, object]
) -> None:
    old = Candidate(content=OLD, sources=("message:1",), occurred_at=datetime(2025, 1, 5, tzinfo=UTC))
    write_candidates([old, replace(old, content=CANOE)], owner=alice.pk, actor="test")
    Memory.objects.filter(content=CANOE).update(**change)
    remember(alice, [*BESIDE, NEW])
    found = {hit.memory.content: hit for hit in search(alice, "Where do I work?", top_k=9).hits}
    assert (found[OLD].breakdown["outdated"] > 0, found[CANOE].breakdown["outdated"]) == (True, 0)


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_search_with_something_outdated_takes_one_statement_more(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    search(alice, "Where do I work?")
    with CaptureQueriesContext(connection) as queries:
        search(alice, "Where do I work?")
    assert len(queries) <= 3


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_newer_statement_is_as_relevant_as_the_older_one_was(alice: User) -> None:
    remember(alice, [OLD, *BESIDE, NEW])
    newer, *_, older = search(alice, "Where do I work?").hits
    assert (newer.memory.content, older.memory.content) == (NEW, OLD)
    assert newer.relevance >= older.breakdown["outdated"] > 0
    assert (newer.breakdown["replaces"] > 0) == (newer.why == "it may replace an older memory")


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_setting_of_nothing_lost_keeps_the_order(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "RECALL", replace(conf.RECALL, outdated_loss=0.0))
    remember(alice, [OLD, *BESIDE, NEW])
    hits = search(alice, "Where do I work?").hits
    assert {hit.memory.content for hit in hits[:2]} == {OLD, NEW}


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("The user lives in Tallinn.", "Where do I live?"),
        ("The user works as a welder.", "What's my job?"),
        ("The user has a parrot named Kiwi.", "What pet do I have?"),
    ],
)
def test_plain_fact_answers_a_plain_question(alice: User, fact: str, question: str) -> None:
    remember(alice, [fact, *BESIDE])
    hits = search_memories(SearchQuery(query=question), owner=alice.pk).hits
    assert hits[0].memory.content == fact
    assert len(hits) <= 2, "of six other statements, at most one is found beside it"


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_long_note_with_a_common_word_of_the_question_answers_nothing(alice: User) -> None:
    note = "Kiwis, figs and olives work well in a salad with mint, lemon, feta and toasted walnuts."
    remember(alice, [note, *BESIDE])
    assert search_memories(SearchQuery(query="Where do I work?"), owner=alice.pk).hits == ()


@pytest.mark.parametrize(
    ("question", "older", "newer"),
    [
        ("Do I play an instrument?", "I play the oboe.", "I taught my nephew to swim."),
        ("我养什么宠物？", "我家养了一只乌龟。", "阳台上的番茄结果了。"),
        ("Where does my aunt live?", "My aunt lives in Perth.", "My aunt collects stamps."),
    ],
)
def test_newer_statement_of_another_thing_replaces_nothing(question: str, older: str, newer: str) -> None:
    embedder = SentenceEmbedder()
    held = embedder.embed_passages([older, newer])
    asked = embedder.embed_query(question)
    found = find_replacements(asked, _state(asked, held, np.array([0.0, 90 * DAY])))
    assert (found < 0).all()


def _state(question: np.ndarray, vectors: np.ndarray, times: np.ndarray) -> Statements:
    return Statements(vectors, times, estimate_relevance(question, vectors, need=1.0))


def test_order_of_statements_does_not_matter() -> None:
    embedder = SentenceEmbedder()
    held, question = embedder.embed_passages([OLD, NEW]), embedder.embed_query("Where do I work?")
    forward = find_replacements(question, _state(question, held, np.array([0.0, 300 * DAY])))
    backward = find_replacements(question, _state(question, held[::-1], np.array([300 * DAY, 0.0])))
    assert (forward.tolist(), backward.tolist()) == ([1, -1], [-1, 0])


def test_statements_of_one_moment_replace_nothing() -> None:
    embedder = SentenceEmbedder()
    held, question = embedder.embed_passages([OLD, NEW]), embedder.embed_query("Where do I work?")
    assert (find_replacements(question, _state(question, held, np.array([DAY, DAY]))) < 0).all()


def test_vectors_of_zeros_and_unknown_times_replace_nothing() -> None:
    zeros = np.zeros((3, SENTENCE_DIMENSIONS), dtype=np.float32)
    assert (find_replacements(zeros[0], _state(zeros[0], zeros, np.array([1.0, 2.0, 3.0]))) < 0).all()
    assert (find_replacements(zeros[0], _state(zeros[0], zeros, np.full(3, np.nan))) < 0).all()
    assert find_replacements(zeros[0], _state(zeros[0], zeros[:0], np.zeros(0))).shape == (0,)


def _names(result: SearchResult) -> list[str]:
    return [hit.memory.content for hit in result.outdated]


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_search_names_what_it_left_out_as_outdated(alice: User) -> None:
    remember(alice, [OLD_PHONE, *BESIDE, NEW_PHONE])
    result = search_memories(SearchQuery("What is my desk phone?"), owner=alice.pk)
    assert OLD_PHONE not in [hit.memory.content for hit in result.hits]
    assert _names(result) == [OLD_PHONE]
    assert result.outdated[0].why == "a newer memory may replace it"


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_nothing_is_named_that_was_found_confirmed_or_irrelevant_anyway(alice: User) -> None:
    remember(alice, [OLD_PHONE, *BESIDE, NEW_PHONE])
    assert _names(search(alice, "What is my desk phone?")) == [], "without a threshold it is found"
    assert _names(search_memories(SearchQuery("Which choir do I sing in?"), owner=alice.pk)) == []
    old = Memory.objects.get(content=OLD_PHONE)
    curation.confirm_memories([old.pk], owner=alice.pk, actor="person")
    assert _names(search_memories(SearchQuery("What is my desk phone?"), owner=alice.pk)) == []


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_outdated_memory_is_named_however_many_others_there_are(alice: User) -> None:
    write_candidates(
        [Candidate(content=f"I own the work of painter number {number}.") for number in range(60)],
        owner=alice.pk,
        actor="test",
    )
    remember(alice, [OLD_PHONE, *BESIDE, NEW_PHONE])
    result = search_memories(SearchQuery("What is my desk phone?", top_k=2), owner=alice.pk)
    assert OLD_PHONE in _names(result)
    assert len(result.hits) <= 2


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_message_of_an_outdated_statement_is_not_named_beside_it(alice: User) -> None:
    told = datetime(2025, 1, 5, tzinfo=UTC)
    fact = Candidate(content=OLD_PHONE, occurred_at=told, sources=("message:1",))
    message = replace(
        fact, content=f"{OLD_PHONE} ", layer=Layer.EPISODIC, kind=Kind.CONVERSATION, speaker="A"
    )
    both = [fact, message]
    write_candidates(both, owner=alice.pk, actor="test")
    remember(alice, [BESIDE[0], NEW_PHONE])
    result = search_memories(SearchQuery("What is my desk phone?"), owner=alice.pk)
    assert [hit.memory.layer for hit in result.outdated] == [Layer.SEMANTIC]


@pytest.mark.django_db
@pytest.mark.usefixtures("slow_but_sure")
def test_naming_what_is_outdated_takes_no_statement_more(alice: User) -> None:
    remember(alice, [OLD_PHONE, *BESIDE, NEW_PHONE])
    search(alice, "Which choir do I sing in?")  # loads the index
    counts = []
    for query in (
        SearchQuery("What is my desk phone?", min_similarity=0.0),
        SearchQuery("What is my desk phone?"),
    ):
        with CaptureQueriesContext(connection) as statements:
            search_memories(query, owner=alice.pk)
        counts.append(len(statements))
    assert counts[0] == counts[1]
