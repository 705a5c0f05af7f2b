"""What programs write around a person's words: in the thread, out of titles, episodes and facts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.models import Memory
from memsite.jobs import run_due_jobs
from tests.llm_server import LLMServer, answer
from tests.threads.completions.calling import Caller
from tests.threads.completions.frontend import assistant, user
from threads.completions.programs import cut_scaffolding, find_side_request, is_scaffolding
from threads.models import Message, Thread

SAID = "My dog is called Rex. Fix the sum in calc.py."
OK = "I have mended the sum in calc.py, and it adds now."
AGENTS_MD = (
    "# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nI always use tabs.\n</INSTRUCTIONS>\n"
    "<environment_context>\n  <cwd>/work</cwd>\n  <shell>bash</shell>\n</environment_context>"
)
EDITS = (
    "To suggest changes to a file you MUST return the entire content of the updated file.\n"
    "You MUST use this *file listing* format:\n\npath/to/filename.js\n\nReply in English.\n\n"
)
AIDER = [
    {"role": "system", "content": "Act as an expert software developer."},
    user("Change the greeting to be more casual"),
    assistant("Ok, I will:\n\n1. Switch the greeting text from Hello to Hey."),
    user(
        "I switched to a new code base. Please don't consider the above files or try to edit them any longer."
    ),
    assistant("Ok."),
    user(
        "I have *added these files to the chat* so you can go ahead and edit them.\n\ncalc.py\n"
        "I live in Oslo."
    ),
    assistant("Ok, any changes I propose will be to those files."),
    user(f"{SAID}\n\n{EDITS}"),
]
TASK = user(f"New task:\n{SAID}")
OBSERVED = user("Observation:\nI live in Oslo. My cat is called Tom.")
RETRIED = user(
    "Call id: c1\nError:\nNo such tool\nNow let's retry: take care not to repeat previous errors! Try a"
    f" completely different approach.\n\nBased on the above, please provide an answer to: {SAID}"
)
PROGRAMS: dict[str, list[dict[str, Any]]] = {
    "codex": [user(AGENTS_MD), user(SAID)],
    "aider": AIDER,
    "smolagents": [TASK, assistant("Calling tools:\n[]"), OBSERVED],
    "smolagents, failing": [TASK, assistant("Calling tools:\n[]"), RETRIED],
    "opencode": [user(f"{SAID}\n<system-reminder>\nI live in Oslo.\n</system-reminder>")],
}


@pytest.mark.django_db
@pytest.mark.parametrize("program", PROGRAMS)
def test_person_s_words_alone_are_remembered(
    program: str, alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.always(answer(OK))
    alice_v1.chat(*PROGRAMS[program])
    assert models_configured.chats[0].messages[-1] == PROGRAMS[program][-1]
    assert Thread.objects.get().title == SAID
    sent = [one for one in PROGRAMS[program] if one["role"] != "system"]
    assert Message.objects.count() == len(sent) + 1
    run_due_jobs()
    episodes = {one.content for one in Memory.objects.filter(layer="episodic")}
    assert episodes == {SAID, OK}
    facts = " ".join(one.content for one in Memory.objects.filter(layer="semantic"))
    assert "Rex" in facts
    assert not [one for one in ("Oslo", "Tom", "tabs", "English") if one in facts]


@pytest.mark.django_db
def test_memories_are_recalled_for_the_person_s_words(
    alice_v1: Caller, alice_api: Any, models_configured: LLMServer
) -> None:
    alice_api.post("/api/memories", {"content": "Alice's dog is called Rex."})
    asked = user("New task:\nWhat is my dog called?")
    seen = user("Observation:\nThe weather in Oslo is 4 degrees.")
    assert alice_v1.chat(asked, assistant("I look."), seen).memory.startswith("used=1")
    assert "Rex" in models_configured.chats[0].prompt


@pytest.mark.django_db
def test_question_of_aider_is_found_again_without_its_reminder(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    models_configured.script(answer(OK), answer("Done."))
    first = alice_v1.chat(*AIDER)
    history = [*AIDER[:-1], user(SAID), assistant(OK), user(f"Thank you.\n\n{EDITS}")]
    assert alice_v1.chat(*history).thread == first.thread
    assert list(Message.objects.order_by("depth").values_list("content", flat=True))[-4:] == [
        SAID,
        OK,
        "Thank you.",
        "Done.",
    ]


@pytest.mark.django_db
def test_steps_of_smolagents_stay_in_one_thread(alice_v1: Caller, models_configured: LLMServer) -> None:
    code = "Thought: I add the numbers of the person.\n<code>\nprint(1 + 1)"
    models_configured.script(answer(code), answer("Done."))
    alice_v1.chat(TASK)
    alice_v1.chat(TASK, assistant(f"{code}</code>"), OBSERVED)
    assert [row.content for row in Message.objects.order_by("depth")][::2] == [SAID, OBSERVED["content"]]
    assert Thread.objects.count() == 1


@pytest.mark.django_db
def test_calls_that_smolagents_writes_as_text_are_found_again(
    alice_v1: Caller, models_configured: LLMServer
) -> None:
    call = {"id": "call_8f3a9b2c7d1e", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    models_configured.script(answer("", finish="tool_calls", tool_calls=[call]), answer("Done."))
    alice_v1.chat(TASK)
    written = assistant(f"Calling tools:\n[{ {**call, 'function': {'name': 'look', 'arguments': {}}} }]")
    alice_v1.chat(TASK, written, OBSERVED)
    assert Message.objects.filter(role="user").count() == 2
    assert Thread.objects.count() == 1


@pytest.mark.parametrize(
    ("system", "texts", "task"),
    [
        (
            "You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>",
            ["Generate a title for this conversation:\n", SAID],
            "title_generation",
        ),
        (
            "You are an expert software engineer that generates concise, one-line Git commit messages based",
            [f"\nUSER: {SAID}\n\n# Diffs:\n-a\n+b"],
            "commit_message",
        ),
        (
            "*Briefly* summarize this partial conversation about programming.\nInclude less detail",
            [f"# USER\n{SAID}\n"],
            "context_compaction",
        ),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_what_coding_agents_ask_for_themselves_is_recognised(
    system: str, texts: list[str], task: str, *, stream: bool
) -> None:
    messages = [{"role": "system", "content": system}, *(user(one) for one in texts)]
    assert find_side_request({"messages": messages, "stream": stream}, task="") == task


def test_compaction_of_codex_is_recognised() -> None:
    asked = user("You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.")
    request = {"messages": [user(SAID), assistant(OK), asked], "stream": True}
    assert find_side_request(request, task="") == "context_compaction"


@pytest.mark.parametrize(
    "text",
    [
        "Observation: my cat sleeps a lot.",
        "What does <environment_context> mean?",
        "<environment_context> is sent by Codex. Why?",
        "Error:\nNo such file. What now?",
        "I added a file to the chat. Read it.",
        "# Rules\nUse tabs.",
    ],
)
def test_words_of_people_are_theirs(text: str) -> None:
    assert not is_scaffolding(text)
    assert cut_scaffolding(text) == text


@pytest.mark.parametrize("text", [EDITS, "<system-reminder>Stop.</system-reminder>", "New task:\n"])
def test_message_without_words_of_a_person_stays_whole(text: str) -> None:
    assert cut_scaffolding(text) == text


def test_many_reminders_are_cut_in_linear_time() -> None:
    text = "Hi" + "<system-reminder>x</system-reminder>" * 50_000
    assert cut_scaffolding(text).startswith("Hi")


@given(st.text())
def test_any_text_keeps_words(text: str) -> None:
    assert bool(cut_scaffolding(text).strip()) == bool(text.strip())
