from typing import Literal

import pytest
from pydantic import BaseModel

from memsite.errors import ModelError
from memsite.llm.chat.chat import ChatMessage
from memsite.llm.chat.openai_chat import OpenAIChat
from memsite.llm.chat.structured import ask_structured
from tests import llm_server as scripted
from tests.llm_server import LLMServer, Step

ASKED: list[ChatMessage] = [{"role": "user", "content": "Are the two the same?"}]


class Verdict(BaseModel):
    same: bool
    why: Literal["words", "meaning"]


GOOD = {"same": True, "why": "words"}

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def model(llm_server: LLMServer) -> OpenAIChat:
    return OpenAIChat(model="any", base_url=llm_server.url)


@pytest.mark.parametrize("step", [scripted.json_answer(GOOD), scripted.fenced(GOOD)], ids=["bare", "fenced"])
def test_a_good_answer_is_an_object(model: OpenAIChat, llm_server: LLMServer, step: Step) -> None:
    llm_server.script(step)
    assert ask_structured(model, ASKED, Verdict) == Verdict(same=True, why="words")
    assert len(llm_server.chats) == 1


def test_a_wrong_answer_is_mended_in_one_turn(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.json_answer({"same": True, "why": "looks"}), scripted.json_answer(GOOD))
    assert ask_structured(model, ASKED, Verdict).why == "words"
    asked, shown, told = llm_server.chats[1].messages
    assert asked == ASKED[0]
    assert "looks" in shown["content"]
    assert "why: Input should be 'words' or 'meaning'" in told["content"]
    assert '"enum":["words","meaning"]' in told["content"]


def test_a_cut_answer_is_told_to_be_brief(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.answer('{"same": tr', finish="length"), scripted.json_answer(GOOD))
    ask_structured(model, ASKED, Verdict)
    assert "cut off" in llm_server.chats[1].messages[-1]["content"]


@pytest.mark.parametrize(
    "step", [scripted.prose(), scripted.json_answer({"same": "perhaps"})], ids=["prose", "wrong types"]
)
def test_two_bad_answers_are_an_error(model: OpenAIChat, llm_server: LLMServer, step: Step) -> None:
    llm_server.always(step)
    with pytest.raises(ModelError) as caught:
        ask_structured(model, ASKED, Verdict)
    assert caught.value.detail == {"reason": "bad_answer"}
    assert "perhaps" not in caught.value.message
    assert len(llm_server.chats) == 2


def test_a_failing_server_is_not_asked_to_mend(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.always(scripted.status(401))
    with pytest.raises(ModelError, match="401"):
        ask_structured(model, ASKED, Verdict)
    assert len(llm_server.chats) == 1


def test_the_server_is_given_the_schema(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.json_answer(GOOD))
    ask_structured(model, ASKED, Verdict)
    assert llm_server.chats[0].body["response_format"]["json_schema"]["name"] == "Verdict"
