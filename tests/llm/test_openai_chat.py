import json
import threading
from collections.abc import Callable

import pytest

from memsite.errors import ModelError
from memsite.llm.chat.chat import ChatMessage, ChatModel, Completion, JsonSchema, Usage
from memsite.llm.chat.openai_chat import OpenAIChat
from memsite.llm.chat.retry import BadAnswer, time_limit
from tests import llm_server as scripted
from tests.llm_server import Exchange, LLMServer, Step
from tests.reading import read

KEY = "sk-test-0123456789"
ASKED: list[ChatMessage] = [{"role": "user", "content": "How was my day?"}]
SCHEMA = JsonSchema("Day", {"type": "object", "properties": {"mood": {"type": "string"}}})

pytestmark = pytest.mark.usefixtures("no_pauses")

Ask = Callable[[], Completion]


@pytest.fixture
def model(llm_server: LLMServer) -> OpenAIChat:
    return OpenAIChat(model="any", base_url=llm_server.url, api_key=KEY)


@pytest.fixture
def impatient(llm_server: LLMServer) -> OpenAIChat:
    return OpenAIChat(model="any", base_url=llm_server.url, timeout=1)


@pytest.fixture
def ask(model: OpenAIChat) -> Ask:
    return lambda: model.complete(ASKED)


def said(model: ChatModel) -> str:
    return "".join(chunk.text for chunk in read(model.stream(ASKED)))


def test_it_is_a_chat_model(model: OpenAIChat) -> None:
    assert isinstance(model, ChatModel)


def test_the_answer_comes_with_its_end_and_its_cost(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.answer("Fine", finish="length"))
    assert ask() == Completion("Fine", "length", "any", Usage(10, 5))


def test_messages_pass_unchanged(model: OpenAIChat, llm_server: LLMServer) -> None:
    model.complete(ASKED, temperature=0.1, max_tokens=9)
    sent = llm_server.chats[0].body
    assert (sent["messages"], sent["temperature"], sent["max_tokens"]) == (ASKED, 0.1, 9)


def test_the_key_is_sent(ask: Ask, llm_server: LLMServer) -> None:
    ask()
    assert llm_server.chats[0].headers["authorization"] == f"Bearer {KEY}"


def test_tokens_that_the_server_does_not_count_are_counted_here(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.answer("Good day", usage=None))
    assert ask().usage == Usage(9, 2)


def test_a_usage_of_nonsense_is_counted_here(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.answer("Good day", usage={"prompt_tokens": "many", "completion_tokens": -1}))
    assert ask().usage == Usage(9, 2)


def test_a_leading_thought_is_taken_off(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.thinking("Fine"))
    assert ask().text.strip() == "Fine"


def test_parts_of_a_message_are_joined(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(
        scripted.answer("", content=[{"type": "text", "text": "Fi"}, {"type": "text", "text": "ne"}])
    )
    assert ask().text == "Fine"


def test_text_that_no_database_takes_is_mended(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.answer("a\0b\ud83d"))
    assert ask().text == "ab�"


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503])
def test_a_passing_failure_is_tried_again(ask: Ask, llm_server: LLMServer, code: int) -> None:
    llm_server.script(scripted.status(code))
    assert ask().text == "ok"
    assert len(llm_server.chats) == 2


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422])
def test_a_lasting_failure_is_not_tried_again(model: OpenAIChat, llm_server: LLMServer, code: int) -> None:
    llm_server.script(scripted.status(code))
    with pytest.raises(ModelError, match=f"status {code}") as caught:
        model.complete(ASKED, schema=SCHEMA)
    assert caught.value.detail == {"reason": "status", "status": code}
    assert len(llm_server.chats) == 1


@pytest.mark.parametrize(
    "step", [scripted.cut(), scripted.hang(), scripted.drip()], ids=["cut", "hang", "drip"]
)
def test_a_broken_connection_is_tried_again(impatient: OpenAIChat, llm_server: LLMServer, step: Step) -> None:
    llm_server.script(step)
    assert impatient.complete(ASKED).text == "ok"


def test_a_failure_behind_a_good_status_is_tried_again(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.error_with_200(429))
    assert ask().text == "ok"


def test_a_wait_longer_than_the_time_left_is_not_waited(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.status(429, retry_after="3600"))
    with pytest.raises(ModelError, match="status 429"):
        ask()
    assert len(llm_server.chats) == 1


BAD_ANSWERS = {
    "html": scripted.html(),
    "half JSON": scripted.half_json(),
    "an error with status 200": scripted.error_with_200(),
    "no object": scripted.payload([]),
    "empty choices": scripted.no_choices(),
    "no choices": scripted.payload({"choices": None}),
    "choices of no objects": scripted.payload({"choices": ["yes"]}),
    "no message": scripted.payload({"choices": [{"message": None}]}),
    "a number for text": scripted.answer("", content=7),
    "blank": scripted.answer(" \n"),
    "nothing but a thought": scripted.answer("<think>Hm"),
    "a refusal": scripted.answer("", refusal="I cannot do that"),
}


@pytest.mark.parametrize("step", BAD_ANSWERS.values(), ids=BAD_ANSWERS.keys())
def test_a_bad_answer_is_an_error_and_not_tried_again(ask: Ask, llm_server: LLMServer, step: Step) -> None:
    llm_server.script(step)
    with pytest.raises(BadAnswer, match="cannot be used"):
        ask()
    assert len(llm_server.chats) == 1


def test_a_bad_answer_says_what_it_cost(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.no_choices())
    with pytest.raises(BadAnswer) as caught:
        ask()
    assert caught.value.usage == Usage(10, 5)


def test_an_endless_answer_ends_at_the_deadline(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.always(scripted.drip())
    with pytest.raises(ModelError, match="in time"), time_limit(0.2):
        model.complete(ASKED)


def test_neither_key_nor_text_nor_the_servers_words_are_in_the_error(ask: Ask, llm_server: LLMServer) -> None:
    llm_server.script(scripted.status(401, message=f"bad key {KEY} for 'How was my day?'"))
    with pytest.raises(ModelError) as caught:
        ask()
    told = json.dumps(caught.value.as_json())
    assert KEY not in told
    assert "day" not in told
    assert caught.value.__cause__ is None


def test_a_schema_is_asked_for(model: OpenAIChat, llm_server: LLMServer) -> None:
    model.complete(ASKED, schema=SCHEMA)
    asked = llm_server.chats[0].body["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["schema"]["additionalProperties"] is False


def test_a_server_without_schemas_is_asked_without_one_from_then_on(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    llm_server.always(scripted.refusing("response_format"))
    assert model.complete(ASKED, schema=SCHEMA).text == "ok"
    assert model.complete(ASKED, schema=SCHEMA).text == "ok"
    assert ["response_format" in request.body for request in llm_server.chats] == [True, False, False]


def test_another_model_is_asked_with_a_schema_all_the_same(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.always(scripted.refusing("response_format"))
    model.complete(ASKED, schema=SCHEMA)
    OpenAIChat(model="other", base_url=llm_server.url).complete(ASKED, schema=SCHEMA)
    assert "response_format" in llm_server.chats[2].body


def test_a_refusal_that_lasts_is_not_remembered(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(*[scripted.status(400, message="bad response_format")] * 2)
    with pytest.raises(ModelError):
        model.complete(ASKED, schema=SCHEMA)
    model.complete(ASKED, schema=SCHEMA)
    assert "response_format" in llm_server.chats[-1].body


def test_a_model_that_sets_its_own_temperature_is_asked_without(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    llm_server.always(scripted.refusing("temperature"))
    assert model.complete(ASKED).text == "ok"


def test_a_limit_of_tokens_goes_by_its_newer_name_where_wanted(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    wanted = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    llm_server.script(scripted.status(400, message=wanted))
    assert model.complete(ASKED, max_tokens=9).text == "ok"
    assert llm_server.chats[1].body["max_completion_tokens"] == 9


def test_nothing_is_asked_before_the_first_piece_is_wanted(model: OpenAIChat, llm_server: LLMServer) -> None:
    model.stream(ASKED)
    assert llm_server.requests == []


def test_a_stream_comes_in_pieces_and_ends_with_its_cost(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.stream("Good ", "day"))
    chunks = list(read(model.stream(ASKED)))
    assert [chunk.text for chunk in chunks] == ["Good ", "day", ""]
    assert [chunk.finish_reason for chunk in chunks] == [None, None, "stop"]
    assert chunks[-1].usage == Usage(10, 5)


def test_a_streams_tokens_are_counted_here_where_the_server_does_not(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    llm_server.script(scripted.stream("Good ", "day", usage=None))
    assert list(read(model.stream(ASKED)))[-1].usage == Usage(9, 2)


def test_a_thought_is_not_streamed(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.stream("\n<th", "ink>Well", "…</think", ">\n", "Fine"))
    assert said(model) == "Fine"


def test_a_stream_without_its_end_is_an_error(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.stream("Good ", finish=None))
    with pytest.raises(ModelError, match="broke off"):
        said(model)


def test_a_stream_whose_connection_breaks_is_an_error(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.broken_stream("Good "))
    with pytest.raises(ModelError, match="broke off"):
        said(model)


def test_a_stream_that_only_keeps_its_connection_is_an_error(
    impatient: OpenAIChat, llm_server: LLMServer
) -> None:
    llm_server.script(scripted.dripping_stream("Good "))
    chunks = read(impatient.stream(ASKED))
    assert next(chunks).text == "Good "
    with pytest.raises(ModelError, match="in time"):
        next(chunks)


def test_an_error_in_the_middle_of_a_stream_is_an_error(model: OpenAIChat, llm_server: LLMServer) -> None:
    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        exchange.write(b'data: {"choices": [{"delta": {"content": "Good "}}]}\n\n')
        exchange.write(b'data: {"error": {"message": "overloaded"}}\n\n')

    llm_server.script(step)
    with pytest.raises(BadAnswer):
        said(model)


@pytest.mark.parametrize(
    "step",
    [scripted.html(), scripted.stream(), scripted.stream(" "), scripted.no_choices()],
    ids=["html", "nothing", "blank", "empty choices"],
)
def test_a_bad_stream_is_an_error(model: OpenAIChat, llm_server: LLMServer, step: Step) -> None:
    llm_server.script(step)
    with pytest.raises(BadAnswer):
        said(model)


def test_only_the_beginning_of_a_stream_is_tried_again(model: OpenAIChat, llm_server: LLMServer) -> None:
    llm_server.script(scripted.status(503), scripted.stream("Good ", finish=None))
    with pytest.raises(ModelError):
        said(model)
    assert len(llm_server.chats) == 2


def test_a_server_that_does_not_stream_answers_in_one_piece(model: OpenAIChat, llm_server: LLMServer) -> None:
    choice = {"message": {"role": "assistant", "content": "Fine"}, "finish_reason": "stop"}
    llm_server.script(scripted.payload({"choices": [choice]}))
    assert said(model) == "Fine"


def test_a_server_without_stream_options_streams_without_them(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    llm_server.always(scripted.refusing("stream_options"))
    assert (said(model), said(model)) == ("ok", "ok")
    assert len(llm_server.chats) == 3


def test_closing_a_stream_early_frees_the_connection(model: OpenAIChat, llm_server: LLMServer) -> None:
    freed = threading.Event()

    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream")
        try:
            while not exchange.closing.is_set():
                exchange.write(b'data: {"choices": [{"delta": {"content": "more "}}]}\n\n')
        except OSError:
            freed.set()

    llm_server.script(step)
    chunks = read(model.stream(ASKED))
    next(chunks)
    chunks.close()
    assert freed.wait(30)


def test_an_end_that_came_stands_though_the_connection_breaks_after_it(
    model: OpenAIChat, llm_server: LLMServer
) -> None:
    def step(exchange: Exchange) -> None:
        exchange.start(kind="text/event-stream", content_length="1000000")
        exchange.write(b'data: {"choices": [{"delta": {"content": "Fine"}, "finish_reason": "stop"}]}\n\n')

    llm_server.script(step)
    assert said(model) == "Fine"


def test_events_are_read_whatever_they_are_called(model: OpenAIChat, llm_server: LLMServer) -> None:
    event = b'\n\ndata: {"choices": [{"delta": {"content": "Fine"}, "finish_reason": "stop"}]}\n\n'
    llm_server.script(lambda exchange: exchange.send(event, kind="application/json"))
    assert said(model) == "Fine"
