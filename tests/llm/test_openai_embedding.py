import json

import numpy as np
import pytest

from memsite.errors import ModelError
from memsite.llm.chat.retry import time_limit
from memsite.llm.embedding.embedding import IDENTITY
from memsite.llm.embedding.openai_embedding import BATCH_TEXTS, OpenAIEmbedder, read_vectors, split_batches
from memsite.llm.tokens import count_tokens
from tests import llm_server as scripted
from tests.llm_server import LLMServer, Step
from tests.llm_wire import DIMENSIONS

KEY = "sk-test-0123456789"

pytestmark = pytest.mark.usefixtures("no_pauses")


@pytest.fixture
def embedder(llm_server: LLMServer) -> OpenAIEmbedder:
    return OpenAIEmbedder(model="any", base_url=llm_server.url, api_key=KEY)


@pytest.fixture
def impatient(llm_server: LLMServer) -> OpenAIEmbedder:
    return OpenAIEmbedder(model="any", base_url=llm_server.url, timeout=1)


def test_vectors_have_length_one(embedder: OpenAIEmbedder) -> None:
    lengths = np.linalg.norm(embedder.embed(["one", "two words", "三个字"]), axis=1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-6)


def test_vectors_come_in_the_order_of_their_indexes(embedder: OpenAIEmbedder, llm_server: LLMServer) -> None:
    llm_server.script(scripted.vectors([[0, 1], [1, 0]], indexes=[1, 0]))
    assert embedder.embed(["one", "two"]).tolist() == [[1, 0], [0, 1]]


def test_blank_texts_are_zero_rows_and_are_not_sent(embedder: OpenAIEmbedder, llm_server: LLMServer) -> None:
    rows = embedder.embed(["", "word", " \n"])
    assert llm_server.requests[0].texts == ["word"]
    assert np.linalg.norm(rows, axis=1).round().tolist() == [0, 1, 0]


def test_no_texts_give_no_rows(embedder: OpenAIEmbedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_dimensions_are_learnt_from_an_answer(embedder: OpenAIEmbedder) -> None:
    assert embedder.dimensions == DIMENSIONS


def test_known_dimensions_are_not_asked_for(llm_server: LLMServer) -> None:
    embedder = OpenAIEmbedder(model="any", base_url=llm_server.url, dimensions=5)
    assert (embedder.dimensions, llm_server.requests) == (5, [])


def test_many_texts_go_in_batches(embedder: OpenAIEmbedder, llm_server: LLMServer) -> None:
    texts = [f"text {number}" for number in range(BATCH_TEXTS + 1)]
    assert len(embedder.embed(texts)) == len(texts)
    assert [len(request.texts) for request in llm_server.requests] == [BATCH_TEXTS, 1]


def test_a_text_over_the_models_length_is_cut() -> None:
    [[cut]] = split_batches(["sea " * 10_000])
    assert count_tokens(cut, "cl100k_base") <= 8_192


def test_long_texts_go_in_more_batches() -> None:
    assert [len(batch) for batch in split_batches(["sea " * 8_000] * 30)] == [24, 6]


def test_a_server_without_keys_can_be_asked(llm_server: LLMServer) -> None:
    embedder = OpenAIEmbedder(model="any", base_url=llm_server.url)
    assert len(embedder.embed(["word"])) == 1


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503])
def test_a_passing_failure_is_tried_again(embedder: OpenAIEmbedder, llm_server: LLMServer, code: int) -> None:
    llm_server.script(scripted.status(code))
    assert len(embedder.embed(["word"])) == 1
    assert len(llm_server.requests) == 2


@pytest.mark.parametrize(
    "step", [scripted.cut(), scripted.hang(), scripted.drip()], ids=["cut", "hang", "drip"]
)
def test_a_broken_connection_is_tried_again(
    impatient: OpenAIEmbedder, llm_server: LLMServer, step: Step
) -> None:
    llm_server.script(step)
    assert len(impatient.embed(["word"])) == 1


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422])
def test_a_lasting_failure_is_not_tried_again(
    embedder: OpenAIEmbedder, llm_server: LLMServer, code: int
) -> None:
    llm_server.script(scripted.status(code))
    with pytest.raises(ModelError, match=f"status {code}") as caught:
        embedder.embed(["word"])
    assert caught.value.detail == {"reason": "status", "status": code}
    assert len(llm_server.requests) == 1


BAD_ANSWERS = {
    "html": scripted.html(),
    "half JSON": scripted.half_json(),
    "an error with status 200": scripted.payload({"error": {"message": "no"}}),
    "no list": scripted.payload({"data": None}),
    "a list of no objects": scripted.payload({"data": [1, 2]}),
    "no JSON object": scripted.payload([]),
    "no numbers": scripted.payload({"data": [{"embedding": ["a"]}, {"embedding": ["b"]}]}),
    "too many": scripted.wrong_count(1),
    "too few": scripted.wrong_count(-1),
    "none": scripted.vectors([]),
    "NaN": scripted.not_a_number(),
    "infinity": scripted.not_a_number(float("inf")),
    "overflow": scripted.vectors([[1e300, 1e300], [1.0, 1.0]]),
    "zeros": scripted.vectors([[0.0, 0.0], [1.0, 0.0]]),
    "empty": scripted.vectors([[], []]),
    "ragged": scripted.vectors([[1.0], [1.0, 2.0]]),
    "nested": scripted.payload({"data": [{"embedding": [[1.0]]}, {"embedding": [[1.0]]}]}),
    "one index twice": scripted.vectors([[1.0], [1.0]], indexes=[1, 1]),
}


@pytest.mark.parametrize("step", BAD_ANSWERS.values(), ids=BAD_ANSWERS.keys())
def test_a_bad_answer_is_an_error_and_not_tried_again(
    embedder: OpenAIEmbedder, llm_server: LLMServer, step: Step
) -> None:
    llm_server.script(step)
    with pytest.raises(ModelError, match="cannot be used") as caught:
        embedder.embed(["one", "two"])
    assert caught.value.detail == {"reason": "bad_answer"}
    assert len(llm_server.requests) == 1


def test_vectors_of_another_length_than_before_are_an_error(
    embedder: OpenAIEmbedder, llm_server: LLMServer
) -> None:
    embedder.embed(["word"])
    llm_server.script(scripted.wrong_dimensions(3))
    with pytest.raises(ModelError, match="3 dimensions instead of 8"):
        embedder.embed(["word"])


def test_an_endless_answer_ends_at_the_deadline(embedder: OpenAIEmbedder, llm_server: LLMServer) -> None:
    llm_server.script(*[scripted.drip()] * 3)
    with pytest.raises(ModelError, match="in time"), time_limit(0.2):
        embedder.embed(["word"])


def test_an_absent_server_is_an_error() -> None:
    with LLMServer() as gone:
        address = gone.url
    with pytest.raises(ModelError, match="could not be reached"):
        OpenAIEmbedder(model="any", base_url=address).embed(["word"])


def test_neither_key_nor_text_nor_the_servers_words_are_in_the_error(
    embedder: OpenAIEmbedder, llm_server: LLMServer
) -> None:
    llm_server.script(scripted.status(401, message=f"bad key {KEY} for 'my diary'"))
    with pytest.raises(ModelError) as caught:
        embedder.embed(["my diary"])
    told = json.dumps(caught.value.as_json())
    assert KEY not in told
    assert "diary" not in told
    assert caught.value.__cause__ is None


def test_an_embedder_of_an_unmeasured_model_says_so() -> None:
    assert OpenAIEmbedder(model="any").profile is IDENTITY


def test_left_out_indexes_mean_the_order_sent() -> None:
    body = json.dumps({"data": [{"embedding": [2, 0]}, {"embedding": [0, 5]}]}).encode()
    assert read_vectors(body, 2).tolist() == [[1, 0], [0, 1]]
