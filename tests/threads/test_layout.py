from __future__ import annotations

from dataclasses import asdict
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from memsite.llm.tokens import count_message_tokens
from threads.context.budget import ContextBudget
from threads.context.fitting import NewestMessages
from threads.context.layout import DEPTH, MESSAGE_ID, Layout, cut_text
from threads.prompt.rendering import FORMATS
from threads.prompt.trimming import Message

texts = st.text(alphabet="ab 中文.\n😀", max_size=60)
shapes = st.sampled_from(FORMATS)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Message, ...]:
    said = draw(st.lists(texts.filter(bool), max_size=8))
    roles = ("user", "assistant")
    return tuple(
        {"role": roles[place % 2], "content": text, MESSAGE_ID: uuid4(), DEPTH: place}
        for place, text in enumerate(said)
    )


@given(shapes, texts, texts, texts, texts, histories())
def test_parts_add_up_to_the_count_of_what_is_sent(
    shape: str, prompt: str, retrieved: str, summary: str, text: str, recent: tuple[Message, ...]
) -> None:
    layout = Layout(shape, text, prompt, summary, recent=recent, retrieved=retrieved)  # type: ignore[arg-type]  # wrong on purpose, or a stand-in
    assert layout.stats.total == layout.rendered().tokens()


@given(shapes, texts, texts, histories(), st.integers(20, 300))
def test_what_fits_never_exceeds_the_window(
    shape: str, prompt: str, text: str, history: tuple[Message, ...], window: int
) -> None:
    layout = Layout(shape, text, prompt)  # type: ignore[arg-type]  # wrong on purpose, or a stand-in
    if layout.stats.total > window:
        return
    newest = NewestMessages.from_messages(history, shape=layout.shape, count=layout.count)
    recent = newest.select_fitting(window - layout.stats.total)
    assert Layout(shape, text, prompt, recent=recent).rendered().tokens() <= window  # type: ignore[arg-type]  # wrong on purpose, or a stand-in


def test_missing_parts_cost_nothing() -> None:
    stats = Layout("openai", "hello").stats
    assert asdict(stats) | {"current_input": 0} == dict.fromkeys(asdict(stats), 0)
    assert stats.total == count_message_tokens({"content": "hello"})


def test_ids_of_messages_are_not_sent() -> None:
    recent = ({"role": "user", "content": "hi", MESSAGE_ID: uuid4()},)
    assert Layout("openai", "hello", recent=recent).rendered().messages == (
        {"role": "user", "content": "hi"},
        {"role": "user", "content": "hello"},
    )


def test_cut_text_ends_with_an_ellipsis_and_fits() -> None:
    cut = cut_text("one two three " * 50, 20)
    assert cut.endswith("…")
    assert count_message_tokens({"content": cut}) <= 20


def test_text_that_cannot_be_cut_enough_is_empty() -> None:
    assert cut_text("one two three", 4) == ""


@given(st.integers(1, 2_000_000))
def test_budget_never_shares_out_more_than_the_window(window: int) -> None:
    parts = ContextBudget.of_window(window).as_json()
    parts.pop("reserved")
    assert sum(parts.values()) <= window
