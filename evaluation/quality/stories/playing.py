"""Tell stories to the memory of temporary owners, and look at the prompts of new chats."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from evaluation.contexts import create_empty_thread
from evaluation.measurement import Progress
from evaluation.owners import create_temporary_owner
from evaluation.quality.stories.completions import ChatProgram, ReceivedPrompt, run_chat_site
from evaluation.quality.stories.story_set import Ask, Story, StoryMessage
from evaluation.quality.writing import DatedText, WrittenAs, write_texts
from memories.maintenance import sentences
from memsite.values import MessageRole, TextEnum
from threads.context import assemble_context
from threads.learning import learning
from threads.messages import NewMessage, append_messages, create_thread
from threads.models import Thread

#: Tokens of the contexts.
BUDGET: Final = 4_000


class StoryForm(TextEnum):
    """How what a person tells reaches memory.

    Facts are stored by a program, threads are learnt from; under `/v1`, a chat program sends each message.
    """

    FACTS = "facts"
    THREADS = "threads"
    V1 = "v1"


@dataclass(frozen=True, slots=True)
class StoryPlan:
    """The plan of a measurement. `limit`: most stories; None for all."""

    form: StoryForm = StoryForm.THREADS
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one input's prompt says beside the input.

    Attributes:
        found: Share of `must` that it says; 1 if nothing must be said.
        has_one: Whether it says one of `one_of`, or nothing of the sort is asked.
        wrong: Texts of `must_not` that it says.
        added: Number of memories in it. What every answer respects is not added for an input.
        tokens: Tokens of the memories.
        text: The text of the prompt without the input.
    """

    story: Story
    ask: Ask
    found: float
    has_one: bool
    wrong: tuple[str, ...]
    added: int
    tokens: int
    text: str

    @property
    def is_right(self) -> bool:
        """Whether the prompt says all that it must, and nothing that it must not."""
        is_empty = not (self.ask.nothing and self.added)
        return self.found == 1 and self.has_one and not self.wrong and is_empty


@dataclass(slots=True)
class MeasuredStories:
    """Everything measured so far."""

    prompts: list[Prompt] = field(default_factory=list)


def play_stories(
    stories: Sequence[Story], plan: StoryPlan, measured: MeasuredStories, progress: Progress
) -> None:
    """Measure into `measured`, story by story, each with an owner of its own."""
    chosen = stories[: plan.limit]
    with progress.steps("stories", len(chosen)) as steps, ExitStack() as stack:
        site = stack.enter_context(run_chat_site()) if plan.form is StoryForm.V1 else None
        for story in chosen:
            with create_temporary_owner(learns=True) as owner:
                program = site.sign_in(owner) if site is not None else None
                measured.prompts += play_story(story, plan.form, owner=owner.pk, program=program)
            steps.update()


def play_story(
    story: Story, form: StoryForm, *, owner: UUID, program: ChatProgram | None = None
) -> list[Prompt]:
    """Tell a story, and return the prompt of each of its inputs. `program`: the owner's, under `/v1`."""
    tell_story(story, form, owner=owner, program=program)
    for _ in sentences.fill_in_for(owner=owner):
        pass
    if program is not None:
        return [judge_prompt(story, ask, program.look_at_prompt(ask.text)) for ask in story.asks]
    thread = create_empty_thread(owner=owner)
    return [look_at_prompt(story, ask, thread) for ask in story.asks]


def look_at_prompt(story: Story, ask: Ask, thread: Thread) -> Prompt:
    """Preview the prompt of an empty thread that opens with an input."""
    context = assemble_context(thread.pk, ask.text, owner=thread.owner_id, max_tokens=BUDGET, preview=True)
    text = "\n".join([*([context.system] if context.system else []), *_list_texts(context.messages[:-1])])
    received = ReceivedPrompt(text, context.memories_retrieved, context.token_stats.retrieved)
    return judge_prompt(story, ask, received)


def judge_prompt(story: Story, ask: Ask, received: ReceivedPrompt) -> Prompt:
    """Compare a prompt with what an input asks of it."""
    folded = received.text.casefold()
    found = [one.casefold() in folded for one in ask.must]
    return Prompt(
        story=story,
        ask=ask,
        found=sum(found) / len(found) if found else 1.0,
        has_one=not ask.one_of or any(one.casefold() in folded for one in ask.one_of),
        wrong=tuple(one for one in ask.must_not if one.casefold() in folded),
        added=received.memories,
        tokens=received.tokens,
        text=received.text,
    )


def _list_texts(messages: Sequence[Any]) -> list[str]:
    return [str(one["content"]) for one in messages]


def tell_story(story: Story, form: StoryForm, *, owner: UUID, program: ChatProgram | None = None) -> None:
    """Write what a story stored and told, in the order of the days."""
    stored = [DatedText(f"stored-{number}", one.at, one.text) for number, one in enumerate(story.stored)]
    if form is StoryForm.FACTS:
        stored += [DatedText(f"told-{number}", one.at, one.text) for number, one in enumerate(story.messages)]
    for _ in write_texts(sorted(stored, key=lambda one: one.at), WrittenAs.FACTS, owner=owner, at_once=1):
        pass
    if form is not StoryForm.FACTS:
        chat = program.chat if program is not None else partial(_chat, owner=owner)
        for _, messages in groupby(story.messages, key=lambda one: one.thread):
            chat(list(messages))


def _chat(messages: Sequence[StoryMessage], *, owner: UUID) -> None:
    """Say messages in a new thread, and learn from it as a job would."""
    thread = create_thread(owner=owner)
    new = []
    for one in messages:
        new.append(NewMessage(role=MessageRole.USER, content=one.text, created_at=one.at))
        if one.reply:
            new.append(NewMessage(role=MessageRole.ASSISTANT, content=one.reply, created_at=one.at))
    append_messages(thread.pk, new, owner=owner)
    learning.learn_from_thread(thread.pk, owner=owner, whole=True)
