"""What a person said of their code in chats: the prompt for work on code says it once, as it is now."""

from __future__ import annotations

from tests.stories.conftest import Look, Tell

WORK = "Add a date picker to the settings page of our app."


def test_rule_and_the_message_that_taught_it_are_told_once(tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I use pnpm, not npm.")
    prompt = look(WORK)
    assert prompt.count("pnpm") == 1
    assert prompt.index("<requirements ") < prompt.index("pnpm")


def test_tool_that_was_replaced_is_not_required(tell: Tell, look: Look) -> None:
    tell("2025-08-03", "I use Vue for my web apps.")
    tell("2025-11-12", "Actually, I use React now.")
    prompt = look(WORK)
    assert "React" in prompt
    assert "Vue" not in prompt


def test_question_and_reply_of_an_earlier_chat_are_not_required(tell: Tell, look: Look) -> None:
    tell("2025-08-03", "Should we use tabs in our code?", reply="Use tabs in your code, never spaces.")
    assert "<requirements " not in look(WORK)
